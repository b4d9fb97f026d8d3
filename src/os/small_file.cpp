#include "os/small_file.hpp"

#include <cerrno>
#include <string>

#include <fcntl.h>
#include <unistd.h>

#include "os/descriptor.hpp"
#include "os/errors.hpp"

namespace weir::os {

Result<std::vector<std::uint8_t>> read_small_file(const std::filesystem::path& path,
                                                  std::size_t limit) {
  constexpr std::size_t kBlock = 16 * 1024;
  const Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.is_open()) return system_error(path, "cannot be opened", errno);
  std::vector<std::uint8_t> bytes;
  for (;;) {
    const std::size_t before = bytes.size();
    bytes.resize(before + kBlock);
    const ssize_t count = ::read(fd.get(), bytes.data() + before, kBlock);
    if (count < 0 && errno != EINTR) return system_error(path, "cannot be read", errno);
    bytes.resize(before + (count > 0 ? static_cast<std::size_t>(count) : 0));
    if (count == 0) return bytes;
    if (bytes.size() > limit)
      return over_limit(path.string() + ": longer than " + std::to_string(limit) + " bytes");
  }
}

}  // namespace weir::os
