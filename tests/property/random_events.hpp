// The events of one random case, drawn from what the slow model says is there.
#pragma once

#include <cstdint>
#include <vector>

#include "model/event.hpp"
#include "property/random_site.hpp"
#include "property/slow_site.hpp"

namespace weir::property {

class RandomEvents {
 public:
  explicit RandomEvents(const Draw& draw);

  // Jobs run exactly as long as estimated and no node gets worse, so that promises must hold.
  [[nodiscard]] bool exact() const { return exact_; }
  [[nodiscard]] std::uint32_t steps() const { return steps_; }
  [[nodiscard]] const std::vector<slow::Ask>& asks() const { return asks_; }

  // The locality tree and the nodes.
  [[nodiscard]] std::vector<Event> opening() const;
  [[nodiscard]] Duration gap() const;
  [[nodiscard]] std::vector<Event> batch(const slow::Site& site);
  // Whether the core must reject it. REQUIRES: called for each event of a batch in order, the site
  // having taken those before it.
  [[nodiscard]] bool is_bad(const Event& event, const slow::Site& site) const;
  // One that the jobs of the case ask, or a new one.
  [[nodiscard]] slow::Ask ask() const;

 private:
  // One gang over parts of most nodes, and small jobs that want to run beside it.
  [[nodiscard]] std::vector<slow::Ask> squeezed_asks() const;
  // Mostly one that the site can hold some day.
  [[nodiscard]] slow::Ask new_ask() const;
  [[nodiscard]] Event one_event(const slow::Site& site);
  [[nodiscard]] Event about_a_node(const slow::Site& site);
  [[nodiscard]] Event about_a_job(const slow::Site& site);
  [[nodiscard]] Event bad_event(const slow::Site& site);

  Draw draw_;
  RandomSite site_;
  std::vector<slow::Ask> asks_;
  bool exact_ = false;
  bool crowded_ = false;   // hundreds of jobs wait
  bool squeezed_ = false;  // small jobs come in bursts beside a large gang
  std::uint32_t steps_ = 0;
  std::uint32_t next_node_ = 0;
};

}  // namespace weir::property
