# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT: the text of every file of PAPERS (separated by blanks) as a constant of the program.
separate_arguments(PAPERS UNIX_COMMAND "${PAPERS}")
set(entries "")
foreach(paper ${PAPERS})
  get_filename_component(name ${paper} NAME_WE)
  file(READ ${paper} text)
  string(APPEND entries "    {\"${name}\", R\"paper(${text})paper\"},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"bench/sets/papers.h\"
namespace lacuna::bench {
namespace {
constexpr PaperText kTexts[] = {
${entries}};
}  // namespace
std::span<const PaperText> paper_texts() {
  return kTexts;
}
}  // namespace lacuna::bench
")
