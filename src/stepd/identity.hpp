// Identity: who a step's tasks are on this machine.
#pragma once

#include <optional>

#include "base/result.hpp"
#include "model/step.hpp"
#include "os/user.hpp"

namespace weir::stepd {

// Whom the tasks must become; nothing: they stay who this process is, which is no root and may
// become nobody else. Errors say why the job may not run here: root, an unknown user, another uid.
Result<std::optional<os::User>> identity_of(const StepSpec& spec);

}  // namespace weir::stepd
