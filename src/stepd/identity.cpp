#include "stepd/identity.hpp"

#include <string>

#include <unistd.h>

namespace weir::stepd {

Result<std::optional<os::User>> identity_of(const StepSpec& spec) {
  if (spec.uid == 0)
    return bad_input("a job never runs as root (uid 0): submit it as another user");
  if (::geteuid() != 0) {
    if (spec.uid == ::geteuid()) return std::nullopt;
    return bad_input("this node's agent runs as uid " + std::to_string(::geteuid()) +
                     " and cannot start tasks of uid " + std::to_string(spec.uid) +
                     ": run the agent as root, or submit as its user");
  }
  os::User user = WEIR_TRY(os::find_user(spec.user));
  if (user.uid != spec.uid)
    return bad_input("user " + spec.user + " is uid " + std::to_string(user.uid) +
                     " on this node, the job's is " + std::to_string(spec.uid) +
                     ": make the nodes agree on their users");
  return user;
}

}  // namespace weir::stepd
