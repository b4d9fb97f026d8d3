// The machine itself: its name, size and clock, and the signals that ask a service to stop.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "base/time.hpp"
#include "os/descriptor.hpp"

namespace weir::os {

std::string host_name();
std::uint32_t cpus();
std::uint64_t memory_mib();
// Can be set by anybody; for what people read, and certificates.
Instant wall_clock();

// Readable once SIGINT or SIGTERM has come; they do nothing else then. Call it before any thread is
// started.
Result<Descriptor> stop_signals();

// This process gets SIGTERM when its parent has died.
void end_with_parent();

}  // namespace weir::os
