// SPDX-License-Identifier: Apache-2.0
// A problem as a job file and its table: what job_file.cpp reads back.
#include <algorithm>
#include <unordered_set>

#include "core/base/decimal.h"
#include "core/table/least_counts.h"
#include "data/files/hierarchy_file.h"
#include "data/files/position.h"
#include "data/jobfile/job_dimension.h"
#include "data/jobfile/job_file.h"
#include "data/problems/table_csv.h"
#include "data/spec/spec_text.h"
#include "lacuna/count_rules.h"
#include "lacuna/keys.h"

namespace lacuna::jobfile {
namespace {

Error cannot_hold(const std::string& what, std::string where) {
  return {ErrorCode::kCannotHold,
          "a job file cannot hold " + what + "; write the problem as JSON instead",
          std::move(where)};
}

bool same_equations(const Table& a, const Table& b) {
  if (a.num_equations() != b.num_equations())
    return false;
  for (std::int32_t e = 0; e < a.num_equations(); ++e) {
    const auto left = a.equation(EquationId{e});
    const auto right = b.equation(EquationId{e});
    if (a.rhs(EquationId{e}) != b.rhs(EquationId{e}) ||
        !std::equal(left.begin(), left.end(), right.begin(), right.end()))
      return false;
  }
  return true;
}

// The job stores no equations: those that its tables imply must be the problem's own.
Status check_equations(const Table& table, std::span<const LinkedTable> tables) {
  TableBuilder builder(table.decimals(), table.dimensions());
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    auto added = builder.add_cell(table.cell(CellId{c}), table.codes(CellId{c}));
    if (!added)
      return added.error();
  }
  if (auto crossed = add_table_equations(builder, tables); !crossed)
    return cannot_hold("equations other than those of its dimensions", crossed.error().where);
  LACUNA_TRY(const Table rebuilt, std::move(builder).build());
  if (!same_equations(table, rebuilt))
    return cannot_hold("equations other than those of its dimensions", "");
  return ok_status();
}

JobSpec::Dimension dimension_spec(const Dimension& dimension) {
  JobSpec::Dimension spec;
  spec.name = dimension.name();
  spec.total = dimension.code(dimension.total());
  spec.codes = dimension.codes();
  for (const files::CodeTree& tree : files::trees_of(dimension)) {
    SpecLists lists;
    for (const files::NamedRelation& relation : tree.relations)
      lists.emplace_back(relation.parent, relation.children);
    if (!lists.empty())
      spec.tree.push_back(std::move(lists));
  }
  return spec;
}

std::vector<std::string> codes_of(const Table& table, CellId cell) {
  std::vector<std::string> codes;
  const auto indices = table.codes(cell);
  for (std::size_t d = 0; d < indices.size(); ++d)
    codes.push_back(table.dimensions()[d].code(indices[d]));
  return codes;
}

SpecNumber bound_number(const Table& table, Units end) {
  const bool unbounded = end == kUnboundedBelow || end == kUnboundedAbove;
  return {unbounded ? "unbounded" : base::format_units(end, table.decimals())};
}

// Nothing of an outsider of whom the table says all.
std::optional<JobSpec::Attacker> attacker_spec(const Problem& problem, std::int32_t index) {
  const Table& table = problem.table();
  const Attacker& attacker = problem.attackers()[static_cast<std::size_t>(index)];
  const auto number = [&](Units units) {
    return SpecNumber{base::format_units(units, table.decimals())};
  };
  JobSpec::Attacker spec{attacker.name, {}, std::vector<JobSpec::CellFact>{}};
  for (const Knowledge& fact : attacker.known)
    spec.known.push_back({codes_of(table, fact.cell),
                          bound_number(table, fact.bounds.lower),
                          bound_number(table, fact.bounds.upper),
                          {}});
  for (const Requirement& need : problem.requirements()) {
    const bool in_csv = index == 0 && table.cell(need.cell).status == CellStatus::kPrimary;
    if (need.attacker == index && !in_csv)
      spec.levels->push_back({codes_of(table, need.cell),
                              number(need.lower),
                              number(need.upper),
                              number(need.given_sliding())});
  }
  if (index == 0 && spec.known.empty() && spec.levels->empty())
    return std::nullopt;
  return spec;
}

// Column names that no dimension uses.
std::string free_name(std::string name, const std::vector<Dimension>& dimensions) {
  const auto taken = [&](const Dimension& dimension) { return dimension.name() == name; };
  while (std::any_of(dimensions.begin(), dimensions.end(), taken))
    name += "_";
  return name;
}

Status check_names(const Problem& problem) {
  const auto& dimensions = problem.table().dimensions();
  if (dimensions.empty())
    return cannot_hold("a table without dimensions", "");
  std::unordered_set<std::string> names;
  for (const Dimension& dimension : dimensions) {
    if (!names.insert(dimension.name()).second)
      return cannot_hold("two dimensions of one name", "dimension " + dimension.name());
    for (const std::string& code : dimension.codes()) {
      if (code.empty() || base::find_bad_utf8(code) != std::string::npos)
        return cannot_hold("an empty code or one that is not UTF-8",
                           "dimension " + dimension.name());
    }
    const auto read_back = files::build_dimension(dimension.name(), files::trees_of(dimension));
    if (!read_back || !(*read_back == dimension))
      return cannot_hold("the same split of a code twice", "dimension " + dimension.name());
    if (base::find_bad_utf8(dimension.name()) != std::string::npos)
      return cannot_hold("a name that is not UTF-8", "dimension " + dimension.name());
  }
  names.clear();
  for (std::size_t a = 0; a < problem.attackers().size(); ++a) {
    const std::string& name = problem.attackers()[a].name;
    const bool usable = !name.empty() && names.insert(name).second &&
                        base::find_bad_utf8(name) == std::string::npos &&
                        (a == 0) == (name == outsider().name);
    if (!usable)
      return cannot_hold(
          "this list of attackers: the first must be the outsider, names must differ",
          "attacker " + name);
  }
  return ok_status();
}

SpecLists lists_of(const std::vector<CodeUnion>& unions) {
  SpecLists lists;
  for (const CodeUnion& each : unions)
    lists.emplace_back(each.dimension, each.codes);
  return lists;
}

// [counts] that asks for the very same questions.
Result<std::optional<JobSpec::Counts>> counts_spec(const Problem& problem) {
  if (!problem.counts())
    return std::optional<JobSpec::Counts>();
  const std::optional<CountOptions> options = count_options_of(problem);
  if (!options)
    return cannot_hold("these questions about counts, which no [counts] asks for", "");
  JobSpec::Counts spec;
  spec.threshold = options->threshold;
  spec.zeros = options->zeros;
  spec.withheld_means = options->withheld_means;
  spec.kinds = options->kinds;
  spec.coalition = options->coalition;
  spec.ambiguity = options->ambiguity;
  spec.sensitive = lists_of(options->sensitive);
  for (const CodeUnion& group : options->groups)
    spec.groups.push_back(lists_of({group}));
  return std::optional<JobSpec::Counts>(std::move(spec));
}

// Counts of which a reader of the job would otherwise take it that no listed one is empty.
bool may_be_empty(const Problem& problem, std::span<const LinkedTable> tables) {
  if (!problem.counts())
    return false;
  const std::vector<Units> least = table::least_by_rows(problem.table(), tables);
  for (std::size_t c = 0; c < least.size(); ++c) {
    if (problem.table().cell(CellId{static_cast<std::int32_t>(c)}).prior.lower < least[c])
      return true;
  }
  return false;
}

JobSpec::Columns columns_spec(const problems::TableColumns& columns) {
  JobSpec::Columns spec;
  spec.value = columns.value;
  spec.frequency = columns.frequency;
  spec.weight = columns.weight;
  spec.status = columns.status;
  spec.lower = columns.lower;
  spec.upper = columns.upper;
  spec.lower_level = columns.lower_level;
  spec.upper_level = columns.upper_level;
  spec.sliding_level = columns.sliding_level;
  spec.key = columns.key;
  return spec;
}

JobSpec::Table table_spec(const LinkedTable& cross, const std::vector<Dimension>& dimensions) {
  JobSpec::Table spec{cross.name, {}, cross.stops_above_leaves};
  for (const std::int32_t d : cross.dimensions)
    spec.dimensions.push_back(dimensions[static_cast<std::size_t>(d)].name());
  return spec;
}

std::vector<std::string> names_of(const std::vector<Dimension>& dimensions) {
  std::vector<std::string> names;
  for (const Dimension& dimension : dimensions)
    names.push_back(dimension.name());
  return names;
}

}  // namespace

Result<JobFiles> write_job(const Problem& problem,
                           std::span<const LinkedTable> tables,
                           const std::string& csv_name) {
  LACUNA_RETURN_IF_ERROR(check_names(problem));
  LACUNA_TRY(auto counts, counts_spec(problem));
  if (problem.keys() && problem.keys()->is_magnitude())
    return cannot_hold("the contributions that keys of magnitudes need", "");
  const Table& table = problem.table();
  const auto& dimensions = table.dimensions();
  LinkedTable all;
  for (std::size_t d = 0; d < dimensions.size(); ++d)
    all.dimensions.push_back(static_cast<std::int32_t>(d));
  const std::span<const LinkedTable> used =
      tables.empty() ? std::span<const LinkedTable>(&all, 1) : tables;
  LACUNA_RETURN_IF_ERROR(check_equations(table, used));

  const bool has_frequency = std::any_of(table.cells().begin(),
                                         table.cells().end(),
                                         [](const Cell& cell) { return cell.frequency >= 0; });
  problems::TableColumns columns{free_name("value", dimensions),
                                 has_frequency ? free_name("frequency", dimensions) : "",
                                 free_name("weight", dimensions),
                                 free_name("status", dimensions),
                                 free_name("lower", dimensions),
                                 free_name("upper", dimensions),
                                 free_name("lower_level", dimensions),
                                 free_name("upper_level", dimensions),
                                 free_name("sliding_level", dimensions),
                                 problem.keys() ? free_name("key", dimensions) : "",
                                 {}};
  JobSpec job;
  job.input.table = {{SpecSource::Kind::kFile, csv_name}};
  job.input.separator = std::string(1, kDefaultSeparator);
  job.input.decimals = table.decimals();
  job.input.empty_cells = may_be_empty(problem, used);
  job.columns = columns_spec(columns);
  if (problem.keys())
    job.keys =
        JobSpec::Keys{
        std::nullopt, static_cast<std::int64_t>(problem.keys()->modulus), "", "", std::nullopt};
  for (const Dimension& dimension : dimensions)
    job.dimensions.push_back(dimension_spec(dimension));
  for (const LinkedTable& cross : tables)
    job.tables.push_back(table_spec(cross, dimensions));
  job.counts = std::move(counts);
  if (has_frequency)  // those who attack are all named below
    job.attackers.respondents = false;
  for (std::size_t a = 0; a < problem.attackers().size(); ++a) {
    if (auto attacker = attacker_spec(problem, static_cast<std::int32_t>(a)))
      job.named_attackers.push_back(std::move(*attacker));
  }
  return JobFiles{
      std::move(job),
      problems::write_table_csv(problem, columns, names_of(dimensions), kDefaultSeparator)};
}

}  // namespace lacuna::jobfile
