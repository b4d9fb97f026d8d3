#include "cli/answer.hpp"

#include <utility>
#include <variant>

#include <fmt/format.h>

#include "base/text.hpp"
#include "formats/json_text.hpp"
#include "report/format.hpp"

namespace weir::cli {
namespace {

// A page of the queue or all nodes of a site.
constexpr std::size_t kAnswerBytes = std::size_t{256} << 20;

template <typename T>
const T* content_of(const TomlTable& table, std::string_view key) {
  const TomlValue* value = table.find(key);
  return value == nullptr ? nullptr : std::get_if<T>(&value->content);
}

std::optional<double> number_in(const TomlValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value.content))
    return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value.content)) return *real;
  return std::nullopt;
}

}  // namespace

Result<TomlTable> parse_answer(std::string_view body) {
  auto value = parse_json(body, kAnswerBytes);
  auto* table = value ? std::get_if<TomlTable>(&value->content) : nullptr;
  if (table == nullptr)
    return io_error(fmt::format(
        "the controller answered what no Weir controller says ({}): is its socket the right one?",
        weir::quoted(body)));
  return std::move(*table);
}

std::string text_of(const TomlTable& table, std::string_view key) {
  const auto* text = content_of<std::string>(table, key);
  return text == nullptr ? std::string() : report::clean_text(*text);
}

std::optional<double> number_of(const TomlTable& table, std::string_view key) {
  const TomlValue* value = table.find(key);
  return value == nullptr ? std::nullopt : number_in(*value);
}

std::optional<std::int64_t> whole_of(const TomlTable& table, std::string_view key) {
  const auto* whole = content_of<std::int64_t>(table, key);
  return whole == nullptr ? std::nullopt : std::optional(*whole);
}

bool is_true(const TomlTable& table, std::string_view key) {
  const bool* truth = content_of<bool>(table, key);
  return truth != nullptr && *truth;
}

std::optional<Instant> time_of(const TomlTable& table, std::string_view key) {
  const auto* text = content_of<std::string>(table, key);
  if (text == nullptr || !text->ends_with('Z')) return std::nullopt;
  const auto at = parse_instant(std::string_view(*text).substr(0, text->size() - 1));
  return at ? std::optional(*at) : std::nullopt;
}

const TomlTable* table_of(const TomlTable& table, std::string_view key) {
  return content_of<TomlTable>(table, key);
}

std::vector<const TomlTable*> tables_of(const TomlTable& table, std::string_view key) {
  std::vector<const TomlTable*> found;
  const auto* list = content_of<TomlArray>(table, key);
  if (list == nullptr) return found;
  for (const TomlValue& item : *list)
    if (const auto* one = std::get_if<TomlTable>(&item.content)) found.push_back(one);
  return found;
}

std::vector<std::string> words_of(const TomlTable& table, std::string_view key) {
  std::vector<std::string> found;
  const auto* list = content_of<TomlArray>(table, key);
  if (list == nullptr) return found;
  for (const TomlValue& item : *list)
    if (const auto* text = std::get_if<std::string>(&item.content))
      found.push_back(report::clean_text(*text));
    else if (const auto number = number_in(item))
      found.push_back(short_number(*number));
  return found;
}

std::string short_number(double number) {
  // Thousandths at most; "g" would write large ones with an exponent.
  std::string text = fmt::format("{:.3f}", number);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

Result<std::uint64_t> id_of(std::string_view body) {
  const TomlTable answer = WEIR_TRY(parse_answer(body));
  const auto id = whole_of(answer, "id");
  if (!id || *id < 0)
    return io_error(fmt::format("the controller answered no job's number but {}: look at its log",
                                weir::quoted(body)));
  return static_cast<std::uint64_t>(*id);
}

}  // namespace weir::cli
