// Every limit of Weir with its reason. Exceeding one is a typed refusal (Errc::kLimit), never a
// crash and never silent.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/time.hpp"

namespace weir::limits {

// Two years: with kGpus the product GPU x microseconds stays inside 63 bits.
inline constexpr Duration kLongestDuration{std::int64_t{2} * 365 * 86'400 * 1'000'000};
inline constexpr std::uint32_t kGpus = 1U << 17;

// The largest site we promise (design: 16,384 nodes), doubled.
inline constexpr std::uint32_t kNodes = 32'768;
// Domains of one level of the locality tree: as if each node stood in one of its own.
inline constexpr std::size_t kDomainsPerLevel = kNodes;
// GPUs of one node: the mask of free GPUs is 32 bits; NVL and PCIe boxes end at 16 today.
inline constexpr std::uint32_t kGpusPerNode = 32;
// Rails of one node: the mask of rails is 16 bits.
inline constexpr std::uint32_t kRails = 16;

// Switch and adapter ports are 8-bit numbers in InfiniBand (IBTA vol. 1, PortInfo); 255 is unused.
inline constexpr std::uint32_t kPortNumber = 254;
// Unicast LIDs end at 0xBFFF (IBTA vol. 1, 4.1.1).
inline constexpr std::uint32_t kLastUnicastLid = 49'151;
// A subnet has one LID at least for every vertex, so no dump describes more.
inline constexpr std::size_t kFabricVertices = kLastUnicastLid;
// Entries of all forwarding tables of a plane: a full one, 49,151 LIDs with 5,000 switches, twice.
inline constexpr std::size_t kForwardingEntries = std::size_t{512} << 20;
// A site as YAML is held as a tree in memory, some 50 bytes for each byte of text: 64 MiB describe
// 100,000 nodes by name.
inline constexpr std::size_t kYamlBytes = std::size_t{64} << 20;

// One line of any text input; the longest real one seen is under 1 KiB.
inline constexpr std::size_t kLineBytes = 64 * 1024;
// One input file after decompression: a 16,384-node dump is 200 MB as text.
inline constexpr std::size_t kInputBytes = std::size_t{2} << 30;
// Memory of one decompressor: xz -9 needs 65 MiB, and a made-up header can ask for 4 GiB.
inline constexpr std::size_t kDecoderBytes = std::size_t{128} << 20;
// Jobs of one trace: four times Helios, the largest public log (3.36 million).
inline constexpr std::size_t kTraceJobs = 16'000'000;
// Jobs of one job file, repeats counted: people write hundreds, our generator 100,000.
inline constexpr std::size_t kJobFileJobs = 1'000'000;
// One scenario file: a hundred cases of a screen each.
inline constexpr std::size_t kScenarioBytes = std::size_t{256} << 10;
// One journal record: a 16,384-node lease takes 200 KiB, a topology of that size under 4 MiB.
inline constexpr std::size_t kJournalRecordBytes = std::size_t{64} << 20;
// A snapshot of the whole state; 131,072 GPUs, a job on each, take some 60 MB in memory.
inline constexpr std::size_t kSnapshotBytes = std::size_t{512} << 20;
// Turns that wait for the disk. The core goes on a few turns ahead of it; when the disk stalls for
// longer than these, it must wait, too, instead of filling the memory.
inline constexpr std::size_t kJournalQueueTurns = 1024;
// And their bytes: four records of the greatest size, many of the usual one.
inline constexpr std::size_t kJournalQueueBytes = std::size_t{256} << 20;
// Rows of one page of the history: what one answer of the API may hold in memory.
inline constexpr std::size_t kHistoryRows = 10'000;
// Events of one turn: a site's nodes joining at once with 31 times as many submissions. In memory
// an event takes up to 300 bytes.
inline constexpr std::size_t kTurnEvents = std::size_t{1} << 20;
// One free-capacity index: 128 times what a site of 1,000 domains and 40 classes takes. It grows
// with domains x classes, and classes with every set of rails and every grade that a node has.
inline constexpr std::uint64_t kFreeIndexBytes = std::uint64_t{128} << 20;

// Shapes of typical demand: a public log has hundreds, each costs time in every placement.
inline constexpr std::size_t kTypicalShapes = 1024;

// Head of one HTTP request: browsers and proxies end at 8 KiB, a query with a long filter fits.
inline constexpr std::size_t kHttpHeadBytes = std::size_t{16} << 10;
// Its body: a job file of ten thousand jobs, or a job's script with its environment.
inline constexpr std::size_t kHttpBodyBytes = std::size_t{16} << 20;
// Clients at once, a descriptor each: a login node's shells and dashboards, far below the 20,000
// files that a process may have open.
inline constexpr std::size_t kHttpConnections = 2048;
// What waits for a reader of a stream: seconds of a busy job's output.
inline constexpr std::size_t kHttpStreamBytes = std::size_t{1} << 20;
// Input taken in while the request before it is worked on (pipelining).
inline constexpr std::size_t kHttpPipelineBytes = std::size_t{64} << 10;
// Longest silence of a client between two requests, for one whole request from its first byte, and
// without taking a byte of its answer.
inline constexpr Duration kHttpIdle{std::int64_t{120} * 1'000'000};
inline constexpr Duration kHttpRead{std::int64_t{20} * 1'000'000};
inline constexpr Duration kHttpWrite{std::int64_t{30} * 1'000'000};

// Text of one field (names, partitions, features) in any request.
inline constexpr std::size_t kNameBytes = 256;
// Names in one field: partitions or features of a node or a job.
inline constexpr std::size_t kNamesPerField = 64;
// Any text of the journal: the longest tells all features that a job asked for and no node has.
inline constexpr std::size_t kTextBytes = kNamesPerField * (kNameBytes + 1);
// Arguments, or variables of the environment, of one task: Linux holds both in a quarter of the
// stack (2 MiB), and generated command lines reach thousands.
inline constexpr std::size_t kArguments = 4096;
// One of them: MAX_ARG_STRLEN of Linux, 32 pages.
inline constexpr std::size_t kArgumentBytes = std::size_t{128} << 10;
// All of them, and paths, of one job: what execve() takes beside a usual environment.
inline constexpr std::size_t kProgramBytes = std::size_t{1} << 20;
// A path: PATH_MAX of Linux.
inline constexpr std::size_t kPathBytes = 4096;
// The text of one job request, or of a file of them: kProgramBytes with every byte escaped as a
// pair, twice.
inline constexpr std::size_t kRequestBytes = std::size_t{4} << 20;
// Jobs that one job waits for.
inline constexpr std::size_t kDependencies = 256;
// Ended jobs on which others may still come to depend.
inline constexpr std::size_t kRememberedOutcomes = 65'536;
// Tasks of one job on one node: more processes than a node has hardware threads.
inline constexpr std::uint32_t kTasksPerNode = 1024;
// Steps that a node keeps, ended ones of a cut-off controller too.
inline constexpr std::size_t kStepsPerNode = 65'536;
// Device files that one step may, or may not, use: GPUs and HCAs with what goes along with each.
inline constexpr std::size_t kDeviceFiles = 1024;
// SIGRTMAX of Linux.
inline constexpr std::uint32_t kLastSignal = 64;
// Whom an agent asks when it has lost the controller: three (design), with room for larger sites.
inline constexpr std::size_t kWitnesses = 16;

// One message between agent and controller: a greeting with 65,536 steps of eight tasks takes 9
// MiB.
inline constexpr std::size_t kChannelMessageBytes = std::size_t{32} << 20;
// What waits in one session to be sent: all that a full node is told at once, 1,000 steps of a
// usual 10 KiB, a few times. An end that takes nothing for so long is better off with a new
// session.
inline constexpr std::size_t kChannelQueueBytes = std::size_t{64} << 20;
// Output of tasks in one message: others must not wait behind it for long.
inline constexpr std::size_t kOutputPartBytes = std::size_t{1} << 20;

// Join tokens that have not expired: one for each node of the largest site, twice.
inline constexpr std::size_t kJoinTokens = std::size_t{2} * kNodes;
// A file of keys and certificates, or all tokens: those take 300 bytes each at most.
inline constexpr std::size_t kIdentityFileBytes = std::size_t{32} << 20;
// A certificate request, a certificate or a chain of them: ten times what ours take.
inline constexpr std::size_t kCertificateBytes = std::size_t{64} << 10;

// The specification of one step: all its tasks with their environments, each of which is a job's
// program (kProgramBytes) at most; real ones take a few KiB a task.
inline constexpr std::size_t kStepSpecBytes = std::size_t{64} << 20;
// One message between an agent and a stepd: the ends of kTasksPerNode tasks with their details.
inline constexpr std::size_t kStepFrameBytes = std::size_t{4} << 20;
// What is said of a task's end, for people.
inline constexpr std::size_t kEndDetailBytes = 2048;
// What a task has written is kept on its node in two pieces of this size at most: the older one is
// dropped when the newer one is full.
inline constexpr std::uint64_t kOutputPieceBytes = std::uint64_t{8} << 20;

}  // namespace weir::limits
