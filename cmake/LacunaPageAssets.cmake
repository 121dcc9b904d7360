# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT: the style and the scripts of pages as constants of src/app/report/page_assets.h. The
# parts that the page of `lacuna serve` has, too, are modules in SHARED; a report is one file, so
# they follow each other in the order in which they need each other, without import and export. So do
# the modules in VERIFIER, which check certificates.
set(delimiter "page_asset")
file(READ ${FOLDER}/style.css style)
set(script "'use strict';\n")
foreach(part words data axes grid cells)
  file(READ ${SHARED}/${part}.js text)
  string(REGEX REPLACE "\nimport [^\n]*" "" text "${text}")
  string(REGEX REPLACE "\nexport " "\n" text "${text}")
  string(APPEND script "${text}")
endforeach()
file(READ ${FOLDER}/page.js text)
string(APPEND script "${text}")
# The check of certificates, likewise, inside one function: its names are not those of the page.
set(verifier "'use strict';\n(function () {\n")
foreach(part exact_json quotient problem differences certificate printed inference)
  file(READ ${VERIFIER}/${part}.js text)
  string(REGEX REPLACE "\nimport [^\n]*" "" text "${text}")
  string(REGEX REPLACE "\nexport " "\n" text "${text}")
  string(APPEND verifier "${text}")
endforeach()
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
