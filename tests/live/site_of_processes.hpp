// A site of real processes on this machine, for tests: one controller and some agents, which can be
// killed and started again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "net/client.hpp"
#include "os/process.hpp"

namespace weir::testing {

class SiteOfProcesses {
 public:
  explicit SiteOfProcesses(std::uint32_t nodes, std::uint32_t gpus = 8);
  ~SiteOfProcesses();
  SiteOfProcesses(const SiteOfProcesses&) = delete;
  SiteOfProcesses& operator=(const SiteOfProcesses&) = delete;

  void start_controller();
  void kill_controller();
  void start_agent(std::uint32_t node);
  void kill_agent(std::uint32_t node);
  // Kills all stepds of a node, or the first.
  std::size_t kill_stepds(std::uint32_t node, bool all = true);

  // The body of the answer; errors hold what the controller said.
  Result<std::string> ask(std::string_view method, std::string_view target,
                          const std::string& body = {});
  // Submits `sh -c text` and returns its id; 0 when it was not acknowledged.
  std::uint64_t submit(const std::string& text, const std::string& more_fields = {});
  // The value of a text field of a job: "state", "node_list", "why".
  std::string field(std::uint64_t job, std::string_view name);
  // Asks until it holds, or for so long that something is wrong.
  bool wait_for(const std::function<bool()>& holds, int seconds = 60);
  bool wait_for_nodes(std::size_t count);
  bool wait_for_state(std::uint64_t job, std::string_view state);

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  // Folders of steps that nodes still keep, and stepds that run.
  [[nodiscard]] std::size_t steps_kept() const;
  [[nodiscard]] std::size_t stepds() const;

 private:
  [[nodiscard]] std::string node_name(std::uint32_t node) const;

  std::filesystem::path folder_;
  std::uint32_t nodes_;
  std::uint32_t gpus_;
  std::optional<os::Child> controller_;
  std::map<std::uint32_t, os::Child> agents_;
};

}  // namespace weir::testing
