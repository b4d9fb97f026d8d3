#include "formats/openb.hpp"

#include <string>

#include <gtest/gtest.h>

#include "base/limits.hpp"
#include "support/read_lines.hpp"

namespace weir {
namespace {

constexpr std::string_view kNodes = "sn,cpu_milli,memory_mib,gpu,model\n";
constexpr std::string_view kTasks =
    "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
    "deletion_time,scheduled_time\n";
constexpr std::string_view kShort = "name,cpu_milli,memory_mib,num_gpu,gpu_milli\n";

template <typename Reader>
auto read(const std::string& text) {
  return testing::read_lines(Reader(), text);
}

Trace tasks_of(const std::string& text) {
  const auto trace = read<OpenbTaskReader>(text);
  EXPECT_TRUE(trace) << trace.error().message;
  return trace.value_or(Trace{});
}

template <typename Reader>
std::string error_of(const std::string& text) {
  const auto result = read<Reader>(text);
  return result ? "read" : result.error().message;
}

TEST(Openb, ReadsNodes) {
  const auto nodes =
      read<OpenbNodeReader>(std::string(kNodes) + "n0,64000,262144,2,P100\n\nn1,1500,1,0,\n");
  ASSERT_TRUE(nodes) << nodes.error().message;
  ASSERT_EQ(nodes->size(), 2U);
  EXPECT_EQ((*nodes)[0].name, "n0");
  EXPECT_EQ((*nodes)[0].kind, (NodeKind{"P100", {2, 64'000, 262'144}, {}, {}}));
  EXPECT_EQ((*nodes)[1].kind, (NodeKind{"", {0, 1500, 1}, {}, {}}));
}

TEST(Openb, ReadsTasksOfEveryKind) {
  const Trace tasks = tasks_of(std::string(kTasks) +
                               "a,12000,16384,1,1000,,LS,Running,10,110,\n"
                               "b,6000,12288,1,460,T4|G2|T4,BE,Failed,10,110,60\n"
                               "c,96000,1,8,1000,,LS,Running,0,0,0\n"
                               "d,4000,2,0,0,,LS,Running,0,5.5,0\n");
  ASSERT_EQ(tasks.size(), 4U);
  EXPECT_EQ(tasks[0].job.gang.per_node, (Capacity{1, 12'000, 16'384, 0}));
  EXPECT_EQ(tasks[0].submit, Instant(10'000'000));
  EXPECT_EQ(tasks[0].runtime, Duration(100'000'000)) << "never scheduled: from its creation";
  EXPECT_EQ(tasks[1].job.gang.per_node, (Capacity{0, 6000, 12'288, 460}));
  EXPECT_EQ(tasks[1].job.requirement.gpu_models, (std::vector<std::string>{"G2", "T4"}));
  EXPECT_EQ(tasks[1].runtime, Duration(50'000'000));
  EXPECT_EQ(tasks[2].job.gang.per_node.gpus, 8U);
  EXPECT_EQ(tasks[3].job.gang.per_node, (Capacity{0, 4000, 2, 0}));
  EXPECT_EQ(tasks[3].job.estimate, tasks[3].runtime);
  for (const TraceJob& task : tasks) EXPECT_TRUE(check(task.job));
}

TEST(Openb, ReadsFilesWithoutTimesAndModels) {
  OpenbTaskReader reader;
  ASSERT_TRUE(reader.line(kShort.substr(0, kShort.size() - 1), 1));
  EXPECT_FALSE(reader.has_times());
  ASSERT_TRUE(reader.line("a,1,2,2,1000", 2));
  const auto trace = reader.finish();
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->front().job.gang.per_node, (Capacity{2, 1, 2, 0}));
  EXPECT_EQ(trace->front().runtime, Duration(0));
}

// Each kind of wrong input with what the reader says of it, line first.
TEST(Openb, WrongInputNamesLineAndField) {
  const std::string tasks(kTasks);
  const std::string nodes(kNodes);
  using T = OpenbTaskReader;
  using N = OpenbNodeReader;
  EXPECT_EQ(error_of<T>(""),
            "no header line: expected the columns name, cpu_milli, memory_mib, num_gpu, gpu_milli");
  EXPECT_EQ(error_of<T>("name,cpu_milli\n"),
            "1: the header lacks the column memory_mib: expected name, cpu_milli, memory_mib, "
            "num_gpu, gpu_milli");
  EXPECT_EQ(error_of<T>(tasks + "a,1,2,1"), "2: expected 11 fields as in the header, found 4")
      << "truncated";
  EXPECT_EQ(error_of<T>(tasks + "a,1,2,1,1000,,LS,Running,10,5,\n"),
            "2: deletion_time: 5 s comes before the task started at 10 s")
      << "negative duration";
  EXPECT_EQ(error_of<T>(tasks + "a,1,2,1,1000,,LS,Running,-10,5,\n"),
            "2: creation_time: expected seconds from 0 to 63072000, found \"-10\"");
  EXPECT_EQ(error_of<T>(tasks + "a,1,2,1,1001,,LS,Running,1,5,\n"),
            "2: gpu_milli: expected a whole number from 1 to 1000, found \"1001\"");
  EXPECT_EQ(error_of<T>(tasks + "a,1,2,33,1000,,LS,Running,1,5,\n"),
            "2: num_gpu: expected a whole number from 0 to 32, found \"33\"");
  EXPECT_EQ(error_of<T>(tasks + "a,0,0,0,0,,LS,Running,1,5,\n"),
            "2: the task asks for nothing: expected GPUs, CPUs or memory");
  EXPECT_EQ(error_of<T>(tasks + "a,1,2,1,460,T4||G2,LS,Running,1,5,\n"),
            "2: gpu_spec: expected models joined by |, found \"T4||G2\"");
  EXPECT_EQ(error_of<T>(tasks + "a,1,2,1,1000,,LS,Running,1,5,\r\n"),
            "2: the line ends with CR LF: expected LF alone; convert it, e.g. with dos2unix");
  EXPECT_EQ(error_of<T>("\xff\xfen\0a\0m\0e\0\n"),
            "1: the header lacks the column name: expected name, cpu_milli, memory_mib, num_gpu, "
            "gpu_milli")
      << "UTF-16";
  EXPECT_EQ(error_of<T>(tasks + std::string(10'000'000, '7') + ",1,2,1,1000,,LS,Running,1,5,\n"),
            "2: name: expected at most 256 bytes, found 10000000");
  EXPECT_EQ(error_of<N>(nodes), "no node in it");
  EXPECT_EQ(error_of<N>(nodes + "n,-1,2,1,T4\n"),
            "2: cpu_milli: expected a whole number from 0 to 4294967295, found \"-1\"");
  EXPECT_EQ(error_of<N>(nodes + ",1,2,1,T4\n"), "2: sn: expected a name, found nothing");
  EXPECT_EQ(error_of<N>(nodes + "n,1,2,64,T4\n"),
            "2: gpu: expected a whole number from 0 to 32, found \"64\"");
}

}  // namespace
}  // namespace weir
