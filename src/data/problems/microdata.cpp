// SPDX-License-Identifier: Apache-2.0
#include "data/problems/microdata.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "core/base/nearest.h"
#include "core/base/spelling.h"
#include "data/files/csv.h"
#include "data/files/position.h"
#include "data/files/wrong_format.h"

namespace lacuna::problems {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);
constexpr std::size_t kLongestRecord = std::size_t{1} << 26U;  // bytes
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool has_high_bytes(std::string_view text) {
  std::size_t at = 0;
  std::uint64_t seen = 0;
  for (; at + 8 <= text.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, 8);
    seen |= word;
  }
  for (; at < text.size(); ++at)
    seen |= static_cast<unsigned char>(text[at]);
  return (seen & 0x8080808080808080U) != 0;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  return text;
}

// Where the first of three bytes is, or the size of the text: eight bytes at a time. With w a word
// and b a byte repeated, x = w ^ b, the lowest bit of (x - 01..01) & ~x & 80..80 marks the first
// byte that is b. Source: Warren, Hacker's Delight, section 6-1.
class ByteFinder {
 public:
  ByteFinder(char a, char b, char c) : patterns_{repeated(a), repeated(b), repeated(c)} {}

  std::size_t find(std::string_view text, std::size_t at) const {
    for (; at + 8 <= text.size(); at += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, text.data() + at, 8);
      if (const std::uint64_t marks = marks_of(word); marks != 0)
        return at + static_cast<std::size_t>(std::countr_zero(marks)) / 8;
    }
    std::uint64_t rest = 0;
    if (at < text.size())
      std::memcpy(&rest, text.data() + at, text.size() - at);
    const std::uint64_t marks = marks_of(rest);
    const std::size_t found =
        marks == 0 ? 8 : static_cast<std::size_t>(std::countr_zero(marks)) / 8;
    return std::min(at + found, text.size());
  }

 private:
  static constexpr std::uint64_t kOnes = 0x0101010101010101U;
  static std::uint64_t repeated(char byte) { return kOnes * static_cast<unsigned char>(byte); }
  std::uint64_t marks_of(std::uint64_t word) const {
    std::uint64_t marks = 0;
    for (const std::uint64_t pattern : patterns_)
      marks |= ((word ^ pattern) - kOnes) & ~(word ^ pattern);
    return marks & (kOnes << 7U);
  }
  std::array<std::uint64_t, 3> patterns_;
};

// Blocks that end at the end of a record. The kinds of files differ in where that may be and in
// how a block becomes fields.
class BlockReader : public RecordSource {
 public:
  BlockReader(std::unique_ptr<files::ByteStream> stream, std::string name, std::size_t block_bytes)
      : stream_(std::move(stream)), name_(std::move(name)), block_bytes_(block_bytes) {}

  Result<bool> read(RecordBlock& block) override {
    block.bytes = rest_;
    block.first = line_;
    rest_.clear();
    std::size_t cut = 0;
    std::size_t seen = 0;
    bool inside_quotes = false;
    while (cut == 0) {
      const std::size_t used = block.bytes.size();
      if (used > kLongestRecord) {
        return Error{ErrorCode::kDamaged,
                     "the record that begins here does not end within 64 MiB",
                     files::location(name_, {static_cast<std::size_t>(line_), 1})};
      }
      block.bytes.resize(std::max(block_bytes_, used * 2));
      LACUNA_TRY(const std::size_t got,
                 stream_->read(block.bytes.data() + used, block.bytes.size() - used));
      const bool at_end = used + got < block.bytes.size();
      block.bytes.resize(used + got);
      if (block.bytes.empty())
        return false;
      if (at_end) {
        cut = block.bytes.size();
        break;
      }
      cut = find_cut(block.bytes, seen, inside_quotes);
    }
    rest_.assign(block.bytes, cut);
    block.bytes.resize(cut);
    line_ += static_cast<std::uint64_t>(std::count(block.bytes.begin(), block.bytes.end(), '\n'));
    return true;
  }

  std::string where(const RecordBlock& block,
                    std::size_t record,
                    std::size_t column) const override {
    const std::string_view field = block.fields[record * num_selected() + column];
    return at(block, static_cast<std::size_t>(field.data() - block.bytes.data()));
  }
  double fraction() const override { return stream_->fraction(); }

 protected:
  // The end of the last record that is complete, or 0. `seen` and `inside_quotes` say how far the
  // bytes are known.
  virtual std::size_t find_cut(std::string_view bytes,
                               std::size_t& seen,
                               bool& inside_quotes) const = 0;
  virtual std::size_t num_selected() const = 0;

  std::string at(const RecordBlock& block, std::size_t offset) const {
    files::Position position = files::position_of(block.bytes, offset);
    position.line += static_cast<std::size_t>(block.first) - 1;
    return files::location(name_, position);
  }
  Error error(const RecordBlock& block, std::size_t offset, std::string message) const {
    return {ErrorCode::kBadField, std::move(message), at(block, offset)};
  }
  Status check_text(const RecordBlock& block) const {
    if (!has_high_bytes(block.bytes))
      return ok_status();
    if (const std::size_t bad = base::find_bad_utf8(block.bytes); bad != std::string_view::npos)
      return files::or_wrong_format(
          error(block, bad, "this byte is not UTF-8 text: convert the file to UTF-8"),
          block.bytes,
          name_);
    return ok_status();
  }
  Status restart() {
    rest_.clear();
    line_ = 1;
    return stream_->rewind();
  }
  // So that the next block begins behind what has been used of this one.
  void give_back(const RecordBlock& block, std::size_t used) {
    const std::string_view bytes = block.bytes;
    const std::string_view before = bytes.substr(0, used);
    line_ =
        block.first + static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n'));
    rest_ = std::string(bytes.substr(used)) + rest_;
  }
  const std::string& name() const { return name_; }

  Error no_column(const std::string& wanted,
                  const std::vector<std::string>& names,
                  std::string where) const {
    const std::vector<std::string_view> known(names.begin(), names.end());
    return {ErrorCode::kMissingColumn,
            "there is no column '" + wanted + "'" + base::did_you_mean(wanted, known),
            std::move(where)};
  }

 private:
  std::unique_ptr<files::ByteStream> stream_;
  std::string name_;
  std::size_t block_bytes_;
  std::string rest_;  // bytes read that belong to the next block
  std::uint64_t line_ = 1;
};

// Cuts the records of one block of separated text. Doubled quotes are taken out in place.
class RowSplitter {
 public:
  RowSplitter(std::string& bytes, char separator)
      : bytes_(bytes), separator_(separator), field_end_(separator, '\n', '"') {}

  bool at_end() const { return at_ == bytes_.size(); }
  std::size_t offset() const { return at_; }
  void skip(std::size_t bytes) { at_ += bytes; }
  bool skip_blank_line() {
    const std::size_t length = line_break_length();
    at_ += length;
    return length > 0;
  }

  // Calls take(column, field) for each field; nullptr, or what is wrong at trouble_offset().
  template <class Take>
  const char* row(Take take) {
    for (std::size_t column = 0;; ++column) {
      std::string_view field;
      if (const char* trouble = next_field(field))
        return trouble;
      take(column, field);
      if (at_ < bytes_.size() && bytes_[at_] == separator_) {
        ++at_;
        continue;
      }
      at_ += line_break_length();
      return nullptr;
    }
  }
  std::size_t trouble_offset() const { return trouble_; }

 private:
  std::size_t line_break_length() const {
    if (at_ < bytes_.size() && bytes_[at_] == '\n')
      return 1;
    return at_ + 1 < bytes_.size() && bytes_[at_] == '\r' && bytes_[at_ + 1] == '\n' ? 2 : 0;
  }

  const char* next_field(std::string_view& field) {
    if (at_ < bytes_.size() && bytes_[at_] == '"')
      return quoted_field(field);
    const std::size_t start = at_;
    const char* const data = bytes_.data();
    const std::size_t size = bytes_.size();
    at_ = field_end_.find(bytes_, at_);
    if (at_ < size && data[at_] == '"') {
      trouble_ = at_;
      return "a quote inside a field that does not begin with one";
    }
    std::size_t end = at_;
    if (at_ < size && data[at_] == '\n' && end > start && data[end - 1] == '\r')
      at_ = --end;
    field = {data + start, end - start};
    return nullptr;
  }

  const char* quoted_field(std::string_view& field) {
    const std::size_t start = at_ + 1;
    std::size_t write = start;
    for (at_ = start;; ++at_, ++write) {
      if (at_ >= bytes_.size()) {
        trouble_ = start - 1;
        return "the quote that opens here is never closed";
      }
      if (bytes_[at_] == '"') {
        if (at_ + 1 >= bytes_.size() || bytes_[at_ + 1] != '"')
          break;
        ++at_;
      }
      bytes_[write] = bytes_[at_];
    }
    std::fill(bytes_.begin() + static_cast<std::ptrdiff_t>(write),
              bytes_.begin() + static_cast<std::ptrdiff_t>(at_),
              ' ');
    field = {bytes_.data() + start, write - start};
    ++at_;
    if (at_ < bytes_.size() && bytes_[at_] != separator_ && line_break_length() == 0) {
      trouble_ = at_;
      return "expected the separator after a quoted field";
    }
    return nullptr;
  }

  std::string& bytes_;
  char separator_;
  ByteFinder field_end_;
  std::size_t at_ = 0;
  std::size_t trouble_ = 0;
};

class CsvRecords : public BlockReader {
 public:
  CsvRecords(std::unique_ptr<files::ByteStream> stream,
             const std::string& name,
             CsvRecordsOptions options)
      : BlockReader(std::move(stream), name, options.block_bytes), options_(std::move(options)) {}

  Status select(std::span<const std::string> columns) override {
    LACUNA_RETURN_IF_ERROR(restart());
    LACUNA_RETURN_IF_ERROR(read_header());
    target_.assign(names_.size(), kNone);
    copies_.clear();
    num_selected_ = columns.size();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto at = std::find(names_.begin(), names_.end(), columns[i]);
      if (at == names_.end())
        return another_separator(no_column(columns[i], names_, files::location(name(), {1, 1})));
      if (std::find(at + 1, names_.end(), columns[i]) != names_.end()) {
        return Error{ErrorCode::kRepeatedColumn,
                     "two columns have the name '" + columns[i] + "'",
                     files::location(name(), {1, 1})};
      }
      std::size_t& target = target_[static_cast<std::size_t>(at - names_.begin())];
      if (target == kNone)
        target = i;
      else
        copies_.push_back({target, i});
    }
    return ok_status();
  }

  // A header that is one field, with another separator in it, is the likeliest cause.
  Error another_separator(Error error) const {
    const char likely =
        names_.size() == 1 ? files::likely_separator(names_.front()) : options_.separator;
    if (likely == options_.separator || names_.front().find(likely) == std::string::npos)
      return error;
    error.message = error.message.substr(0, error.message.find("; did you mean")) +
                    ": with the separator " + base::in_quotes(std::string(1, options_.separator)) +
                    " the header is one field; say " +
                    base::named_setting("[input]",
                                        "separator",
                                        likely == '\t' ? std::string("\"\\t\"")
                                                       : '"' + std::string(1, likely) + '"');
    return error;
  }

  Status split(RecordBlock& block) const override {
    LACUNA_RETURN_IF_ERROR(check_text(block));
    std::vector<std::string_view>& fields = block.fields;
    std::size_t used = 0;  // of the fields; each of a record's is written
    block.num_records = 0;
    RowSplitter rows(block.bytes, options_.separator);
    if (block.first == 1 && block.bytes.starts_with(kByteOrderMark))
      rows.skip(kByteOrderMark.size());
    while (!rows.at_end()) {
      if (rows.skip_blank_line())
        continue;
      const std::size_t begin = rows.offset();
      if (used + num_selected_ > fields.size())
        fields.resize(2 * (used + num_selected_));
      std::size_t count = 0;
      const char* trouble = rows.row([&](std::size_t column, std::string_view field) {
        ++count;
        if (column < target_.size() && target_[column] != kNone)
          fields[used + target_[column]] = options_.trim ? trimmed(field) : field;
      });
      for (const Copy& copy : copies_)
        fields[used + copy.to] = fields[used + copy.from];
      if (trouble != nullptr)
        return error(block, rows.trouble_offset(), trouble);
      if (count != names_.size()) {
        return error(block,
                     begin,
                     "the row has " + std::to_string(count) + " fields, but the header has " +
                         std::to_string(names_.size()));
      }
      used += num_selected_;
      ++block.num_records;
    }
    fields.resize(used);
    return ok_status();
  }

 protected:
  // Outside of quotes every line break ends a record; a quote inside an unquoted field would upset
  // this, but split() refuses it before anything that follows is used.
  std::size_t find_cut(std::string_view bytes,
                       std::size_t& seen,
                       bool& inside_quotes) const override {
    std::size_t cut = 0;
    while (seen < bytes.size()) {
      const std::size_t quote = std::min(bytes.find('"', seen), bytes.size());
      if (!inside_quotes) {
        const std::size_t newline = bytes.substr(seen, quote - seen).rfind('\n');
        if (newline != std::string_view::npos)
          cut = seen + newline + 1;
      }
      if (quote == bytes.size())
        break;
      inside_quotes = !inside_quotes;
      seen = quote + 1;
    }
    seen = bytes.size();
    return cut;
  }
  std::size_t num_selected() const override { return num_selected_; }

 private:
  Status read_header() {
    names_ = options_.header;
    if (!names_.empty())
      return ok_status();
    RecordBlock block;
    LACUNA_TRY(const bool any, BlockReader::read(block));
    if (any)
      LACUNA_RETURN_IF_ERROR(check_text(block));
    RowSplitter rows(block.bytes, options_.separator);
    if (block.bytes.starts_with(kByteOrderMark))
      rows.skip(kByteOrderMark.size());
    while (!rows.at_end() && rows.skip_blank_line()) {
    }
    if (rows.at_end())
      return Error{
          ErrorCode::kNoRows, "the file has no header line", files::location(name(), {1, 1})};
    const char* trouble = rows.row([&](std::size_t, std::string_view field) {
      names_.emplace_back(options_.trim ? trimmed(field) : field);
    });
    if (trouble != nullptr)
      return error(block, rows.trouble_offset(), trouble);
    give_back(block, rows.offset());
    return ok_status();
  }

  CsvRecordsOptions options_;
  std::vector<std::string> names_;
  struct Copy {
    std::size_t from = 0;
    std::size_t to = 0;
  };
  std::vector<std::size_t> target_;  // per column of the file: its place among the selected
  std::vector<Copy> copies_;         // places of columns that are selected more than once
  std::size_t num_selected_ = 0;
};

class FixedRecords : public BlockReader {
 public:
  FixedRecords(std::unique_ptr<files::ByteStream> stream,
               const std::string& name,
               FixedRecordsOptions options)
      : BlockReader(std::move(stream), name, options.block_bytes), options_(std::move(options)) {}

  Status select(std::span<const std::string> columns) override {
    LACUNA_RETURN_IF_ERROR(restart());
    selected_.clear();
    std::vector<std::string> names;
    for (const FixedColumn& column : options_.columns)
      names.push_back(column.name);
    for (const std::string& wanted : columns) {
      const auto at = std::find(names.begin(), names.end(), wanted);
      if (at == names.end())
        return no_column(wanted, names, name());
      selected_.push_back(options_.columns[static_cast<std::size_t>(at - names.begin())]);
    }
    return ok_status();
  }

  Status split(RecordBlock& block) const override {
    LACUNA_RETURN_IF_ERROR(check_text(block));
    const bool plain = !has_high_bytes(block.bytes);
    block.fields.clear();
    block.num_records = 0;
    const std::string_view bytes = block.bytes;
    std::size_t start =
        block.first == 1 && bytes.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
    while (start < bytes.size()) {
      const std::size_t end = std::min(bytes.find('\n', start), bytes.size());
      std::string_view line = bytes.substr(start, end - start);
      if (line.ends_with('\r'))
        line.remove_suffix(1);
      if (!line.empty())
        LACUNA_RETURN_IF_ERROR(split_line(block, line, plain));
      start = end + 1;
    }
    return ok_status();
  }

 protected:
  std::size_t find_cut(std::string_view bytes, std::size_t& seen, bool&) const override {
    seen = bytes.size();
    const std::size_t newline = bytes.rfind('\n');
    return newline == std::string_view::npos ? 0 : newline + 1;
  }
  std::size_t num_selected() const override { return selected_.size(); }

 private:
  // The byte at which a character begins, from 0; kNone if the line is shorter.
  static std::size_t byte_of(std::string_view line, std::size_t character, bool plain) {
    if (plain)
      return character <= line.size() ? character : kNone;
    std::size_t at = 0;
    for (; at < line.size(); ++at) {
      if ((static_cast<unsigned char>(line[at]) & 0xC0U) == 0x80U)
        continue;
      if (character == 0)
        return at;
      --character;
    }
    return character == 0 ? at : kNone;
  }

  Status split_line(RecordBlock& block, std::string_view line, bool plain) const {
    for (const FixedColumn& column : selected_) {
      const std::size_t begin = byte_of(line, column.start - 1, plain);
      const std::size_t end = byte_of(line, column.start - 1 + column.length, plain);
      if (end == kNone) {
        const auto offset = static_cast<std::size_t>(line.data() - block.bytes.data());
        return error(block,
                     offset + line.size(),
                     "the line ends before the end of column '" + column.name + "' at character " +
                         std::to_string(column.start - 1 + column.length));
      }
      const std::string_view field = line.substr(begin, end - begin);
      block.fields.push_back(options_.trim ? trimmed(field) : field);
    }
    ++block.num_records;
    return ok_status();
  }

  FixedRecordsOptions options_;
  std::vector<FixedColumn> selected_;
};

Status check_separator(char separator) {
  if (separator == '"' || separator == '\n' || separator == '\r' ||
      (static_cast<unsigned char>(separator) & 0x80U) != 0)
    return Error{ErrorCode::kOptionValue, "this character cannot separate fields", "separator"};
  return ok_status();
}

Status check_fixed_columns(const FixedRecordsOptions& options) {
  for (const FixedColumn& column : options.columns) {
    if (column.name.empty() || column.start < 1 || column.length < 1) {
      return Error{ErrorCode::kOptionValue,
                   "a fixed-width column needs a name, a start from 1 and a length from 1",
                   "column " + column.name};
    }
  }
  return ok_status();
}

Status check_block_bytes(std::size_t bytes) {
  if (bytes < 1 || bytes > kLongestRecord)
    return Error{ErrorCode::kOptionValue, "a block has from 1 byte to 64 MiB", "block-bytes"};
  return ok_status();
}

}  // namespace

Result<std::unique_ptr<RecordSource>> csv_records(std::unique_ptr<files::ByteStream> stream,
                                                  const std::string& name,
                                                  const CsvRecordsOptions& options) {
  LACUNA_RETURN_IF_ERROR(check_separator(options.separator));
  LACUNA_RETURN_IF_ERROR(check_block_bytes(options.block_bytes));
  return std::unique_ptr<RecordSource>(
      std::make_unique<CsvRecords>(std::move(stream), name, options));
}

Result<std::unique_ptr<RecordSource>> fixed_records(std::unique_ptr<files::ByteStream> stream,
                                                    const std::string& name,
                                                    const FixedRecordsOptions& options) {
  LACUNA_RETURN_IF_ERROR(check_fixed_columns(options));
  LACUNA_RETURN_IF_ERROR(check_block_bytes(options.block_bytes));
  return std::unique_ptr<RecordSource>(
      std::make_unique<FixedRecords>(std::move(stream), name, options));
}

Result<std::unique_ptr<RecordSource>> open_csv_records(const std::string& path,
                                                       const CsvRecordsOptions& options) {
  LACUNA_TRY(auto stream, files::open_byte_stream(path));
  return csv_records(std::move(stream), path, options);
}

Result<std::unique_ptr<RecordSource>> open_fixed_records(const std::string& path,
                                                         const FixedRecordsOptions& options) {
  LACUNA_TRY(auto stream, files::open_byte_stream(path));
  return fixed_records(std::move(stream), path, options);
}

}  // namespace lacuna::problems
