// CPointer: owns what a C library handed out, and gives it back by the function named.
#pragma once

#include <memory>

namespace weir::identity {

template <auto Free>
struct FreedBy {
  template <typename T>
  void operator()(T* pointer) const {
    Free(pointer);
  }
};

template <typename T, auto Free>
using CPointer = std::unique_ptr<T, FreedBy<Free>>;

}  // namespace weir::identity
