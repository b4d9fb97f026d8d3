// Random sites, gangs and jobs: small, uneven and full of corner cases. Equal seeds, equal cases.
#pragma once

#include <cstdint>
#include <vector>

#include "base/rng.hpp"
#include "model/job.hpp"
#include "model/locality.hpp"
#include "model/node.hpp"
#include "property/slow_fit.hpp"

namespace weir::property {

// Draws, for short.
class Draw {
 public:
  explicit Draw(Rng& rng) : rng_(rng) {}

  [[nodiscard]] bool chance(std::uint32_t percent) const { return rng_.below(100) < percent; }
  // Both ends included.
  [[nodiscard]] std::uint32_t between(std::uint32_t low, std::uint32_t high) const {
    return low + static_cast<std::uint32_t>(rng_.below(std::uint64_t{high} - low + 1));
  }
  template <typename T>
  [[nodiscard]] T pick(const std::vector<T>& from) const {
    return from[static_cast<std::size_t>(rng_.below(from.size()))];
  }
  template <typename T>
  void shuffle(std::vector<T>& items) const {
    for (std::size_t i = items.size(); i > 1; --i)
      std::swap(items[i - 1], items[static_cast<std::size_t>(rng_.below(i))]);
  }

 private:
  Rng& rng_;
};

struct RandomSite {
  Locality locality;
  std::vector<Node> nodes;  // in order of joining, which is not the order of their cells
};

// With blocks or without, with and without a level of fabrics, several fabrics that nothing joins,
// domains of uneven size or empty, several kinds of nodes, also without GPUs.
RandomSite random_site(const Draw& draw);
// One more node for a site.
Node random_node(const Draw& draw, const RandomSite& site, std::uint32_t number);

// A gang with its requirement and wish; check() passes on a job made of it.
slow::Ask random_ask(const Draw& draw, const RandomSite& site);
Job random_job(const Draw& draw, const slow::Ask& ask);

Grade random_grade(const Draw& draw);

}  // namespace weir::property
