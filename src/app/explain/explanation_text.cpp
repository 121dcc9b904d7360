// SPDX-License-Identifier: Apache-2.0
#include "app/explain/explanation_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "app/explain/tuning.h"
#include "app/report/cell_view.h"
#include "app/report/count_words.h"
#include "core/base/confidential.h"
#include "core/base/decimal.h"
#include "core/base/rational.h"
#include "core/base/readable.h"

namespace lacuna::explain {
namespace {

std::string number(const Table& table, Units units) {
  return base::format_units(units, table.decimals());
}

std::string count_of(std::int64_t count, const std::string& noun) {
  return base::grouped(count) + " " + noun + (count == 1 ? "" : "s");
}

// Codes in which the cells of a sum are not all the same.
std::vector<bool> differing(const Table& table, const Sum& sum) {
  const auto own = table.codes(sum.cell);
  std::vector<bool> differs(own.size(), false);
  for (const SumTerm& term : sum.terms) {
    const auto codes = table.codes(term.cell);
    for (std::size_t d = 0; d < codes.size(); ++d)
      differs[d] = differs[d] || codes[d] != own[d];
  }
  return differs;
}

std::string name_of(const Table& table, CellId cell, const std::vector<bool>& differs) {
  std::string name;
  const auto codes = table.codes(cell);
  for (std::size_t d = 0; d < codes.size(); ++d) {
    const Dimension& dimension = table.dimensions()[d];
    if (differs[d])
      name += (name.empty() ? "" : "|") + dimension.name() + "=" + dimension.code(codes[d]);
  }
  return name.empty() ? table.label(cell) : name;
}

std::string range_text(const Table& table, Bounds known) {
  return "[" + (known.has_lower() ? number(table, known.lower) : "-inf") + ", " +
         (known.has_upper() ? number(table, known.upper) : "inf") + "]";
}

// "A, B and C", or three of them and how many there are besides.
std::string listed(const std::vector<std::string>& names, std::size_t most) {
  const std::size_t named = names.size() > most + 1 ? most : names.size();
  std::string text;
  for (std::size_t i = 0; i < named; ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  if (named < names.size())
    text += " and " + std::to_string(names.size() - named) + " more";
  return text;
}

std::string labels(const Table& table, const std::vector<CellId>& cells) {
  std::vector<std::string> names;
  for (const CellId cell : cells)
    names.push_back(table.label(cell));
  return listed(names, kTuning.most_listed);
}

// What is left open within a sum: "; not published of these: branch=B in [0, inf]".
std::string unknown_text(const Table& table, const Sum& sum) {
  const std::vector<bool> differs = differing(table, sum);
  std::vector<std::string> names;
  for (const SumTerm& term : sum.terms) {
    if (!term.is_known())
      names.push_back(name_of(table, term.cell, differs) + " in " + range_text(table, term.known));
  }
  return names.empty() ? "" : "; not published of these: " + listed(names, kTuning.most_named);
}

std::string ends_text(const report::InferredView& inferred) {
  const auto shown = [](const report::InferredEnd& end, const char* none) {
    return end.fraction.empty() ? end.text(none) : end.fraction;
  };
  const std::string low = shown(inferred.low, "-inf"), high = shown(inferred.high, "inf");
  if (inferred.exact && low == high)
    return "exactly, as " + low;
  return std::string(inferred.exact ? "to be in [" : "to be in a range that contains at least [") +
         low + ", " + high + "]";
}

// What must stay possible: "[10, 14]", "a width of 5", or both.
std::string needed(const Table& table, const Question& need) {
  const Units value = table.value(need.cell);
  const std::string ends =
      "[" + number(table, value - need.lower) + ", " + number(table, value + need.upper) + "]";
  if (Wide{need.sliding} <= Wide{need.lower} + need.upper)
    return ends;
  const std::string width = "a width of " + number(table, need.sliding);
  return need.lower == 0 && need.upper == 0 ? width : ends + " and " + width;
}

std::string by_whom(const Problem& problem, const Question& question) {
  return question.attacker == 0
             ? ""
             : " by " + problem.attackers()[static_cast<std::size_t>(question.attacker)].name;
}

// "can be inferred to be in [8, 12], and [10, 14] must stay possible"
std::string told_text(const Problem& problem, const Finding& finding, const char* can) {
  if (finding.question.domain == Domain::kInteger)
    return report::question_text(problem, finding.question) + ": " + can + " be " +
           report::count_range_text(problem, finding) +
           (finding.reason.empty() ? "" : ", " + finding.reason);
  const report::FindingView view = report::finding_view(problem, finding);
  const bool asks = !finding.question.asks_nothing();
  return std::string(can) + " be inferred" + by_whom(problem, finding.question) + " " +
         ends_text(view.inferred) +
         (asks ? ", and " + needed(problem.table(), finding.question) + " must stay possible" : "");
}

std::string consequence_text(const Problem& problem, const Consequence& told) {
  const Table& table = problem.table();
  const CellId cell = told.finding.question.cell;
  std::string text =
      told.finding.question.domain == Domain::kInteger
          ? "    "
          : fmt::format("    {} (value {}) ", table.label(cell), number(table, table.value(cell)));
  text += told_text(problem, told.finding, "could") + "\n";
  if (told.sum && told.by_short_sum)
    text += "      as it is " + sum_text(table, *told.sum) + unknown_text(table, *told.sum) + "\n";
  else if (told.sum)
    text += fmt::format("      by {} together, as it is {}{}\n",
                        count_of(told.sum->equations, "sum"),
                        sum_text(table, *told.sum),
                        unknown_text(table, *told.sum));
  else if (!told.source.empty())
    text += "      " + told.source + "\n";
  return text;
}

// One of each cell: others differ by the attacker.
std::string consequences_text(const Problem& problem, const IfPublished& then) {
  std::string text;
  std::set<CellId> shown;
  for (const Consequence& each : then.consequences) {
    const CellId cell = each.finding.question.cell;
    if (shown.size() == kTuning.most_listed || !shown.insert(cell).second)
      continue;
    text += consequence_text(problem, each);
    if (each.more_of_cell > 0)
      text += fmt::format("      and {} of the same cell, by other attackers or of another kind\n",
                          count_of(each.more_of_cell, "other"));
  }
  const std::size_t cells = then.keeps_safe.size();
  return text +
         (shown.size() < cells ? fmt::format("    and {} more cells\n", cells - shown.size()) : "");
}

std::string if_published_text(const Problem& problem, const CellExplanation& told) {
  const IfPublished& then = told.if_published;
  if (!then.computed)
    return "  what publishing it would disclose was not computed: " + then.why_not + "\n";
  std::string text;
  if (then.now == Verdict::kExposed || then.now == Verdict::kUndecided)
    text += fmt::format(
        "  the release is {} around this cell as it is; what follows is about the "
        "requirements that hold\n",
        to_string(then.now));
  if (then.asked == 0)
    return text + "  nothing is asked of any cell that it is connected to\n";
  if (then.keeps_safe.empty())
    return text +
           fmt::format("  publishing it would break none of the {} that it is connected to\n",
                       count_of(then.asked, "requirement"));
  text += fmt::format("  it keeps {}: {}\n",
                      then.keeps_safe.size() == 1 ? "this cell safe" : "these cells safe",
                      labels(problem.table(), then.keeps_safe));
  text += fmt::format(
      "  publishing it would break {} of {} that it is connected to{}:\n",
      base::grouped(then.exposed),
      count_of(then.asked, "requirement"),
      then.undecided == 0 ? "" : fmt::format(", and leave {} undecided", then.undecided));
  return text + consequences_text(problem, then);
}

std::string cost_text(const Exchange& exchange) {
  return fmt::format("the cost of what is withheld goes from {} to {}",
                     base::readable(exchange.cost_before),
                     base::readable(exchange.cost_after));
}

std::string given_back_text(const Table& table, const Exchange& exchange) {
  return exchange.published.empty()
             ? ""
             : "; besides, " + labels(table, exchange.published) + " can then be published";
}

std::string exchange_text(const Table& table, const Exchange& exchange) {
  const std::string head = "  if it must be published: ";
  switch (exchange.state) {
    case ExchangeState::kNotSought:
      return head + "nothing was looked for, as " + exchange.why + "\n";
    case ExchangeState::kNotNeeded:
      return head + "nothing has to be withheld in its place" + given_back_text(table, exchange) +
             "; " + cost_text(exchange) + " (audited)\n";
    case ExchangeState::kImpossible:
      return head + "no release can do that, whatever else is withheld" +
             (exchange.why.empty() ? "" : ": " + exchange.why) + "\n";
    case ExchangeState::kNotFound:
      return head +
             "no exchange was found within the work that was allowed, which does not mean "
             "that there is none" +
             (exchange.why.empty() ? "" : " (" + exchange.why + ")") + "\n";
    case ExchangeState::kFound:
      break;
  }
  const std::string proven =
      exchange.cheapest
          ? "nothing cheaper can take its place while the rest stays withheld"
          : "whatever takes its place while the rest stays withheld, the cost is at least " +
                base::readable(exchange.bound);
  return head + "withhold " + labels(table, exchange.withheld) + " in its place" +
         given_back_text(table, exchange) + "; " + cost_text(exchange) + " (audited; " + proven +
         ")\n";
}

std::string head_text(const Problem& problem,
                      const Draft& draft,
                      const report::CellView& view,
                      CellRole role) {
  const Table& table = problem.table();
  const std::string value = "; its value is " + number(table, view.value) + "\n";
  const StatementKind state = draft.state(view.cell);
  const std::string how =
      state == StatementKind::kWithheld
          ? "withheld"
          : "published as " +
                report::published_text(table, report::published_view(table, draft, view.cell));
  switch (role) {
    case CellRole::kPublished:
      return view.label + ": published as it is" + value;
    case CellRole::kSensitive:
      return view.label + ": " + how + ", as it is sensitive itself" + value;
    case CellRole::kByInput:
      return view.label + ": " + how + ", as the table says so" + value;
    case CellRole::kSecondary:
      return view.label + ": " + how + " for the sake of others (secondary)" + value;
  }
  return "";
}

std::string sensitive_text(const Problem& problem,
                           const report::CellView& view,
                           const CellExplanation& told) {
  std::string text;
  if (!view.reason.empty())
    text += "  rule: " + view.reason + "\n";
  if (view.frequency)
    text += "  contributors: " + base::grouped(*view.frequency) + "\n";
  const std::size_t shown = std::min(told.findings.size(), kTuning.most_listed);
  for (std::size_t i = 0; i < shown; ++i) {
    const Finding& finding = told.findings[i];
    text +=
        fmt::format("  {}: {}\n", to_string(finding.verdict), told_text(problem, finding, "can"));
  }
  if (shown < told.findings.size())
    text += fmt::format("  and {} more, by other attackers\n", told.findings.size() - shown);
  if (told.findings.empty())
    text += "  nothing is asked of it except that it is not printed\n";
  return text + "  it may not be published as it is, whatever else is withheld\n";
}

std::string published_text(const Problem& problem, CellId cell) {
  switch (problem.table().cell(cell).status) {
    case CellStatus::kMustPublish:
      return "  the table says that it must be published\n";
    case CellStatus::kKnown:
      return "  everyone knows it in advance\n";
    default:
      return "  it is not sensitive, and no other cell needs it withheld in this release\n";
  }
}

// ---- JSON

void write_place(base::JsonWriter& json, const Table& table, CellId cell) {
  json.member("cell", cell.value).member("label", table.label(cell));
  const auto codes = table.codes(cell);
  if (codes.empty())
    return;
  json.key("codes").object([&] {
    for (std::size_t d = 0; d < codes.size(); ++d)
      json.member(table.dimensions()[d].name(), table.dimensions()[d].code(codes[d]));
  });
}

void write_places(base::JsonWriter& json, const Table& table, const std::vector<CellId>& cells) {
  json.list(cells, [&](CellId cell) { json.object([&] { write_place(json, table, cell); }); });
}

void write_units(base::JsonWriter& json, const Table& table, Units units) {
  json.raw(number(table, units));
}

void write_sum(base::JsonWriter& json, const Table& table, const Sum& sum, bool is_enough) {
  json.object([&] {
    json.member("text", sum_text(table, sum)).member("equations", sum.equations);
    json.member("enough_by_itself", is_enough).member("not_published", sum.unknown);
    json.member("constant", base::format_fraction(base::gmp(sum.constant), table.decimals()));
    json.key("terms").list(sum.terms, [&](const SumTerm& term) {
      json.object([&] {
        write_place(json, table, term.cell);
        json.member("times", term.factor.text()).member("known", term.is_known());
      });
    });
  });
}

void write_finding(base::JsonWriter& json, const Problem& problem, const Finding& finding) {
  const Table& table = problem.table();
  const Question& need = finding.question;
  write_place(json, table, need.cell);
  json.member("attacker", problem.attackers()[static_cast<std::size_t>(need.attacker)].name);
  json.member("kind", enum_names(need.kind)[static_cast<std::size_t>(need.kind)]);
  json.member("verdict", to_string(finding.verdict));
  if (!finding.reason.empty())
    json.member("reason", base::in_full(finding.reason));
  if (need.domain == Domain::kInteger) {
    json.member("question", report::question_text(problem, need));
    json.member("possible", report::count_range_text(problem, finding));
    return;
  }
  const report::FindingView view = report::finding_view(problem, finding);
  write_units(json.key("value"), table, view.value);
  write_units(json.key("lower_level"), table, need.lower);
  write_units(json.key("upper_level"), table, need.upper);
  write_units(json.key("sliding_level"), table, need.sliding);
  json.key("lower").raw(view.inferred.low.text("null"));
  json.key("upper").raw(view.inferred.high.text("null"));
  json.member("exact", view.inferred.exact);
}

void write_if_published(base::JsonWriter& json, const Problem& problem, const IfPublished& then) {
  json.object([&] {
    if (!then.computed) {
      json.member("not_computed", then.why_not);
      return;
    }
    json.member("verdict_now", to_string(then.now)).member("verdict", to_string(then.then));
    json.member("asked", then.asked).member("exposed", then.exposed);
    json.member("undecided", then.undecided).key("keeps_safe");
    write_places(json, problem.table(), then.keeps_safe);
    json.key("consequences").list(then.consequences, [&](const Consequence& each) {
      json.line().object([&] {
        write_finding(json, problem, each.finding);
        if (each.sum)
          write_sum(json.key("sum"),
                    problem.table(),
                    *each.sum,
                    tells_too_much(each.finding.question, *each.sum));
        else if (!each.source.empty())
          json.member("source", each.source);
      });
    });
  });
}

void write_exchange(base::JsonWriter& json, const Table& table, const Exchange& exchange) {
  json.object([&] {
    json.member("state", enum_names(exchange.state)[static_cast<std::size_t>(exchange.state)]);
    if (!exchange.why.empty())
      json.member("why", base::in_full(exchange.why));
    if (exchange.state == ExchangeState::kNotSought)
      return;
    json.member("cost_before", exchange.cost_before);
    if (exchange.state != ExchangeState::kFound && exchange.state != ExchangeState::kNotNeeded)
      return;
    json.member("cost_after", exchange.cost_after);
    if (exchange.state == ExchangeState::kFound)
      json.member("bound", exchange.bound).member("cheapest", exchange.cheapest);
    write_places(json.key("withheld"), table, exchange.withheld);
    write_places(json.key("published"), table, exchange.published);
  });
}

}  // namespace

std::string sum_text(const Table& table, const Sum& sum) {
  const std::vector<bool> differs = differing(table, sum);
  const std::size_t named =
      sum.terms.size() > kTuning.most_named + 1 ? kTuning.most_named : sum.terms.size();
  std::string text;
  for (std::size_t i = 0; i < named; ++i) {
    const SumTerm& term = sum.terms[i];
    const Fraction size = abs(term.factor);
    text += term.factor < 0 ? (text.empty() ? "-" : " - ") : (text.empty() ? "" : " + ");
    text += (size == 1 ? "" : size.text() + " x ") + name_of(table, term.cell, differs);
  }
  if (named < sum.terms.size())
    text += " and " + std::to_string(sum.terms.size() - named) + " more";
  if (sum.constant == 0 && !text.empty())
    return text;
  const std::string constant = base::format_fraction(base::gmp(sum.constant), table.decimals());
  return constant + (text.empty() ? "" : text[0] == '-' ? " - " + text.substr(1) : " + " + text);
}

std::string explanation_text(const Problem& problem,
                             const Draft& draft,
                             std::span<const std::string> reasons,
                             const CellExplanation& told) {
  const report::CellView view = report::cell_view(problem, reasons, told.cell);
  const std::string head = head_text(problem, draft, view, told.role);
  if (told.role == CellRole::kPublished)
    return head + published_text(problem, told.cell);
  if (told.role == CellRole::kSensitive)
    return head + sensitive_text(problem, view, told);
  return head + if_published_text(problem, told) + exchange_text(problem.table(), told.exchange);
}

void write_explanation(base::JsonWriter& json,
                       const Problem& problem,
                       const Draft& draft,
                       std::span<const std::string> reasons,
                       const CellExplanation& told) {
  const Table& table = problem.table();
  const report::CellView view = report::cell_view(problem, reasons, told.cell);
  json.object([&] {
    write_place(json, table, told.cell);
    write_units(json.key("value"), table, view.value);
    json.member("role", enum_names(told.role)[static_cast<std::size_t>(told.role)]);
    json.member("state", to_string(draft.state(told.cell)));
    json.member("weight", view.weight);
    if (view.frequency)
      json.member("contributors", *view.frequency);
    if (!view.reason.empty())
      json.member("reason", view.reason);
    json.key("findings").list(told.findings, [&](const Finding& finding) {
      json.object([&] { write_finding(json, problem, finding); });
    });
    if (told.role == CellRole::kPublished)
      return;
    write_if_published(json.key("if_published"), problem, told.if_published);
    write_exchange(json.key("exchange"), table, told.exchange);
  });
}

}  // namespace lacuna::explain
