#include "agent/step_folder.hpp"

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.hpp"
#include "base/text.hpp"
#include "os/descriptor.hpp"
#include "os/durable.hpp"
#include "os/errors.hpp"
#include "os/files.hpp"

namespace weir::agent {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kGone = ".gone";
// Records of one step: a task's end at a time, each with its details.
constexpr std::size_t kRecordBytes = std::size_t{64} << 20;

// The first piece of a rank's output from `piece` on that is there.
std::optional<std::uint64_t> next_piece(const fs::path& folder, std::uint32_t rank,
                                        std::uint64_t piece) {
  std::optional<std::uint64_t> next;
  const std::string prefix = "out." + std::to_string(rank) + ".";
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(folder, failure)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix)) continue;
    const auto number = parse_unsigned(std::string_view(name).substr(prefix.size()));
    if (number && *number >= piece && (!next || *number < *next)) next = number;
  }
  return next;
}

}  // namespace

StepFolder::StepFolder(const fs::path& steps, StepId step)
    : path_(steps / (std::to_string(step.job.value()) + "." + std::to_string(step.attempt))) {}

std::optional<StepId> StepFolder::step_of(const std::string& name) {
  const std::vector<std::string_view> words = split(name, '.');
  if (words.size() != 2) return std::nullopt;
  const auto job = parse_unsigned(words[0]);
  const auto attempt = parse_unsigned(words[1]);
  if (!job || !attempt || *attempt > UINT32_MAX) return std::nullopt;
  return StepId{JobId(*job), static_cast<std::uint32_t>(*attempt)};
}

Status StepFolder::create() const {
  if (::mkdir(path_.c_str(), 0700) != 0 && errno != EEXIST)
    return os::system_error(path_, "the folder cannot be created", errno);
  return {};
}

Status StepFolder::create(const StepSpec& spec) const {
  const std::vector<std::uint8_t> bytes = stepd::to_frame(spec);
  if (bytes.size() > limits::kStepSpecBytes)
    return over_limit("the tasks of a step take " + std::to_string(bytes.size()) + " bytes, " +
                      std::to_string(limits::kStepSpecBytes) +
                      " are allowed: give them a smaller environment");
  WEIR_TRY(create());
  return os::write_file(file(stepd::kSpecFile),
                        {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

Result<StepSpec> StepFolder::spec() const {
  const std::vector<std::uint8_t> bytes =
      WEIR_TRY(os::read_file(file(stepd::kSpecFile), limits::kStepSpecBytes));
  return stepd::parse_spec(bytes);
}

StepHistory StepFolder::history() const {
  StepHistory history;
  const auto bytes = os::read_file(file(stepd::kRecordFile), kRecordBytes);
  if (!bytes) return history;
  history.empty = false;
  for (stepd::Record& record : stepd::parse_records(*bytes).records) {
    if (auto* started = std::get_if<stepd::Started>(&record))
      history.started = std::move(*started);
    else if (const auto* ended = std::get_if<stepd::TasksEnded>(&record))
      history.ends.insert(history.ends.end(), ended->ends.begin(), ended->ends.end());
    else
      history.ended = true;
  }
  std::ranges::stable_sort(history.ends, {}, &TaskEnd::rank);
  return history;
}

Status StepFolder::append_end(const std::vector<TaskEnd>& ends) const {
  const fs::path path = file(stepd::kRecordFile);
  os::DurableLog log = WEIR_TRY(os::DurableLog::open(path));
  const std::vector<std::uint8_t> before = WEIR_TRY(os::read_file(path, kRecordBytes));
  WEIR_TRY(log.cut(stepd::parse_records(before).good_bytes));
  std::vector<std::uint8_t> bytes;
  if (!ends.empty()) bytes = stepd::to_frame(stepd::Record(stepd::TasksEnded{ends}));
  const std::vector<std::uint8_t> last = stepd::to_frame(stepd::Record(stepd::Ended{}));
  bytes.insert(bytes.end(), last.begin(), last.end());
  return log.append(bytes);
}

Result<Output> StepFolder::read_output(std::uint32_t rank, std::uint64_t offset,
                                       std::size_t most) const {
  const std::uint64_t wanted = offset / limits::kOutputPieceBytes;
  const auto piece = next_piece(path_, rank, wanted);
  if (!piece) return Output{offset, {}};
  if (*piece != wanted) offset = *piece * limits::kOutputPieceBytes;
  const fs::path path = path_ / stepd::output_file(rank, *piece);
  const os::Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.is_open()) return os::system_error(path, "cannot be opened", errno);
  Output output{offset, std::string(std::min<std::size_t>(most, limits::kOutputPieceBytes), '\0')};
  const ssize_t count = ::pread(fd.get(), output.bytes.data(), output.bytes.size(),
                                static_cast<off_t>(offset - *piece * limits::kOutputPieceBytes));
  if (count < 0) return os::system_error(path, "cannot be read", errno);
  output.bytes.resize(static_cast<std::size_t>(count));
  return output;
}

Status StepFolder::remove() const {
  fs::path gone = path_;
  gone += kGone;
  std::error_code failure;
  fs::remove_all(gone, failure);
  fs::rename(path_, gone, failure);
  if (failure) return os::system_error(path_, "cannot be removed", failure.value());
  fs::remove_all(gone, failure);
  return {};
}

void StepFolder::remove_rests(const fs::path& steps) {
  std::error_code ignored;
  std::vector<fs::path> rests;
  for (const auto& entry : fs::directory_iterator(steps, ignored))
    if (entry.path().filename().string().ends_with(kGone)) rests.push_back(entry.path());
  for (const fs::path& rest : rests) fs::remove_all(rest, ignored);
}

}  // namespace weir::agent
