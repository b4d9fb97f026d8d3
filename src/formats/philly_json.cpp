#include "formats/philly_json.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "base/time.hpp"

// Headers alone, as boost/json/src.hpp allows: nothing to link.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/src.hpp>
#pragma GCC diagnostic pop

namespace weir {
namespace {

namespace json = boost::json;

// What the parser calls as it meets the parts of the text.
class Handler {
 public:
  // NOLINTBEGIN(readability-identifier-naming): the parser asks for them by these names.
  static constexpr std::size_t max_object_size = SIZE_MAX;
  static constexpr std::size_t max_array_size = SIZE_MAX;
  static constexpr std::size_t max_key_size = limits::kNameBytes;
  static constexpr std::size_t max_string_size = limits::kNameBytes;
  // NOLINTEND(readability-identifier-naming)

  explicit Handler(TraceFilter filter) : jobs_(std::move(filter)) {}

  TraceBuilder& jobs() { return jobs_; }
  // What made it refuse the text, if it did.
  std::optional<Error> refusal;

  bool on_document_begin(json::error_code&) { return true; }
  bool on_document_end(json::error_code&) { return true; }

  bool on_array_begin(json::error_code& ec) { return begin(/*list=*/true, ec); }
  bool on_array_end(std::size_t, json::error_code&) {
    end();
    return true;
  }
  bool on_object_begin(json::error_code& ec) {
    if (!begin(/*list=*/false, ec)) return false;
    if (depth_ == kJob) job_ = {};
    if (depth_ == kAttempt && !skips()) attempt_ = {};
    return true;
  }
  bool on_object_end(std::size_t, json::error_code& ec) {
    if (depth_ == kAttempt && !skips()) end_attempt();
    const bool good = depth_ != kJob || end_job(ec);
    end();
    return good;
  }

  bool on_key_part(json::string_view part, std::size_t, json::error_code&) {
    text_.append(part.data(), part.size());
    return true;
  }
  bool on_key(json::string_view part, std::size_t, json::error_code&) {
    text_.append(part.data(), part.size());
    key_ = std::exchange(text_, {});
    return true;
  }
  bool on_string_part(json::string_view part, std::size_t, json::error_code&) {
    text_.append(part.data(), part.size());
    return true;
  }
  bool on_string(json::string_view part, std::size_t, json::error_code& ec) {
    text_.append(part.data(), part.size());
    return value(std::exchange(text_, {}), ec);
  }
  bool on_null(json::error_code& ec) { return value({}, ec); }

  // Nothing that is read is a number or a truth value.
  bool on_number_part(json::string_view, json::error_code&) { return true; }
  bool on_int64(std::int64_t, json::string_view, json::error_code&) { return true; }
  bool on_uint64(std::uint64_t, json::string_view, json::error_code&) { return true; }
  bool on_double(double, json::string_view, json::error_code&) { return true; }
  bool on_bool(bool, json::error_code&) { return true; }
  bool on_comment_part(json::string_view, json::error_code&) { return true; }
  bool on_comment(json::string_view, json::error_code&) { return true; }

 private:
  // Depths of the text: lists of objects in turn, from the list of jobs to the list of GPUs.
  enum : std::size_t { kJobs = 1, kJob = 2, kAttempts = 3, kAttempt = 4, kDetail = 5, kGpus = 7 };

  struct Attempt {
    std::optional<Instant> start;
    std::optional<Instant> end;
    std::uint64_t gpus = 0;
  };
  struct PartialJob {
    TraceJob job;
    std::optional<Instant> submitted;
    bool ran = false;
  };

  [[nodiscard]] bool skips() const { return skipped_ > 0; }

  // A list or an object begins: one of those above, or under a key that is not read.
  bool begin(bool list, json::error_code& ec) {
    ++depth_;
    if (skips()) return true;
    const bool in_list = depth_ == kJob || depth_ == kAttempt || depth_ == kDetail + 1;
    const bool known = depth_ == kJobs || in_list || (depth_ == kAttempts && key_ == "attempts") ||
                       (depth_ == kDetail && key_ == "detail") ||
                       (depth_ == kGpus && key_ == "gpus");
    if (!known && depth_ <= kGpus) {
      skipped_ = depth_;
      return true;
    }
    if (known && list == (depth_ % 2 == 1)) return true;
    return refuse(ec, list ? "a list where none is expected" : "an object where none is expected");
  }
  void end() {
    if (depth_ == skipped_) skipped_ = 0;
    --depth_;
  }

  bool value(const std::string& text, json::error_code& ec) {
    if (skips()) return true;
    if (depth_ == kJob) {
      if (key_ == "vc") job_.job.vc = text;
      if (key_ == "user") job_.job.job.user = text;
      if (key_ == "jobid") job_.job.job.name = text;
      if (key_ == "submitted_time") return time(text, job_.submitted, ec);
    } else if (depth_ == kAttempt) {
      if (key_ == "start_time") return time(text, attempt_.start, ec);
      if (key_ == "end_time") return time(text, attempt_.end, ec);
    } else if (depth_ == kGpus) {
      ++attempt_.gpus;
    } else if (depth_ < kJob) {
      return refuse(ec, "a text where a list of jobs is expected");
    }
    return true;
  }

  bool time(const std::string& text, std::optional<Instant>& into, json::error_code& ec) {
    into.reset();
    if (text.empty() || text == "None") return true;
    const auto parsed = parse_instant(text);
    if (!parsed) return refuse(ec, fmt::format("{}: {}", key_, parsed.error().message));
    into = *parsed;
    return true;
  }

  void end_attempt() {
    if (!attempt_.start || !attempt_.end || *attempt_.end < *attempt_.start) return;
    job_.ran = true;
    job_.job.runtime += *attempt_.end - *attempt_.start;
    job_.job.gpus = std::max(job_.job.gpus, attempt_.gpus);
  }

  bool end_job(json::error_code& ec) {
    if (!job_.submitted) {
      jobs_.leave_out("without a submission time");
      return true;
    }
    if (!job_.ran || job_.job.gpus == 0) {
      jobs_.leave_out(job_.ran ? "without GPUs" : "that never ran to an end");
      return true;
    }
    if (job_.job.gpus > limits::kGpus || job_.job.runtime > limits::kLongestDuration)
      return refuse(
          ec, fmt::format("job {}: expected at most {} GPUs and {}", quoted(job_.job.job.name),
                          limits::kGpus, format_duration(limits::kLongestDuration)));
    job_.job.submit = *job_.submitted;
    job_.job.job.estimate = job_.job.runtime;
    if (Status added = jobs_.add(std::move(job_.job)); !added) {
      refusal = added.error();
      ec = json::error::exception;
      return false;
    }
    return true;
  }

  bool refuse(json::error_code& ec, std::string message) {
    refusal = Error{Errc::kBadInput, std::move(message)};
    ec = json::error::exception;
    return false;
  }

  TraceBuilder jobs_;
  std::size_t depth_ = 0;
  std::size_t skipped_ = 0;  // the depth at which something that is not read began
  std::string text_;
  std::string key_;
  PartialJob job_;
  Attempt attempt_;
};

}  // namespace

class PhillyJsonReader::Parser {
 public:
  explicit Parser(TraceFilter filter) : parser_(json::parse_options(), std::move(filter)) {}

  Status bytes(std::string_view chunk) {
    json::error_code failed;
    const std::size_t read = parser_.write_some(true, chunk.data(), chunk.size(), failed);
    // Behind the last bracket only blanks may stand.
    if (!failed && read < chunk.size() &&
        chunk.substr(read).find_first_not_of(" \t\r\n") != std::string_view::npos)
      failed = json::error::extra_data;
    const auto lines = std::ranges::count(chunk.substr(0, read), '\n');
    if (failed) return error(failed, lines);
    line_ += static_cast<std::size_t>(lines);
    empty_ = empty_ && chunk.empty();
    return {};
  }

  Result<Trace> finish() {
    json::error_code failed;
    if (empty_) return bad_input("1: the text is empty: expected a list of jobs");
    if (!parser_.done()) parser_.write_some(false, "", 0, failed);
    if (failed) return error(failed, 0);
    return parser_.handler().jobs().finish();
  }

  [[nodiscard]] std::string left_out() { return parser_.handler().jobs().left_out(); }

 private:
  std::unexpected<Error> error(json::error_code failed, std::ptrdiff_t lines) {
    const std::optional<Error>& refusal = parser_.handler().refusal;
    return std::unexpected(
        Error{refusal ? refusal->code : Errc::kBadInput,
              fmt::format("{}: {}", line_ + static_cast<std::size_t>(lines),
                          refusal ? refusal->message : "no JSON: " + failed.message())});
  }

  json::basic_parser<Handler> parser_;
  std::size_t line_ = 1;
  bool empty_ = true;
};

PhillyJsonReader::PhillyJsonReader(TraceFilter filter)
    : parser_(std::make_unique<Parser>(std::move(filter))) {}
PhillyJsonReader::~PhillyJsonReader() = default;
PhillyJsonReader::PhillyJsonReader(PhillyJsonReader&&) noexcept = default;

Status PhillyJsonReader::bytes(std::string_view chunk) { return parser_->bytes(chunk); }
Result<Trace> PhillyJsonReader::finish() { return parser_->finish(); }
std::string PhillyJsonReader::left_out() const { return parser_->left_out(); }

}  // namespace weir
