// SPDX-License-Identifier: Apache-2.0
#include "data/formats/workbook.h"

#include <algorithm>

#include "data/formats/read_xls.h"
#include "data/formats/recognise.h"
#include "data/formats/workbook_edit.h"
#ifdef LACUNA_HAVE_WORKBOOKS
#include "data/formats/xml_books/edit_xlsx.h"
#include "data/formats/xml_books/read_ods.h"
#include "data/formats/xml_books/read_xlsx.h"
#endif

namespace lacuna::formats {
namespace {

#ifdef LACUNA_HAVE_WORKBOOKS
constexpr bool kHasXml = true;
#else
constexpr bool kHasXml = false;
#endif

Result<std::vector<Grid>> read_book(std::string_view bytes,
                                    Format format,
                                    const std::string& filename) {
  if (format == Format::kXls)
    return read_xls(bytes, filename);
#ifdef LACUNA_HAVE_WORKBOOKS
  if (format == Format::kXlsx)
    return read_xlsx(bytes, filename);
  return read_ods(bytes, filename);
#else
  return Error{
      ErrorCode::kUnsupported,
      "this is " + std::string(format_name(format)) +
          ", and this program was built without the library that reads it (LACUNA_WORKBOOKS, "
          "pugixml): save the table as .csv or .xls",
      filename};
#endif
}

}  // namespace

bool reads_xml_workbooks() {
  return kHasXml;
}

Result<std::vector<Grid>> read_workbook(std::string_view bytes, const std::string& filename) {
  const Format format = recognise(bytes);
  if (format != Format::kXlsx && format != Format::kXls && format != Format::kOds) {
    if (is_read(format) || format == Format::kUnknown)
      return Error{ErrorCode::kOtherFormat, "this is not a workbook (.xlsx, .ods, .xls)", filename};
    return not_read(format, filename);
  }
  LACUNA_TRY(std::vector<Grid> grids, read_book(bytes, format, filename));
  if (grids.empty())
    return Error{ErrorCode::kNoRows, "no sheet of the workbook has a cell with content", filename};
  return grids;
}

Result<EditedWorkbook> edit_workbook(std::string_view bytes,
                                     [[maybe_unused]] std::span<const CellEdit> edits,
                                     const std::string& filename) {
  const Format format = recognise(bytes);
  if (format != Format::kXlsx)
    return Error{
        ErrorCode::kOtherFormat,
        "only an .xlsx is written again with other cells" +
            (format == Format::kUnknown ? std::string()
                                        : ", and this is " + std::string(format_name(format))) +
            ": save the workbook as .xlsx first, or write another format",
        filename};
#ifdef LACUNA_HAVE_WORKBOOKS
  return edit_xlsx(bytes, edits, filename);
#else
  return Error{
      ErrorCode::kUnsupported,
      "this program was built without the library for workbooks (LACUNA_WORKBOOKS, pugixml): "
      "write .csv",
      filename};
#endif
}

}  // namespace lacuna::formats
