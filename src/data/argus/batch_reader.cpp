// SPDX-License-Identifier: Apache-2.0
#include "data/argus/batch_reader.h"

#include <charconv>

#include "core/base/decimal.h"
#include "core/base/rational.h"

namespace lacuna::argus {
namespace {

std::string found_word(const Word& word) {
  return word.text.empty() ? "nothing" : base::in_quotes(word.text);
}

}  // namespace

void CommandReader::note(files::Position place, const std::string& text) {
  notes_.push_back(files::location(line_.filename(), place) + ": " + text);
}

Error CommandReader::error(const Word& word, std::string message) const {
  return line_.error(word, std::move(message));
}

Result<std::int64_t> CommandReader::integer(const Word& word,
                                            const std::string& what,
                                            std::int64_t lowest,
                                            std::int64_t highest) const {
  std::int64_t value = 0;
  const char* const end = word.text.data() + word.text.size();
  const auto [at, code] = std::from_chars(word.text.data(), end, value);
  const bool whole = code == std::errc() && at == end && !word.text.empty();
  if (whole && value >= lowest && value <= highest)
    return value;
  const std::string range =
      highest == INT64_MAX ? "of at least " + std::to_string(lowest)
                           : "from " + std::to_string(lowest) + " to " + std::to_string(highest);
  return error(word, what + " must be a whole number " + range + ", not " + found_word(word));
}

Result<mpq_class> CommandReader::number(const Word& word, const std::string& what) const {
  const Error wrong =
      error(word, what + " must be a number of at least 0, not " + found_word(word));
  const auto value = base::parse_fraction(word.text);
  if (!value || *value < 0)
    return wrong;
  return *value;
}

Result<double> CommandReader::amount(const Word& word, const std::string& what) const {
  const auto value = base::parse_double(word.text);
  if (value && *value >= 0)
    return *value;
  return error(word, what + " must be a number of at least 0, not " + found_word(word));
}

Result<bool> CommandReader::on_off(const Word& word, const std::string& what) const {
  if (word.text == "0" || word.text == "1")
    return word.text == "1";
  return error(word, what + " must be 0 or 1, not " + found_word(word));
}

Result<int> CommandReader::table(const Word& word, int lowest) const {
  constexpr std::int64_t kMostTables = 10'000;
  LACUNA_TRY(const auto value, integer(word, "the number of a table", lowest, kMostTables));
  return static_cast<int>(value);
}

Result<std::vector<Word>> CommandReader::bracket(const std::string& what) {
  LACUNA_RETURN_IF_ERROR(line_.expect('(', what));
  std::vector<Word> parts;
  do {
    parts.push_back(line_.field(",()|"));
  } while (line_.take(','));
  const std::string last = parts.back().text.empty() ? what : base::in_quotes(parts.back().text);
  LACUNA_RETURN_IF_ERROR(line_.expect(')', last));
  return parts;
}

Result<Word> CommandReader::file() {
  const bool quoted = line_.quoted_next();
  Word word = line_.rest();
  if (!quoted && word.text.size() > 1 && word.text.find('"') == word.text.size() - 1) {
    word.text.pop_back();
    note(word.place, "a quote stands at the end of the name of the file alone: ignored");
  }
  if (word.text.empty())
    return error(word, "expected the name of a file");
  return word;
}

void CommandReader::ignore_rest() {
  if (line_.at_end())
    return;
  const Word rest = line_.rest();
  note(rest.place, "ignored: " + base::in_quotes(rest.text));
}

}  // namespace lacuna::argus
