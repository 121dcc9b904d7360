// SPDX-License-Identifier: Apache-2.0
#include "app/job/cell_columns.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/report/cell_view.h"
#include "app/report/count_words.h"
#include "core/base/decimal.h"
#include "data/problems/problem_json.h"

namespace lacuna::job {
namespace {

// Columns that are filled row by row, each by its number.
class Filling {
 public:
  explicit Filling(const Table& table) : table_(&table) {
    if (table.dimensions().empty())
      columns_.push_back({.name = "cell", .kind = columns::OutputKind::kNumber});
    for (const Dimension& dimension : table.dimensions())
      columns_.push_back({.name = dimension.name()});
  }

  // Returns the number of the column.
  std::size_t text(std::string name) { return add({.name = std::move(name)}); }
  std::size_t number(std::string name, int decimals = 0) {
    return add(
        {.name = std::move(name), .kind = columns::OutputKind::kNumber, .decimals = decimals});
  }
  std::size_t real(std::string name) {
    return add({.name = std::move(name), .kind = columns::OutputKind::kReal});
  }
  std::size_t amount(std::string name) { return number(std::move(name), table_->decimals()); }

  void begin_row(CellId cell) {
    for (publish::TextColumn& column : columns_)
      column.texts.emplace_back();
    const auto codes = table_->codes(cell);
    if (codes.empty())
      columns_.front().texts.back() = std::to_string(cell.value);
    for (std::size_t d = 0; d < codes.size(); ++d)
      columns_[d].texts.back() = table_->dimensions()[d].code(codes[d]);
  }
  void set(std::size_t column, std::string text) {
    columns_[column].texts.back() = std::move(text);
  }
  void set_units(std::size_t column, Units units) {
    set(column, base::format_units(units, table_->decimals()));
  }
  void set_bound(std::size_t column, Units units) {  // nothing where there is no bound
    if (units != kUnboundedBelow && units != kUnboundedAbove)
      set_units(column, units);
  }

  publish::TextColumns take() && { return std::move(columns_); }

 private:
  std::size_t add(publish::TextColumn column) {
    columns_.push_back(std::move(column));
    return columns_.size() - 1;
  }
  const Table* table_;
  publish::TextColumns columns_;
};

std::string reason_of(const std::vector<Explanation>& explanations) {
  std::string reason;
  for (const Explanation& each : explanations)
    reason += (reason.empty() ? "" : ", ") + each.text;
  return reason;
}

}  // namespace

std::string share_text(const Contribution& contribution, const CellFacts& facts) {
  if (facts.absolute == 0)
    return "0";
  constexpr double kPercent = 100;
  const double size = std::abs(static_cast<double>(contribution.amount));
  return fmt::format("{:.4f}", kPercent * size / static_cast<double>(facts.absolute));
}

publish::TextColumns tabulated_columns(const load::SensitiveTables& tables) {
  const Table& table = tables.problem.table();
  const Tabulation& tabulation = tables.tabulation;
  Filling rows(table);
  const std::size_t value = rows.number("value"), records = rows.number("records"),
                    contributors = rows.number("contributors"), weighted = rows.number("weighted"),
                    status = rows.text("status");
  std::vector<std::size_t> shares;
  for (int i = 1; i <= tabulation.top; ++i)
    shares.push_back(rows.number("share" + std::to_string(i)));
  const std::size_t reason = rows.text("reason");
  for (std::size_t c = 0; c < tabulation.cells.size(); ++c) {
    const CellId id{static_cast<std::int32_t>(c)};
    const CellFacts& facts = tabulation.cells[c];
    rows.begin_row(id);
    rows.set_units(value, facts.value);
    rows.set(records, std::to_string(facts.records));
    rows.set(contributors, std::to_string(facts.contributors));
    rows.set(weighted, std::to_string(facts.weighted));
    rows.set(status, table.cell(id).status == CellStatus::kPrimary ? "u" : "s");
    for (std::size_t i = 0; i < std::min(shares.size(), facts.largest.size()); ++i)
      rows.set(shares[i], share_text(facts.largest[i], facts));
    rows.set(reason, reason_of(tables.report.explanations[c]));
  }
  return std::move(rows).take();
}

namespace {

// Of each cell what the table says, and what a draft publishes of it if there is one.
publish::TextColumns cell_columns(const Problem& problem,
                                  const Draft* draft,
                                  std::span<const std::string> reasons) {
  const Table& table = problem.table();
  Filling rows(table);
  const std::size_t value = rows.amount("value");
  const std::size_t state = draft == nullptr ? 0 : rows.text("state"),
                    published = draft == nullptr ? 0 : rows.amount("published");
  const std::size_t status = rows.text("status"), frequency = rows.number("frequency"),
                    weight = rows.real("weight"), lower = rows.amount("lower"),
                    upper = rows.amount("upper"), lower_level = rows.amount("lower_level"),
                    upper_level = rows.amount("upper_level"),
                    sliding_level = rows.amount("sliding_level"), reason = rows.text("reason");
  auto need = problem.requirements().begin();
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const CellId id{c};
    const Cell& cell = table.cell(id);
    rows.begin_row(id);
    rows.set_units(value, cell.value);
    if (draft != nullptr) {
      const report::PublishedView seen = report::published_view(table, *draft, id);
      rows.set(state, std::string(to_string(seen.state)));
      if (seen.number)
        rows.set_units(published, *seen.number);
    }
    rows.set(status, std::string(problems::to_string(cell.status)));
    if (cell.frequency >= 0)
      rows.set(frequency, std::to_string(cell.frequency));
    rows.set(weight, base::format_double(cell.weight));
    rows.set_bound(lower, cell.prior.lower);
    rows.set_bound(upper, cell.prior.upper);
    while (need != problem.requirements().end() && need->cell < id)
      ++need;
    if (need != problem.requirements().end() && need->cell == id && need->attacker == 0) {
      rows.set_units(lower_level, need->lower);
      rows.set_units(upper_level, need->upper);
      rows.set_units(sliding_level, need->sliding);
    }
    if (static_cast<std::size_t>(c) < reasons.size())
      rows.set(reason, reasons[static_cast<std::size_t>(c)]);
  }
  return std::move(rows).take();
}

}  // namespace

publish::TextColumns problem_columns(const Problem& problem, std::span<const std::string> reasons) {
  return cell_columns(problem, nullptr, reasons);
}

publish::TextColumns office_columns(const Problem& problem,
                                    const Draft& draft,
                                    std::span<const std::string> reasons) {
  return cell_columns(problem, &draft, reasons);
}

publish::TextColumns verdict_columns(const AuditOutcome& audit) {
  Filling rows(audit.problem->table());
  const std::size_t verdict = rows.text("verdict"), attackers = rows.number("attackers");
  const auto findings = audit.report.of(Domain::kRational);
  for (std::size_t i = 0; i < findings.size();) {
    const CellId cell = findings[i].question.cell;
    Verdict worst = Verdict::kUnasked;
    std::size_t end = i;
    for (; end < findings.size() && findings[end].question.cell == cell; ++end)
      worst = worse(worst, findings[end].verdict);
    rows.begin_row(cell);
    rows.set(verdict, std::string(to_string(worst)));
    rows.set(attackers, std::to_string(end - i));
    i = end;
  }
  return std::move(rows).take();
}

publish::TextColumns finding_columns(const AuditOutcome& audit) {
  const Problem& problem = *audit.problem;
  const Table& table = problem.table();
  Filling rows(table);
  const std::size_t attacker = rows.text("attacker"), value = rows.amount("value"),
                    lower_level = rows.amount("lower_level"),
                    upper_level = rows.amount("upper_level"),
                    sliding_level = rows.amount("sliding_level"), lower = rows.real("lower"),
                    upper = rows.real("upper"), verdict = rows.text("verdict"),
                    reason = rows.text("reason");
  const std::size_t since = audit.basis.changes.empty() ? 0 : rows.text("change_since");
  const std::size_t owner_lower = audit.replay ? rows.amount("owner_lower") : 0,
                    owner_upper = audit.replay ? rows.amount("owner_upper") : 0;
  auto replayed = audit.replay ? std::span<const ReplayedRange>(audit.replay->ranges)
                               : std::span<const ReplayedRange>();
  std::int32_t requirement = 0;
  for (const Finding& finding : audit.report.of(Domain::kRational)) {
    const load::ChangeFacts* change = audit.basis.change(finding.question.cell);
    const report::FindingView view =
        report::finding_view(problem, finding, change != nullptr ? change->added : 0);
    rows.begin_row(view.cell);
    if (change != nullptr)
      rows.set(since, change->since);
    rows.set(attacker, view.attacker);
    rows.set_units(value, view.value);
    rows.set_units(lower_level, view.lower);
    rows.set_units(upper_level, view.upper);
    rows.set_units(sliding_level, view.sliding);
    rows.set(lower, view.inferred.low.decimal);
    rows.set(upper, view.inferred.high.decimal);
    rows.set(verdict, std::string(to_string(view.verdict)));
    rows.set(reason, view.reason);
    if (!replayed.empty() && replayed.front().requirement == requirement) {
      rows.set_units(owner_lower, view.value - replayed.front().low);
      rows.set_units(owner_upper, view.value + replayed.front().high);
      replayed = replayed.subspan(1);
    }
    ++requirement;
  }
  return std::move(rows).take();
}

publish::TextColumns count_columns(const AuditOutcome& audit) {
  const Problem& problem = *audit.problem;
  Filling rows(problem.table());
  const std::size_t about = rows.text("about"), kind = rows.text("kind"),
                    attacker = rows.text("attacker"), lower = rows.number("lower"),
                    upper = rows.number("upper"), values = rows.text("values"),
                    verdict = rows.text("verdict"), by = rows.text("by"),
                    reason = rows.text("reason"), told = rows.text("told_by");
  for (const Finding& finding : audit.report.of(Domain::kInteger)) {
    const Question& question = finding.question;
    rows.begin_row(question.cell);
    rows.set(about, report::question_text(problem, question));
    rows.set(kind, report::enum_word(question.kind));
    rows.set(attacker, problem.attackers()[static_cast<std::size_t>(question.attacker)].name);
    rows.set(lower, report::count_end_text(problem, finding, Direction::kLow));
    rows.set(upper, report::count_end_text(problem, finding, Direction::kHigh));
    std::string listed;
    for (const Units value : finding.values)
      listed += (listed.empty() ? "" : " ") + std::to_string(value);
    rows.set(values, std::move(listed));
    rows.set(verdict, std::string(to_string(finding.verdict)));
    rows.set(by, report::evidence_word(finding));
    rows.set(reason, finding.reason);
    rows.set(told, report::sources_clause(problem, audit.draft, audit.report, finding));
  }
  return std::move(rows).take();
}

}  // namespace lacuna::job
