// Router: which handler a method and a path belong to. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "net/target.hpp"

namespace weir::net {

struct Route {
  unsigned status = 404;      // 200: `handler` is it; 404; 405: `allow` says what is there
  std::uint32_t handler = 0;  // what add() was given
  std::vector<std::pair<std::string, std::string>> parameters;  // of the pattern, in order
  std::string allow;                                            // "GET, HEAD, POST"

  // REQUIRES: the pattern has it.
  [[nodiscard]] std::string_view parameter(std::string_view name) const;
};

class Router {
 public:
  // "/v1/jobs/{id}/log": {id} takes any one segment that is not empty. A segment that is written
  // out goes before one in braces. REQUIRES: this method and pattern were not added before.
  void add(std::string_view method, std::string_view pattern, std::uint32_t handler);

  // HEAD goes where GET goes.
  [[nodiscard]] Route find(std::string_view method, const Target& target) const;

 private:
  struct Entry {
    std::string method;
    std::vector<std::string> segments;  // "{id}" with its braces
    std::uint32_t handler;
  };
  std::vector<Entry> entries_;
};

}  // namespace weir::net
