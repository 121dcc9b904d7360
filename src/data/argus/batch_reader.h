// SPDX-License-Identifier: Apache-2.0
// One command of a batch job while it is read: its words, the numbers in them, and notes on what
// tau-ARGUS would have read differently. The readers of single commands are listed below.
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/argus/batch.h"
#include "data/argus/lines.h"
#include "lacuna/result.h"

namespace lacuna::argus {

class CommandReader {
 public:
  CommandReader(const Line& line, const std::string& filename, std::vector<std::string>& notes)
      : line_(line, filename), notes_(notes) {}

  LineReader& line() { return line_; }
  void note(files::Position place, const std::string& text);
  Error error(const Word& word, std::string message) const;

  // `what`: "the number of the table", for messages.
  Result<std::int64_t> integer(const Word& word,
                               const std::string& what,
                               std::int64_t lowest,
                               std::int64_t highest) const;
  Result<mpq_class> number(const Word& word, const std::string& what) const;  // not negative
  Result<double> amount(const Word& word, const std::string& what) const;     // not negative
  Result<bool> on_off(const Word& word, const std::string& what) const;       // 1 or 0
  Result<int> table(const Word& word, int lowest) const;

  // "(a, b, c)" as its parts, which may be empty.
  Result<std::vector<Word>> bracket(const std::string& what);
  // The name of a file: the rest of the line. Error: there is none.
  Result<Word> file();
  void ignore_rest();  // with a note if there is any

 private:
  LineReader line_;
  std::vector<std::string>& notes_;
};

Result<Action> read_specify_table(CommandReader& reader);
Result<Action> read_safety_rule(CommandReader& reader);
Result<Action> read_suppress(CommandReader& reader);
Result<Action> read_write_table(CommandReader& reader);

}  // namespace lacuna::argus
