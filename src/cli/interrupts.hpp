// Interrupts: Ctrl-C (SIGINT) and SIGTERM as something to wait for, instead of the program's end.
#pragma once

#include <csignal>

#include "os/descriptor.hpp"

namespace weir::cli {

// One at a time in a program; what the signals did before comes back with its end.
class Interrupts {
 public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  // Readable while take() would give true.
  [[nodiscard]] int descriptor() const { return event_.get(); }
  // Whether one has come since it was last asked.
  [[nodiscard]] bool take() const;

 private:
  os::Descriptor event_;
  struct sigaction old_int_{};
  struct sigaction old_term_{};
};

}  // namespace weir::cli
