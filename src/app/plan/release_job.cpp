// SPDX-License-Identifier: Apache-2.0
#include "app/plan/release_job.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "app/job/protect_outputs.h"
#include "app/load/verdict_basis.h"
#include "app/plan/units.h"
#include "app/plan/workers.h"
#include "core/base/confidential.h"
#include "core/base/json_writer.h"
#include "core/base/shell_word.h"
#include "core/base/spelling.h"
#include "data/files/file.h"
#include "data/publish/release_file.h"

namespace lacuna::plan {
namespace {

namespace fs = std::filesystem;

struct Row {  // of the summary, one per table
  std::string table, group, unit, method, status, verdict, error;
  std::int64_t cells = 0, sensitive = 0, withheld = 0, parts = 0;
  double objective = 0, bound = 0, seconds = 0;
  bool released = false, exposed = false, unasked = false, waived = false;
};

struct GroupUnits {
  std::size_t number = 0;  // in the grouping
  GroupProblem problem;
  std::vector<std::size_t> units;
};

std::string csv_field(const std::string& text) {
  if (text.find_first_of(";\"\n") == std::string::npos)
    return text;
  std::string out = "\"";
  for (const char c : text)
    out += c == '"' ? std::string("\"\"") : std::string(1, c == '\n' ? ' ' : c);
  return out + "\"";
}

// What the options of a table say of a release of which nothing is asked.
job::UnaskedRule unasked_rule(const PlannedTable& table) {
  const bool publish =
      std::any_of(table.options.begin(), table.options.end(), [](const jobfile::JobOption& option) {
        return option.name == "unasked" && option.value == "publish";
      });
  return publish ? job::UnaskedRule::kPublish : job::UnaskedRule::kRefuse;
}

class ReleaseDay {
 public:
  ReleaseDay(const ReleaseJob& job, const RunContext& run) : job_(job), run_(run) {}

  Result<job::JobOutput> work() {
    if (job_.list + job_.prepare + job_.collect + (job_.unit > 0) > 1)
      return Error{ErrorCode::kOptionConflict,
                   "use only one of " + base::named_option("list") + ", " +
                       base::named_option("prepare") + ", " + base::named_option("unit") + " and " +
                       base::named_option("collect"),
                   "lacuna release"};
    LACUNA_TRY(plan_, read_plan(job_.input));
    read_tables();
    grouping_ = group_tables(plan_, problems());
    find_groups();
    if (job_.list)
      return job::JobOutput{job::ExitCode::kDone, job_.json ? list_json() : list_text()};
    if (job_.unit > 0)
      return one_unit();
    look_at_units();
    if (job_.prepare)
      return job::JobOutput{job::ExitCode::kDone, job_.json ? units_json() : units_text()};
    if (!job_.collect)
      do_units();
    for (GroupUnits& group : groups_)
      collect(group);
    return finish();
  }

 private:
  std::vector<const load::PreparedProblem*> problems() const {
    std::vector<const load::PreparedProblem*> all;
    for (const ReadTable& table : tables_)
      all.push_back(table.ready.get());
    return all;
  }

  void read_tables() {
    for (std::size_t t = 0; t < plan_.tables.size(); ++t) {
      tables_.push_back(read_table(plan_, t, run_));
      Row& row = rows_.emplace_back();
      row.table = plan_.tables[t].name;
      row.error = tables_[t].error;
      if (!tables_[t].ready)
        continue;
      const Table& table = tables_[t].ready->problem.table();
      row.cells = table.num_cells();
      row.sensitive = std::count_if(table.cells().begin(), table.cells().end(), [](const Cell& c) {
        return c.status == CellStatus::kPrimary;
      });
    }
  }

  void find_groups() {
    for (std::size_t g = 0; g < grouping_.groups.size(); ++g) {
      Result<GroupProblem> found = group_problem(plan_, tables_, grouping_.groups[g]);
      for (const std::size_t table : grouping_.groups[g]) {
        rows_[table].group = std::to_string(g + 1);
        rows_[table].error = found ? "" : found.error().text();
        rows_[table].parts = found ? found->parts : 0;
      }
      if (!found)
        continue;
      groups_.push_back({g, std::move(found).value(), {}});
      if (!job_.list)
        make_units(groups_.size() - 1);
      groups_.back().problem.let_go();
    }
    std::stable_sort(units_.begin(), units_.end(), [](const Unit& a, const Unit& b) {
      return a.cells > b.cells;
    });
    for (std::size_t unit = 0; unit < units_.size(); ++unit)
      groups_[units_[unit].group].units.push_back(unit);
  }

  void make_units(std::size_t group) {
    Result<std::vector<Unit>> made = plan::make_units(plan_, groups_[group].problem);
    std::vector<Unit> units;
    if (made)
      units = std::move(made).value();
    std::string keys;
    for (Unit& unit : units) {
      keys += (keys.empty() ? "" : " ") + unit.key;
      unit.group = group;
      units_.push_back(std::move(unit));
    }
    for (const std::size_t table : groups_[group].problem.tables) {
      rows_[table].error = made ? "" : made.error().text();
      rows_[table].unit = keys;
    }
  }

  Workers workers() const {
    // Each unit has one thread unless the caller wants otherwise: many small units at once are
    // faster than one after the other by many threads.
    Workers workers{job_.worker.empty() ? job_.program : job_.worker, job_.jobs, 1};
    if (workers.at_once == 0)
      workers.at_once = std::max(1, run_.threads);
    return workers;
  }

  Result<job::JobOutput> one_unit() {
    const auto which = static_cast<std::size_t>(job_.unit - 1);
    if (which >= units_.size())
      return Error{ErrorCode::kOptionValue,
                   "the plan has " + std::to_string(units_.size()) + " units",
                   "--unit"};
    std::string message;
    if (!proven_unit(units_[which], run_)) {
      Workers all = workers();
      all.threads = std::max(1, run_.threads);
      work_on(
          units_, {which}, all, run_, [&](std::size_t, const std::string& why) { message = why; });
    }
    const auto proven = proven_unit(units_[which], run_);
    if (!proven)
      return job::JobOutput{
          job::ExitCode::kNotProtected, "", message.empty() ? proven.error().text() : message};
    return job::JobOutput{job::ExitCode::kDone, units_[which].key + "\n"};
  }

  // What is proven already is not done again. What is there and not proven is put aside.
  void look_at_units() {
    messages_.resize(units_.size());
    before_.resize(units_.size());
    for (std::size_t unit = 0; unit < units_.size(); ++unit) {
      auto proven = proven_unit(units_[unit], run_);
      if (proven) {
        before_[unit] = std::move(proven).value();
        ++kept_;
        continue;
      }
      messages_[unit] =
          is_returned(units_[unit]) ? proven.error().text() : last_words(units_[unit]);
      set_aside(units_[unit]);
      todo_.push_back(unit);
    }
  }

  void do_units() {
    messages_.assign(units_.size(), "");
    std::size_t done = 0;
    work_on(units_, todo_, workers(), run_, [&](std::size_t unit, const std::string& message) {
      messages_[unit] = message;
      ++done;
      if (run_.on_progress)
        run_.on_progress(
            {.phase = "units",
             .fraction = static_cast<double>(done) / static_cast<double>(todo_.size())});
    });
  }

  // What the units of a group have returned, proven and joined. Errors: the first that is not.
  Result<JoinedGroup> joined(const GroupUnits& group) {
    std::vector<const Unit*> units;
    std::vector<ProvenUnit> all;
    for (const std::size_t which : group.units) {
      const Unit& unit = units_[which];
      Result<ProvenUnit> proven =
          before_[which] ? Result<ProvenUnit>(*std::move(before_[which])) : proven_unit(unit, run_);
      before_[which].reset();
      if (!proven && !messages_[which].empty())
        return Error{ErrorCode::kNotProtected, messages_[which], ""};
      LACUNA_TRY(ProvenUnit own, std::move(proven));
      units.push_back(&unit);
      all.push_back(std::move(own));
    }
    return join_units(units, std::move(all));
  }

  // Parts are judged as a whole before any table of theirs is written.
  Status check_joined(const GroupUnits& group, const JoinedGroup& release) {
    if (!group.problem.in_parts)
      return ok_status();
    LACUNA_TRY(const GroupProblem whole, group_problem(plan_, tables_, group.problem.tables));
    return check_group(release, whole, run_);
  }

  void collect(const GroupUnits& group) {
    if (group.units.empty())
      return;  // they could not be made, and the rows say why
    const Result<JoinedGroup> release = joined(group);
    const Status checked = release ? check_joined(group, *release) : Status(release.error());
    for (std::size_t i = 0; i < group.problem.tables.size(); ++i) {
      Row& row = rows_[group.problem.tables[i]];
      if (!checked) {
        row.error = checked.error().text();
        row.exposed = true;
        continue;
      }
      take(row, release->summary);
      if (const Status done = write_table(group.problem, *release, i, row); !done)
        row.error = done.error().text();
      row.released = row.error.empty();
    }
  }

  static void take(Row& row, const publish::RunSummary& summary) {
    row.method = summary.method;
    row.status = summary.status;
    row.objective = summary.objective;
    row.bound = summary.bound;
    row.seconds = summary.seconds;
  }

  // Why nothing of a table without requirements need be asked: a table of its group of which
  // something is asked, as all of them were protected and judged together. Empty if there is none.
  std::string asked_beside(const GroupProblem& group, const Problem& own) const {
    if (!own.requirements().empty())
      return "";
    for (const std::size_t table : group.tables) {
      const Problem& problem = tables_[table].ready->problem;
      const auto& needs = problem.requirements();
      if ((problem.counts() && !problem.counts()->questions.empty()) ||
          !std::all_of(needs.begin(), needs.end(), [](const Requirement& need) {
            return need.asks_nothing();
          }))
        return plan_.tables[table].name;
    }
    return "";
  }

  Status write_table(const GroupProblem& group,
                     const JoinedGroup& joined,
                     std::size_t place,
                     Row& row) {
    const std::size_t table = group.tables[place];
    const PlannedTable& planned = plan_.tables[table];
    const load::PreparedProblem& loaded = *tables_[table].ready;
    LACUNA_TRY(const AuditedRelease release,
               table_release(joined, loaded, group.places[place], run_));
    row.verdict = to_string(release.report().verdict);
    row.withheld = release.content().num_entries();
    const Verdict verdict = release.report().verdict;
    const std::string beside = asked_beside(group, loaded.problem);
    load::VerdictBasis basis =
        load::judged_as(loaded.basis, loaded.problem, release.content().adjusted());
    if (basis.rules.empty())
      basis.rules = beside;
    row.unasked = verdict == Verdict::kUnasked && basis.rules.empty();
    row.waived = verdict == Verdict::kWaived;
    publish::RunSummary summary = joined.summary;
    summary.verdict = row.verdict;
    summary.read_as = basis.read_as;
    if (verdict == Verdict::kUnasked)
      summary.note = beside.empty()
                         ? load::unasked_text(release.report(), basis.rules, basis.lifted)
                         : "no cell of this table is sensitive; it was judged together "
                           "with " +
                               beside + ", which shares cells";
    else if (basis.lifted > 0)
      summary.note += (summary.note.empty() ? "" : "; ") + load::lifted_text(basis.lifted);
    summary.cells = row.cells;
    summary.primary = row.sensitive;
    summary.suppressed = release.content().count(StatementKind::kWithheld);
    summary.secondary = std::max<std::int64_t>(0, summary.suppressed - summary.primary);
    summary.input = planned.input;
    std::error_code error;
    fs::create_directories(plan_.output + "/office", error);
    for (std::size_t f = 0; f < std::max<std::size_t>(1, planned.formats.size()); ++f) {
      job::ProtectJob job;
      job.input = planned.input;
      job.unasked = unasked_rule(planned);
      const bool shown = job::may_be_published(job.unasked, verdict, basis);
      if (!shown)
        row.error = job::unpublished_text(plan_.output + "/" + planned.name);
      if (shown && f < planned.formats.size())
        job.public_files = {plan_.output + "/" + planned.name + "." + planned.formats[f]};
      if (f == 0) {
        job.outputs = {plan_.output + "/office/" + planned.name + ".json"};
        job.certificate = plan_.output + "/office/" + planned.name + ".certificate.json";
      }
      LACUNA_RETURN_IF_ERROR(job::check_output_names(job));
      LACUNA_TRY(const job::ProtectOutputs outputs,
                 job::plan_outputs(job, release.problem().table(), loaded.tables));
      LACUNA_RETURN_IF_ERROR(job::write_outputs(
          job, outputs, loaded.problem, release, summary, loaded.reasons, basis));
    }
    return ok_status();
  }

  // ---- what is told

  std::string summary_csv() const {
    std::string out =
        "table;group;parts;unit;cells;sensitive;not_shown_as_it_is;method;status;cost;bound;"
        "verdict;"
        "seconds;released;error\n";
    for (const Row& row : rows_)
      out += fmt::format("{};{};{};{};{};{};{};{};{};{};{};{};{:.3f};{};{}\n",
                         csv_field(row.table),
                         row.group,
                         row.parts,
                         row.unit,
                         row.cells,
                         row.sensitive,
                         row.withheld,
                         row.method,
                         row.status,
                         row.objective,
                         row.bound,
                         row.verdict,
                         row.seconds,
                         row.released ? "yes" : "no",
                         csv_field(base::without_confidential(row.error)));
    return out;
  }

  Result<job::JobOutput> finish() {
    std::error_code error;
    fs::create_directories(plan_.output, error);
    LACUNA_RETURN_IF_ERROR(files::write_file_atomically(summary_file(), summary_csv()));
    LACUNA_RETURN_IF_ERROR(files::write_file_atomically(plan_.output + "/groups.txt", list_text()));
    const auto released =
        std::count_if(rows_.begin(), rows_.end(), [](const Row& row) { return row.released; });
    const auto any = [&](bool Row::*what) {
      return std::any_of(rows_.begin(), rows_.end(), [&](const Row& row) { return row.*what; });
    };
    const bool all = std::all_of(
        rows_.begin(), rows_.end(), [](const Row& row) { return row.released || row.unasked; });
    const job::ExitCode code = all && any(&Row::unasked)  ? job::ExitCode::kUnasked
                               : all && any(&Row::waived) ? job::ExitCode::kWaived
                               : all                      ? job::ExitCode::kDone
                               : any(&Row::exposed)       ? job::ExitCode::kNotProtected
                                                          : job::ExitCode::kBadInput;
    std::string message;
    for (const Row& row : rows_) {
      if (!row.error.empty())
        message += (message.empty() ? "" : "\n") + row.table + ": " + row.error;
    }
    return job::JobOutput{
        code, job_.json ? summary_json(released) : summary_text(released), message};
  }

  std::string summary_file() const { return plan_.output + "/summary.csv"; }

  std::string summary_text(std::ptrdiff_t released) const {
    return fmt::format(
        "{} tables, {} released; {} groups, {} units, {} of them finished before; see {}\n",
        rows_.size(),
        released,
        grouping_.groups.size(),
        units_.size(),
        kept_,
        summary_file());
  }

  std::string summary_json(std::ptrdiff_t released) const {
    const auto write = [&](base::JsonWriter& json) {
      json.member("tables", rows_.size()).member("released", released);
      json.member("groups", grouping_.groups.size()).member("units", units_.size());
      json.member("finished_before", kept_).member("summary", summary_file());
    };
    return base::json_object(write) + "\n";
  }

  // A command per unit that is not finished, for a shell.
  std::string units_text() const {
    std::string out;
    for (const std::size_t unit : todo_) {
      out += base::shell_word(job_.program.empty() ? "lacuna" : job_.program);
      for (const std::string& word : units_[unit].arguments(1))
        out += " " + base::shell_word(word);
      out += "\n";
    }
    return out;
  }

  void write_names(base::JsonWriter& json, const std::vector<std::size_t>& tables) const {
    json.list(tables, [&](std::size_t table) { json.value(plan_.tables[table].name); });
  }

  void write_unit(base::JsonWriter& json, std::size_t which) const {
    const Unit& unit = units_[which];
    json.object([&] {
      json.member("key", unit.key);
      write_names(json.key("tables"), unit.tables);
      json.member("cells", unit.cells).member("finished", before_[which].has_value());
      json.member("problem", unit.problem_file()).member("result", unit.result_file());
      json.member("certificate", unit.certificate_file()).member("log", unit.log_file());
      json.key("options").object([&] {
        for (const auto& [name, text] : unit.named_options())
          json.member(name, text);
      });
      json.key("arguments").values(unit.arguments(1));
    });
  }

  std::string units_json() const {
    const auto write = [&](base::JsonWriter& json) {
      json.key("units").list([&] {
        for (std::size_t unit = 0; unit < units_.size(); ++unit)
          write_unit(json, unit);
      });
    };
    return base::json_object(write) + "\n";
  }

  std::string untied_text(const Tie& tie) const {
    if (tie.untied_by.empty())
      return "";
    std::string cells;
    for (const std::string& cell : tie.untied_by)
      cells += (cells.empty() ? "" : ", ") + cell;
    return "; they would fall apart if published ([[publish]]): " + cells;
  }

  const GroupProblem* problem_of(std::size_t group) const {
    const auto found = std::find_if(groups_.begin(), groups_.end(), [&](const GroupUnits& each) {
      return each.number == group;
    });
    return found == groups_.end() ? nullptr : &found->problem;
  }

  std::string parts_text(std::size_t group) const {
    const GroupProblem* problem = problem_of(group);
    if (problem == nullptr || !problem->in_parts)
      return "";
    return fmt::format(
        "  {} cells fall into {} independent part{} with sensitive cells, the "
        "largest of {} cells: {} unit{}, the largest of {} cells\n",
        problem->cells,
        problem->parts,
        problem->parts == 1 ? "" : "s",
        problem->largest_part,
        problem->num_units,
        problem->num_units == 1 ? "" : "s",
        problem->largest_unit);
  }

  // By group; of one that cannot be a problem, nothing.
  void write_parts(base::JsonWriter& json) const {
    std::int64_t units = 0;
    for (const GroupUnits& group : groups_)
      units += group.problem.num_units;
    json.member("units", units).key("parts").list([&] {
      for (std::size_t g = 0; g < grouping_.groups.size(); ++g) {
        const GroupProblem* problem = problem_of(g);
        if (problem == nullptr) {
          json.null();
          continue;
        }
        json.object([&] {
          json.member("cells", problem->cells).member("parts", problem->parts);
          json.member("largest_part", problem->largest_part).member("units", problem->num_units);
          json.member("largest_unit", problem->largest_unit);
        });
      }
    });
  }

  std::string list_text() const {
    std::string out;
    for (std::size_t g = 0; g < grouping_.groups.size(); ++g) {
      out += fmt::format("group {}:", g + 1);
      for (const std::size_t table : grouping_.groups[g])
        out += " " + plan_.tables[table].name;
      out += "\n" + parts_text(g);
      for (const Tie& tie : grouping_.ties) {
        if (std::find(grouping_.groups[g].begin(), grouping_.groups[g].end(), tie.first) !=
            grouping_.groups[g].end())
          out += fmt::format("  {} and {} share {} cells that may be withheld, such as {}{}\n",
                             plan_.tables[tie.first].name,
                             plan_.tables[tie.second].name,
                             tie.cells,
                             tie.example,
                             untied_text(tie));
      }
    }
    for (const Row& row : rows_) {
      if (!row.error.empty())
        out += row.table + ": " + row.error + "\n";
    }
    return out;
  }

  std::string list_json() const {
    const auto write = [&](base::JsonWriter& json) {
      json.key("groups").list(grouping_.groups, [&](const std::vector<std::size_t>& group) {
        write_names(json, group);
      });
      write_parts(json);
      json.key("ties").list(grouping_.ties, [&](const Tie& tie) {
        json.object([&] {
          write_names(json.key("tables"), {tie.first, tie.second});
          json.member("cells", tie.cells).member("example", tie.example);
          json.key("untied_by").values(tie.untied_by);
        });
      });
    };
    return base::json_object(write) + "\n";
  }

  const ReleaseJob& job_;
  const RunContext& run_;
  ReleasePlan plan_;
  std::vector<ReadTable> tables_;
  std::vector<Row> rows_;
  Grouping grouping_;
  std::vector<GroupUnits> groups_;  // those that can be problems
  std::vector<Unit> units_;
  std::vector<std::size_t> todo_;                  // units that are not finished, the largest first
  std::vector<std::string> messages_;              // by unit: why it is not finished
  std::vector<std::optional<ProvenUnit>> before_;  // finished, and proven once
  std::int64_t kept_ = 0;
};

}  // namespace

Result<job::JobOutput> run_job(const ReleaseJob& job, const RunContext& run) {
  return ReleaseDay(job, run).work();
}

}  // namespace lacuna::plan
