// One of the two users of Boost.JSON; philly_json.cpp compiles the library itself.
#include "formats/json_text.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/text.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#include <boost/json/basic_parser_impl.hpp>
#pragma GCC diagnostic pop

namespace weir {
namespace {

namespace json = boost::json;

// What the parser calls as it meets the parts of the text.
class Builder {
 public:
  static constexpr std::size_t max_object_size = limits::kArguments;
  static constexpr std::size_t max_array_size = limits::kNodes;
  static constexpr std::size_t max_key_size = limits::kArgumentBytes;
  static constexpr std::size_t max_string_size = limits::kArgumentBytes;

  TomlValue root;
  // What made it refuse the text, if it did.
  std::optional<std::string> refusal;

  bool on_document_begin(json::error_code&) { return true; }
  bool on_document_end(json::error_code&) { return true; }
  bool on_array_begin(json::error_code&) { return open(TomlArray{}); }
  bool on_array_end(std::size_t, json::error_code& ec) { return close(ec); }
  bool on_object_begin(json::error_code&) { return open(TomlTable{}); }
  bool on_object_end(std::size_t, json::error_code& ec) { return close(ec); }
  bool on_key_part(json::string_view part, std::size_t, json::error_code&) { return append(part); }
  bool on_key(json::string_view part, std::size_t, json::error_code& ec) {
    append(part);
    open_.back().key = std::exchange(text_, {});
    const auto& entries = std::get<TomlTable>(open_.back().value.content).entries;
    if (std::ranges::find(entries, open_.back().key, &TomlEntry::key) == entries.end()) return true;
    return refuse(ec, fmt::format("the key {} is there twice", quoted(open_.back().key)));
  }
  bool on_string_part(json::string_view part, std::size_t, json::error_code&) {
    return append(part);
  }
  bool on_string(json::string_view part, std::size_t, json::error_code&) {
    append(part);
    return add(std::exchange(text_, {}));
  }
  bool on_number_part(json::string_view, json::error_code&) { return true; }
  bool on_int64(std::int64_t number, json::string_view, json::error_code&) { return add(number); }
  bool on_uint64(std::uint64_t number, json::string_view, json::error_code&) {
    return add(static_cast<double>(number));  // beyond the range of int64
  }
  bool on_double(double number, json::string_view, json::error_code&) { return add(number); }
  bool on_bool(bool truth, json::error_code&) { return add(truth); }
  bool on_null(json::error_code& ec) {
    if (!open_.empty() && std::holds_alternative<TomlTable>(open_.back().value.content))
      return true;
    return refuse(ec, "a null where a value is expected");
  }
  bool on_comment_part(json::string_view, json::error_code&) { return true; }
  bool on_comment(json::string_view, json::error_code&) { return true; }

 private:
  struct Open {
    TomlValue value;
    std::string key;  // of the entry that comes next
  };

  bool append(json::string_view part) {
    text_.append(part.data(), part.size());
    return true;
  }
  template <typename T>
  bool open(T container) {
    open_.push_back({TomlValue{0, std::move(container)}, {}});
    return true;
  }
  bool close(json::error_code&) {
    TomlValue done = std::move(open_.back().value);
    open_.pop_back();
    return add(std::move(done.content));
  }
  template <typename T>
  bool add(T content) {
    TomlValue value;
    value.content = std::move(content);
    if (open_.empty())
      root = std::move(value);
    else if (auto* list = std::get_if<TomlArray>(&open_.back().value.content))
      list->push_back(std::move(value));
    else
      std::get<TomlTable>(open_.back().value.content)
          .entries.push_back({std::move(open_.back().key), 0, std::move(value)});
    return true;
  }
  bool refuse(json::error_code& ec, std::string message) {
    refusal = std::move(message);
    ec = json::error::exception;
    return false;
  }

  std::vector<Open> open_;
  std::string text_;
};

}  // namespace

Result<TomlValue> parse_json(std::string_view text, std::size_t most_bytes) {
  if (text.size() > most_bytes)
    return over_limit(fmt::format("a text of {} bytes: expected at most {}",
                                  with_thousands(text.size()), with_thousands(most_bytes)));
  json::parse_options options;
  options.max_depth = 32;
  json::basic_parser<Builder> parser(options);
  json::error_code failed;
  const std::size_t read = parser.write_some(false, text.data(), text.size(), failed);
  if (!failed && text.substr(read).find_first_not_of(" \t\r\n") != std::string_view::npos)
    failed = json::error::extra_data;
  if (!failed) return std::move(parser.handler().root);
  const auto line = 1 + std::ranges::count(text.substr(0, read), '\n');
  const std::optional<std::string>& refusal = parser.handler().refusal;
  return bad_input(
      fmt::format("line {}: {}", line, refusal ? *refusal : "no JSON: " + failed.message()));
}

}  // namespace weir
