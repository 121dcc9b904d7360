# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT: the text of every file of FOLDER that ends in .toml as a constant of
# src/data/policies/policy.h, byte by byte, so that any text will do.
file(GLOB names RELATIVE ${FOLDER} ${FOLDER}/*.toml)
list(SORT names)
set(texts "")
set(entries "")
set(number 0)
foreach(file IN LISTS names)
  string(REGEX REPLACE "\\.toml$" "" name ${file})
  file(READ ${FOLDER}/${file} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND texts "const unsigned char kText${number}[] = {${bytes}0};\n")
  string(APPEND entries "    ShippedPolicy{\"${name}\",
                  {reinterpret_cast<const char*>(kText${number}), sizeof(kText${number}) - 1}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUTPUT}
"// Made by cmake/LacunaPolicies.cmake.
#include \"data/policies/policy.h\"

#include <array>

namespace lacuna::policies {
namespace {
${texts}}  // namespace

std::span<const ShippedPolicy> shipped_policies() {
  static const std::array<ShippedPolicy, ${number}> all{
${entries}  };
  return all;
}

}  // namespace lacuna::policies
")
