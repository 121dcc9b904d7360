# SPDX-License-Identifier: Apache-2.0
# Flags that every target of the project shares. No -ffast-math; -ffp-contract=off because g++
# emits fused multiply-add on ARM even with -std=c++20.
option(LACUNA_SANITIZE_THREADS "Build with the thread sanitizer" OFF)
option(LACUNA_COVERAGE "Build for gcov" OFF)
option(LACUNA_FUZZ "Build the fuzz programs (clang's libFuzzer and both sanitizers)" OFF)

# g++ 12 raises -Wrestrict falsely where strings are concatenated (its bug 105651), and three more where
# they are moved or resized, or are members that may not be set (105329, 105562).
add_library(lacuna_flags INTERFACE)
target_compile_options(lacuna_flags INTERFACE
  -Wall -Wextra -Wconversion -Wsign-conversion -Wzero-as-null-pointer-constant -ffp-contract=off
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(lacuna_flags INTERFACE -Wno-stringop-overflow -Wno-array-bounds
    -Wno-maybe-uninitialized)
endif()
# How a cache of compilations (ccache) wants precompiled headers.
if(LACUNA_UNITY)
  target_compile_options(lacuna_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endif()
if(NOT LACUNA_UNITY)  # as one, a local name may well equal one of another file
  target_compile_options(lacuna_flags INTERFACE -Wshadow)
endif()
if(LACUNA_WERROR)
  target_compile_options(lacuna_flags INTERFACE -Werror)
endif()

if(LACUNA_SANITIZE AND LACUNA_SANITIZE_THREADS)
  message(FATAL_ERROR "LACUNA_SANITIZE and LACUNA_SANITIZE_THREADS exclude each other")
endif()
if(LACUNA_FUZZ AND NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  message(FATAL_ERROR "LACUNA_FUZZ needs clang: use the preset fuzz")
endif()
if(LACUNA_FUZZ)
  target_compile_options(lacuna_flags INTERFACE
    -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(lacuna_flags INTERFACE -fsanitize=address,undefined)
elseif(LACUNA_SANITIZE)
  target_compile_options(lacuna_flags INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(lacuna_flags INTERFACE -fsanitize=address,undefined)
  if(NOT LACUNA_SANITIZE_POINTERS)
    target_compile_options(lacuna_flags INTERFACE -fno-sanitize=null,alignment,vptr,object-size)
  endif()
elseif(LACUNA_SANITIZE_THREADS)
  target_compile_options(lacuna_flags INTERFACE -fsanitize=thread -fno-omit-frame-pointer)
  target_link_options(lacuna_flags INTERFACE -fsanitize=thread)
endif()
if(LACUNA_COVERAGE)
  target_compile_options(lacuna_flags INTERFACE --coverage -O0)
  target_link_options(lacuna_flags INTERFACE --coverage)
endif()

# lacuna_link_options(target options...): those of them that this linker knows. GNU's and LLVM's for
# ELF know all that we use; others hide and keep what they do in ways of their own.
include(CheckLinkerFlag)
function(lacuna_link_options target)
  foreach(flag IN LISTS ARGN)
    string(REGEX REPLACE "=.*" "" name "${flag}")
    string(MAKE_C_IDENTIFIER "LACUNA_LINKER_KNOWS${name}" known)
    check_linker_flag(CXX "${flag}" ${known})
    if(${known})
      target_link_options(${target} PRIVATE "${flag}")
    endif()
  endforeach()
endfunction()
