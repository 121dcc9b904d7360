// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>

#include "app/report/assurance.h"
#include "app/report/count_page.h"
#include "app/report/html_text.h"
#include "app/report/page_assets.h"
#include "app/report/page_data.h"
#include "app/report/page_words.h"
#include "app/report/svg_chart.h"
#include "core/base/decimal.h"
#include "core/base/readable.h"
#include "core/base/sha256.h"
#include "lacuna/report.h"

namespace lacuna {
namespace {

constexpr std::size_t kMostBars = 12;
constexpr std::size_t kMostNoise = 31;  // of -15 to 15

// A name, what it is, and what that means, which is shown on hover and focus.
struct Measure {
  std::string name, value, meaning;
};

std::string facts_html(const std::vector<Measure>& facts) {
  std::string out = "<dl class=\"facts\">\n";
  for (const Measure& each : facts) {
    const std::string name = report::html_escaped(each.name);
    const std::string shown = each.meaning.empty()
                                  ? name
                                  : "<span class=\"tip\" tabindex=\"0\">" + name +
                                        "<span role=\"tooltip\">" +
                                        report::html_escaped(each.meaning) + "</span></span>";
    out += "<div><dt>" + shown + "</dt><dd>" + report::html_escaped(each.value) + "</dd></div>\n";
  }
  return out + "</dl>\n";
}

void append(std::vector<Measure>& measures, const Facts& facts) {
  for (const auto& [name, value] : facts)
    measures.push_back({name, value, ""});
}

std::string section(const std::string& id, const std::string& heading, const std::string& content) {
  return "<section id=\"" + id + "\"><h2>" + report::html_escaped(heading) + "</h2>\n" + content +
         "</section>\n";
}

std::string folded(const std::string& id, const std::string& heading, const std::string& content) {
  return "<details class=\"fold\" id=\"" + id + "\"><summary>" + report::html_escaped(heading) +
         "</summary>\n" + content + "</details>\n";
}

std::string provenance_html(const Facts& facts) {
  std::vector<Measure> all;
  append(all, facts);
  return folded("provenance", "Provenance", facts_html(all));
}

// The codes at or below a code, whatever the number of splits.
std::vector<bool> below(const Dimension& dimension, std::int32_t top) {
  std::vector<bool> inside(static_cast<std::size_t>(dimension.num_codes()), false);
  std::vector<std::int32_t> open{top};
  while (!open.empty()) {
    const std::int32_t code = open.back();
    open.pop_back();
    if (inside[static_cast<std::size_t>(code)])
      continue;
    inside[static_cast<std::size_t>(code)] = true;
    for (const Relation& relation : dimension.relations()) {
      if (relation.parent == code)
        open.insert(open.end(), relation.children.begin(), relation.children.end());
    }
  }
  return inside;
}

// Of each branch just below the total: the share of its cells that are not published as they are.
report::BarChart loss_by_code(const Table& table, const Draft& draft, std::size_t d) {
  constexpr double kPercent = 100;
  const Dimension& dimension = table.dimensions()[d];
  const auto codes = static_cast<std::size_t>(dimension.num_codes());
  std::vector<std::int64_t> hidden(codes, 0), all(codes, 0);
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const auto code = static_cast<std::size_t>(table.codes(CellId{c})[d]);
    hidden[code] += !draft.is_exact(CellId{c}) ? 1 : 0;
    ++all[code];
  }
  report::BarChart chart{
      "Not published as they are, by " + dimension.name(), "percent of the cells", {}};
  for (std::int32_t top = 0; top < dimension.num_codes(); ++top) {
    if (dimension.depth(top) != 1 || chart.bars.size() >= kMostBars)
      continue;
    const std::vector<bool> inside = below(dimension, top);
    std::int64_t hidden_sum = 0, all_sum = 0;
    for (std::size_t code = 0; code < codes; ++code) {
      hidden_sum += inside[code] ? hidden[code] : 0;
      all_sum += inside[code] ? all[code] : 0;
    }
    const double share =
        all_sum > 0 ? kPercent * static_cast<double>(hidden_sum) / static_cast<double>(all_sum) : 0;
    chart.bars.push_back({dimension.code(top), share});
  }
  return chart;
}

std::string loss_plots(const Table& table, const Draft& draft) {
  std::string out;
  if (draft.adjusted())
    return out;
  for (std::size_t d = 0; d < table.dimensions().size(); ++d) {
    const report::BarChart chart = loss_by_code(table, draft, d);
    const bool any = std::any_of(
        chart.bars.begin(), chart.bars.end(), [](const report::Bar& bar) { return bar.value > 0; });
    if (any)
      out += "<figure>" + report::bars_svg(chart, report::SvgPlace::kInline) + "</figure>\n";
  }
  return out;
}

std::string width_plot(const Problem& problem, const Draft& draft, const AuditReport& report) {
  if (draft.adjusted())
    return "";
  report::Chart chart{"What attackers can infer, against what is required",
                      {"required width", true},
                      {"width that can be inferred", true},
                      {{"", report::SeriesKind::kPoints, {}}},
                      true};
  for (const Finding& finding : report.of(Domain::kRational)) {
    const ShownWidth shown = shown_width(finding);
    if (!shown.unbounded && finding.low.exact() && finding.high.exact()) {
      const double unit = base::units_to_double(1, problem.table().decimals());
      chart.series[0].points.emplace_back(
          static_cast<double>(required_width(finding.question)) * unit, shown.units * unit);
    }
  }
  if (chart.series[0].points.empty())
    return "";
  return "<figure>" + report::chart_svg(chart, report::SvgPlace::kInline) + "</figure>\n";
}

// Only signs that the table has.
std::string legend(const Draft& draft, bool office) {
  std::string out = "<p class=\"legend\">";
  const auto add = [&](const char* mark, const char* sign, const char* meaning) {
    out += fmt::format("<span><i class=\"{}\">{}</i> {}</span>", mark, sign, meaning);
  };
  if (draft.count(StatementKind::kWithheld) > 0)
    add("w", "\u00d7", office ? "withheld, with its true value" : "withheld");
  if (draft.count(StatementKind::kInterval) > 0)
    add("i", "[ ]", "interval");
  if (draft.count(StatementKind::kRounded) > 0)
    add("r", "\u2248", "rounded");
  if (draft.count(StatementKind::kAltered) > 0 || (office && draft.adjusted()))
    add("r", "~", "altered");
  if (office)
    add("p", "\u25cf", "sensitive");
  return out + "<span class=\"soft onscreen\">Choose a cell to read more of it.</span></p>\n";
}

struct PageParts {
  std::string title, above, below, data, unit;
  std::vector<std::pair<std::string, std::string>> links;  // id and name of the parts
};

std::string navigation(const PageParts& parts) {
  std::string out = "<nav aria-label=\"parts of this page\">";
  for (const auto& [id, name] : parts.links)
    out += "<a href=\"#" + id + "\">" + name + "</a>";
  return out + "</nav>\n";
}

std::string page_html(const PageParts& parts, const Draft& draft, bool office) {
  const std::string unit = parts.unit.empty() ? ""
                                              : "<p class=\"note\">Numbers in " +
                                                    report::html_escaped(parts.unit) + ".</p>\n";
  const std::string badge =
      office ? "<p><span class=\"badge office\">For the office only: this page shows confidential "
               "numbers</span></p>\n"
             : "<p><span class=\"badge\">For the public</span></p>\n";
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
         "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         report::html_escaped(parts.title) + "</title>\n<style>" + report::kPageStyle +
         "</style>\n</head>\n<body>\n<main>\n<h1>" + report::html_escaped(parts.title) + "</h1>\n" +
         badge + navigation(parts) + parts.above +
         section("table-part",
                 "Table",
                 unit + "<div class=\"tools\" id=\"axes\"></div>\n" + legend(draft, office) +
                     "<div id=\"grid\" class=\"grid\" tabindex=\"0\" role=\"region\" "
                     "aria-label=\"table\"></div>\n<div id=\"detail\" class=\"detail onscreen\" "
                     "aria-live=\"polite\">No cell is chosen.</div>\n") +
         parts.below +
         "</main>\n<noscript><p>The table is drawn by a script; the numbers are in the file "
         "itself.</p></noscript>\n<script id=\"data\" type=\"application/json\">" +
         parts.data + "</script>\n<script>" + report::kPageScript + "</script>\n</body>\n</html>\n";
}

std::vector<Measure> loss_measures(const Problem& problem,
                                   const Draft& draft,
                                   const AuditReport& report,
                                   const std::string& unit) {
  const InformationLoss loss = information_loss(problem, draft, report);
  const int decimals = problem.table().decimals();
  const double scale = base::units_to_double(1, decimals);
  const std::string in_unit = unit.empty() ? "" : " " + unit;
  return {{"loss I: cells",
           base::grouped(loss.cells),
           "How many cells are not published as they are: withheld, given as a range, rounded or "
           "altered."},
          {"loss II: their value",
           base::readable(static_cast<double>(loss.value) * scale) + in_unit,
           "The true values of these cells, summed up. Totals count as well as their parts, so "
           "this may be more than the grand total."},
          {"loss III: width of what can be inferred",
           report::width_text(loss, base::readable(loss.width.to_double() * scale) + in_unit),
           "For each of these cells, the distance from the lowest to the highest value that an "
           "outsider can still think possible, summed up. The wider, the less a reader knows."},
          {"loss IV: contributions",
           loss.has_contributions ? base::grouped(loss.contributions) : "not known",
           "How many contributions (of firms, of persons) stand behind these cells, summed up."}};
}

void add_utility(const Problem& problem,
                 const Draft& draft,
                 const AuditReport& report,
                 std::vector<Measure>& out) {
  const Utility utility = release_utility(problem, draft, report);
  const Risk risk = release_risk(problem, draft, report);
  const std::string taken =
      "What a reader would take for the value is the published number, or the middle of what can "
      "be inferred. ";
  out.push_back({"mean deviation of what a reader would take",
                 report::figure_text(utility.state(), base::readable_percent(utility.mean_percent)),
                 taken + "This is how far it is from the truth, in percent of the true value, on "
                         "average over all cells that are not zero."});
  out.push_back({"largest deviation",
                 report::figure_text(utility.state(), base::readable_percent(utility.max_percent)),
                 taken + "This is the cell where it is farthest from the truth, in percent of the "
                         "true value; small values that are withheld can be off many times."});
  if (utility.without > utility.not_computed)
    out.push_back({"cells that a reader cannot estimate",
                   base::grouped(utility.without - utility.not_computed),
                   "What can be inferred of these has no lower or no upper end."});
  if (utility.not_computed > 0)
    out.push_back({"cells whose intervals were not computed",
                   base::grouped(utility.not_computed),
                   "What can be inferred of these was not computed for this report."});
  if (risk.requirements > risk.unbounded) {
    const std::string what =
        "What a reader can infer, divided by what must remain open: 1 is just enough, 2 is twice "
        "what was asked for. ";
    out.push_back({"room left, divided by room required: least",
                   report::figure_text(risk.state(), base::readable(risk.least_ratio)),
                   what + "This is the requirement that is met most narrowly."});
    out.push_back({"the same on average",
                   report::figure_text(risk.state(), base::readable(risk.mean_ratio)),
                   what});
  }
  if (risk.unbounded > 0)
    out.push_back({"requirements where an end cannot be inferred",
                   base::grouped(risk.unbounded),
                   "Here the reader knows no upper or no lower end at all."});
}

std::string cost_html(const Problem& problem,
                      const Draft& draft,
                      const AuditReport& report,
                      const OfficePage& page) {
  std::vector<Measure> all;
  append(all, page.summary);
  if (page.cost)
    all.push_back({"cost",
                   base::readable(*page.cost),
                   "What the method kept as low as it could: the weights of the cells that it "
                   "changed or withheld, summed up. The unit is that of the weights."});
  if (page.bound)
    all.push_back({"proven bound",
                   base::readable(*page.bound),
                   "What the run has proven: no release of its method that meets what was asked of "
                   "the run costs less."});
  for (Measure& each : loss_measures(problem, draft, report, page.unit))
    all.push_back(std::move(each));
  add_utility(problem, draft, report, all);
  return section("cost", "What it cost, measured", facts_html(all));
}

std::string guesses_html(const Problem& problem,
                         const Draft& draft,
                         const AuditReport& report,
                         const OfficePage& page) {
  const Guesses guesses = reader_guesses(problem, draft, report, page.near_percent);
  const FigureState state = guesses.state();
  if (state == FigureState::kNotAsked)
    return "";
  const auto share = [&](std::int64_t count) {
    return fmt::format("{} ({:.1f}%)", base::grouped(count), guesses.share(count));
  };
  const auto figure = [&](std::int64_t count) { return report::figure_text(state, share(count)); };
  std::vector<Measure> facts{
      {"sensitive cells", base::grouped(guesses.cells), ""},
      {"of which a reader has a guess", figure(guesses.guessed), ""},
      {"best guess within " + base::format_double(guesses.near_percent) + "% of the truth",
       figure(guesses.near),
       ""},
      {"best guess equal to the truth", figure(guesses.exact), ""}};
  if (draft.count(StatementKind::kInterval) > 0)
    facts.push_back({"an end of the interval is the truth", share(guesses.at_end), ""});
  append(facts, page.guesses);
  return section("guesses",
                 "What a reader would guess",
                 "<p>Guesses are the middle of an interval, published or inferred, a published "
                 "number, and that number moved back by a level; the nearest counts.</p>\n" +
                     facts_html(facts));
}

// Of a table of counts that are published as other numbers.
std::string counts_html(const Problem& problem, const Draft& draft) {
  const std::optional<CountMeasures> measures = count_measures(problem.table(), draft);
  if (!measures || !measures->any_changed())
    return "";
  std::vector<Measure> facts;
  append(facts, count_measures_text(*measures));
  report::BarChart chart{"Published minus true", "cells", {}};
  for (const auto& [change, cells] : measures->noise) {
    if (chart.bars.size() < kMostNoise)
      chart.bars.push_back({std::to_string(change), static_cast<double>(cells)});
  }
  return section(
      "counts",
      "How far the counts are off",
      facts_html(facts) + "<figure>" + bars_svg(chart, report::SvgPlace::kInline) + "</figure>\n");
}

std::string verdict_html(const AuditReport& report) {
  const std::string verdict(to_string(report.verdict));
  return fmt::format(
      "<p class=\"soft\">Audit: <span class=\"verdict {0}\">{0}</span>: {1}{2}.</p>\n",
      verdict,
      report::held_text(report),
      report.verdict == Verdict::kUnasked || report.verdict == Verdict::kUndecided
          ? ""
          : ", confirmed in exact arithmetic");
}

std::string sensitive_html(const AuditReport& report) {
  return section(
      "sensitive-part",
      "Sensitive cells",
      verdict_html(report) +
          (report.of(Domain::kRational).empty()
               ? "<p>No requirement is stated for any cell.</p>\n"
               : "<p>Each line shows the reader who comes nearest to the true value of a cell; the "
                 "arrow opens the others.</p>\n<div id=\"sensitive\"></div>\n"));
}

std::string plots_html(const std::string& plots) {
  return plots.empty() ? ""
                       : section("plots", "Pictures", "<div class=\"plots\">" + plots + "</div>\n");
}

std::string periods_html(const Table& table, const PeriodColumns& periods) {
  if (periods.periods.empty())
    return "";
  const bool notes = std::any_of(periods.rows.begin(), periods.rows.end(), [](const auto& row) {
    return !row.note.empty();
  });
  std::string head;
  for (const std::string& name : periods.periods)
    head += "<th scope=\"col\">" + report::html_escaped(name) + "</th>";
  std::string text = "<p>One column per period; \u00d7 is withheld, \u00b7 is not in the table of "
                     "this period.</p>\n<div class=\"grid\"><table class=\"periods\"><thead><tr><th "
                     "scope=\"col\">Cell</th>" +
                     head + (notes ? "<th scope=\"col\">Withheld until</th>" : "") +
                     "</tr></thead>\n<tbody>\n";
  for (const PeriodColumns::Row& row : periods.rows) {
    text += "<tr><th scope=\"row\">" + report::html_escaped(table.label(row.cell)) + "</th>";
    for (const std::string& each : row.texts)
      text += "<td>" + report::html_escaped(each) + "</td>";
    text += notes ? "<td>" + report::html_escaped(row.note) + "</td></tr>\n" : "</tr>\n";
  }
  text += "</tbody></table></div>\n";
  if (periods.left_out > 0)
    text += "<p class=\"soft\">" + base::grouped(periods.left_out) +
            " more cells are published in all of these periods, or are not listed.</p>\n";
  return section("periods-part", "Periods", text);
}

std::string checked_html(const std::optional<CheckedByThree>& checked) {
  if (!checked)
    return "";
  std::string meaning;
  for (const std::string& each : report::checked_meaning())
    meaning += "<p>" + report::html_escaped(each) + "</p>\n";
  return "<p>" + report::html_escaped(report::checked_sentence(*checked)) + "</p>\n" +
         folded("checked", "What that means", meaning);
}

std::string names_of(const std::vector<PageColumn>& columns) {
  std::string names;
  for (const PageColumn& column : columns)
    names += (names.empty() ? "" : "; ") + column.name;
  return names;
}

Facts with_columns(const OfficePage& page) {
  Facts facts = page.provenance;
  if (!page.columns.empty())
    facts.emplace_back("in brackets behind a number", names_of(page.columns));
  return facts;
}

}  // namespace

std::string office_page(const Problem& problem,
                        const Draft& draft,
                        const AuditReport& report,
                        const OfficePage& page) {
  PageParts parts;
  parts.title = page.title;
  parts.unit = page.unit;
  parts.links = {{"table-part", "Table"},
                 {"sensitive-part", "Sensitive cells"},
                 {"cost", "What it cost"},
                 {"provenance", "Provenance"}};
  parts.above = report::cards_html(report::office_words(problem, draft, report, page)) +
                checked_html(page.checked) +
                report::tables_html(problem.table(), draft, page.tables, true);
  const std::string kinds = report::count_kinds_html(problem, draft, report);
  if (!kinds.empty())
    parts.links.insert(parts.links.begin() + 2, {"kinds-part", "Counts"});
  if (!page.periods.periods.empty())
    parts.links.insert(parts.links.begin() + 1, {"periods-part", "Periods"});
  parts.below =
      periods_html(problem.table(), page.periods) + sensitive_html(report) + kinds + cost_html(problem, draft, report, page) +
      counts_html(problem, draft) + guesses_html(problem, draft, report, page) +
      plots_html(width_plot(problem, draft, report) + loss_plots(problem.table(), draft)) +
      provenance_html(with_columns(page));
  parts.data = report::office_data(
      problem, draft, report, page.tables, page.reasons, page.columns);
  return page_html(parts, draft, true);
}

std::string public_page(const AuditedRelease& release, const PublicPage& page) {
  const Table& table = release.problem().table();
  const Draft& draft = release.content();
  PageParts parts;
  parts.title = page.title;
  parts.unit = page.unit;
  parts.links = {{"table-part", "Table"}, {"provenance", "Provenance"}};
  parts.data =
      report::public_data(table, draft, page.tables, report::Listed::kPublished, page.columns);
  parts.above = report::cards_html(report::public_words(release, page)) +
                report::tables_html(table, draft, page.tables, false);
  if (!page.periods.periods.empty())
    parts.links.insert(parts.links.begin() + 1, {"periods-part", "Periods"});
  Facts facts{{"method", page.method},
              {"made with", "lacuna " + page.version},
              {"date", page.date},
              {"SHA-256 of the published data", base::sha256_hex(parts.data)}};
  if (!page.columns.empty())
    facts.emplace_back("in brackets behind a number", names_of(page.columns));
  parts.below = periods_html(table, page.periods) + plots_html(loss_plots(table, draft)) +
                provenance_html(facts);
  return page_html(parts, draft, false);
}

}  // namespace lacuna
