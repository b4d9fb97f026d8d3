// Rule `readme`: a folder of src is a concept, and its README says in reading order what each file
// is.
#pragma once

#include <vector>

#include "house/finding.hpp"
#include "house/source_tree.hpp"

namespace weir::house {

Findings check_folders(const std::vector<SourceFile>& files);

}  // namespace weir::house
