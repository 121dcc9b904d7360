// SPDX-License-Identifier: Apache-2.0
#include "app/argus_run/argus_convert.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "app/argus_run/argus_protect.h"
#include "app/argus_run/argus_session.h"
#include "app/argus_run/argus_text.h"
#include "core/base/decimal.h"
#include "core/base/rational.h"
#include "core/base/text.h"
#include "data/argus/order.h"
#include "data/argus/write_table.h"
#include "data/files/file.h"
#include "data/files/hierarchy_file.h"
#include "data/jobfile/job_file.h"
#include "data/jobfile/named_files.h"
#include "data/spec/spec_text.h"

namespace lacuna::argus_run {
namespace {

namespace fs = std::filesystem;

// Name and text of every option; of a name that several methods have, the first.
std::vector<std::pair<std::string, std::string>> texts_of(const ProtectOptions& options) {
  std::vector<std::pair<std::string, std::string>> texts;
  std::set<std::string_view> names;
  ProtectOptions::fields(options, [&](const FieldInfo& info, const auto& field) {
    if (names.insert(info.name).second)
      texts.emplace_back(info.name, fields_detail::text_of(field));
  });
  return texts;
}

// Options of protect that are not what they are by themselves.
SpecOptions options_of(const ProtectOptions& options, double seconds) {
  const auto untouched = texts_of({});
  SpecOptions changed;
  for (std::size_t i = 0; const auto& [name, text] : texts_of(options)) {
    if (name == "method" || text != untouched[i].second)
      changed.emplace_back(name, SpecScalar{text});
    ++i;
  }
  if (seconds > 0)
    changed.emplace_back("time-limit", SpecScalar{base::format_double(seconds)});
  return changed;
}

std::string comment_of(const std::string& text) {
  std::string comment;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    comment += "# " + text.substr(from, end - from) + "\n";
    from = end + 1;
  }
  return comment;
}

// The one <SUPPRESS> of the job; without any, suppression as it is.
Result<argus::Suppress> only_suppress(const ArgusSession& session, const std::string& path) {
  if (session.planned().size() > 1)
    return Error{ErrorCode::kUnsupported,
                 fmt::format("the job has {} <SUPPRESS> commands, but a job of lacuna makes one "
                             "release: keep one of them, or use table 0 for all tables",
                             session.planned().size()),
                 path};
  if (session.planned().size() == 1)
    return session.planned().front();
  argus::Suppress plain;
  plain.table = session.tables().size() > 1 ? 0 : 1;
  return plain;
}

Status keep_inputs(const std::vector<std::string>& outputs,
                   const std::vector<std::string>& inputs) {
  for (const std::string& output : outputs) {
    for (const std::string& input : inputs) {
      if (files::same_file(output, input))
        return Error{
            ErrorCode::kOutputName, "the file is an input: give the new job another name", output};
    }
  }
  return ok_status();
}

constexpr double kSecondsPerMinute = 60;

}  // namespace

bool is_argus_name(const std::string& path) {
  return base::lower_case(path).ends_with(".arb");
}

Result<ArgusPlan> plan_of(const std::string& path, const RunContext& run) {
  LACUNA_TRY(std::string bytes, files::read_file(path));
  LACUNA_TRY(const argus::Batch batch, argus::read_batch(std::move(bytes), path));
  LACUNA_RETURN_IF_ERROR(argus::check_order(batch));
  ArgusSession session(batch, path, ArgusMode::kCheck, run);
  LACUNA_RETURN_IF_ERROR(session.run_all());
  if (session.tables().empty())
    return Error{ErrorCode::kNoRows, "the job has no table", path};
  ArgusRequest request;
  LACUNA_TRY(request.command, only_suppress(session, path));
  request.wishes = session.wishes();
  request.input = path;
  for (std::size_t t = 0; t < session.tables().size(); ++t) {
    if (request.command.table != 0 && static_cast<std::size_t>(request.command.table) != t + 1)
      continue;
    request.tables.push_back(&session.tables()[t].given);
    request.names.push_back(session.tables()[t].name);
  }
  ArgusPlan plan;
  LACUNA_TRY(plan.options, protect_job_of(request));
  LACUNA_TRY(plan.problem, problem_of(request, run));
  plan.seconds = minutes_of(request.command) * kSecondsPerMinute;
  plan.about = check_text(session);
  plan.inputs = session.inputs();
  plan.inputs.push_back(path);
  plan.protects = !session.planned().empty();
  return plan;
}

Status convert_from_argus(const std::string& path,
                          const std::string& output,
                          const RunContext& run) {
  if (!output.ends_with(".toml"))
    return Error{ErrorCode::kOutputName, "a job of tau-ARGUS becomes a .toml job", output};
  LACUNA_TRY(const ArgusPlan plan, plan_of(path, run));
  const std::string csv = fs::path(output).replace_extension(".csv").string();
  const auto& tables = plan.problem.tables;
  LACUNA_TRY(jobfile::JobFiles files,
             jobfile::write_job(plan.problem.problem,
                                tables.size() > 1 ? tables : std::vector<LinkedTable>{},
                                fs::path(csv).filename().string()));
  files.job.options = options_of(plan.options, plan.seconds);
  const std::string head =
      comment_of("From " + fs::path(path).filename().string() + ":\n" + plan.about);
  LACUNA_RETURN_IF_ERROR(keep_inputs({csv, output}, plan.inputs));
  files::StagedFiles staged;
  LACUNA_RETURN_IF_ERROR(staged.add(csv, files.csv));
  LACUNA_RETURN_IF_ERROR(staged.add(output, head + spec::spec_toml(files.job)));
  return staged.commit();
}

namespace {

// One table of a problem as tau-ARGUS has it.
class BackWriter {
 public:
  BackWriter(const load::PreparedProblem& ready,
             const std::string& input,
             std::string output,
             const RunContext& run)
      : problem_(ready.problem),
        output_(std::move(output)),
        run_(run),
        tables_(ready.tables),
        inputs_(jobfile::files_named_by(input)) {
    inputs_.push_back(input);
    if (tables_.empty()) {
      LinkedTable all;
      for (std::size_t d = 0; d < problem_.table().dimensions().size(); ++d)
        all.dimensions.push_back(static_cast<std::int32_t>(d));
      tables_.push_back(std::move(all));
    }
  }

  Status write() {
    LACUNA_RETURN_IF_ERROR(look_at_levels());
    for (std::size_t t = 0; t < tables_.size(); ++t)
      LACUNA_RETURN_IF_ERROR(add_table(t));
    const bool linked = tables_.size() > 1;
    const bool others = problem_.attackers().size() > 1;
    arb_ += fmt::format("<SUPPRESS> {}\r\n",
                        linked || others
                            ? fmt::format("MOD({0},1,{1},{1},{1})", linked ? 0 : 1, others ? 1 : 0)
                            : "OPT(1,10)");
    for (std::size_t t = 0; t < tables_.size(); ++t)
      arb_ += fmt::format("<WRITETABLE> ({},1,,\"{}_out.csv\")\r\n", t + 1, stem(t));
    files_.emplace_back(output_, arb_);
    files::StagedFiles staged;
    for (const auto& [path, text] : files_) {
      LACUNA_RETURN_IF_ERROR(keep_inputs({path}, inputs_));
      LACUNA_RETURN_IF_ERROR(staged.add(path, text));
    }
    return staged.commit();
  }

 private:
  std::string stem(std::size_t t) const {
    const std::string name = fs::path(output_).stem().string();
    return tables_.size() == 1 ? name : fmt::format("{}_{}", name, t + 1);
  }
  std::string beside(const std::string& name) const {
    return (fs::path(output_).parent_path() / name).string();
  }
  void note(const std::string& text) const {
    if (run_.log)
      run_.log(text);
  }

  Status look_at_levels() {
    if (problem_.table().dimensions().empty())
      return Error{ErrorCode::kCannotHold, "a table without dimensions has no .arb job", output_};
    std::int64_t others = 0;
    for (const Requirement& one : problem_.requirements()) {
      if (one.attacker != 0) {
        ++others;
        continue;
      }
      if (one.given_sliding() > 0)
        return Error{ErrorCode::kCannotHold,
                     "tau-ARGUS has no sliding levels",
                     problem_.table().label(one.cell)};
      levels_[one.cell] = one;
    }
    if (problem_.attackers().size() > 1)
      note(
          fmt::format("{} attackers besides the outsider and their {} requirements are left out: "
                      "the .arb job has singleton switches instead",
                      problem_.attackers().size() - 1,
                      others));
    return ok_status();
  }

  Result<argus::CodeList> list_of(const Dimension& dimension) const {
    const std::vector<files::CodeTree> trees = files::trees_of(dimension);
    if (trees.size() > 1)
      return Error{ErrorCode::kCannotHold,
                   "tau-ARGUS has one hierarchy per variable",
                   "dimension " + dimension.name()};
    argus::CodeList list;
    list.variable = dimension.name();
    list.codes.push_back(dimension.code(dimension.total()));
    list.parents.push_back(-1);
    add_children(dimension, dimension.total(), 0, list);
    list.missing.assign(list.codes.size(), false);
    list.hierarchical = dimension.relations().size() > 1;
    return list;
  }

  static void add_children(const Dimension& dimension,
                           std::int32_t code,
                           std::int32_t place,
                           argus::CodeList& list) {
    for (const Relation& relation : dimension.relations()) {
      if (relation.parent != code)
        continue;
      for (const std::int32_t child : relation.children) {
        const std::int32_t here = list.size();
        list.codes.push_back(dimension.code(child));
        list.parents.push_back(place);
        add_children(dimension, child, here, list);
      }
    }
  }

  argus::Cell cell_of(CellId id) const {
    const Cell& from = problem_.table().cell(id);
    argus::Cell cell;
    cell.response = cell.shadow = from.value;
    cell.cost = from.weight;
    cell.frequency = from.frequency >= 0 ? from.frequency : 1;
    using argus::CellStatus;
    cell.status = from.status == lacuna::CellStatus::kPrimary     ? CellStatus::kUnsafeManual
                  : from.status == lacuna::CellStatus::kSecondary ? CellStatus::kSecondaryManual
                  : from.status == lacuna::CellStatus::kFree      ? CellStatus::kSafe
                                                                  : CellStatus::kProtected;
    if (from.status == lacuna::CellStatus::kPrimary) {
      const auto found = levels_.find(id);
      const int decimals = problem_.table().decimals();
      argus::ProtectionLevels levels;
      if (found != levels_.end()) {
        levels.lower = base::units_to_fraction(found->second.lower, decimals);
        levels.upper = base::units_to_fraction(found->second.upper, decimals);
      }
      cell.levels = std::move(levels);
    }
    return cell;
  }

  Result<argus::Table> table_of(const LinkedTable& cross) const {
    argus::Table table;
    std::vector<std::map<std::string, std::int32_t>> index;
    for (const std::int32_t d : cross.dimensions) {
      LACUNA_TRY(argus::CodeList list,
                 list_of(problem_.table().dimensions()[static_cast<std::size_t>(d)]));
      auto& places = index.emplace_back();
      for (std::int32_t i = 0; i < list.size(); ++i)
        places.emplace(list.codes[static_cast<std::size_t>(i)], i);
      table.spec.explanatory.push_back({list.variable, {}});
      table.variables.push_back(std::move(list));
    }
    std::size_t size = 1;
    for (const argus::CodeList& list : table.variables)
      size *= list.codes.size();
    table.cells.resize(size);
    table.response = table.spec.response.text = "value";
    table.spec.cost_kind = argus::CostKind::kVariable;
    table.spec.cost.text = "value";
    table.decimals = table.shadow_decimals = table.shown_decimals = problem_.table().decimals();
    for (std::int32_t c = 0; c < problem_.table().num_cells(); ++c) {
      const auto codes = problem_.table().codes(CellId{c});
      if (!holds(cross, problem_.table().dimensions(), codes))
        continue;
      std::vector<std::int32_t> here;
      for (std::size_t v = 0; v < cross.dimensions.size(); ++v) {
        const auto d = static_cast<std::size_t>(cross.dimensions[v]);
        here.push_back(index[v].at(problem_.table().dimensions()[d].code(codes[d])));
      }
      table.cells[table.index_of(here)] = cell_of(CellId{c});
    }
    return table;
  }

  Status add_table(std::size_t t) {
    LACUNA_TRY(const argus::Table table, table_of(tables_[t]));
    argus::Metadata source;
    for (std::size_t v = 0; v < table.variables.size(); ++v) {
      const argus::CodeList& list = table.variables[v];
      argus::Variable variable;
      variable.name = list.variable;
      variable.recodeable = true;
      variable.total_code = list.codes[0];
      if (list.hierarchical) {
        variable.hierarchical = true;
        variable.hierarchy_file.text = fmt::format("{}_{}.hrc", stem(t), v + 1);
        variable.lead = "@";
        add_tree(list, variable.hierarchy_file.text);
      }
      source.variables.push_back(std::move(variable));
    }
    argus::WriteTable command;
    command.type = 5;
    command.options.status_only = true;
    command.options.skip_empty = true;
    LACUNA_TRY(const argus::WrittenTable written,
               argus::write_table(table, command, beside(stem(t) + ".tab"), source));
    for (const argus::OutputText& file : written.files)
      files_.emplace_back(file.path, file.text);
    std::string variables;
    for (const argus::Word& word : table.spec.explanatory)
      variables += "\"" + word.text + "\"";
    arb_ += fmt::format(
        "<OPENTABLEDATA> \"{0}.tab\"\r\n<OPENMETADATA> \"{0}.rda\"\r\n<SPECIFYTABLE> "
        "{1}|\"value\"||\"value_Cost\",1\r\n<SAFETYRULE> MAN(20)\r\n<READTABLE> 0\r\n",
        stem(t),
        variables);
    return ok_status();
  }

  void add_tree(const argus::CodeList& list, const std::string& name) {
    std::string text;
    for (std::int32_t i = 1; i < list.size(); ++i) {
      for (std::int32_t level = list.level(i); level > 1; --level)
        text += "@";
      text += list.codes[static_cast<std::size_t>(i)] + "\r\n";
    }
    files_.emplace_back(beside(name), text);
  }

  const Problem& problem_;
  std::string output_;
  const RunContext& run_;
  std::vector<LinkedTable> tables_;
  std::map<CellId, Requirement> levels_;
  std::string arb_;
  std::vector<std::pair<std::string, std::string>> files_;
  std::vector<std::string> inputs_;
};

}  // namespace

Status convert_to_argus(const load::PreparedProblem& ready,
                        const std::string& input,
                        const std::string& output,
                        const RunContext& run) {
  return BackWriter(ready, input, output, run).write();
}

}  // namespace lacuna::argus_run
