// The words of the fabric reports: rates, ratios, and one sentence for each sort of oddity and gap.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "fabric/site_view.hpp"

namespace weir::report {

// "1 switch", "666 switches"
std::string counted(std::size_t number, std::string_view one, std::string_view many);

// "200 Gb/s", "732.8 Tb/s"; "unknown rate" for zero.
std::string rate_text(Bandwidth rate);

// "4xHDR (200 Gb/s)"
std::string rate_text(fabric::LinkRate rate);

// Down against up as "1.05 : 1"; empty when either is zero.
std::string ratio_text(Bandwidth down, Bandwidth up);

// "3 HCAs have no cable": a sentence for `count` oddities of one kind, and what to do about them.
std::string oddity_sentence(fabric::OddityKind kind, std::size_t count);
std::string gap_sentence(fabric::GapKind kind, std::size_t count);

// "MF0;leaf01:MQM8700/U1 port 15 to port 3 of gpu001 mlx5_0"; names made safe to print.
std::string gap_text(const fabric::SiteView& view, const fabric::Gap& gap);

// "MF0;spine01:MQM8700/U1 (0x...): 14 cables, the first from MF0;leaf01:MQM8700/U1 port 15"
std::string missing_node_text(const fabric::SiteView& view, const fabric::CableEnd& first,
                              std::size_t cables);

// "0-3, 6" of {0, 1, 2, 3, 6}. REQUIRES: ascending.
std::string ranges_text(const std::vector<std::size_t>& numbers);

}  // namespace weir::report
