// Job: what a user asks for. A gang is all-or-nothing: `nodes` nodes that give `per_node` each and,
// where `tail` asks for anything, one more node that gives `tail`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "model/demand.hpp"
#include "model/grade.hpp"
#include "model/locality.hpp"
#include "model/node.hpp"

namespace weir {

// How a gang wants to lie on the fabric. Without a wish it gets the smallest domain that holds it.
struct TopologyWish {
  // The whole gang inside one domain of this level; else it waits (require) or is refused.
  std::optional<Level> require;
  // Would like to lie inside one domain of this level. A smaller domain is always taken where one
  // fits and a larger one where none does, so this only says what to report as met or missed.
  std::optional<Level> prefer;
  // Parts of `segment_nodes` nodes (> 0) that each lie inside one domain of `segment_level`.
  std::uint32_t segment_nodes = 0;
  Level segment_level = Level::kUnit;
  // The gang has the domains of this level that it touches for itself: they must be idle, and
  // nothing else starts there while it runs.
  std::optional<Level> exclusive;

  friend auto operator<=>(const TopologyWish&, const TopologyWish&) = default;
};

// Which nodes may serve.
struct Requirement {
  std::string partition;                // empty: any
  std::vector<std::string> gpu_models;  // any one of them; sorted, unique; empty: any
  std::vector<std::string> features;    // all of them; sorted, unique
  Grade worst_grade = Grade::kWatch;    // nodes graded worse do not serve
  // Rails that every node of a gang of several nodes must have linked. Gangs of one node ignore it.
  RailMask rails = 0;

  friend auto operator<=>(const Requirement&, const Requirement&) = default;
};

struct Gang {
  std::uint32_t nodes = 1;
  Capacity per_node;  // a share of a GPU only in a gang of one node without tail
  Capacity tail;      // all zero: none. Never more than per_node in any resource.

  [[nodiscard]] bool has_tail() const { return tail != Capacity{}; }
  [[nodiscard]] std::uint32_t node_count() const { return nodes + (has_tail() ? 1 : 0); }
  // Whole GPUs; a share of one counts in milli_gpus() only.
  [[nodiscard]] std::uint64_t gpus() const {
    return std::uint64_t{nodes} * per_node.gpus + tail.gpus;
  }
  [[nodiscard]] std::uint64_t milli_gpus() const {
    return nodes * per_node.milli_gpus() + tail.milli_gpus();
  }
  friend auto operator<=>(const Gang&, const Gang&) = default;
};

struct Job {
  std::string name;
  std::string user;
  Gang gang;
  Requirement requirement;
  TopologyWish wish;
  std::int64_t priority = 0;  // higher goes first under the `priority` order
  // How long it is expected to hold its GPUs: the user's limit or a prediction. Orders by duration
  // and backfill believe it; a job may run longer or end sooner.
  Duration estimate{0};

  friend bool operator==(const Job&, const Job&) = default;
};

// The gang of a job that asks for a count of GPUs and nothing else, as the public traces do: whole
// nodes of `gpus_per_node`, the remainder as tail. REQUIRES: gpus > 0 and gpus_per_node > 0.
Gang gang_of_gpus(std::uint64_t gpus, std::uint32_t gpus_per_node);

// What every job must obey, whatever the pool; the error names the field.
Status check(const Job& job);

}  // namespace weir
