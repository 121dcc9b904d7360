# SPDX-License-Identifier: Apache-2.0
# cmake -DCOMPILER=... -DROOT=... -DCASE=file.cpp -P run_case.cmake: see CMakeLists.txt.
set(ENV{LC_ALL} C)  # messages in English with plain quotes
set(command ${COMPILER} -std=c++20 -fsyntax-only -Wall -Wextra -Werror=unused-result
  -I${ROOT}/include -I${ROOT}/src ${CASE})

file(STRINGS ${CASE} expect REGEX "^// expect: ")
list(LENGTH expect count)
if(NOT count EQUAL 1)
  message(FATAL_ERROR "${CASE} needs exactly one line '// expect: regular expression'")
endif()
string(REPLACE "// expect: " "" expect "${expect}")

execute_process(COMMAND ${command} RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "the control does not compile:\n${text}")
endif()

execute_process(COMMAND ${command} -DLACUNA_FORBIDDEN
  RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
if(code EQUAL 0)
  message(FATAL_ERROR "the case compiles although it must not:\n${CASE}")
endif()
if(NOT text MATCHES "${expect}")
  message(FATAL_ERROR "the case fails for another reason than\n  ${expect}\n${text}")
endif()
