// SPDX-License-Identifier: Apache-2.0
#include "bench/sets/field_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <memory>
#include <set>

#include "app/load/load.h"
#include "app/load/prepare.h"
#include "data/files/csv.h"
#include "data/files/file.h"
#include "data/files/temporary_folder.h"
#include "lacuna/audit.h"
#include "lacuna/files.h"

namespace lacuna::bench {
namespace {

// In the order in which they are preferred.
constexpr std::array<const char*, 3> kKinds{".toml", ".tab", ".jj"};
constexpr std::array<const char*, 3> kPacked{"", ".xz", ".gz"};

struct Found {
  std::size_t kind = kKinds.size();
  std::string path;
};

// The name without its ending, and which of the endings it is; as many as there are if none.
Found found_of(const std::filesystem::path& path, std::string& name) {
  const std::string file = path.filename().string();
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
    for (const char* packed : kPacked) {
      const std::string ending = std::string(kKinds[kind]) + packed;
      if (file.size() > ending.size() && file.ends_with(ending)) {
        name = file.substr(0, file.size() - ending.size());
        return {kind, std::filesystem::absolute(path).string()};
      }
    }
  }
  return {};
}

// A tree file begins with its total.
Result<std::string> total_of(const std::string& tree) {
  LACUNA_TRY(const std::string text, files::read_file(tree));
  const std::size_t first = std::min(text.find_first_not_of('@'), text.size());
  return text.substr(first, text.find_first_of("\r\n", first) - first);
}

// The dimensions of NAME.tab are its columns before `value`; each may have its hierarchy.
Result<std::string> job_of_tab(const std::string& path, const std::string& name) {
  LACUNA_TRY(std::string text, files::read_file(path));
  LACUNA_TRY(const files::CsvFile file, files::CsvFile::parse(std::move(text), path, ';'));
  std::string job = fmt::format(
      "[input]\ntable = '{}'\nseparator = \";\"\n[columns]\nvalue = \"value\"\n"
      "frequency = \"freq\"\nstatus = \"status\"\nlower_level = \"lpl\"\nupper_level = \"upl\"\n"
      "[defaults]\nlower = 0\nweight = \"value\"\n[attackers]\nrespondents = true\n",
      path);
  const std::size_t value = file.find_column("value");
  if (value == file.num_columns())
    return Error{ErrorCode::kMissingColumn, "there is no column 'value'", file.where_header()};
  for (std::size_t d = 0; d < value; ++d) {
    const std::string dimension(file.header(d));
    const std::filesystem::path tree = std::filesystem::path(path).parent_path() / "hrc" /
                                       fmt::format("{}_{}.hrc", name, dimension);
    job += fmt::format("[[dimension]]\nname = '{}'\n", dimension);
    if (!std::filesystem::exists(tree))
      continue;
    LACUNA_TRY(const std::string total, total_of(tree.string()));
    job += fmt::format("hierarchy = '{}'\ntotal = '{}'\n", tree.string(), total);
  }
  return job;
}

Result<Problem> load_tab(const std::string& path, const std::string& name) {
  LACUNA_TRY(const std::string text, job_of_tab(path, name));
  const files::TemporaryFolder folder("field_table");
  const std::string job = folder.file(name + ".toml");
  LACUNA_RETURN_IF_ERROR(files::write_file_atomically(job, text));
  LACUNA_TRY(load::PreparedProblem loaded, load::load_prepared(job, {}));
  return std::move(loaded.problem);
}

Result<Problem> load_any(const Found& found, const std::string& name) {
  if (kKinds[found.kind] == std::string_view(".tab"))
    return load_tab(found.path, name);
  return load_problem(found.path, {});
}

bool is_outsiders(const Requirement& need) {
  return need.attacker == 0;
}

// Cells of the findings that have this verdict, each once, however many attackers there are.
double cells_with(const AuditReport& report, Verdict verdict) {
  std::set<std::int32_t> cells;
  for (const Finding& finding : report.of(Domain::kRational)) {
    if (finding.verdict == verdict)
      cells.insert(finding.question.cell.value);
  }
  return static_cast<double>(cells.size());
}

double cells_asked(const Problem& problem) {
  std::set<std::int32_t> cells;
  for (const Requirement& need : problem.requirements())
    cells.insert(need.cell.value);
  return static_cast<double>(cells.size());
}

struct Counted {
  double exposed = 0, undecided = 0;
};

Result<Counted> count(Problem problem, const Draft& draft, double seconds, RunContext run) {
  run.deadline = std::chrono::steady_clock::now() +
                 std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                     std::chrono::duration<double>(seconds));
  AuditOptions verdicts;
  verdicts.intervals = false;
  LACUNA_TRY(
      const AuditReport report,
      Auditor(std::make_shared<const Problem>(std::move(problem))).audit(draft, verdicts, run));
  return Counted{cells_with(report, Verdict::kExposed), cells_with(report, Verdict::kUndecided)};
}

// Without the outsider's, which are counted apart.
Result<Problem> of_respondents_alone(const Problem& problem) {
  ProblemParts parts = problem.parts();
  std::erase_if(parts.requirements, is_outsiders);
  parts.counts.reset();
  return assemble_problem(std::move(parts));
}

void add_losses(const Problem& problem, const Draft& draft, FieldCounts& counts) {
  double cost = 0, secondary = 0;
  for (const CellEntry& entry : draft.each()) {
    const Cell& cell = problem.table().cell(entry.cell);
    cost += cell.weight;
    secondary += cell.status == CellStatus::kPrimary ? 0 : 1;
  }
  counts["cost"] = cost;
  counts["secondary"] = secondary;
}

}  // namespace

std::vector<FieldTable> field_tables(const std::string& folder) {
  std::map<std::string, Found> by_name;
  std::error_code none;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, none)) {
    std::string name;
    const Found found = found_of(entry.path(), name);
    if (found.kind < kKinds.size() && (!by_name.contains(name) || found.kind < by_name[name].kind))
      by_name[name] = found;
  }
  std::vector<FieldTable> tables;
  for (const auto& [name, found] : by_name)
    tables.push_back({name, [name = name, found = found] { return load_any(found, name); }});
  return tables;
}

const char* to_string(FieldQuestion question) {
  switch (question) {
    case FieldQuestion::kLevels:
      return "levels";
    case FieldQuestion::kNotExact:
      return "not exact";
    case FieldQuestion::kRespondents:
      return "respondents";
  }
  return "";
}

Result<Problem> ask(const Problem& problem, FieldQuestion question) {
  ProblemParts parts = problem.parts();
  parts.counts.reset();
  if (question == FieldQuestion::kRespondents)
    return assemble_problem(std::move(parts));
  std::erase_if(parts.requirements, [](const Requirement& need) { return !is_outsiders(need); });
  parts.attackers.resize(1);
  if (question == FieldQuestion::kLevels)
    return assemble_problem(std::move(parts));
  for (Requirement& need : parts.requirements)
    need = {.cell = need.cell};
  return make_problem(
      std::move(parts.table), std::move(parts.attackers), std::move(parts.requirements));
}

bool has_respondents(const Problem& problem) {
  return !std::all_of(problem.requirements().begin(), problem.requirements().end(), is_outsiders);
}

Result<FieldCounts> judge_field(const Problem& problem,
                                const Draft& draft,
                                double seconds,
                                const RunContext& run) {
  FieldCounts counts;
  LACUNA_TRY(Problem levels, ask(problem, FieldQuestion::kLevels));
  counts["asked"] = cells_asked(levels);
  LACUNA_TRY(const Counted by_levels, count(std::move(levels), draft, seconds, run));
  counts["exposed"] = by_levels.exposed;
  counts["undecided"] = by_levels.undecided;
  LACUNA_TRY(Problem exact, ask(problem, FieldQuestion::kNotExact));
  LACUNA_TRY(const Counted by_exact, count(std::move(exact), draft, seconds, run));
  counts["exact"] = by_exact.exposed;
  counts["exact_undecided"] = by_exact.undecided;
  if (has_respondents(problem)) {
    LACUNA_TRY(Problem others, of_respondents_alone(problem));
    counts["respondents_asked"] = cells_asked(others);
    LACUNA_TRY(const Counted by_others, count(std::move(others), draft, seconds, run));
    counts["respondents_exposed"] = by_others.exposed;
    counts["respondents_undecided"] = by_others.undecided;
  }
  add_losses(problem, draft, counts);
  return counts;
}

}  // namespace lacuna::bench
