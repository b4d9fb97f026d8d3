#include "sched/placement/request.hpp"

#include <algorithm>

namespace weir::sched {

bool NodeQuery::proportional() const {
  return std::ranges::all_of(classes, &pool::EligibleClass::proportional);
}

Request resolve(const Gang& gang, const Requirement& requirement, const TopologyWish& wish,
                const pool::ClassTable& classes, bool any_grade) {
  Request request{gang, wish, {gang.per_node, {}}, {gang.tail, {}}};
  const bool several = gang.node_count() > 1;
  request.whole.classes = classes.eligible(requirement, gang.per_node, several, any_grade);
  if (gang.has_tail())
    request.tail.classes = classes.eligible(requirement, gang.tail, several, any_grade);
  return request;
}

}  // namespace weir::sched
