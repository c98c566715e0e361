# Tools that make the build fast are used where they are installed and never required.
find_program(PLIMSOLL_CCACHE ccache)
if(PLIMSOLL_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${PLIMSOLL_CCACHE})
endif()
find_program(PLIMSOLL_MOLD mold)
if(PLIMSOLL_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

# plimsoll_flags(target): what every target of ours is compiled with.
function(plimsoll_flags target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
                                           -fno-omit-frame-pointer
                                           # Where a checkout lies must not show in what is made of
                                           # it; ccache then knows it from other checkouts, too.
                                           -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)
  # PL_TRY is a statement expression: both compilers have it, -Wpedantic would refuse it.
  # libstdc++ 12 sorts with a function that C++20 deprecates, and clang blames whoever sorts.
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    target_compile_options(${target} PRIVATE -Wno-gnu-statement-expression
                                             -Wno-deprecated-declarations
                                             -Wno-missing-designated-field-initializers
                                             -Wno-missing-field-initializers)
  else()
    target_compile_options(${target} PRIVATE -Wno-missing-field-initializers)
    if(PLIMSOLL_UNITY)
      # It takes a source within another for a header; and where it inlines more, it doubts std::expected.
      target_compile_options(${target} PRIVATE -Wno-subobject-linkage -Wno-maybe-uninitialized)
    endif()
  endif()
  if(PLIMSOLL_QUICK OR NOT PLIMSOLL_TEST_PREFIX STREQUAL "")
    target_compile_options(${target} PRIVATE -w)  # the release build has warned
  endif()
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
endfunction()
