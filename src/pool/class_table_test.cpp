#include "pool/class_table.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

namespace weir::pool {
namespace {

NodeKind h100() { return {"H100", {8, 96, 2048}, {"train"}, {"ib", "nvlink"}}; }
NodeKind cpu_only() { return {"", {0, 128, 4096}, {"train"}, {}}; }

std::vector<std::uint32_t> ids_of(const std::vector<EligibleClass>& classes) {
  std::vector<std::uint32_t> ids;
  for (const EligibleClass& one : classes) ids.push_back(one.id.value());
  return ids;
}

TEST(ClassTable, EqualNodesShareAKindAndAClass) {
  ClassTable table;
  const KindId kind = table.intern(h100());
  EXPECT_EQ(table.intern(h100()), kind);
  EXPECT_NE(table.intern(cpu_only()), kind);
  EXPECT_EQ(table.kinds(), 2U);
  EXPECT_EQ(table.kind(kind), h100());

  const ClassId good = table.intern(NodeClass{kind, Grade::kGood, 0xff});
  EXPECT_EQ(table.intern(NodeClass{kind, Grade::kGood, 0xff}), good);
  EXPECT_NE(table.intern(NodeClass{kind, Grade::kPoor, 0xff}), good);
  EXPECT_NE(table.intern(NodeClass{kind, Grade::kGood, 0x7f}), good);
  EXPECT_EQ(table.classes(), 3U);
  EXPECT_EQ(table.kind_of(good), h100());
}

TEST(ClassTable, KnowsTheClassesItHasGivenOut) {
  ClassTable table;
  EXPECT_FALSE(table.knows(h100(), Grade::kGood, 0));
  table.intern(NodeClass{table.intern(h100()), Grade::kGood, 0});
  EXPECT_TRUE(table.knows(h100(), Grade::kGood, 0));
  EXPECT_FALSE(table.knows(h100(), Grade::kWatch, 0));
  EXPECT_FALSE(table.knows(h100(), Grade::kGood, 1));
  EXPECT_FALSE(table.knows(cpu_only(), Grade::kGood, 0));
}

TEST(ClassTable, AKindIsAdmittedByPartitionModelAndAllFeatures) {
  const auto admits = [](const Requirement& requirement) {
    return ClassTable::admits(requirement, h100());
  };
  EXPECT_TRUE(admits({}));
  EXPECT_TRUE(admits({"train", {"H100"}, {"ib", "nvlink"}, Grade::kGood, 0}));
  EXPECT_FALSE(admits({"infer", {}, {}, Grade::kGood, 0}));
  EXPECT_FALSE(admits({"", {"A100"}, {}, Grade::kGood, 0}));
  EXPECT_FALSE(admits({"", {}, {"ib", "scratch"}, Grade::kGood, 0}));
  EXPECT_TRUE(admits({"", {"A100", "H100"}, {}, Grade::kGood, 0})) << "any one of them";
}

class EligibleClasses : public ::testing::Test {
 protected:
  EligibleClasses() {
    const KindId gpu = table_.intern(h100());
    table_.intern(NodeClass{gpu, Grade::kGood, 0b11});
    table_.intern(NodeClass{gpu, Grade::kGood, 0b01});
    table_.intern(NodeClass{gpu, Grade::kPoor, 0b11});
    table_.intern(NodeClass{table_.intern(cpu_only()), Grade::kGood, 0b11});
  }
  ClassTable table_;
};

TEST_F(EligibleClasses, AreThoseThatCoverTheDemandInOrder) {
  EXPECT_EQ(ids_of(table_.eligible({}, {0, 100, 0}, false, false)),
            (std::vector<std::uint32_t>{3}));
  EXPECT_EQ(ids_of(table_.eligible({}, {8, 0, 0}, false, false)),
            (std::vector<std::uint32_t>{0, 1}));
  EXPECT_TRUE(table_.eligible({}, {9, 0, 0}, false, false).empty());
}

TEST_F(EligibleClasses, LeaveOutTheGradesBelowTheWorstAllowed) {
  Requirement requirement;
  requirement.worst_grade = Grade::kPoor;
  EXPECT_EQ(ids_of(table_.eligible(requirement, {8, 0, 0}, false, false)),
            (std::vector<std::uint32_t>{0, 1, 2}));
  requirement.worst_grade = Grade::kGood;
  EXPECT_EQ(ids_of(table_.eligible(requirement, {8, 0, 0}, false, /*any_grade=*/true)),
            (std::vector<std::uint32_t>{0, 1, 2}));
}

TEST_F(EligibleClasses, NeedTheRailsOnlyForGangsOfSeveralNodes) {
  Requirement requirement;
  requirement.rails = 0b10;
  EXPECT_EQ(ids_of(table_.eligible(requirement, {8, 0, 0}, /*several_nodes=*/true, false)),
            (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(ids_of(table_.eligible(requirement, {8, 0, 0}, /*several_nodes=*/false, false)),
            (std::vector<std::uint32_t>{0, 1}));
}

TEST_F(EligibleClasses, SayWhetherTheDemandStaysWithinTheNodesShare) {
  EXPECT_TRUE(table_.eligible({}, {2, 24, 512}, false, false).front().proportional);
  EXPECT_FALSE(table_.eligible({}, {2, 25, 0}, false, false).front().proportional);
  EXPECT_FALSE(table_.eligible({}, {0, 100, 0}, false, false).front().proportional);
}

struct ShareCase {
  Capacity part;
  Capacity total;
  bool expected;
};

TEST(Proportional, IsADemandOfAtMostTheNodesShareForItsGpus) {
  for (const ShareCase& one : std::vector<ShareCase>{
           {{4, 48, 1024}, {8, 96, 2048}, true},
           {{4, 49, 0}, {8, 96, 2048}, false},
           {{4, 0, 1025}, {8, 96, 2048}, false},
           {{0, 1, 0}, {8, 96, 2048}, false},  // no GPUs: no share of anything
           {{0, 1, 0}, {0, 96, 2048}, false},  // a node without GPUs gives no shares
           {{0, 0, 0}, {0, 96, 2048}, true},
           {{3, 1, 0}, {8, 3, 0}, true},   // 1/3 <= 3/8
           {{3, 2, 0}, {8, 3, 0}, false},  // 2/3 > 3/8
           {{32, UINT32_MAX, UINT32_MAX}, {32, UINT32_MAX, UINT32_MAX}, true}})
    EXPECT_EQ(is_proportional(one.part, one.total), one.expected)
        << one.part.gpus << " GPUs, " << one.part.cpu_milli << " CPUs of " << one.total.cpu_milli;
}

TEST(Balanced, IsANodeThatHasItsShareLeftForEveryFreeGpu) {
  for (const ShareCase& one :
       std::vector<ShareCase>{{{8, 96, 2048}, {8, 96, 2048}, true},
                              {{4, 48, 1024}, {8, 96, 2048}, true},
                              {{4, 47, 2048}, {8, 96, 2048}, false},
                              {{4, 96, 1023}, {8, 96, 2048}, false},
                              {{0, 0, 0}, {8, 96, 2048}, true},  // no GPU is free: nothing lacks
                              {{0, 1, 0}, {0, 96, 2048}, true},  // CPU-only nodes are never lean
                              {{1, UINT32_MAX, UINT32_MAX}, {32, UINT32_MAX, UINT32_MAX}, true}})
    EXPECT_EQ(is_balanced(one.part, one.total), one.expected)
        << one.part.gpus << " GPUs, " << one.part.cpu_milli << " CPUs free of "
        << one.total.cpu_milli;
}

// What lets placement trust the counters without a look at the node.
RC_GTEST_PROP(Balanced, ANodeWithTheGpusServesEveryProportionalDemand, ()) {
  const auto capacity = [](std::uint32_t gpus) {
    return Capacity{*rc::gen::inRange<std::uint32_t>(0, gpus + 1),
                    *rc::gen::inRange<std::uint32_t>(0, 200),
                    *rc::gen::inRange<std::uint32_t>(0, 200)};
  };
  const Capacity total = capacity(16);
  const Capacity free = capacity(total.gpus);
  const Capacity demand = capacity(total.gpus);
  if (is_proportional(demand, total) && is_balanced(free, total) && free.gpus >= demand.gpus &&
      total.gpus > 0)
    RC_ASSERT(free.covers(demand));
}

}  // namespace
}  // namespace weir::pool
