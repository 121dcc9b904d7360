// SPDX-License-Identifier: Apache-2.0
#include "data/argus/lines.h"

#include <algorithm>
#include <utility>

#include "core/base/confidential.h"
#include "core/base/text.h"
#include "data/files/text_encoding.h"

namespace lacuna::argus {
namespace {

constexpr std::string_view kTokenMarks = ",|()";

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

bool opens_character(char c) {  // of UTF-8
  return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

}  // namespace

Result<std::string> text_of(std::string bytes, const std::string& filename) {
  const files::Encoding likely = files::likely_encoding(bytes);
  if (likely != files::Encoding::kWindows1252)
    return files::to_utf8(std::move(bytes), likely, filename);
  if (auto text = files::to_utf8(bytes, likely, filename))
    return text;
  return files::to_utf8(std::move(bytes), files::Encoding::kLatin1, filename);
}

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t end = std::min(text.find_first_of("\r\n", start), text.size());
    lines.push_back({std::string(text.substr(start, end - start)), lines.size() + 1});
    start = end + (text.substr(end, 2) == "\r\n" ? 2 : 1);
  }
  return lines;
}

std::string upper_case(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return result;
}

bool same_word(std::string_view a, std::string_view b) {
  return a.size() == b.size() && base::lower_case(a) == base::lower_case(b);
}

std::size_t characters_in(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), opens_character));
}

std::string left_padded(std::string_view code, std::size_t width) {
  const std::size_t length = characters_in(code);
  return std::string(width > length ? width - length : 0, ' ') + std::string(code);
}

LineReader::LineReader(const Line& line, std::string filename)
    : text_(line.text), number_(line.number), filename_(std::move(filename)) {}

void LineReader::skip_blanks() {
  while (at_ < text_.size() && is_blank(text_[at_]))
    ++at_;
}

bool LineReader::comment_at(std::size_t at) const {
  if (text_.substr(at, 2) != "//")
    return false;
  return at == 0 || is_blank(text_[at - 1]) || text_[at - 1] == '"' ||
         kTokenMarks.find(text_[at - 1]) != std::string_view::npos;
}

bool LineReader::at_end() {
  skip_blanks();
  return at_ == text_.size() || comment_at(at_);
}

char LineReader::next() {
  return at_end() ? '\0' : text_[at_];
}

bool LineReader::take(char mark) {
  if (next() != mark)
    return false;
  ++at_;
  return true;
}

Status LineReader::expect(char mark, std::string_view after) {
  if (take(mark))
    return ok_status();
  const std::string found =
      at_end() ? "the end of the line" : base::strange_field_in_quotes(text_.substr(at_));
  return error(
      here(),
      "expected '" + std::string(1, mark) + "' after " + std::string(after) + ", not " + found);
}

files::Position LineReader::place_of(std::size_t at) const {
  if (at < counted_bytes_)
    counted_bytes_ = counted_characters_ = 0;
  counted_characters_ += characters_in(text_.substr(counted_bytes_, at - counted_bytes_));
  counted_bytes_ = at;
  return {number_, counted_characters_ + 1};
}

files::Position LineReader::here() {
  skip_blanks();
  return place_of(at_);
}

Word LineReader::word_from(std::size_t begin, std::string_view text) const {
  return {std::string(text), place_of(begin)};
}

Word LineReader::quoted() {
  const std::size_t begin = at_ + 1;
  const std::size_t end = text_.find('"', begin);
  unclosed_ = unclosed_ || end == std::string_view::npos;
  at_ = end == std::string_view::npos ? text_.size() : end + 1;
  const std::string_view inside =
      text_.substr(begin, end == std::string_view::npos ? end : end - begin);
  return word_from(begin - 1, unclosed_ ? base::trimmed(inside) : inside);
}

Word LineReader::token(std::string_view marks) {
  if (at_end())
    return {"", here()};
  const std::size_t begin = at_;
  if (text_[at_] == '"')
    return quoted();
  if (kTokenMarks.find(text_[at_]) != std::string_view::npos)
    return word_from(begin, text_.substr(at_++, 1));
  const std::size_t close = text_.find('>', at_);
  while (at_ < text_.size() && !is_blank(text_[at_]) &&
         (at_ == begin || marks.find(text_[at_]) == std::string_view::npos))
    ++at_;
  const bool keyword = text_[begin] == '<' && close < at_;
  if (keyword)
    at_ = close + 1;
  const std::string_view text = text_.substr(begin, at_ - begin);
  return keyword ? Word{upper_case(text), place_of(begin)} : word_from(begin, text);
}

Word LineReader::field(std::string_view marks) {
  if (at_end())
    return {"", here()};
  if (text_[at_] == '"')
    return quoted();
  const std::size_t begin = at_;
  while (at_ < text_.size() && marks.find(text_[at_]) == std::string_view::npos && !comment_at(at_))
    ++at_;
  return word_from(begin, base::trimmed(text_.substr(begin, at_ - begin)));
}

Word LineReader::rest() {
  skip_blanks();
  if (at_ < text_.size() && text_[at_] == '"') {
    Word word = quoted();
    return word;
  }
  const std::size_t begin = at_;
  while (at_ < text_.size() && (at_ == begin || !comment_at(at_)))
    ++at_;
  return word_from(begin, base::trimmed(text_.substr(begin, at_ - begin)));
}

Error LineReader::error(const Word& word, std::string message) const {
  return error(word.place, std::move(message));
}

Error LineReader::error(files::Position place, std::string message) const {
  return {ErrorCode::kArgusCommand, std::move(message), files::location(filename_, place)};
}

}  // namespace lacuna::argus
