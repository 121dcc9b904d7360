// SPDX-License-Identifier: Apache-2.0
#include "app/load/records.h"

#include <algorithm>

#include "app/load/count_problem.h"
#include "core/base/moved_error.h"
#include "core/table/least_counts.h"
#include "data/files/file.h"
#include "data/files/position.h"
#include "data/sensitivity/attacker_reach.h"
#include "data/sensitivity/options.h"
#include "lacuna/tabulate.h"

namespace lacuna::load {
namespace {

constexpr std::int32_t kListed = 3;  // largest contributions per cell if the rules need fewer

// What the sections say, and the [options] that are rules. The weights there are those of the
// method, as on the command line, and come on top of those of the job.
Result<std::vector<jobfile::JobOption>> all_rules(const jobfile::RecordJob& job) {
  std::vector<jobfile::JobOption> rules = job.rules;
  const std::vector<std::string> names = rule_option_names();
  for (const jobfile::JobOption& option : job.options) {
    if (option.name == "weights" ||
        std::find(names.begin(), names.end(), option.name) == names.end())
      continue;
    for (const jobfile::JobOption& rule : job.rules) {
      if (rule.name == option.name && rule.value != option.value) {
        return Error{ErrorCode::kRepeatedKey,
                     option.name + " has been set to " + rule.value + " already, at " + rule.where,
                     option.where};
      }
    }
    rules.push_back(option);
  }
  return rules;
}

// What the records are: counts, if nothing but records is counted.
CountReading counts_read(const jobfile::RecordJob& job,
                         const RecordAssessment& asked,
                         const SensitiveTables& tables) {
  const Table& table = tables.problem.table();
  CountReading read;
  read.settled = job.counts && job.counts->whole;
  read.reals = job.counts && !job.counts->whole;
  if (job.counted && table.decimals() == 0)
    read.by_nature = options_by_nature(asked.rules.minimum_frequency);
  if (!job.tabulate.keep_empty_cells)
    read.least = table::least_by_rows(table, tables.tabulation.tables, table::EmptyRows::kLeftOut);
  return read;
}

}  // namespace

Result<SensitivityOptions> sensitivity_options(const std::vector<jobfile::JobOption>& rules) {
  SensitivityOptions options;
  const std::vector<BoundOption> bound = bind_options(options);
  for (const jobfile::JobOption& rule : rules) {
    const auto named = [&](const BoundOption& option) { return option.info.name == rule.name; };
    const auto option = std::find_if(bound.begin(), bound.end(), named);
    if (option == bound.end())
      continue;
    if (const Status status = option->set({&rule.value, 1}); !status)
      return Error{ErrorCode::kOptionValue, rule.name + " " + status.error().message, rule.where};
  }
  return options;
}

bool states(const std::vector<jobfile::JobOption>& rules, std::string_view name) {
  return std::any_of(rules.begin(), rules.end(), [&](const jobfile::JobOption& rule) {
    return rule.name == name;
  });
}

Error moved_to_option(const Error& error, const std::vector<jobfile::JobOption>& rules) {
  for (const jobfile::JobOption& rule : rules) {
    if (error.where == "--" + rule.name)
      return {error.code, rule.name + ": " + error.message, rule.where};
  }
  return error;
}

std::vector<std::string> rule_option_names() {
  std::vector<std::string> names;
  for (const OptionInfo& option : describe_options<SensitivityOptions>())
    names.push_back(option.name);
  return names;
}

void take_keys(jobfile::RecordJob& job, const KeyNeeds& needs) {
  KeyOptions& keys = job.tabulate.keys;
  if (!keys.given())
    keys.seed = needs.seed;
  if (job.states_keys || needs.modulus == 0)
    return;
  keys.modulus = needs.modulus;
  keys.is_decimal = false;
}

Result<RecordAssessment> assessment_of_records(const jobfile::RecordJob& job) {
  RecordAssessment asked;
  LACUNA_TRY(asked.given, all_rules(job));
  LACUNA_TRY(asked.rules, sensitivity_options(asked.given));
  asked.persons_left_out = job.counted && !states(asked.given, "attackers");
  if (asked.persons_left_out)
    asked.rules.attackers = AttackersMeant::kOutsider;
  const auto rules = sensitivity::read_options(asked.rules);
  if (!rules)
    return moved_to_option(rules.error(), asked.given);
  asked.tabulate = job.tabulate;
  const std::int32_t needed = std::max(rules->contributions_needed(), rules->coalition + 1);
  asked.tabulate.top = std::max({asked.tabulate.top, needed, kListed});
  asked.tabulate.keep_contributions = rules->respondents && rules->know_all;
  return asked;
}

Result<SensitiveTables> judge_tabulation(const jobfile::RecordJob& job,
                                         const RecordAssessment& asked,
                                         Tabulation tabulation,
                                         const jobfile::FileLoader& load) {
  SensitiveTables tables;
  tables.tabulation = std::move(tabulation);
  tables.rules = asked.rules;
  tables.persons_left_out = asked.persons_left_out;
  LACUNA_TRY(
      const auto apriori,
      jobfile::read_apriori(job, tables.tabulation.dimensions, tables.tabulation.decimals, load));
  auto problem = sensitivity::problem_in_reach(tables.tabulation,
                                               tables.rules,
                                               states(asked.given, "attacker-reach"),
                                               apriori,
                                               tables.report,
                                               tables.notes);
  if (!problem)
    return moved_to_option(problem.error(), asked.given);
  tables.problem = std::move(problem).value();
  tables.counts = counts_read(job, asked, tables);
  if (job.counts_later)
    return tables;
  if (job.counts && job.counts->whole) {
    LACUNA_RETURN_IF_ERROR(
        check_zeros(*job.counts, tables.problem.table(), tables.tabulation.tables, tables.counts));
    LACUNA_TRY(tables.problem, table::knowing_rows(std::move(tables.problem), tables.counts.least));
    LACUNA_TRY(tables.problem, as_counts(tables.problem, *job.counts, tables.report));
  } else {
    if (tables.counts.by_nature && !tables.tabulation.none_is_empty) {  // else it is known
      LACUNA_TRY(tables.problem,
                 table::knowing_rows(std::move(tables.problem), tables.counts.least));
    }
    LACUNA_TRY(tables.problem, as_counts_by_nature(tables.problem, tables.counts));
  }
  return tables;
}

Result<SensitiveTables> tabulate_records(const jobfile::RecordJob& job,
                                         RecordSource& source,
                                         const jobfile::FileLoader& load,
                                         const RunContext& run) {
  LACUNA_TRY(const RecordAssessment asked, assessment_of_records(job));
  auto tabulation = tabulate(source, asked.tabulate, run);
  if (!tabulation) {
    const std::string& where = tabulation.error().where;
    const bool placed =
        job.is_frame ? where.starts_with("row ") : where.find(job.records) != std::string::npos;
    return placed ? tabulation.error() : base::moved_to(tabulation.error(), job.records_where);
  }
  return judge_tabulation(job, asked, std::move(tabulation).value(), load);
}

}  // namespace lacuna::load
