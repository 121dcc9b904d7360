// SPDX-License-Identifier: Apache-2.0
// The words of tau-ARGUS's text files. A file is read as UTF-8 (or Latin-1, Windows-1252, UTF-16)
// with any line ends; tabulators count as blanks. A word is a text in quotes (which have no
// escape), one of the marks, or what stands before the next blank; "//" at the start of a word
// opens a comment. Unlike there, a separator inside quotes separates nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/argus/word.h"
#include "lacuna/result.h"

namespace lacuna::argus {

// The bytes of a file as UTF-8 text, without a byte order mark.
Result<std::string> text_of(std::string bytes, const std::string& filename);

struct Line {
  std::string text;  // without its end
  std::size_t number = 1;
};
// All lines, the empty ones too.
std::vector<Line> lines_of(std::string_view text);

std::string upper_case(std::string_view text);           // of ASCII letters
bool same_word(std::string_view a, std::string_view b);  // ignoring the case of ASCII letters
std::size_t characters_in(std::string_view text);
std::string left_padded(std::string_view code, std::size_t width);  // blanks, by characters

// Goes through one line. Blanks before whatever is asked for are skipped.
class LineReader {
 public:
  LineReader(const Line& line, std::string filename);  // the line must outlive the reader

  bool at_end();  // nothing but blanks or a comment is left
  char next();    // the first character to come; '\0' at the end
  bool take(char mark);
  Status expect(char mark,
                std::string_view after);  // error: "expected ')' after ..., not 'x'"
  files::Position here();

  bool quoted_next() { return next() == '"'; }
  // A text in quotes, one of ",|()", "<KEYWORD>" (in upper case), or what stands before the next
  // blank or one of the marks. Empty at the end.
  Word token(std::string_view marks = "");
  // What stands before one of the marks that are not in quotes, or before the end; without blanks
  // around it and without its quotes. The mark stays.
  Word field(std::string_view marks);
  Word rest();  // to the end of the line or a comment, without its quotes; may begin with "//"

  Error error(const Word& word, std::string message) const;
  Error error(files::Position place, std::string message) const;
  // Whether a quote had no partner: the text went to the end of the line, as in tau-ARGUS.
  bool unclosed_quote() const { return unclosed_; }
  const std::string& filename() const { return filename_; }

 private:
  void skip_blanks();
  files::Position place_of(std::size_t at) const;
  Word word_from(std::size_t begin, std::string_view text) const;
  Word quoted();
  bool comment_at(std::size_t at) const;

  std::string_view text_;
  std::size_t number_;
  std::string filename_;
  std::size_t at_ = 0;
  bool unclosed_ = false;
  // Where characters have been counted up to, so that a long line is gone through once.
  mutable std::size_t counted_bytes_ = 0, counted_characters_ = 0;
};

}  // namespace lacuna::argus
