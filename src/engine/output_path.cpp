#include "engine/output_path.hpp"

namespace weir::engine {

std::string output_path(std::string_view pattern, std::string_view directory,
                        const OutputNames& names) {
  if (pattern.empty()) return {};
  std::string path;
  if (!pattern.starts_with('/')) {
    path = directory;
    if (!path.ends_with('/')) path += '/';
  }
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char letter = pattern[i] == '%' && i + 1 < pattern.size() ? pattern[i + 1] : '\0';
    switch (letter) {
      case 'j': path += std::to_string(names.step.job.value()); break;
      case 'a': path += std::to_string(names.step.attempt); break;
      case 't': path += std::to_string(names.rank); break;
      case 'n': path += names.node; break;
      case 'u': path += names.user; break;
      case '%': path += '%'; break;
      default: path += pattern[i]; continue;
    }
    ++i;
  }
  return path;
}

}  // namespace weir::engine
