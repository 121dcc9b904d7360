// SPDX-License-Identifier: Apache-2.0
#include "app/load/load.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "app/load/count_problem.h"
#include "app/load/differencing.h"
#include "app/load/engine.h"
#include "app/load/periods.h"
#include "app/load/recognise.h"
#include "app/load/records.h"
#include "app/load/run_policy.h"
#include "app/load/table_rules.h"
#include "app/load/verdict_basis.h"
#include "core/base/exact.h"
#include "core/base/spelling.h"
#include "core/table/least_counts.h"
#include "core/table/nested_dimensions.h"
#include "core/table/unpublished.h"
#include "data/files/column_files.h"
#include "data/files/file.h"
#include "data/files/position.h"
#include "data/formats/recognise.h"
#include "data/infer/open_table.h"
#include "data/infer/released_table.h"
#include "data/infer/table_guess.h"
#include "data/jobfile/job_file.h"
#include "data/jobfile/problem_file.h"
#include "data/jobfile/record_job.h"
#include "data/publish/pattern.h"
#include "data/publish/public_file.h"
#include "data/publish/published_csv.h"
#include "data/publish/release_formats.h"
#include "data/sensitivity/rule_check.h"
#include "judge/bound/check_bound.h"
#include "lacuna/count_rules.h"
#include "lacuna/protect.h"

namespace lacuna::load {

void log_all(const std::vector<std::string>& notes, const RunContext& run) {
  for (const std::string& note : notes) {
    if (run.log)
      run.log(note);
  }
}

namespace {

// Cells that a rule calls sensitive and somebody has called otherwise.
std::int64_t lifted_in(const SensitivityReport& report) {
  const auto says_so = [](const Explanation& each) {
    return each.text.ends_with(sensitivity::kOverruled);
  };
  return std::count_if(report.explanations.begin(),
                       report.explanations.end(),
                       [&](const std::vector<Explanation>& each) {
                         return std::any_of(each.begin(), each.end(), says_so);
                       });
}

std::vector<std::string> reasons_of(const SensitivityReport& report) {
  std::vector<std::string> reasons;
  for (const auto& explanations : report.explanations) {
    std::string& text = reasons.emplace_back();
    for (const Explanation& each : explanations)
      text += (text.empty() ? "" : "; ") + each.text;
  }
  return reasons;
}

// Of a table that says itself which cells are sensitive.
std::vector<std::string> reasons_of(const Table& table) {
  std::vector<std::string> reasons;
  for (const Cell& cell : table.cells())
    reasons.emplace_back(cell.status == CellStatus::kPrimary ? "unsafe: by its status" : "");
  return reasons;
}

// A job that was read, and the folder at which the names of its files begin.
struct JobAtHand {
  std::shared_ptr<const spec::ReadSpec> spec;
  std::string folder;
  std::string policy{};  // the published rules that were put into it, in a line; or empty

  jobfile::FileLoader loader(const Inputs& inputs) const {
    return [folder = folder, &inputs](const std::string& name) {
      return inputs.read(
          inputs.frames.contains(name) ? name : (std::filesystem::path(folder) / name).string());
    };
  }
};

// Frames are held by a program that has the job as a value.
Status check_frames(const spec::ReadSpec& spec, const Inputs& inputs) {
  for (const auto& [path, sources] : {std::pair("input.table", &spec.job.input.table),
                                      std::pair("input.records", &spec.job.input.records)}) {
    for (const SpecSource& source : *sources) {
      if (source.kind == SpecSource::Kind::kFrame && !inputs.frames.contains(source.name))
        return spec.places.error(
            path,
            "no data frame " + base::in_quotes(source.name) + " was passed; name a file instead");
    }
  }
  return ok_status();
}

// The job with what is said besides: how its table is read, and published rules.
Result<JobAtHand> completed(spec::ReadSpec spec,
                            const std::string& folder,
                            const Inputs& inputs,
                            const Assessment& asked,
                            const RunContext& run) {
  LACUNA_RETURN_IF_ERROR(inputs.choices.add_to(spec.job));
  LACUNA_TRY(std::string policy, apply_policy(spec, folder, inputs, asked.counts, run));
  return JobAtHand{
      std::make_shared<const spec::ReadSpec>(std::move(spec)), folder, std::move(policy)};
}

// From the caller's values, from a text in memory, whose files are in memory or named from here, or
// from a file.
Result<JobAtHand> job_at_hand(const std::string& path,
                              const Inputs& inputs,
                              const Assessment& asked,
                              const RunContext& run) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  if (const auto held = inputs.jobs.find(path); held != inputs.jobs.end()) {
    LACUNA_RETURN_IF_ERROR(check_frames(*held->second, inputs));
    const bool policy = !inputs.choices.policy.empty() || !held->second->job.policy.empty();
    if (!inputs.choices.any() && !policy)
      return JobAtHand{held->second, folder};
    return completed(*held->second, folder, inputs, asked, run);
  }
  const bool in_memory = inputs.texts.contains(path);
  LACUNA_TRY(std::string text, inputs.read(path));
  LACUNA_TRY(spec::ReadSpec spec, spec::read_spec_toml(std::move(text), path));
  LACUNA_RETURN_IF_ERROR(check_frames(spec, inputs));
  return completed(std::move(spec), in_memory ? "" : folder, inputs, asked, run);
}

// Nothing if the job is over a table.
Result<std::optional<jobfile::RecordJob>> record_job(const JobAtHand& read, const Inputs& inputs) {
  if (!read.spec->over_records && !read.spec->job.over_records())
    return std::optional<jobfile::RecordJob>();
  LACUNA_TRY(jobfile::RecordJob job,
             jobfile::record_job_of(*read.spec, read.folder, read.loader(inputs)));
  if (!inputs.aggregates.empty())
    job.engine.aggregates = inputs.aggregates;
  if (job.counted && job.counts) {
    LACUNA_TRY(const RecordAssessment asked, assessment_of_records(job));
    take_threshold(job.counts, asked.rules.minimum_frequency);
  }
  return std::optional<jobfile::RecordJob>(std::move(job));
}

Result<SensitiveTables> read_and_judged(const jobfile::RecordJob& job,
                                        const RunContext& run,
                                        const Inputs& inputs) {
  const auto load = [&](const std::string& name) { return inputs.read(name); };
  if (is_by_engine(job)) {
    LACUNA_TRY(const RecordAssessment asked, assessment_of_records(job));
    LACUNA_TRY(Tabulation tabulation, tabulate_by_engine(job, asked.tabulate, run, inputs));
    return judge_tabulation(job, asked, std::move(tabulation), load);
  }
  LACUNA_TRY(auto source, inputs.records(job.records, job.is_frame ? "" : job.records));
  if (!source) {
    LACUNA_TRY(source, jobfile::open_records(job, run.threads));
  }
  return tabulate_records(job, *source, load, run);
}

Result<SensitiveTables> tabulated(const jobfile::RecordJob& job,
                                  const RunContext& run,
                                  const Inputs& inputs) {
  LACUNA_TRY(SensitiveTables tables, read_and_judged(job, run, inputs));
  log_all(tables.notes, run);
  return tables;
}

// What the sections of a job make of its tables once they are there: areas as one system, then the
// rules for counts.
struct Sections {
  std::optional<jobfile::DifferencingSection> differencing;
  std::optional<jobfile::CountSection> counts;
  std::optional<AttackerCounts> attackers;
  std::function<Error(Error)> placed;  // an error that names a cell, moved to its place
  const std::vector<std::string>& known;
  bool asks_counts = false;  // the command line calls the numbers counts
};

// The section if there is one; else what follows from the numbers alone. The cells of atoms, which
// no rule has seen, are judged by the same threshold.
Result<Problem> counted(LoadedProblem& loaded, const Sections& sections) {
  if (sections.counts && sections.counts->whole)
    return as_counts(loaded.problem.as_read(), *sections.counts, loaded.reasons);
  const CountReading& read = loaded.counts;
  if (sections.differencing && read.by_nature && !read.reals)
    return with_count_rules(loaded.problem.as_read(), *read.by_nature);
  return as_counts_by_nature(std::move(loaded.problem).take(), read);
}

Result<LoadedProblem> finished(LoadedProblem loaded,
                               const Sections& sections,
                               const RunContext& run,
                               const Inputs& inputs) {
  const bool persons_left_out = loaded.attackers.persons_left_out;
  const bool are_counts = sections.counts || loaded.counts.by_nature || sections.asks_counts;
  if (are_counts) {
    LACUNA_TRY(loaded.problem,
               table::knowing_rows(std::move(loaded.problem).take(), loaded.counts.least));
  }
  if (sections.counts && sections.counts->whole && !sections.differencing)
    LACUNA_RETURN_IF_ERROR(
        check_zeros(*sections.counts, loaded.problem.table(), loaded.tables, loaded.counts));
  LACUNA_TRY(
      loaded,
      with_differencing(
          std::move(loaded), sections.differencing, are_counts, sections.known, run, inputs));
  auto problem = counted(loaded, sections);
  if (!problem)
    return sections.placed ? sections.placed(problem.error()) : problem.error();
  if (sections.differencing)
    ask_of_categories_only(*sections.differencing, problem.value());
  loaded.attackers = summarize_attackers(*problem, sections.attackers);
  loaded.problem = std::move(problem).value();
  loaded.attackers.persons_left_out = persons_left_out;
  return loaded;
}

// Where a job says nothing of counts, with_assessment() of the problem does.
void override_counts(std::optional<jobfile::CountSection>& section, const CountAssessment& asked) {
  if (section)
    section->options = with_assessment(std::move(section->options), asked);
}

// What a job over a table says of its numbers. The table of atoms, which comes last, is nobody's.
CountReading counts_read(const jobfile::Job& job, std::int64_t minimum_frequency) {
  const Table& table = job.problem.table();
  std::span<const LinkedTable> published = job.tables;
  if (job.differencing)
    published = published.first(published.size() - 1);
  CountReading read;
  read.settled = job.counts && job.counts->whole;
  read.reals = job.counts && !job.counts->whole;
  if (job.counted && table.decimals() == 0)
    read.by_nature = options_by_nature(minimum_frequency);
  if (!job.lists_empty)
    read.least = table::least_by_rows(table, published);
  return read;
}

// Amounts may have any name; a column of whole numbers that is named like a count may be one.
void note_amounts(const jobfile::Job& job, const CountAssessment& asked, const RunContext& run) {
  const bool said = job.counts || asked.counts || asked.any() || asked.reals;
  if (said || job.named_count.empty() || job.problem.table().decimals() > 0 || !run.log)
    return;
  run.log("the column " + base::in_quotes(job.named_count) +
          " is read as amounts, in real numbers; if it counts persons or firms, " +
          base::named_setting("frequency", '"' + job.named_count + '"') +
          " in place of value, or " + base::named_option("counts") +
          ", judges what readers can work out in whole numbers");
}

Result<std::int64_t> minimum_frequency(const jobfile::Job& job) {
  if (!job.contributions)
    return std::int64_t{0};
  LACUNA_TRY(const SensitivityOptions options, sensitivity_options(job.contributions->rules));
  return options.minimum_frequency;
}

Result<LoadedProblem> from_job(jobfile::Job job,
                               const RunContext& run,
                               const Inputs& inputs,
                               const Assessment& asked) {
  log_all(job.notes, run);
  note_amounts(job, asked.counts, run);
  if (!job.differencing) {
    const std::string text = table::nested_dimensions_text(job.problem.table(), job.tables);
    log_all(text.empty() ? std::vector<std::string>{} : std::vector{text}, run);
  }
  LACUNA_TRY(const std::int64_t least, minimum_frequency(job));
  if (job.counted)
    take_threshold(job.counts, least);
  override_counts(job.counts, asked.counts);
  Sections sections{job.differencing,
                    job.counts,
                    std::nullopt,
                    job.placed,
                    asked.known,
                    asked.counts.counts || asked.counts.any()};
  std::vector<std::string> reasons;
  LACUNA_TRY(SensitivityOptions by_hand, sensitivity_options(job.rules));
  std::string rules;
  if (job.contributions) {
    LACUNA_TRY(const SensitivityOptions stated, sensitivity_options(job.contributions->rules));
    rules = rules_text(stated);
    LACUNA_TRY(RuledTable ruled, apply_rules(job));
    by_hand = ruled.options;
    log_all(ruled.notes, run);
    reasons = reasons_of(ruled.report);
    sections.attackers = ruled.report.attackers;
    LACUNA_RETURN_IF_ERROR(ruled.problem.set_keys(job.problem.keys()));
    job.problem = std::move(ruled.problem);
  } else {
    reasons = reasons_of(job.problem.table());
  }
  const CountReading read = counts_read(job, least);
  LoadedProblem loaded{std::move(job.problem),
                       std::move(job.tables),
                       std::move(reasons),
                       {},
                       read,
                       std::move(by_hand),
                       {.rules = std::move(rules), .status_reading = std::move(job.status_reading)},
                       std::move(job.source)};
  loaded.attackers.persons_left_out = job.persons_left_out;
  return finished(std::move(loaded), sections, run, inputs);
}

// Counts of persons with a dimension that depends on another are not judged by halves; amounts and
// tables that others made are, with a note. [differencing] says how areas lie in each other.
Status check_nested(const jobfile::RecordJob& job,
                    const SensitiveTables& tables,
                    const RunContext& run) {
  if (job.differencing)
    return ok_status();
  const std::string text =
      table::nested_dimensions_text(tables.problem.table(), tables.tabulation.tables);
  if (!text.empty() && job.counted)
    return Error{ErrorCode::kContradiction, text, job.filename};
  if (!text.empty() && run.log)
    run.log(text);
  return ok_status();
}

Result<LoadedProblem> from_records(jobfile::RecordJob job,
                                   const RunContext& run,
                                   const Inputs& inputs,
                                   const Assessment& asked) {
  override_counts(job.counts, asked.counts);
  if (asked.keys && !is_by_engine(job))
    take_keys(job, *asked.keys);
  Sections sections{job.differencing,
                    job.counts,
                    std::nullopt,
                    {},
                    asked.known,
                    asked.counts.counts || asked.counts.any()};
  job.counts_later = sections.differencing || !asked.known.empty();
  LACUNA_TRY(SensitiveTables tables, tabulated(job, run, inputs));
  LACUNA_RETURN_IF_ERROR(check_nested(job, tables, run));
  sections.attackers = tables.report.attackers;
  LoadedProblem loaded = loaded_from(std::move(tables));
  if (!job.counts_later)
    return loaded;
  return finished(std::move(loaded), sections, run, inputs);
}

std::string in_folder(const JobAtHand& read, const std::string& name, const Inputs& inputs) {
  const bool held = inputs.is_held(name);
  return held ? name : (std::filesystem::path(read.folder) / name).string();
}

// The changes of contributors as a table of their own, by the rules of the job.
Result<std::optional<Problem>> difference_of(const jobfile::RecordJob& now,
                                             const jobfile::RecordJob& before,
                                             const RunContext& run,
                                             const Inputs& inputs,
                                             const Assessment& asked) {
  const auto opened = [&](const jobfile::RecordJob& job) -> Result<std::unique_ptr<RecordSource>> {
    LACUNA_TRY(auto source, inputs.records(job.records, job.is_frame ? "" : job.records));
    if (source)
      return source;
    return jobfile::open_records(job, run.threads);
  };
  LACUNA_TRY(const auto source, opened(now));
  LACUNA_TRY(const auto earlier, opened(before));
  LACUNA_TRY(const auto changes, changed_records(now, *source, *earlier));
  if (!changes)
    return std::optional<Problem>();
  jobfile::RecordJob job = now;
  job.tabulate.allow_negative = true;
  job.tabulate.round_values = false;
  job.tabulate.request = job.tabulate.waiver = "";
  job.tabulate.unique.clear();
  job.tabulate.keys = {};
  job.apriori.clear();
  const auto load = [&](const std::string& name) { return inputs.read(name); };
  LACUNA_TRY(SensitiveTables tables, tabulate_records(job, *changes, load, run));
  LACUNA_TRY(Problem problem, with_assessment(std::move(tables.problem), asked, inputs));
  return std::optional<Problem>(std::move(problem));
}

Status check_section(const JobSpec::Before& said,
                     const std::string& where,
                     const spec::ReadSpec& spec) {
  const auto error = [&](std::string message) {
    return Error{ErrorCode::kJobValue, std::move(message), where};
  };
  if (said.input.empty() || said.release.empty())
    return error(
        "[[before]] needs input, the table or records of the earlier period, and "
        "release, what readers have of it");
  if (said.differences != "" && said.differences != "rules" && said.differences != "none")
    return error("differences must be rules or none, not " + base::in_quotes(said.differences));
  if (spec.job.differencing)
    return error("[[before]] and [differencing] cannot be judged together");
  return ok_status();
}

Status check_release(const EarlierPeriod& period, const LoadedProblem& now) {
  const auto error = [&](std::string message) {
    return Error{ErrorCode::kJobValue, std::move(message), period.where};
  };
  if (period.release.adjusted())
    return error("an adjusted table gives no bounds, so changes since then cannot be judged");
  if (const Status fits = check_draft(period.problem.table(), period.release); !fits)
    return Error{ErrorCode::kOtherTable, fits.error().message, period.where};
  if (period.problem.counts() && period.release.count(StatementKind::kRounded) +
                                         period.release.count(StatementKind::kAltered) >
                                     0)
    return error(
        "changes since a release of counts with rounded or altered numbers are not "
        "judged");
  if (now.problem.table().dimensions().size() != period.problem.table().dimensions().size())
    return error("the earlier table has other dimensions");
  return ok_status();
}

// Where the table or records of an earlier period are, and its release.
struct PeriodFiles {
  std::string input, release;
};

jobfile::RecordJob records_of_period(const jobfile::RecordJob& now,
                                     const std::string& path,
                                     const Inputs& inputs) {
  jobfile::RecordJob before = now;
  before.records = path;
  before.is_frame = inputs.frames.contains(path);
  before.apriori.clear();
  return before;
}

// An earlier period: its table or records read as those of the job, and its release.
Result<EarlierPeriod> earlier_period(const JobAtHand& read,
                                     JobSpec::Before said,
                                     const std::string& where,
                                     const PeriodFiles& files,
                                     const LoadedProblem& now,
                                     const std::optional<jobfile::RecordJob>& records,
                                     const RunContext& run,
                                     const Inputs& inputs,
                                     const Assessment& given) {
  EarlierPeriod period;
  period.said = std::move(said);
  period.where = where;
  Assessment asked;
  asked.levels = given.levels;
  asked.zero_levels = given.zero_levels;
  asked.counts = given.counts;
  LoadedProblem loaded;
  if (records) {
    const jobfile::RecordJob before = records_of_period(*records, files.input, inputs);
    LACUNA_TRY(loaded, from_records(before, run, inputs, asked));
    if (period.said.differences != "none" && !records->counted) {
      LACUNA_TRY(period.difference, difference_of(*records, before, run, inputs, asked));
      period.by_records = true;
    }
  } else {
    spec::ReadSpec earlier = *read.spec;
    earlier.job.input.table = {{SpecSource::Kind::kFile, files.input}};
    const jobfile::FileLoader others = read.loader(inputs);
    LACUNA_TRY(jobfile::Job job, jobfile::job_of(earlier, [&](const std::string& name) {
                 return name == files.input ? inputs.read(name) : others(name);
               }));
    LACUNA_TRY(loaded, from_job(std::move(job), run, inputs, asked));
  }
  const CountReading counts = loaded.counts;
  LACUNA_TRY(period.problem,
             with_assessment(std::move(loaded.problem).take(), asked, inputs, counts));
  LACUNA_TRY(period.bounds,
             ChangeBounds::make(
                 period.said, period.where, period.problem.table(), read.loader(inputs)));
  LACUNA_TRY(period.release,
             load_release(files.release, period.problem, run, loaded.tables, inputs));
  LACUNA_RETURN_IF_ERROR(check_release(period, now));
  return period;
}

// One [[before]]. Of a period that was corrected since, readers know nothing by its changes: they
// know it of those since the correction.
Result<EarlierPeriod> named_period(const JobAtHand& read,
                                   std::size_t number,
                                   const LoadedProblem& now,
                                   const std::optional<jobfile::RecordJob>& records,
                                   const RunContext& run,
                                   const Inputs& inputs,
                                   const Assessment& given) {
  const JobSpec& job = read.spec->job;
  JobSpec::Before said = job.before[number];
  const std::string where = read.spec->places.where("before[" + std::to_string(number) + "]");
  LACUNA_RETURN_IF_ERROR(check_section(said, where, *read.spec));
  if (!said.revised_by.empty()) {
    const bool named = std::any_of(job.before.begin(), job.before.end(), [&](const auto& each) {
      return each.name == said.revised_by && each.name != said.name;
    });
    if (!named)
      return Error{ErrorCode::kJobValue,
                   "there is no [[before]] with the name " + base::in_quotes(said.revised_by) +
                       " that could revise this one",
                   where};
    said.change.clear();
    said.classes.clear();
    said.change_file.clear();
    said.cumulated = false;
  }
  const std::string input =
      records ? in_folder(read, said.input, inputs)
              : (inputs.frames.contains(said.input)
                     ? said.input
                     : (std::filesystem::path(read.folder) / said.input).string());
  const PeriodFiles files{input, in_folder(read, said.release, inputs)};
  return earlier_period(read, std::move(said), where, files, now, records, run, inputs, given);
}

// The files that the table is made of.
std::vector<std::string> inputs_of(const JobAtHand& read,
                                   const std::optional<jobfile::RecordJob>& records,
                                   const Inputs& inputs) {
  if (records)
    return records->records.empty() ? std::vector<std::string>() : std::vector{records->records};
  std::vector<std::string> all;
  for (const SpecSource& source : read.spec->job.input.table)
    all.push_back(source.kind == SpecSource::Kind::kFrame || inputs.is_held(source.name)
                      ? source.name
                      : (std::filesystem::path(read.folder) / source.name).string());
  return all;
}

// The latest release of each period that is compared is linked to the next one, and the two beside
// the table to the table.
struct ChainPlace {
  std::size_t entry = 0;
  bool later = false;
};
std::vector<ChainPlace> chain_of(const Stored& stored) {
  const auto& entries = stored.store.entries;
  std::vector<ChainPlace> chain;
  bool later = false;
  for (const std::size_t entry : stored.compared) {
    if (entries[entry].period == stored.period) {
      later = true;  // of its own period the table is the latest
      continue;
    }
    const auto last = std::find_if(
        stored.compared.rbegin(), stored.compared.rend(), [&](std::size_t other) {
          return entries[other].period == entries[entry].period;
        });
    if (*last == entry)
      chain.push_back({entry, later});
  }
  return chain;
}

// A stored period as a [[before]] with bounds of change: its whole table is part of the system.
Result<EarlierPeriod> linked_period(const JobAtHand& read,
                                    const Stored& stored,
                                    std::size_t entry,
                                    const LoadedProblem& now,
                                    const std::optional<jobfile::RecordJob>& records,
                                    const RunContext& run,
                                    const Inputs& inputs,
                                    const Assessment& given) {
  const store::StoreEntry& of = stored.store.entries[entry];
  JobSpec::Before said;
  static_cast<JobSpec::Changes&>(said) = stored.said;
  said.name = of.title();
  PeriodFiles files;
  for (const auto& [role, path] : {std::pair(store::kInput, &files.input),
                                   std::pair(store::kRelease, &files.release)}) {
    const store::KeptFile* kept = of.find(role);
    if (kept == nullptr)
      return Error{ErrorCode::kDamaged,
                   "the entry has no file of its " + std::string(role),
                   stored.store.log()};
    LACUNA_RETURN_IF_ERROR(store::read_kept(stored.store, of, *kept));
    *path = stored.store.path_of(of, *kept);
  }
  return earlier_period(
      read, std::move(said), stored.where, files, now, records, run, inputs, given);
}

// The periods of the store: in few cells where readers know nothing of changes, else as a chain.
Status read_store_periods(Together& together,
                          const JobAtHand& read,
                          const LoadedProblem& now,
                          const std::optional<jobfile::RecordJob>& records,
                          const RunContext& run,
                          const Inputs& inputs,
                          const Assessment& given) {
  if (!read.spec->job.store)
    return ok_status();
  if (read.spec->job.differencing)
    return read.spec->places.error("store", "[store] and [differencing] cannot be judged together");
  LACUNA_TRY(Stored stored,
             read_stored(*read.spec->job.store,
                         read.spec->places.where("store"),
                         read.folder,
                         inputs_of(read, records, inputs)));
  const JobSpec::Store& said = stored.said;
  const bool linked = said.cumulated || !said.change.empty() || !said.classes.empty() ||
                      !said.change_file.empty();
  const std::vector<ChainPlace> chain = linked ? chain_of(stored) : std::vector<ChainPlace>();
  const std::size_t first = together.before.size();
  for (std::size_t i = 0; i < chain.size(); ++i) {
    LACUNA_TRY(EarlierPeriod period,
               linked_period(read, stored, chain[i].entry, now, records, run, inputs, given));
    period.later = chain[i].later;
    if (!period.later && i + 1 < chain.size() && !chain[i + 1].later)
      period.chained = first + i + 1;
    if (period.later && i > 0 && chain[i - 1].later)
      period.chained = first + i - 1;
    together.before.push_back(std::move(period));
  }
  for (const std::size_t entry : stored.compared) {
    const bool is_linked = std::any_of(
        chain.begin(), chain.end(), [&](const ChainPlace& each) { return each.entry == entry; });
    if (is_linked || said.differences == "none")
      continue;
    LACUNA_TRY(StoredPeriod period, read_stored_period(stored, entry, now.problem.table()));
    if (records && !records->counted) {
      const store::StoreEntry& of = stored.store.entries[entry];
      const store::KeptFile* kept = of.find(store::kInput);
      if (kept == nullptr)
        return Error{ErrorCode::kDamaged, "the entry has no file of its input", period.where};
      LACUNA_RETURN_IF_ERROR(store::read_kept(stored.store, of, *kept));
      Assessment asked;
      asked.levels = given.levels;
      asked.zero_levels = given.zero_levels;
      const jobfile::RecordJob before =
          records_of_period(*records, stored.store.path_of(of, *kept), inputs);
      LACUNA_TRY(period.difference, difference_of(*records, before, run, inputs, asked));
      period.by_records = true;
    }
    stored.periods.push_back(std::move(period));
  }
  together.stored = std::move(stored);
  return ok_status();
}

// One [[shadow]]: the table or records of the job with its column in place of the value.
Result<ShadowVariable> shadow_variable(const JobAtHand& read,
                                       std::size_t number,
                                       const std::optional<jobfile::RecordJob>& records,
                                       const RunContext& run,
                                       const Inputs& inputs,
                                       const Assessment& given) {
  ShadowVariable variable;
  variable.said = read.spec->job.shadows[number];
  variable.where = read.spec->places.where("shadow[" + std::to_string(number) + "]");
  variable.by_records = records.has_value();
  const std::string& sensitive = variable.said.sensitive;
  const auto error = [&](std::string message) {
    return Error{ErrorCode::kJobValue, std::move(message), variable.where};
  };
  if (variable.said.name.empty())
    return error("[[shadow]] needs a name, which is the name of its column");
  if (sensitive != "" && sensitive != "same" && sensitive != "none" && sensitive != "rules")
    return error("sensitive must be same, rules or none, not " + base::in_quotes(sensitive));
  if (!records) {
    if (sensitive == "rules")
      return error("rules need the contributions of the variable: sensitive = \"rules\" is for "
                   "records");
    spec::ReadSpec other = *read.spec;
    JobSpec::Columns columns;
    columns.value = variable.said.name;
    other.job.columns = columns;
    other.job.rules.clear();
    other.job.counts.reset();
    other.job.named_attackers.clear();
    LACUNA_TRY(jobfile::Job job, jobfile::job_of(other, read.loader(inputs)));
    variable.problem = std::move(job.problem);
    return variable;
  }
  if (records->counted)
    return error("records are counted, so the table has no value that it could stand beside; "
                 "name the value in [columns]");
  jobfile::RecordJob other = *records;
  other.tabulate.value = variable.said.name;
  other.apriori.clear();
  Assessment asked;
  asked.levels = given.levels;
  asked.zero_levels = given.zero_levels;
  LACUNA_TRY(LoadedProblem loaded, from_records(std::move(other), run, inputs, asked));
  LACUNA_TRY(variable.problem, with_assessment(std::move(loaded.problem).take(), asked, inputs));
  variable.by_rules = sensitive.empty() || sensitive == "rules";
  return variable;
}

// All tables of a system have as many decimals.
Status match_decimals(LoadedProblem& loaded, Together& together) {
  int decimals = loaded.problem.table().decimals();
  for (const EarlierPeriod& period : together.before) {
    decimals = std::max(decimals, period.problem.table().decimals());
    if (period.difference)
      decimals = std::max(decimals, period.difference->table().decimals());
  }
  for (const ShadowVariable& variable : together.variables)
    decimals = std::max(decimals, variable.problem.table().decimals());
  if (together.stored) {
    for (const StoredPeriod& period : together.stored->periods)
      decimals = std::max({decimals,
                           period.decimals,
                           period.difference ? period.difference->table().decimals() : 0});
    for (StoredPeriod& period : together.stored->periods) {
      if (period.difference) {
        LACUNA_TRY(period.difference, with_decimals(*period.difference, decimals));
      }
    }
  }
  for (ShadowVariable& variable : together.variables) {
    LACUNA_TRY(variable.problem, with_decimals(variable.problem, decimals));
  }
  for (EarlierPeriod& period : together.before) {
    if (period.problem.table().decimals() < decimals && period.release.num_entries() > 0)
      for (const CellEntry& entry : period.release.each()) {
        if (entry.state() != StatementKind::kWithheld)
          return Error{ErrorCode::kUnsupported,
                       "the tables have different numbers of decimals; say decimals = " +
                           std::to_string(decimals) + " in [input]",
                       period.where};
      }
    LACUNA_TRY(period.problem, with_decimals(period.problem, decimals));
    if (period.difference) {
      LACUNA_TRY(period.difference, with_decimals(*period.difference, decimals));
    }
  }
  LACUNA_TRY(loaded.problem, with_decimals(loaded.problem.as_read(), decimals));
  return ok_status();
}

void add_unstated(const Recognised& found, const std::string& where, Together& together) {
  together.derived.push_back(found.column);
  together.places.push_back(where);
  together.populations.push_back(found.population);
  together.unstated.push_back(true);
}

// Columns of a release of which the job says nothing: what readers see is judged. Where a number
// does not agree it may be another column, and that is said.
void add_of_release(const std::string& path,
                    const Problem& problem,
                    const std::vector<std::string>& named,
                    const Inputs& inputs,
                    const RunContext& run,
                    Together& together) {
  std::string name = path;
  if (name.ends_with(".gz"))
    name.resize(name.size() - 3);
  const auto text = name.ends_with(".csv") ? inputs.read(path) : Result<std::string>(std::string());
  if (!text || text->empty())
    return;
  const auto file = files::CsvFile::parse(*text, path, files::likely_separator(*text));
  if (!file)
    return;  // whoever reads the release says why
  std::vector<std::string> others = named;
  for (const char* own : {"value", "state", "lower", "upper", "base", "steps", "status"})
    others.emplace_back(own);
  for (const JobSpec::Derived& column : together.derived)
    others.push_back(column.name);
  for (const Recognised& found : recognise_columns(*file, others, problem, together)) {
    const bool all = found.agree == found.numbers;
    if (all)
      add_unstated(found, path, together);
    if (run.log)
      run.log(path + ": " + recognised_text(found) +
              (all ? "; nobody states it, and it is judged as one of [[derived]]"
                   : "; nobody states it, and as not all agree it is not judged"));
  }
}

// What becomes of a column of the table that a job does not state, or that has no job.
std::string fate_of(const Recognised& found, bool published) {
  if (published)
    return "; it is published where its parts are";
  if (found.by_column)
    return "; it is not published: state it in [[derived]] if " +
           base::in_quotes(found.column.population) + " is public";
  return "; [[derived]] does not state it, so it is not published";
}

// Columns of the table itself. What is not stated in the job is not published; a table that was read
// without a job has nothing else to state it. A rate tells its population, which may be nobody's
// business: it is never published unasked.
void add_of_table(const spec::ReadSpec& spec,
                  const jobfile::FileLoader& load,
                  const Problem& problem,
                  bool alone,
                  const RunContext& run,
                  Together& together) {
  for (const Recognised& found : recognise_unstated(spec, problem, load, together)) {
    const bool published = alone && !found.by_column;
    if (published)
      add_unstated(found, spec.places.filename(), together);
    if (run.log)
      run.log(recognised_text(found) + fate_of(found, published));
  }
}

std::vector<std::string> names_of_columns(const JobSpec& job, const Table& table) {
  std::vector<std::string> names;
  for (const Dimension& dimension : table.dimensions())
    names.push_back(dimension.name());
  if (job.columns) {
    names.push_back(job.columns->value);
    names.push_back(job.columns->frequency);
    names.push_back(job.columns->weight);
    names.push_back(job.columns->status);
  }
  return names;
}

// ... and of those that sections of their own state.
std::vector<std::string> names_of_sections(const JobSpec& job, const Table& table) {
  std::vector<std::string> names = names_of_columns(job, table);
  for (const JobSpec::Derived& column : job.derived)
    names.push_back(column.name);
  for (const JobSpec::Shadow& variable : job.shadows)
    names.push_back(variable.name);
  return names;
}

// All that the job states beside its table.
Result<Together> stated_together(const JobAtHand& read,
                                 const LoadedProblem& loaded,
                                 const std::optional<jobfile::RecordJob>& records,
                                 const RunContext& run,
                                 const Inputs& inputs,
                                 const Assessment& asked) {
  const JobSpec& said = read.spec->job;
  LACUNA_TRY(Together together,
             read_derived_sections(*read.spec, loaded.problem.table(), read.loader(inputs)));
  for (std::size_t v = 0; v < said.shadows.size(); ++v) {
    LACUNA_TRY(together.variables.emplace_back(),
               shadow_variable(read, v, records, run, inputs, asked));
  }
  for (std::size_t k = 0; k < said.known_ratios.size(); ++k)
    together.ratios.push_back(
        {said.known_ratios[k],
         read.spec->places.where("known_ratio[" + std::to_string(k) + "]")});
  for (std::size_t p = 0; p < said.before.size(); ++p) {
    LACUNA_TRY(together.before.emplace_back(),
               named_period(read, p, loaded, records, run, inputs, asked));
  }
  LACUNA_RETURN_IF_ERROR(read_store_periods(together, read, loaded, records, run, inputs, asked));
  return together;
}

Result<LoadedProblem> from_any_job(const JobAtHand& read,
                                   const RunContext& run,
                                   const Inputs& inputs,
                                   const Assessment& asked) {
  LACUNA_TRY(const auto records, record_job(read, inputs));
  const JobSpec& said = read.spec->job;
  const bool alone = said.derived.empty() && said.before.empty() && !said.store &&
                     said.shadows.empty() && said.known_ratios.empty();
  LoadedProblem loaded;
  if (records) {
    LACUNA_TRY(loaded, from_records(*records, run, inputs, asked));
  } else {
    LACUNA_TRY(jobfile::Job job, jobfile::job_of(*read.spec, read.loader(inputs)));
    LACUNA_TRY(loaded, from_job(std::move(job), run, inputs, asked));
  }
  if (alone && loaded.problem.as_read().table().dimensions().empty())
    return loaded;
  Together together;
  if (!alone) {
    if (loaded.problem.table().dimensions().empty())
      return read.spec->places.error("input", "a table without codes has no derived numbers");
    LACUNA_TRY(together, stated_together(read, loaded, records, run, inputs, asked));
    LACUNA_RETURN_IF_ERROR(match_decimals(loaded, together));
  }
  if (!records)
    add_of_table(*read.spec, read.loader(inputs), loaded.problem.as_read(), false, run, together);
  if (!asked.derived.empty())
    add_of_release(asked.derived,
                   loaded.problem.as_read(),
                   names_of_sections(said, loaded.problem.as_read().table()),
                   inputs,
                   run,
                   together);
  if (!alone || !together.derived.empty())
    loaded.together = std::make_shared<const Together>(std::move(together));
  return loaded;
}

// A table file alone: what it says by itself is its job.
Result<LoadedProblem> from_table_file(const std::string& path,
                                      const std::string& bytes,
                                      const RunContext& run,
                                      const Inputs& inputs,
                                      const Assessment& asked) {
  LACUNA_TRY(const JobSpec said, inputs.choices.spec());
  LACUNA_TRY(infer::GuessedJob guessed, infer::guess_job(bytes, path, path, said));
  if (run.log)
    run.log(path + " was read without a job; lacuna inspect " + path + " shows how");
  log_all(guessed.notes, run);
  spec::ReadSpec spec{std::move(guessed.job), spec::SpecPlaces(path)};
  LACUNA_TRY(std::string policy, apply_policy(spec, "", inputs, asked.counts, run));
  LACUNA_TRY(jobfile::Job job,
             jobfile::job_of(spec, [&](const std::string&) { return Result<std::string>(bytes); }));
  LACUNA_TRY(LoadedProblem loaded, from_job(std::move(job), run, inputs, asked));
  loaded.basis.policy = std::move(policy);
  const Problem& problem = loaded.problem.as_read();
  if (problem.table().dimensions().empty())
    return loaded;
  auto together = std::make_shared<Together>();
  const auto load = [&](const std::string&) { return Result<std::string>(bytes); };
  add_of_table(spec, load, problem, true, run, *together);
  if (!asked.derived.empty())
    add_of_release(asked.derived,
                   problem,
                   names_of_columns(spec.job, problem.table()),
                   inputs,
                   run,
                   *together);
  if (!together->derived.empty())
    loaded.together = std::move(together);
  return loaded;
}

bool is_json_name(const std::string& path) {
  return path.ends_with(".json") || path.ends_with(".json.gz") || path.ends_with(".json.xz");
}

bool is_problem_name(const std::string& path) {
  return is_json_name(path) || path.ends_with(".jj") || path.ends_with(".jj.gz") ||
         path.ends_with(".jj.xz");
}

// Nothing if the file holds no table, or a problem by its name.
std::optional<Result<std::string>> bytes_of_table(const std::string& path, const Inputs& inputs) {
  if (is_problem_name(path) || files::is_stream(path))
    return std::nullopt;
  Result<std::string> bytes = inputs.read(path);
  if (bytes ? infer::is_table(*bytes, path) : infer::is_table_name(path))
    return bytes;
  return std::nullopt;
}

Status refuse_choices(const std::string& path, const Inputs& inputs) {
  if (!inputs.choices.policy.empty())
    return Error{ErrorCode::kOptionValue,
                 "what is asked of this table is settled already; a policy is applied where a "
                 "table, or a job, is read",
                 path};
  if (!inputs.choices.any())
    return ok_status();
  return Error{ErrorCode::kOptionValue,
               "this file already says what its columns are; options for reading a table are for "
               "tables and for jobs over tables",
               path};
}

Error unfit_for_known(const std::string& path) {
  return {ErrorCode::kUnsupported,
          "the requirements of this table are already fixed; give the job that it comes from "
          "together with " +
              base::named_option("known"),
          path};
}

}  // namespace

LoadedProblem loaded_from(SensitiveTables tables) {
  std::vector<std::string> reasons = reasons_of(tables.report);
  const std::int64_t lifted = lifted_in(tables.report);
  AttackerSummary attackers = summarize_attackers(tables.problem, tables.report.attackers);
  attackers.persons_left_out = tables.persons_left_out;
  attackers.covered =
      std::make_shared<const std::vector<Attacker>>(std::move(tables.report.covered));
  std::string rules = rules_text(tables.rules);
  return LoadedProblem{
      std::move(tables.problem),
      std::move(tables.tabulation.tables),
      std::move(reasons),
      std::move(attackers),
      tables.counts,
      std::move(tables.rules),
      {.rules = std::move(rules), .lifted = lifted, .policy = std::move(tables.policy)}};
}

VerdictBasis basis_of(const LoadedProblem& read,
                      const Problem& problem,
                      const CountAssessment& asked) {
  VerdictBasis basis = read.basis;
  basis.rules = rules_applied(basis.rules, problem);
  basis.read_as = read_as_text(asked, read.counts);
  return basis;
}

Result<std::optional<jobfile::RecordJob>> load_record_job(const std::string& path,
                                                          const RunContext& run) {
  const Inputs inputs;
  LACUNA_TRY(const JobAtHand read, job_at_hand(path, inputs, {}, run));
  return record_job(read, inputs);
}

Result<SensitiveTables> load_records(const std::string& path,
                                     const RunContext& run,
                                     const Inputs& inputs,
                                     const Assessment& asked) {
  LACUNA_TRY(const JobAtHand read, job_at_hand(path, inputs, asked, run));
  LACUNA_TRY(const auto records, record_job(read, inputs));
  if (!records) {
    return Error{ErrorCode::kMissingKey,
                 "this job is over a table; tabulate needs " +
                     base::named_setting("[input]", "records", "\"<file>\""),
                 path};
  }
  LACUNA_TRY(SensitiveTables tables, tabulated(*records, run, inputs));
  tables.policy = read.policy;
  return tables;
}

Result<LoadedProblem> load_tables(const std::string& path,
                                  const RunContext& run,
                                  const Inputs& inputs,
                                  const Assessment& asked) {
  if (const auto held = inputs.problems.find(path); held != inputs.problems.end()) {
    if (!asked.known.empty())
      return unfit_for_known(path);
    LACUNA_RETURN_IF_ERROR(refuse_choices(path, inputs));
    LoadedProblem copy = *held->second;
    copy.counts.settled = false;  // it was read for all that may be asked
    return copy;
  }
  if (inputs.jobs.contains(path) || jobfile::is_job_name(path)) {
    LACUNA_TRY(const JobAtHand read, job_at_hand(path, inputs, asked, run));
    LACUNA_TRY(LoadedProblem loaded, from_any_job(read, run, inputs, asked));
    loaded.basis.policy = read.policy;
    return loaded;
  }
  if (const auto table = bytes_of_table(path, inputs)) {
    LACUNA_TRY(const std::string bytes, *table);
    return from_table_file(path, bytes, run, inputs, asked);
  }
  std::vector<std::string> notes;
  auto read = jobfile::read_problem(path, &notes);
  if (!read && is_json_name(path)) {  // JSON of others
    const auto bytes = inputs.read(path);
    if (bytes && is_foreign(*bytes))
      return from_table_file(path, *bytes, run, inputs, asked);
  }
  LACUNA_TRY(Problem problem, std::move(read));
  LACUNA_RETURN_IF_ERROR(refuse_choices(path, inputs));
  log_all(notes, run);
  if (!asked.known.empty() && problem.counts())
    return unfit_for_known(path);
  return finished({std::move(problem), {}, {}, {}}, {{}, {}, {}, {}, asked.known}, run, inputs);
}

}  // namespace lacuna::load
