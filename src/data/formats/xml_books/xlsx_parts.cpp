// SPDX-License-Identifier: Apache-2.0
#include "data/formats/xml_books/xlsx_parts.h"

#include <algorithm>
#include <map>

#include "core/base/quotes.h"

namespace lacuna::formats {
namespace {

// "../media/a.xml" seen from "xl/worksheets/sheet1.xml" is "xl/media/a.xml".
std::string resolved(const std::string& from, std::string_view target) {
  std::string path;
  if (target.starts_with('/'))
    target.remove_prefix(1);
  else if (const std::size_t slash = from.rfind('/'); slash != std::string::npos)
    path = from.substr(0, slash);
  while (!target.empty()) {
    const std::size_t slash = target.find('/');
    const std::string_view step = target.substr(0, slash);
    target = slash == std::string_view::npos ? std::string_view() : target.substr(slash + 1);
    if (step == "..")
      path = path.substr(0, path.find('/') == std::string::npos ? 0 : path.rfind('/'));
    else if (step != "." && !step.empty())
      path += (path.empty() ? "" : "/") + std::string(step);
  }
  return path;
}

std::string rels_of(const std::string& part) {
  const std::size_t slash = part.rfind('/');
  const std::size_t name = slash == std::string::npos ? 0 : slash + 1;
  return part.substr(0, name) + "_rels/" + part.substr(name) + ".rels";
}

std::string_view last_word(std::string_view type) {
  return type.substr(type.rfind('/') + 1);
}

void append_utf8(std::string& text, unsigned code) {
  if (code < 0x80U) {
    text += static_cast<char>(code);
  } else if (code < 0x800U) {
    text += static_cast<char>(0xC0U | code >> 6U);
    text += static_cast<char>(0x80U | (code & 0x3FU));
  } else {
    text += static_cast<char>(0xE0U | code >> 12U);
    text += static_cast<char>(0x80U | (code >> 6U & 0x3FU));
    text += static_cast<char>(0x80U | (code & 0x3FU));
  }
}

// _x000D_ stands for a character that XML does not have (ECMA-376 part 1, 22.4.2.4).
std::string unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    const bool is_escape =
        rest.size() >= 7 && rest.starts_with("_x") && rest[6] == '_' &&
        rest.substr(2, 4).find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
    if (!is_escape) {
      plain += text[i];
      continue;
    }
    const auto code =
        static_cast<unsigned>(std::stoul(std::string(rest.substr(2, 4)), nullptr, 16));
    if (code != 0 && (code < 0xD800U || code > 0xDFFFU))  // no half of a pair
      append_utf8(plain, code);
    i += 6;
  }
  return plain;
}

Result<std::string> workbook_part(files::ZipReader& zip, const std::string& filename) {
  LACUNA_TRY(const std::vector<Relationship> links, relationships_of(zip, "", filename));
  for (const Relationship& link : links) {
    if (link.type == "officeDocument")
      return link.target;
  }
  return Error{ErrorCode::kDamaged, "the archive does not say where its workbook is", filename};
}

}  // namespace

std::string XlsxParts::part_of(std::string_view type) const {
  for (const Relationship& link : links) {
    if (link.type == type && !link.is_external)
      return link.target;
  }
  return "";
}

Result<std::vector<Relationship>> relationships_of(files::ZipReader& zip,
                                                   const std::string& part,
                                                   const std::string& filename) {
  std::vector<Relationship> links;
  const std::string list = rels_of(part);
  if (zip.find(list) == nullptr)
    return links;
  LACUNA_TRY(const auto xml, read_xml(zip, list, filename));
  for (const pugi::xml_node node : xml->root().children()) {
    if (!is_named(node, "Relationship"))
      continue;
    Relationship link;
    link.id = attribute_of(node, "Id");
    link.type = last_word(attribute_of(node, "Type"));
    link.is_external = attribute_of(node, "TargetMode") == "External";
    const std::string_view target = attribute_of(node, "Target");
    link.target = link.is_external ? std::string(target) : resolved(part, target);
    links.push_back(std::move(link));
  }
  return links;
}

Result<XlsxParts> read_parts(files::ZipReader& zip, const std::string& filename) {
  XlsxParts parts;
  LACUNA_TRY(parts.workbook, workbook_part(zip, filename));
  LACUNA_TRY(parts.links, relationships_of(zip, parts.workbook, filename));
  LACUNA_TRY(const auto xml, read_xml(zip, parts.workbook, filename));
  const std::string_view date = attribute_of(child_of(xml->root(), "workbookPr"), "date1904");
  parts.from_1904 = date == "1" || date == "true";
  const std::string_view compute = attribute_of(child_of(xml->root(), "calcPr"), "fullCalcOnLoad");
  parts.computes_on_load = compute == "1" || compute == "true";
  for (const pugi::xml_node node : child_of(xml->root(), "sheets").children()) {
    if (!is_named(node, "sheet"))
      continue;
    std::string_view id;
    for (const pugi::xml_attribute each : node.attributes()) {
      if (std::string_view(each.name()) != "id" && local_name(each.name()) == "id")
        id = each.value();
    }
    const auto link = std::find_if(
        parts.links.begin(), parts.links.end(), [&](const auto& each) { return each.id == id; });
    XlsxSheet sheet{std::string(attribute_of(node, "name")), "", false};
    if (link == parts.links.end()) {
      return Error{ErrorCode::kDamaged,
                   "the workbook is damaged: it does not say where its sheet " +
                       base::in_quotes(sheet.name) + " is",
                   filename};
    }
    if (link->type != "worksheet")
      continue;
    sheet.part = link->target;
    const std::string_view state = attribute_of(node, "state");
    sheet.is_hidden = state == "hidden" || state == "veryHidden";
    parts.sheets.push_back(std::move(sheet));
  }
  return parts;
}

Result<std::vector<NumberFormat>> read_styles(files::ZipReader& zip,
                                              const XlsxParts& parts,
                                              const std::string& filename) {
  std::vector<NumberFormat> styles;
  const std::string part = parts.part_of("styles");
  if (part.empty())
    return styles;
  LACUNA_TRY(const auto xml, read_xml(zip, part, filename));
  std::map<std::uint64_t, NumberFormat> own;
  constexpr std::uint64_t kNone = ~std::uint64_t{0};
  for (const pugi::xml_node node : child_of(xml->root(), "numFmts").children())
    own[whole_number(attribute_of(node, "numFmtId"), kNone)] =
        number_format(attribute_of(node, "formatCode"));
  for (const pugi::xml_node node : child_of(xml->root(), "cellXfs").children()) {
    if (!is_named(node, "xf"))
      continue;
    const std::uint64_t id = whole_number(attribute_of(node, "numFmtId"), 0);
    const auto found = own.find(id);
    styles.push_back(found != own.end() ? found->second
                                        : built_in_format(static_cast<unsigned>(id)));
  }
  return styles;
}

std::string rich_text(pugi::xml_node item) {
  std::string text;
  for (const pugi::xml_node node : item.children()) {
    if (is_named(node, "t")) {
      text += unescaped(node.text().get());
    } else if (is_named(node, "r")) {
      for (const pugi::xml_node part : node.children()) {
        if (is_named(part, "t"))
          text += unescaped(part.text().get());
      }
    }
  }
  return text;
}

Result<std::vector<std::string>> read_shared_strings(files::ZipReader& zip,
                                                     const XlsxParts& parts,
                                                     const std::string& filename) {
  std::vector<std::string> texts;
  const std::string part = parts.part_of("sharedStrings");
  if (part.empty())
    return texts;
  LACUNA_TRY(const auto xml, read_xml(zip, part, filename));
  for (const pugi::xml_node node : xml->root().children()) {
    if (is_named(node, "si"))
      texts.push_back(rich_text(node));
  }
  return texts;
}

bool read_place(std::string_view text, std::uint64_t& row, std::uint64_t& column) {
  std::uint64_t letters = 0;
  std::size_t at = 0;
  for (; at < text.size() && text[at] >= 'A' && text[at] <= 'Z' && at < 4; ++at)
    letters = letters * 26 + static_cast<std::uint64_t>(text[at] - 'A') + 1;
  const std::uint64_t number = whole_number(text.substr(at), 0);
  if (letters == 0 || number == 0)
    return false;
  row = number - 1;
  column = letters - 1;
  return true;
}

}  // namespace lacuna::formats
