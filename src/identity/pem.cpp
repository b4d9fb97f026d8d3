#include "identity/pem.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace weir::identity {
namespace {

constexpr std::string_view kBegin = "-----BEGIN ";
constexpr std::string_view kDashes = "-----";

}  // namespace

Result<std::vector<PemBlock>> pem_blocks(std::string_view text) {
  std::vector<PemBlock> blocks;
  for (std::size_t at = text.find(kBegin); at != std::string_view::npos;) {
    const std::string_view rest = text.substr(at);
    const std::size_t label_end = rest.find(kDashes, kBegin.size());
    if (label_end == std::string_view::npos)
      return bad_input("PEM: a line that begins with -----BEGIN has no ----- at its end");
    const std::string_view label = rest.substr(kBegin.size(), label_end - kBegin.size());
    const std::string last = fmt::format("-----END {}-----", label);
    const std::size_t end = rest.find(last);
    if (end == std::string_view::npos)
      return bad_input(fmt::format("PEM: the block {} has no end", quoted(label)));
    blocks.push_back({std::string(label), fmt::format("{}\n", rest.substr(0, end + last.size()))});
    at = text.find(kBegin, at + end + last.size());
  }
  return blocks;
}

}  // namespace weir::identity
