// SPDX-License-Identifier: Apache-2.0
// Small workbooks made in a test: an .xlsx of texts of XML, an .ods, and an .xls of records in an
// OLE compound file.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/files/zip.h"

namespace lacuna::testing {

using Parts = std::vector<std::pair<std::string, std::string>>;  // name and content

inline std::string zipped(const Parts& parts) {
  files::ZipArchive archive;
  for (const auto& [name, content] : parts)
    archive.add(name, content).value();
  return archive.finish();
}

struct BookSheet {
  std::string name;
  std::string cells;     // rows, in <sheetData>
  std::string behind{};  // <mergeCells> and the like
  std::string state{};   // "hidden"
};

struct SmallBook {
  std::vector<BookSheet> sheets;
  std::vector<std::string> strings{};  // content of <si>
  std::string styles{};                // content of <styleSheet>
  std::string workbook{};              // of <workbook>, before <sheets>
  std::string types{}, links{};        // more of [Content_Types].xml and of the workbook's list
  Parts more{};

  Parts parts() const {
    std::string list, named, all = types;
    const std::string type = "application/vnd.openxmlformats-officedocument.spreadsheetml.";
    Parts made;
    for (std::size_t i = 0; i < sheets.size(); ++i) {
      const std::string n = std::to_string(i + 1), file = "worksheets/sheet" + n + ".xml";
      list += link("rId" + n, "worksheet", file);
      named += "<sheet name=\"" + sheets[i].name + "\" sheetId=\"" + n + "\" r:id=\"rId" + n +
               "\"" + (sheets[i].state.empty() ? "" : " state=\"" + sheets[i].state + "\"") + "/>";
      all += "<Override PartName=\"/xl/" + file + "\" ContentType=\"" + type + "worksheet+xml\"/>";
      made.emplace_back("xl/" + file,
                        head() + "<worksheet " + spaces() + "><sheetData>" + sheets[i].cells +
                            "</sheetData>" + sheets[i].behind + "</worksheet>");
    }
    list += links;
    if (!styles.empty()) {
      list += link("rIdStyles", "styles", "styles.xml");
      all += "<Override PartName=\"/xl/styles.xml\" ContentType=\"" + type + "styles+xml\"/>";
      made.emplace_back("xl/styles.xml",
                        head() + "<styleSheet " + spaces() + ">" + styles + "</styleSheet>");
    }
    if (!strings.empty()) {
      list += link("rIdStrings", "sharedStrings", "sharedStrings.xml");
      all += "<Override PartName=\"/xl/sharedStrings.xml\" ContentType=\"" + type +
             "sharedStrings+xml\"/>";
      std::string items;
      for (const std::string& item : strings)
        items += "<si>" + item + "</si>";
      made.emplace_back("xl/sharedStrings.xml",
                        head() + "<sst " + spaces() + ">" + items + "</sst>");
    }
    made.emplace_back(
        "[Content_Types].xml",
        head() +
            "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">"
            "<Default Extension=\"rels\" ContentType=\"application/"
            "vnd.openxmlformats-package.relationships+xml\"/><Default Extension=\"xml\" "
            "ContentType=\"application/xml\"/><Override PartName=\"/xl/workbook.xml\" "
            "ContentType=\"" +
            type + "sheet.main+xml\"/>" + all + "</Types>");
    made.emplace_back("_rels/.rels", rels(link("rId1", "officeDocument", "xl/workbook.xml")));
    made.emplace_back("xl/workbook.xml",
                      head() + "<workbook " + spaces() + ">" + workbook + "<sheets>" + named +
                          "</sheets></workbook>");
    made.emplace_back("xl/_rels/workbook.xml.rels", rels(list));
    made.insert(made.end(), more.begin(), more.end());
    return made;
  }
  std::string bytes() const { return zipped(parts()); }

  static std::string link(const std::string& id,
                          const std::string& kind,
                          const std::string& target) {
    return "<Relationship Id=\"" + id +
           "\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/" + kind +
           "\" Target=\"" + target + "\"/>";
  }
  static std::string rels(const std::string& links) {
    return head() +
           "<Relationships "
           "xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">" +
           links + "</Relationships>";
  }
  static std::string head() {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";
  }
  static std::string spaces() {
    return "xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\" "
           "xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"";
  }
};

// An .ods of the content of <office:spreadsheet>.
inline Parts ods_parts(const std::string& tables, const std::string& styles = "") {
  const std::string spaces =
      "xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" "
      "xmlns:table=\"urn:oasis:names:tc:opendocument:xmlns:table:1.0\" "
      "xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\" "
      "xmlns:style=\"urn:oasis:names:tc:opendocument:xmlns:style:1.0\" "
      "xmlns:number=\"urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0\"";
  return {{"mimetype", "application/vnd.oasis.opendocument.spreadsheet"},
          {"META-INF/manifest.xml",
           "<manifest:manifest "
           "xmlns:manifest=\"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0\"/>"},
          {"content.xml",
           SmallBook::head() + "<office:document-content " + spaces + "><office:automatic-styles>" +
               styles + "</office:automatic-styles><office:body><office:spreadsheet>" + tables +
               "</office:spreadsheet></office:body></office:document-content>"}};
}

// ---- .xls

inline std::string little(std::uint64_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i)
    out += static_cast<char>(value >> (8 * i) & 0xFFU);
  return out;
}
inline std::string of_double(double value) {
  return little(std::bit_cast<std::uint64_t>(value), 8);
}
inline std::string biff(std::uint16_t kind, const std::string& data) {
  return little(kind, 2) + little(data.size(), 2) + data;
}
// A text of 8-bit characters with a length of so many bytes.
inline std::string biff_text(const std::string& text, int length_bytes) {
  return little(text.size(), length_bytes) + '\0' + text;
}

// One stream of 4096 bytes or more, as Excel has it, in sectors of 512 bytes.
inline std::string ole(const std::string& name, std::string stream) {
  constexpr std::size_t kSector = 512, kSmallest = 4096;
  constexpr std::uint32_t kEnd = 0xFFFFFFFE, kFree = 0xFFFFFFFF, kTable = 0xFFFFFFFD;
  const std::size_t size = std::max(stream.size(), kSmallest);
  stream.resize((size + kSector - 1) / kSector * kSector, '\0');
  const auto sectors = static_cast<std::uint32_t>(stream.size() / kSector);
  std::vector<std::uint32_t> next;  // the stream, the directory, the tables
  for (std::uint32_t i = 0; i < sectors; ++i)
    next.push_back(i + 1 < sectors ? i + 1 : kEnd);
  const std::uint32_t directory = sectors;
  next.push_back(kEnd);
  std::uint32_t tables = 1;
  while (next.size() + tables > tables * kSector / 4)
    ++tables;
  next.insert(next.end(), tables, kTable);
  next.resize(tables * kSector / 4, kFree);
  std::string file = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1" + std::string(16, '\0') + little(0x3E, 2) +
                     little(3, 2) + little(0xFFFE, 2) + little(9, 2) + little(6, 2) +
                     std::string(6, '\0') + little(0, 4) + little(tables, 4) +
                     little(directory, 4) + little(0, 4) + little(kSmallest, 4) + little(kEnd, 4) +
                     little(0, 4) + little(kEnd, 4) + little(0, 4);
  for (std::uint32_t i = 0; i < 109; ++i)
    file += little(i < tables ? directory + 1 + i : kFree, 4);
  file += stream;
  const auto entry =
      [](const std::string& title, int kind, std::uint32_t start, std::size_t length) {
        std::string wide;
        for (const char c : title)
          wide += little(static_cast<unsigned char>(c), 2);
        const std::size_t bytes = title.empty() ? 0 : wide.size() + 2;
        wide.resize(64, '\0');
        return wide + little(bytes, 2) + little(static_cast<unsigned>(kind), 1) + '\1' +
               little(kFree, 4) + little(kFree, 4) + little(kind == 5 ? 1 : kFree, 4) +
               std::string(36, '\0') + little(start, 4) + little(length, 8);
      };
  file += entry("Root Entry", 5, kEnd, 0) + entry(name, 2, 0, size) + entry("", 0, 0, 0) +
          entry("", 0, 0, 0);
  for (const std::uint32_t sector : next)
    file += little(sector, 4);
  return file;
}

struct BiffSheet {
  std::string name;
  std::string records;  // without BOF and EOF
  int hidden = 0;
};

// BIFF8: records of the workbook (formats, styles, texts) and its sheets.
inline std::string small_xls(const std::string& globals, const std::vector<BiffSheet>& sheets) {
  const auto bof = [](unsigned kind) {
    return biff(0x0809, little(0x0600, 2) + little(kind, 2) + std::string(12, '\0'));
  };
  std::size_t place = bof(5).size() + globals.size() + biff(0x0A, "").size();
  for (const BiffSheet& sheet : sheets)
    place += biff(0x85, std::string(6, '\0') + biff_text(sheet.name, 1)).size();
  std::string book = bof(5), bodies;
  for (const BiffSheet& sheet : sheets) {
    book += biff(0x85,
                 little(place + bodies.size(), 4) + little(static_cast<unsigned>(sheet.hidden), 1) +
                     '\0' + biff_text(sheet.name, 1));
    bodies += bof(0x10) + sheet.records + biff(0x0A, "");
  }
  return ole("Workbook", book + globals + biff(0x0A, "") + bodies);
}

}  // namespace lacuna::testing
