// SPDX-License-Identifier: Apache-2.0
// Workbooks. What was read is a grid; an .xlsx is written again with other cells, and these are
// read from it. An archive that is not one is a bundle of its parts, so that a fuzzer changes their
// XML and not what deflate made of it.
#include <algorithm>

#include "data/formats/recognise.h"
#include "data/formats/workbook.h"
#include "data/formats/workbook_edit.h"
#include "fuzz/bundle.h"
#include "fuzz/target_list.h"
#include "fuzz/targets.h"
#include "support/small_books.h"

namespace lacuna::fuzz {
namespace {

std::string archive_of(std::string_view bytes) {
  if (bytes.starts_with("PK"))
    return std::string(bytes);
  const Bundle bundle(bytes);
  files::ZipArchive archive;
  for (const auto& [name, text] : bundle.all()) {
    // The end of the last line belongs to the bundle.
    require(
        archive.add(name, text.substr(0, text.size() - (text.ends_with('\n') ? 1 : 0))).has_value(),
        "a part can be packed");
  }
  return archive.finish();
}

std::string bundle_of(const lacuna::testing::Parts& parts) {
  std::string bundle;
  for (const auto& [name, text] : parts)
    bundle += Bundle::file(name, text);
  return bundle;
}

std::vector<formats::Grid> checked(std::string_view bytes) {
  auto grids = formats::read_workbook(bytes, "f");
  if (!grids)
    return {};
  require(!grids->empty(), "a workbook that was read has a sheet");
  for (const formats::Grid& grid : *grids) {
    require(!grid.rows.empty() && grid.shown_decimals.size() == grid.rows.front().size(),
            "a sheet has rows and columns");
    for (const auto& row : grid.rows)
      require(row.size() == grid.rows.front().size(), "rows have one length");
    for (const formats::MergedCells& merge : grid.merged)
      require(merge.row + merge.rows <= grid.rows.size() &&
                  merge.column + merge.columns <= grid.rows.front().size(),
              "merged cells are within the sheet");
    require(!grid.place(0, 0).empty(), "a cell has a place");
  }
  return std::move(grids).value();
}

// Every cell of the first sheet becomes a mark, and nothing else of it is left.
void edit(const std::string& bytes, const std::vector<formats::Grid>& grids) {
  const formats::Grid& grid = grids.front();
  const bool is_only_one =
      std::count_if(grids.begin(), grids.end(), [&](const formats::Grid& each) {
        return each.name == grid.name;
      }) == 1;
  std::vector<formats::CellEdit> edits;
  for (std::size_t r = 0; r < grid.rows.size(); ++r) {
    for (std::size_t c = 0; c < grid.rows[r].size() && edits.size() < 10'000; ++c) {
      if (!grid.rows[r][c].empty())
        edits.push_back({grid.name, grid.first_row + r, grid.first_column + c, "withheld", false});
    }
  }
  const auto edited = formats::edit_workbook(bytes, edits, "f");
  if (!edited || !is_only_one)
    return;
  const auto again = checked(edited->bytes);
  const auto found = std::find_if(again.begin(), again.end(), [&](const formats::Grid& each) {
    return each.name == grid.name;
  });
  require(found != again.end(), "an edited workbook is read again");
  for (const formats::CellEdit& each : edits)
    require(found->rows.at(each.row - found->first_row).at(each.column - found->first_column) ==
                "withheld",
            "an edited cell holds what was written");
}

}  // namespace

bool run_xlsx(std::string_view bytes) {
  const std::string archive = archive_of(bytes);
  static_cast<void>(formats::recognise(bytes));
  const auto grids = checked(archive);
  if (!grids.empty() && formats::recognise(archive) == formats::Format::kXlsx)
    edit(archive, grids);
  return !grids.empty() || !formats::reads_xml_workbooks();
}

Seeds seeds_xlsx() {
  lacuna::testing::SmallBook book;
  book.strings = {"<t>north</t>", "<r><t>so</t></r><r><t>uth</t></r>"};
  book.styles =
      "<numFmts><numFmt numFmtId=\"164\" formatCode=\"dd/mm/yyyy\"/></numFmts><cellXfs>"
      "<xf numFmtId=\"0\"/><xf numFmtId=\"164\"/></cellXfs>";
  book.sheets = {
      {"S",
       "<row r=\"1\"><c r=\"A1\" t=\"s\"><v>0</v></c><c r=\"B1\"><v>12345</v></c></row>"
       "<row r=\"2\"><c t=\"s\"><v>1</v></c><c s=\"1\"><v>46342</v></c><c r=\"C2\"><f>B1*2</f>"
       "<v>24690</v></c><c t=\"inlineStr\"><is><t>x</t></is></c></row>",
       "<mergeCells><mergeCell ref=\"A1:B1\"/></mergeCells>"}};
  const std::string several = bundle_of(book.parts());
  book.sheets.push_back(
      {"T", "<row><c t=\"b\"><v>1</v></c><c t=\"e\"><v>#N/A</v></c></row>", "", "hidden"});
  return {several, bundle_of(book.parts()), book.bytes()};
}

bool run_ods(std::string_view bytes) {
  return !checked(archive_of(bytes)).empty() || !formats::reads_xml_workbooks();
}

Seeds seeds_ods() {
  const std::string tables =
      "<table:table table:name=\"S\"><table:table-column table:default-cell-style-name=\"c\"/>"
      "<table:table-row table:number-rows-repeated=\"2\"><table:table-cell "
      "table:number-columns-repeated=\"2\" office:value-type=\"float\" office:value=\"1.5\"/>"
      "</table:table-row><table:table-row><table:table-cell table:number-columns-spanned=\"2\" "
      "office:value-type=\"string\"><text:p>a<text:s/>b</text:p></table:table-cell>"
      "<table:covered-table-cell/><table:table-cell office:value-type=\"date\" "
      "office:date-value=\"2026-11-16\"/></table:table-row></table:table>";
  const std::string styles =
      "<number:number-style style:name=\"n\"><number:number number:decimal-places=\"1\"/>"
      "</number:number-style><style:style style:name=\"c\" style:family=\"table-cell\" "
      "style:data-style-name=\"n\"/>";
  return {bundle_of(lacuna::testing::ods_parts(tables, styles)),
          lacuna::testing::zipped(lacuna::testing::ods_parts(tables, styles))};
}

bool run_xls(std::string_view bytes) {
  return !checked(bytes).empty();
}

Seeds seeds_xls() {
  using namespace lacuna::testing;  // NOLINT: words of records
  const auto head = [](unsigned row, unsigned column) {
    return little(row, 2) + little(column, 2) + little(0, 2);
  };
  const std::string globals =
      biff(0x041E, little(164, 2) + biff_text("dd/mm/yyyy", 2)) +
      biff(0x00E0, little(0, 2) + little(164, 2) + std::string(16, '\0')) +
      biff(0x00FC, little(1, 4) + little(1, 4) + little(4, 2) + '\0' + "no") +
      biff(0x003C, '\1' + little('r', 2) + little('d', 2));
  const std::string text_result = std::string(6, '\0') + "\xFF\xFF";
  return {small_xls(
      globals,
      {{"S",
        biff(0x00FD, head(0, 0) + little(0, 4)) + biff(0x0203, head(0, 1) + of_double(46342)) +
            biff(0x00BD, head(1, 0) + little(6, 4) + little(0, 2) + little(11, 4) + little(1, 2)) +
            biff(0x0006, head(2, 0) + text_result + std::string(8, '\0')) +
            biff(0x0207, biff_text("sum", 2)) + biff(0x0205, head(2, 1) + '\x2A' + '\1') +
            biff(0x00E5, little(1, 2) + little(0, 2) + little(1, 2) + little(0, 4))},
       {"T", biff(0x0204, head(0, 0) + biff_text("old", 2)), 1}})};
}

}  // namespace lacuna::fuzz
