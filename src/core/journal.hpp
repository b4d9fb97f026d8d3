// The journal: what the core took in and what it decided, turn by turn.
//
// A journal is a sequence of records: a header, then one record a turn, so that a turn is there as
// a whole or not at all. Format 3:
//   frame   := length u32 LE, check u64 LE (record_check of position and payload), payload
//   header  := text "weir journal", version, settings
//   turn    := number, instant, count, events, count, decisions    (model/codec.hpp)
// The journal's hash is BLAKE2b-256 over the payloads in order, each after its length (digest.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "core/digest.hpp"
#include "model/decision.hpp"
#include "model/event.hpp"
#include "sched/planner.hpp"

namespace weir::core {

// 1 counted CPUs whole and knew no shares of a GPU; it is refused. 2 knew no live events, and is
// read as it is.
inline constexpr std::uint32_t kJournalVersion = 3;
inline constexpr std::uint32_t kOldestJournalVersion = 2;

struct TurnRecord {
  std::uint64_t number = 0;  // from 1, without gaps
  Instant at;                // never earlier than the turn before
  std::vector<Event> events;
  std::vector<Decision> decisions;

  friend bool operator==(const TurnRecord&, const TurnRecord&) = default;
};

// The frame of a payload at a position (the header's is 0): its head and its bytes.
std::vector<std::uint8_t> frame_payload(std::uint64_t position, ByteSpan payload);

// Takes the frames of a journal as they are written. An error stops the engine.
using FrameSink = std::function<Status(ByteSpan frame)>;

class JournalReader;

class JournalWriter {
 public:
  // Without a sink only the hash is kept.
  explicit JournalWriter(FrameSink sink = {}) : sink_(std::move(sink)) {}
  // Goes on behind the last record that was read.
  JournalWriter(const JournalReader& written, FrameSink sink);

  Status header(const sched::Settings& settings);
  Status turn(const TurnRecord& turn);
  [[nodiscard]] std::string hash() const { return digest_.hex(); }

 private:
  Status write();

  FrameSink sink_;
  Digest digest_;
  ByteWriter payload_;
  std::uint64_t position_ = 0;
};

// Reads a journal's bytes. Errors name the byte offset and what was expected there.
class JournalReader {
 public:
  // REQUIRES: the bytes outlive the reader.
  explicit JournalReader(ByteSpan bytes) : bytes_(bytes) {}

  // The header; call it once, first. A version that this program does not know is an error.
  Result<sched::Settings> header();
  [[nodiscard]] bool at_end() const { return at_ == bytes_.size(); }
  Result<TurnRecord> turn();

  // Offset behind the last record that was whole: where a torn journal may be cut.
  [[nodiscard]] std::size_t good_bytes() const { return at_; }
  [[nodiscard]] std::string hash() const { return digest_.hex(); }
  // Of the last turn read; 0 and the earliest instant before the first.
  [[nodiscard]] std::uint64_t turns() const { return turns_; }
  [[nodiscard]] Instant last() const { return last_; }

 private:
  friend class JournalWriter;

  Result<ByteSpan> frame();

  ByteSpan bytes_;
  std::size_t at_ = 0;
  std::uint64_t position_ = 0;
  std::uint64_t turns_ = 0;
  Instant last_{INT64_MIN};
  Digest digest_;
};

}  // namespace weir::core
