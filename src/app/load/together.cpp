// SPDX-License-Identifier: Apache-2.0
#include "app/load/together.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>

#include "app/load/periods.h"
#include "core/base/decimal.h"
#include "core/base/index.h"
#include "core/base/nearest.h"
#include "core/base/quotes.h"
#include "core/base/spelling.h"
#include "core/table/unpublished.h"
#include "data/files/csv.h"
#include "data/jobfile/job_input.h"
#include "data/problems/cell_index.h"
#include "data/publish/extra_columns.h"

namespace lacuna::load {
namespace {

using Codes = std::vector<std::int32_t>;

constexpr CellId kNoCell{-1};

Codes codes_of(const Table& table, CellId cell) {
  const auto codes = table.codes(cell);
  return {codes.begin(), codes.end()};
}

Units power_of_ten(int exponent) {
  Units power = 1;
  for (int i = 0; i < exponent; ++i)
    power *= 10;
  return power;
}

Error of_column(const JobSpec::Derived& column, const std::string& where, std::string message) {
  return {ErrorCode::kJobValue,
          "the derived column " + base::in_quotes(column.name) + ": " + std::move(message),
          where};
}

// One of some words, or the first if nothing is said.
Result<std::size_t> word_of(const JobSpec::Derived& column,
                            const std::string& where,
                            const char* key,
                            const std::string& text,
                            const std::vector<std::string_view>& words) {
  if (text.empty())
    return std::size_t{0};
  const auto found = std::find(words.begin(), words.end(), text);
  if (found != words.end())
    return static_cast<std::size_t>(found - words.begin());
  std::string list;
  for (const std::string_view word : words)
    list += (list.empty() ? "" : ", ") + std::string(word);
  return of_column(column,
                   where,
                   std::string(key) + " must be one of " + list + ", not " + base::in_quotes(text) +
                       base::did_you_mean(text, words));
}

// A positive whole number, 1 if nothing is said.
Result<Units> factor_of(const JobSpec::Derived& column, const std::string& where) {
  if (column.per.text.empty())
    return Units{1};
  const auto per = base::parse_units(column.per.text, 0);
  if (!per || *per < 1 || *per > 1'000'000'000)
    return of_column(column, where, "per must be a whole number from 1 to 10^9");
  return *per;
}

// Finds, of every cell, the cells that are above and below the line.
class ColumnBuilder {
 public:
  ColumnBuilder(table::Appendix& to,
                const Problem& problem,
                const Together& together,
                const std::vector<AddedPeriod>& periods)
      : to_(to), table_(problem.table()), together_(together), periods_(periods), index_(table_) {}

  Result<DerivedColumn> run(std::size_t number) {
    const JobSpec::Derived& said = together_.derived[number];
    where_ = together_.places[number];
    DerivedColumn column;
    column.name = said.name;
    column.where = where_;
    column.decimals = said.decimals;
    LACUNA_TRY(
        const std::size_t published,
        word_of(
            said, where_, "published", said.published, {"with-parts", "everywhere", "cheapest"}));
    column.everywhere = published == 1;
    column.cheapest = published == 2;
    LACUNA_TRY(
        const std::size_t rounding,
        word_of(said, where_, "rounding", said.rounding, {"half-up", "half-even", "down", "up"}));
    column.scale.rounding = static_cast<table::RatioRounding>(rounding);
    if (!said.weight.text.empty()) {
      LACUNA_TRY(column.weight, base::parse_double(said.weight.text));
      if (column.weight < 0)
        return of_column(said, where_, "weight must not be negative");
    }
    const std::size_t cells = base::at(table_.num_cells());
    column.above.assign(cells, kNoCell);
    column.below.assign(cells, kNoCell);
    LACUNA_RETURN_IF_ERROR(find_parts(said, number, column));
    LACUNA_RETURN_IF_ERROR(print(said, column));
    return column;
  }

 private:
  Status find_parts(const JobSpec::Derived& said, std::size_t number, DerivedColumn& column) {
    const Units unit = power_of_ten(said.decimals);
    LACUNA_TRY(const Units per, factor_of(said, where_));
    Wide above = unit, below = 1;
    if (said.type == "percentage") {
      above = (said.per.text.empty() ? Wide{100} : Wide{per}) * unit;
      LACUNA_RETURN_IF_ERROR(find_wholes(said, column));
    } else if (said.type == "ratio") {
      above = Wide{per} * unit;
      LACUNA_RETURN_IF_ERROR(find_ratios(said, column));
    } else if (said.type == "mean") {
      below = power_of_ten(table_.decimals());
      LACUNA_RETURN_IF_ERROR(find_counts(said, column));
    } else if (said.type == "rate") {
      above = Wide{per} * unit;
      below = power_of_ten(table_.decimals());
      LACUNA_RETURN_IF_ERROR(find_population(said, together_.populations[number], column));
    } else if (said.type == "growth" || said.type == "index") {
      above = Wide{100} * unit;
      column.scale.growth = said.type == "growth";
      LACUNA_RETURN_IF_ERROR(find_period(said, column));
    }
    Wide a = above, b = below;
    while (b != 0)
      a = std::exchange(b, a % b);
    column.scale.above = static_cast<Units>(above / a);
    column.scale.below = static_cast<Units>(below / a);
    return ok_status();
  }

  bool is_own(std::int32_t c) const { return !table::is_unpublished(table_.cell(CellId{c})); }

  std::optional<std::int32_t> parent_of(const Dimension& dimension, std::int32_t code) const {
    for (const Relation& relation : dimension.relations()) {
      if (std::find(relation.children.begin(), relation.children.end(), code) !=
          relation.children.end())
        return relation.parent;
    }
    return std::nullopt;
  }

  Result<std::size_t> dimension_of(const JobSpec::Derived& said, const std::string& name) const {
    std::vector<std::string_view> names;
    for (std::size_t d = 0; d < table_.dimensions().size(); ++d) {
      if (table_.dimensions()[d].name() == name)
        return d;
      names.push_back(table_.dimensions()[d].name());
    }
    return of_column(
        said,
        where_,
        "there is no dimension " + base::in_quotes(name) + base::did_you_mean(name, names));
  }

  Status find_wholes(const JobSpec::Derived& said, DerivedColumn& column) {
    LACUNA_TRY(const std::size_t to, word_of(said, where_, "to", said.to, {"total", "parent"}));
    std::vector<std::size_t> of;
    for (const std::string& name : said.of) {
      LACUNA_TRY(of.emplace_back(), dimension_of(said, name));
    }
    if (of.empty()) {
      of.resize(table_.dimensions().size());
      std::iota(of.begin(), of.end(), std::size_t{0});
    }
    for (std::int32_t c = 0; c < table_.num_cells(); ++c) {
      if (!is_own(c))
        continue;
      const Codes own = codes_of(table_, CellId{c});
      Codes whole = own;
      for (const std::size_t d : of) {
        const Dimension& dimension = table_.dimensions()[d];
        whole[d] = to == 0 ? dimension.total() : parent_of(dimension, own[d]).value_or(own[d]);
      }
      const auto found = index_.find(whole);
      if (whole != own && found)
        set(column, c, CellId{c}, *found);
    }
    return ok_status();
  }

  Status find_ratios(const JobSpec::Derived& said, DerivedColumn& column) {
    LACUNA_TRY(const std::size_t d, dimension_of(said, said.dimension));
    const Dimension& dimension = table_.dimensions()[d];
    const std::int32_t above = dimension.find(said.numerator);
    const std::int32_t below = dimension.find(said.denominator);
    if (above < 0 || below < 0 || above == below)
      return of_column(said,
                       where_,
                       "numerator and denominator must be two codes of the dimension " +
                           base::in_quotes(said.dimension));
    for (std::int32_t c = 0; c < table_.num_cells(); ++c) {
      Codes codes = codes_of(table_, CellId{c});
      if (!is_own(c) || codes[d] != above)
        continue;
      codes[d] = below;
      if (const auto found = index_.find(codes))
        set(column, c, CellId{c}, *found);
    }
    return ok_status();
  }

  // The numbers of contributors as cells: known to everyone, or a table of their own of which
  // readers know that it adds up.
  Status find_counts(const JobSpec::Derived& said, DerivedColumn& column) {
    LACUNA_TRY(const std::size_t never,
               word_of(said, where_, "counts", said.counts, {"everywhere", "never"}));
    std::vector<CellId> counts(base::at(table_.num_cells()), kNoCell);
    bool any = false;
    for (std::int32_t c = 0; c < table_.num_cells(); ++c) {
      const std::int64_t n = table_.cell(CellId{c}).frequency;
      if (!is_own(c) || n < 0)
        continue;
      any = true;
      counts[base::at(c)] =
          to_.add_cell(n, never == 1 ? Bounds{0, kUnboundedAbove} : Bounds{n, n}, CellId{c});
      set(column, c, CellId{c}, counts[base::at(c)]);
    }
    if (!any)
      return of_column(said,
                       where_,
                       "a mean needs the number of contributors of every cell; name their column "
                       "as frequency in [columns]");
    for (std::int32_t e = 0; never == 1 && e < table_.num_equations(); ++e)
      add_sum_of_counts(EquationId{e}, counts);
    return ok_status();
  }

  // Contributors of several parts are counted once above them: such sums are none that readers
  // know.
  void add_sum_of_counts(EquationId equation, const std::vector<CellId>& counts) {
    Wide sum = 0;
    std::vector<Term> terms;
    for (const Term& term : table_.equation(equation)) {
      const CellId count = counts[static_cast<std::size_t>(term.cell.value)];
      if (count.value < 0)
        return;
      sum += Wide{term.coefficient} * to_.cell(count).value;
      terms.push_back({count, term.coefficient});
    }
    if (sum == 0)
      to_.add_equation(std::move(terms));
  }

  Status find_population(const JobSpec::Derived& said,
                         const Population& population,
                         DerivedColumn& column) {
    std::map<Units, CellId> cells;
    for (std::int32_t c = 0; c < table_.num_cells(); ++c) {
      if (!is_own(c))
        continue;
      const Codes codes = codes_of(table_, CellId{c});
      Codes key;
      for (const std::size_t d : population.dimensions)
        key.push_back(codes[d]);
      const auto found = population.numbers.find(key);
      if (found == population.numbers.end())
        return of_column(said,
                         where_,
                         "the file of the population has no number for " + table_.label(CellId{c}));
      const Units n = found->second;
      if (!cells.contains(n))
        cells.emplace(n, to_.add_cell(n, {n, n}, CellId{c}));
      set(column, c, CellId{c}, cells.at(n));
    }
    return ok_status();
  }

  Status find_period(const JobSpec::Derived& said, DerivedColumn& column) {
    const auto& before = together_.before;
    if (before.empty())
      return of_column(said, where_, "growth and index need a [[before]] with the earlier period");
    std::size_t at = before.size() - 1;
    if (!said.period.empty()) {
      const auto named = std::find_if(before.begin(), before.end(), [&](const auto& each) {
        return each.said.name == said.period;
      });
      if (named == before.end())
        return of_column(
            said, where_, "there is no [[before]] with the name " + base::in_quotes(said.period));
      at = static_cast<std::size_t>(named - before.begin());
    }
    for (std::int32_t c = 0; c < table_.num_cells(); ++c) {
      const CellId earlier = periods_[at].same[base::at(c)];
      if (is_own(c) && earlier.value >= 0)
        set(column, c, CellId{c}, earlier);
    }
    return ok_status();
  }

  static void set(DerivedColumn& column, std::int32_t cell, CellId above, CellId below) {
    column.above[base::at(cell)] = above;
    column.below[base::at(cell)] = below;
  }

  // What every number is at the truth. A quotient by 0 is none.
  Status print(const JobSpec::Derived& said, DerivedColumn& column) {
    column.printed.assign(column.above.size(), DerivedColumn::kNone);
    for (std::size_t c = 0; c < column.above.size(); ++c) {
      if (column.above[c].value < 0)
        continue;
      const Cell& x = to_.cell(column.above[c]);
      const Cell& n = to_.cell(column.below[c]);
      for (const CellId part : {column.above[c], column.below[c]}) {
        if (part.value >= table_.num_cells() && to_.cell(part).prior.is_point())
          column.outside.emplace(part.value, to_.cell(part).value);
      }
      const bool whole_space = x.prior.lower < 0 || n.prior.lower < 0;
      if (whole_space && column.everywhere)
        return of_column(said,
                         where_,
                         "numbers that may be negative have no percentages, means or rates that "
                         "could be judged; state their lower bound, or say published = "
                         "\"with-parts\"");
      if (n.value <= 0)
        continue;
      const auto printed = table::printed_ratio(x.value, n.value, column.scale);
      if (!printed)
        return of_column(said, where_, "its numbers do not fit 62 bits; publish fewer decimals");
      column.printed[c] = *printed;
    }
    return ok_status();
  }

  table::Appendix& to_;
  const Table& table_;
  const Together& together_;
  const std::vector<AddedPeriod>& periods_;
  problems::CellIndex index_;
  std::string where_;
};

bool needs_period(const Together& together, std::size_t at) {
  return std::any_of(
      together.derived.begin(), together.derived.end(), [&](const JobSpec::Derived& column) {
        return (column.type == "growth" || column.type == "index") &&
               (column.period.empty() ? at + 1 == together.before.size()
                                      : column.period == together.before[at].said.name);
      });
}

bool is_in_chain(const Together& together, std::size_t at) {
  return together.before[at].chained || std::any_of(together.before.begin(),
                                                    together.before.end(),
                                                    [&](const EarlierPeriod& each) {
                                                      return each.chained && *each.chained == at;
                                                    });
}

JudgedChanges changes_of(const Together& together, std::vector<AddedPeriod>& periods) {
  JudgedChanges all;
  all.least = together.least_contributors;
  for (AddedPeriod& each : periods) {
    all.asked.insert(all.asked.end(), each.asked.begin(), each.asked.end());
    all.open.insert(all.open.end(), each.open.begin(), each.open.end());
  }
  return all;
}

// What readers know of changes from one earlier period to the next.
Status link_chain(table::Appendix& to,
                  const Together& together,
                  const std::vector<AddedPeriod>& periods) {
  for (std::size_t p = 0; p < periods.size(); ++p) {
    const EarlierPeriod& each = together.before[p];
    if (!each.chained)
      continue;
    const std::size_t next = *each.chained;
    const std::size_t older = each.later ? next : p, newer = each.later ? p : next;
    LACUNA_RETURN_IF_ERROR(link_periods(to,
                                        together.before[older],
                                        periods[older].first,
                                        together.before[newer],
                                        periods[newer].first,
                                        CellId{0}));
  }
  return ok_status();
}

// What readers know by the numbers of a column that are published whatever is published of cells.
Status add_column(table::Appendix& to,
                  const DerivedColumn& column,
                  const std::optional<std::vector<bool>>& chosen) {
  for (std::size_t c = 0; c < column.above.size(); ++c) {
    const CellId x = column.above[c], n = column.below[c];
    const CellId like{static_cast<std::int32_t>(c)};
    if (x.value < 0 || !(chosen ? (*chosen)[c] : column.everywhere))
      continue;
    if (column.printed[c] == DerivedColumn::kNone) {  // no quotient says that n is 0
      LACUNA_RETURN_IF_ERROR(to.narrow(n, {0, 0}));
      continue;
    }
    LACUNA_RETURN_IF_ERROR(
        table::add_printed_ratio(to, x, n, column.scale, column.printed[c], like));
  }
  return ok_status();
}

// The same of a column whose numbers may each be left out.
Status add_open_column(table::Appendix& to,
                       std::size_t number,
                       const DerivedColumn& column,
                       std::vector<OpenNumber>& open) {
  for (std::size_t c = 0; c < column.above.size(); ++c) {
    const CellId like{static_cast<std::int32_t>(c)};
    if (column.above[c].value < 0 || column.printed[c] == DerivedColumn::kNone)
      continue;
    const CellId left_out = to.add_switch(column.weight, like);
    LACUNA_RETURN_IF_ERROR(table::add_printed_ratio(
        to, column.above[c], column.below[c], column.scale, column.printed[c], like, left_out));
    open.push_back({number, c, left_out});
  }
  return ok_status();
}

// The number that readers have of a cell, if it is one.
std::optional<Units> shown(const DerivedColumn& column,
                           CellId cell,
                           const Table& table,
                           const Draft& draft) {
  if (base::at(cell.value) >= column.above.size()) {  // of an earlier period, or a count
    const auto known = column.outside.find(cell.value);
    return known == column.outside.end() ? std::nullopt : std::optional(known->second);
  }
  const auto entry = draft.find(cell);
  return entry ? entry->number() : std::optional(table.value(cell));
}

// Of the numbers that readers have, if both are numbers.
std::optional<Units> shown_quotient(const DerivedColumn& column,
                                    std::size_t cell,
                                    const Table& table,
                                    const Draft& draft) {
  if (column.above[cell].value < 0 || column.variable)
    return std::nullopt;
  const auto x = shown(column, column.above[cell], table, draft);
  const auto n = shown(column, column.below[cell], table, draft);
  return x && n && *n > 0 ? table::printed_ratio(*x, *n, column.scale) : std::nullopt;
}

bool is_open(const DerivedColumn& column, CellId cell, const Draft& draft) {
  return base::at(cell.value) >= column.above.size() ? column.outside.contains(cell.value)
                                                     : draft.is_exact(cell);
}

std::string with_point(std::string_view text) {
  std::string number(text);
  std::replace(number.begin(), number.end(), ',', '.');
  return number;
}

// Of every dimension its column.
Result<std::vector<std::size_t>> dimensions_of(const files::CsvFile& file, const Table& table) {
  std::vector<std::size_t> dimensions;
  for (const Dimension& dimension : table.dimensions()) {
    dimensions.push_back(file.find_column(dimension.name()));
    if (dimensions.back() == file.num_columns())
      return Error{ErrorCode::kMissingColumn,
                   "a file with derived columns needs a column for each dimension, and has none "
                   "for " +
                       base::in_quotes(dimension.name()),
                   file.where_header()};
  }
  return dimensions;
}

// The same table without some of its columns.
std::string without_columns(const files::CsvFile& file,
                            const std::vector<std::size_t>& at,
                            char separator) {
  std::string text;
  for (std::size_t row = 0; row <= file.num_rows(); ++row) {
    std::string line;
    for (std::size_t c = 0; c < file.num_columns(); ++c) {
      if (std::find(at.begin(), at.end(), c) != at.end())
        continue;
      const std::string_view field = row == 0 ? file.header(c) : file.field(row - 1, c);
      line += (line.empty() ? "" : std::string(1, separator)) + files::csv_quoted(field, separator);
    }
    text += line + "\n";
  }
  return text;
}

// The file of the table that has this column, if there is one.
Result<std::optional<Population>> column_of_input(const spec::ReadSpec& spec,
                                                  const std::string& name,
                                                  const Table& table,
                                                  const jobfile::FileLoader& load) {
  if (spec.job.input.table.empty())
    return std::optional<Population>();
  const auto input = jobfile::read_table_input(spec, load);
  if (!input)
    return std::optional<Population>();  // whoever reads the table says why
  for (const files::CsvFile& file : input->files) {
    const std::size_t column = file.find_column(name);
    if (column == file.num_columns() || cells_of_rows(file, table).empty())
      continue;
    LACUNA_TRY(Population population, population_of_column(file, column, table));
    return std::optional(std::move(population));
  }
  return std::optional<Population>();
}

Result<Population> read_population(const spec::ReadSpec& spec,
                                   const JobSpec::Derived& said,
                                   const std::string& where,
                                   const Table& table,
                                   const jobfile::FileLoader& load) {
  LACUNA_TRY(auto column, column_of_input(spec, said.population, table, load));
  if (column)
    return *std::move(column);
  LACUNA_TRY(const std::string text, load(said.population));
  LACUNA_TRY(const files::CsvFile file,
             files::CsvFile::parse(text, said.population, files::likely_separator(text)));
  auto population = population_of_file(file, table);
  if (!population && population.error().code == ErrorCode::kMissingColumn)
    return of_column(said, where, population.error().message);
  return population;
}

}  // namespace

namespace {

DerivedColumn variable_column(const table::Appendix& to,
                              const Table& table,
                              const ShadowVariable& variable,
                              const std::vector<CellId>& cells) {
  DerivedColumn column;
  column.name = variable.said.name;
  column.where = variable.where;
  column.decimals = table.decimals();
  column.variable = true;
  column.above = cells;
  column.below.assign(cells.size(), kNoCell);
  for (const CellId cell : cells)
    column.printed.push_back(cell.value < 0 ? DerivedColumn::kNone : to.cell(cell).value);
  return column;
}

// What stands in a release is known; the rest is withheld. Before there is one all of it is open.
Status publish_variable(table::Appendix& to,
                        const DerivedColumn& column,
                        const std::optional<std::vector<bool>>& chosen) {
  for (std::size_t c = 0; chosen && c < column.above.size(); ++c) {
    if (column.above[c].value < 0)
      continue;
    if ((*chosen)[c])
      LACUNA_RETURN_IF_ERROR(to.narrow(column.above[c], {column.printed[c], column.printed[c]}));
    else
      to.withhold(column.above[c]);
  }
  return ok_status();
}

Result<Attached> attach_with(const Problem& problem,
                             const Together& together,
                             const DerivedChoice* choice,
                             bool open) {
  table::Appendix to(problem);
  Attached made;
  bool any = open || choice != nullptr;
  std::vector<AddedPeriod> periods;
  for (std::size_t p = 0; p < together.before.size(); ++p) {
    LACUNA_TRY(periods.emplace_back(),
               add_period(to,
                          problem,
                          together.before[p],
                          together.least_contributors,
                          needs_period(together, p) || is_in_chain(together, p)));
    any = any || periods.back().judged;
  }
  LACUNA_RETURN_IF_ERROR(link_chain(to, together, periods));
  made.changes = changes_of(together, periods);
  if (together.stored) {
    LACUNA_TRY(
        made.counted,
        add_stored(
            to, problem, *together.stored, together.least_contributors, made.changes));
    any = any || made.counted->asked > 0;
  }
  for (std::size_t d = 0; d < together.derived.size(); ++d) {
    LACUNA_TRY(made.columns.emplace_back(), ColumnBuilder(to, problem, together, periods).run(d));
    any = any || made.columns.back().everywhere;
  }
  VariableCells variables;
  for (const ShadowVariable& variable : together.variables) {
    LACUNA_TRY(std::vector<CellId> cells, add_variable(to, problem, variable));
    made.columns.push_back(variable_column(to, problem.table(), variable, cells));
    variables[variable.said.name] = std::move(cells);
    any = true;
  }
  for (const RatioOfVariables& ratio : together.ratios) {
    LACUNA_RETURN_IF_ERROR(add_known_ratio(to, problem, ratio, variables));
    any = true;
  }
  if (!any) {
    made.problem = problem;
    return made;
  }
  for (std::size_t d = 0; d < made.columns.size(); ++d) {
    if (made.columns[d].variable)
      LACUNA_RETURN_IF_ERROR(publish_variable(to, made.columns[d], choice ? (*choice)[d] : std::nullopt));
    else if (open && made.columns[d].cheapest)
      LACUNA_RETURN_IF_ERROR(add_open_column(to, d, made.columns[d], made.open));
    else
      LACUNA_RETURN_IF_ERROR(add_column(to, made.columns[d], choice ? (*choice)[d] : std::nullopt));
  }
  LACUNA_TRY(made.problem, std::move(to).build());
  return made;
}

// The numbers of a result JSON, whose text needs no change.
Result<std::optional<ReadColumns>> read_result(const std::string& path,
                                               const Inputs& inputs,
                                               const Table& table,
                                               const std::vector<DerivedColumn>& columns) {
  LACUNA_TRY(std::string text, inputs.read(path));
  LACUNA_TRY(const auto found, publish::read_extra_columns(text, path, table));
  if (found.empty())
    return std::optional<ReadColumns>();
  ReadColumns read;
  read.text = std::move(text);
  for (const DerivedColumn& column : columns) {
    auto& numbers = read.columns.emplace_back();
    const auto same = std::find_if(
        found.begin(), found.end(), [&](const auto& each) { return each.name == column.name; });
    if (same == found.end())
      continue;
    numbers.emplace();
    for (const publish::ReadExtraColumn::Number& number : same->numbers) {
      const auto printed = base::parse_units(number.text, column.decimals);
      if (!printed)
        return Error{ErrorCode::kBadNumber, printed.error().message, number.where};
      numbers->push_back({base::at(number.cell), *printed, number.where});
    }
  }
  return std::optional<ReadColumns>(std::move(read));
}

bool is_result(const std::string& path, const Inputs& inputs) {
  return path.ends_with(".json") || path.ends_with(".json.gz") || inputs.texts.contains(path);
}

}  // namespace

Result<Attached> attach(const Problem& problem,
                        const Together& together,
                        const DerivedChoice* choice) {
  return attach_with(problem, together, choice, false);
}

Result<Attached> attach_open(const Problem& problem, const Together& together) {
  return attach_with(problem, together, nullptr, true);
}

Result<std::optional<ReadColumns>> read_derived(const std::string& path,
                                                const Inputs& inputs,
                                                const Table& table,
                                                const std::vector<DerivedColumn>& columns) {
  std::string name = path;
  if (name.ends_with(".gz"))
    name.resize(name.size() - 3);
  if (columns.empty())
    return std::optional<ReadColumns>();
  if (!name.ends_with(".csv"))
    return is_result(path, inputs) ? read_result(path, inputs, table, columns)
                                   : Result(std::optional<ReadColumns>());
  LACUNA_TRY(const std::string text, inputs.read(path));
  const char separator = files::likely_separator(text);
  const auto parsed = files::CsvFile::parse(text, path, separator);
  if (!parsed)
    return std::optional<ReadColumns>();  // whoever reads the table says why
  const files::CsvFile& file = *parsed;
  std::vector<std::size_t> at;
  bool any = false;
  for (const DerivedColumn& column : columns) {
    at.push_back(file.find_column(column.name));
    any = any || at.back() < file.num_columns();
  }
  if (!any)
    return std::optional<ReadColumns>();
  LACUNA_TRY(const std::vector<std::size_t> dimensions, dimensions_of(file, table));
  ReadColumns read;
  read.columns.resize(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (at[i] < file.num_columns())
      read.columns[i].emplace();
  }
  const problems::CellIndex index(table);
  for (std::size_t row = 0; row < file.num_rows(); ++row) {
    std::vector<std::string_view> codes;
    for (const std::size_t d : dimensions)
      codes.push_back(file.field(row, d));
    const auto cell = index.find(codes);
    for (std::size_t i = 0; cell && i < columns.size(); ++i) {
      if (at[i] == file.num_columns())
        continue;
      const std::string number = with_point(file.field(row, at[i]));
      if (number.find_first_of("0123456789") == std::string::npos)
        continue;
      const auto printed = base::parse_units(number, columns[i].decimals);
      if (!printed)
        return file.error(row, at[i], printed.error().message);
      const auto c = static_cast<std::size_t>(cell->value);
      // Only a number that is not the true one can be wrong, and a place takes time to find.
      const bool is_true = c < columns[i].printed.size() && *printed == columns[i].printed[c];
      read.columns[i]->push_back({c, *printed, is_true ? "" : file.where(row, at[i])});
    }
  }
  read.text = without_columns(file, at, separator);
  return std::optional<ReadColumns>(std::move(read));
}

bool has_parts(const DerivedColumn& column, std::size_t cell, const Draft& draft) {
  if (column.variable)
    return column.above[cell].value >= 0 && draft.is_exact(CellId{static_cast<std::int32_t>(cell)});
  return column.above[cell].value >= 0 && is_open(column, column.above[cell], draft) &&
         is_open(column, column.below[cell], draft);
}

Result<DerivedChoice> choice_of(const ReadColumns& read,
                                const std::vector<DerivedColumn>& columns,
                                const Table& table,
                                const Draft& draft) {
  DerivedChoice choice(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const DerivedColumn& column = columns[i];
    if (!read.columns[i] && column.cheapest)
      return Error{ErrorCode::kMissingColumn,
                   "the release has no column " + base::in_quotes(column.name) +
                       ", so it is not known which of its numbers readers have",
                   column.where};
    if (!read.columns[i])
      continue;
    std::vector<bool> there(column.above.size(), false), more(column.above.size(), false);
    bool any = false;
    const auto is_shown = [&](const ReadColumns::Number& number) {
      return number.cell < there.size() &&
             number.printed == shown_quotient(column, number.cell, table, draft);
    };
    // Computed from the numbers that are shown, a column tells nothing more. If one number is not,
    // readers see that the column is not, so its true numbers tell also where the two are equal.
    const bool of_shown =
        std::all_of(read.columns[i]->begin(), read.columns[i]->end(), is_shown);
    for (const ReadColumns::Number& number : *read.columns[i]) {
      const std::size_t c = number.cell;
      const bool is_true = c < there.size() && number.printed == column.printed[c];
      const bool has_both = c < there.size() && has_parts(column, c, draft);
      if (!has_both && (of_shown || !is_true) && is_shown(number))
        continue;
      if (!is_true)
        return Error{ErrorCode::kFalseRelease,
                     "the number is not the one that follows from the table by [[derived]] " +
                         base::in_quotes(column.name) + "; check its parts, decimals and rounding",
                     number.where};
      there[c] = true;
      more[c] = !has_both;
      any = any || more[c];
    }
    if (column.variable) {
      choice[i] = std::move(there);
      continue;
    }
    bool all = true;
    for (std::size_t c = 0; c < there.size(); ++c)
      all = all && (there[c] || column.printed[c] == DerivedColumn::kNone);
    if (column.everywhere ? !all : any)
      choice[i] = std::move(more);
  }
  choose_variables(columns, draft, choice);
  return choice;
}

void choose_variables(const std::vector<DerivedColumn>& columns,
                      const Draft& draft,
                      DerivedChoice& choice) {
  choice.resize(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!columns[i].variable || choice[i])
      continue;
    choice[i].emplace(columns[i].above.size(), false);
    for (std::size_t c = 0; c < columns[i].above.size(); ++c)
      (*choice[i])[c] = has_parts(columns[i], c, draft);
  }
}

bool has_variables(const std::vector<DerivedColumn>& columns) {
  return std::any_of(
      columns.begin(), columns.end(), [](const DerivedColumn& each) { return each.variable; });
}

bool says_nothing(const DerivedChoice& choice) {
  return std::none_of(
      choice.begin(), choice.end(), [](const auto& each) { return each.has_value(); });
}

std::vector<std::string> derived_texts(const DerivedColumn& column,
                                       const std::optional<std::vector<bool>>& chosen,
                                       const Table& table,
                                       const Draft& draft) {
  std::vector<std::string> texts(column.above.size());
  for (std::size_t c = 0; c < texts.size(); ++c) {
    if (column.above[c].value < 0)
      continue;
    std::optional<Units> printed;
    const bool stands = column.variable ? has_parts(column, c, draft) : column.everywhere;
    if (chosen ? (*chosen)[c] : stands) {
      if (column.printed[c] != DerivedColumn::kNone)
        printed = column.printed[c];
    } else {
      printed = shown_quotient(column, c, table, draft);
    }
    if (printed)
      texts[c] = base::format_units(*printed, column.decimals);
  }
  return texts;
}

Result<Together> read_derived_sections(
    const spec::ReadSpec& spec,
    const Table& table,
    const std::function<Result<std::string>(const std::string& name)>& load) {
  Together together;
  static const std::vector<std::string_view> kTypes{
      "percentage", "ratio", "mean", "rate", "growth", "index"};
  for (std::size_t d = 0; d < spec.job.derived.size(); ++d) {
    const JobSpec::Derived& said = spec.job.derived[d];
    const std::string where = spec.places.where("derived[" + std::to_string(d) + "]");
    if (said.name.empty() || said.type.empty())
      return Error{ErrorCode::kMissingKey, "[[derived]] needs a name and a type", where};
    LACUNA_RETURN_IF_ERROR(word_of(said, where, "type", said.type, kTypes));
    for (const Dimension& dimension : table.dimensions()) {
      if (dimension.name() == said.name)
        return of_column(said, where, "a dimension has this name");
    }
    for (const JobSpec::Derived& other : together.derived) {
      if (other.name == said.name)
        return of_column(said, where, "another derived column has this name");
    }
    Population population;
    if (said.type == "rate") {
      if (said.population.empty())
        return of_column(said,
                         where,
                         "a rate needs its population: a file, or a column of the table");
      LACUNA_TRY(population, read_population(spec, said, where, table, load));
    }
    together.derived.push_back(said);
    together.places.push_back(where);
    together.populations.push_back(std::move(population));
    together.unstated.push_back(false);
  }
  for (const JobSpec::Rule& rule : spec.job.rules) {
    if (rule.type != "frequency")
      continue;
    const std::string& n = rule.n.text;
    std::from_chars(n.data(), n.data() + n.size(), together.least_contributors);
  }
  return together;
}

}  // namespace lacuna::load
