// SPDX-License-Identifier: Apache-2.0
// Reader and writer of the JJ format:
//     0
//     N
//     index value cost status lb ub lpl upl spl       (N lines; status s, u, z or m)
//     M
//     rhs k : index (coefficient) ...                 (M equations of k terms)
// The reader keeps every number as text until all are seen, because the decimals of the table are
// the most that any number needs. Source: the parsers of tau-ARGUS 4.2.5; we differ in that costs
// may have decimals, spl counts, and everything is checked.
#include "data/problems/jj.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/base/confidential.h"
#include "core/base/decimal.h"
#include "core/base/moved_error.h"
#include "data/files/number_text.h"
#include "data/files/position.h"

namespace lacuna::problems {
namespace {

constexpr std::int32_t kLargestCoefficient = 127;  // a signed char in every other reader
constexpr std::size_t kFieldsPerCell = 9;
constexpr std::size_t kShortestCellLine = 18;  // nine one-character fields

enum Field : std::size_t { kIndex, kValue, kCost, kStatus, kLower, kUpper, kLpl, kUpl, kSpl };
constexpr std::string_view kFieldNames[kFieldsPerCell] = {"index",
                                                          "value",
                                                          "cost",
                                                          "status",
                                                          "lower bound",
                                                          "upper bound",
                                                          "lower level",
                                                          "upper level",
                                                          "sliding level"};

struct RawCell {
  std::string_view fields[kFieldsPerCell];  // into the text of the file
};

struct RawEquation {
  std::string_view rhs;
  std::size_t end = 0;  // of its terms in the common list
};

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}

class JjReader {
 public:
  JjReader(std::string_view text, const std::string& filename, std::vector<std::string>* notes)
      : text_(text), filename_(filename), notes_(notes) {}

  Result<Problem> read() {
    LACUNA_RETURN_IF_ERROR(read_header());
    LACUNA_RETURN_IF_ERROR(read_cells());
    LACUNA_RETURN_IF_ERROR(read_equations());
    LACUNA_RETURN_IF_ERROR(choose_decimals());
    return build();
  }

 private:
  Error error(std::size_t offset, std::string message) const {
    return files::error_at(filename_, text_, offset, std::move(message));
  }
  Error error(std::string_view token, std::string message) const {
    return error(offset_of(token), std::move(message));
  }
  std::size_t offset_of(std::string_view token) const {
    return static_cast<std::size_t>(token.data() - text_.data());
  }
  Error moved(Error inner, std::string_view token) const {
    return base::moved_to(std::move(inner),
                          files::location(filename_, files::position_of(text_, offset_of(token))));
  }

  // ---- tokens

  void skip_spaces() {
    while (at_ < text_.size() && is_space(text_[at_]))
      ++at_;
  }
  bool skip_blanks_on_line() {  // false at the end of the line
    while (at_ < text_.size() && is_space(text_[at_]) && text_[at_] != '\n')
      ++at_;
    return at_ < text_.size() && text_[at_] != '\n';
  }
  static bool ends_token(char c) { return is_space(c) || c == ':' || c == '(' || c == ')'; }
  std::string_view token() {  // up to a blank or one of : ( )
    const std::size_t start = at_;
    while (at_ < text_.size() && !ends_token(text_[at_]))
      ++at_;
    return text_.substr(start, at_ - start);
  }
  std::string found() const {
    if (at_ >= text_.size())
      return "the end of the file";
    std::size_t end = at_;
    while (end < text_.size() && !is_space(text_[end]))
      ++end;
    return base::confidential(base::in_quotes(text_.substr(at_, end - at_)));
  }

  Result<std::int64_t> read_integer(const std::string& what) {
    skip_spaces();
    const std::size_t start = at_;
    const std::string_view digits = token();
    std::int64_t value = 0;
    const char* end = digits.data() + digits.size();
    const auto parsed = std::from_chars(digits.data(), end, value);
    if (digits.empty() || parsed.ec != std::errc() || parsed.ptr != end) {
      at_ = start;
      return error(start, "expected " + what + ", found " + found());
    }
    return value;
  }

  Status expect(char wanted, const char* what) {
    skip_spaces();
    if (at_ >= text_.size() || text_[at_] != wanted)
      return error(at_, std::string("expected ") + what + ", found " + found());
    ++at_;
    return ok_status();
  }

  // ---- sections

  Status read_header() {
    skip_spaces();
    const std::size_t start = at_;
    LACUNA_TRY(const std::int64_t zero, read_integer("the 0 that opens a JJ file"));
    if (zero != 0)
      return error(
          start,
          "expected the 0 that opens a JJ file, found " + base::confidential(std::to_string(zero)));
    return ok_status();
  }

  Result<std::int64_t> read_count(const char* what) {
    skip_spaces();
    const std::size_t start = at_;
    LACUNA_TRY(const std::int64_t count, read_integer(what));
    if (count < 0 || count >= std::numeric_limits<std::int32_t>::max())
      return error(start,
                   base::confidential(std::to_string(count)) + " is not a possible number here");
    return count;
  }

  Status read_cells() {
    LACUNA_TRY(const std::int64_t count, read_count("the number of cells"));
    if (count == 0)
      return error(at_, "the file has no cells");
    const auto cells = static_cast<std::size_t>(count);
    cells_.reserve(std::min(cells, text_.size() / kShortestCellLine + 1));
    for (std::size_t c = 0; c < cells; ++c)
      LACUNA_RETURN_IF_ERROR(read_cell(c));
    return ok_status();
  }

  Status read_cell(std::size_t position) {
    skip_spaces();
    RawCell& cell = cells_.emplace_back();
    const std::string name = "cell " + std::to_string(position);
    for (std::size_t f = 0; f < kFieldsPerCell; ++f) {
      if (!skip_blanks_on_line()) {
        if (f == 0)
          return error(at_, "the file ends before " + name);
        return error(at_,
                     "the line of " + name + " has " + std::to_string(f) + " of 9 fields: its " +
                         std::string(kFieldNames[f]) + " is missing");
      }
      const std::size_t start = at_;
      cell.fields[f] = token();
      if (cell.fields[f].empty())
        return error(
            start,
            "expected the " + std::string(kFieldNames[f]) + " of " + name + ", found " + found());
    }
    if (skip_blanks_on_line())
      return error(at_, "the line of " + name + " has more than 9 fields");
    return check_cell(cell, position);
  }

  Status check_cell(const RawCell& cell, std::size_t position) const {
    const std::string_view index = cell.fields[kIndex];
    std::size_t stated = 0;
    const auto parsed = std::from_chars(index.data(), index.data() + index.size(), stated);
    const bool whole = parsed.ec == std::errc() && parsed.ptr == index.data() + index.size();
    if (!whole || stated != position) {
      return error(index,
                   "the index must equal the position of the line: expected " +
                       std::to_string(position) + ", found " +
                       base::confidential(base::in_quotes(index)));
    }
    const std::string_view status = cell.fields[kStatus];
    if (status.size() != 1 || std::string_view("suzm").find(status[0]) == std::string_view::npos) {
      return error(
          status,
          "the status must be s, u, z or m, found " + base::confidential(base::in_quotes(status)));
    }
    for (const Field level : {kLpl, kUpl, kSpl}) {
      const std::string_view text = cell.fields[level];
      if (text == "0")
        continue;
      if (auto number = base::decimals_needed(text); !number)
        return moved(number.error(), text);
      if (text[0] == '-' && !files::is_zero_number(text))
        return error(text, "the " + std::string(kFieldNames[level]) + " is negative");
    }
    return ok_status();
  }

  Status read_equations() {
    LACUNA_TRY(const std::int64_t count, read_count("the number of equations"));
    for (std::int64_t e = 0; e < count; ++e)
      LACUNA_RETURN_IF_ERROR(read_equation(e));
    skip_spaces();
    if (at_ < text_.size())
      return error(at_, "the file goes on after the last equation with " + found());
    return ok_status();
  }

  Status read_equation(std::int64_t number) {
    skip_spaces();
    const std::string name = "equation " + std::to_string(number);
    if (at_ >= text_.size())
      return error(at_, "the file ends before " + name);
    const std::size_t start = at_;
    RawEquation equation;
    equation.rhs = token();
    if (equation.rhs.empty())
      return error(start, "expected the right-hand side of " + name + ", found " + found());
    LACUNA_TRY(const std::int64_t terms, read_count("the number of terms"));
    LACUNA_RETURN_IF_ERROR(expect(':', "':' after the number of terms"));
    for (std::int64_t t = 0; t < terms; ++t)
      LACUNA_RETURN_IF_ERROR(read_term());
    equation.end = terms_.size();
    equations_.push_back(equation);
    return ok_status();
  }

  Status read_term() {
    skip_spaces();
    const std::size_t start = at_;
    LACUNA_TRY(const std::int64_t cell, read_integer("a cell index"));
    if (cell < 0 || static_cast<std::size_t>(cell) >= cells_.size()) {
      return error(start,
                   "there is no cell " + base::confidential(std::to_string(cell)) +
                       ": the file has cells 0 to " + std::to_string(cells_.size() - 1));
    }
    LACUNA_RETURN_IF_ERROR(expect('(', "'(' before the coefficient"));
    skip_spaces();
    const std::size_t coefficient_at = at_;
    LACUNA_TRY(const std::int64_t coefficient, read_integer("a whole-number coefficient"));
    if (coefficient < -kLargestCoefficient || coefficient > kLargestCoefficient) {
      return error(coefficient_at,
                   "the coefficient " + base::confidential(std::to_string(coefficient)) +
                       " is not between -127 and 127");
    }
    LACUNA_RETURN_IF_ERROR(expect(')', "')' after the coefficient"));
    terms_.push_back(
        {CellId{static_cast<std::int32_t>(cell)}, static_cast<std::int32_t>(coefficient)});
    return ok_status();
  }

  // ---- numbers

  Status choose_decimals() {
    files::DecimalsChooser chooser;
    for (const RawCell& cell : cells_) {
      LACUNA_RETURN_IF_ERROR(note(chooser, cell.fields[kValue]));
      for (const Field bound : {kLower, kUpper}) {
        if (!files::is_infinite_text(cell.fields[bound]))
          LACUNA_RETURN_IF_ERROR(note(chooser, cell.fields[bound]));
      }
      if (cell.fields[kStatus] != "u")
        continue;
      for (const Field level : {kLpl, kUpl, kSpl}) {
        if (auto seen = chooser.add_level(cell.fields[level]); !seen)
          return moved(seen.error(), cell.fields[level]);
      }
    }
    for (const RawEquation& equation : equations_)
      LACUNA_RETURN_IF_ERROR(note(chooser, equation.rhs));
    decimals_ = chooser.decimals();
    if (chooser.rounds_levels() && notes_ != nullptr)
      notes_->push_back(files::rounded_levels_note(filename_, decimals_));
    return ok_status();
  }

  Status note(files::DecimalsChooser& chooser, std::string_view text) const {
    if (auto seen = chooser.add_number(text); !seen)
      return moved(seen.error(), text);
    return ok_status();
  }

  Result<Units> units(std::string_view text) const {
    auto number = base::parse_units(text, decimals_);
    if (!number)
      return moved(number.error(), text);
    return number;
  }

  Result<Cell> cell_of(const RawCell& raw) const {
    Cell cell;
    LACUNA_TRY(cell.value, units(raw.fields[kValue]));
    for (const Field bound : {kLower, kUpper}) {
      auto end = files::parse_bound(raw.fields[bound], decimals_, bound == kLower);
      if (!end)
        return moved(end.error(), raw.fields[bound]);
      (bound == kLower ? cell.prior.lower : cell.prior.upper) = *end;
    }
    const auto cost = base::parse_double(raw.fields[kCost]);
    if (!cost)
      return moved(cost.error(), raw.fields[kCost]);
    if (*cost < 0)
      return error(raw.fields[kCost], "the cost is negative");
    cell.weight = *cost;
    switch (raw.fields[kStatus][0]) {
      case 'u':
        cell.status = CellStatus::kPrimary;
        break;
      case 'z':
        cell.status = CellStatus::kMustPublish;
        break;
      case 'm':
        cell.status = CellStatus::kSecondary;
        break;
      default:
        cell.status = CellStatus::kFree;
    }
    return cell;
  }

  Result<Requirement> requirement_of(const RawCell& raw, CellId id, const Cell& cell) const {
    Requirement need{.cell = id};
    Units* const levels[] = {&need.lower, &need.upper, &need.sliding};
    for (std::size_t i = 0; i < 3; ++i) {
      const std::string_view text = raw.fields[kLpl + i];
      auto level = files::parse_level_upward(text, decimals_);
      if (!level)
        return moved(level.error(), text);
      *levels[i] = *level;
    }
    if (auto fits = files::check_levels_fit(cell, need, decimals_); !fits)
      return moved(fits.error(), raw.fields[kLpl]);
    return need;
  }

  Result<Problem> build() {
    TableBuilder builder(decimals_);
    std::vector<Requirement> requirements;
    for (std::size_t c = 0; c < cells_.size(); ++c) {
      LACUNA_TRY(const Cell cell, cell_of(cells_[c]));
      auto added = builder.add_cell(cell);
      if (!added)
        return moved(added.error(), cells_[c].fields[kValue]);
      if (cell.status == CellStatus::kPrimary) {
        LACUNA_TRY(const Requirement need, requirement_of(cells_[c], *added, cell));
        requirements.push_back(need);
      }
    }
    std::size_t start = 0;
    for (const RawEquation& equation : equations_) {
      LACUNA_TRY(const Units rhs, units(equation.rhs));
      const std::span<const Term> terms(terms_.data() + start, equation.end - start);
      if (auto added = builder.add_equation(terms, rhs); !added)
        return moved(added.error(), equation.rhs);
      start = equation.end;
    }
    LACUNA_TRY(Table table, std::move(builder).build());
    auto problem = make_problem(std::move(table), {outsider()}, std::move(requirements));
    if (!problem)
      return base::moved_to(problem.error(), filename_);
    return problem;
  }

  std::string_view text_;
  const std::string& filename_;
  std::vector<std::string>* notes_;
  std::size_t at_ = 0;
  std::vector<RawCell> cells_;
  std::vector<RawEquation> equations_;
  std::vector<Term> terms_;
  int decimals_ = 0;
};

char jj_status_letter(CellStatus status) {
  switch (status) {
    case CellStatus::kFree:
      return 's';
    case CellStatus::kPrimary:
      return 'u';
    case CellStatus::kSecondary:
      return 'm';
    case CellStatus::kMustPublish:
    case CellStatus::kKnown:
      return 'z';
  }
  return 's';
}

Error cannot_hold(const std::string& what, std::string where) {
  return {ErrorCode::kCannotHold,
          "the JJ format cannot hold " + what + "; write the problem as JSON instead",
          std::move(where)};
}

Status check_writable(const Problem& problem) {
  if (problem.counts())
    return Error{
        ErrorCode::kCannotHold,
        "the JJ format cannot hold what is asked of counts; write a job (.toml), which has "
        "it as [counts] beside its table, or JSON",
        ""};
  if (problem.attackers().size() > 1)
    return cannot_hold("several attackers", "attacker " + problem.attackers()[1].name);
  if (!problem.attackers().empty() && !problem.attackers()[0].known.empty())
    return cannot_hold("an attacker's own knowledge", "attacker " + problem.attackers()[0].name);
  const Table& table = problem.table();
  for (const Requirement& need : problem.requirements()) {
    if (table.cell(need.cell).status != CellStatus::kPrimary)
      return cannot_hold("protection levels of a cell that is not primary", table.label(need.cell));
  }
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    for (const Term& term : table.equation(EquationId{e})) {
      if (std::abs(term.coefficient) > kLargestCoefficient)
        return cannot_hold("a coefficient beyond -127 to 127", table.label(EquationId{e}));
    }
  }
  return ok_status();
}

void append_cell(std::string& out, const Table& table, CellId id, const Requirement* need) {
  const Cell& cell = table.cell(id);
  const auto number = [&](Units value) {
    out += ' ';
    out += base::format_units(value, table.decimals());
  };
  out += std::to_string(id.value);
  number(cell.value);
  out += ' ';
  out += base::format_double(cell.weight);
  out += ' ';
  out += jj_status_letter(cell.status);
  number(cell.prior.lower);
  number(cell.prior.upper);
  number(need == nullptr ? 0 : need->lower);
  number(need == nullptr ? 0 : need->upper);
  number(need == nullptr ? 0 : need->given_sliding());
  out += '\n';
}

}  // namespace

Result<Problem> read_jj(std::string_view text,
                        const std::string& filename,
                        std::vector<std::string>* notes) {
  return JjReader(text, filename, notes).read();
}

Result<std::string> write_jj(const Problem& problem) {
  LACUNA_RETURN_IF_ERROR(check_writable(problem));
  const Table& table = problem.table();
  std::string out = "0\n" + std::to_string(table.num_cells()) + "\n";
  auto need = problem.requirements().begin();
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const bool has_levels = need != problem.requirements().end() && need->cell.value == c;
    append_cell(out, table, CellId{c}, has_levels ? &*need : nullptr);
    if (has_levels)
      ++need;
  }
  out += std::to_string(table.num_equations()) + "\n";
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    const auto terms = table.equation(EquationId{e});
    out += base::format_units(table.rhs(EquationId{e}), table.decimals());
    out += ' ' + std::to_string(terms.size()) + " :";
    for (const Term& term : terms) {
      out += ' ' + std::to_string(term.cell.value);
      out += " (" + std::to_string(term.coefficient) + ")";
    }
    out += '\n';
  }
  return out;
}

}  // namespace lacuna::problems
