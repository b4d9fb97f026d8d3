#include "net/router.hpp"

#include <algorithm>
#include <set>

#include "base/assert.hpp"

namespace weir::net {
namespace {

using Segments = std::vector<std::string>;

bool is_open(const std::string& segment) { return segment.starts_with('{'); }

bool fits(const Segments& pattern, const Segments& path) {
  return std::ranges::equal(pattern, path, [](const std::string& want, const std::string& have) {
    return is_open(want) ? !have.empty() : want == have;
  });
}

// Both fit one path: the one that is written out at the first place where they differ.
bool is_closer(const Segments& a, const Segments& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (is_open(a[i]) != is_open(b[i])) return !is_open(a[i]);
  return false;
}

}  // namespace

std::string_view Route::parameter(std::string_view name) const {
  const auto found =
      std::ranges::find(parameters, name, &std::pair<std::string, std::string>::first);
  WEIR_ASSERT(found != parameters.end());
  return found->second;
}

void Router::add(std::string_view method, std::string_view pattern, std::uint32_t handler) {
  auto target = parse_target(pattern);
  WEIR_ASSERT(target.has_value());
  for (const Entry& entry : entries_)
    WEIR_ASSERT(entry.method != method || entry.segments != target->segments);
  entries_.push_back({std::string(method), std::move(target->segments), handler});
}

Route Router::find(std::string_view method, const Target& target) const {
  const std::string_view wanted = method == "HEAD" ? "GET" : method;
  const Entry* best = nullptr;
  std::set<std::string> there;
  for (const Entry& entry : entries_) {
    if (!fits(entry.segments, target.segments)) continue;
    there.insert(entry.method);
    if (entry.method != wanted) continue;
    if (best == nullptr || is_closer(entry.segments, best->segments)) best = &entry;
  }
  Route route;
  if (best == nullptr) {
    if (there.empty()) return route;
    route.status = 405;
    if (there.contains("GET")) there.insert("HEAD");
    for (const std::string& other : there) route.allow += (route.allow.empty() ? "" : ", ") + other;
    return route;
  }
  route.status = 200;
  route.handler = best->handler;
  for (std::size_t i = 0; i < best->segments.size(); ++i)
    if (const std::string& name = best->segments[i]; is_open(name))
      route.parameters.emplace_back(name.substr(1, name.size() - 2), target.segments[i]);
  return route;
}

}  // namespace weir::net
