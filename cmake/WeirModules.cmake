# weir_module(NAME [DEPS module...] [LIBS target...])
#
# A module is the folder src/NAME: all its .cpp files but tests become the library weir_NAME, all
# its *_test.cpp files and their helpers test_*.cpp one test program weir_NAME_test. DEPS are
# modules, passed on to users; LIBS are third-party targets and stay private unless the module is
# `base`.
function(weir_module name)
  cmake_parse_arguments(arg "" "" "DEPS;LIBS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/${name}/*.cpp")
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$|/test_[^/]*\\.cpp$|/(cli|stepd)/main\\.cpp$")
  if(NOT WEIR_TESTS)  # the simulated site with faults: no command uses it
    list(FILTER sources EXCLUDE REGEX "/sim/faults/")
  endif()
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$|/test_[^/]*\\.cpp$")

  set(deps ${arg_DEPS})
  list(TRANSFORM deps PREPEND weir_)
  if(sources)
    add_library(weir_${name} STATIC ${sources})
    target_include_directories(weir_${name} PUBLIC "${CMAKE_SOURCE_DIR}/src")
    target_compile_definitions(weir_${name} PRIVATE WEIR_VERSION="${PROJECT_VERSION}")
    target_link_libraries(weir_${name} PUBLIC ${deps} PRIVATE weir_warnings)
    weir_tidy(weir_${name})
    if(name STREQUAL "base")
      target_link_libraries(weir_${name} PUBLIC ${arg_LIBS})
    else()
      target_link_libraries(weir_${name} PRIVATE ${arg_LIBS})
    endif()
  else()
    add_library(weir_${name} INTERFACE)
    target_link_libraries(weir_${name} INTERFACE ${deps})
  endif()

  if(WEIR_TESTS AND tests)
    add_executable(weir_${name}_test ${tests})
    target_link_libraries(weir_${name}_test PRIVATE weir_${name} weir_testing weir_warnings)
    weir_test_headers(weir_${name}_test)
    add_test(NAME unit.${name} COMMAND weir_${name}_test)
  endif()
endfunction()

# With WEIR_TIDY, each file of these targets passes clang-tidy before it is compiled, and the target
# `tidy` builds them all; ninja knows what changed, also in .clang-tidy.
if(WEIR_TIDY)
  add_custom_target(tidy)
endif()
function(weir_tidy target)
  if(WEIR_TIDY)
    set_target_properties(${target} PROPERTIES CXX_CLANG_TIDY "clang-tidy-19;--quiet")
    get_target_property(sources ${target} SOURCES)
    set_source_files_properties(${sources} PROPERTIES OBJECT_DEPENDS "${CMAKE_SOURCE_DIR}/.clang-tidy")
    add_dependencies(tidy ${target})
  endif()
endfunction()

# Nearly every test includes the same large headers: they are compiled once. Not under clang-tidy,
# where each file must include what it uses.
function(weir_test_headers target)
  if(NOT WEIR_TIDY AND NOT WEIR_COVERAGE)
    target_precompile_headers(${target} REUSE_FROM weir_test_headers)
  endif()
  # The speed of test code itself matters to nobody.
  if(NOT WEIR_SANITIZE)
    target_compile_options(${target} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O0>)
  endif()
endfunction()

if(WEIR_TESTS)
  # What every test program links: GoogleTest, rapidcheck and the helpers of tests/support.
  add_library(weir_testing INTERFACE)
  # What some libraries ask for, and all tests share headers: the same for all.
  target_compile_options(weir_testing INTERFACE -pthread)
  target_include_directories(weir_testing INTERFACE "${CMAKE_SOURCE_DIR}/tests")
  target_link_libraries(weir_testing INTERFACE GTest::gtest GTest::gmock GTest::gtest_main
                                               rapidcheck rapidcheck_gtest)
  target_compile_definitions(weir_testing INTERFACE
                             WEIR_DEFAULT_TEST_DATA="${CMAKE_SOURCE_DIR}/../shared/data")
  if(NOT WEIR_TIDY AND NOT WEIR_COVERAGE)
    file(GENERATE OUTPUT "${CMAKE_BINARY_DIR}/test_headers.cpp" CONTENT "")
    add_library(weir_test_headers OBJECT "${CMAKE_BINARY_DIR}/test_headers.cpp")
    target_link_libraries(weir_test_headers PRIVATE weir_base weir_testing weir_warnings)
    if(NOT WEIR_SANITIZE)
      target_compile_options(weir_test_headers PRIVATE $<$<CONFIG:RelWithDebInfo>:-O0>)
    endif()
    target_precompile_headers(weir_test_headers PRIVATE <algorithm> <cstdint> <functional> <map>
      <memory> <optional> <set> <string> <string_view> <utility> <variant> <vector> <fmt/format.h>
      <gmock/gmock.h> <gtest/gtest.h>)
  endif()
endif()
