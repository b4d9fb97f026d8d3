#include "engine/step_builder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/task_environment.hpp"
#include "support/live_state.hpp"

namespace weir::engine {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using weir::testing::even_site;
using weir::testing::gang_job;
using weir::testing::LiveState;
using weir::testing::plain_work;
using weir::testing::seconds_long;

NodeFacts eight_gpus(std::uint32_t node) {
  NodeFacts facts;
  for (std::uint32_t i = 0; i < 8; ++i) {
    facts.gpu_uuids.push_back(fmt::format("GPU-{}-{}", node, i));
    facts.gpu_devices.push_back(fmt::format("/dev/nvidia{}", i));
  }
  facts.shared_devices = {"/dev/nvidiactl", "/dev/nvidia-uvm"};
  facts.closed_devices = {"/dev/nvidia-caps"};
  return facts;
}

std::string text_of(const std::vector<std::string>& env) {
  return fmt::format("{}", fmt::join(env, "\n"));
}

// Two units of two nodes; a gang over all of them, two tasks a node, ranks from n2 on.
class FourNodes : public ::testing::Test {
 protected:
  FourNodes() : live(even_site(1, 1, 2, 2)) {
    Job job = gang_job(4, 8, seconds_long(100));
    job.name = "train";
    job.requirement.partition = "main";
    Work work = plain_work();
    work.program.tasks_per_node = 2;
    work.program.argv = {"python", "train.py"};
    work.program.output = "%j.%a/%t.out";
    work.program.error = "/scratch/%u-%n.err";
    work.program.umask = 027;
    work.rules.time_limit = seconds_long(7200);
    work.rules.end_signal = 10;
    work.rules.grace = seconds_long(5);
    work.rules.on_partition = OnPartition::kEnd;
    id = live.submit(job, work);
    live.start(id, {2, 3, 0, 1}, 0xff, 15'500, 2048);
  }
  [[nodiscard]] BuiltStep build(std::uint32_t node) const {
    auto built = build_step(live.state, {id, 1}, NodeId(node), {eight_gpus(node), "10.0.0.2"});
    EXPECT_TRUE(built) << built.error().message;
    return *std::move(built);
  }

  LiveState live;
  JobId id;
};

TEST_F(FourNodes, EveryTaskHasItsEnvironment) {
  const BuiltStep built = build(0);
  ASSERT_EQ(built.spec.tasks.size(), 2U);
  EXPECT_EQ(text_of(built.spec.tasks[1].env),
            R"(CUDA_VISIBLE_DEVICES=GPU-0-4,GPU-0-5,GPU-0-6,GPU-0-7
GROUP_RANK=2
HOME=/
LOCAL_RANK=1
LOCAL_WORLD_SIZE=2
LOGNAME=ada
MASTER_ADDR=10.0.0.2
MASTER_PORT=20001
NODE_RANK=2
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
RANK=5
SHELL=/bin/sh
SLURMD_NODENAME=n0
SLURM_CPUS_ON_NODE=16
SLURM_GPUS_ON_NODE=8
SLURM_JOBID=1
SLURM_JOB_GID=100
SLURM_JOB_GPUS=0,1,2,3,4,5,6,7
SLURM_JOB_ID=1
SLURM_JOB_NAME=train
SLURM_JOB_NODELIST=n[2-3,0-1]
SLURM_JOB_NUM_NODES=4
SLURM_JOB_PARTITION=main
SLURM_JOB_UID=1000
SLURM_JOB_USER=ada
SLURM_LOCALID=1
SLURM_MEM_PER_NODE=2048
SLURM_NNODES=4
SLURM_NODEID=2
SLURM_NODELIST=n[2-3,0-1]
SLURM_NPROCS=8
SLURM_NTASKS=8
SLURM_NTASKS_PER_NODE=2
SLURM_PROCID=5
SLURM_RESTART_COUNT=0
SLURM_SUBMIT_DIR=/data/run
SLURM_TASKS_PER_NODE=2(x4)
SLURM_TOPOLOGY_ADDR=site.f0.p0.u0.n0
SLURM_TOPOLOGY_ADDR_PATTERN=site.fabric.pod.unit.node
USER=ada
WEIR_ATTEMPT=1
WEIR_JOB_ID=1
WEIR_NODES=n2,n3,n0,n1
WORLD_SIZE=8)");
}

TEST_F(FourNodes, RanksGoAlongTheLease) {
  std::vector<std::uint32_t> ranks;
  for (const std::uint32_t node : {2U, 3U, 0U, 1U})
    for (const TaskSpec& task : build(node).spec.tasks) {
      EXPECT_THAT(task.env, Contains(fmt::format("RANK={}", task.rank)));
      EXPECT_THAT(task.env, Contains("MASTER_PORT=20001"));
      ranks.push_back(task.rank);
    }
  EXPECT_THAT(ranks, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

TEST_F(FourNodes, TheStepIsAsTheJobSays) {
  const StepSpec spec = build(3).spec;
  EXPECT_EQ(spec.step, (StepId{id, 1}));
  EXPECT_EQ(spec.token, live.state.work(id)->token);
  EXPECT_EQ(spec.user, "ada");
  EXPECT_EQ(spec.uid, 1000U);
  EXPECT_EQ(spec.gid, 100U);
  EXPECT_EQ(spec.umask, 027U);
  EXPECT_EQ(spec.directory, "/data/run");
  EXPECT_THAT(spec.tasks[1].argv, ElementsAre("python", "train.py"));
  EXPECT_EQ(spec.tasks[1].output, "/data/run/1.1/3.out");
  EXPECT_EQ(spec.tasks[1].error, "/scratch/ada-n3.err");
  EXPECT_EQ(spec.cpu_milli, 15'500U);
  EXPECT_EQ(spec.memory_mib, 2048U);
  EXPECT_EQ(spec.time_limit, seconds_long(7200));
  EXPECT_EQ(spec.end_signal, 10U);
  EXPECT_EQ(spec.grace, seconds_long(5));
  EXPECT_EQ(spec.on_partition, OnPartition::kEnd);
}

TEST_F(FourNodes, WhatIsNotThereIsRefused) {
  const auto error = [&](StepId step, NodeId node, std::size_t uuids = 8) {
    StepFacts facts{eight_gpus(0), ""};
    facts.node.gpu_uuids.resize(uuids);
    const auto built = build_step(live.state, step, node, facts);
    return built ? "built" : built.error().message;
  };
  EXPECT_EQ(error({id, 1}, NodeId(0)), "built");
  EXPECT_THAT(error({id, 2}, NodeId(0)), HasSubstr("does not run with attempt 2"));
  EXPECT_THAT(error({JobId(9), 1}, NodeId(0)), HasSubstr("job 9 does not run"));
  EXPECT_THAT(error({id, 1}, NodeId(7)), HasSubstr("nothing on node 7"));
  EXPECT_THAT(error({id, 1}, NodeId(0), 7), HasSubstr("the UUIDs of 7 GPUs"));
  const JobId waiting = live.submit(gang_job(1, 8, seconds_long(1)));
  EXPECT_THAT(error({waiting, 0}, NodeId(0)), HasSubstr("does not run"));
}

// One node of eight GPUs, of which the job holds some.
class OneNode : public ::testing::Test {
 protected:
  OneNode() : live(even_site(1, 1, 1, 1)) {}
  BuiltStep build(const Work& work, GpuMask gpus, const NodeFacts& facts = eight_gpus(0)) {
    const auto id = live.submit(gang_job(1, 2, seconds_long(100)), work);
    live.start(id, {0}, gpus);
    auto built = build_step(live.state, {id, 1}, NodeId(0), {facts, ""});
    EXPECT_TRUE(built) << built.error().message;
    return *std::move(built);
  }

  LiveState live;
};

TEST_F(OneNode, EnvironmentOfASingleTask) {
  NodeFacts facts = eight_gpus(0);
  facts.home = "/data/ada";
  facts.shell = "/bin/zsh";
  const BuiltStep built = build(plain_work(), 0b1010, facts);
  ASSERT_EQ(built.spec.tasks.size(), 1U);
  EXPECT_EQ(text_of(built.spec.tasks[0].env), R"(CUDA_VISIBLE_DEVICES=GPU-0-1,GPU-0-3
GROUP_RANK=0
HOME=/data/ada
LOCAL_RANK=0
LOCAL_WORLD_SIZE=1
LOGNAME=ada
MASTER_ADDR=n0
MASTER_PORT=20001
NODE_RANK=0
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
RANK=0
SHELL=/bin/zsh
SLURMD_NODENAME=n0
SLURM_GPUS_ON_NODE=2
SLURM_JOBID=1
SLURM_JOB_GID=100
SLURM_JOB_GPUS=1,3
SLURM_JOB_ID=1
SLURM_JOB_NAME=
SLURM_JOB_NODELIST=n0
SLURM_JOB_NUM_NODES=1
SLURM_JOB_UID=1000
SLURM_JOB_USER=ada
SLURM_LOCALID=0
SLURM_NNODES=1
SLURM_NODEID=0
SLURM_NODELIST=n0
SLURM_NPROCS=1
SLURM_NTASKS=1
SLURM_NTASKS_PER_NODE=1
SLURM_PROCID=0
SLURM_RESTART_COUNT=0
SLURM_SUBMIT_DIR=/data/run
SLURM_TASKS_PER_NODE=1
SLURM_TOPOLOGY_ADDR=site.f0.p0.u0.n0
SLURM_TOPOLOGY_ADDR_PATTERN=site.fabric.pod.unit.node
USER=ada
WEIR_ATTEMPT=1
WEIR_JOB_ID=1
WEIR_NODES=n0
WORLD_SIZE=1)");
  EXPECT_THAT(built.kept, IsEmpty());
  EXPECT_EQ(built.spec.tasks[0].output, "");
}

TEST_F(OneNode, OnlyLeasedGpusAreOpen) {
  const StepSpec spec = build(plain_work(), 0b1010).spec;
  EXPECT_THAT(spec.devices,
              ElementsAre("/dev/nvidia1", "/dev/nvidia3", "/dev/nvidiactl", "/dev/nvidia-uvm"));
  EXPECT_THAT(spec.closed,
              ElementsAre("/dev/nvidia0", "/dev/nvidia2", "/dev/nvidia4", "/dev/nvidia5",
                          "/dev/nvidia6", "/dev/nvidia7", "/dev/nvidia-caps"));
}

TEST_F(OneNode, WithoutGpusNoneIsSeen) {
  const auto id = live.submit(gang_job(1, 8, seconds_long(100)));
  live.start(id, {0}, 0, 1000);
  const auto built = build_step(live.state, {id, 1}, NodeId(0), {eight_gpus(0), ""});
  ASSERT_TRUE(built);
  EXPECT_THAT(built->spec.devices, IsEmpty());
  EXPECT_THAT(built->spec.tasks[0].env, Contains("CUDA_VISIBLE_DEVICES="));
  EXPECT_THAT(built->spec.tasks[0].env, Contains("SLURM_GPUS_ON_NODE=0"));
}

TEST_F(OneNode, AUsersOwnValueWinsAndIsTold) {
  Work work = plain_work();
  work.program.env = {"MASTER_PORT=29500", "HOME=/data/mine", "RANK=0", "MINE=a=b", "USER=bob"};
  const BuiltStep built = build(work, 0b11);
  const auto& env = built.spec.tasks[0].env;
  EXPECT_THAT(env, Contains("MASTER_PORT=29500"));
  EXPECT_THAT(env, Not(Contains("MASTER_PORT=20001")));
  EXPECT_THAT(env, Contains("HOME=/data/mine"));
  EXPECT_THAT(env, Contains("MINE=a=b"));
  EXPECT_THAT(built.kept, ElementsAre("MASTER_PORT")) << "an equal value and defaults are no news";
}

TEST_F(OneNode, WithoutUuidsGpusGoByTheirIndex) {
  EXPECT_THAT(build(plain_work(), 0b1010, {}).spec.tasks[0].env,
              Contains("CUDA_VISIBLE_DEVICES=1,3"));
}

TEST(GpusOfTask, AreAnEvenShareWhereItDivides) {
  EXPECT_THAT(gpus_of_task(0b1111'0000, 1, 2), ElementsAre(6, 7));
  EXPECT_THAT(gpus_of_task(0b1111'0000, 0, 1), ElementsAre(4, 5, 6, 7));
  EXPECT_THAT(gpus_of_task(0b11, 2, 4), ElementsAre(1)) << "two tasks on each";
  EXPECT_THAT(gpus_of_task(0b111, 1, 2), ElementsAre(0, 1, 2)) << "does not divide: all";
  EXPECT_THAT(gpus_of_task(0, 0, 2), IsEmpty());
  EXPECT_THAT(gpus_of_task(0xffff'ffff, 31, 32), ElementsAre(31));
}

TEST(MasterPort, DiffersBetweenNeighboursAndAttempts) {
  EXPECT_EQ(master_port({JobId(1), 1}), 20'001U);
  EXPECT_EQ(master_port({JobId(2), 1}), 20'002U);
  EXPECT_EQ(master_port({JobId(1), 2}), 20'618U);
  EXPECT_EQ(master_port({JobId(9'999), 2}), 20'616U);
  EXPECT_LE(master_port({JobId(UINT64_MAX - 1), UINT32_MAX}), 29'999U);
}

}  // namespace
}  // namespace weir::engine
