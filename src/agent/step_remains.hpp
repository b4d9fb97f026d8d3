// What a stepd that was killed may have left, and the proof that nothing of its step lives.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "formats/step_protocol.hpp"
#include "os/descriptor.hpp"

namespace weir::agent {

// Becomes readable when the process has ended, and with it, by the kernel's promise, every process
// of the PID namespace whose pid 1 it was. Nothing: it has ended.
Result<std::optional<os::Descriptor>> still_ending(const stepd::ProcessName& stepd);

// Ends what lives in a step's control group, and what a stepd without a namespace left in its
// session; then removes the group. REQUIRES: the stepd has ended. Errors: a process hangs in the
// kernel.
Status clear_remains(const std::optional<stepd::Started>& started,
                     const std::filesystem::path& cgroup_root, const std::string& group_name);

}  // namespace weir::agent
