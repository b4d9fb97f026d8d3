# The compiler settings of every target: C++23 as far as GCC 12 and clang 19 both carry it.
set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()

# Placement counts bits all day. Every x86 server since 2009 has popcnt (x86-64-v2); other
# architectures have it in their baseline.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  add_compile_options(-march=x86-64-v2)
endif()

add_library(weir_warnings INTERFACE)
target_compile_options(weir_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
# clang sees inside std::stable_sort of libstdc++ 12 a function that C++20 deprecates; g++ still
# reports the deprecated things that we call ourselves.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  target_compile_options(weir_warnings INTERFACE -Wno-deprecated-declarations)
endif()
# Under a sanitizer g++ 12 warns of overflows in the strings of its own library; the other builds of
# the same code keep the rule.
if(WEIR_WERROR AND NOT (WEIR_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU"))
  target_compile_options(weir_warnings INTERFACE -Werror)
endif()

# Lines for stack traces; whole variables in debuggers cost a quarter of the time to build.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1 -DNDEBUG")

if(WEIR_SANITIZE)
  add_compile_options(-fsanitize=${WEIR_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  # Enough for honest stack traces; -O2 -g would double the time to build.
  add_compile_options(-O1 -g1)
  add_link_options(-fsanitize=${WEIR_SANITIZE})
endif()
if(WEIR_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(WEIR_COVERAGE)
  add_compile_options(--coverage -O0)
  add_link_options(--coverage)
endif()
