// SPDX-License-Identifier: Apache-2.0
// The lines of a file of records, one at a time, and their fields: at fixed places (characters of
// UTF-8 lines, bytes of others) or between separators. Files need not fit memory.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "data/files/byte_stream.h"
#include "lacuna/result.h"

namespace lacuna::argus {

class RecordLines {
 public:
  explicit RecordLines(std::unique_ptr<files::ByteStream> stream);

  // The next line that is not empty, without control characters at its end; valid until the next
  // call. False at the end of the file.
  Result<bool> next(std::string_view& line);
  std::size_t number() const { return number_; }  // of the line, from 1
  double fraction() const { return stream_->fraction(); }

 private:
  Result<bool> next_physical(std::string_view& line);
  std::unique_ptr<files::ByteStream> stream_;
  std::string buffer_;
  std::size_t begin_ = 0;  // of what has not been handed out
  bool at_end_ = false;
  std::size_t number_ = 0;
};

struct FieldSpan {
  std::size_t start = 0;  // from 1
  std::size_t length = 0;
};

// The text at these characters; a line that ends before them gives less.
class FixedFields {
 public:
  std::string_view field(std::string_view line, FieldSpan span) const;
  void look_at(std::string_view line);  // before its fields are asked for

 private:
  std::size_t first_size_ = 0;  // bytes of the first line
  bool by_characters_ = false;  // of the line at hand
};

// The first `count` fields; false if there are fewer. A separator in quotes separates nothing;
// blanks and quotes around a field are no part of it.
bool split_fields(std::string_view line,
                  char separator,
                  std::size_t count,
                  std::vector<std::string_view>& fields);

}  // namespace lacuna::argus
