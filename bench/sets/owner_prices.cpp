// SPDX-License-Identifier: Apache-2.0
#include "bench/sets/owner_prices.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>

#include "bench/sets/output.h"
#include "bench/sets/run.h"
#include "core/base/random.h"
#include "lacuna/audit.h"
#include "lacuna/files.h"
#include "lacuna/protect.h"
#include "protect/owner/public_course.h"
#include "protect/owner/seen_from.h"

namespace lacuna::bench {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double noise_of(std::int32_t cell) {  // of last period, 0.7 to 1.3
  return 0.7 + 0.6 * base::fixed_noise(cell);
}

struct PublicTable {
  std::shared_ptr<const Problem> problem;  // with public widths
  owner::PublicParts parts;
};

Result<PublicTable> public_table(const Problem& given) {
  PublicTable made;
  for (std::int32_t c = 0; c < given.table().num_cells(); ++c) {
    const auto value = static_cast<double>(given.table().value(CellId{c}));
    made.parts.sizes.push_back(std::llround(value * noise_of(c)));
    made.parts.weights.push_back(given.table().cell(CellId{c}).weight * noise_of(c));
  }
  ProblemParts parts = given.parts();
  parts.attackers.resize(1);
  std::erase_if(parts.requirements, [](const Requirement& each) { return each.attacker != 0; });
  for (Requirement& need : parts.requirements) {
    const auto levels = static_cast<double>(std::max(need.lower + need.upper, need.sliding));
    const Bounds prior = parts.table.cell(need.cell).prior;
    need.sliding =
        std::max<Units>(1, static_cast<Units>(std::ceil(levels * noise_of(need.cell.value))));
    if (prior.has_lower() && prior.has_upper())
      need.sliding = std::min(need.sliding, prior.upper - prior.lower);
    need.lower = need.upper = 0;
    need.origin = LevelOrigin::kGiven;
  }
  made.parts.weights = owner::with_tie_break(parts.table, std::move(made.parts.weights));
  LACUNA_TRY(Problem problem, assemble_problem(std::move(parts)));
  made.problem = std::make_shared<const Problem>(std::move(problem));
  return made;
}

std::int64_t sensitive_cells(const Problem& problem) {
  std::int64_t count = 0;
  for (const Cell& cell : problem.table().cells())
    count += cell.status == CellStatus::kPrimary ? 1 : 0;
  return count;
}

double weight_of(const Table& table, const Draft& draft) {
  double sum = 0;
  for (const CellEntry& entry : draft.each())
    sum += table.cell(entry.cell).weight;
  return sum;
}

// The table at the far end of a witness, or at the last whole one before it.
owner::TableMove whole_move(const Displacement& witness) {
  Units common = 0;
  for (const Integer& each : witness.moves)
    common = std::gcd(common, each.to_int64().value_or(0));
  const Units denominator = witness.denominator.to_int64().value_or(0);
  const Units times = common == 0 || denominator == 0 ? 0 : common / denominator;
  owner::TableMove moved;
  for (std::size_t i = 0; i < witness.cells.size() && times > 0; ++i)
    moved[witness.cells[i].value] = witness.moves[i].to_int64().value_or(0) / common * times;
  return moved;
}

std::optional<Problem> moved_problem(const Problem& problem, const owner::TableMove& moved) {
  const Table& table = problem.table();
  TableBuilder builder(table.decimals(), table.dimensions());
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    Cell cell = table.cell(CellId{c});
    if (const auto move = moved.find(c); move != moved.end())
      cell.value += move->second;
    if (!builder.add_cell(cell, table.codes(CellId{c})))
      return std::nullopt;
  }
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    if (!builder.add_equation(table.equation(EquationId{e}), table.rhs(EquationId{e})))
      return std::nullopt;
  }
  auto built = std::move(builder).build();
  if (!built)
    return std::nullopt;
  ProblemParts parts = problem.parts();
  parts.table = std::move(built).value();
  auto made = assemble_problem(std::move(parts));
  return made ? std::optional(std::move(made).value()) : std::nullopt;
}

// Runs the program on witnesses of the audit.
class Replays {
 public:
  Replays(const PublicTable& table,
          const owner::Course& course,
          const owner::CourseOptions& options,
          const AuditReport& report,
          const RunContext& run)
      : table_(table),
        course_(course),
        options_(options),
        report_(report),
        run_(run),
        tried_(report.evidence.witnesses.size(), false),
        reached_(static_cast<std::size_t>(table.problem->table().num_cells()), Bounds{0, 0}) {}

  // How many requirements have two such tables, or one and the truth, as far apart as their width.
  void count(double seconds, OwnerPrice& price) {
    const auto start = Clock::now();
    const auto findings = report_.of(Domain::kRational);
    const auto& asked = table_.problem->requirements();
    for (std::size_t i = 0; i < findings.size(); ++i) {
      for (const End* end : {&findings[i].high, &findings[i].low}) {
        if (!is_wide(asked[i]) && since(start) < seconds)
          run_to(*end);
      }
    }
    price.replayed = std::count_if(
        asked.begin(), asked.end(), [&](const Requirement& need) { return is_wide(need); });
    price.runs = runs_;
    price.replay_seconds = since(start);
  }

 private:
  bool is_wide(const Requirement& need) const {
    const Bounds& range = reached_[static_cast<std::size_t>(need.cell.value)];
    return range.upper - range.lower >= need.sliding;
  }

  // A table that replays is one for all cells that differ in it.
  void run_to(const End& end) {
    if (end.witness < 0 || tried_[static_cast<std::size_t>(end.witness)])
      return;
    tried_[static_cast<std::size_t>(end.witness)] = true;
    const owner::TableMove moved =
        whole_move(report_.evidence.witnesses[static_cast<std::size_t>(end.witness)]);
    if (moved.empty() || !replays(moved))
      return;
    for (const auto& [cell, move] : moved) {
      Bounds& range = reached_[static_cast<std::size_t>(cell)];
      range = {std::min(range.lower, move), std::max(range.upper, move)};
    }
  }

  bool replays(const owner::TableMove& moved) {
    auto other = moved_problem(*table_.problem, moved);
    if (!other)
      return false;
    ++runs_;
    owner::CourseOptions options = options_;
    options.hints = owner::seen_from(moved, report_.evidence.witnesses);
    const auto again =
        owner::suppress_by_public_parts(std::make_shared<const Problem>(*std::move(other)),
                                        table_.parts,
                                        options,
                                        run_,
                                        &course_.first);
    return again && again->draft.entries() == course_.draft.entries();
  }

  const PublicTable& table_;
  const owner::Course& course_;
  const owner::CourseOptions& options_;
  const AuditReport& report_;
  const RunContext& run_;
  std::vector<bool> tried_;  // by witness
  std::vector<Bounds> reached_;  // by cell: how far from the truth
  std::int64_t runs_ = 0;
};

}  // namespace

OwnerPrice price_of(const std::string& path,
                    double seconds,
                    std::int64_t samples,
                    const RunContext& run) {
  OwnerPrice price;
  price.instance = instance_name(path);
  const auto loaded = load_problem(path);
  if (!loaded) {
    price.trouble = loaded.error().text();
    return price;
  }
  const auto given = std::make_shared<const Problem>(*loaded);
  price.cells = given->table().num_cells();
  price.sensitive = sensitive_cells(*given);
  RunContext limited = run;
  limited.deadline = Clock::now() + std::chrono::milliseconds(std::llround(1000 * seconds));
  const auto found = protect(given, {}, limited);
  if (found && found->complete) {
    price.reference = found->cost;
    price.proven = found->why == StopReason::kOptimal;
    price.reference_secondary = found->draft.num_entries() - price.sensitive;
  }
  if (price.proven) {
    const auto sample = sample_owner(given, found->draft, {}, samples, seconds, run);
    if (sample)
      price.sample = *sample;
  }
  const auto start = Clock::now();
  const auto table = public_table(*given);
  if (!table) {
    price.trouble = table.error().text();
    return price;
  }
  owner::CourseOptions options;
  auto course = owner::suppress_by_public_parts(table->problem, table->parts, options, run);
  if (!course) {
    price.trouble = course.error().text();
    return price;
  }
  price.seconds = since(start);
  price.cost = weight_of(given->table(), course->draft);
  price.secondary = course->draft.num_entries() - price.sensitive;
  price.short_first = std::ssize(course->short_first);
  price.repairs = course->repairs;
  AuditOptions verdicts;
  verdicts.intervals = false;
  verdicts.hints = course->witnesses;
  const auto report = Auditor(table->problem).audit(course->draft, verdicts, run);
  if (report)
    Replays(*table, *course, options, *report, run).count(seconds, price);
  return price;
}

std::string prices_csv(const std::vector<OwnerPrice>& prices) {
  std::string text =
      "instance,cells,sensitive,reference,proven,reference_secondary,cost,secondary,price,"
      "short_first,repairs,replayed,runs,seconds,replay_seconds,levels,broken,narrow,exact,shrink,"
      "drawn,outside,drawn_replayed,trouble\n";
  for (const OwnerPrice& each : prices)
    text += fmt::format("{},{},{},{:.10g},{},{},{:.10g},{},{:.3f},{},{},{},{},{:.1f},{:.1f},{},{},{},{},{:.3f},{},{},{},\"{}\"\n",
                        each.instance,
                        each.cells,
                        each.sensitive,
                        each.reference,
                        each.proven ? 1 : 0,
                        each.reference_secondary,
                        each.cost,
                        each.secondary,
                        each.reference > 0 ? each.cost / each.reference : 0,
                        each.short_first,
                        each.repairs,
                        each.replayed,
                        each.runs,
                        each.seconds,
                        each.replay_seconds,
                        each.sample.levels,
                        each.sample.broken,
                        each.sample.narrow,
                        each.sample.exact,
                        each.sample.shrink,
                        each.sample.drawn,
                        each.sample.outside,
                        each.sample.replayed,
                        each.trouble);
  return text;
}

std::string prices_text(const std::vector<OwnerPrice>& prices) {
  std::vector<std::vector<std::string>> lines;
  for (const OwnerPrice& each : prices) {
    if (!each.trouble.empty()) {
      lines.push_back({each.instance, "", "", each.trouble, "", "", "", "", "", "", "", ""});
      continue;
    }
    lines.push_back({each.instance,
                     std::to_string(each.cells),
                     std::to_string(each.sensitive),
                     fmt::format("{:.6g}{}", each.reference, each.proven ? "" : " (not proven)"),
                     fmt::format("{:.6g}", each.cost),
                     each.reference > 0 ? fmt::format("{:.2f}", each.cost / each.reference) : "",
                     fmt::format("{} -> {}", each.reference_secondary, each.secondary),
                     std::to_string(each.short_first),
                     std::to_string(each.replayed),
                     fmt::format("{:.1f}", each.seconds),
                     each.proven ? fmt::format("{} of {}", each.sample.broken, each.sample.levels)
                                 : "",
                     each.proven ? fmt::format("{} of {}", each.sample.replayed, each.sample.drawn)
                                 : ""});
  }
  return markdown_table({"table",
                         "cells",
                         "sensitive",
                         "cost, levels of the file",
                         "against the owner",
                         "price",
                         "secondaries",
                         "short at first",
                         "replayed",
                         "seconds",
                         "broken without",
                         "drawn tables that replay"},
                        lines);
}

}  // namespace lacuna::bench
