// Where nodes stand: the locality tree block / unit / pod / fabric / site.
//
// A domain is a vertex of the tree. Nodes stand in a *cell*, a domain of the lowest level that the
// tree has (today the unit). Domains of one level are numbered so that the children of one parent
// are neighbours; hence a domain of any level is a range of cells.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/ids.hpp"

namespace weir {

enum class Level : std::uint8_t { kBlock, kUnit, kPod, kFabric, kSite };
inline constexpr std::uint32_t kLevels = 5;

constexpr std::string_view to_text(Level level) {
  constexpr std::string_view kNames[kLevels] = {"block", "unit", "pod", "fabric", "site"};
  return kNames[static_cast<std::size_t>(level)];
}

struct Domain {
  DomainId parent = DomainId::none();  // in the level above; none at the top
  std::string name;

  friend bool operator==(const Domain&, const Domain&) = default;
};

struct LevelTable {
  Level level = Level::kUnit;
  std::vector<Domain> domains;  // index = DomainId

  friend bool operator==(const LevelTable&, const LevelTable&) = default;
};

struct Locality {
  // From the lowest level to the highest; never empty once set. Only the last level has no parents.
  std::vector<LevelTable> levels;
  // False for a pool whose network nobody described: one unit holds all nodes and says nothing.
  bool known = false;

  friend bool operator==(const Locality&, const Locality&) = default;
};

// One unit in one pod in one fabric in one site: a pool without a topology.
Locality flat_locality();

// Checks what the structure promises: levels ascend, parents exist, children are neighbours.
Status check(const Locality& locality);

}  // namespace weir
