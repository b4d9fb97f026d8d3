// The fields of a job request, once for JSON, TOML and flags.
#pragma once

#include <string_view>

#include "base/result.hpp"
#include "formats/job_request.hpp"
#include "formats/job_request_place.hpp"
#include "formats/toml.hpp"

namespace weir::job_request {

// Every field of the table into the request; those it does not name stay as they are.
Status read_fields(JobRequest& request, const TomlTable& table, const Place& place);

// One field of a flag.
Status read_flag(JobRequest& request, std::string_view flag, std::string_view text);

}  // namespace weir::job_request
