// Encoder and Decoder: how described values become bytes. Each struct is described once, by an
// overload of fields() in its own namespace (fields.hpp), and writing and reading both follow it.
//
// For codec files only. kValues bounds the enums that are read, kMost the lists.
#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/bytes.hpp"
#include "base/id.hpp"
#include "base/limits.hpp"
#include "base/time.hpp"

namespace weir::codec {

// How many values an enum has; those from here on are refused.
template <typename E>
constexpr std::uint32_t kValues = 0;

// How many values a list may hold; the checks of events refuse more, too.
template <typename T>
constexpr std::size_t kMost = 0;
template <>
inline constexpr std::size_t kMost<std::string> = limits::kArguments;

// T or const T.
template <typename X, typename T>
concept Of = std::same_as<std::remove_const_t<X>, T>;

struct Encoder {
  ByteWriter& out;

  template <typename... T>
  void operator()(const T&... values) {
    (put(values), ...);
  }

  void put(bool value) { out.u8(value ? 1 : 0); }
  void put(std::unsigned_integral auto value) { out.unsigned_number(value); }
  void put(std::int64_t value) { out.signed_number(value); }
  void put(const std::string& value) { out.text(value); }
  void put(Instant value) { out.signed_number(value.microseconds()); }
  void put(Duration value) { out.signed_number(value.count()); }
  template <typename E>
    requires std::is_enum_v<E>
  void put(E value) {
    out.u8(static_cast<std::uint8_t>(value));
  }
  template <typename Tag, typename Rep>
  void put(Id<Tag, Rep> value) {
    out.unsigned_number(value.value());
  }
  template <typename T>
  void put(const std::optional<T>& value) {
    put(value.has_value());
    if (value) put(*value);
  }
  template <typename T>
  void put(const std::vector<T>& values) {
    out.unsigned_number(values.size());
    for (const T& value : values) put(value);
  }
  template <typename T>
  void put(const std::shared_ptr<const T>& value) {
    put(*value);
  }
  template <typename... T>
  void put(const std::variant<T...>& value) {
    out.u8(static_cast<std::uint8_t>(value.index()));
    std::visit([this](const auto& content) { this->put(content); }, value);
  }
  template <typename T>
    requires std::is_class_v<T>
  void put(const T& value) {
    fields(*this, value);
  }
};

struct Decoder {
  ByteReader& in;

  template <typename... T>
  void operator()(T&... values) {
    (get(values), ...);
  }

  void get(bool& value) { value = in.below(2) == 1; }
  template <std::unsigned_integral T>
  void get(T& value) {
    const std::uint64_t number = in.unsigned_number();
    value = static_cast<T>(number);
    if (value != number) in.fail();
  }
  void get(std::int64_t& value) { value = in.signed_number(); }
  void get(std::string& value) { value = in.text(limits::kArgumentBytes); }
  void get(Instant& value) { value = Instant(in.signed_number()); }
  void get(Duration& value) { value = Duration(in.signed_number()); }
  template <typename E>
    requires std::is_enum_v<E>
  void get(E& value) {
    value = static_cast<E>(in.below(kValues<E>));
  }
  template <typename Tag, typename Rep>
  void get(Id<Tag, Rep>& value) {
    Rep number{};
    get(number);
    value = Id<Tag, Rep>(number);
  }
  template <typename T>
  void get(std::optional<T>& value) {
    bool present = false;
    get(present);
    if (present) get(value.emplace());
  }
  template <typename T>
  void get(std::vector<T>& values) {
    const std::size_t count = in.count();
    if (count > kMost<T>) in.fail();
    for (std::size_t i = 0; i < count && in.ok(); ++i) get(values.emplace_back());
  }
  template <typename T>
  void get(std::shared_ptr<const T>& value) {
    auto read = std::make_shared<T>();
    get(*read);
    value = std::move(read);
  }
  template <typename... T>
  void get(std::variant<T...>& value) {
    const auto tag = static_cast<std::size_t>(in.below(sizeof...(T)));
    std::size_t alternative = 0;
    // Exactly one alternative has this tag.
    static_cast<void>(((alternative++ == tag && (get(value.template emplace<T>()), true)) || ...));
  }
  template <typename T>
    requires std::is_class_v<T>
  void get(T& value) {
    fields(*this, value);
  }
};

}  // namespace weir::codec
