#include "os/user.hpp"

#include <cerrno>
#include <string>

#include <grp.h>
#include <pwd.h>
#include <sys/types.h>

#include "base/text.hpp"
#include "os/errors.hpp"

namespace weir::os {
namespace {

constexpr std::size_t kFirstEntryBytes = 1024;
constexpr std::size_t kMostEntryBytes = std::size_t{1} << 20;
constexpr int kMostGroups = 65'536;  // NGROUPS_MAX of Linux

}  // namespace

Result<User> find_user(const std::string& name) {
  passwd entry{};
  passwd* found = nullptr;
  std::vector<char> texts(kFirstEntryBytes);
  int failure = 0;
  while ((failure = ::getpwnam_r(name.c_str(), &entry, texts.data(), texts.size(), &found)) ==
             ERANGE &&
         texts.size() < kMostEntryBytes)
    texts.resize(texts.size() * 2);
  if (found == nullptr && failure != 0 && failure != ENOENT)
    return system_error(weir::quoted(name), "the user cannot be looked up", failure);
  if (found == nullptr) return bad_input("no user has the name " + weir::quoted(name) + " here");

  User user{name, entry.pw_uid, entry.pw_gid, {}};
  int count = 64;
  std::vector<gid_t> groups;
  do {
    groups.resize(static_cast<std::size_t>(count));
  } while (::getgrouplist(name.c_str(), entry.pw_gid, groups.data(), &count) < 0 &&
           count <= kMostGroups && static_cast<std::size_t>(count) > groups.size());
  groups.resize(std::min(groups.size(), static_cast<std::size_t>(count)));
  user.groups.assign(groups.begin(), groups.end());
  return user;
}

Result<User> find_user(std::uint32_t uid) {
  passwd entry{};
  passwd* found = nullptr;
  std::vector<char> texts(kFirstEntryBytes);
  int failure = 0;
  while ((failure = ::getpwuid_r(uid, &entry, texts.data(), texts.size(), &found)) == ERANGE &&
         texts.size() < kMostEntryBytes)
    texts.resize(texts.size() * 2);
  if (found == nullptr) return bad_input("no user has the number " + std::to_string(uid) + " here");
  return find_user(std::string(found->pw_name));
}

}  // namespace weir::os
