# SPDX-License-Identifier: Apache-2.0
# lacuna_unity(target): with LACUNA_UNITY, compiles the sources that the target has by now in a few
# groups instead of one by one; scripts/unity_groups.py says which go together. After a name clash
# inside a group configure again: the groups are dealt anew.
function(lacuna_unity target)
  if(NOT LACUNA_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "^${CMAKE_SOURCE_DIR}/.*\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "^${CMAKE_BINARY_DIR}/")
  execute_process(
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/scripts/unity_groups.py
            --lines ${LACUNA_UNITY_LINES} ${sources}
    OUTPUT_VARIABLE groups OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" groups "${groups}")
  foreach(line IN LISTS groups)
    string(REGEX MATCH "^([0-9]+) (.*)$" line "${line}")
    set_source_files_properties(${CMAKE_MATCH_2} PROPERTIES UNITY_GROUP ${target}_${CMAKE_MATCH_1})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# lacuna_precompiled(target kind): with LACUNA_UNITY, headers of others that nearly every file includes
# (precompiled.h) are read once for all targets of one kind, which have the same flags: `hot` and `cold`
# libraries, and the programs of tests. A compiler that cannot use what it finds reads the header again.
function(lacuna_precompiled target kind)
  if(NOT LACUNA_UNITY)
    return()
  endif()
  set(owner lacuna_headers_${kind})
  if(NOT TARGET ${owner})
    set(headers ${CMAKE_SOURCE_DIR}/cmake/precompiled.h)
    if(kind STREQUAL "test")  # programs are compiled by other flags than what may go into a library
      set(headers ${CMAKE_SOURCE_DIR}/cmake/precompiled_test.h)
      add_executable(${owner} EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/cmake/precompiled.cpp)
      target_link_libraries(${owner} PRIVATE GTest::gmock)
    else()
      add_library(${owner} OBJECT EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/cmake/precompiled.cpp)
    endif()
    target_link_libraries(${owner} PRIVATE lacuna_flags ${LACUNA_FMT} PkgConfig::GMPXX PkgConfig::GMP)
    target_precompile_headers(${owner} PRIVATE ${headers})
    if(NOT kind STREQUAL "hot")
      lacuna_cold(${owner})
    endif()
  endif()
  target_precompile_headers(${target} REUSE_FROM ${owner})
endfunction()

# lacuna_cold(target): what no run waits for is compiled quickly rather than to be quick.
function(lacuna_cold target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# lacuna_layers(file): reads the table of folders (src/layers.txt; scripts/layers.py says what is wrong
# with one) into global properties: the rooms of src/ from the ground up, and of every folder where it
# is, what it includes, its public headers and the libraries that it needs. A room of src/ is known by
# the last part of its path.
function(lacuna_layers file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(STRINGS ${file} lines REGEX "^([a-z]|  (includes|headers|libraries) )")
  list(FILTER lines EXCLUDE REGEX "^floor ")
  foreach(line IN LISTS lines)
    if(line MATCHES "^  ([a-z]+) +(.*)$")
      set(key ${CMAKE_MATCH_1})
      string(REGEX MATCHALL "[^ ]+" words "${CMAKE_MATCH_2}")
      set_property(GLOBAL APPEND PROPERTY "LACUNA_${key}_of_${name}" ${words})
    else()
      string(REGEX REPLACE "^src/.*/" "" name ${line})
      if(NOT name STREQUAL line)
        set_property(GLOBAL APPEND PROPERTY LACUNA_SRC_ROOMS ${name})
        set_property(GLOBAL PROPERTY "LACUNA_path_of_${name}" ${line})
      endif()
    endif()
  endforeach()
endfunction()

# lacuna_link(target name): links the target of a folder with those of the folders that it includes.
function(lacuna_link target name)
  get_property(includes GLOBAL PROPERTY "LACUNA_includes_of_${name}")
  list(REVERSE includes)  # from the top down, as a link line goes
  foreach(included IN LISTS includes)
    string(REGEX REPLACE "^apps/" "" linked ${included})
    string(REPLACE "/" "_" linked "lacuna_${linked}")
    if(included STREQUAL "public")
      get_property(linked GLOBAL PROPERTY LACUNA_WITH_HEADERS)  # those above it, by now
    elseif(included MATCHES "^(apps|bench)/" AND NOT TARGET ${linked})
      continue()  # a part that this build is without
    elseif(NOT TARGET ${linked})
      message(FATAL_ERROR "src/layers.txt: ${name} includes ${included}, which does not stand above it")
    endif()
    target_link_libraries(${target} PUBLIC ${linked})
  endforeach()
endfunction()

# lacuna_folder(name): the static library of one room of src/, linked as its row of src/layers.txt
# says, whose objects are also part of the installed library (LacunaInstall.cmake). Without what
# LACUNA_LEFT_OUT_<name> says, a folder inside.
function(lacuna_folder name)
  set(target "lacuna_${name}")
  get_property(path GLOBAL PROPERTY "LACUNA_path_of_${name}")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${path}/*.cpp)
  if(LACUNA_LEFT_OUT_${name})
    list(FILTER sources EXCLUDE REGEX "/${path}/${LACUNA_LEFT_OUT_${name}}/")
  endif()
  set_property(GLOBAL APPEND PROPERTY LACUNA_FOLDERS ${target})
  add_library(${target} STATIC ${sources})
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src)
  lacuna_link(${target} ${name})
  get_property(libraries GLOBAL PROPERTY "LACUNA_libraries_of_${name}")
  foreach(library IN LISTS libraries)
    if(NOT DEFINED LACUNA_LIBRARY_${library})
      message(FATAL_ERROR "src/layers.txt: src/CMakeLists.txt knows no library ${library} (${name})")
    endif()
    target_link_libraries(${target} PUBLIC ${LACUNA_LIBRARY_${library}})
  endforeach()
  target_link_libraries(${target} PRIVATE lacuna_flags)
  lacuna_unity(${target})
  if(name IN_LIST LACUNA_COLD)
    lacuna_cold(${target})
    lacuna_precompiled(${target} cold)
  else()
    lacuna_precompiled(${target} hot)
  endif()
  get_property(headers GLOBAL PROPERTY "LACUNA_headers_of_${name}")
  if(headers)
    set_property(GLOBAL APPEND PROPERTY LACUNA_WITH_HEADERS ${target})
  endif()
endfunction()

# lacuna_test(name sources... DEPENDS target...): one GoogleTest program, one ctest entry per test.
function(lacuna_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_DEPENDS} lacuna_flags GTest::gmock GTest::gtest_main)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_compile_definitions(${name} PRIVATE LACUNA_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  lacuna_unity(${name})
  lacuna_cold(${name})
  lacuna_precompiled(${name} test)
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 600)  # of a busy machine, too
  endif()
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT})
  lacuna_labels(offline TESTS ${name})
endfunction()

# lacuna_labels(label... TESTS test...): what `ctest -L` and `-LE` choose by.
#   offline   needs no network and nothing but Debian's packages of scripts/setup
#   python, r, browser   need what scripts/setup --with-python, --with-r and --with-browser bring
#   engines   needs other programs (PostgreSQL, Spark, Dask, Ray): `make test-all`, not `make test`
#   slow      takes its time: likewise; where a shorter run of the same stands in `make test` it is named so
function(lacuna_labels)
  cmake_parse_arguments(ARG "" "" "TESTS" ${ARGN})
  set_property(TEST ${ARG_TESTS} APPEND PROPERTY LABELS ${ARG_UNPARSED_ARGUMENTS})
endfunction()

# lacuna_bench_program(name SOURCES ... DEPENDS target...): one measuring program, built by the target
# bench_programs and run by run_bench.
function(lacuna_bench_program name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} EXCLUDE_FROM_ALL ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_DEPENDS} lacuna_flags)
  if(NOT TARGET run_bench)
    add_custom_target(run_bench)
    add_custom_target(bench_programs)
  endif()
  add_dependencies(bench_programs ${name})
  add_custom_target(run_${name} COMMAND ${name} DEPENDS ${name} USES_TERMINAL)
  add_dependencies(run_bench run_${name})
endfunction()
