# SPDX-License-Identifier: Apache-2.0
# cmake -DOUTPUT=FOLDER -P LacunaManual.cmake -- PROGRAM...
# Writes what the program says of itself: pages of the manual, one for each command that its own page
# names, into FOLDER/man1, and completions for three shells into FOLDER. PROGRAM may be an emulator
# with the program.
cmake_policy(VERSION 3.25)
set(program "")
set(after FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
  if(after)
    list(APPEND program "${CMAKE_ARGV${i}}")
  elseif(CMAKE_ARGV${i} STREQUAL "--")
    set(after TRUE)
  endif()
endforeach()

function(print_to file)
  execute_process(COMMAND ${program} ${ARGN} OUTPUT_FILE ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${OUTPUT})
file(MAKE_DIRECTORY ${OUTPUT}/man1)
print_to(${OUTPUT}/man1/lacuna.1 --man)
file(READ ${OUTPUT}/man1/lacuna.1 page)
string(REGEX REPLACE ".*\n\\.SH SEE ALSO\n" "" pages "${page}")
string(REPLACE "\\-" "-" pages "${pages}")
string(REGEX MATCHALL "lacuna-[a-z-]+" pages "${pages}")
foreach(name IN LISTS pages)
  string(REGEX REPLACE "^lacuna-" "" command ${name})
  print_to(${OUTPUT}/man1/${name}.1 --man ${command})
endforeach()
print_to(${OUTPUT}/lacuna.bash --completion bash)
print_to(${OUTPUT}/_lacuna --completion zsh)
print_to(${OUTPUT}/lacuna.fish --completion fish)
file(TOUCH ${OUTPUT}/finished)
