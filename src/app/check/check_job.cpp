// SPDX-License-Identifier: Apache-2.0
#include "app/check/check_job.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <set>

#include "app/job/file_roles.h"
#include "app/load/provenance.h"
#include "core/base/exact.h"
#include "core/base/index.h"
#include "core/base/quotes.h"
#include "core/base/rational.h"
#include "data/files/column_files.h"
#include "data/files/file.h"
#include "data/infer/csv_guess.h"
#include "data/policies/policy.h"

namespace lacuna::checking {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kThreshold = 10;

std::string store_path_of(const CheckJob& job) {
  if (!job.store.empty())
    return job.store;
  fs::path folder = fs::path(job.folder).lexically_normal();
  if (!folder.has_filename())
    folder = folder.parent_path();
  if (folder.filename() == "." || folder.filename() == "..")
    folder = fs::absolute(folder).lexically_normal();
  if (!folder.has_filename())
    folder = folder.parent_path();
  return folder.string() + ".released.log";
}

// ---- what is asked

class Rules {
 public:
  Rules(const CheckJob& job, Check& check) : job_(job), check_(check) {}

  Status find() {
    const std::string name = job_.policy.empty() ? check_.notes.policy : job_.policy;
    check_.zeros_are_sensitive = job_.sensitive_zeros;
    check_.threshold = kThreshold;
    check_.threshold_from = "nobody stated another";
    if (!name.empty())
      LACUNA_RETURN_IF_ERROR(take_policy(name));
    if (check_.notes.threshold) {
      check_.threshold = *check_.notes.threshold;
      check_.threshold_from = std::string(kNotesName);
    }
    if (job_.threshold > 0) {
      check_.threshold = job_.threshold;
      check_.threshold_from = "--threshold";
    }
    check_.rules.threshold = std::max(check_.rules.threshold, check_.threshold);
    return ok_status();
  }

  bool blanks_are_nonzero() const { return blanks_are_nonzero_; }

 private:
  Status take_policy(const std::string& name) {
    const auto load = [&](const std::string& path) { return job_.inputs.read(path); };
    const std::string where = job_.policy.empty() ? std::string(kNotesName) : "--policy";
    LACUNA_TRY(const policies::Policy policy, policies::find_policy(name, load, where));
    check_.policy = policy.name;
    check_.rules.threshold = 1;
    if (const auto& counts = policy.rules.job.counts) {
      check_.threshold = counts->threshold.value_or(3);
      check_.threshold_from = "the policy " + policy.name;
      check_.zeros_are_sensitive = check_.zeros_are_sensitive || counts->zeros == Zeros::kSensitive;
      blanks_are_nonzero_ = counts->withheld_means == WithheldMeans::kNonzero;
    }
    for (const JobSpec::Rule& rule : policy.rules.job.rules)
      LACUNA_RETURN_IF_ERROR(take_rule(rule, policy));
    return ok_status();
  }

  Status take_rule(const JobSpec::Rule& rule, const policies::Policy& policy) {
    const auto number = [&](const SpecNumber& given) -> Result<Fraction> {
      LACUNA_TRY(const mpq_class read, base::parse_fraction(given.text));
      return Fraction(read);
    };
    if (rule.type == "frequency") {
      LACUNA_TRY(const Fraction n, number(rule.n));
      check_.rules.threshold = base::to_units(base::rounded_up(base::gmp(n)));
      if (!policy.rules.job.counts) {
        check_.threshold = check_.rules.threshold;
        check_.threshold_from = "the policy " + policy.name;
      }
    } else if (rule.type == "dominance") {
      LACUNA_TRY(const Fraction n, number(rule.n));
      LACUNA_TRY(const Fraction k, number(rule.k));
      check_.rules.dominance.push_back(
          {static_cast<std::size_t>(base::to_units(base::rounded_up(base::gmp(n)))), k});
    } else if (rule.type == "p-percent") {
      LACUNA_TRY(const Fraction p, number(rule.p));
      check_.rules.p_percent.push_back(p);
    } else {
      check_.outputs.notes.push_back("the rule " + base::in_quotes(rule.type) + " of the policy " +
                                     policy.name + " was not applied");
    }
    return ok_status();
  }

  const CheckJob& job_;
  Check& check_;
  bool blanks_are_nonzero_ = false;
};

// ---- the check itself

void add_unread(const Outputs& outputs, std::vector<CheckFinding>& findings) {
  for (std::size_t i = 0; i < outputs.outputs.size(); ++i) {
    if (outputs.outputs[i].unread.empty())
      continue;
    CheckFinding finding;
    finding.kind = FindingKind::kUnread;
    finding.weight = Weight::kReview;
    finding.label = outputs.outputs[i].name;
    finding.reason = "this file was not read as a table, and nothing of it was judged: " +
                     outputs.outputs[i].unread;
    finding.past = outputs.outputs[i].released;
    if (!finding.past)
      finding.outputs.push_back(i);
    findings.push_back(std::move(finding));
  }
}

Result<files::CsvFile> read_records(const std::string& path, const load::Inputs& inputs) {
  LACUNA_TRY(std::string bytes, inputs.read(path));
  if (files::holds_columns(bytes, path) || files::is_column_file(path))
    return files::column_table(std::move(bytes), path);
  infer::TableFileStyle style;
  style.shape.as_it_is = true;
  return infer::read_table_file(std::move(bytes), path, style);
}

// The same without some outputs.
Outputs without(const Outputs& outputs, const std::set<std::size_t>& held) {
  Outputs left;
  std::vector<std::size_t> place(outputs.outputs.size(), 0);
  for (std::size_t i = 0; i < outputs.outputs.size(); ++i) {
    if (held.contains(i))
      continue;
    place[i] = left.outputs.size();
    left.outputs.push_back(outputs.outputs[i]);
  }
  for (const CheckTable& table : outputs.tables) {
    if (held.contains(table.output))
      continue;
    left.tables.push_back(table);
    left.tables.back().output = place[table.output];
  }
  return left;
}

// What was released before tells by itself, whatever else goes out.
Result<std::vector<CheckFinding>> told_before(const Check& check,
                                              const SystemOptions& options,
                                              const JudgeOptions& judged,
                                              const RunContext& run) {
  std::set<std::size_t> new_ones;
  for (std::size_t i = 0; i < check.outputs.outputs.size(); ++i) {
    if (!check.outputs.outputs[i].released)
      new_ones.insert(i);
  }
  const Outputs released = without(check.outputs, new_ones);
  if (released.tables.empty())
    return std::vector<CheckFinding>{};
  LACUNA_TRY(const CheckSystem system, make_system(released, check.notes, options));
  return judge(system, released, judged, run);
}

Status judge_all(const CheckJob& job,
                 const SystemOptions& options,
                 const JudgeOptions& judged,
                 const RunContext& run,
                 Check& check) {
  LACUNA_TRY(check.system, make_system(check.outputs, check.notes, options));
  LACUNA_TRY(check.findings, judge(check.system, check.outputs, judged, run));
  std::vector<bool> settled(check.outputs.tables.size(), false);
  if (!job.records.empty()) {
    LACUNA_TRY(const files::CsvFile records, read_records(job.records, job.inputs));
    check.records_said =
        judge_by_records(records, check.notes, check.outputs, check.rules, settled, check.findings);
  }
  judge_amounts(check.system, check.outputs, check.rules, settled, check.findings);
  add_unread(check.outputs, check.findings);
  return ok_status();
}

void make_verdicts(Check& check) {
  std::stable_sort(check.findings.begin(), check.findings.end(), [](const auto& a, const auto& b) {
    if (a.past != b.past)
      return b.past;
    return a.weight > b.weight;
  });
  check.verdicts.assign(check.outputs.outputs.size(), {});
  for (std::size_t f = 0; f < check.findings.size(); ++f) {
    for (const std::size_t output : check.findings[f].outputs) {
      OutputVerdict& verdict = check.verdicts[output];
      verdict.weight = std::max(verdict.weight, check.findings[f].weight);
      verdict.findings.push_back(f);
    }
  }
}

// Which outputs to hold back, so that nothing fails among the others: those that fail by
// themselves, then each time the one that most failures need. The rest is judged again, because
// what an output told others may tell as well; such findings are findings, too.
class HoldBack {
 public:
  HoldBack(const SystemOptions& options,
           const JudgeOptions& judged,
           const RunContext& run,
           Check& check)
      : options_(options), judged_(judged), run_(run), check_(check) {
    for (std::size_t i = 0; i < check.outputs.outputs.size(); ++i)
      name_.push_back(i);
  }

  // Every round holds back one more, so there is an end.
  Status find() {
    std::vector<CheckFinding> failures = check_.findings;
    for (keep_failures(failures); !failures.empty(); keep_failures(failures)) {
      hold(failures);
      const Outputs left = without(check_.outputs, held_);
      name_.clear();
      for (std::size_t i = 0; i < check_.outputs.outputs.size(); ++i) {
        if (!held_.contains(i))
          name_.push_back(i);
      }
      LACUNA_TRY(const CheckSystem system, make_system(left, check_.notes, options_));
      LACUNA_TRY(failures, judge(system, left, judged_, run_));
      keep_failures(failures);
      for (CheckFinding each : failures)
        add(std::move(each));
    }
    check_.hold_back.assign(held_.begin(), held_.end());
    return ok_status();
  }

 private:
  static void keep_failures(std::vector<CheckFinding>& findings) {
    std::erase_if(findings, [](const CheckFinding& each) {
      return each.past || each.weight != Weight::kFail;
    });
  }

  void hold(const std::vector<CheckFinding>& failures) {
    std::set<std::size_t> own;  // of this round, by the numbers of the round
    for (const CheckFinding& each : failures) {
      if (each.outputs.size() == 1)
        own.insert(each.outputs.front());
    }
    for (bool open = true; open;) {
      open = false;
      std::map<std::size_t, std::size_t> needed;
      for (const CheckFinding& each : failures) {
        const bool met = std::any_of(each.outputs.begin(),
                                     each.outputs.end(),
                                     [&](std::size_t output) { return own.contains(output); });
        for (const std::size_t output : each.outputs)
          needed[output] += met ? 0 : 1;
        open = open || !met;
      }
      if (open)
        own.insert(std::max_element(needed.begin(), needed.end(), [](const auto& a, const auto& b) {
                     return a.second <= b.second;
                   })->first);
    }
    for (const std::size_t output : own)
      held_.insert(name_[output]);
  }

  void add(CheckFinding finding) {
    for (std::size_t& output : finding.outputs)
      output = name_[output];
    const bool known =
        std::any_of(check_.findings.begin(), check_.findings.end(), [&](const auto& each) {
          return each.kind == finding.kind && each.outputs == finding.outputs &&
                 each.label == finding.label;
        });
    if (!known)
      check_.findings.push_back(std::move(finding));
  }

  const SystemOptions& options_;
  const JudgeOptions& judged_;
  const RunContext& run_;
  Check& check_;
  std::set<std::size_t> held_;
  std::vector<std::size_t> name_;  // of the outputs that are left, their numbers in the folder
};

// ---- decisions

class Decisions {
 public:
  Decisions(const CheckJob& job, Check& check) : job_(job), check_(check) {}

  Status write(const Store& store) {
    if (job_.by.empty())
      return Error{ErrorCode::kOptionMissing, "say who decides", "--by"};
    StoreEntry entry;
    entry.at = load::utc_now();
    entry.by = job_.by;
    entry.why = job_.why;
    entry.threshold = check_.threshold;
    entry.policy = check_.policy;
    LACUNA_RETURN_IF_ERROR(take(job_.accept, true, entry));
    LACUNA_RETURN_IF_ERROR(take(job_.refuse, false, entry));
    if (entry.decisions.empty()) {
      check_.decided = "no output was decided: none of them passes";
      return ok_status();
    }
    LACUNA_RETURN_IF_ERROR(append_to_store(store, entry));
    check_.decided = "entry " + std::to_string(store.entries.size() + 1) + " of " + store.path +
                     ": " + std::to_string(count(entry, true)) + " released, " +
                     std::to_string(count(entry, false)) + " refused, by " + job_.by;
    return ok_status();
  }

 private:
  static std::size_t count(const StoreEntry& entry, bool released) {
    return static_cast<std::size_t>(
        std::count_if(entry.decisions.begin(), entry.decisions.end(), [&](const Decision& each) {
          return each.released == released;
        }));
  }

  Status take(const std::vector<std::string>& patterns, bool released, StoreEntry& entry) {
    const std::string option = released ? "--accept" : "--refuse";
    for (const std::string& pattern : patterns) {
      const bool passed = released && pattern == "passed";
      bool any = passed;
      for (std::size_t i = 0; i < check_.outputs.outputs.size(); ++i) {
        const Output& output = check_.outputs.outputs[i];
        const bool meant =
            passed ? check_.verdicts[i].weight == Weight::kPass : matches(pattern, output.name);
        if (output.released || !meant)
          continue;
        any = true;
        LACUNA_RETURN_IF_ERROR(decide(i, released, option + " " + pattern, entry));
      }
      if (!any)
        return Error{ErrorCode::kNoSuchThing,
                     "no output of the folder that is not released yet is called " +
                         base::in_quotes(pattern),
                     option};
    }
    return ok_status();
  }

  Status decide(std::size_t i, bool released, const std::string& option, StoreEntry& entry) {
    const Output& output = check_.outputs.outputs[i];
    if (!taken_.insert(i).second)
      return Error{ErrorCode::kOptionConflict,
                   output.name + " is named twice: decide each output once",
                   option};
    if (job_.why.empty() && (!released || check_.verdicts[i].weight != Weight::kPass))
      return Error{ErrorCode::kOptionMissing,
                   released ? output.name + " does not pass: say why it is released all the same"
                            : "say why " + output.name + " is refused",
                   "--why"};
    Decision decision;
    decision.output = output.name;
    decision.sha256 = output.sha256;
    decision.verdict = std::string(to_string(check_.verdicts[i].weight));
    decision.released = released;
    for (const std::size_t f : check_.verdicts[i].findings) {
      if (decision.reasons.size() < 20)
        decision.reasons.push_back(check_.findings[f].label + ": " + check_.findings[f].reason);
    }
    for (const CheckTable& table : check_.outputs.tables) {
      if (!released || table.output != i)
        continue;
      entry.tables.push_back(table);
      entry.tables.back().output = entry.decisions.size();
    }
    entry.decisions.push_back(std::move(decision));
    return ok_status();
  }

  const CheckJob& job_;
  Check& check_;
  std::set<std::size_t> taken_;
};

Result<Notes> notes_of(const CheckJob& job) {
  const std::string path = (fs::path(job.folder) / kNotesName).string();
  std::error_code trouble;
  if (!job.inputs.is_held(path) && !fs::exists(path, trouble))
    return Notes{};
  LACUNA_TRY(std::string text, job.inputs.read(path));
  return read_notes(std::move(text), path);
}

Status check_options(const CheckJob& job) {
  LACUNA_RETURN_IF_ERROR(job::check_files(job));
  if (!job.output.empty() && !job.output.ends_with(".html"))
    return Error{ErrorCode::kOutputName, "the page must end in .html", "-o " + job.output};
  return ok_status();
}

}  // namespace

bool Check::passes() const {
  return count(Weight::kReview) + count(Weight::kFail) == 0;
}

std::size_t Check::count(Weight weight) const {
  std::size_t found = 0;
  for (std::size_t i = 0; i < verdicts.size(); ++i)
    found += !outputs.outputs[i].released && verdicts[i].weight == weight ? 1U : 0U;
  return found;
}

Result<Check> run_check(const CheckJob& job, const RunContext& given) {
  const auto begin = std::chrono::steady_clock::now();
  LACUNA_RETURN_IF_ERROR(check_options(job));
  const RunContext run = with_helpers(with_progress(given));
  Check check;
  check.folder = job.folder;
  LACUNA_TRY(check.notes, notes_of(job));
  check.store_path = store_path_of(job);
  LACUNA_TRY(const Store store, read_store(check.store_path));
  LACUNA_TRY(check.outputs, read_folder(job.folder, check.notes, job.inputs));
  add_released(store, check.outputs);
  name_variables(check.outputs);
  Rules rules(job, check);
  LACUNA_RETURN_IF_ERROR(rules.find());
  const SystemOptions options{check.threshold, rules.blanks_are_nonzero()};
  JudgeOptions judged{check.threshold, check.zeros_are_sensitive, job.engine};
  LACUNA_TRY(const std::vector<CheckFinding> before, told_before(check, options, judged, run));
  for (const CheckFinding& each : before)
    judged.told_before.insert(each.label);
  LACUNA_RETURN_IF_ERROR(judge_all(job, options, judged, run, check));
  LACUNA_RETURN_IF_ERROR(HoldBack(options, judged, run, check).find());
  for (const CheckFinding& each : before) {
    if (each.kind != FindingKind::kShown)
      check.findings.push_back(each);
  }
  make_verdicts(check);
  if (!job.accept.empty() || !job.refuse.empty())
    LACUNA_RETURN_IF_ERROR(Decisions(job, check).write(store));
  check.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (!job.output.empty())
    LACUNA_RETURN_IF_ERROR(files::write_file_atomically(job.output, check_page(check)));
  return check;
}

Result<job::JobOutput> run_job(const CheckJob& job, const RunContext& run) {
  if (job.log) {
    LACUNA_TRY(const Store store, read_store(store_path_of(job)));
    return job::JobOutput{job::ExitCode::kDone, log_text(store)};
  }
  LACUNA_TRY(const Check check, run_check(job, run));
  const job::ExitCode code = check.passes() ? job::ExitCode::kDone : job::ExitCode::kNotProtected;
  return job::JobOutput{
      code, job.json ? check_json(check) : check_text(check, static_cast<std::size_t>(job.most))};
}

}  // namespace lacuna::checking
