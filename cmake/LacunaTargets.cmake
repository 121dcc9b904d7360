# lacuna_folder(name DEPENDS target...): the static library of one folder of src/. The link line is
# the dependency rule of docs/architecture.md; scripts/check_layers.py checks the #include lines.
function(lacuna_folder name)
  cmake_parse_arguments(ARG "" "" "DEPENDS" ${ARGN})
  string(REPLACE "/" "_" target "lacuna_${name}")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cpp)
  add_library(${target} STATIC ${sources})
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(${target} PUBLIC ${ARG_DEPENDS} PRIVATE lacuna_flags)
endfunction()

# lacuna_test(name sources... DEPENDS target...): one GoogleTest program, one ctest entry per test.
function(lacuna_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_DEPENDS} lacuna_flags GTest::gmock GTest::gtest_main)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_compile_definitions(${name} PRIVATE LACUNA_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
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
