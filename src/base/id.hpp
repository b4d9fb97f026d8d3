// Id<Tag, Rep>: a number that names a thing; ids of different things do not mix.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

namespace weir {

template <typename Tag, typename Rep = std::uint32_t>
class Id {
 public:
  using rep = Rep;

  constexpr Id() = default;
  constexpr explicit Id(Rep value) : value_(value) {}

  static constexpr Id none() { return Id(std::numeric_limits<Rep>::max()); }
  [[nodiscard]] constexpr bool is_none() const { return *this == none(); }

  [[nodiscard]] constexpr Rep value() const { return value_; }
  [[nodiscard]] constexpr std::size_t index() const { return static_cast<std::size_t>(value_); }

  friend constexpr auto operator<=>(Id, Id) = default;

 private:
  Rep value_ = std::numeric_limits<Rep>::max();
};

}  // namespace weir

template <typename Tag, typename Rep>
struct std::hash<weir::Id<Tag, Rep>> {
  std::size_t operator()(weir::Id<Tag, Rep> id) const noexcept {
    return std::hash<Rep>{}(id.value());
  }
};
