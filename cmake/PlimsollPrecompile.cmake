# Headers that most sources include, directly or not, and that take long to parse. GCC parses them once for each kind of target.
set(PLIMSOLL_COMMON_HEADERS
    <algorithm> <array> <atomic> <charconv> <chrono> <condition_variable> <cstdint> <deque> <expected> <functional> <map>
    <memory> <mutex> <optional> <set> <span> <string> <string_view> <tuple> <utility> <variant> <vector>
    <fmt/format.h> <boost/unordered/unordered_flat_map.hpp>
    ${PROJECT_SOURCE_DIR}/src/codec/json.h ${PROJECT_SOURCE_DIR}/src/cel/program.h
    ${PROJECT_SOURCE_DIR}/src/api/object.h)

# plimsoll_precompiled(name library… HEADERS header…): a target that holds nothing but precompiled headers. Targets can use
# them if they are compiled with the same options.
function(plimsoll_precompiled name)
  cmake_parse_arguments(P "" "" "HEADERS" ${ARGN})
  set(source ${PROJECT_BINARY_DIR}/${name}.cc)
  file(CONFIGURE OUTPUT ${source} CONTENT "")
  add_library(${name} OBJECT ${source})
  plimsoll_flags(${name})  # GCC reads them only with the same options, -Wpedantic included
  target_include_directories(${name} PRIVATE ${PROJECT_BINARY_DIR}/src/api/generated)
  target_compile_options(${name} PRIVATE -pthread)
  target_link_libraries(${name} PRIVATE ${P_UNPARSED_ARGUMENTS})
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    # Without the times of files, ccache knows the result from another checkout.
    target_compile_options(${name} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
  if(PLIMSOLL_CCACHE)
    # GCC recognises a header by its whole text. So an edit of a comment must not find the result for the old text.
    set_target_properties(${name} PROPERTIES CXX_COMPILER_LAUNCHER "env;CCACHE_COMMENTS=1;${CMAKE_CXX_COMPILER_LAUNCHER}")
  endif()
  target_precompile_headers(${name} PRIVATE ${P_HEADERS})
  add_dependencies(${name} plimsoll_api_generated)  # some of the headers include generated ones
endfunction()

# plimsoll_precompile(target [GTEST]): lets the target use the precompiled headers, with GTEST those of GoogleTest too.
function(plimsoll_precompile target)
  set(headers plimsoll_precompiled_common)
  if("GTEST" IN_LIST ARGN)
    set(headers plimsoll_precompiled_test)
  endif()
  target_compile_options(${target} PRIVATE -pthread
                                           # GCC 12 forgets that std::string is a system header, and doubts its copies.
                                           -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread)
  if(PLIMSOLL_CCACHE)
    # ccache needs the text of precompiled headers to know them again.
    if(NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
      target_compile_options(${target} PRIVATE -fpch-preprocess)
    endif()
  endif()
  target_precompile_headers(${target} REUSE_FROM ${headers})
endfunction()

if(PLIMSOLL_PRECOMPILE)
  plimsoll_precompiled(plimsoll_precompiled_common Boost::context fmt::fmt HEADERS ${PLIMSOLL_COMMON_HEADERS})
  plimsoll_precompiled(plimsoll_precompiled_test Boost::context fmt::fmt GTest::gmock
                       HEADERS ${PLIMSOLL_COMMON_HEADERS} <gmock/gmock.h> <gtest/gtest.h>)
endif()
