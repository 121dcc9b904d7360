// SPDX-License-Identifier: Apache-2.0
// A problem as a job file and its table: what job_file.cpp reads back.
#include <algorithm>
#include <unordered_set>

#include "base/decimal.h"
#include "io/hierarchy_file.h"
#include "io/job_dimension.h"
#include "io/job_file.h"
#include "io/position.h"
#include "io/table_csv.h"
#include "io/toml_document.h"
#include "lacuna/count_rules.h"
#include "lacuna/keys.h"
#include "table/least_counts.h"

namespace lacuna::inline io {
namespace {

Error cannot_hold(const std::string& what, std::string where) {
  return {ErrorCode::kUnsupported,
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
Status check_equations(const Table& table, std::span<const CrossTable> tables) {
  TableBuilder builder(table.decimals(), table.dimensions());
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    auto added = builder.add_cell(table.cell(CellId{c}), table.codes(CellId{c}));
    if (!added)
      return added.error();
  }
  if (auto crossed = add_cross_equations(builder, tables); !crossed)
    return cannot_hold("equations other than those of its dimensions", crossed.error().where);
  LACUNA_TRY(const Table rebuilt, std::move(builder).build());
  if (!same_equations(table, rebuilt))
    return cannot_hold("equations other than those of its dimensions", "");
  return ok_status();
}

std::string toml_list(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const std::string& text : texts)
    out += (out.size() > 1 ? ", " : "") + toml_quoted(text);
  return out + "]";
}

std::string dimension_toml(const Dimension& dimension, const std::string& column) {
  std::string out = "\n[[dimension]]\nname = " + toml_quoted(dimension.name()) + "\n";
  if (column != dimension.name())
    out += "column = " + toml_quoted(column) + "\n";
  out += "total = " + toml_quoted(dimension.code(dimension.total())) + "\n";
  const std::vector<CodeTree> trees = trees_of(dimension);
  out += "codes = " + toml_list(dimension.codes()) + "\n";
  for (const CodeTree& tree : trees) {
    if (tree.relations.empty())
      continue;
    out += trees.size() == 1 ? "[dimension.tree]\n" : "[[dimension.tree]]\n";
    for (const NamedRelation& relation : tree.relations)
      out += toml_quoted(relation.parent) + " = " + toml_list(relation.children) + "\n";
  }
  return out;
}

std::string cell_toml(const Table& table, CellId cell) {
  std::vector<std::string> codes;
  const auto indices = table.codes(cell);
  for (std::size_t d = 0; d < indices.size(); ++d)
    codes.push_back(table.dimensions()[d].code(indices[d]));
  return "{ cell = " + toml_list(codes);
}

std::string bound_toml(const Table& table, Units end) {
  const bool unbounded = end == kUnboundedBelow || end == kUnboundedAbove;
  return unbounded ? "\"unbounded\"" : format_units(end, table.decimals());
}

std::string attacker_toml(const Problem& problem, std::int32_t index) {
  const Table& table = problem.table;
  const Attacker& attacker = problem.attackers[static_cast<std::size_t>(index)];
  std::string known;
  for (const Knowledge& fact : attacker.known) {
    known += "  " + cell_toml(table, fact.cell) +
             ", lower = " + bound_toml(table, fact.bounds.lower) +
             ", upper = " + bound_toml(table, fact.bounds.upper) + " },\n";
  }
  std::string levels;
  for (const Requirement& need : problem.requirements) {
    const bool in_csv = index == 0 && table.cell(need.cell).status == CellStatus::kPrimary;
    if (need.attacker != index || in_csv)
      continue;
    levels += "  " + cell_toml(table, need.cell) +
              ", lower = " + format_units(need.lower, table.decimals()) +
              ", upper = " + format_units(need.upper, table.decimals()) +
              ", sliding = " + format_units(need.given_sliding(), table.decimals()) + " },\n";
  }
  if (index == 0 && known.empty() && levels.empty())
    return "";
  return "\n[[attacker]]\nname = " + toml_quoted(attacker.name) + "\nknown = [\n" + known +
         "]\nlevels = [\n" + levels + "]\n";
}

// Column names that no dimension uses.
std::string free_name(std::string name, const std::vector<Dimension>& dimensions) {
  const auto taken = [&](const Dimension& dimension) { return dimension.name() == name; };
  while (std::any_of(dimensions.begin(), dimensions.end(), taken))
    name += "_";
  return name;
}

Status check_names(const Problem& problem) {
  const auto& dimensions = problem.table.dimensions();
  if (dimensions.empty())
    return cannot_hold("a table without dimensions", "");
  std::unordered_set<std::string> names;
  for (const Dimension& dimension : dimensions) {
    if (!names.insert(dimension.name()).second)
      return cannot_hold("two dimensions of one name", "dimension " + dimension.name());
    for (const std::string& code : dimension.codes()) {
      if (code.empty() || find_bad_utf8(code) != std::string::npos)
        return cannot_hold("an empty code or one that is not UTF-8",
                           "dimension " + dimension.name());
    }
    const auto read_back = build_dimension(dimension.name(), trees_of(dimension));
    if (!read_back || !(*read_back == dimension))
      return cannot_hold("the same split of a code twice", "dimension " + dimension.name());
    if (find_bad_utf8(dimension.name()) != std::string::npos)
      return cannot_hold("a name that is not UTF-8", "dimension " + dimension.name());
  }
  names.clear();
  for (std::size_t a = 0; a < problem.attackers.size(); ++a) {
    const std::string& name = problem.attackers[a].name;
    const bool usable = !name.empty() && names.insert(name).second &&
                        find_bad_utf8(name) == std::string::npos &&
                        (a == 0) == (name == outsider().name);
    if (!usable)
      return cannot_hold(
          "this list of attackers: the first must be the outsider, names must differ",
          "attacker " + name);
  }
  return ok_status();
}

// After the columns, of which the key is the last.
std::string keys_toml(const Problem& problem, const std::string& column) {
  if (!problem.keys)
    return "";
  return "key = " + toml_quoted(column) +
         "\n\n[keys]\nmodulus = " + std::to_string(problem.keys->modulus) + "\n";
}

std::string unions_toml(const std::vector<CodeUnion>& unions) {
  std::string out;
  for (const CodeUnion& each : unions)
    out += (out.empty() ? "" : ", ") + toml_quoted(each.dimension) + " = " + toml_list(each.codes);
  return "{ " + out + " }";
}

// [counts] that asks for the very same questions.
Result<std::string> counts_toml(const Problem& problem) {
  if (!problem.counts)
    return std::string();
  const std::optional<CountOptions> options = count_options_of(problem);
  if (!options)
    return cannot_hold("these questions about counts, which no [counts] asks for", "");
  const auto word = [](auto value) {
    return toml_quoted(enum_names(value)[static_cast<std::size_t>(value)]);
  };
  std::string kinds;
  for (const CountKind kind : options->kinds)
    kinds += (kinds.empty() ? "" : ", ") + word(kind);
  std::string out = "\n[counts]\nthreshold = " + std::to_string(options->threshold) +
                    "\nzeros = " + word(options->zeros) +
                    "\nwithheld_means = " + word(options->withheld_means) + "\nkinds = [" + kinds +
                    "]\ncoalition = " + std::to_string(options->coalition) +
                    "\nambiguity = " + std::to_string(options->ambiguity) + "\n";
  if (!options->sensitive.empty())
    out += "sensitive = " + unions_toml(options->sensitive) + "\n";
  std::string groups;
  for (const CodeUnion& group : options->groups)
    groups += (groups.empty() ? "" : ", ") + unions_toml({group});
  if (!groups.empty())
    out += "groups = [" + groups + "]\n";
  return out;
}

// Counts of which a reader of the job would otherwise take it that no listed one is empty.
bool may_be_empty(const Problem& problem, std::span<const CrossTable> tables) {
  if (!problem.counts)
    return false;
  const std::vector<Units> least = least_by_rows(problem.table, tables);
  for (std::size_t c = 0; c < least.size(); ++c) {
    if (problem.table.cell(CellId{static_cast<std::int32_t>(c)}).prior.lower < least[c])
      return true;
  }
  return false;
}

std::vector<std::string> names_of(const std::vector<Dimension>& dimensions) {
  std::vector<std::string> names;
  for (const Dimension& dimension : dimensions)
    names.push_back(dimension.name());
  return names;
}

}  // namespace

Result<JobFiles> write_job(const Problem& problem,
                           std::span<const CrossTable> tables,
                           const std::string& csv_name) {
  LACUNA_RETURN_IF_ERROR(check_names(problem));
  LACUNA_TRY(const std::string counts, counts_toml(problem));
  if (problem.keys && problem.keys->is_magnitude())
    return cannot_hold("the contributions that keys of magnitudes need", "");
  const Table& table = problem.table;
  const auto& dimensions = table.dimensions();
  CrossTable all;
  for (std::size_t d = 0; d < dimensions.size(); ++d)
    all.dimensions.push_back(static_cast<std::int32_t>(d));
  const std::span<const CrossTable> used =
      tables.empty() ? std::span<const CrossTable>(&all, 1) : tables;
  LACUNA_RETURN_IF_ERROR(check_equations(table, used));

  const bool has_frequency = std::any_of(table.cells().begin(),
                                         table.cells().end(),
                                         [](const Cell& cell) { return cell.frequency >= 0; });
  TableColumns columns{free_name("value", dimensions),
                       has_frequency ? free_name("frequency", dimensions) : "",
                       free_name("weight", dimensions),
                       free_name("status", dimensions),
                       free_name("lower", dimensions),
                       free_name("upper", dimensions),
                       free_name("lower_level", dimensions),
                       free_name("upper_level", dimensions),
                       free_name("sliding_level", dimensions),
                       problem.keys ? free_name("key", dimensions) : "",
                       {}};
  const std::vector<std::string> dimension_columns = names_of(dimensions);
  std::string toml = "[input]\ntable = " + toml_quoted(csv_name) +
                     "\nseparator = \";\"\ndecimals = " + std::to_string(table.decimals()) +
                     (may_be_empty(problem, used) ? "\nempty_cells = true" : "") +
                     "\n\n[columns]\nvalue = " + toml_quoted(columns.value) + "\n";
  if (has_frequency)
    toml += "frequency = " + toml_quoted(columns.frequency) + "\n";
  toml += "weight = " + toml_quoted(columns.weight) + "\nstatus = " + toml_quoted(columns.status) +
          "\nlower = " + toml_quoted(columns.lower) + "\nupper = " + toml_quoted(columns.upper) +
          "\nlower_level = " + toml_quoted(columns.lower_level) +
          "\nupper_level = " + toml_quoted(columns.upper_level) +
          "\nsliding_level = " + toml_quoted(columns.sliding_level) + "\n";
  toml += keys_toml(problem, columns.key);
  for (std::size_t d = 0; d < dimensions.size(); ++d)
    toml += dimension_toml(dimensions[d], dimension_columns[d]);
  for (const CrossTable& cross : tables) {
    std::vector<std::string> names;
    for (const std::int32_t d : cross.dimensions)
      names.push_back(dimensions[static_cast<std::size_t>(d)].name());
    toml += "\n[[table]]\nname = " + toml_quoted(cross.name) +
            "\ndimensions = " + toml_list(names) + "\n" + (cross.open ? "open = true\n" : "");
  }
  toml += counts;
  if (has_frequency)  // those who attack are all named below
    toml += "\n[attackers]\nrespondents = false\n";
  for (std::size_t a = 0; a < problem.attackers.size(); ++a)
    toml += attacker_toml(problem, static_cast<std::int32_t>(a));
  return JobFiles{std::move(toml),
                  write_table_csv(problem, columns, dimension_columns, kDefaultSeparator)};
}

}  // namespace lacuna::inline io
