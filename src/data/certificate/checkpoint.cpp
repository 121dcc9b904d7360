// SPDX-License-Identifier: Apache-2.0
#include "data/certificate/checkpoint.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace lacuna::certificate {
namespace {

// Of one number: evidence with more is not worth keeping, and a hostile file cannot ask for work
// without end.
constexpr std::size_t kMostDigits = 200;

bool is_short(const Displacement& evidence) {
  const auto fits = [](const Integer& number) { return number.text().size() <= kMostDigits; };
  return fits(evidence.denominator) &&
         std::all_of(evidence.moves.begin(), evidence.moves.end(), fits);
}

// About 30 years of work: far from what a counter can hold.
constexpr std::int64_t kMostTouches = 1'000'000'000'000'000'000;

constexpr std::string_view kFirstLine = "lacuna-checkpoint 2";
constexpr std::string_view kWithoutStage = "lacuna-checkpoint 1";

class Reader {
 public:
  Reader(std::string_view text, const std::string& filename, std::int32_t num_cells)
      : rest_(text), filename_(filename), num_cells_(num_cells) {}

  Result<Checkpoint> read() {
    Checkpoint result;
    const std::string_view first = next_line();
    if (first != kFirstLine && first != kWithoutStage)
      return error("this is not a checkpoint");
    next_line();
    if (word() != "problem")
      return error("expected 'problem' and a SHA-256");
    result.problem_sha256 = std::string(word());
    next_line();
    if (first == kFirstLine) {
      if (!read_stage(result))
        return error("expected 'stage', its name, the work so far and a SHA-256");
      next_line();
    }
    if (word() != "withheld")
      return error("expected 'withheld' and cells");
    while (!line_.empty()) {
      const auto cell = cell_of(word());
      if (!cell)
        return error("expected the index of a cell");
      result.withheld.push_back(*cell);
    }
    while (true) {
      next_line();
      const std::string_view name = word();
      if (name == "end")
        return result;
      if (name != "evidence")
        return error("expected 'evidence' or 'end'");
      auto displacement = read_displacement();
      if (!displacement)
        return error("expected a denominator and pairs CELL:MOVE by rising cell");
      result.evidence.push_back(*std::move(displacement));
    }
  }

 private:
  std::string_view next_line() {
    ++number_;
    const std::size_t end = rest_.find('\n');
    line_ = rest_.substr(0, end);
    rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
    return line_;
  }

  std::string_view word() {
    const std::size_t end = line_.find(' ');
    const std::string_view first = line_.substr(0, end);
    line_ = end == std::string_view::npos ? std::string_view() : line_.substr(end + 1);
    return first;
  }

  bool read_stage(Checkpoint& result) {
    if (word() != "stage")
      return false;
    const auto names = enum_names(SuppressStage::Name());
    const auto named = std::find(names.begin(), names.end(), word());
    const auto touches = number_of<std::int64_t>(word());
    if (named == names.end() || !touches || *touches < 0 || *touches > kMostTouches)
      return false;
    result.stage = {static_cast<SuppressStage::Name>(named - names.begin()), *touches};
    result.options_sha256 = std::string(word());
    return true;
  }

  template <class Number>
  static std::optional<Number> number_of(std::string_view text) {
    Number value = 0;
    const auto [end, trouble] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (trouble != std::errc() || end != text.data() + text.size())
      return std::nullopt;
    return value;
  }

  std::optional<CellId> cell_of(std::string_view text) const {
    const auto value = number_of<std::int32_t>(text);
    if (!value || *value < 0 || *value >= num_cells_)
      return std::nullopt;
    return CellId{*value};
  }

  static std::optional<Integer> integer_of(std::string_view text) {
    return text.size() <= kMostDigits ? Integer::parse(text) : std::nullopt;
  }

  std::optional<Displacement> read_displacement() {
    Displacement result;
    const auto denominator = integer_of(word());
    if (!denominator || *denominator <= 0)
      return std::nullopt;
    result.denominator = *denominator;
    while (!line_.empty()) {
      const std::string_view pair = word();
      const std::size_t colon = pair.find(':');
      if (colon == std::string_view::npos)
        return std::nullopt;
      const auto cell = cell_of(pair.substr(0, colon));
      auto move = integer_of(pair.substr(colon + 1));
      if (!cell || !move || *move == 0 || (!result.cells.empty() && result.cells.back() >= *cell))
        return std::nullopt;
      result.cells.push_back(*cell);
      result.moves.push_back(*std::move(move));
    }
    return result;
  }

  Error error(const char* message) const {
    return {ErrorCode::kDamaged, message, filename_ + ":" + std::to_string(number_)};
  }

  std::string_view rest_, line_;
  const std::string& filename_;
  std::int32_t num_cells_;
  std::size_t number_ = 0;
};

}  // namespace

std::string write_checkpoint(const Checkpoint& checkpoint) {
  std::string text = std::string(kFirstLine) + "\nproblem " + checkpoint.problem_sha256;
  const auto name = static_cast<std::size_t>(checkpoint.stage.name);
  text += "\nstage " + std::string(enum_names(checkpoint.stage.name)[name]) + ' ' +
          std::to_string(checkpoint.stage.touches) + ' ' + checkpoint.options_sha256;
  text += "\nwithheld";
  for (const CellId cell : checkpoint.withheld)
    text += ' ' + std::to_string(cell.value);
  for (const Displacement& displacement : checkpoint.evidence) {
    if (!is_short(displacement))
      continue;
    text += "\nevidence " + displacement.denominator.text();
    for (std::size_t i = 0; i < displacement.cells.size(); ++i) {
      text +=
          ' ' + std::to_string(displacement.cells[i].value) + ':' + displacement.moves[i].text();
    }
  }
  return text + "\nend\n";
}

Result<Checkpoint> read_checkpoint(std::string_view text,
                                   const std::string& filename,
                                   std::int32_t num_cells) {
  return Reader(text, filename, num_cells).read();
}

}  // namespace lacuna::certificate
