// SPDX-License-Identifier: Apache-2.0
#include "app/job/explain_job.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "app/explain/explanation_text.h"
#include "app/load/load.h"
#include "app/load/prepare.h"
#include "app/load/provenance.h"
#include "core/base/confidential.h"
#include "core/base/json_writer.h"
#include "core/base/nearest.h"
#include "core/base/text.h"
#include "data/jobfile/record_job.h"
#include "data/problems/cell_index.h"
#include "lacuna/protect.h"

namespace lacuna::job {
namespace {

// ---- which cell

struct NamedCode {
  std::size_t dimension = 0;
  std::size_t name_at = 0, code_at = 0;  // in the text
};

Error no_such_cell(const std::string& text, const std::string& message) {
  return {ErrorCode::kOptionValue, message, "--cell " + text};
}

bool begins_a_name(const std::string& text, std::size_t at) {
  while (at > 0 && text[at - 1] == ' ')
    --at;
  return at == 0 || text[at - 1] == ',' || text[at - 1] == '|';
}

// Where the names of dimensions stand in the text, from left to right.
std::vector<NamedCode> named_codes(const Table& table, const std::string& text) {
  std::vector<NamedCode> found;
  for (std::size_t d = 0; d < table.dimensions().size(); ++d) {
    const std::string name = table.dimensions()[d].name() + "=";
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
      if (begins_a_name(text, at))
        found.push_back({d, at, at + name.size()});
    }
  }
  std::sort(found.begin(), found.end(), [](const NamedCode& a, const NamedCode& b) {
    return a.name_at < b.name_at;
  });
  return found;
}

Error unknown_dimension(const Table& table, const std::string& text) {
  std::vector<std::string_view> names;
  std::string list;
  for (const Dimension& dimension : table.dimensions()) {
    names.push_back(dimension.name());
    list += (list.empty() ? "" : ", ") + dimension.name();
  }
  const std::string given = text.substr(0, text.find('='));
  return no_such_cell(text,
                      "a cell is dimension=code,dimension=code, or an index; the dimensions are " +
                          list + base::did_you_mean(given, names));
}

Error unknown_code(const Dimension& dimension, const std::string& code, const std::string& text) {
  const std::vector<std::string_view> codes(dimension.codes().begin(), dimension.codes().end());
  return no_such_cell(text,
                      "the dimension " + dimension.name() + " has no code " +
                          base::strange_field_in_quotes(code) + base::did_you_mean(code, codes));
}

// The text between two names, without the separator.
std::string code_between(const std::string& text, std::size_t from, std::size_t to) {
  const std::string all = text.substr(from, to - from);
  std::string_view code = base::trimmed(all);
  if (to < text.size())
    code = base::trimmed(code.substr(0, code.size() - 1));
  return std::string(code);
}

Result<CellId> cell_of_codes(const Table& table, const std::string& text) {
  const std::vector<NamedCode> named = named_codes(table, text);
  if (named.empty() || named.front().name_at != text.find_first_not_of(' '))
    return unknown_dimension(table, text);
  std::vector<std::int32_t> codes;
  for (const Dimension& dimension : table.dimensions())
    codes.push_back(dimension.total());
  std::vector<bool> given(codes.size(), false);
  for (std::size_t i = 0; i < named.size(); ++i) {
    const Dimension& dimension = table.dimensions()[named[i].dimension];
    if (given[named[i].dimension])
      return no_such_cell(text, "the dimension " + dimension.name() + " is named twice");
    given[named[i].dimension] = true;
    const std::size_t end = i + 1 < named.size() ? named[i + 1].name_at : text.size();
    const std::string code = code_between(text, named[i].code_at, end);
    codes[named[i].dimension] = dimension.find(code);
    if (dimension.find(code) < 0)
      return unknown_code(dimension, code, text);
  }
  const auto cell = problems::CellIndex(table).find(codes);
  if (!cell)
    return no_such_cell(text,
                        "the table has no cell with these codes (dimensions that are not "
                        "named are at their totals)");
  return *cell;
}

// ---- the release

// The word after an option in a text of options; empty: it is not there.
std::string option_in(const std::string& options, const std::string& name) {
  const std::string wanted = "--" + name + " ";
  const std::size_t at = options.find(wanted);
  if (at == std::string::npos || (at > 0 && options[at - 1] != ' '))
    return "";
  const std::size_t begin = at + wanted.size();
  return options.substr(begin, options.find(" --", begin) - begin);
}

// As the call says, as the run was called, or as the job of the table says.
Result<std::string> weights_of(const ExplainJob& job,
                               const std::map<std::string, std::string>& run,
                               const std::string& table) {
  if (!job.weights.empty())
    return job.weights;
  if (const auto options = run.find("options"); options != run.end()) {
    std::string text = option_in(options->second, "weights");
    if (!text.empty())
      return text;
  }
  if (jobfile::is_job_name(table) && !job.inputs.is_held(table)) {
    LACUNA_TRY(const jobfile::JobSettings settings, jobfile::read_job_settings(table));
    for (const jobfile::JobOption& option : settings.options) {
      if (option.name == "weights")
        return option.value;
    }
  }
  return std::string("cost");
}

Result<ExplainOutcome> load(const ExplainJob& job, const RunContext& run) {
  std::map<std::string, std::string> of_run;
  if (job.input.empty() || load::is_result_file(job.result, job.inputs)) {
    LACUNA_TRY(of_run, load::read_run(job.result, job.inputs));
  }
  LACUNA_TRY(const std::string path, load::table_of_result(job.result, job.input, job.inputs));
  load::Assessment what = job.asked;
  what.derived = job.result;  // readers have the numbers beside the cells, too
  LACUNA_TRY(load::PreparedProblem tables, load::load_prepared(path, run, job.inputs, what));
  const load::Inputs& inputs = tables.together ? tables.inputs : job.inputs;
  LACUNA_TRY(const std::string weights, weights_of(job, of_run, path));
  LACUNA_TRY(Problem problem, weigh(std::move(tables.problem), weights));
  ExplainOutcome loaded;
  LACUNA_TRY(loaded.draft, load::load_release(job.result, problem, {}, {}, inputs));
  loaded.basis = load::judged_as(std::move(tables.basis), problem, loaded.draft.adjusted());
  loaded.basis.withheld = load::ask_of_withheld(problem, loaded.draft);
  loaded.basis.waived_by = load::waived_by(job.asked);
  loaded.reasons = std::move(tables.reasons);
  loaded.problem = std::make_shared<const Problem>(std::move(problem));
  return loaded;
}

bool stands_against(Verdict verdict) {
  return verdict == Verdict::kExposed || verdict == Verdict::kUndecided;
}

ExitCode code_for(const ExplainOutcome& outcome) {
  for (const explain::CellExplanation& each : outcome.cells) {
    const bool own =
        std::any_of(each.findings.begin(), each.findings.end(), [](const Finding& finding) {
          return stands_against(finding.verdict);
        });
    if (own || (each.if_published.computed && stands_against(each.if_published.now)))
      return ExitCode::kNotProtected;
  }
  return outcome.problem->asks_nothing() ? code_of(Verdict::kUnasked, !outcome.basis.rules.empty())
                                         : ExitCode::kDone;
}

}  // namespace

Result<CellId> find_cell(const Table& table, const std::string& text) {
  std::int32_t index = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), index);
  if (read.ec == std::errc() && read.ptr == text.data() + text.size()) {
    if (index < 0 || index >= table.num_cells())
      return no_such_cell(text, "the cells are 0 to " + std::to_string(table.num_cells() - 1));
    return CellId{index};
  }
  if (table.dimensions().empty())
    return no_such_cell(text, "this table has no codes: give the index of the cell");
  return cell_of_codes(table, text);
}

Result<ExplainOutcome> run_explain(const ExplainJob& job, const RunContext& given) {
  const RunContext run = with_progress(given);
  LACUNA_TRY(ExplainOutcome outcome, load(job, run));
  std::vector<CellId> cells;
  for (const std::string& text : job.cells) {
    LACUNA_TRY(const CellId cell, find_cell(outcome.problem->table(), text));
    cells.push_back(cell);
  }
  explain::ExplainOptions options;
  options.exchange = !job.no_exchange;
  options.search = {job.exchange_work, job.engine};
  for (const CellId cell : cells) {
    LACUNA_TRY(explain::CellExplanation told,
               explain::explain_cell(outcome.problem, outcome.draft, cell, options, run));
    outcome.cells.push_back(std::move(told));
  }
  outcome.code = code_for(outcome);
  return outcome;
}

std::string ExplainOutcome::text() const {
  std::string all;
  for (const explain::CellExplanation& each : cells)
    all += explain::explanation_text(*problem, draft, reasons, each);
  if (problem->asks_nothing())
    all += "note: nothing was asked of this release, so no cell keeps another one safe\n";
  if (basis.withheld > 0)
    all += "note: " + load::withheld_asked_text(basis) + "\n";
  return all;
}

std::string ExplainOutcome::json() const {
  const auto write = [&](base::JsonWriter& json) {
    json.member("confidential", true);
    load::write_basis(json, basis);
    json.key("cells").list(cells, [&](const explain::CellExplanation& each) {
      explain::write_explanation(json.line(), *problem, draft, reasons, each);
    });
  };
  return base::json_object(write) + "\n";
}

Result<JobOutput> run_job(const ExplainJob& job, const RunContext& run) {
  LACUNA_TRY(const ExplainOutcome outcome, run_explain(job, run));
  return JobOutput{outcome.code, job.json ? outcome.json() : outcome.text()};
}

}  // namespace lacuna::job
