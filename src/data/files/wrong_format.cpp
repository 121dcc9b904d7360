// SPDX-License-Identifier: Apache-2.0
#include "data/files/wrong_format.h"

#include <array>
#include <utility>

namespace lacuna::files {
namespace {

using namespace std::string_view_literals;

struct Format {
  std::string_view start;  // of the file
  std::string_view name;
};

constexpr std::array<Format, 13> kFormats{
    {{"PK\x03\x04"sv, "an Excel or OpenDocument workbook, or another ZIP archive"},
     {"\xD0\xCF\x11\xE0"sv, "an Excel workbook (.xls)"},
     {"%PDF-"sv, "a PDF file"},
     {"<stata_dta>"sv, "a Stata data set"},
     {"\x71\x02"sv, "a Stata data set"},
     {"\x72\x02"sv, "a Stata data set"},
     {"\x73\x02"sv, "a Stata data set"},
     {"$FL2"sv, "an SPSS data set"},
     {"$FL3"sv, "an SPSS data set"},
     {"\0\0\0\0\0\0\0\0\0\0\0\0\xC2\xEA\x81\x60"sv, "a SAS data set"},
     {"CHARSET="sv, "a PX file"},
     {"AXIS-VERSION="sv, "a PX file"},
     {"<"sv, "a web page or another XML file"}}};

std::string_view name_of(std::string_view bytes) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (bytes.starts_with(kMark))
    bytes.remove_prefix(kMark.size());
  for (const Format& format : kFormats) {
    if (bytes.starts_with(format.start))
      return format.name;
  }
  return {};
}

}  // namespace

Error or_wrong_format(Error error, std::string_view bytes, std::string_view filename) {
  const std::string_view name = name_of(bytes);
  if (name.empty())
    return error;
  return {ErrorCode::kOtherFormat,
          "this is " + std::string(name) + ", which is not read; save the table as .csv",
          std::string(filename)};
}

std::string own_json(JsonNode root) {
  if (root.kind() != JsonKind::kObject)
    return "";
  bool release = false;
  for (const JsonNode member : root.children()) {
    release = release || member.key() == "release";
    if (member.key() != "format" || member.kind() != JsonKind::kString)
      continue;
    for (const auto& [format, name] : {std::pair{"lacuna-certificate-", "a certificate"},
                                       std::pair{"lacuna-public-", "a public file"},
                                       std::pair{"lacuna-problem-", "a table"}}) {
      if (member.text().starts_with(format))
        return name;
    }
  }
  return release ? "a result of lacuna protect" : "";
}

}  // namespace lacuna::files
