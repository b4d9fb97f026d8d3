// Jobs in words for people: Slurm's short states, times, and sentences.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.hpp"
#include "formats/toml.hpp"

namespace weir::cli {

// "PENDING" -> "PD", as squeue; a state that is not known stays as it is.
std::string short_state(std::string_view state);

// As squeue: "0:07", "12:03", "1:00:00", "2-03:00:00"; never negative.
std::string elapsed_text(Duration duration);

// "2026-01-05 09:00:00 UTC"
std::string utc_text(Instant at);

Instant now();

// The object of GET /v1/jobs/{id}: has it ended; and the exit code that `weir run` passes on: the
// job's own, 128 and the signal, 0 when it ended well, else 1.
bool has_ended(const TomlTable& job);
int exit_code_of(const TomlTable& job);

// "12 (train)"
std::string called(const TomlTable& job);

// Sentences: why it waits, where and since when it runs, how it ended.
std::string why_text(const TomlTable& job, Instant now);

}  // namespace weir::cli
