// SPDX-License-Identifier: Apache-2.0
#include "data/publish/px.h"

#include <algorithm>

#include "data/problems/cell_index.h"
#include "data/publish/cross_cells.h"
#include "data/publish/meaning.h"
#include "data/publish/public_file.h"
#include "data/publish/public_table.h"

namespace lacuna::publish {
namespace {

constexpr std::size_t kMostInLine = 200;  // readers may stop at 256 characters
constexpr std::size_t kMostShown = 6;     // digits after the point that the format can ask to show

// PX texts cannot hold quotes or line breaks.
std::string px_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const bool control = static_cast<unsigned char>(c) < 0x20;
    out += c == '"' ? '\'' : control ? ' ' : c;
  }
  return out + "\"";
}

// Texts beyond a line are continued on the next: "one "\n"two".
std::string px_text(std::string_view text) {
  std::string out;
  while (text.size() > kMostInLine) {
    std::size_t end = text.rfind(' ', kMostInLine);
    if (end == std::string_view::npos || end == 0) {
      end = kMostInLine;
      while (end > 1 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
        --end;  // not within a character
    } else {
      ++end;
    }
    out += px_quoted(text.substr(0, end)) + "\n";
    text.remove_prefix(end);
  }
  return out + px_quoted(text);
}

std::string keyword(const std::string& name, const std::string& value) {
  return name + "=" + value + ";\n";
}

std::string quoted_list(const std::vector<std::string>& items) {
  std::string out;
  std::size_t line = 0;
  for (const std::string& item : items) {
    const std::string text = px_quoted(item);
    if (!out.empty())
      out += ",";
    if (line > 0 && line + text.size() > kMostInLine) {
      out += "\n";
      line = 0;
    }
    out += text;
    line += text.size() + 1;
  }
  return out;
}

class PxWriter {
 public:
  explicit PxWriter(const PublicRelease& release)
      : release_(release),
        view_(release.tables.front()),
        table_(release.release.problem().table()),
        index_(table_) {}

  Result<std::string> write() {
    if (table_.dimensions().empty())
      return Error{ErrorCode::kCannotHold, "a .px file needs codes, and the table has none", ""};
    constexpr std::size_t kMost = 16'777'216;
    std::size_t cells = 1;
    for (const std::size_t d : view_.dimensions) {
      cells *= static_cast<std::size_t>(table_.dimensions()[d].num_codes());
      if (cells > kMost)
        return Error{ErrorCode::kCannotHold,
                     "a .px file holds every combination of codes, here more than 16777216; write "
                     ".csv",
                     ""};
    }
    LACUNA_TRY(const std::string data, data_text(cells));
    return header() + "DATA=\n" + data + ";\n";
  }

 private:
  std::string header() const {
    const std::string title = shown_title(release_);
    const std::string& subject = release_.options.subject_area;
    std::vector<std::string> stub, heading;
    for (std::size_t i = 0; i < view_.dimensions.size(); ++i) {
      const bool last = i + 1 == view_.dimensions.size() && i > 0;
      (last ? heading : stub).push_back(table_.dimensions()[view_.dimensions[i]].name());
    }
    const std::string decimals = std::to_string(shown_decimals_);
    std::string text = keyword("CHARSET", px_quoted("ANSI")) +
                       keyword("AXIS-VERSION", px_quoted("2013")) +
                       keyword("CODEPAGE", px_quoted("utf-8"));
    if (const std::string& date = release_.facts.date; date.size() == 10)
      text +=
          keyword("CREATION-DATE",
                  px_quoted(date.substr(0, 4) + date.substr(5, 2) + date.substr(8, 2) + " 00:00"));
    text += keyword("DECIMALS", decimals) +
            keyword("SHOWDECIMALS", std::to_string(std::min(shown_decimals_, kMostShown))) +
            keyword("MATRIX", px_quoted(matrix_name(view_.name.empty() ? "table" : view_.name))) +
            keyword("SUBJECT-CODE", px_quoted("0")) +
            keyword("SUBJECT-AREA", px_text(subject.empty() ? title : subject)) +
            keyword("TITLE", px_text(title)) + keyword("CONTENTS", px_text(title)) +
            keyword("UNITS", px_quoted("number")) + keyword("STUB", quoted_list(stub));
    if (!heading.empty())
      text += keyword("HEADING", quoted_list(heading));
    for (const char* name : {"VALUES", "CODES"}) {
      for (const std::size_t d : view_.dimensions) {
        const Dimension& dimension = table_.dimensions()[d];
        text += keyword(std::string(name) + "(" + px_quoted(dimension.name()) + ")",
                        quoted_list(dimension.codes()));
      }
    }
    text += keyword("DATASYMBOL2", px_quoted("withheld for confidentiality"));
    std::string notes;
    for (const std::string& note : notes_with_meaning(release_))
      notes += (notes.empty() ? "" : "#") + note;  // # is a line break
    return notes.empty() ? text : text + keyword("NOTE", px_text(notes));
  }

  static std::string matrix_name(const std::string& title) {  // letters and digits, 20 at most
    constexpr std::size_t kMost = 20;
    std::string name;
    for (const char c : title) {
      const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (name.size() < kMost)
        name += plain ? c : '_';
    }
    return name;
  }

  Result<std::string> data_text(std::size_t cells) {
    std::vector<std::int32_t> codes;
    for (const Dimension& dimension : table_.dimensions())
      codes.push_back(dimension.total());
    for (const std::size_t d : view_.dimensions)
      codes[d] = 0;
    std::string out;
    std::size_t line = 0;
    for (std::size_t i = 0; i < cells; ++i) {
      LACUNA_TRY(const std::string text, cell_text(codes));
      const bool row_ends = step(codes);
      out += text;
      line += text.size() + 1;
      const bool breaks = row_ends || line > kMostInLine;
      out += breaks ? " \n" : " ";  // readers want the blank at the end of a line, too
      line = breaks ? 0 : line;
    }
    return out;
  }

  // To the next cell; whether a row of the heading is at its end.
  bool step(std::vector<std::int32_t>& codes) const {
    bool row_ends = false;
    for (std::size_t i = view_.dimensions.size(); i-- > 0;) {
      const std::size_t d = view_.dimensions[i];
      if (++codes[d] < table_.dimensions()[d].num_codes())
        return row_ends;
      codes[d] = 0;
      row_ends = true;
    }
    return true;
  }

  Result<std::string> cell_text(const std::vector<std::int32_t>& codes) {
    const auto cell = index_.find(codes);
    if (!cell)
      return std::string("\"-\"");
    LACUNA_TRY(const PublicCell shown, public_cell(release_, *cell));
    const auto& value = shown.numbers[0];
    if (!value)
      return std::string("\"..\"");
    const std::size_t point = value->find('.');
    if (point != std::string::npos)
      shown_decimals_ = std::max(shown_decimals_, value->size() - point - 1);
    return *value;
  }

  const PublicRelease& release_;
  const files::TableView& view_;
  const Table& table_;
  const problems::CellIndex index_;
  std::size_t shown_decimals_ = 0;  // the most that any number has
};

}  // namespace

Result<std::string> public_px(const PublicRelease& release) {
  LACUNA_RETURN_IF_ERROR(refuse_ranges(release, ".px"));
  return PxWriter(release).write();
}

}  // namespace lacuna::publish
