#include "property/compare_placers.hpp"

#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "property/slow_placement.hpp"
#include "property/slow_reason.hpp"
#include "sched/explain/explain.hpp"
#include "sched/placement/placer.hpp"

namespace weir::property {
namespace {

using slow::Ask;
using slow::Cluster;
using slow::Fit;

std::unexpected<Error> by(std::string_view placer, std::string_view what) {
  return corrupt(fmt::format("{}: {}", placer, what));
}

Status compare_choice(std::string_view placer, const Fit& fit,
                      const std::optional<sched::Placement>& placement) {
  if (placement.has_value() != fit.fits())
    return by(placer, fit.fits() ? "says the gang does not fit; it does"
                                 : "says the gang fits; it does not");
  if (!placement) return {};
  if (const Status sound = check_nodes(fit, placement->nodes); !sound)
    return by(placer, sound.error().message);
  if (placement->spans != spanned_level(fit.cluster(), placement->nodes))
    return by(placer, "names another level than the nodes span");
  if (placer == "weir") {
    if (const Status tight = check_tightness(fit, placement->nodes); !tight)
      return by(placer, tight.error().message);
    if (placement->nodes != choose_weir(fit)) return by(placer, "chose other nodes by its rule");
  }
  if (placer == "firstfit" && placement->nodes != choose_first_fit(fit))
    return by(placer, "chose other nodes by its rule");
  return {};
}

Status compare_reasons(const pool::Pool& pool, const Cluster& cluster, const Ask& ask, bool fits) {
  const state::Shape shape{ask.gang, ask.requirement, ask.wish};
  const Reason never = sched::why_never(pool, shape);
  const bool possible = slow::possible(cluster, ask);
  if (possible != (never.code == ReasonCode::kNone))
    return corrupt(possible ? fmt::format("refused though it could start: {}", sentence(never))
                            : std::string("it can never start and no reason is given"));
  if (!possible) return check_hard(cluster, ask, never);
  const Reason now = sched::why_not_now(pool, shape);
  if (fits != (now.code == ReasonCode::kNone))
    return corrupt(fmt::format("fits now: {}, but the reason is: {}", fits, sentence(now)));
  return fits ? Status{} : check_soft(cluster, ask, now);
}

}  // namespace

Status compare_placers(const pool::Pool& pool, const Cluster& cluster, const Ask& ask, Rng& rng) {
  const Fit fit(world_now(cluster), ask);
  const sched::Request request =
      sched::resolve(ask.gang, ask.requirement, ask.wish, pool.classes(), /*any_grade=*/false);
  for (const sched::PlacerEntry& entry : sched::placers())
    WEIR_TRY(compare_choice(entry.name, fit, entry.make()->place(pool.free(), request, rng)));
  return compare_reasons(pool, cluster, ask, fit.fits());
}

}  // namespace weir::property
