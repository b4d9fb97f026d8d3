// Users of this machine: who is behind a name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace weir::os {

struct User {
  std::string name;
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;              // its own group
  std::vector<std::uint32_t> groups;  // all, with its own
};

// Asks the machine's name service, which may ask the network. Errors: nobody has the name
// (kBadInput); the service failed (kIo).
Result<User> find_user(const std::string& name);
Result<User> find_user(std::uint32_t uid);

}  // namespace weir::os
