# SPDX-License-Identifier: Apache-2.0
# Fails unless PROGRAM --reference prints PAGE.
execute_process(COMMAND ${PROGRAM} --reference OUTPUT_VARIABLE printed RESULT_VARIABLE trouble)
file(READ ${PAGE} page)
if(NOT trouble EQUAL 0 OR NOT "${printed}" STREQUAL "${page}")
  message(FATAL_ERROR "docs/options.md is not what lacuna-bench --reference prints; run make reference")
endif()
