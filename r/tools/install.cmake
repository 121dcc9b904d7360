# SPDX-License-Identifier: Apache-2.0
# Installs the package with a shared object that is built already: the files of the package are
# staged beside it, and R has nothing to compile.
file(REMOVE_RECURSE ${STAGE})
file(MAKE_DIRECTORY ${STAGE}/src ${LIBRARY})
foreach(part DESCRIPTION NAMESPACE R man inst)
  if(EXISTS ${SOURCE}/${part})
    file(COPY ${SOURCE}/${part} DESTINATION ${STAGE})
  endif()
endforeach()
file(WRITE ${STAGE}/src/Makefile "all:\n")
file(WRITE ${STAGE}/src/install.libs.R
"folder <- file.path(R_PACKAGE_DIR, paste0('libs', R_ARCH))
dir.create(folder, recursive = TRUE, showWarnings = FALSE)
if (!file.copy('${MODULE}', folder, overwrite = TRUE)) stop('the shared object is missing')
")
execute_process(COMMAND ${R} CMD INSTALL --no-staged-install --library=${LIBRARY} ${STAGE}
  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE trouble)
if(trouble)
  message(FATAL_ERROR "R could not install the package:\n${output}")
endif()
file(TOUCH ${LIBRARY}/installed)
