#include "os/process.hpp"

#include <algorithm>
#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "os/local_socket.hpp"
#include "os/poller.hpp"

namespace weir::os {
namespace {

constexpr Duration kPatience{60'000'000};

Exit run(const Launch& launch) {
  const auto child = spawn(launch);
  EXPECT_TRUE(child) << child.error().message;
  EXPECT_TRUE(wait_readable(child->pidfd.get(), kPatience));
  const auto exit = reap(*child);
  EXPECT_TRUE(exit);
  return exit.value_or(Exit{});
}

TEST(Process, TellsHowAProgramEnded) {
  EXPECT_EQ(run({"/bin/sh", {"-c", "exit 3"}}), (Exit{false, false, 3}));
  EXPECT_EQ(run({"/bin/sh", {"-c", "kill -TERM $$"}}), (Exit{true, false, SIGTERM}));
}

TEST(Process, NamesAProgramThatCannotBeStarted) {
  const auto child = spawn({"/no/such/program", {}});
  ASSERT_FALSE(child);
  EXPECT_EQ(child.error().message,
            "/no/such/program: cannot be started: No such file or directory");
}

TEST(Process, PassesOneDescriptorAndNoOther) {
  auto pair = connected_pair();
  ASSERT_TRUE(pair);
  const int open_to_all = ::dup(pair->first.get());  // without close-on-exec
  const Exit exit =
      run({"/bin/sh",
           {"-c", "echo passed >&3; [ ! -e /proc/$$/fd/" + std::to_string(open_to_all) + " ]"},
           pair->second.get()});
  ::close(open_to_all);
  EXPECT_EQ(exit, (Exit{false, false, 0}));
  std::vector<std::uint8_t> received;
  EXPECT_TRUE(LocalConnection(std::move(pair->first)).receive(received));
  EXPECT_EQ(received.size(), 7U);
}

TEST(Process, BeginsWithoutBlockedSignals) {
  sigset_t set;
  sigset_t before;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  ::sigprocmask(SIG_BLOCK, &set, &before);
  const Exit exit = run({"/bin/sh", {"-c", "kill -TERM $$; exit 0"}});
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  EXPECT_EQ(exit, (Exit{true, false, SIGTERM}));
}

TEST(Process, ShowsWhatRuns) {
  const auto self = own_state();
  ASSERT_TRUE(self);
  EXPECT_EQ(self->pid, ::getpid());
  EXPECT_EQ(self->parent, ::getppid());
  EXPECT_FALSE(self->ended);
  EXPECT_GT(self->start_ticks, 0U);
  const auto child = spawn({"/bin/sleep", {"1000"}});
  ASSERT_TRUE(child);
  const auto state = process_state(child->pid);
  ASSERT_TRUE(state);
  EXPECT_EQ(state->parent, ::getpid());
  EXPECT_TRUE(std::ranges::any_of(
      all_processes(), [&](const ProcessState& each) { return each.pid == child->pid; }));
  const auto process = open_process(child->pid);
  ASSERT_TRUE(process);
  EXPECT_FALSE(reap(*child));
  ::kill(child->pid, SIGKILL);
  ASSERT_TRUE(wait_readable(process->get(), kPatience));
  EXPECT_TRUE(process_state(child->pid)->ended) << "a zombie";
  EXPECT_TRUE(reap(*child));
  EXPECT_FALSE(process_state(child->pid));
  EXPECT_FALSE(open_process(child->pid));
  EXPECT_EQ(own_program()->filename(), "weir_os_test");
}

}  // namespace
}  // namespace weir::os
