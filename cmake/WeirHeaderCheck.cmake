# Target check_headers: every header under src and tests/support compiles alone, twice included.
# Not part of `all`; `./dev check` builds it with both compilers.
function(weir_header_check)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${CMAKE_SOURCE_DIR}"
       "${CMAKE_SOURCE_DIR}/src/*.hpp" "${CMAKE_SOURCE_DIR}/tests/support/*.hpp")
  set(units)
  foreach(header ${headers})
    string(REGEX REPLACE "^(src|tests)/" "" included "${header}")
    set(unit "${CMAKE_BINARY_DIR}/check_headers/${header}.cpp")
    file(CONFIGURE OUTPUT "${unit}" CONTENT "#include \"${included}\"\n#include \"${included}\"\n")
    list(APPEND units "${unit}")
  endforeach()
  if(units)
    add_library(check_headers OBJECT EXCLUDE_FROM_ALL ${units})
    target_include_directories(check_headers PRIVATE "${CMAKE_SOURCE_DIR}/src")
    target_link_libraries(check_headers PRIVATE fmt::fmt weir_testing weir_warnings)
    target_compile_options(check_headers PRIVATE -O0 -g0)
  endif()
endfunction()
