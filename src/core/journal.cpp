#include "core/journal.hpp"

#include <fmt/format.h>

#include "base/limits.hpp"
#include "model/codec.hpp"

namespace weir::core {
namespace {

constexpr std::string_view kMagic = "weir journal";
constexpr std::size_t kFrameHead = 4 + 8;

void put_little_endian(std::vector<std::uint8_t>& out, std::uint64_t number, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i)
    out.push_back(static_cast<std::uint8_t>(number >> (8 * i)));
}

std::uint64_t little_endian(ByteSpan bytes) {
  std::uint64_t number = 0;
  for (std::size_t i = bytes.size(); i > 0; --i) number = (number << 8) | bytes[i - 1];
  return number;
}

void encode_typical(ByteWriter& out, const sched::TypicalDemand& typical) {
  out.unsigned_number(typical.shapes.size());
  for (const sched::TypicalShape& shape : typical.shapes) {
    out.unsigned_number(shape.demand.gpus);
    out.unsigned_number(shape.demand.cpu_milli);
    out.unsigned_number(shape.demand.gpu_milli);
    out.unsigned_number(shape.gpu_models.size());
    for (const std::string& model : shape.gpu_models) out.text(model);
    out.unsigned_number(shape.count);
  }
}

std::uint32_t small_number(ByteReader& in) {
  const std::uint64_t number = in.unsigned_number();
  if (number > UINT32_MAX) in.fail();
  return static_cast<std::uint32_t>(number);
}

// The counts are weights: their sum must not overflow.
sched::TypicalDemand decode_typical(ByteReader& in) {
  sched::TypicalDemand typical;
  const std::size_t shapes = in.count();
  if (shapes > limits::kTypicalShapes) in.fail();
  for (std::size_t i = 0; i < shapes && in.ok(); ++i) {
    sched::TypicalShape& shape = typical.shapes.emplace_back();
    shape.demand.gpus = small_number(in);
    shape.demand.cpu_milli = small_number(in);
    shape.demand.gpu_milli = small_number(in);
    const std::size_t models = in.count();
    if (models > limits::kNamesPerField) in.fail();
    for (std::size_t m = 0; m < models && in.ok(); ++m)
      shape.gpu_models.push_back(in.text(limits::kNameBytes));
    shape.count = in.unsigned_number();
    if (shape.count > limits::kTraceJobs * limits::kNodes) in.fail();
  }
  return typical;
}

void encode_settings(ByteWriter& out, const sched::Settings& settings) {
  out.text(settings.order);
  out.text(settings.placement);
  out.u8(static_cast<std::uint8_t>(settings.backfill));
  out.signed_number(settings.order_settings.age_per_point.count());
  out.unsigned_number(settings.seed);
  out.u8(settings.refuse_impossible ? 1 : 0);
  encode_typical(out, settings.typical);
}

sched::Settings decode_settings(ByteReader& in) {
  sched::Settings settings;
  settings.order = in.text(limits::kNameBytes);
  settings.placement = in.text(limits::kNameBytes);
  settings.backfill = static_cast<sched::Backfill>(in.below(2));
  settings.order_settings.age_per_point = Duration(in.signed_number());
  settings.seed = in.unsigned_number();
  settings.refuse_impossible = in.below(2) == 1;
  settings.typical = decode_typical(in);
  return settings;
}

}  // namespace

std::vector<std::uint8_t> frame_payload(std::uint64_t position, ByteSpan payload) {
  std::vector<std::uint8_t> frame;
  frame.reserve(kFrameHead + payload.size());
  put_little_endian(frame, payload.size(), 4);
  put_little_endian(frame, record_check(position, payload), 8);
  frame.insert(frame.end(), payload.begin(), payload.end());
  return frame;
}

JournalWriter::JournalWriter(const JournalReader& written, FrameSink sink)
    : sink_(std::move(sink)), digest_(written.digest_), position_(written.position_) {}

Status JournalWriter::header(const sched::Settings& settings) {
  payload_.clear();
  payload_.text(kMagic);
  payload_.unsigned_number(kJournalVersion);
  encode_settings(payload_, settings);
  return write();
}

Status JournalWriter::turn(const TurnRecord& turn) {
  payload_.clear();
  payload_.unsigned_number(turn.number);
  payload_.signed_number(turn.at.microseconds());
  payload_.unsigned_number(turn.events.size());
  for (const Event& event : turn.events) encode(payload_, event);
  payload_.unsigned_number(turn.decisions.size());
  for (const Decision& decision : turn.decisions) encode(payload_, decision);
  return write();
}

Status JournalWriter::write() {
  const ByteSpan payload = payload_.bytes();
  if (payload.size() > limits::kJournalRecordBytes)
    return over_limit(fmt::format("a turn takes {} bytes, the journal's limit is {}",
                                  payload.size(), limits::kJournalRecordBytes));
  digest_.record(payload);
  const std::uint64_t position = position_++;
  if (!sink_) return {};
  return sink_(frame_payload(position, payload));
}

Result<ByteSpan> JournalReader::frame() {
  const ByteSpan rest = bytes_.subspan(at_);
  if (rest.size() < kFrameHead)
    return corrupt(fmt::format("byte {}: the journal ends inside the head of a record", at_));
  const std::uint64_t length = little_endian(rest.first(4));
  if (length > limits::kJournalRecordBytes || length > rest.size() - kFrameHead)
    return corrupt(fmt::format("byte {}: a record of {} bytes is announced, {} are there", at_,
                               length, rest.size() - kFrameHead));
  const ByteSpan payload = rest.subspan(kFrameHead, static_cast<std::size_t>(length));
  if (record_check(position_, payload) != little_endian(rest.subspan(4, 8)))
    return corrupt(fmt::format("byte {}: the check of record {} is wrong", at_, position_));
  return payload;
}

Result<sched::Settings> JournalReader::header() {
  const ByteSpan payload = WEIR_TRY(frame());
  ByteReader in(payload);
  if (in.text(kMagic.size()) != kMagic) return corrupt("byte 0: this is no journal of Weir");
  const std::uint64_t version = in.unsigned_number();
  if (in.ok() && (version < kOldestJournalVersion || version > kJournalVersion))
    return corrupt(fmt::format(
        "byte 0: journal format {}, this program reads format {}{}", version, kJournalVersion,
        version < kJournalVersion ? ": run the simulation again, or read it with the release that "
                                    "wrote it"
                                  : ""));
  sched::Settings settings = decode_settings(in);
  if (!in.ok() || !in.at_end()) return corrupt("byte 0: the journal's header cannot be read");
  digest_.record(payload);
  ++position_;
  at_ += kFrameHead + payload.size();
  return settings;
}

Result<TurnRecord> JournalReader::turn() {
  const ByteSpan payload = WEIR_TRY(frame());
  ByteReader in(payload);
  TurnRecord turn;
  turn.number = in.unsigned_number();
  turn.at = Instant(in.signed_number());
  const std::size_t events = in.count();
  if (events > limits::kTurnEvents) in.fail();
  for (std::size_t i = 0; i < events && in.ok(); ++i) turn.events.push_back(decode_event(in));
  const std::size_t decisions = in.count();
  for (std::size_t i = 0; i < decisions && in.ok(); ++i)
    turn.decisions.push_back(decode_decision(in));
  if (!in.ok() || !in.at_end())
    return corrupt(fmt::format("byte {}: the record of turn {} cannot be read", at_, turns_ + 1));
  if (turn.number != turns_ + 1 || turn.at < last_)
    return corrupt(fmt::format("byte {}: turn {} follows turn {}, or goes back in time", at_,
                               turn.number, turns_));
  digest_.record(payload);
  ++position_;
  turns_ = turn.number;
  last_ = turn.at;
  at_ += kFrameHead + payload.size();
  return turn;
}

}  // namespace weir::core
