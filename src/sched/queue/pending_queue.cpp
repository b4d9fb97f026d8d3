#include "sched/queue/pending_queue.hpp"

#include <algorithm>

#include "base/assert.hpp"

namespace weir::sched {

void PendingQueue::insert(const Item& item, Duration estimate) {
  Lane& lane = lanes_[item.shape];
  const bool leads = lane.empty() || item.key < lane.first().key;
  if (leads && !lane.empty()) heads_.erase(Item{lane.first().key, item.shape});
  if (leads) heads_.insert(item);
  lane.insert({item.key, estimate});
  ++size_;
}

void PendingQueue::erase(const Item& item) {
  const auto found = lanes_.find(item.shape);
  WEIR_ASSERT(found != lanes_.end());
  Lane& lane = found->second;
  const bool led = lane.first().key == item.key;
  lane.erase(item.key);
  --size_;
  if (!led) return;
  heads_.erase(item);
  if (lane.empty()) {
    lanes_.erase(found);
  } else {
    heads_.insert(Item{lane.first().key, item.shape});
  }
}

PendingQueue::Walk::Walk(const PendingQueue& queue) {
  heap_.reserve(queue.lanes_.size());
  for (const auto& [shape, lane] : queue.lanes_)
    heap_.push_back({&lane, {}, Duration::max(), shape});
  std::ranges::make_heap(heap_, later);
}

PendingQueue::Item PendingQueue::Walk::item() const {
  const Head& head = heap_.front();
  return {head.lane->at(head.at).key, head.shape};
}

void PendingQueue::Walk::next() {
  std::ranges::pop_heap(heap_, later);
  Head& head = heap_.back();
  head.at = head.lane->after(head.at, head.longest);
  if (head.lane->at_end(head.at)) {
    heap_.pop_back();
  } else {
    std::ranges::push_heap(heap_, later);
  }
}

void PendingQueue::Walk::drop_shape() {
  std::ranges::pop_heap(heap_, later);
  heap_.pop_back();
}

}  // namespace weir::sched
