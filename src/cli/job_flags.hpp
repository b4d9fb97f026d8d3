// The flags that say what a job is, for `weir submit` and `weir run`, and the requests that follow.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "formats/job_request.hpp"

namespace CLI {
class App;
}

namespace weir::cli {

// As typed; outlives the App's parsing.
struct JobFlags {
  // The field of set_job_flag() and its text.
  std::vector<std::pair<std::string, std::string>> given;
  std::vector<std::string> command;
  std::string user;  // root may submit for others
};

// What is behind the first word that is no flag, or behind "--", is the command.
void add_job_flags(CLI::App& command, JobFlags& flags);

// Where the caller stands.
struct Surroundings {
  std::string directory;
  std::uint32_t umask = 022;
  // The value of a variable; null where unset.
  const char* (*variable)(const char* name) = nullptr;
};
Surroundings own_surroundings();

// The job of flags and command. PATH and HOME go along where nothing else is said; so do the
// directory and the umask. Errors (kBadInput): no command; what set_job_flag() refuses.
Result<JobRequest> request_of(const JobFlags& flags, const Surroundings& here);

// All jobs of a TOML file; a flag wins over what the file says. Errors: as request_of(), a command
// beside the file, what parse_job_requests_toml() refuses, the file cannot be read.
Result<std::vector<JobRequest>> requests_of(const JobFlags& flags, const std::string& file,
                                            const Surroundings& here);

// "/v1/jobs", with the user for whom root submits.
std::string submit_target(const JobFlags& flags);

}  // namespace weir::cli
