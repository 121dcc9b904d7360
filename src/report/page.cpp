// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>

#include "base/decimal.h"
#include "base/sha256.h"
#include "lacuna/report.h"
#include "report/html_text.h"
#include "report/page_assets.h"
#include "report/page_data.h"
#include "report/svg_chart.h"

namespace lacuna {
namespace {

constexpr std::size_t kMostBars = 12;

std::string facts_html(const Facts& facts) {
  std::string out = "<dl class=\"facts\">\n";
  for (const auto& [name, value] : facts) {
    out += "<div><dt>" + html_escaped(name) + "</dt><dd>" + html_escaped(value) + "</dd></div>\n";
  }
  return out + "</dl>\n";
}

void append(Facts& facts, const Facts& more) {
  facts.insert(facts.end(), more.begin(), more.end());
}

std::string section(const std::string& heading, const std::string& content) {
  return "<section><h2>" + html_escaped(heading) + "</h2>\n" + content + "</section>\n";
}

Facts state_counts(const Table& table, const Draft& draft) {
  const std::int64_t cells = table.num_cells();
  Facts facts{{"cells", std::to_string(cells)}};
  if (draft.adjusted())
    return facts;
  std::int64_t hidden = 0;
  for (const CellState state :
       {CellState::kWithheld, CellState::kInterval, CellState::kRounded, CellState::kAltered}) {
    const std::int32_t count = draft.count(state);
    hidden += count;
    if (count > 0)
      facts.emplace_back(std::string(to_string(state)), std::to_string(count));
  }
  facts.insert(facts.begin() + 1, {"published as they are", std::to_string(cells - hidden)});
  return facts;
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
BarChart loss_by_code(const Table& table, const Draft& draft, std::size_t d) {
  constexpr double kPercent = 100;
  const Dimension& dimension = table.dimensions()[d];
  const auto codes = static_cast<std::size_t>(dimension.num_codes());
  std::vector<std::int64_t> hidden(codes, 0), all(codes, 0);
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const auto code = static_cast<std::size_t>(table.codes(CellId{c})[d]);
    hidden[code] += draft.find(CellId{c}) != nullptr ? 1 : 0;
    ++all[code];
  }
  BarChart chart{"Not published as they are, by " + dimension.name(), "percent of the cells", {}};
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
    const BarChart chart = loss_by_code(table, draft, d);
    if (!chart.bars.empty())
      out += "<figure>" + bars_svg(chart, SvgPlace::kInline) + "</figure>\n";
  }
  return out;
}

std::string width_plot(const Problem& problem, const Draft& draft, const AuditReport& report) {
  if (draft.adjusted())
    return "";
  Chart chart{"What attackers can infer, against what is required",
              {"required width", true},
              {"width that can be inferred", true},
              {{"", SeriesKind::kPoints, {}}},
              true};
  for (const Finding& finding : report.findings) {
    const ShownWidth shown = shown_width(finding);
    if (!shown.unbounded) {
      const double unit = units_to_double(1, problem.table.decimals());
      chart.series[0].points.emplace_back(
          static_cast<double>(required_width(finding.requirement)) * unit, shown.units * unit);
    }
  }
  if (chart.series[0].points.empty())
    return "";
  return "<figure>" + chart_svg(chart, SvgPlace::kInline) + "</figure>\n";
}

std::string legend(bool office, bool adjusted) {
  std::string out = "<p class=\"legend\">";
  if (!adjusted) {
    out +=
        "<span><i class=\"w\">×</i> withheld</span><span><i class=\"i\">[ ]</i> "
        "interval</span><span><i class=\"r\">≈</i> rounded</span>";
  }
  if (office)
    out += "<span><i class=\"r\">~</i> altered</span><span><i class=\"p\">●</i> sensitive</span>";
  return out + "<span class=\"soft\">Choose a cell to read more of it.</span></p>\n";
}

std::string page_html(const std::string& title,
                      const std::string& above,
                      const std::string& below,
                      const std::string& data,
                      bool office,
                      bool adjusted) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
         "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         html_escaped(title) + "</title>\n<style>" + kPageStyle +
         "</style>\n</head>\n<body>\n<main>\n<h1>" + html_escaped(title) + "</h1>\n" + above +
         section("Table",
                 "<div class=\"tools\" id=\"axes\"></div>\n" + legend(office, adjusted) +
                     "<div id=\"grid\" tabindex=\"0\" role=\"region\" aria-label=\"table\"><div "
                     "id=\"space\"></div></div>\n<div id=\"detail\" aria-live=\"polite\">No cell "
                     "is chosen.</div>\n") +
         below +
         "</main>\n<noscript><p>The table is drawn by a script; the numbers are in the file "
         "itself.</p></noscript>\n<script id=\"data\" type=\"application/json\">" +
         data + "</script>\n<script>" + kPageScript + "</script>\n</body>\n</html>\n";
}

std::string percent(double value) {
  return fmt::format("{:.2f}%", value);
}

Facts loss_facts(const Problem& problem, const Draft& draft, const AuditReport& report) {
  const InformationLoss loss = information_loss(problem, draft, report);
  const int decimals = problem.table.decimals();
  const bool fits = loss.value <= kMaxUnits && loss.value >= -kMaxUnits;
  const double width = loss.width.get_d() * units_to_double(1, decimals);
  return {{"loss I: cells", std::to_string(loss.cells)},
          {"loss II: their value",
           fits ? format_units(static_cast<Units>(loss.value), decimals) : "too large"},
          {"loss III: width of intervals",
           loss.has_width ? fmt::format("{}{:.6g}", loss.exact_width ? "" : "at most ", width)
                          : "unbounded"},
          {"loss IV: contributions",
           loss.has_contributions ? std::to_string(loss.contributions) : "not known"}};
}

Facts utility_facts(const Problem& problem, const Draft& draft, const AuditReport& report) {
  const Utility utility = release_utility(problem, draft, report);
  const Risk risk = release_risk(problem, draft, report);
  Facts facts{{"mean deviation of what a reader would take", percent(utility.mean_percent)},
              {"largest deviation", percent(utility.max_percent)}};
  if (utility.without > 0)
    facts.emplace_back("cells that a reader cannot estimate", std::to_string(utility.without));
  if (risk.requirements > risk.unbounded) {
    facts.emplace_back("shown divided by required width, least",
                       fmt::format("{:.3f}", risk.least_ratio));
    facts.emplace_back("the same, mean", fmt::format("{:.3f}", risk.mean_ratio));
  }
  if (risk.unbounded > 0)
    facts.emplace_back("requirements without an end to infer", std::to_string(risk.unbounded));
  return facts;
}

std::string guesses_html(const Problem& problem,
                         const Draft& draft,
                         const AuditReport& report,
                         const OfficePage& page) {
  const Guesses guesses = reader_guesses(problem, draft, report, page.near_percent);
  const auto share = [&](std::int64_t count) {
    return fmt::format("{} ({:.1f}%)", count, guesses.share(count));
  };
  Facts facts{{"sensitive cells", std::to_string(guesses.cells)},
              {"of which a reader has a guess", share(guesses.guessed)},
              {"best guess within " + format_double(guesses.near_percent) + "% of the truth",
               share(guesses.near)},
              {"best guess equal to the truth", share(guesses.exact)}};
  if (draft.count(CellState::kInterval) > 0)
    facts.emplace_back("an end of the interval is the truth", share(guesses.at_end));
  append(facts, page.guesses);
  return section("What a reader would guess",
                 "<p>Guesses are the middle of an interval, published or inferred, a published "
                 "number, and that number moved back by a level; the nearest counts.</p>\n" +
                     facts_html(facts));
}

std::string verdict_html(const AuditReport& report) {
  const std::string verdict(to_string(report.verdict));
  return fmt::format(
      "<p><span class=\"verdict {0}\">{0}</span> {1} of {2} requirements confirmed in exact "
      "arithmetic ({3} exposed, {4} undecided)</p>\n",
      verdict,
      report.count(Verdict::kProtected),
      report.findings.size(),
      report.count(Verdict::kExposed),
      report.count(Verdict::kUndecided));
}

}  // namespace

std::string office_page(const Problem& problem,
                        const Draft& draft,
                        const AuditReport& report,
                        const OfficePage& page) {
  Facts facts = state_counts(problem.table, draft);
  const auto primaries = std::count_if(
      problem.table.cells().begin(), problem.table.cells().end(), [](const Cell& cell) {
        return cell.status == CellStatus::kPrimary;
      });
  facts.emplace_back("sensitive", std::to_string(primaries));
  append(facts, page.summary);
  append(facts, loss_facts(problem, draft, report));
  append(facts, utility_facts(problem, draft, report));
  const std::string above =
      "<p class=\"note\">For the office only: this page shows confidential numbers.</p>\n" +
      verdict_html(report) + section("Summary", facts_html(facts));
  const std::string plots = width_plot(problem, draft, report) + loss_plots(problem.table, draft);
  const std::string below =
      section("Sensitive cells", "<div id=\"sensitive\"></div>\n") +
      guesses_html(problem, draft, report, page) +
      (plots.empty() ? "" : section("Plots", "<div class=\"plots\">" + plots + "</div>\n")) +
      section("Provenance", facts_html(page.provenance));
  const std::string data = "{" + public_members(problem.table, draft) + "," +
                           office_members(problem, report, page.reasons) + "}";
  return page_html(page.title, above, below, data, true, draft.adjusted());
}

std::string public_page(const AuditedRelease& release, const PublicPage& page) {
  const Table& table = release.problem().table;
  const Draft& draft = release.content();
  const std::string data = "{" + public_members(table, draft) + "}";
  const std::string above =
      "<p><span class=\"verdict protected\">audited</span> Every requirement of this release was "
      "confirmed in exact arithmetic.</p>\n" +
      section("Summary", facts_html(state_counts(table, draft)));
  const std::string plots = loss_plots(table, draft);
  const Facts provenance{{"method", page.method},
                         {"made with", "lacuna " + page.version},
                         {"date", page.date},
                         {"SHA-256 of the published data", sha256_hex(data)}};
  const std::string below =
      (plots.empty() ? "" : section("Plots", "<div class=\"plots\">" + plots + "</div>\n")) +
      section("Provenance", facts_html(provenance));
  return page_html(page.title, above, below, data, false, draft.adjusted());
}

}  // namespace lacuna
