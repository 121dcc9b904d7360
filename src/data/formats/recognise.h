// SPDX-License-Identifier: Apache-2.0
// What a file is by its content, whatever its name ends in: by first bytes, by the members of an
// archive, by how a text begins. What is not read here is known as well, to be named for what it
// is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lacuna/result.h"

namespace lacuna::formats {

enum class Format : std::uint8_t {
  kUnknown,  // text of any kind (CSV, TOML) or bytes that nobody knows
  // read into grids (workbook.h, stat_files.h)
  kXlsx,
  kXls,
  kOds,
  kSas7bdat,
  kSasXport,
  kStata,
  kSpss,  // .sav and .zsav
  kSpssPortable,
  // texts
  kPx,
  kSdmxJson,
  kJsonStat,
  kSdmxCsv,
  kEurostatTsv,
  kJson,  // another JSON: a problem, a result, a certificate
  // columns (files/column_files.h)
  kParquet,
  kArrow,
  // not read: not_read() says what to do
  kXlsb,
  kEncryptedWorkbook,
  kWord,
  kPowerPoint,
  kOpenDocument,  // of another program than the spreadsheet
  kZip,
  kOle,  // an old Office file that is no workbook
  kPdf,
  kHtml,
  kSpreadsheetXml,  // "XML Spreadsheet 2003"
  kSdmxXml,
  kXml,
  kAccess,
  kSqlite,
  kRds,
  kSasCatalog,
  kDbf,
  kOrc,
  kAvro,
  kHdf5,
  kMatlab,
  kNumpy,
  kPickle,
  kZstd,
  kBzip2,
  kSevenZip,
  kRar,
  kTar,
  kImage,
};

// Looks through gzip and xz.
Format recognise(std::string_view bytes);

// "an Excel workbook (.xlsx)"; "" for kUnknown.
std::string_view format_name(Format format);
// Whether there is a reader of it, in any build.
bool is_read(Format format);
// "this is a PDF file, which is not read: ..." with what to do about it; `format` is none that is
// read.
Error not_read(Format format, const std::string& filename);

}  // namespace lacuna::formats
