# Tools that make the build fast are used where they are installed and never required.
find_program(PLIMSOLL_CCACHE ccache)
if(PLIMSOLL_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Another checkout of the same sources finds what this one has compiled. ccache accepts precompiled headers only
  # with this sloppiness; no header of ours uses __DATE__ or __TIME__.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros ${PLIMSOLL_CCACHE})
endif()
find_program(PLIMSOLL_MOLD mold)
if(PLIMSOLL_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

# Clang 19 does not define the macros by which code knows GCC's sanitizers.
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  foreach(sanitizer address thread)
    if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=[a-z,]*${sanitizer}")
      string(TOUPPER __SANITIZE_${sanitizer}__ macro)
      add_compile_definitions(${macro}=1)
    endif()
  endforeach()
endif()

# plimsoll_flags(target [GTEST]): sets the options that every target of ours is compiled with. GTEST: it uses GoogleTest.
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
  if(NOT PLIMSOLL_WARN)
    target_compile_options(${target} PRIVATE -w)
  endif()
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  if(PLIMSOLL_PRECOMPILE AND NOT target MATCHES "^plimsoll_precompiled")
    plimsoll_precompile(${target} ${ARGN})
  endif()
endfunction()
