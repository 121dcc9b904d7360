// SPDX-License-Identifier: Apache-2.0
#include "data/formats/xml_books/xml_edit.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/quotes.h"
#include "core/base/utf8.h"

namespace lacuna::formats {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

// Behind the tag that begins at `at`; quotes may hold brackets.
std::size_t tag_end(std::string_view text, std::size_t at) {
  for (; at < text.size() && text[at] != '>'; ++at) {
    if (text[at] == '"' || text[at] == '\'') {
      at = text.find(text[at], at + 1);
      if (at == kNone)
        return kNone;
    }
  }
  return at < text.size() ? at + 1 : kNone;
}

std::size_t behind(std::string_view text, std::string_view mark, std::size_t from) {
  const std::size_t at = text.find(mark, from);
  return at == kNone ? kNone : at + mark.size();
}

}  // namespace

std::size_t element_end(std::string_view text, std::size_t begin) {
  std::size_t depth = 0;
  for (std::size_t at = begin; at != kNone && at < text.size(); at = text.find('<', at)) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("<!--")) {
      at = behind(text, "-->", at);
    } else if (rest.starts_with("<![CDATA[")) {
      at = behind(text, "]]>", at);
    } else if (rest.starts_with("<?")) {
      at = behind(text, "?>", at);
    } else {
      const bool is_end = rest.starts_with("</");
      at = tag_end(text, at);
      if (at == kNone)
        return kNone;
      if (is_end)
        --depth;
      else if (text[at - 2] != '/')
        ++depth;
      if (depth == 0)
        return at;
    }
    if (at == kNone)
      return kNone;
  }
  return kNone;
}

Result<XmlText> XmlText::parse(std::string text, const std::string& name) {
  if (base::find_bad_utf8(text) != kNone || text.find('\0') != std::string::npos)
    return Error{ErrorCode::kUnsupported,
                 "the part " + base::in_quotes(name) +
                     " is not in UTF-8, and is not changed: save the workbook once with another "
                     "program",
                 ""};
  XmlText xml;
  xml.text_ = std::move(text);
  const pugi::xml_parse_result parsed = xml.tree_.load_buffer(
      xml.text_.data(), xml.text_.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!parsed)
    return Error{ErrorCode::kDamaged, "the part " + base::in_quotes(name) + " is not XML", ""};
  return xml;
}

std::size_t XmlText::begin_of(pugi::xml_node node) const {
  const std::ptrdiff_t name = node.offset_debug();
  LACUNA_CHECK(
      name > 0 && static_cast<std::size_t>(name) < text_.size() &&
      text_[static_cast<std::size_t>(name) - 1] == '<' &&
      std::string_view(text_).substr(static_cast<std::size_t>(name)).starts_with(node.name()));
  return static_cast<std::size_t>(name) - 1;
}

std::string_view XmlText::element(pugi::xml_node node) const {
  const std::size_t begin = begin_of(node), end = element_end(text_, begin);
  LACUNA_CHECK(end != kNone);
  return std::string_view(text_).substr(begin, end - begin);
}

void XmlText::replace(pugi::xml_node element, std::string by) {
  const std::size_t begin = begin_of(element);
  changes_.push_back({begin, this->element(element).size(), std::move(by)});
}

std::string XmlText::changed() const {
  std::vector<Change> changes = changes_;
  std::stable_sort(
      changes.begin(), changes.end(), [](const Change& a, const Change& b) { return a.at < b.at; });
  std::string out;
  std::size_t done = 0;
  for (const Change& change : changes) {
    LACUNA_CHECK(change.at >= done);
    out.append(text_, done, change.at - done);
    out += change.by;
    done = change.at + change.length;
  }
  return out.append(text_, done);
}

std::string xml_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (static_cast<unsigned char>(c) >= 0x20 || c == '\t' || c == '\n')
      out += c;  // XML has no other control characters
  }
  return out;
}

}  // namespace lacuna::formats
