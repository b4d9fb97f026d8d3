// Our own job file: TOML with one [[job]] table for each job, and a [defaults] table for what they
// share. docs/reference/job-file.md describes every field with an example.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/limits.hpp"
#include "base/result.hpp"
#include "formats/trace.hpp"
#include "formats/trace_filter.hpp"
#include "model/node.hpp"

namespace weir {

struct JobFileOptions {
  TraceFilter filter;
  // What `rails = "all"` stands for: the rails of the site; none where it has no fabric.
  RailMask site_rails = 0;
  // Jobs that the file may describe, repeats and those the filter leaves out counted.
  std::size_t most_jobs = limits::kJobFileJobs;
};

// `file` stands in messages only. Each error begins with "file:line: " and names the field. Errors:
// no TOML, an unknown key (with the nearest known one), a value that no job can have, two fields
// that exclude each other, no job at all, none that the filter takes, too many (kLimit).
Result<Trace> parse_job_file(std::string_view text, std::string_view file,
                             const JobFileOptions& options = {});

// The jobs as a job file that parses back to equal jobs. REQUIRES: jobs as the readers of this
// folder or a generator give them, with names in UTF-8.
std::string job_file_text(const Trace& jobs);

}  // namespace weir
