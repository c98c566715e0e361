# plimsoll_unite(target source…): templates are made once for many sources, which are compiled as one.
function(plimsoll_unite target)
  set(grouping ${PROJECT_SOURCE_DIR}/tools/unity_groups.py)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${grouping} ${ARGN})
  execute_process(COMMAND ${Python3_EXECUTABLE} ${grouping} ${ARGN} OUTPUT_VARIABLE lines
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" lines "${lines}")
  while(lines)
    list(POP_FRONT lines group source)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endwhile()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# plimsoll_tests(name together): tells CTest about the test program <name>_test.
# The release build runs each test in a process of its own. A program with a sanitizer takes long to
# start, so the sanitizer builds run each program in four parts. Tests that match the GoogleTest
# filter `together` share something that takes long to start; they always run in one process.
function(plimsoll_tests name together)
  # RapidCheck takes a new seed at each run; here the same tree must give the same verdict.
  set(environment RC_PARAMS=seed=1876)
  set(apart "*")
  if(together)
    set(apart "-${together}")
    set(test ${PLIMSOLL_TEST_PREFIX}${name}_together)
    add_test(NAME ${test} COMMAND ${name}_test --gtest_filter=${together})
    set_tests_properties(${test} PROPERTIES ENVIRONMENT ${environment} TIMEOUT 600)
  endif()
  if(PLIMSOLL_TEST_PREFIX STREQUAL "")
    gtest_discover_tests(${name}_test NO_PRETTY_VALUES DISCOVERY_MODE PRE_TEST TEST_FILTER "${apart}"
                         PROPERTIES ENVIRONMENT ${environment})
    return()
  endif()
  foreach(part RANGE 3)
    set(test ${PLIMSOLL_TEST_PREFIX}${name}_test.${part})
    add_test(NAME ${test} COMMAND ${name}_test --gtest_brief=1 "--gtest_filter=${apart}")
    set_tests_properties(${test} PROPERTIES TIMEOUT 1200 ENVIRONMENT
                         "${environment};GTEST_TOTAL_SHARDS=4;GTEST_SHARD_INDEX=${part}")
  endforeach()
endfunction()

# plimsoll_module(NAME match DEPS base api [LIBS ext…] [TEST_DEPS …] [TOGETHER filter])
# One folder, one library plimsoll_<name>, one test program <name>_test. Sources and tests are found
# by name, so a new file needs no edit here. See plimsoll_tests for TOGETHER.
function(plimsoll_module)
  cmake_parse_arguments(M "" "NAME;TOGETHER" "DEPS;LIBS;TEST_DEPS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.h)
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER sources EXCLUDE REGEX "(_test|/main)\\.cc$")
  list(FILTER headers EXCLUDE REGEX "_for_test\\.h$")

  add_library(plimsoll_${M_NAME} STATIC ${sources})
  set_target_properties(plimsoll_${M_NAME} PROPERTIES LINKER_LANGUAGE CXX
                                                      VERIFY_INTERFACE_HEADER_SETS ON)
  target_sources(plimsoll_${M_NAME} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/src
                                           FILES ${headers})
  plimsoll_flags(plimsoll_${M_NAME})
  list(TRANSFORM M_DEPS PREPEND plimsoll_)
  target_link_libraries(plimsoll_${M_NAME} PUBLIC ${M_DEPS} ${M_LIBS})
  set(unite ${PLIMSOLL_UNITY})
  if(M_NAME IN_LIST PLIMSOLL_FILE_BY_FILE)
    set(unite OFF)
  endif()
  if(unite)
    plimsoll_unite(plimsoll_${M_NAME} ${sources})
  endif()

  if(tests)
    add_executable(${M_NAME}_test ${tests})
    plimsoll_flags(${M_NAME}_test GTEST)
    if(unite)
      plimsoll_unite(${M_NAME}_test ${tests})
    endif()
    list(TRANSFORM M_TEST_DEPS PREPEND plimsoll_)
    target_link_libraries(${M_NAME}_test PRIVATE plimsoll_${M_NAME} ${M_TEST_DEPS}
                                                 ${PLIMSOLL_RAPIDCHECK} GTest::gmock GTest::gtest_main)
    plimsoll_tests(${M_NAME} "${M_TOGETHER}")
  endif()
endfunction()
