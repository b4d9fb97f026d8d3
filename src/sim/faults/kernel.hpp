// Kernel: the simulated world's time, chance and notes. Equal seeds give equal runs.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <string>
#include <string_view>
#include <vector>

#include "base/rng.hpp"
#include "base/time.hpp"

namespace weir::sim::faults {

constexpr Duration ms(std::int64_t count) { return Duration(count * 1000); }

class Kernel {
 public:
  Kernel(std::uint64_t seed, bool keep_notes) : rng_(seed), keep_notes_(keep_notes) {}

  [[nodiscard]] Instant now() const { return now_; }
  // What is due at one instant happens in the order in which it was asked for.
  void at(Instant instant, std::function<void()> what);
  void after(Duration delay, std::function<void()> what) { at(now_ + delay, std::move(what)); }
  // False when nothing is left to do.
  bool run_next();

  std::uint64_t below(std::uint64_t bound) { return rng_.below(bound); }
  bool chance(std::uint32_t per_mille) { return rng_.below(1000) < per_mille; }
  Duration between(Duration least, Duration most) {
    return least + Duration(static_cast<std::int64_t>(
                       rng_.below(static_cast<std::uint64_t>((most - least).count()) + 1)));
  }
  // Whether a fault of this likelihood strikes now; none does once faults are over.
  bool strikes(std::uint32_t in_100000) { return faulty_ && rng_.below(100'000) < in_100000; }
  void faults_are_over() { faulty_ = false; }
  [[nodiscard]] bool faulty() const { return faulty_; }

  // Goes into the hash of the run, and into its trace.
  void note(std::string_view who, std::string_view what);
  // Something happened that never may.
  void violated(std::string what);

  [[nodiscard]] std::uint64_t hash() const { return hash_; }
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
  [[nodiscard]] const std::vector<std::string>& violations() const { return violations_; }

 private:
  struct Due {
    Instant at;
    std::uint64_t order = 0;
    std::function<void()> what;
  };
  struct Later {
    bool operator()(const Due& a, const Due& b) const {
      return a.at != b.at ? a.at > b.at : a.order > b.order;
    }
  };

  Instant now_{0};
  std::uint64_t order_ = 0;
  std::priority_queue<Due, std::vector<Due>, Later> due_;
  Rng rng_;
  bool keep_notes_ = false;
  bool faulty_ = true;
  std::uint64_t hash_ = 14695981039346656037ULL;  // FNV-1a over all notes
  std::vector<std::string> notes_;
  std::vector<std::string> violations_;
};

}  // namespace weir::sim::faults
