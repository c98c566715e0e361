# Parsing headers is three quarters of a build from nothing; these are in nearly every file.
set(PLIMSOLL_COMMON_HEADERS
    <algorithm> <array> <chrono> <cstdint> <expected> <functional> <map> <memory> <mutex> <optional> <set> <span>
    <string> <string_view> <utility> <variant> <vector> <fmt/format.h>)

# plimsoll_module(NAME match DEPS base api [LIBS ext…] [TEST_DEPS …] [PRECOMPILE header…])
# One folder, one library plimsoll_<name>, one test program <name>_test. Sources and tests are found
# by name, so a new file needs no edit here. PRECOMPILE names headers that most of the folder includes.
function(plimsoll_module)
  cmake_parse_arguments(M "" "NAME" "DEPS;LIBS;TEST_DEPS;PRECOMPILE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.h)
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER sources EXCLUDE REGEX "(_test|/main)\\.cc$")

  add_library(plimsoll_${M_NAME} STATIC ${sources})
  set_target_properties(plimsoll_${M_NAME} PROPERTIES LINKER_LANGUAGE CXX
                                                      VERIFY_INTERFACE_HEADER_SETS ON)
  target_sources(plimsoll_${M_NAME} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/src
                                           FILES ${headers})
  plimsoll_flags(plimsoll_${M_NAME})
  list(TRANSFORM M_DEPS PREPEND plimsoll_)
  target_link_libraries(plimsoll_${M_NAME} PUBLIC ${M_DEPS} ${M_LIBS})
  if(PLIMSOLL_QUICK)
    list(TRANSFORM M_PRECOMPILE PREPEND ${PROJECT_SOURCE_DIR}/src/ REGEX "^[^<]")
    target_precompile_headers(plimsoll_${M_NAME} PRIVATE ${PLIMSOLL_COMMON_HEADERS} ${M_PRECOMPILE})
  endif()

  if(tests)
    add_executable(${M_NAME}_test ${tests})
    plimsoll_flags(${M_NAME}_test)
    list(TRANSFORM M_TEST_DEPS PREPEND plimsoll_)
    target_link_libraries(${M_NAME}_test PRIVATE plimsoll_${M_NAME} ${M_TEST_DEPS}
                                                 ${PLIMSOLL_RAPIDCHECK} GTest::gmock GTest::gtest_main)
    # RapidCheck takes a new seed at each run; here the same tree must give the same verdict.
    gtest_discover_tests(${M_NAME}_test NO_PRETTY_VALUES DISCOVERY_MODE PRE_TEST
                         TEST_PREFIX "${PLIMSOLL_TEST_PREFIX}"
                         PROPERTIES ENVIRONMENT RC_PARAMS=seed=1876)
  endif()
endfunction()
