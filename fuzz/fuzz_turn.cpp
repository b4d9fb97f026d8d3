// Any bytes as the payloads of turns, framed with checks that are right, so that they reach what
// stands behind the frames: the decoder, State::apply, State::check, the planner.
//
// First as they are, decisions included: an error or a sound state. Then such events of theirs as
// can be read through an engine: what it writes replays to its state, byte for byte, and plans
// again without a difference.
//
// Input: two bytes of settings, then per turn a length and so many bytes of payload; the number of
// the turn is put before them.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/assert.hpp"
#include "core/engine.hpp"
#include "core/replay.hpp"
#include "model/codec.hpp"
#include "sched/placement/placer.hpp"
#include "sched/queue/order.hpp"

namespace weir {
namespace {

using Bytes = std::vector<std::uint8_t>;

void append(Bytes& to, ByteSpan bytes) { to.insert(to.end(), bytes.begin(), bytes.end()); }

sched::Settings settings_of(std::uint8_t policies, std::uint8_t switches) {
  sched::Settings settings;
  settings.order = sched::orders()[policies % sched::orders().size()].name;
  settings.placement = sched::placers()[policies / 16U % sched::placers().size()].name;
  settings.backfill = (switches & 1) != 0 ? sched::Backfill::kEasy : sched::Backfill::kNone;
  settings.refuse_impossible = (switches & 2) != 0;
  settings.seed = switches >> 2;
  return settings;
}

std::vector<Bytes> payloads_of(ByteReader& in, ByteSpan data) {
  std::vector<Bytes> payloads;
  while (in.ok() && !in.at_end()) {
    const std::size_t size = std::min<std::size_t>(in.unsigned_number(), data.size());
    Bytes& payload = payloads.emplace_back();
    for (std::size_t i = 0; i < size && !in.at_end(); ++i) payload.push_back(in.u8());
  }
  return payloads;
}

Bytes journal_of(const sched::Settings& settings, const std::vector<Bytes>& payloads) {
  Bytes journal;
  core::JournalWriter writer([&](ByteSpan frame) -> Status {
    append(journal, frame);
    return {};
  });
  WEIR_ASSERT(writer.header(settings));
  std::uint64_t turn = 0;
  for (const Bytes& payload : payloads) {
    ByteWriter number;
    number.unsigned_number(++turn);
    Bytes whole(number.bytes().begin(), number.bytes().end());
    append(whole, payload);
    append(journal, core::frame_payload(turn, whole));
  }
  return journal;
}

Bytes state_bytes(const state::State& state) {
  ByteWriter out;
  state.encode(out);
  return {out.bytes().begin(), out.bytes().end()};
}

void read_as_written(ByteSpan journal) {
  const auto state = core::replay(journal);
  const auto verification = core::verify(journal);
  if (state) {
    WEIR_ASSERT(state->pool().audit());
  } else {
    WEIR_ASSERT(!verification || verification->difference);
  }
}

// The events of a payload up to the first that cannot be read.
std::vector<Event> readable_events(ByteReader& in) {
  std::vector<Event> events;
  for (std::size_t left = in.count(); left > 0; --left) {
    Event event = decode_event(in);
    if (!in.ok()) break;
    events.push_back(std::move(event));
  }
  return events;
}

void explain_all(const core::Engine& engine) {
  for (const JobId job : engine.state().jobs())
    if (engine.state().find(job)->phase == state::JobPhase::kPending)
      WEIR_ASSERT(!sentence(engine.planner().explain(engine.state(), job)).empty());
}

void plan_anew(const sched::Settings& settings, const std::vector<Bytes>& payloads) {
  Bytes written;
  auto engine = core::Engine::make(settings, [&](ByteSpan frame) -> Status {
    append(written, frame);
    return {};
  });
  WEIR_ASSERT(engine);
  Instant now(INT64_MIN);
  for (const Bytes& payload : payloads) {
    ByteReader in(payload);
    now = std::max(now, Instant(in.signed_number()));
    WEIR_ASSERT(engine->turn(now, readable_events(in)));
    WEIR_ASSERT(engine->state().pool().audit());
    explain_all(*engine);
  }
  const auto again = core::replay(written);
  WEIR_ASSERT(again && state_bytes(*again) == state_bytes(engine->state()));
  const auto verification = core::verify(written);
  WEIR_ASSERT(verification && !verification->difference);
  WEIR_ASSERT(verification->hash == engine->journal_hash());
}

}  // namespace
}  // namespace weir

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weir;
  const ByteSpan bytes(data, size);
  ByteReader in(bytes);
  const std::uint8_t policies = in.u8();
  const sched::Settings settings = settings_of(policies, in.u8());
  if (!in.ok()) return 0;
  const auto payloads = payloads_of(in, bytes);
  read_as_written(journal_of(settings, payloads));
  plan_anew(settings, payloads);
  return 0;
}
