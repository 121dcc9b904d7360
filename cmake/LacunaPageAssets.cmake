# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT: the style and the scripts of pages as constants of src/app/report/page_assets.h. The
# parts that the page of `lacuna serve` has, too, are modules in SHARED; a report is one file, so
# they follow each other in the order in which they need each other, without import and export. So do
# the modules in VERIFIER, which check certificates.
set(delimiter "page_asset")
# The modules of a folder one after the other, behind what `out` holds.
function(append_modules out folder)
  set(all "${${out}}")
  foreach(part IN LISTS ARGN)
    file(READ ${folder}/${part}.js text)
    string(REGEX REPLACE "\nimport [^\n]*" "" text "${text}")
    string(REGEX REPLACE "\nexport " "\n" text "${text}")
    string(APPEND all "${text}")
  endforeach()
  set(${out} "${all}" PARENT_SCOPE)
endfunction()
file(READ ${FOLDER}/style.css style)
set(script "'use strict';\n")
append_modules(script ${SHARED} words data axes grid cells)
file(READ ${FOLDER}/page.js text)
string(APPEND script "${text}")
# The check of certificates, likewise, inside one function: its names are not those of the page.
set(verifier "'use strict';\n(function () {\n")
append_modules(verifier ${VERIFIER} exact_json quotient problem differences certificate printed inference)
file(READ ${FOLDER}/verifier.js text)
string(APPEND verifier "${text}})();\n")
file(WRITE ${OUTPUT}
"#include \"app/report/page_assets.h\"
namespace lacuna::report {
const char kPageStyle[] = R\"${delimiter}(${style})${delimiter}\";
const char kPageScript[] = R\"${delimiter}(${script})${delimiter}\";
const char kVerifierScript[] = R\"${delimiter}(${verifier})${delimiter}\";
}  // namespace lacuna::report
")
