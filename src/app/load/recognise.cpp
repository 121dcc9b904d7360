// SPDX-License-Identifier: Apache-2.0
#include "app/load/recognise.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "app/load/together.h"
#include "core/base/decimal.h"
#include "core/base/quotes.h"
#include "core/base/text.h"
#include "core/table/unpublished.h"
#include "data/files/number_style.h"
#include "data/files/number_text.h"
#include "data/infer/csv_guess.h"
#include "data/jobfile/job_input.h"
#include "data/problems/cell_index.h"

namespace lacuna::load {
namespace {

constexpr std::size_t kLeastNumbers = 3;
constexpr std::size_t kLeastKinds = 3;  // of different numbers that agree
constexpr double kLeastShare = 0.9;
constexpr int kMostDecimals = 12;

// The numbers of a column by cell, as whole numbers of its last digit.
struct Printed {
  std::vector<std::pair<std::size_t, Units>> numbers;
  int decimals = 0;
};

std::optional<Printed> printed_in(const files::CsvFile& file,
                                  std::size_t column,
                                  const std::vector<std::optional<CellId>>& cells) {
  const auto texts = infer::numbers_of(file, column);
  if (!texts)
    return std::nullopt;
  const std::vector<files::NumberStyle> styles = files::possible_styles(texts->marked);
  if (styles.empty())
    return std::nullopt;
  std::vector<std::pair<std::size_t, std::string>> plain;
  Printed printed;
  for (std::size_t r = 0; r < file.num_rows(); ++r) {
    const std::string_view text = base::trimmed(file.field(r, column));
    if (!cells[r] || infer::is_missing_text(text))
      continue;
    auto number = files::plain_number(text, styles.front());
    if (!number || number->find_first_of("eE") != std::string::npos)
      return std::nullopt;
    const std::size_t point = number->find('.');
    if (point != std::string::npos)
      printed.decimals = std::max(printed.decimals, static_cast<int>(number->size() - point - 1));
    plain.emplace_back(static_cast<std::size_t>(cells[r]->value), *std::move(number));
  }
  if (printed.decimals > kMostDecimals)
    return std::nullopt;
  for (const auto& [cell, text] : plain) {
    const auto units = base::parse_units(text, printed.decimals);
    if (!units)
      return std::nullopt;
    printed.numbers.emplace_back(cell, *units);
  }
  return printed;
}

std::vector<std::optional<CellId>> cells_of_rows(const files::CsvFile& file, const Table& table) {
  std::vector<std::size_t> columns;
  for (const Dimension& dimension : table.dimensions()) {
    columns.push_back(file.find_column(dimension.name()));
    if (columns.back() == file.num_columns())
      return {};
  }
  const problems::CellIndex index(table);
  std::vector<std::optional<CellId>> cells;
  for (std::size_t r = 0; r < file.num_rows(); ++r) {
    std::vector<std::string_view> codes;
    for (std::size_t d = 0; d < columns.size(); ++d) {
      const Dimension& dimension = table.dimensions()[d];
      const std::string_view code = file.field(r, columns[d]);
      const bool is_total = dimension.find(code) < 0 && base::trimmed(code).empty();
      codes.push_back(is_total ? std::string_view(dimension.code(dimension.total())) : code);
    }
    cells.push_back(index.find(codes));
  }
  return cells;
}

std::vector<JobSpec::Derived> percentages(const Table& table) {
  std::vector<JobSpec::Derived> kinds;
  std::vector<std::vector<std::string>> wholes{{}};
  for (const Dimension& dimension : table.dimensions()) {
    if (table.dimensions().size() > 1)
      wholes.push_back({dimension.name()});
  }
  for (const auto& of : wholes) {
    for (const char* per : {"", "1", "1000"}) {
      JobSpec::Derived& kind = kinds.emplace_back();
      kind.type = "percentage";
      kind.of = of;
      kind.per.text = per;
      kinds.push_back(kind);
      kinds.back().to = "parent";
    }
  }
  return kinds;
}

// Numbers that stand at one code of a dimension alone, divided by those of each other code.
std::vector<JobSpec::Derived> ratios(const Table& table, const Printed& printed) {
  constexpr std::size_t kMostCodes = 60;
  std::vector<JobSpec::Derived> kinds;
  for (std::size_t d = 0; d < table.dimensions().size(); ++d) {
    const Dimension& dimension = table.dimensions()[d];
    std::set<std::int32_t> above;
    for (const auto& [cell, number] : printed.numbers)
      above.insert(table.codes(CellId{static_cast<std::int32_t>(cell)})[d]);
    if (above.size() != 1 || dimension.codes().size() > kMostCodes)
      continue;
    for (std::int32_t below = 0; below < static_cast<std::int32_t>(dimension.codes().size());
         ++below) {
      for (const char* per : {"", "100", "1000"}) {
        if (below == *above.begin())
          continue;
        JobSpec::Derived& kind = kinds.emplace_back();
        kind.type = "ratio";
        kind.dimension = dimension.name();
        kind.numerator = dimension.code(*above.begin());
        kind.denominator = dimension.code(below);
        kind.per.text = per;
      }
    }
  }
  return kinds;
}

std::vector<JobSpec::Derived> all_kinds(const Problem& problem, const Printed& printed) {
  const Table& table = problem.table();
  std::vector<JobSpec::Derived> kinds = percentages(table);
  const bool counted = std::any_of(table.cells().begin(), table.cells().end(), [](const Cell& cell) {
    return cell.frequency >= 0 && cell.frequency != cell.value;
  });
  if (counted)
    kinds.emplace_back().type = "mean";
  const std::vector<JobSpec::Derived> more = ratios(table, printed);
  kinds.insert(kinds.end(), more.begin(), more.end());
  return kinds;
}

// How many numbers of the file are the ones that follow from the table.
std::optional<Recognised> compared(const JobSpec::Derived& kind,
                                   const Printed& printed,
                                   const Problem& problem) {
  Together together;
  together.derived.push_back(kind);
  together.places.emplace_back();
  together.populations.emplace_back();
  const auto made = attach(problem, together);
  if (!made)
    return std::nullopt;
  const DerivedColumn& column = made->columns.front();
  Recognised found{kind};
  std::set<Units> agreeing;
  for (const auto& [cell, number] : printed.numbers) {
    if (column.printed[cell] == DerivedColumn::kNone)
      continue;
    ++found.numbers;
    if (column.printed[cell] != number)
      continue;
    ++found.agree;
    agreeing.insert(number);
  }
  const bool enough =
      found.numbers >= kLeastNumbers && agreeing.size() >= kLeastKinds &&
      static_cast<double>(found.agree) >= kLeastShare * static_cast<double>(found.numbers);
  return enough ? std::optional(std::move(found)) : std::nullopt;
}

// Of the kinds and rules of rounding the one with which most numbers agree; the first of these.
std::optional<Recognised> best_of(const std::string& name,
                                  const Printed& printed,
                                  const Problem& problem) {
  std::optional<Recognised> best;
  for (JobSpec::Derived& kind : all_kinds(problem, printed)) {
    kind.name = name;
    kind.decimals = printed.decimals;
    for (const char* rounding : {"", "half-even", "down", "up"}) {
      kind.rounding = rounding;
      auto found = compared(kind, printed, problem);
      // A percentage of few of the numbers, such as those that have a parent, explains less.
      if (found && (!best || found->agree > best->agree))
        best = std::move(found);
      if (best && best->agree == printed.numbers.size())
        return best;
    }
  }
  return best;
}

std::vector<std::string> columns_named(const JobSpec& job) {
  std::vector<std::string> named;
  if (job.columns) {
    const JobSpec::Columns& columns = *job.columns;
    named = {columns.value,
             columns.frequency,
             columns.weight,
             columns.status,
             columns.lower,
             columns.upper,
             columns.lower_level,
             columns.upper_level,
             columns.sliding_level,
             columns.key,
             columns.respondent,
             columns.holding,
             columns.request,
             columns.waiver};
    named.insert(named.end(), columns.largest.begin(), columns.largest.end());
  }
  for (const JobSpec::Dimension& dimension : job.dimensions)
    named.push_back(dimension.name);
  for (const JobSpec::Derived& column : job.derived)
    named.push_back(column.name);
  for (const JobSpec::Shadow& variable : job.shadows)
    named.push_back(variable.name);
  return named;
}

}  // namespace

std::string recognised_text(const Recognised& found) {
  const JobSpec::Derived& column = found.column;
  std::string what = column.type;
  if (column.type == "percentage") {
    const bool share = !column.per.text.empty();
    what = share ? "share (times " + column.per.text + ")" : "percentage";
    what += column.to == "parent" ? " of the code above" : " of the total";
    for (std::size_t i = 0; i < column.of.size(); ++i)
      what += (i == 0 ? " of " : ", ") + column.of[i];
  } else if (column.type == "ratio") {
    what += " of " + column.numerator + " to " + column.denominator;
  }
  return base::in_quotes(column.name) + " is the " + what + ": " + std::to_string(found.agree) +
         " of " + std::to_string(found.numbers) + " numbers agree (" +
         std::to_string(column.decimals) + (column.decimals == 1 ? " decimal, " : " decimals, ") +
         (column.rounding.empty() ? "half-up" : column.rounding) + ")";
}

std::vector<Recognised> recognise_columns(const files::CsvFile& file,
                                          const std::vector<std::string>& named,
                                          const Problem& problem) {
  std::vector<Recognised> all;
  const std::vector<std::optional<CellId>> cells = cells_of_rows(file, problem.table());
  if (cells.empty())
    return all;
  for (std::size_t c = 0; c < file.num_columns(); ++c) {
    const std::string name(file.header(c));
    if (name.empty() || std::find(named.begin(), named.end(), name) != named.end())
      continue;
    const auto printed = printed_in(file, c, cells);
    if (!printed || printed->numbers.size() < kLeastNumbers)
      continue;
    if (auto found = best_of(name, *printed, problem))
      all.push_back(*std::move(found));
  }
  return all;
}

std::vector<Recognised> recognise_unstated(const spec::ReadSpec& spec,
                                           const Problem& problem,
                                           const jobfile::FileLoader& load) {
  std::vector<Recognised> all;
  auto input = jobfile::read_table_input(spec, load);
  if (!input || problem.table().dimensions().empty())
    return all;
  for (const files::CsvFile& file : input->files) {
    for (Recognised& found : recognise_columns(file, columns_named(spec.job), problem))
      all.push_back(std::move(found));
  }
  return all;
}

}  // namespace lacuna::load
