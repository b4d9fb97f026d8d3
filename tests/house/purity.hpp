// Rules `pure` and `wait`: what a module's kind in docs/design/layers.md promises.
#pragma once

#include "house/finding.hpp"
#include "house/layers.hpp"
#include "house/source_tree.hpp"

namespace weir::house {

// pure: no I/O, clock, thread or foreign randomness, by header and by name. repeatable: files are
// allowed. Tests of both: no clock and no foreign randomness.
// wait: no sleep and no random device in any file; what waits must wait for something.
Findings check_purity(const SourceFile& file, const Layers& layers);

}  // namespace weir::house
