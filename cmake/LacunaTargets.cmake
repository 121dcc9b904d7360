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

# lacuna_cold(target): what no run waits for is compiled quickly rather than to be quick.
function(lacuna_cold target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# lacuna_folder(name DEPENDS target... [WITHOUT subfolder]): the static library of one folder of src/,
# whose objects are also part of the installed library (LacunaInstall.cmake). The link line is
# the dependency rule of docs/architecture.md; scripts/check_layers.py checks the #include lines.
function(lacuna_folder name)
  cmake_parse_arguments(ARG "" "WITHOUT" "DEPENDS" ${ARGN})
  string(REPLACE "/" "_" target "lacuna_${name}")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cpp)
  if(ARG_WITHOUT)
    list(FILTER sources EXCLUDE REGEX "/src/${name}/${ARG_WITHOUT}/")
  endif()
  set_property(GLOBAL APPEND PROPERTY LACUNA_FOLDERS ${target})
  add_library(${target} STATIC ${sources})
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(${target} PUBLIC ${ARG_DEPENDS} PRIVATE lacuna_flags)
  lacuna_unity(${target})
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
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 600)  # of a busy machine, too
  endif()
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT})
endfunction()

# lacuna_bench_program(name SOURCES ... DEPENDS target...): one measuring program, run by the target
# run_bench.
function(lacuna_bench_program name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_DEPENDS} lacuna_flags)
  if(NOT TARGET run_bench)
    add_custom_target(run_bench)
  endif()
  add_custom_target(run_${name} COMMAND ${name} DEPENDS ${name} USES_TERMINAL)
  add_dependencies(run_bench run_${name})
endfunction()
