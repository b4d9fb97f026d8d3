// What an agent and the stepd of a step say to each other, and what they leave on the disk for each
// other: bytes and values, no files.
//
// All of it is frames: length u32 LE, CRC-32 of the payload u32 LE, payload. The socket carries
// frames of requests (agent to stepd) and answers (back). The file `spec` is one frame, the file
// `record` frames of records, each synced before anybody is told. A reader takes the whole frames
// in front and no more: behind them a crash may have left anything.
//
// An agent and a stepd of different releases meet after an upgrade: both begin with Hello and their
// version; kOldestStepProtocol is the oldest that this program still speaks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/bytes.hpp"
#include "base/limits.hpp"
#include "base/result.hpp"
#include "model/step.hpp"

namespace weir::stepd {

inline constexpr std::uint32_t kStepProtocol = 1;
inline constexpr std::uint32_t kOldestStepProtocol = 1;

// The files in a step's folder.
inline constexpr const char* kSpecFile = "spec";
inline constexpr const char* kRecordFile = "record";
inline constexpr const char* kSocketFile = "socket";
inline constexpr const char* kLockFile = "lock";  // held by its stepd
// Says why the step must never start; whoever writes it holds the lock.
inline constexpr const char* kVoidFile = "void";
// Piece `piece` of what the task of a rank has written: its bytes from piece x kOutputPieceBytes.
std::string output_file(std::uint32_t rank, std::uint64_t piece);

// ---- from the agent

struct Hello {
  std::uint32_t version = kStepProtocol;
  friend bool operator==(const Hello&, const Hello&) = default;
};

// Asks for a Report now, and whenever it changes.
struct Watch {
  friend bool operator==(const Watch&, const Watch&) = default;
};

// Ends the step: by its end signal and grace, or at once.
struct End {
  EndCause cause = EndCause::kCancelled;
  bool at_once = false;
  friend bool operator==(const End&, const End&) = default;
};

// A step of OnPartition::kEnd is to end itself so long from now; nothing: not until told again.
struct PartitionDeadline {
  std::optional<Duration> from_now;
  friend bool operator==(const PartitionDeadline&, const PartitionDeadline&) = default;
};

using Request = std::variant<Hello, Watch, End, PartitionDeadline>;

// ---- from the stepd

// A process, also after its pid is used again.
struct ProcessName {
  std::string boot;       // boot id of the kernel it runs under
  std::uint32_t pid = 0;  // as the agent sees it
  std::uint64_t start_ticks = 0;
  friend bool operator==(const ProcessName&, const ProcessName&) = default;
};

struct Welcome {
  std::uint32_t version = kStepProtocol;
  ProcessName stepd;
  friend bool operator==(const Welcome&, const Welcome&) = default;
};

struct Report {
  StepReport report;
  friend bool operator==(const Report&, const Report&) = default;
};

// Why the stepd gives up before it has a step, for people.
struct Failure {
  std::string text;
  friend bool operator==(const Failure&, const Failure&) = default;
};

using Answer = std::variant<Welcome, Report, Failure>;

// ---- on the disk

// What holds the tasks together, so that none outlives its stepd.
enum class Isolation : std::uint8_t {
  kNamespace,  // the stepd is pid 1 of a PID namespace: the kernel ends them with it
  kSession,    // they are in its session; the agent ends what it leaves behind
};
inline constexpr std::uint32_t kIsolations = 2;

// Written before the first task executes its program: without it no task ever ran.
struct Started {
  StepId step;
  std::uint64_t token = 0;
  std::vector<std::uint32_t> ranks;
  ProcessName stepd;
  Isolation isolation = Isolation::kNamespace;
  std::string limits;  // what could not be enforced on this node, for people; empty: nothing
  friend bool operator==(const Started&, const Started&) = default;
};

struct TasksEnded {
  std::vector<TaskEnd> ends;  // by rank
  friend bool operator==(const TasksEnded&, const TasksEnded&) = default;
};

// No process of the step is left.
struct Ended {
  friend bool operator==(const Ended&, const Ended&) = default;
};

using Record = std::variant<Started, TasksEnded, Ended>;

// ---- bytes

std::vector<std::uint8_t> frame(ByteSpan payload);
std::vector<std::uint8_t> to_frame(const Request& request);
std::vector<std::uint8_t> to_frame(const Answer& answer);
std::vector<std::uint8_t> to_frame(const Record& record);
std::vector<std::uint8_t> to_frame(const StepSpec& spec);

// From the payload of a frame. Errors: kCorrupt.
Result<Request> parse_request(ByteSpan payload);
Result<Answer> parse_answer(ByteSpan payload);

// The file `spec`. Errors: kCorrupt; another version's (kBadInput).
Result<StepSpec> parse_spec(ByteSpan file);

// The file `record`, as far as it is whole.
struct Records {
  std::vector<Record> records;
  std::size_t good_bytes = 0;  // of the file; a crash has torn what stands behind
};
Records parse_records(ByteSpan file);

// Takes bytes as they come and gives the payloads of their frames. A frame that is longer than
// kStepFrameBytes or whose check is wrong is an error (kCorrupt), and ends the conversation.
class FrameReader {
 public:
  // Where the next bytes are to be appended.
  [[nodiscard]] std::vector<std::uint8_t>& room() { return bytes_; }
  // Nothing: no whole frame is there yet. The payload is valid until the next call of anything.
  Result<std::optional<ByteSpan>> next();

 private:
  std::vector<std::uint8_t> bytes_;
  std::size_t taken_ = 0;  // bytes in front that were given away
};

}  // namespace weir::stepd
