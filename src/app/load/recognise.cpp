// SPDX-License-Identifier: Apache-2.0
#include "app/load/recognise.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "core/base/decimal.h"
#include "core/base/quotes.h"
#include "core/base/text.h"
#include "core/table/unpublished.h"
#include "data/files/number_style.h"
#include "data/files/number_text.h"
#include "data/infer/csv_guess.h"
#include "data/jobfile/job_input.h"

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

// A column as a job could state it.
struct Kind {
  JobSpec::Derived said;
  Population population{};  // of a rate
  bool by_column = false;
};

std::vector<JobSpec::Derived> percentages(const Table& table) {
  std::vector<JobSpec::Derived> kinds;
  std::vector<std::vector<std::string>> wholes{{}};
  for (const Dimension& dimension : table.dimensions()) {
    if (table.dimensions().size() > 1)
      wholes.push_back({dimension.name()});
  }
  for (const auto& of : wholes) {
    for (const char* per : {"", "1", "1000"}) {
      JobSpec::Derived kind;
      kind.type = "percentage";
      kind.of = of;
      kind.per.text = per;
      kinds.push_back(kind);
      kind.to = "parent";
      kinds.push_back(std::move(kind));
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

std::vector<JobSpec::Derived> changes(const Together& beside) {
  std::vector<JobSpec::Derived> kinds;
  for (const EarlierPeriod& period : beside.before) {
    for (const char* type : {"growth", "index"}) {
      JobSpec::Derived& kind = kinds.emplace_back();
      kind.type = type;
      kind.period = period.said.name;
    }
  }
  return kinds;
}

// The populations by which numbers may have been divided: those that the job names, and columns of
// whole numbers.
std::vector<Kind> populations(const files::CsvFile& file,
                              std::size_t own,
                              const std::vector<std::string>& named,
                              const Problem& problem,
                              const Together& beside) {
  std::vector<Kind> kinds;
  for (std::size_t d = 0; d < beside.derived.size(); ++d) {
    if (beside.derived[d].type != "rate")
      continue;
    Kind& kind = kinds.emplace_back();
    kind.said.population = beside.derived[d].population;
    kind.population = beside.populations[d];
  }
  for (std::size_t c = 0; c < file.num_columns(); ++c) {
    const std::string name(file.header(c));
    if (c == own || std::find(named.begin(), named.end(), name) != named.end())
      continue;
    auto numbers = population_of_column(file, c, problem.table());
    if (!numbers || numbers->numbers.empty())
      continue;
    Kind& kind = kinds.emplace_back();
    kind.said.population = name;
    kind.population = *std::move(numbers);
    kind.by_column = true;
  }
  return kinds;
}

// Whether the first numbers can be the quotients, in floating point: most columns are no rates.
bool is_near(const Kind& kind, double per, const Printed& printed, const Table& table) {
  constexpr std::size_t kFirst = 20;
  const double unit = std::pow(10.0, printed.decimals);
  std::size_t seen = 0, near = 0;
  for (const auto& [cell, number] : printed.numbers) {
    const CellId at{static_cast<std::int32_t>(cell)};
    std::vector<std::int32_t> key;
    for (const std::size_t d : kind.population.dimensions)
      key.push_back(table.codes(at)[d]);
    const auto n = kind.population.numbers.find(key);
    if (n == kind.population.numbers.end() || seen == kFirst)
      continue;
    ++seen;
    const double x = static_cast<double>(table.value(at)) / std::pow(10.0, table.decimals());
    const double exact = per * x / static_cast<double>(n->second) * unit;
    near += std::abs(exact - static_cast<double>(number)) < 1.0 + 1e-9 * std::abs(exact) ? 1 : 0;
  }
  return seen > 0 && 10 * near >= 8 * seen;
}

std::vector<Kind> rates(const files::CsvFile& file,
                        std::size_t own,
                        const std::vector<std::string>& named,
                        const Printed& printed,
                        const Problem& problem,
                        const Together& beside) {
  std::vector<Kind> kinds;
  for (Kind& kind : populations(file, own, named, problem, beside)) {
    kind.said.type = "rate";
    Units per = 1;
    for (const char* text : {"", "10", "100", "1000", "10000", "100000", "1000000"}) {
      kind.said.per.text = text;
      if (is_near(kind, static_cast<double>(per), printed, problem.table()))
        kinds.push_back(kind);
      per *= 10;
    }
  }
  return kinds;
}

// One column of a file, compared with all that its numbers could be.
class Recogniser {
 public:
  Recogniser(const files::CsvFile& file,
             const std::vector<std::string>& named,
             const Problem& problem,
             const Together& beside)
      : file_(file), named_(named), problem_(problem), beside_(beside) {
    together_.derived.emplace_back();
    together_.places.emplace_back();
    together_.populations.emplace_back();
    for (const EarlierPeriod& period : beside.before) {  // its numbers alone
      EarlierPeriod& plain = together_.before.emplace_back();
      plain.said.name = period.said.name;
      plain.said.differences = "none";
      plain.problem = period.problem;
      plain.release = period.release;
    }
  }

  // Of the kinds and rules of rounding the one with which most numbers agree; the first of these.
  std::optional<Recognised> best_of(std::size_t column, const Printed& printed) {
    std::optional<Recognised> best;
    for (Kind& kind : all_kinds(column, printed)) {
      kind.said.name = file_.header(column);
      kind.said.decimals = printed.decimals;
      for (const char* rounding : {"", "half-even", "down", "up"}) {
        kind.said.rounding = rounding;
        auto found = compared(kind, printed);
        // A percentage of few of the numbers, such as those that have a parent, explains less.
        if (found && (!best || found->agree > best->agree))
          best = std::move(found);
        if (best && best->agree == printed.numbers.size())
          return best;
      }
    }
    return best;
  }

 private:
  std::vector<Kind> all_kinds(std::size_t column, const Printed& printed) const {
    const Table& table = problem_.table();
    std::vector<Kind> kinds;
    const auto add = [&](const std::vector<JobSpec::Derived>& more) {
      for (const JobSpec::Derived& said : more)
        kinds.push_back({said});
    };
    add(percentages(table));
    const bool counted =
        std::any_of(table.cells().begin(), table.cells().end(), [](const Cell& cell) {
          return cell.frequency >= 0 && cell.frequency != cell.value;
        });
    if (counted)
      kinds.emplace_back().said.type = "mean";
    add(ratios(table, printed));
    add(changes(beside_));
    for (Kind& kind : rates(file_, column, named_, printed, problem_, beside_))
      kinds.push_back(std::move(kind));
    return kinds;
  }

  // How many numbers of the file are the ones that follow from the table.
  std::optional<Recognised> compared(const Kind& kind, const Printed& printed) {
    together_.derived.front() = kind.said;
    together_.populations.front() = kind.population;
    const auto made = attach(problem_, together_);
    if (!made)
      return std::nullopt;
    const DerivedColumn& column = made->columns.front();
    Recognised found{kind.said, kind.population, kind.by_column};
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

  const files::CsvFile& file_;
  const std::vector<std::string>& named_;
  const Problem& problem_;
  const Together& beside_;
  Together together_;
};

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
    named.insert(named.end(), {column.name, column.population});
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
  } else if (column.type == "rate") {
    what += " per " + (column.per.text.empty() ? "" : column.per.text + " of ") +
            base::in_quotes(column.population);
  } else if (column.type == "growth") {
    what += " since " + base::in_quotes(column.period);
  } else if (column.type == "index") {
    what += " (" + base::in_quotes(column.period) + " is 100)";
  }
  return base::in_quotes(column.name) + " is the " + what + ": " + std::to_string(found.agree) +
         " of " + std::to_string(found.numbers) + " numbers agree (" +
         std::to_string(column.decimals) + (column.decimals == 1 ? " decimal, " : " decimals, ") +
         (column.rounding.empty() ? "half-up" : column.rounding) + ")";
}

std::vector<Recognised> recognise_columns(const files::CsvFile& file,
                                          const std::vector<std::string>& named,
                                          const Problem& problem,
                                          const Together& beside) {
  std::vector<Recognised> all;
  const std::vector<std::optional<CellId>> cells = cells_of_rows(file, problem.table());
  if (cells.empty())
    return all;
  Recogniser recogniser(file, named, problem, beside);
  for (std::size_t c = 0; c < file.num_columns(); ++c) {
    const std::string name(file.header(c));
    if (name.empty() || std::find(named.begin(), named.end(), name) != named.end())
      continue;
    const auto printed = printed_in(file, c, cells);
    if (!printed || printed->numbers.size() < kLeastNumbers)
      continue;
    if (auto found = recogniser.best_of(c, *printed))
      all.push_back(*std::move(found));
  }
  return all;
}

std::vector<Recognised> recognise_unstated(const spec::ReadSpec& spec,
                                           const Problem& problem,
                                           const jobfile::FileLoader& load,
                                           const Together& beside) {
  std::vector<Recognised> all;
  auto input = jobfile::read_table_input(spec, load);
  if (!input || problem.table().dimensions().empty())
    return all;
  for (const files::CsvFile& file : input->files) {
    for (Recognised& found : recognise_columns(file, columns_named(spec.job), problem, beside))
      all.push_back(std::move(found));
  }
  return all;
}

}  // namespace lacuna::load
