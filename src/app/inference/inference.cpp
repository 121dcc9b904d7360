// SPDX-License-Identifier: Apache-2.0
#include "app/inference/inference.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <utility>

#include "core/base/decimal.h"
#include "core/base/exact.h"
#include "core/base/index.h"
#include "core/base/nearest.h"
#include "core/base/quotes.h"
#include "core/base/rational.h"
#include "core/base/readable.h"
#include "core/table/check_counts.h"
#include "data/infer/shape_choice.h"
#include "data/infer/table_guess.h"
#include "data/jobfile/published_table.h"
#include "data/jobfile/record_job.h"
#include "data/spec/spec_text.h"

namespace lacuna::inference {
namespace {

constexpr int kMoreDecimals = 3;  // that a table that fits may need beyond those published

// ---- reading

// How far a published number may be from the truth, as text: half the base of a rounding.
Result<std::string> slack_text(const KnowledgeOptions& knowledge) {
  if (knowledge.rounded_to.empty() || knowledge.rounded_to == "none")
    return std::string();
  if (knowledge.rounding != Rounding::kNearest)
    return knowledge.rounded_to;
  LACUNA_TRY(const int decimals, base::decimals_needed(knowledge.rounded_to));
  LACUNA_TRY(const Units base, base::parse_units(knowledge.rounded_to, decimals + 1));
  return base::format_units(base / 2, decimals + 1);
}

Result<spec::ReadSpec> spec_of(const std::string& path,
                               const load::Inputs& inputs,
                               const JobSpec& said,
                               const std::string& slack) {
  if (jobfile::is_job_name(path)) {
    LACUNA_TRY(std::string text, inputs.read(path));
    LACUNA_TRY(spec::ReadSpec spec, spec::read_spec_toml(std::move(text), path));
    LACUNA_RETURN_IF_ERROR(inputs.choices.add_to(spec.job));
    return spec;
  }
  LACUNA_TRY(std::string bytes, inputs.read(path));
  LACUNA_TRY(infer::GuessedJob guessed,
             infer::guess_published(std::move(bytes), path, path, said, slack));
  return spec::ReadSpec{std::move(guessed.job), spec::SpecPlaces(path)};
}

Result<std::vector<jobfile::PublishedTable>> read_all(const std::vector<std::string>& files,
                                                      const load::Inputs& inputs,
                                                      const KnowledgeOptions& knowledge) {
  LACUNA_TRY(const JobSpec said, inputs.choices.spec());
  LACUNA_TRY(const std::string slack, slack_text(knowledge));
  std::vector<jobfile::PublishedTable> tables;
  for (const std::string& path : files) {
    LACUNA_TRY(const spec::ReadSpec spec, spec_of(path, inputs, said, slack));
    const std::filesystem::path folder =
        jobfile::is_job_name(path) ? std::filesystem::path(path).parent_path() : "";
    const auto load = [&](const std::string& name) {
      return inputs.read(name == path || inputs.is_held(name) ? name : (folder / name).string());
    };
    auto read = jobfile::read_published(spec, load);
    if (!read)
      return inputs.placed(read.error(), path);
    for (jobfile::PublishedTable& table : read.value()) {
      for (jobfile::PublishedDimension& dimension : table.dimensions)
        dimension.stated = jobfile::is_job_name(path);
      tables.push_back(std::move(table));
    }
  }
  return tables;
}

// ---- what is asked

Result<Protection> protection_of(const std::string& text, int decimals) {
  Protection protection;
  protection.text = text;
  if (text.empty())
    return protection;
  protection.percent = text.ends_with('%');
  const std::string number = text.substr(0, text.size() - (protection.percent ? 1 : 0));
  const auto amount = base::parse_fraction(number);
  if (!amount || *amount < 0 || (protection.percent && *amount >= 100))
    return Error{ErrorCode::kOptionValue,
                 base::in_quotes(text) + " must be a number of percent below 100%, or a number",
                 "--protection"};
  protection.amount = protection.percent ? mpq_class(*amount / 100)
                                         : mpq_class(*amount * base::ten_to_the(decimals));
  return protection;
}

// Which blanks count: by what is printed in their place, or by a code.
class Chosen {
 public:
  static Result<Chosen> make(const std::vector<std::string>& texts, const System& system) {
    Chosen chosen;
    for (const std::string& text : texts)
      LACUNA_RETURN_IF_ERROR(chosen.add(text, system));
    return chosen;
  }

  bool has(const SystemCell& cell) const {
    if (signs_.empty() && codes_.empty())
      return true;
    if (std::find(signs_.begin(), signs_.end(), cell.sign) != signs_.end())
      return true;
    return std::any_of(codes_.begin(), codes_.end(), [&](const auto& each) {
      return cell.codes[each.first] == each.second;
    });
  }

 private:
  Status add(const std::string& text, const System& system) {
    for (std::size_t d = 0; d < system.dimensions.size(); ++d) {
      const SystemDimension& dimension = system.dimensions[d];
      if (!text.starts_with(dimension.name + "="))
        continue;
      const std::string code = text.substr(dimension.name.size() + 1);
      const auto at = std::find(dimension.codes.begin(), dimension.codes.end(), code);
      const std::vector<std::string_view> known(dimension.codes.begin(), dimension.codes.end());
      if (at == dimension.codes.end())
        return Error{ErrorCode::kUnknownCode,
                     "the dimension " + dimension.name + " has no code " + base::in_quotes(code) +
                         base::did_you_mean(code, known),
                     "--sensitive"};
      codes_.emplace_back(d, static_cast<std::int32_t>(at - dimension.codes.begin()));
      return ok_status();
    }
    const auto has_sign = [&](const SystemCell& cell) {
      return cell.told != Told::kNumber && cell.told != Told::kRest && cell.sign == text;
    };
    const bool stands = std::any_of(system.cells.begin(), system.cells.end(), has_sign);
    if (!stands)
      return Error{ErrorCode::kOptionValue,
                   "no blank has the sign " + base::in_quotes(text) +
                       ", and no dimension is called so: write a sign, or DIMENSION=CODE",
                   "--sensitive"};
    signs_.push_back(text);
    return ok_status();
  }

  std::vector<std::string> signs_;
  std::vector<std::pair<std::size_t, std::int32_t>> codes_;
};

// What is published with the least correction: then some table fits.
System corrected(System system, const Fit& fit) {
  for (const Correction& each : fit.corrections) {
    Bounds& known = system.cells[base::at(each.cell)].known;
    known = known.is_point()
                ? Bounds{each.value, each.value}
                : Bounds{std::min(known.lower, each.value), std::max(known.upper, each.value)};
  }
  return system;
}

Result<Table> table_of(const System& system, const Fit& fit, int decimals) {
  TableBuilder builder(decimals);
  for (std::size_t c = 0; c < system.cells.size(); ++c) {
    Cell cell;
    cell.value = fit.values[c];
    cell.prior = system.cells[c].known;
    if (cell.prior.is_point())
      cell.status = CellStatus::kKnown;
    LACUNA_RETURN_IF_ERROR(builder.add_cell(cell));
  }
  for (const Sum& sum : system.sums)
    LACUNA_RETURN_IF_ERROR(builder.add_equation(sum.terms));
  return std::move(builder).build();
}

// Numbers that were rounded are no blanks; what the sums tell of them is asked with `all`.
bool is_asked(const SystemCell& cell, bool all) {
  if (cell.known.is_point() || cell.told == Told::kRest)
    return false;
  return all || cell.told != Told::kNumber;
}

struct Asked {
  std::shared_ptr<const Problem> problem;
  Draft draft;
};

Result<Asked> ask(const System& system, const Fit& fit, int decimals, bool counts, bool all) {
  LACUNA_TRY(Table table, table_of(system, fit, decimals));
  std::vector<Requirement> needs;
  CountRules rules;
  rules.threshold = 1;
  Asked asked;
  for (std::size_t c = 0; c < system.cells.size(); ++c) {
    const CellId cell{static_cast<std::int32_t>(c)};
    if (!system.cells[c].known.is_point())
      asked.draft.withhold(cell);
    if (!is_asked(system.cells[c], all))
      continue;
    Requirement need;
    need.cell = cell;
    need.sliding = 1;
    needs.push_back(need);
    rules.questions.push_back({CountKind::kExact, 0, cell, CellId{-1}, table::form_of_cell(cell)});
  }
  LACUNA_TRY(Problem problem, make_problem(std::move(table), {outsider()}, std::move(needs)));
  if (counts)
    LACUNA_RETURN_IF_ERROR(problem.set_counts(std::move(rules)));
  asked.problem = std::make_shared<const Problem>(std::move(problem));
  return asked;
}

// ---- what was found

InferredBound bound_of(Units value, Bounds known, Direction direction, const End& end) {
  InferredBound bound;
  const mpz_class here = base::to_integer(value);
  if (end.unbounded) {
    bound.exact = true;
    return bound;
  }
  bound.possible = Fraction(mpq_class(here + sign(direction) * end.reached));
  if (end.has_bound)
    bound.at = Fraction(mpq_class(here + sign(direction) * end.bound));
  else if (direction == Direction::kLow ? known.has_lower() : known.has_upper())
    bound.at = Fraction(
        mpq_class(base::to_integer(direction == Direction::kLow ? known.lower : known.upper)));
  bound.exact = end.exact();
  return bound;
}

InferredRange range_of(const Table& table, const Finding& finding) {
  const CellId cell = finding.question.cell;
  const Units value = table.value(cell);
  const Bounds known = table.cell(cell).prior;
  return {bound_of(value, known, Direction::kLow, finding.low),
          bound_of(value, known, Direction::kHigh, finding.high)};
}

// Whether a reader who takes the number between the ends knows it as closely as must not be.
bool is_close(const Protection& protection, const Fraction& low, const Fraction& high) {
  if (low == high)
    return true;
  if (protection.text.empty())
    return false;
  const mpq_class width = high - low;
  if (!protection.percent)
    return width < 2 * base::gmp(protection.amount);
  if (low.sign() < 0 && high.sign() > 0)
    return false;
  const mpq_class sum = low + high;
  return width < base::gmp(protection.amount) * abs(sum);
}

Narrowness narrowness_of(const Protection& protection, const InferredRange& range) {
  const InferredBound &low = range.low, &high = range.high;
  if (low.at && high.at) {
    if (*low.at == *high.at)
      return Narrowness::kExact;
    if (is_close(protection, *low.at, *high.at))
      return Narrowness::kNarrow;
  }
  if (range.exact() || !low.possible || !high.possible)
    return Narrowness::kWide;
  return is_close(protection, *low.possible, *high.possible) ? Narrowness::kUnclear
                                                             : Narrowness::kWide;
}

// Half the width over the middle; infinite where an end is missing or has another sign.
double relative_width(const InferredRange& range) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  if (!range.low.at || !range.high.at)
    return kInfinite;
  const double low = range.low.at->to_double(), high = range.high.at->to_double();
  if (*range.low.at == *range.high.at)
    return -1;
  return low + high == 0 ? kInfinite : std::abs((high - low) / (high + low));
}

double width(const InferredRange& range) {
  if (!range.low.at || !range.high.at)
    return std::numeric_limits<double>::infinity();
  return range.high.at->to_double() - range.low.at->to_double();
}

void rank(std::vector<InferredCell>& cells) {
  std::stable_sort(cells.begin(), cells.end(), [](const InferredCell& a, const InferredCell& b) {
    const std::pair<double, double> of_a(relative_width(a.best()), width(a.best()));
    const std::pair<double, double> of_b(relative_width(b.best()), width(b.best()));
    return of_a < of_b;
  });
}

std::vector<InferredCell> cells_of(const Inference& made, const Chosen& chosen) {
  std::vector<InferredCell> cells;
  const auto real = made.report.of(Domain::kRational);
  const auto whole = made.report.of(Domain::kInteger);
  for (std::size_t i = 0; i < real.size(); ++i) {
    InferredCell each;
    each.cell = real[i].question.cell.value;
    each.finding = i;
    each.sensitive = chosen.has(made.system.cells[base::at(each.cell)]);
    each.real = range_of(made.problem->table(), real[i]);
    if (i < whole.size())
      each.whole = range_of(made.problem->table(), whole[i]);
    each.narrowness = narrowness_of(made.protection, each.best());
    cells.push_back(std::move(each));
  }
  rank(cells);
  return cells;
}

// The system and a table that fits it. Where whole units leave none, finer ones are tried.
Status find_fit(const std::vector<jobfile::PublishedTable>& tables,
                const InferenceOptions& options,
                const RunContext& run,
                Inference& made) {
  for (int more = 0; more <= kMoreDecimals; ++more) {
    LACUNA_TRY(const Knowledge known, Knowledge::make(options.knowledge, tables, more));
    LACUNA_TRY(made.system, make_system(tables, known, options.knowledge.absent));
    made.decimals = known.decimals();
    made.counts = known.counts();
    made.everywhere = known.everywhere();
    LACUNA_TRY(made.fit, fit(made.system, made.everywhere, options.engine, run));
    if (made.fit.found)
      return ok_status();
    if (made.counts)
      break;
  }
  return Error{ErrorCode::kUnsupported,
               "no table was found that fits these numbers, which does not say that there is none; "
               "leave out files, or name what is rounded (--rounded-to)",
               made.system.files.front()};
}

}  // namespace

std::string_view to_string(Narrowness narrowness) {
  switch (narrowness) {
    case Narrowness::kExact:
      return "exact";
    case Narrowness::kNarrow:
      return "narrow";
    case Narrowness::kUnclear:
      return "unclear";
    case Narrowness::kWide:
      return "wide";
  }
  return "";
}

std::size_t Inference::count(Narrowness narrowness) const {
  return static_cast<std::size_t>(
      std::count_if(cells.begin(), cells.end(), [&](const InferredCell& each) {
        return each.sensitive && each.narrowness == narrowness;
      }));
}

bool Inference::is_too_narrow() const {
  return count(Narrowness::kExact) + count(Narrowness::kNarrow) + count(Narrowness::kUnclear) > 0;
}

Result<Inference> infer(const std::vector<std::string>& files,
                        const load::Inputs& inputs,
                        const InferenceOptions& options,
                        const RunContext& run) {
  const auto begin = std::chrono::steady_clock::now();
  LACUNA_TRY(std::vector<jobfile::PublishedTable> tables,
             read_all(files, inputs, options.knowledge));
  Inference made;
  made.knowledge = options.knowledge;
  LACUNA_RETURN_IF_ERROR(find_fit(tables, options, run, made));
  LACUNA_TRY(made.protection, protection_of(options.protection, made.decimals));
  LACUNA_TRY(const Chosen chosen, Chosen::make(options.sensitive, made.system));
  const System consistent = corrected(made.system, made.fit);
  LACUNA_TRY(const Asked asked, ask(consistent, made.fit, made.decimals, made.counts, options.all));
  made.problem = asked.problem;
  made.draft = asked.draft;
  AuditOptions audit;
  audit.engine = options.engine;
  LACUNA_TRY(made.report, Auditor(made.problem).audit(made.draft, audit, run));
  for (const jobfile::PublishedTable& table : tables) {
    for (const std::string& note : table.notes)
      made.system.notes.push_back(table.file + ": " + note);
  }
  made.cells = cells_of(made, chosen);
  made.tables = std::move(tables);
  made.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return made;
}

std::string bound_text(const Inference& inference, const InferredBound& bound) {
  return bound.at ? base::format_fraction(base::gmp(*bound.at), inference.decimals) : "unbounded";
}

std::string closeness_text(const InferredRange& range) {
  const double relative = relative_width(range);
  if (!(relative <= 1) || (range.low.at->sign() < 0 && range.high.at->sign() > 0))
    return "";
  return base::readable_percent(100 * std::max(relative, 0.0));
}

std::string range_text(const Inference& inference, const InferredRange& range) {
  return "[" + bound_text(inference, range.low) + ", " + bound_text(inference, range.high) + "]";
}

}  // namespace lacuna::inference
