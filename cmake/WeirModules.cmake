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

if(WEIR_TESTS)
  # What every test program links: GoogleTest, rapidcheck and the helpers of tests/support.
  add_library(weir_testing INTERFACE)
  target_include_directories(weir_testing INTERFACE "${CMAKE_SOURCE_DIR}/tests")
  target_link_libraries(weir_testing INTERFACE GTest::gtest GTest::gmock GTest::gtest_main
                                               rapidcheck rapidcheck_gtest)
  target_compile_definitions(weir_testing INTERFACE
                             WEIR_DEFAULT_TEST_DATA="${CMAKE_SOURCE_DIR}/../shared/data")
endif()
