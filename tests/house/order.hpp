// Rule `order`: nothing iterates an unordered container, since its order differs between libraries.
#pragma once

#include "house/finding.hpp"
#include "house/source_tree.hpp"

namespace weir::house {

// `header` is the header of the same name, or null: its members count as declared here too.
Findings check_order(const SourceFile& file, const SourceFile* header);

}  // namespace weir::house
