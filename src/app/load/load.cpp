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
#include "app/load/records.h"
#include "app/load/run_policy.h"
#include "app/load/table_rules.h"
#include "app/load/verdict_basis.h"
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
#include "lacuna/count_rules.h"

namespace lacuna::load {
namespace {

void log_all(const std::vector<std::string>& notes, const RunContext& run) {
  for (const std::string& note : notes) {
    if (run.log)
      run.log(note);
  }
}

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

enum class Kind { kPattern, kOwnJson, kOwnCsv, kPublished };  // of a file with a release

// A file with a release as text.
struct ReleaseText {
  std::string path, text;
  bool of_columns = false;
};

Kind kind_of(const ReleaseText& file, const Table& table) {
  const std::string& text = file.text;
  if (publish::is_public_json(text))
    return Kind::kOwnJson;
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  const bool json = first != std::string::npos && text[first] == '{';
  const bool csv = file.of_columns || file.path.ends_with(".csv") || file.path.ends_with(".csv.gz");
  if (json || (!csv && !publish::has_columns(text)))
    return Kind::kPattern;
  return publish::is_public_csv(text, table) ? Kind::kOwnCsv : Kind::kPublished;
}

// Neither separated text nor JSON of our own nor columns.
bool is_foreign(const std::string& bytes) {
  const formats::Format format = formats::recognise(bytes);
  return format != formats::Format::kUnknown && format != formats::Format::kJson &&
         format != formats::Format::kSdmxCsv && format != formats::Format::kParquet &&
         format != formats::Format::kArrow;
}

// A workbook or any other format and shape of tables, as one row per cell.
Result<std::string> shaped_release(std::string bytes,
                                   const std::string& path,
                                   const Table& table,
                                   const Inputs& inputs) {
  LACUNA_TRY(const JobSpec said, inputs.choices.spec());
  std::vector<std::string> names;
  for (const Dimension& dimension : table.dimensions())
    names.push_back(dimension.name());
  infer::ShapeChoice choice = infer::shape_choice_of(said);
  choice.codes.clear();
  return infer::release_as_csv(std::move(bytes), path, std::move(choice), names);
}

// A list of withheld cells is empty where nothing is withheld; no other file of a release is.
Result<ReleaseText> text_of_release(const std::string& path,
                                    const Table& table,
                                    const Inputs& inputs) {
  auto bytes = inputs.read(path);
  std::error_code unknown;
  const bool is_list = !path.ends_with(".csv") && !path.ends_with(".json") &&
                       !path.ends_with(".gz") && !files::is_column_file(path);
  if (!bytes && is_list && std::filesystem::is_regular_file(path, unknown) &&
      std::filesystem::file_size(path, unknown) == 0 && !unknown)
    return ReleaseText{path, "", false};
  if (!bytes)
    return bytes.error();
  if (is_foreign(*bytes)) {
    LACUNA_TRY(std::string text, shaped_release(*std::move(bytes), path, table, inputs));
    return ReleaseText{path, std::move(text), true};
  }
  const bool of_columns = files::holds_columns(*bytes, path);
  LACUNA_TRY(std::string text, files::columns_as_csv(*std::move(bytes), path));
  return ReleaseText{path, std::move(text), of_columns};
}

// Whether every number of the release that is published as it is is a multiple of the one base of
// the rounded ones, and the truth of none of these is: it may be a rule that readers know.
bool may_have_exact_multiples(const Table& table, const Draft& draft) {
  Units base = 0;
  for (const CellEntry& entry : draft.each()) {
    const auto* rounded = std::get_if<Rounded>(&entry.says);
    if (rounded == nullptr)
      continue;
    if ((base != 0 && rounded->base != base) || table.value(entry.cell) % rounded->base == 0)
      return false;
    base = rounded->base;
  }
  bool any = false;
  for (std::int32_t c = 0; c < table.num_cells() && base > 0; ++c) {
    const CellId cell{c};
    if (!draft.is_exact(cell) || table::is_unpublished(table.cell(cell)))
      continue;
    if (table.value(cell) % base != 0)
      return false;
    any = true;
  }
  return any;
}

void note_multiples(const std::string& path,
                    const Problem& problem,
                    const Draft& draft,
                    const RunContext& run) {
  if (problem.counts() && run.log && may_have_exact_multiples(problem.table(), draft))
    run.log(path +
            ": every count published exactly is a multiple of the base of the rounded ones; "
            "readers who know that multiples are published exactly know that no rounded count is a "
            "multiple, which is not judged");
}

Result<Draft> draft_of(const ReleaseText& file,
                       Problem& problem,
                       const files::TableView* view,
                       const infer::StatusWords& words,
                       const RunContext& run) {
  const std::string &path = file.path, &text = file.text;
  const Kind kind = kind_of(file, problem.table());
  if (kind == Kind::kPublished) {
    std::vector<std::string> notes;
    LACUNA_TRY(Draft draft,
               publish::read_published_csv(text, path, problem.table(), &notes, view, words));
    log_all(notes, run);
    return draft;
  }
  LACUNA_TRY(const int decimals,
             kind == Kind::kOwnCsv ? publish::public_csv_decimals(text, path, problem.table())
                                   : publish::pattern_decimals(text, path));
  if (decimals > problem.table().decimals()) {
    if (view != nullptr)
      return Error{ErrorCode::kOtherFormat,
                   "the tables of a release with more decimals than the input are read from one "
                   "file, without {table}",
                   path};
    LACUNA_TRY(problem, with_decimals(problem, decimals));
  }
  if (kind == Kind::kOwnCsv)
    return publish::read_public_csv(text, path, problem.table(), view);
  return kind == Kind::kOwnJson ? publish::read_public_json(text, path, problem.table(), view)
                                : publish::read_pattern(text, path, problem.table());
}

// What the user says of flags.
infer::StatusWords flag_words(const Inputs& inputs) {
  const auto said = inputs.choices.spec();
  return said ? infer::flag_words_in(said->input.means) : infer::StatusWords{};
}

// One file; with a view, of one table of several.
Result<Draft> load_file(const std::string& path,
                        Problem& problem,
                        const files::TableView* view,
                        const RunContext& run,
                        const Inputs& inputs) {
  LACUNA_TRY(const ReleaseText file, text_of_release(path, problem.table(), inputs));
  const infer::StatusWords words = flag_words(inputs);
  auto draft = draft_of(file, problem, view, words, run);
  if (draft || file.of_columns || !file.path.ends_with(".csv"))
    return draft ? std::move(draft) : inputs.placed(draft.error(), path);
  // One whose dimension stands in the heading, or with titles above.
  auto shaped = shaped_release(file.text, path, problem.table(), inputs);
  if (shaped && *shaped != file.text) {
    if (auto again = draft_of({path, *std::move(shaped), true}, problem, view, words, run))
      return again;
  }
  return inputs.placed(draft.error(), path);
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

Status check_section(const EarlierPeriod& period, const spec::ReadSpec& spec) {
  const auto error = [&](std::string message) {
    return Error{ErrorCode::kJobValue, std::move(message), period.where};
  };
  if (period.said.input.empty() || period.said.release.empty())
    return error(
        "[[before]] needs input, the table or records of the earlier period, and "
        "release, what readers have of it");
  if (period.said.differences != "" && period.said.differences != "rules" &&
      period.said.differences != "none")
    return error("differences must be rules or none, not " +
                 base::in_quotes(period.said.differences));
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

// One [[before]]: its table or records read as those of the job, and its release.
Result<EarlierPeriod> earlier_period(const JobAtHand& read,
                                     std::size_t number,
                                     const LoadedProblem& now,
                                     const std::optional<jobfile::RecordJob>& records,
                                     const RunContext& run,
                                     const Inputs& inputs,
                                     const Assessment& given) {
  EarlierPeriod period;
  period.said = read.spec->job.before[number];
  period.where = read.spec->places.where("before[" + std::to_string(number) + "]");
  LACUNA_RETURN_IF_ERROR(check_section(period, *read.spec));
  Assessment asked;
  asked.levels = given.levels;
  asked.zero_levels = given.zero_levels;
  asked.counts = given.counts;
  LoadedProblem loaded;
  if (records) {
    jobfile::RecordJob before = *records;
    before.records = in_folder(read, period.said.input, inputs);
    before.is_frame = inputs.frames.contains(before.records);
    before.apriori.clear();
    LACUNA_TRY(loaded, from_records(before, run, inputs, asked));
    if (period.said.differences != "none" && !records->counted) {
      LACUNA_TRY(period.difference, difference_of(*records, before, run, inputs, asked));
      period.by_records = true;
    }
  } else {
    spec::ReadSpec earlier = *read.spec;
    earlier.job.input.table = {{SpecSource::Kind::kFile, period.said.input}};
    LACUNA_TRY(jobfile::Job job, jobfile::job_of(earlier, read.loader(inputs)));
    LACUNA_TRY(loaded, from_job(std::move(job), run, inputs, asked));
  }
  const CountReading counts = loaded.counts;
  LACUNA_TRY(period.problem,
             with_assessment(std::move(loaded.problem).take(), asked, inputs, counts));
  LACUNA_TRY(period.release,
             load_release(in_folder(read, period.said.release, inputs),
                          period.problem,
                          run,
                          loaded.tables,
                          inputs));
  LACUNA_RETURN_IF_ERROR(check_release(period, now));
  return period;
}

// All tables of a system have as many decimals.
Status match_decimals(LoadedProblem& loaded, Together& together) {
  int decimals = loaded.problem.table().decimals();
  for (const EarlierPeriod& period : together.before) {
    decimals = std::max(decimals, period.problem.table().decimals());
    if (period.difference)
      decimals = std::max(decimals, period.difference->table().decimals());
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

Result<LoadedProblem> from_any_job(const JobAtHand& read,
                                   const RunContext& run,
                                   const Inputs& inputs,
                                   const Assessment& asked) {
  LACUNA_TRY(const auto records, record_job(read, inputs));
  const JobSpec& said = read.spec->job;
  const bool alone = said.derived.empty() && said.before.empty();
  LoadedProblem loaded;
  if (records) {
    LACUNA_TRY(loaded, from_records(*records, run, inputs, asked));
  } else {
    LACUNA_TRY(jobfile::Job job, jobfile::job_of(*read.spec, read.loader(inputs)));
    LACUNA_TRY(loaded, from_job(std::move(job), run, inputs, asked));
  }
  if (alone)
    return loaded;
  if (loaded.problem.table().dimensions().empty())
    return read.spec->places.error("input", "a table without codes has no derived numbers");
  LACUNA_TRY(Together together,
             read_derived_sections(*read.spec, loaded.problem.table(), read.loader(inputs)));
  for (std::size_t p = 0; p < said.before.size(); ++p) {
    LACUNA_TRY(together.before.emplace_back(),
               earlier_period(read, p, loaded, records, run, inputs, asked));
  }
  LACUNA_RETURN_IF_ERROR(match_decimals(loaded, together));
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

// No file lists what nobody publishes.
Draft without_unpublished(Draft draft, const Table& table) {
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const Cell& cell = table.cell(CellId{c});
    if (table::is_unpublished(cell) && may_be_withheld(cell) && draft.is_exact(CellId{c}))
      draft.withhold(CellId{c});
  }
  return draft;
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

Result<Draft> load_release(const std::string& path,
                           Problem& problem,
                           const RunContext& run,
                           std::span<const LinkedTable> tables,
                           const Inputs& inputs) {
  if (path.empty())
    return Draft::withholding_primaries(problem.table());
  if (!publish::is_per_table(path)) {
    LACUNA_TRY(Draft draft, load_file(path, problem, nullptr, run, inputs));
    note_multiples(path, problem, draft, run);
    return without_unpublished(std::move(draft), problem.table());
  }
  std::vector<bool> seen(static_cast<std::size_t>(problem.table().num_cells()), false);
  Draft all;
  for (const publish::OutputFile& file :
       publish::files_of_tables(path, problem.table(), tables, "table")) {
    const files::TableView& view = file.tables.front();
    LACUNA_TRY(const Draft draft, load_file(file.path, problem, &view, run, inputs));
    all.set_adjusted(all.adjusted() || draft.adjusted());
    for (const CellId cell : view.cells) {
      const auto index = static_cast<std::size_t>(cell.value);
      const auto now = draft.find(cell), before = all.find(cell);
      const bool same =
          (now == nullptr) == (before == nullptr) && (now == nullptr || *now == *before);
      if (seen[index] && !same)
        return Error{ErrorCode::kFalseRelease,
                     "another table says something else about " + problem.table().label(cell) +
                         ", which is in both: together they publish more than either",
                     file.path};
      seen[index] = true;
      if (now != nullptr)
        all.set(*now);
    }
  }
  note_multiples(path, problem, all, run);
  return without_unpublished(std::move(all), problem.table());
}

Result<Draft> load_earlier(const std::string& path,
                           const Table& table,
                           const RunContext& run,
                           const Inputs& inputs) {
  LACUNA_TRY(const ReleaseText file, text_of_release(path, table, inputs));
  const Kind kind = kind_of(file, table);
  auto earlier = kind == Kind::kOwnJson   ? publish::read_earlier_json(file.text, path, table)
                 : kind == Kind::kPattern ? publish::read_earlier_pattern(file.text, path, table)
                                          : publish::read_earlier_csv(file.text, path, table);
  if (!earlier)
    return inputs.placed(earlier.error(), path);
  if (earlier->gone > 0 && run.log)
    run.log(path + ": " + std::to_string(earlier->gone) +
            " cells are not cells of this table and are ignored");
  return std::move(earlier->draft);
}

Result<certificate::Certificate> load_certificate(const std::string& path,
                                                  Problem& problem,
                                                  const Inputs& inputs,
                                                  std::int64_t* withheld) {
  LACUNA_TRY(const std::string text, inputs.read(path));
  if (problem.asks_nothing()) {
    LACUNA_TRY(const certificate::Certificate alone,
               certificate::read_certified_release(text, path, problem));
    Problem asked = problem;
    const std::int64_t cells = ask_of_withheld(asked, alone.draft);
    if (cells > 0 && alone.problem_sha256 == certificate::problem_digest(asked)) {
      problem = std::move(asked);
      if (withheld != nullptr)
        *withheld = cells;
    }
  }
  LACUNA_TRY(certificate::Certificate certificate,
             certificate::read_certificate(text, path, problem));
  if (certificate.problem_sha256 != certificate::problem_digest(problem))
    return Error{ErrorCode::kOtherTable, "the certificate is for another table", path};
  if (certificate.decimals > problem.table().decimals()) {
    LACUNA_TRY(problem, with_decimals(problem, certificate.decimals));
  }
  return certificate;
}

Result<AuditReport> confirm_certificate(const certificate::Certificate& certificate,
                                        const std::string& path,
                                        const Problem& problem) {
  auto confirmed = confirm(problem, certificate.draft, certificate.claimed);
  if (confirmed)
    return confirmed;
  Error error = confirmed.error();
  error.where = path + (error.where.empty() ? "" : ": " + error.where);
  return error;
}

}  // namespace lacuna::load
