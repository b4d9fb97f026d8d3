// Any bytes as a list of openb nodes and as one of tasks: an error, or nodes and tasks that the
// core takes.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.hpp"
#include "base/limits.hpp"
#include "base/text.hpp"
#include "formats/openb.hpp"

namespace {

template <typename Reader>
bool read(Reader& reader, std::string_view text) {
  std::size_t number = 0;
  for (const std::string_view line : weir::split(text, '\n'))
    if (!reader.line(line, ++number)) return false;
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weir;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  OpenbNodeReader nodes;
  if (read(nodes, text)) {
    if (const auto list = nodes.finish())
      for (const Node& node : *list) WEIR_ASSERT(check(node));
  }
  OpenbTaskReader tasks;
  if (read(tasks, text)) {
    if (const auto trace = tasks.finish())
      for (const TraceJob& task : *trace) {
        WEIR_ASSERT(check(task.job));
        WEIR_ASSERT(task.runtime >= Duration(0) && task.runtime <= limits::kLongestDuration);
      }
  }
  return 0;
}
