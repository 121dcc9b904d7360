# Writes OUTPUT: the style and the scripts of pages, files of FOLDER, as constants of
# src/report/page_assets.h. Scripts follow each other in the order in which they need each other.
set(delimiter "page_asset")
file(READ ${FOLDER}/style.css style)
set(script "'use strict';\n")
foreach(part data grid cells page)
  file(READ ${FOLDER}/${part}.js text)
  string(APPEND script "${text}")
endforeach()
file(WRITE ${OUTPUT}
"#include \"report/page_assets.h\"
namespace lacuna::inline report {
const char kPageStyle[] = R\"${delimiter}(${style})${delimiter}\";
const char kPageScript[] = R\"${delimiter}(${script})${delimiter}\";
}  // namespace lacuna::inline report
")
