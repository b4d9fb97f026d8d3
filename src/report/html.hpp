// The comparison as one page: a single file with its style sheet, pictures and script in it.
#pragma once

#include <string>

#include "sim/result.hpp"

namespace weir::report {

// A complete HTML document, well-formed as XML too, that loads nothing and can be read without
// script: what was run, what it means, the table, and charts of utilisation, queue length, wait by
// job size, and, with a topology, jobs over several units and GPUs by unit. Light and dark. Below
// 600 KB for nine runs however long they are; everything from files is escaped.
std::string comparison_html(const sim::Comparison& comparison);

}  // namespace weir::report
