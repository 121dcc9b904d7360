# SPDX-License-Identifier: Apache-2.0
cmake_policy(VERSION 3.25)
# Writes OUTPUT: the files of web/ and examples/ below SOURCE as constants of apps/serve/assets.h,
# byte by byte, so that any text will do.
file(GLOB_RECURSE pages RELATIVE ${SOURCE}/web ${SOURCE}/web/*.html ${SOURCE}/web/*.css
  ${SOURCE}/web/*.js ${SOURCE}/web/*.svg ${SOURCE}/web/openapi.json)
file(GLOB examples RELATIVE ${SOURCE} ${SOURCE}/examples/*.csv ${SOURCE}/examples/*.toml
  ${SOURCE}/examples/*.hrc ${SOURCE}/examples/*.jj ${SOURCE}/examples/*.txt)
list(REMOVE_ITEM pages "")
set(texts "")
set(entries "")
set(number 0)
foreach(kind pages examples)
  foreach(name IN LISTS ${kind})
    if(kind STREQUAL "pages")
      set(path ${SOURCE}/web/${name})
    else()
      set(path ${SOURCE}/${name})
    endif()
    file(READ ${path} bytes HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(APPEND texts "const unsigned char kText${number}[] = {${bytes}0};\n")
    string(APPEND entries
      "    Asset{\"/${name}\", {reinterpret_cast<const char*>(kText${number}), sizeof(kText${number}) - 1}},\n")
    math(EXPR number "${number} + 1")
  endforeach()
endforeach()
file(WRITE ${OUTPUT}
"// Made by cmake/LacunaServeAssets.cmake.
#include \"apps/serve/assets.h\"

#include <array>

namespace lacuna::serve {
namespace {
${texts}}  // namespace

std::span<const Asset> assets() {
  static const std::array<Asset, ${number}> all{
${entries}  };
  return all;
}

}  // namespace lacuna::serve
")
