#include "property/random_events.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace weir::property {
namespace {

// The id of any entry of a map that is not empty.
template <typename Map>
JobId any_key(const Draw& draw, const Map& map) {
  auto at = map.begin();
  std::advance(at, draw.between(0, static_cast<std::uint32_t>(map.size()) - 1));
  return at->first;
}

}  // namespace

RandomEvents::RandomEvents(const Draw& draw) : draw_(draw), site_(random_site(draw)) {
  exact_ = draw_.chance(50);
  crowded_ = draw_.chance(3);
  steps_ = crowded_ ? draw_.between(8, 14) : draw_.between(6, 22);
  for (std::uint32_t i = crowded_ ? 2 : draw_.between(3, 10); i > 0; --i)
    asks_.push_back(new_ask());
  squeezed_ = !crowded_ && !site_.nodes.empty() && draw_.chance(12);
  if (squeezed_) asks_ = squeezed_asks();
  next_node_ = static_cast<std::uint32_t>(site_.nodes.size());
}

std::vector<Event> RandomEvents::opening() const {
  std::vector<Event> events;
  events.emplace_back(LocalityLearned{site_.locality});
  for (const Node& node : site_.nodes) events.emplace_back(NodeJoined{node});
  return events;
}

Duration RandomEvents::gap() const {
  if (draw_.chance(20)) return Duration(0);
  // On the grid of the estimates, so that ends and arrivals meet.
  if (draw_.chance(50)) return Duration(std::int64_t{10'000'000} * draw_.between(1, 12));
  return Duration(std::int64_t{1'000'000} * draw_.between(1, 120));
}

slow::Ask RandomEvents::ask() const { return draw_.chance(50) ? draw_.pick(asks_) : new_ask(); }

std::vector<slow::Ask> RandomEvents::squeezed_asks() const {
  const auto nodes = static_cast<std::uint32_t>(site_.nodes.size());
  const std::uint32_t gpus = std::max(2U, draw_.pick(site_.nodes).kind.total.gpus);
  slow::Ask gang;
  gang.gang.nodes = draw_.between(std::max(1U, nodes / 2), nodes);
  gang.gang.per_node.gpus = draw_.between(1, gpus - 1);
  slow::Ask one;
  one.gang.per_node.gpus = 1;
  slow::Ask some = one;
  some.gang.per_node.gpus = draw_.between(1, gpus);
  if (draw_.chance(50)) return {gang, one, one, some, new_ask()};
  // The same with shares of GPUs beside the gang, or a share that must wait for its room.
  slow::Ask half;
  half.gang.per_node = {0, 0, 0, draw_.pick<std::uint32_t>({500, 300, 600})};
  slow::Ask most;
  most.gang.per_node = {0, 0, 0, draw_.pick<std::uint32_t>({700, 900, 999})};
  if (draw_.chance(50)) return {gang, half, half, most, some};
  gang.gang.per_node.gpus = gpus;
  return {gang, half, most, most, half};
}

slow::Ask RandomEvents::new_ask() const {
  const slow::Cluster cluster{site_.locality, site_.nodes, {}, {}};
  slow::Ask ask = random_ask(draw_, site_);
  for (int left = 5; left > 0 && draw_.chance(85) && !slow::possible(cluster, ask); --left)
    ask = random_ask(draw_, site_);
  return ask;
}

std::vector<Event> RandomEvents::batch(const slow::Site& site) {
  std::vector<Event> events;
  if (crowded_ && site.waiting().size() < 250) {
    for (int i = 0; i < 150; ++i)
      events.emplace_back(JobSubmitted{random_job(draw_, draw_.pick(asks_))});
    return events;
  }
  const bool burst = squeezed_ && draw_.chance(40);
  for (std::uint32_t left = burst ? draw_.between(5, 9) : 0; left > 0; --left)
    events.emplace_back(JobSubmitted{random_job(draw_, draw_.pick(asks_))});
  for (std::uint32_t left = draw_.between(1, 4); left > 0; --left)
    events.push_back(one_event(site));
  return events;
}

Event RandomEvents::one_event(const slow::Site& site) {
  if (draw_.chance(3)) return bad_event(site);
  if (draw_.chance(12)) return about_a_node(site);
  if (draw_.chance(35) && !(site.waiting().empty() && site.cluster().leases.empty()))
    return about_a_job(site);
  return JobSubmitted{random_job(draw_, draw_.pick(asks_))};
}

// Under exact estimates nodes only get better: promises must hold.
Event RandomEvents::about_a_node(const slow::Site& site) {
  if (site.cluster().nodes.empty() || draw_.chance(20))
    return NodeJoined{random_node(draw_, site_, next_node_++)};
  const auto count = static_cast<std::uint32_t>(site.cluster().nodes.size());
  const NodeId node(draw_.between(0, count - 1));
  if (draw_.chance(50)) return NodeGraded{node, exact_ ? Grade::kGood : random_grade(draw_)};
  const auto any = static_cast<Availability>(draw_.between(0, kAvailabilities - 1));
  return NodeAvailabilityChanged{node, exact_ ? Availability::kUp : any};
}

Event RandomEvents::about_a_job(const slow::Site& site) {
  const auto& running = site.cluster().leases;
  const bool one_runs = !running.empty();
  if (one_runs && draw_.chance(85)) {
    const JobId job = any_key(draw_, running);
    // Early ends keep promises, too.
    return draw_.chance(80) ? Event(JobEnded{job}) : Event(JobCancelled{job});
  }
  if (!site.waiting().empty()) return JobCancelled{any_key(draw_, site.waiting())};
  return JobSubmitted{random_job(draw_, draw_.pick(asks_))};
}

Event RandomEvents::bad_event(const slow::Site& site) {
  switch (draw_.between(0, 6)) {
    case 0: return JobEnded{JobId(900'000)};
    case 1: return JobCancelled{JobId(900'000)};
    case 2: return NodeGraded{NodeId(900'000), Grade::kBad};
    case 3: return NodeAvailabilityChanged{NodeId(900'000), Availability::kDown};
    case 4: return LocalityLearned{flat_locality()};
    case 5: {
      Job job = random_job(draw_, draw_.pick(asks_));
      job.gang.nodes = 0;
      return JobSubmitted{job};
    }
    default: {
      Node node = random_node(draw_, site_, 0);
      if (site.cluster().nodes.empty()) node.cell = DomainId(900'000);
      return NodeJoined{node};
    }
  }
}

bool RandomEvents::is_bad(const Event& event, const slow::Site& site) const {
  if (const auto* ended = std::get_if<JobEnded>(&event))
    return !site.cluster().leases.contains(ended->job);
  if (const auto* cancelled = std::get_if<JobCancelled>(&event))
    return !site.cluster().leases.contains(cancelled->job) &&
           !site.waiting().contains(cancelled->job);
  const std::size_t nodes = site.cluster().nodes.size();
  if (const auto* graded = std::get_if<NodeGraded>(&event)) return graded->node.index() >= nodes;
  if (const auto* changed = std::get_if<NodeAvailabilityChanged>(&event))
    return changed->node.index() >= nodes;
  if (std::holds_alternative<LocalityLearned>(event)) return nodes > 0;
  if (const auto* submitted = std::get_if<JobSubmitted>(&event)) return !check(submitted->job);
  const auto& joined = std::get<NodeJoined>(event);
  return joined.node.cell.index() >= site.cluster().locality.levels.front().domains.size() ||
         std::ranges::any_of(site.cluster().nodes,
                             [&](const Node& node) { return node.name == joined.node.name; });
}

}  // namespace weir::property
