#include "model/locality.hpp"

#include <fmt/format.h>

#include "base/limits.hpp"

namespace weir {

Locality flat_locality() {
  Locality locality;
  for (const Level level : {Level::kUnit, Level::kPod, Level::kFabric, Level::kSite}) {
    const DomainId parent = level == Level::kSite ? DomainId::none() : DomainId(0);
    locality.levels.push_back({level, {Domain{parent, std::string(to_text(level))}}});
  }
  return locality;
}

Status check(const Locality& locality) {
  if (locality.levels.empty()) return bad_input("locality has no level: expected at least one");
  for (std::size_t i = 0; i < locality.levels.size(); ++i) {
    const LevelTable& table = locality.levels[i];
    const bool top = i + 1 == locality.levels.size();
    if (i > 0 && table.level <= locality.levels[i - 1].level)
      return bad_input(fmt::format("locality level {} stands above {}", to_text(table.level),
                                   to_text(locality.levels[i - 1].level)));
    if (table.domains.empty())
      return bad_input(fmt::format("locality level {} has no domain", to_text(table.level)));
    if (table.domains.size() > limits::kDomainsPerLevel)
      return over_limit(fmt::format("locality level {} has {} domains: expected at most {}",
                                    to_text(table.level), table.domains.size(),
                                    limits::kDomainsPerLevel));
    DomainId last(0);
    for (const Domain& domain : table.domains) {
      if (domain.name.size() > limits::kNameBytes)
        return bad_input(fmt::format("the name of a {} has {} bytes: expected at most {}",
                                     to_text(table.level), domain.name.size(), limits::kNameBytes));
      if (top != domain.parent.is_none() ||
          (!top && domain.parent.index() >= locality.levels[i + 1].domains.size()))
        return bad_input(
            fmt::format("{} {} has no valid parent", to_text(table.level), domain.name));
      if (!top && domain.parent < last)
        return bad_input(
            fmt::format("{} {} stands apart from its siblings", to_text(table.level), domain.name));
      if (!top) last = domain.parent;
    }
  }
  return {};
}

}  // namespace weir
