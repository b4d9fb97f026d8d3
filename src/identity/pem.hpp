// PEM as text: the blocks between "-----BEGIN X-----" and "-----END X-----". What is inside a block
// is not looked at here; what stands between blocks is left out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace weir::identity {

struct PemBlock {
  std::string label;  // "CERTIFICATE"
  std::string text;   // with its two lines, ending in a line feed
};

// Errors: kBadInput, a block without an end.
Result<std::vector<PemBlock>> pem_blocks(std::string_view text);

}  // namespace weir::identity
