// SPDX-License-Identifier: Apache-2.0
#include "data/publish/xlsx.h"

#include <algorithm>
#include <set>

#include "core/base/text.h"
#include "data/files/zip.h"
#include "data/infer/flag_words.h"

namespace lacuna::publish {
namespace {

constexpr std::string_view kHead =
    "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";
constexpr std::string_view kMain = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
constexpr std::string_view kOffice =
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
constexpr std::string_view kPackage = "http://schemas.openxmlformats.org/package/2006";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (byte >= 0x20 || c == '\t' || c == '\n')  // XML has no other control characters
      out += c;
  }
  return out;
}

std::string column_name(std::size_t column) {
  std::string name;
  for (++column; column > 0; column = (column - 1) / 26)
    name.insert(name.begin(), static_cast<char>('A' + (column - 1) % 26));
  return name;
}

// A double holds any number of 15 significant digits so that it reads back the same.
bool fits_double(std::string_view number) {
  constexpr std::ptrdiff_t kDigits = 15;
  return std::count_if(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; }) <=
         kDigits;
}

int decimals_of(std::string_view number) {
  const std::size_t point = number.find('.');
  return point == std::string_view::npos ? 0 : static_cast<int>(number.size() - point - 1);
}

constexpr int kMostStyled = 18;

// Styles: 0 plain, 1 bold header, 2 + n a number with n digits after the point, as it was written.
std::string styles_xml() {
  std::string formats, cells;
  for (int n = 0; n <= kMostStyled; ++n) {
    const std::string id = std::to_string(164 + n);
    formats += "<numFmt numFmtId=\"" + id + "\" formatCode=\"#,##0" +
               (n == 0 ? "" : "." + std::string(static_cast<std::size_t>(n), '0')) + "\"/>";
    cells += "<xf numFmtId=\"" + id + "\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\" " +
             "applyNumberFormat=\"1\"/>";
  }
  return std::string(kHead) + "<styleSheet xmlns=\"" + std::string(kMain) + "\"><numFmts count=\"" +
         std::to_string(kMostStyled + 1) + "\">" + formats +
         "</numFmts><fonts count=\"2\"><font><sz val=\"11\"/><name val=\"Calibri\"/></font>"
         "<font><b/><sz val=\"11\"/><name val=\"Calibri\"/></font></fonts>"
         "<fills count=\"2\"><fill><patternFill patternType=\"none\"/></fill>"
         "<fill><patternFill patternType=\"gray125\"/></fill></fills>"
         "<borders count=\"1\"><border><left/><right/><top/><bottom/><diagonal/></border></borders>"
         "<cellStyleXfs count=\"1\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\"/>"
         "</cellStyleXfs><cellXfs count=\"" +
         std::to_string(kMostStyled + 3) +
         "\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\"/>"
         "<xf numFmtId=\"0\" fontId=\"1\" fillId=\"0\" borderId=\"0\" xfId=\"0\" "
         "applyFont=\"1\"/>" +
         cells +
         "</cellXfs><cellStyles count=\"1\"><cellStyle name=\"Normal\" xfId=\"0\" builtinId=\"0\"/>"
         "</cellStyles></styleSheet>";
}

std::string text_cell(const std::string& place, std::string_view text, int style) {
  return "<c r=\"" + place + "\" s=\"" + std::to_string(style) +
         "\" t=\"inlineStr\"><is><t xml:space=\"preserve\">" + escaped(text) + "</t></is></c>";
}

std::string cell_xml(const std::string& place, const files::SheetField& field) {
  if (field.text.empty())
    return "";
  if (!field.is_number || !fits_double(field.text))
    return text_cell(place, field.text, 0);
  const int decimals = std::min(decimals_of(field.text), kMostStyled);
  return "<c r=\"" + place + "\" s=\"" + std::to_string(2 + decimals) + "\"><v>" + field.text +
         "</v></c>";
}

std::string sheet_xml(const files::Sheet& sheet) {
  std::string rows = "<row r=\"1\">";
  for (std::size_t c = 0; c < sheet.header.size(); ++c)
    rows += text_cell(column_name(c) + "1", sheet.header[c], 1);
  rows += "</row>";
  for (std::size_t r = 0; r < sheet.rows.size(); ++r) {
    const std::string number = std::to_string(r + 2);
    rows += "<row r=\"" + number + "\">";
    for (std::size_t c = 0; c < sheet.rows[r].size(); ++c)
      rows += cell_xml(column_name(c) + number, sheet.rows[r][c]);
    rows += "</row>";
  }
  return std::string(kHead) + "<worksheet xmlns=\"" + std::string(kMain) +
         "\"><sheetViews><sheetView workbookViewId=\"0\"><pane ySplit=\"1\" topLeftCell=\"A2\" "
         "activePane=\"bottomLeft\" state=\"frozen\"/></sheetView></sheetViews>"
         "<sheetFormatPr defaultRowHeight=\"15\"/><cols><col min=\"1\" max=\"" +
         std::to_string(std::max<std::size_t>(sheet.header.size(), 1)) +
         "\" width=\"16\" customWidth=\"1\"/></cols><sheetData>" + rows +
         "</sheetData></worksheet>";
}

// Excel takes 31 characters, none of []:*?/\, no quote at the ends, and no name twice.
std::vector<std::string> sheet_names(std::span<const files::Sheet> sheets) {
  constexpr std::size_t kMost = 31;
  std::vector<std::string> names;
  std::set<std::string> taken{"history"};  // which Excel keeps for itself
  for (const files::Sheet& sheet : sheets) {
    std::string base = sheet.name;
    for (char& c : base) {
      if (std::string_view("[]:*?/\\'").find(c) != std::string_view::npos ||
          static_cast<unsigned char>(c) < 0x20)
        c = ' ';
    }
    base = std::string(infer::trimmed_field(base));
    base = base.empty() ? "table" : base;
    std::string name;
    for (int n = 1; name.empty() || taken.contains(base::lower_case(name)); ++n) {
      const std::string number = n == 1 ? "" : " " + std::to_string(n);
      std::size_t length = std::min(base.size(), kMost - number.size());
      while (length > 0 && length < base.size() &&
             (static_cast<unsigned char>(base[length]) & 0xC0U) == 0x80U)
        --length;  // not within a character
      name = base.substr(0, length) + number;
    }
    taken.insert(base::lower_case(name));
    names.push_back(name);
  }
  return names;
}

Status add_frame(files::ZipArchive& archive, const std::vector<std::string>& names) {
  const std::string type = "application/vnd.openxmlformats-officedocument.spreadsheetml.";
  const auto link = [](const std::string& id, const std::string& kind, const std::string& target) {
    return "<Relationship Id=\"" + id + "\" Type=\"" + std::string(kOffice) + "/" + kind +
           "\" Target=\"" + target + "\"/>";
  };
  std::string types, list, links;
  for (std::size_t i = 1; i <= names.size(); ++i) {
    const std::string n = std::to_string(i);
    types += "<Override PartName=\"/xl/worksheets/sheet" + n + ".xml\" ContentType=\"" + type +
             "worksheet+xml\"/>";
    list += "<sheet name=\"" + escaped(names[i - 1]) + "\" sheetId=\"" + n + "\" r:id=\"rId" + n +
            "\"/>";
    links += link("rId" + n, "worksheet", "worksheets/sheet" + n + ".xml");
  }
  const std::string head(kHead), package(kPackage);
  LACUNA_RETURN_IF_ERROR(archive.add(
      "[Content_Types].xml",
      head + "<Types xmlns=\"" + package +
          "/content-types\"><Default Extension=\"rels\" "
          "ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>"
          "<Default Extension=\"xml\" ContentType=\"application/xml\"/>"
          "<Override PartName=\"/xl/workbook.xml\" ContentType=\"" +
          type + "sheet.main+xml\"/><Override PartName=\"/xl/styles.xml\" ContentType=\"" + type +
          "styles+xml\"/>" + types + "</Types>"));
  LACUNA_RETURN_IF_ERROR(
      archive.add("_rels/.rels",
                  head + "<Relationships xmlns=\"" + package + "/relationships\">" +
                      link("rId1", "officeDocument", "xl/workbook.xml") + "</Relationships>"));
  LACUNA_RETURN_IF_ERROR(archive.add("xl/workbook.xml",
                                     head + "<workbook xmlns=\"" + std::string(kMain) +
                                         "\" xmlns:r=\"" + std::string(kOffice) + "\"><sheets>" +
                                         list + "</sheets></workbook>"));
  LACUNA_RETURN_IF_ERROR(
      archive.add("xl/_rels/workbook.xml.rels",
                  head + "<Relationships xmlns=\"" + package + "/relationships\">" + links +
                      link("rId" + std::to_string(names.size() + 1), "styles", "styles.xml") +
                      "</Relationships>"));
  return archive.add("xl/styles.xml", styles_xml());
}

}  // namespace

Result<std::string> xlsx_workbook(std::span<const files::Sheet> sheets) {
  constexpr std::size_t kMostRows = 1'048'575;  // without the header
  files::ZipArchive archive;
  LACUNA_RETURN_IF_ERROR(add_frame(archive, sheet_names(sheets)));
  for (std::size_t i = 0; i < sheets.size(); ++i) {
    if (sheets[i].rows.size() > kMostRows)
      return Error{ErrorCode::kCannotHold,
                   "the table '" + sheets[i].name + "' has " +
                       std::to_string(sheets[i].rows.size()) +
                       " cells, and a sheet of .xlsx holds 1048575; write .csv",
                   ""};
    LACUNA_RETURN_IF_ERROR(
        archive.add("xl/worksheets/sheet" + std::to_string(i + 1) + ".xml", sheet_xml(sheets[i])));
  }
  return archive.finish();
}

}  // namespace lacuna::publish
