// SPDX-License-Identifier: Apache-2.0
#include "data/argus/record_lines.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/base/utf8.h"

namespace lacuna::argus {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 20U;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c & '\x80') == 0; });
}

// The bytes at which so many characters of a UTF-8 text end.
std::size_t bytes_of_characters(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  while (at < text.size() && count > 0) {
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U)
      ++at;
    --count;
  }
  return at;
}

std::string_view without_control_characters(std::string_view line) {
  while (!line.empty() && static_cast<unsigned char>(line.back()) < ' ')
    line.remove_suffix(1);
  return line;
}

// Where a field that begins with a quote ends: after the quote that a separator or the end follows.
std::size_t end_of_quoted(std::string_view line, std::size_t begin, char separator) {
  for (std::size_t quote = line.find('"', begin + 1); quote != std::string_view::npos;
       quote = line.find('"', quote + 1)) {
    const std::size_t after = line.find_first_not_of(" \t", quote + 1);
    if (after == std::string_view::npos || line[after] == separator)
      return std::min(after, line.size());
  }
  return std::string_view::npos;  // the quote has no partner: it is a character like others
}

std::string_view without_quotes(std::string_view field) {
  field = base::trimmed(field);
  if (field.size() >= 2 && field.front() == '"' && field.back() == '"')
    field = base::trimmed(field.substr(1, field.size() - 2));
  return field;
}

}  // namespace

RecordLines::RecordLines(std::unique_ptr<files::ByteStream> stream) : stream_(std::move(stream)) {}

Result<bool> RecordLines::next_physical(std::string_view& line) {
  std::size_t searched = begin_;
  for (;;) {
    const std::size_t end = buffer_.find('\n', searched);
    if (end != std::string::npos || (at_end_ && begin_ < buffer_.size())) {
      const std::size_t stop = std::min(end, buffer_.size());
      line = std::string_view(buffer_).substr(begin_, stop - begin_);
      begin_ = std::min(stop + 1, buffer_.size());
      ++number_;
      return true;
    }
    if (at_end_)
      return false;
    buffer_.erase(0, begin_);
    begin_ = 0;
    searched = buffer_.size();
    buffer_.resize(searched + kBlockBytes);
    LACUNA_TRY(const std::size_t got, stream_->read(buffer_.data() + searched, kBlockBytes));
    buffer_.resize(searched + got);
    at_end_ = got < kBlockBytes;
  }
}

Result<bool> RecordLines::next(std::string_view& line) {
  for (;;) {
    LACUNA_TRY(const bool more, next_physical(line));
    if (!more)
      return false;
    if (number_ == 1 && line.starts_with(kByteOrderMark))
      line.remove_prefix(kByteOrderMark.size());
    line = without_control_characters(line);
    if (!line.empty())
      return true;
  }
}

void FixedFields::look_at(std::string_view line) {
  if (first_size_ == 0)
    first_size_ = line.size();
  else if (line.size() == first_size_) {  // records of the same size are padded by bytes
    by_characters_ = false;
    return;
  }
  by_characters_ = !is_ascii(line) && base::find_bad_utf8(line) == std::string_view::npos;
}

std::string_view FixedFields::field(std::string_view line, FieldSpan span) const {
  const std::size_t before = span.start - 1;
  const std::size_t begin = by_characters_ ? bytes_of_characters(line, before) : before;
  if (begin >= line.size())
    return {};
  const std::string_view rest = line.substr(begin);
  return rest.substr(0, by_characters_ ? bytes_of_characters(rest, span.length) : span.length);
}

bool split_fields(std::string_view line,
                  char separator,
                  std::size_t count,
                  std::vector<std::string_view>& fields) {
  fields.clear();
  std::size_t begin = 0;
  while (fields.size() < count) {
    if (begin > line.size())
      return false;
    std::size_t end = std::string_view::npos;
    const std::size_t first = line.find_first_not_of(' ', begin);
    if (first != std::string_view::npos && line[first] == '"')
      end = end_of_quoted(line, first, separator);
    if (end == std::string_view::npos)
      end = std::min(line.find(separator, begin), line.size());
    fields.push_back(without_quotes(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  return true;
}

}  // namespace lacuna::argus
