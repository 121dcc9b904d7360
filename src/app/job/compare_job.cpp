// SPDX-License-Identifier: Apache-2.0
// Compare: the same table protected by several methods, side by side: information loss (the four
// measures of the thesis), utility, risk. Every release is audited; a method that fails has a row
// with the reason.
#include <fmt/core.h>

#include <chrono>
#include <cmath>
#include <filesystem>

#include "app/job/base_choice.h"
#include "app/job/file_roles.h"
#include "app/job/guess_text.h"
#include "app/job/jobs.h"
#include "app/load/load.h"
#include "app/load/prepare.h"
#include "app/load/provenance.h"
#include "app/load/verdict_basis.h"
#include "app/report/assurance.h"
#include "app/report/methods_page.h"
#include "core/base/decimal.h"
#include "core/base/json_writer.h"
#include "core/base/readable.h"
#include "data/files/file.h"
#include "lacuna/audit.h"
#include "lacuna/report.h"

namespace lacuna::job {
namespace {

struct Compared {
  std::string method, status, verdict, failure;
  int decimals = 0;
  double objective = 0, bound = 0, seconds = 0, width = 0, value = 0;
  bool reproducible = true;
  std::int64_t work = 0;
  InformationLoss loss;
  Utility utility;
  Risk risk;
  GuessesOfRun guesses;
  std::optional<CountMeasures> counts;
};

Status measure(const std::shared_ptr<const Problem>& given,
               const CompareJob& job,
               const RunContext& run,
               Compared& row) {
  ProtectOptions options = job.options;
  LACUNA_RETURN_IF_ERROR(set_option(options, "method", row.method));
  if (!options.round.base)
    options.round.base = options.small_counts.base = suggested_base(*given);
  const auto start = std::chrono::steady_clock::now();
  RunContext limited = with_work(with_progress(run), job.work);
  if (job.seconds > 0)
    limited.deadline = start + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                   std::chrono::duration<double>(job.seconds));
  LACUNA_TRY(const ProtectResult found, protect(given, options, limited));
  row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  row.status = to_string(found.why);
  row.reproducible = found.reproducible;
  row.work = found.work;
  row.objective = found.cost;
  row.bound = found.bound;
  if (!found.reason.empty())
    return Error{ErrorCode::kUnsupported, found.reason, ""};
  if (!found.complete)
    return Error{ErrorCode::kStopped, "no complete result within the limit", ""};
  LACUNA_TRY(const auto audited, problem_to_audit(given, found));
  RunContext audit_run = run;
  audit_run.on_progress = limited.on_progress;
  AuditOptions exact;
  exact.all_withheld = true;
  exact.engine = options.engine;
  exact.hints = found.witnesses;
  LACUNA_TRY(const AuditReport report, Auditor(audited).audit(found.draft, exact, audit_run));
  row.verdict = to_string(report.verdict);
  row.decimals = audited->table().decimals();
  row.loss = information_loss(*audited, found.draft, report);
  row.utility = release_utility(*audited, found.draft, report);
  row.risk = release_risk(*audited, found.draft, report);
  row.guesses = guesses_of(*audited, found, report, job.near);
  row.counts = count_measures(audited->table(), found.draft);
  const double unit = base::units_to_double(1, row.decimals);
  row.width = row.loss.width.to_double() * unit;
  row.value = static_cast<double>(row.loss.value) * unit;
  return ok_status();
}

// "0 (was 66.7)": the share of the sensitive cells, and before the intervals were moved.
std::string guess_share(const GuessesOfRun& guesses, std::int64_t Guesses::*count) {
  const auto text = [&](const Guesses& each) {
    return fmt::format("{:.3g}", each.share(each.*count));
  };
  return report::figure_text(guesses.now.state(), text(guesses.now)) +
         (guesses.before ? " (was " + text(*guesses.before) + ")" : "");
}

std::string number_text(double number) {
  return base::grouped(std::string_view(fmt::format("{:.10g}", number)));
}

std::string ratio_text(const Risk& risk, double ratio) {
  if (risk.requirements > 0 && risk.requirements == risk.unbounded)
    return "unbounded";
  return report::figure_text(risk.state(), fmt::format("{:.3f}", ratio));
}

// Of a table of counts; what is none has none.
std::string count_text(const Compared& row, std::string (*text)(const CountMeasures& counts)) {
  return row.counts ? text(*row.counts) : std::string("-");
}

// Mean, 90 and 99 % and largest: "0.3 / 1 / 2 / 3".
std::string distances_text(const CountDistances& d) {
  return fmt::format("{:.3g}/{:.3g}/{:.3g}/{:.3g}", d.mean, d.deciles[8], d.q99, d.most);
}

// One line per measure: its name and the text for a row that has a release.
struct Measure {
  const char* name;
  std::string (*text)(const Compared& row);
};

const Measure kMeasures[] = {
    {"verdict", [](const Compared& row) { return row.verdict; }},
    {"status", [](const Compared& row) { return row.status; }},
    {"objective", [](const Compared& row) { return number_text(row.objective); }},
    {"bound", [](const Compared& row) { return number_text(row.bound); }},
    {"loss I: cells", [](const Compared& row) { return base::grouped(row.loss.cells); }},
    {"loss II: value", [](const Compared& row) { return number_text(row.value); }},
    {"loss III: width",
     [](const Compared& row) { return report::width_text(row.loss, number_text(row.width)); }},
    {"loss IV: contributions",
     [](const Compared& row) {
       return row.loss.has_contributions ? base::grouped(row.loss.contributions)
                                         : std::string("not known");
     }},
    {"mean deviation, %",
     [](const Compared& row) {
       return report::figure_text(row.utility.state(),
                                  fmt::format("{:.4f}", row.utility.mean_percent));
     }},
    {"largest deviation, %",
     [](const Compared& row) {
       return report::figure_text(
           row.utility.state(),
           base::grouped(std::string_view(fmt::format("{:.2f}", row.utility.max_percent))));
     }},
    {"cells without estimate",
     [](const Compared& row) { return std::to_string(row.utility.without); }},
    {"width / required, least",
     [](const Compared& row) { return ratio_text(row.risk, row.risk.least_ratio); }},
    {"width / required, mean",
     [](const Compared& row) { return ratio_text(row.risk, row.risk.mean_ratio); }},
    {"requirements just met", [](const Compared& row) { return std::to_string(row.risk.tight); }},
    {"sensitive, near guess, %",
     [](const Compared& row) { return guess_share(row.guesses, &Guesses::near); }},
    {"sensitive, exact guess, %",
     [](const Compared& row) { return guess_share(row.guesses, &Guesses::exact); }},
    {"d1: mean/90/99/100 %",
     [](const Compared& row) {
       return count_text(row, [](const CountMeasures& m) { return distances_text(m.d1); });
     }},
    {"d2, relative",
     [](const Compared& row) {
       return count_text(row, [](const CountMeasures& m) { return distances_text(m.d2); });
     }},
    {"d3, of roots",
     [](const Compared& row) {
       return count_text(row, [](const CountMeasures& m) { return distances_text(m.d3); });
     }},
    {"false zeros, non-zeros",
     [](const Compared& row) {
       return count_text(row, [](const CountMeasures& m) {
         return fmt::format("{}, {}", m.false_zeros, m.false_nonzeros);
       });
     }},
    {"Hellinger utility",
     [](const Compared& row) {
       return count_text(
           row, [](const CountMeasures& m) { return fmt::format("{:.4f}", m.hellinger_utility); });
     }},
    {"largest gap of a sum",
     [](const Compared& row) {
       return count_text(row, [](const CountMeasures& m) { return base::grouped(m.largest_gap); });
     }},
    {"another run",
     [](const Compared& row) { return std::string(row.reproducible ? "the same" : "may differ"); }},
    {"work, million units",
     [](const Compared& row) {
       return fmt::format("{:.3f}", static_cast<double>(row.work) / 1e6);
     }},
    {"seconds", [](const Compared& row) { return fmt::format("{:.3f}", row.seconds); }},
};

std::string failures_text(const std::vector<Compared>& rows, const char* before) {
  std::string out;
  for (const Compared& row : rows) {
    if (!row.failure.empty())
      out += fmt::format("{}{}: {}\n", before, row.method, row.failure);
  }
  return out;
}

std::string entry(const Measure& measure, const Compared& row) {
  return row.failure.empty() ? measure.text(row) : std::string("-");
}

// As wide as its longest entry needs, with two blanks before it.
std::size_t width_of(const Compared& row) {
  constexpr std::size_t kLeast = 16;
  std::size_t width = std::max(kLeast, row.method.size() + 2);
  for (const Measure& measure : kMeasures)
    width = std::max(width, entry(measure, row).size() + 2);
  return width;
}

std::string as_text(const std::vector<Compared>& rows) {
  std::vector<std::size_t> widths;
  std::transform(rows.begin(), rows.end(), std::back_inserter(widths), width_of);
  std::string out = fmt::format("{:<26}", "");
  for (std::size_t i = 0; i < rows.size(); ++i)
    out += fmt::format("{:>{}}", rows[i].method, widths[i]);
  out += "\n";
  for (const Measure& measure : kMeasures) {
    out += fmt::format("{:<26}", measure.name);
    for (std::size_t i = 0; i < rows.size(); ++i)
      out += fmt::format("{:>{}}", entry(measure, rows[i]), widths[i]);
    out += "\n";
  }
  return out + failures_text(rows, "failed: ");
}

std::string as_markdown(const std::vector<Compared>& rows) {
  std::string out = "| |", rule = "|---|";
  for (const Compared& row : rows) {
    out += fmt::format(" {} |", row.method);
    rule += "---:|";
  }
  out += "\n" + rule + "\n";
  for (const Measure& measure : kMeasures) {
    out += fmt::format("| {} |", measure.name);
    for (const Compared& row : rows)
      out += fmt::format(" {} |", entry(measure, row));
    out += "\n";
  }
  const std::string failures = failures_text(rows, "- failed: ");
  return out + (failures.empty() ? "" : "\n" + failures);
}

void write_figures(base::JsonWriter& json, const Utility& utility) {
  json.object([&] {
    json.member("mean_percent", report::figure_value(utility.state(), utility.mean_percent));
    json.member("max_percent", report::figure_value(utility.state(), utility.max_percent));
    json.member("cells", utility.cells).member("without", utility.without);
    json.member("changed", utility.changed).member("state", to_string(utility.state()));
  });
}

void write_figures(base::JsonWriter& json, const Risk& risk) {
  json.object([&] {
    json.member("requirements", risk.requirements).member("unbounded", risk.unbounded);
    json.member("tight", risk.tight);
    json.member("least_ratio", report::figure_value(risk.state(), risk.least_ratio));
    json.member("mean_ratio", report::figure_value(risk.state(), risk.mean_ratio));
    json.member("state", to_string(risk.state()));
  });
}

void write_figures(base::JsonWriter& json, const GuessesOfRun& guesses) {
  json.object([&] {
    for (const auto& [name, value] : guess_details(guesses))
      json.member(name, value);
    json.member("state", to_string(guesses.now.state()));
  });
}

void write_row(base::JsonWriter& json, const Compared& row) {
  json.member("method", row.method);
  if (!row.failure.empty()) {
    json.member("status", "none").member("message", row.failure);
    return;
  }
  json.member("status", row.status).member("verdict", row.verdict);
  json.member("objective", row.objective).member("bound", row.bound);
  json.member("reproducible", row.reproducible).member("work", row.work);
  json.key("seconds").fixed(row.seconds, 6);
  json.key("information_loss").raw(information_loss_json(row.loss, row.decimals));
  write_figures(json.key("utility"), row.utility);
  write_figures(json.key("risk"), row.risk);
  write_figures(json.key("guesses"), row.guesses);
  if (row.counts)
    json.key("counts").raw(count_measures_json(*row.counts));
}

std::string as_json(const std::vector<Compared>& rows, const load::VerdictBasis& basis) {
  const auto write = [&](base::JsonWriter& json) {
    json.key("methods").list(
        rows, [&](const Compared& row) { json.line().object([&] { write_row(json, row); }); });
    load::write_basis(json, basis);
  };
  return base::json_object(write) + "\n";
}

Status check_plot_name(const std::string& path) {
  if (path.empty() || path.ends_with(".svg") || path.ends_with(".html"))
    return ok_status();
  return Error{ErrorCode::kOutputName, "a plot is .svg or .html, not '" + path + "'", "--plot"};
}

// A point without one of its figures would stand at 0, which is where the best ones are.
bool has_both_figures(const Compared& row) {
  return row.guesses.now.state() == FigureState::kComputed &&
         row.utility.state() == FigureState::kComputed;
}

std::string plot_text(const CompareJob& job, const std::vector<Compared>& rows) {
  report::MethodsPage page;
  page.title = std::filesystem::path(job.input).filename().string() + ": methods side by side";
  page.near_percent = job.near;
  page.failures = failures_text(rows, "");
  for (const Compared& row : rows) {
    if (row.failure.empty())
      page.methods.push_back({row.method,
                              row.guesses.now.share(row.guesses.now.near),
                              row.utility.mean_percent,
                              has_both_figures(row)});
  }
  for (const Measure& measure : kMeasures) {
    page.measures.push_back({measure.name});
    for (const Compared& row : rows) {
      if (row.failure.empty())
        page.measures.back().push_back(measure.text(row));
    }
  }
  return job.plot.ends_with(".svg") ? report::methods_svg(page) : report::methods_page(page);
}

}  // namespace

Result<JobOutput> run_job(const CompareJob& job, const RunContext& run) {
  LACUNA_RETURN_IF_ERROR(check_files(job));
  LACUNA_RETURN_IF_ERROR(check_plot_name(job.plot));
  std::string path = job.input;
  if (load::is_result_file(path, job.inputs)) {
    LACUNA_TRY(path, load::table_of_result(path, "", job.inputs));
  }
  LACUNA_TRY(load::PreparedProblem ready, load::load_prepared(path, run, job.inputs, job.asked));
  const auto problem = std::make_shared<const Problem>(std::move(ready.problem));
  std::vector<std::string> methods = split_list(job.methods);
  std::erase(methods, "");
  if (methods.empty())
    return Error{ErrorCode::kOptionMissing, "name at least one method", "--methods"};
  std::vector<Compared> rows;
  bool any = false;
  Verdict worst = Verdict::kUnasked;
  const load::VerdictBasis& basis = ready.basis;
  for (const std::string& method : methods) {
    if (run.stop.stop_requested())
      break;
    Compared row;
    row.method = method;
    const Status status = measure(problem, job, run, row);
    if (!status)
      row.failure = status.error().text();
    any = any || status.has_value();
    if (status)
      worst = worse(worst, find_verdict(row.verdict).value_or(Verdict::kUndecided));
    rows.push_back(std::move(row));
  }
  if (!job.plot.empty() && any)
    LACUNA_RETURN_IF_ERROR(files::write_file_atomically(job.plot, plot_text(job, rows)));
  const std::string first = (basis.read_as.empty() ? "" : basis.read_as + "\n") +
                            (basis.policy.empty() ? "" : basis.policy + "\n");
  const std::string text = job.json       ? as_json(rows, basis)
                           : job.markdown ? (first.empty() ? "" : first + "\n") + as_markdown(rows)
                                          : first + as_text(rows);
  return JobOutput{any ? code_of(worst, !basis.rules.empty()) : ExitCode::kNoResult, text};
}

}  // namespace lacuna::job
