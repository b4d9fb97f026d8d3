// The jobs of one run, a line each, for a spreadsheet or a data frame.
#pragma once

#include <string>
#include <string_view>

#include "sim/result.hpp"

namespace weir::report {

// A header and one line per outcome:
//   row,job,submit,start,end,wait_s,runtime_s,completion_s,gpus,nodes,units,pods,refused,reason
// row counts the jobs of the trace from 1; instants as 2017-10-01T07:01:55 (with a fraction only
// where there is one), seconds exact to the microsecond. Empty: times of a refused job, units and
// pods without a topology. Quoted by RFC 4180, lines end with \n alone.
std::string jobs_csv(const sim::RunResult& run);

// One field: in quotes, with quotes doubled, where it holds a comma, a quote or a line break.
std::string csv_field(std::string_view text);

}  // namespace weir::report
