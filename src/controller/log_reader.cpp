#include "controller/log_reader.hpp"

#include <utility>

#include "base/limits.hpp"

namespace weir::controller {
namespace {

constexpr std::uint64_t kPart = std::uint64_t{64} << 10;
// How soon a task that has written nothing new is asked again.
constexpr Duration kAgain{200'000};

}  // namespace

bool LogReader::ask(std::uint64_t number, const Reading& reading) {
  channel::OutputWanted wanted;
  wanted.request = number;
  wanted.step = reading.place.step;
  wanted.rank = reading.place.rank;
  wanted.offset = reading.offset;
  wanted.most = kPart;
  return ask_(reading.place.node, wanted);
}

void LogReader::start(net::Responder::Stream stream, StepPlace place, bool follow) {
  const std::uint64_t number = next_++;
  const auto [reading, added] =
      readings_.emplace(number, Reading{std::move(stream), std::move(place), follow});
  if (ask(number, reading->second)) return;
  reading->second.stream.write("weir: node " + reading->second.place.node +
                               ", where this was written, is not connected\n");
  reading->second.stream.end();
  readings_.erase(reading);
}

void LogReader::part(Instant now, const channel::OutputPart& part) {
  const auto found = readings_.find(part.request);
  if (found == readings_.end()) return;
  Reading& reading = found->second;
  bool over = part.end || !part.error.empty();
  if (!part.error.empty()) reading.stream.write("weir: " + part.error + "\n");
  if (!part.data.empty() && !reading.stream.write(part.data)) over = true;
  reading.offset = part.offset + part.data.size();
  const bool more = part.data.size() == kPart;
  if (!more && !reading.follow) over = true;
  if (!over && more) {
    over = !ask(found->first, reading);
  } else if (!over) {
    reading.ask_at = now + kAgain;
  }
  if (!over) return;
  reading.stream.end();
  readings_.erase(found);
}

void LogReader::node_gone(const std::string& node) {
  for (auto at = readings_.begin(); at != readings_.end();) {
    if (at->second.place.node != node) {
      ++at;
      continue;
    }
    at->second.stream.write("weir: the connection to node " + node + " is lost\n");
    at->second.stream.end();
    at = readings_.erase(at);
  }
}

void LogReader::tick(Instant now) {
  for (auto at = readings_.begin(); at != readings_.end();) {
    Reading& reading = at->second;
    if (reading.ask_at > now) {
      ++at;
      continue;
    }
    reading.ask_at = Instant::far_future();
    if (reading.stream.is_open() && ask(at->first, reading)) {
      ++at;
      continue;
    }
    reading.stream.end();
    at = readings_.erase(at);
  }
}

Instant LogReader::next_wake() const {
  Instant next = Instant::far_future();
  for (const auto& [number, reading] : readings_) next = std::min(next, reading.ask_at);
  return next;
}

}  // namespace weir::controller
