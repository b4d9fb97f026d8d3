#include "formats/step_protocol.hpp"

#include <array>
#include <string_view>

#include "model/codec.hpp"

namespace weir::stepd {
namespace {

constexpr std::string_view kSpecMagic = "weir step";
constexpr std::uint32_t kSpecVersion = 1;
constexpr std::size_t kFrameHead = 8;
constexpr std::size_t kBootBytes = 64;

constexpr std::array<std::uint32_t, 256> crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit)
      value = (value & 1) != 0 ? 0xEDB88320U ^ (value >> 1) : value >> 1;
    table[i] = value;
  }
  return table;
}

// CRC-32 as zlib and Ethernet compute it.
std::uint32_t crc32(ByteSpan bytes) {
  static constexpr std::array<std::uint32_t, 256> kTable = crc_table();
  std::uint32_t value = 0xFFFFFFFFU;
  for (const std::uint8_t byte : bytes) value = kTable[(value ^ byte) & 0xFF] ^ (value >> 8);
  return ~value;
}

void put_u32(std::vector<std::uint8_t>& out, std::uint32_t number) {
  for (int shift = 0; shift < 32; shift += 8)
    out.push_back(static_cast<std::uint8_t>(number >> shift));
}

std::uint32_t u32_at(ByteSpan bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = 4; i > 0; --i) number = (number << 8) | bytes[at + i - 1];
  return number;
}

std::uint32_t small_number(ByteReader& in) {
  return static_cast<std::uint32_t>(in.below(std::uint64_t{UINT32_MAX} + 1));
}

// The payload of the frame at the front; nothing: it is not all there.
Result<std::optional<ByteSpan>> front_frame(ByteSpan bytes, std::size_t limit) {
  if (bytes.size() < kFrameHead) return std::nullopt;
  const std::size_t length = u32_at(bytes, 0);
  if (length > limit)
    return corrupt("a frame of " + std::to_string(length) + " bytes is announced, at most " +
                   std::to_string(limit) + " are allowed");
  if (bytes.size() - kFrameHead < length) return std::nullopt;
  const ByteSpan payload = bytes.subspan(kFrameHead, length);
  if (crc32(payload) != u32_at(bytes, 4)) return corrupt("the check of a frame is wrong");
  return payload;
}

void put(ByteWriter& out, const Hello& hello) { out.unsigned_number(hello.version); }
void put(ByteWriter& /*out*/, const Watch& /*watch*/) {}
void put(ByteWriter& out, const End& end) {
  out.u8(static_cast<std::uint8_t>(end.cause));
  out.u8(end.at_once ? 1 : 0);
}
void put(ByteWriter& out, const PartitionDeadline& deadline) {
  out.u8(deadline.from_now ? 1 : 0);
  if (deadline.from_now) out.signed_number(deadline.from_now->count());
}
void put(ByteWriter& out, const ProcessName& name) {
  out.text(name.boot);
  out.unsigned_number(name.pid);
  out.unsigned_number(name.start_ticks);
}
void put(ByteWriter& out, const Welcome& welcome) {
  out.unsigned_number(welcome.version);
  put(out, welcome.stepd);
}
void put(ByteWriter& out, const Report& report) { encode(out, report.report); }
void put(ByteWriter& out, const Failure& failure) { out.text(failure.text); }
void put(ByteWriter& out, const Started& started) {
  out.unsigned_number(started.step.job.value());
  out.unsigned_number(started.step.attempt);
  out.unsigned_number(started.token);
  out.unsigned_number(started.ranks.size());
  for (const std::uint32_t rank : started.ranks) out.unsigned_number(rank);
  put(out, started.stepd);
  out.u8(static_cast<std::uint8_t>(started.isolation));
  out.text(started.limits);
}
void put(ByteWriter& out, const TasksEnded& ended) {
  encode(out, StepReport{StepId{JobId(0), 0}, 0, StepPhase::kRunning, ended.ends});
}
void put(ByteWriter& /*out*/, const Ended& /*ended*/) {}

void get(ByteReader& in, Hello& hello) { hello.version = small_number(in); }
void get(ByteReader& /*in*/, Watch& /*watch*/) {}
void get(ByteReader& in, End& end) {
  end.cause = static_cast<EndCause>(in.below(kEndCauses));
  end.at_once = in.below(2) == 1;
}
void get(ByteReader& in, PartitionDeadline& deadline) {
  if (in.below(2) == 1) deadline.from_now = Duration(in.signed_number());
}
void get(ByteReader& in, ProcessName& name) {
  name.boot = in.text(kBootBytes);
  name.pid = small_number(in);
  name.start_ticks = in.unsigned_number();
}
void get(ByteReader& in, Welcome& welcome) {
  welcome.version = small_number(in);
  get(in, welcome.stepd);
}
void get(ByteReader& in, Report& report) { report.report = decode_step_report(in); }
void get(ByteReader& in, Failure& failure) { failure.text = in.text(limits::kTextBytes); }
void get(ByteReader& in, Started& started) {
  started.step.job = JobId(in.unsigned_number());
  started.step.attempt = small_number(in);
  started.token = in.unsigned_number();
  const std::size_t ranks = in.count();
  if (ranks > limits::kTasksPerNode) in.fail();
  for (std::size_t i = 0; i < ranks && in.ok(); ++i) started.ranks.push_back(small_number(in));
  get(in, started.stepd);
  started.isolation = static_cast<Isolation>(in.below(kIsolations));
  started.limits = in.text(limits::kTextBytes);
}
void get(ByteReader& in, TasksEnded& ended) { ended.ends = decode_step_report(in).ends; }
void get(ByteReader& /*in*/, Ended& /*ended*/) {}

// A kind as its place in the variant, then its fields.
template <typename... T>
std::vector<std::uint8_t> frame_of(const std::variant<T...>& message) {
  ByteWriter out;
  out.u8(static_cast<std::uint8_t>(message.index()));
  std::visit([&](const auto& content) { put(out, content); }, message);
  return frame(out.bytes());
}

template <typename Variant, std::size_t... Index>
Variant read_variant(ByteReader& in, std::index_sequence<Index...> /*all*/) {
  Variant message;
  const std::uint64_t kind = in.below(sizeof...(Index));
  static_cast<void>(((kind == Index && (get(in, message.template emplace<Index>()), true)) || ...));
  return message;
}

template <typename Variant>
Result<Variant> parse(ByteSpan payload, std::string_view what) {
  ByteReader in(payload);
  auto message =
      read_variant<Variant>(in, std::make_index_sequence<std::variant_size_v<Variant>>());
  if (!in.ok() || !in.at_end()) return corrupt(std::string(what) + " cannot be read");
  return message;
}

}  // namespace

std::string output_file(std::uint32_t rank, std::uint64_t piece) {
  return "out." + std::to_string(rank) + "." + std::to_string(piece);
}

std::vector<std::uint8_t> frame(ByteSpan payload) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(kFrameHead + payload.size());
  put_u32(bytes, static_cast<std::uint32_t>(payload.size()));
  put_u32(bytes, crc32(payload));
  bytes.insert(bytes.end(), payload.begin(), payload.end());
  return bytes;
}

std::vector<std::uint8_t> to_frame(const Request& request) { return frame_of(request); }
std::vector<std::uint8_t> to_frame(const Answer& answer) { return frame_of(answer); }
std::vector<std::uint8_t> to_frame(const Record& record) { return frame_of(record); }

std::vector<std::uint8_t> to_frame(const StepSpec& spec) {
  ByteWriter out;
  out.text(kSpecMagic);
  out.unsigned_number(kSpecVersion);
  encode(out, spec);
  return frame(out.bytes());
}

Result<Request> parse_request(ByteSpan payload) { return parse<Request>(payload, "a request"); }
Result<Answer> parse_answer(ByteSpan payload) { return parse<Answer>(payload, "an answer"); }

Result<StepSpec> parse_spec(ByteSpan file) {
  const std::optional<ByteSpan> payload = WEIR_TRY(front_frame(file, limits::kStepSpecBytes));
  if (!payload || file.size() != kFrameHead + payload->size())
    return corrupt("the specification of the step is not whole");
  ByteReader in(*payload);
  if (in.text(kSpecMagic.size()) != kSpecMagic)
    return corrupt("this is no specification of a step");
  const std::uint64_t version = in.unsigned_number();
  if (in.ok() && version != kSpecVersion)
    return bad_input("the specification of the step has format " + std::to_string(version) +
                     ", this program reads format " + std::to_string(kSpecVersion));
  StepSpec spec = decode_step_spec(in);
  if (!in.ok() || !in.at_end()) return corrupt("the specification of the step cannot be read");
  return spec;
}

Records parse_records(ByteSpan file) {
  Records found;
  for (;;) {
    const auto payload = front_frame(file.subspan(found.good_bytes), limits::kStepFrameBytes);
    if (!payload || !*payload) return found;
    auto record = parse<Record>(**payload, "a record");
    if (!record) return found;
    found.records.push_back(*std::move(record));
    found.good_bytes += kFrameHead + (*payload)->size();
  }
}

Result<std::optional<ByteSpan>> FrameReader::next() {
  bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(taken_));
  taken_ = 0;
  const std::optional<ByteSpan> payload = WEIR_TRY(front_frame(bytes_, limits::kStepFrameBytes));
  if (payload) taken_ = kFrameHead + payload->size();
  return payload;
}

}  // namespace weir::stepd
