// SPDX-License-Identifier: Apache-2.0
// What is published together with a table, and what readers have already: derived columns
// ([[derived]], docs/derived.md) and earlier periods ([[before]], docs/periods.md). Both are cells
// and equations behind those of the table (core/table/appendix.h), so that methods, audit,
// certificates and verifiers judge all of it as one system.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/load/change_bounds.h"
#include "app/load/inputs.h"
#include "app/load/population.h"
#include "app/load/stored_periods.h"
#include "app/load/variables.h"
#include "core/table/published_ratio.h"
#include "data/spec/job_spec.h"
#include "lacuna/draft.h"
#include "lacuna/job_spec.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::load {

struct EarlierPeriod {
  JobSpec::Before said;
  std::string where;  // of its section
  Problem problem;    // its table, with what was asked of it then
  Draft release;
  // The changes of contributors from then to now as a table of its own, judged by the same rules;
  // of records only, and empty if nothing has changed.
  std::optional<Problem> difference;
  bool by_records = false;  // ... if it was made
  // What everyone knows of the changes from it to the table, or to the period that it is chained to.
  // `later`: it comes after the period of the table.
  ChangeBounds bounds{};
  std::optional<std::size_t> chained;  // of Together::before
  bool later = false;
  bool knows_changes() const { return said.cumulated || bounds.any(); }
};

struct Together {
  std::vector<JobSpec::Derived> derived;
  std::vector<std::string> places;      // of each
  std::vector<Population> populations;  // of each; empty but for rates
  std::vector<bool> unstated;           // of each: nobody states it, its numbers say it
  std::vector<ShadowVariable> variables;
  std::vector<RatioOfVariables> ratios;
  std::vector<EarlierPeriod> before;
  std::optional<Stored> stored;         // what the store of the job has
  std::int64_t least_contributors = 0;  // that the frequency rule of the job asks for; 0: none
};

// A derived column over the cells of the attached problem.
struct DerivedColumn {
  static constexpr Units kNone = kUnboundedBelow;  // as a printed number
  std::string name, where;
  int decimals = 0;
  table::RatioScale scale;
  bool everywhere = false, cheapest = false;
  // A [[shadow]]: its cells are `above`, and stand where the table's own cell does.
  bool variable = false;
  double weight = 1;
  std::vector<CellId> above, below;  // by cell of the table; -1: no such number
  std::vector<Units> printed;        // by cell of the table
  std::map<std::int32_t, Units>
      outside;  // cells behind the table of which everyone knows the value
};

// By column, and then by cell of the table: the number is published although some part of it is
// not. Where nothing is said of a column, it has what its job says.
using DerivedChoice = std::vector<std::optional<std::vector<bool>>>;

// Whether readers have both numbers of the quotient, so that it tells them nothing.
bool has_parts(const DerivedColumn& column, std::size_t cell, const Draft& draft);

// A number of a column that is published where it is cheapest, and the cell behind the table that
// is withheld if the number is left out (Appendix::add_switch).
struct OpenNumber {
  std::size_t column = 0, cell = 0;
  CellId left_out;
};

struct Attached {
  Problem problem;  // as it was given where nothing is to be judged besides
  std::vector<DerivedColumn> columns;  // derived ones, then variables
  std::vector<OpenNumber> open{};      // of attach_open() alone
  JudgedChanges changes{};                // since earlier periods
  std::optional<StoredCounts> counted{};  // of those of a store
};

// Errors: sections that name what is not there, or that are not true of the table. Without a
// choice the columns that are published everywhere are all that readers have beside the table:
// where both parts are published, a derived number tells nothing more.
Result<Attached> attach(const Problem& problem,
                        const Together& together,
                        const DerivedChoice* choice = nullptr);

// The same with every number of the cheapest columns as a cell of its own, which is withheld or
// published like those of the table, at the weight of its column.
Result<Attached> attach_open(const Problem& problem, const Together& together);

// A public file with derived columns, or a result JSON: the text without them, and their numbers.
struct ReadColumns {
  struct Number {
    std::size_t cell = 0;
    Units printed = 0;
    std::string where;
  };
  std::string text;
  std::vector<std::optional<std::vector<Number>>> columns;  // absent: the file has no such column
};
// Nothing if it has none of the columns. Errors: a field that is no number with these decimals.
Result<std::optional<ReadColumns>> read_derived(const std::string& path,
                                                const Inputs& inputs,
                                                const Table& table,
                                                const std::vector<DerivedColumn>& columns);

// The numbers of a file as a choice: those that tell more than the cells of the release. Errors: a
// number that follows neither from the table nor from what is published of it; a column that the
// file must have, since the job leaves open where it is published.
Result<DerivedChoice> choice_of(const ReadColumns& read,
                                const std::vector<DerivedColumn>& columns,
                                const Table& table,
                                const Draft& draft);
bool says_nothing(const DerivedChoice& choice);

// ... and of variables whose column the file does not have, or of which there is no file: they
// stand where the table's own cells do.
void choose_variables(const std::vector<DerivedColumn>& columns,
                      const Draft& draft,
                      DerivedChoice& choice);
bool has_variables(const std::vector<DerivedColumn>& columns);

// What stands in the public file, by cell of the table: of a column of the choice its numbers, else
// the quotient of the published numbers where both are numbers.
std::vector<std::string> derived_texts(const DerivedColumn& column,
                                       const std::optional<std::vector<bool>>& chosen,
                                       const Table& table,
                                       const Draft& draft);

// Reads the sections, but not the earlier periods (periods.h). Errors carry the place.
Result<Together> read_derived_sections(
    const spec::ReadSpec& spec,
    const Table& table,
    const std::function<Result<std::string>(const std::string& name)>& load);

}  // namespace lacuna::load
