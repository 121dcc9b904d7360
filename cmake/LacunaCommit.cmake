# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT: the abbreviated commit of SOURCE_DIR as a constant, "unknown" where git does not say.
# A source package has it in a file.
set(commit unknown)
set(trouble 1)
if(EXISTS ${SOURCE_DIR}/COMMIT)
  file(READ ${SOURCE_DIR}/COMMIT commit)
  string(STRIP "${commit}" commit)
else()
  execute_process(COMMAND git -C ${SOURCE_DIR} rev-parse --short=12 HEAD
    OUTPUT_VARIABLE head OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE trouble)
endif()
if(trouble EQUAL 0)
  set(commit ${head})
  execute_process(COMMAND git -C ${SOURCE_DIR} status --porcelain --untracked-files=no
    OUTPUT_VARIABLE changes ERROR_QUIET)
  if(NOT "${changes}" STREQUAL "")
    string(APPEND commit "+")  # built from more than the commit
  endif()
endif()
set(text "#include \"lacuna/version.h\"\nnamespace lacuna {\nstd::string_view commit() {\n  return \"${commit}\";\n}\n}  // namespace lacuna\n")
set(old "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT "${old}" STREQUAL "${text}")
  file(WRITE ${OUTPUT} "${text}")
endif()
