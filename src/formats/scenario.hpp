// Scenario files: small clusters, jobs, steps, and what must be true after each. One line is one
// statement; docs/user/scenarios.md describes all of them.
//
//   case S39 a gang never spans two fabrics
//   from sop#2585
//   node a[1-4] gpus = 8, fabric = "left"
//   node b[1-4] gpus = 8, fabric = "right"
//   submit six nodes = 6, gpus = 8
//   expect six pending, reason = "the largest fabric has 4"
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "model/grade.hpp"
#include "model/job.hpp"
#include "model/locality.hpp"
#include "model/node.hpp"

namespace weir {

struct ScenarioNodes {
  std::size_t line = 0;
  std::vector<std::string> names;
  NodeKind kind;
  Grade grade = Grade::kGood;
  // The names of its domains by Level, empty where nothing is said; kSite stays empty.
  std::array<std::string, kLevels> place;
};

// A switch of a fabric from which places are derived, as from a dump.
struct ScenarioSwitch {
  std::size_t line = 0;
  std::string name;
  std::vector<std::string> hosts;     // one cable to adapter `hca` of each
  std::vector<std::string> switches;  // one cable to each; they stand above in the file
  std::uint8_t hca = 0;
};

// What must be true of a job, a node or the fabric; what is not set is not asked.
struct Expectation {
  std::string subject;                            // a job, a node, or "fabric"
  std::optional<std::string> phase;               // pending, running, ended, cancelled, refused
  std::optional<std::vector<std::string>> on;     // exactly these nodes in order of rank
  std::optional<std::vector<std::string>> among;  // nodes of these, in any order
  std::optional<std::string> inside;              // all nodes in the domain of this name
  std::optional<Level> spans;
  // Nodes in each domain touched, in order of rank, by Level.
  std::array<std::optional<std::vector<std::uint32_t>>, kLevels> per;
  std::optional<std::uint32_t> crossings;  // steps of the ring of ranks that leave a unit
  std::optional<std::string> reason;       // stands in the reason's sentence
  std::optional<Duration> promised;        // start promised so long after the case's beginning
  std::optional<std::uint32_t> free_gpus;  // of a node
  // Of the fabric: how many there are.
  std::optional<std::uint32_t> planes;
  std::optional<std::uint32_t> units;
  std::optional<std::uint32_t> pods;
  std::optional<std::uint32_t> fabrics;
};

enum class ScenarioVerb : std::uint8_t {
  kSubmit,
  kUse,  // takes part of each node until it is finished, for jobs that nobody asks about
  kFinish,
  kCancel,
  kDrain,
  kResume,
  kDown,
  kGrade,
  kTick,
  kRestart,
  kExpect,
};

struct ScenarioStep {
  std::size_t line = 0;
  ScenarioVerb verb = ScenarioVerb::kTick;
  bool with_last = false;          // in the same turn as the step before
  std::vector<std::string> names;  // jobs or nodes
  Job job;                         // kSubmit, kUse
  std::uint64_t total_gpus = 0;    // kSubmit: a count without a shape
  Grade grade = Grade::kGood;
  Duration time{0};
  Expectation expectation;
};

// By the names that `weir sim` knows; checked by whoever runs the case.
struct ScenarioSettings {
  std::string order = "fifo";
  std::string placement = "weir";
  std::string backfill = "none";
  std::uint64_t seed = 0;
  bool refuse_impossible = false;
};

struct ScenarioCase {
  std::size_t line = 0;
  std::string name;
  std::string source;
  ScenarioSettings settings;
  std::vector<ScenarioNodes> nodes;
  std::vector<ScenarioSwitch> switches;
  std::vector<ScenarioStep> steps;
};

// `file` stands in messages only; each error begins with "file:line: ". Errors: no statement, an
// unknown one (with the nearest known), a field it does not have, a value that cannot be, a
// statement that stands in the wrong place, no case at all.
Result<std::vector<ScenarioCase>> parse_scenarios(std::string_view text, std::string_view file);

}  // namespace weir
