// SPDX-License-Identifier: Apache-2.0
#include "data/formats/px_entries.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/base/utf8.h"
#include "data/files/position.h"
#include "data/formats/code_pages.h"

namespace lacuna::formats {
namespace {

constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";
constexpr std::string_view kBlanks = " \t\r\n";

bool is_word(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_';
}

std::string capitals(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return out;
}

// The value of an entry near the beginning of the bytes, whose names are ASCII in every code page.
std::string early_value(std::string_view bytes, std::string_view keyword) {
  constexpr std::size_t kNear = 4096;
  const std::string_view head = bytes.substr(0, kNear);
  for (std::size_t at = head.find(keyword); at != std::string_view::npos;
       at = head.find(keyword, at + 1)) {
    const std::size_t equals = head.find_first_not_of(kBlanks, at + keyword.size());
    const bool begins = at == 0 || !is_word(head[at - 1]);
    if (!begins || equals == std::string_view::npos || head[equals] != '=')
      continue;
    const std::size_t end = std::min(head.find(';', equals), head.size());
    std::string value;
    for (const char c : head.substr(equals + 1, end - equals - 1)) {
      if (c != '"' && kBlanks.find(c) == std::string_view::npos)
        value += c;
    }
    return value;
  }
  return "";
}

Result<std::string> decoded(std::string_view bytes,
                            const std::string& filename,
                            std::vector<std::string>& notes) {
  if (bytes.starts_with(kUtf8Mark))
    return std::string(bytes.substr(kUtf8Mark.size()));
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF"))
    return from_code_page(bytes, "utf-16", filename);
  const bool is_ascii = std::all_of(
      bytes.begin(), bytes.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80U; });
  if (is_ascii)
    return std::string(bytes);
  const std::string page = early_value(bytes, "CODEPAGE");
  const bool is_utf8 = base::find_bad_utf8(bytes) == std::string_view::npos;
  if (is_utf8) {
    if (!page.empty() && !is_utf8_name(page))
      notes.push_back("CODEPAGE says " + base::in_quotes(page) +
                      ", but the file is UTF-8 and was read as that");
    return std::string(bytes);
  }
  if (!page.empty())
    return from_code_page(bytes, page, filename);
  const bool dos = early_value(bytes, "CHARSET").empty();
  notes.push_back(dos ? "the file names no CODEPAGE and no CHARSET: read as text of DOS (cp850)"
                      : "the file names no CODEPAGE: read as windows-1252");
  return from_code_page(bytes, dos ? "cp850" : "windows-1252", filename);
}

class Entries {
 public:
  explicit Entries(PxText& px) : px_(px), text_(px.text) {}

  Status read() {
    for (;;) {
      skip();
      if (at_ == text_.size())
        return px_.error(at_, "the file ends without DATA: it is not a whole PX file");
      PxEntry entry;
      LACUNA_RETURN_IF_ERROR(head(entry));
      if (entry.keyword == "DATA") {
        px_.data = at_;
        return data();
      }
      LACUNA_RETURN_IF_ERROR(values(entry));
      px_.entries.push_back(std::move(entry));
    }
  }

 private:
  void skip() { at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size()); }

  bool take(char c) {
    skip();
    const bool there = at_ < text_.size() && text_[at_] == c;
    at_ += there ? 1 : 0;
    return there;
  }

  Status head(PxEntry& entry) {
    entry.offset = at_;
    while (at_ < text_.size() && is_word(text_[at_]))
      ++at_;
    entry.keyword = capitals(std::string_view(text_).substr(entry.offset, at_ - entry.offset));
    if (entry.keyword.empty())
      return px_.error(at_, "a keyword such as STUB is expected here");
    if (take('[')) {
      const std::size_t end = text_.find(']', at_);
      if (end == std::string::npos)
        return px_.error(at_ - 1, "the bracket of the language is not closed");
      for (const char c : std::string_view(text_).substr(at_, end - at_))
        entry.language += c == '"' ? "" : std::string(1, c);
      at_ = end + 1;
    }
    if (take('(')) {
      do {
        skip();
        LACUNA_TRY(std::string subkey,
                   at_ < text_.size() && text_[at_] == '"' ? quoted() : bare(",)"));
        entry.subkeys.push_back(std::move(subkey));
      } while (take(','));
      if (!take(')'))
        return px_.error(at_, "the bracket behind " + entry.keyword + " is not closed");
    }
    if (!take('='))
      return px_.error(at_, "behind " + entry.keyword + " stands no '='");
    return ok_status();
  }

  Status values(PxEntry& entry) {
    do {
      PxItem item;
      for (;;) {
        skip();
        if (at_ == text_.size())
          return px_.error(entry.offset, entry.keyword + " has no ';' at its end");
        if (text_[at_] == ',' || text_[at_] == ';')
          break;
        const std::size_t offset = at_;
        const bool is_quoted = text_[at_] == '"';
        LACUNA_TRY(std::string text, is_quoted ? quoted() : bare(",;\""));
        const bool continues = is_quoted && !item.empty() && item.back().quoted;
        if (continues)
          item.back().text += text;
        else
          item.push_back({std::move(text), is_quoted, offset});
      }
      entry.items.push_back(std::move(item));
    } while (take(','));
    ++at_;  // the semicolon
    return ok_status();
  }

  Result<std::string> quoted() {
    const std::size_t begin = ++at_;
    const std::size_t end = text_.find('"', begin);
    if (end == std::string::npos)
      return px_.error(begin - 1, "the quotation mark is not closed");
    at_ = end + 1;
    std::string text(std::string_view(text_).substr(begin, end - begin));
    for (char& c : text)
      c = c == '\r' || c == '\n' || c == '\t' ? ' ' : c;
    return text;
  }

  Result<std::string> bare(std::string_view ends) {
    const std::size_t begin = at_;
    at_ = std::min(text_.find_first_of(ends, at_), text_.size());
    const std::string_view text = std::string_view(text_).substr(begin, at_ - begin);
    return std::string(text.substr(0, text.find_last_not_of(kBlanks) + 1));
  }

  // To the last semicolon of the file: cells may be separated by semicolons as well.
  Status data() {
    const std::size_t last = text_.find_last_not_of(" \t\r\n\x1A");
    const bool ends = last != std::string::npos && last >= at_ && text_[last] == ';';
    if (!ends)
      return px_.error(text_.size(), "DATA has no ';' at its end: the file is not whole");
    px_.data_end = last;
    return ok_status();
  }

  PxText& px_;
  const std::string& text_;
  std::size_t at_ = 0;
};

}  // namespace

Error PxText::error(std::size_t offset, std::string message, ErrorCode code) const {
  return files::error_at(filename, text, offset, std::move(message), code);
}

const PxEntry* PxText::find(std::string_view keyword, std::string_view subkey) const {
  for (const PxEntry& entry : entries) {
    const bool same = subkey.empty() ? entry.subkeys.empty()
                                     : entry.subkeys.size() == 1 && entry.subkeys[0] == subkey;
    if (entry.keyword == keyword && entry.language.empty() && same)
      return &entry;
  }
  return nullptr;
}

std::string item_text(const PxItem& item) {
  std::string text;
  for (const PxPart& part : item)
    text += part.text;
  return text;
}

std::vector<std::string> PxText::texts(std::string_view keyword, std::string_view subkey) const {
  std::vector<std::string> out;
  if (const PxEntry* entry = find(keyword, subkey)) {
    for (const PxItem& item : entry->items)
      out.push_back(item_text(item));
  }
  return out;
}

std::string PxText::text_of(std::string_view keyword, std::string_view subkey) const {
  const std::vector<std::string> all = texts(keyword, subkey);
  return all.empty() ? "" : all.front();
}

Result<PxText> read_px_entries(std::string_view bytes, const std::string& filename) {
  PxText px;
  px.filename = filename;
  LACUNA_TRY(px.text, decoded(bytes, filename, px.notes));
  if (const std::size_t bad = base::find_bad_utf8(px.text); bad != std::string::npos)
    return px.error(bad, "this byte is not UTF-8 text, as which CODEPAGE has it");
  LACUNA_RETURN_IF_ERROR(Entries(px).read());
  // Entries that name the main language are as good as those that name none.
  const std::string main = px.text_of("LANGUAGE");
  for (PxEntry& entry : px.entries) {
    if (!main.empty() && entry.language == main)
      entry.language.clear();
  }
  return px;
}

}  // namespace lacuna::formats
