// Rules about what is written: `header`, `machine-path`, `registry`, `todo`, `dead-code`.
#pragma once

#include "house/finding.hpp"
#include "house/source_tree.hpp"

namespace weir::house {

// header: a header begins with a comment, its contract, and then `#pragma once`.
// machine-path: no absolute path of a developer's machine. registry: no address of a package
// registry or of a bare IP. todo: none without the number of an issue. dead-code: no `#if 0`.
Findings check_texts(const SourceFile& file);

}  // namespace weir::house
