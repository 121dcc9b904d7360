# SPDX-License-Identifier: Apache-2.0
# Parts that a build can be without. Each has an option of three states: ON (an error that says what
# to do if what it needs is missing), OFF, and AUTO, which takes what is found. lacuna_summary prints
# what came of it at the end of configure.

# lacuna_feature(name help): declares the option.
function(lacuna_feature name help)
  set(${name} AUTO CACHE STRING "${help}: ON, OFF, or AUTO (if it is there)")
  set_property(CACHE ${name} PROPERTY STRINGS AUTO ON OFF)
  set(asked "${${name}}")
  string(TOUPPER "${asked}" word)
  if(word MATCHES "^(ON|YES|TRUE|Y|1)$")
    set(word ON)
  elseif(word MATCHES "^(OFF|NO|FALSE|N|0)$")
    set(word OFF)
  elseif(NOT word STREQUAL "AUTO")
    message(FATAL_ERROR "${name} is '${asked}', and must be ON, OFF or AUTO")
  endif()
  set(${name} ${word} PARENT_SCOPE)  # the cache keeps what was asked
  set_property(GLOBAL APPEND PROPERTY LACUNA_FEATURES ${name})
  set_property(GLOBAL PROPERTY LACUNA_ASKED_${name} ${word})
endfunction()

# lacuna_found(name found what remedy): the feature becomes ON or OFF. `remedy` says what is missing
# and what to do.
function(lacuna_found name found what remedy)
  if(${name} STREQUAL "OFF")
    set_property(GLOBAL PROPERTY LACUNA_WHAT_${name} "as asked")
  elseif(found)
    set(${name} ON PARENT_SCOPE)
    set_property(GLOBAL PROPERTY LACUNA_WHAT_${name} "${what}")
  elseif(${name} STREQUAL "ON")
    message(FATAL_ERROR "${name} is ON, but there is ${remedy}")
  else()
    set(${name} OFF PARENT_SCOPE)
    set_property(GLOBAL PROPERTY LACUNA_WHAT_${name} "${remedy}")
  endif()
endfunction()

# Prints the features with what was asked and what came of it. Called by the outermost CMakeLists.txt,
# where the variables are what lacuna_found made of them.
function(lacuna_summary)
  get_property(features GLOBAL PROPERTY LACUNA_FEATURES)
  message(STATUS "Lacuna ${PROJECT_VERSION}, for ${CMAKE_INSTALL_PREFIX}:")
  foreach(name IN LISTS features)
    get_property(asked GLOBAL PROPERTY LACUNA_ASKED_${name})
    get_property(what GLOBAL PROPERTY LACUNA_WHAT_${name})
    set(state ${${name}})
    if(asked STREQUAL "AUTO")
      set(state "${state} (AUTO)")
    endif()
    message(STATUS "  ${name}: ${state}, ${what}")
  endforeach()
  foreach(name LACUNA_PORTABLE LACUNA_INSTALL LACUNA_TESTS LACUNA_BENCH LACUNA_BENCH_SETS LACUNA_PYTHON LACUNA_R)
    set(state OFF)
    if(${name})
      set(state ON)
    endif()
    message(STATUS "  ${name}: ${state}")
  endforeach()
  message(STATUS "  Parquet: no option; DuckDB's library is looked for when the program meets such a file")
endfunction()
