// SPDX-License-Identifier: Apache-2.0
#include "app/report/page_words.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/report/assurance.h"
#include "app/report/html_text.h"
#include "core/base/decimal.h"
#include "core/base/readable.h"
#include "core/draft/meaning.h"
#include "core/table/unpublished.h"

namespace lacuna::report {
namespace {

constexpr double kPercent = 100;

std::string share_text(std::int64_t part, std::int64_t all) {
  return all > 0 ? base::readable_percent(kPercent * static_cast<double>(part) /
                                          static_cast<double>(all))
                 : "0%";
}

std::string cells_text(std::int64_t number) {
  return counted(number, "cell", "cells");
}

struct Counts {
  std::int64_t cells = 0, withheld = 0, intervals = 0, rounded = 0, altered = 0, sensitive = 0;
  std::int64_t hidden_sensitive = 0;  // sensitive and withheld
  std::int64_t not_as_they_are() const { return withheld + intervals + rounded + altered; }
};

bool is_primary(const Table& table, CellId cell) {
  return table.cell(cell).status == CellStatus::kPrimary;
}

// An adjusted table has numbers for all cells, many of them the truth.
std::int64_t moved_cells(const Table& table, const Draft& draft) {
  return std::ranges::count_if(draft.each(), [&](const CellEntry& entry) {
    return entry.number() && *entry.number() != table.value(entry.cell);
  });
}

Counts counts_of(const Table& table, const Draft& draft) {
  Counts counts;
  counts.cells = table.num_cells();
  counts.withheld = draft.count(StatementKind::kWithheld);
  counts.intervals = draft.count(StatementKind::kInterval);
  counts.rounded = draft.count(StatementKind::kRounded);
  counts.altered = draft.count(StatementKind::kAltered) + draft.count(StatementKind::kAdjusted);
  if (draft.adjusted())
    counts.altered = moved_cells(table, draft);
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const CellId id{c};
    if (table::is_unpublished(table.cell(id))) {  // no reader misses it
      --counts.cells;
      counts.withheld -= draft.state(id) == StatementKind::kWithheld ? 1 : 0;
      continue;
    }
    counts.sensitive += is_primary(table, id) ? 1 : 0;
    counts.hidden_sensitive +=
        is_primary(table, id) && draft.state(id) == StatementKind::kWithheld ? 1 : 0;
  }
  return counts;
}

std::string in_tables(const std::vector<LinkedTable>& tables) {
  return tables.size() > 1 ? fmt::format(" in {} linked tables", tables.size()) : "";
}

// No cell is sensitive, or nothing is required of those that are.
Card little_asked_card(const AuditReport& report, const Counts& counts, const OfficePage& page) {
  Card card{"What was asked", "No sensitive cell", {}, ""};
  card.words = {fmt::format("None of the {}{} is marked as confidential.",
                            cells_text(counts.cells),
                            in_tables(page.tables))};
  if (counts.sensitive > 0) {
    card.figure = counted(counts.sensitive, "sensitive cell", "sensitive cells");
    card.words = {fmt::format("Of {}{}.", cells_text(counts.cells), in_tables(page.tables))};
  }
  const std::int64_t required = report.count_asked(Domain::kRational);
  const auto questions = static_cast<std::int64_t>(report.of(Domain::kInteger).size());
  if (required > 0)  // of what a release from elsewhere withholds
    card.words.push_back("It was asked that nobody can work out exactly what is withheld: " +
                         counted(required, "requirement.", "requirements."));
  if (questions > 0)
    card.words.push_back(counted(questions, "question", "questions") + " about counts.");
  if (required + questions == 0)
    card.words.push_back(page.rules.empty() ? "Nothing was asked to be protected."
                                            : "The rules applied: " + page.rules + ".");
  return card;
}

Card asked_card(const Problem& problem,
                const AuditReport& report,
                const Counts& counts,
                const OfficePage& page) {
  if (counts.sensitive == 0 || report.count_asked(Domain::kRational) == 0)
    return little_asked_card(report, counts, page);
  Card card{"What was asked", "", {}, ""};
  card.figure = counted(counts.sensitive, "sensitive cell", "sensitive cells");
  card.words = {
      fmt::format("Of {}{}, {} confidential: nobody may work out {} value more closely "
                  "than its protection level allows.",
                  cells_text(counts.cells),
                  in_tables(page.tables),
                  counts.sensitive == 1 ? "this one is" : "these are",
                  counts.sensitive == 1 ? "its" : "such a")};
  const auto insiders = static_cast<std::int64_t>(problem.attackers().size()) - 1;
  card.words.push_back(
      insiders <= 0
          ? std::string("Against every reader of the published table.")
          : fmt::format("Against every reader of the published table, and against {} who know "
                        "something beforehand, such as their own contribution.",
                        counted(insiders, "reader", "readers")));
  return card;
}

// What a whole table of rounded or altered numbers says, or how many cells say less.
Card shown_card(const Counts& counts, bool adjusted, bool office) {
  Card card{"What is withheld", "", {}, ""};
  const std::int64_t hidden = counts.not_as_they_are();
  if (adjusted) {
    card.heading = "What is published";
    card.figure = "A number for every cell";
    card.words = {
        counts.sensitive == 0
            ? "Numbers of an adjusted table. No cell was marked as sensitive."
            : "Some numbers were moved a little, so that sensitive ones are not shown as they "
              "are; all sums still hold."};
    if (office)
      card.words.push_back(fmt::format("{} of {} ({}) differ from the truth.",
                                       base::grouped(counts.altered),
                                       cells_text(counts.cells),
                                       share_text(counts.altered, counts.cells)));
    return card;
  }
  if (hidden == 0) {
    card.figure = "Nothing";
    card.words = {fmt::format("All {} are published as they are.", cells_text(counts.cells))};
    return card;
  }
  card.figure = fmt::format("{} of {}", base::grouped(hidden), cells_text(counts.cells));
  if (counts.withheld != hidden)
    card.heading = "What is not published as it is";
  if (hidden == counts.cells)
    card.figure = "All " + cells_text(counts.cells);
  else
    card.words = {share_text(counts.cells - hidden, counts.cells) +
                  " of the cells are published as they are."};
  if (counts.withheld > 0 && office && counts.sensitive > 0) {
    const std::int64_t more = counts.withheld - counts.hidden_sensitive;
    card.words.push_back(
        fmt::format("{} withheld because {} sensitive{}.",
                    counted(counts.hidden_sensitive, "cell is", "cells are"),
                    counts.hidden_sensitive == 1 ? "it is" : "they are",
                    more == 0 ? std::string()
                              : fmt::format(", and {} more because sums and differences would "
                                            "give {} away",
                                            base::grouped(more),
                                            counts.hidden_sensitive == 1 ? "it" : "them")));
  } else if (counts.withheld > 0 && counts.withheld < hidden) {
    card.words.push_back(counted(counts.withheld, "cell is", "cells are") + " withheld.");
  }
  if (counts.intervals > 0)
    card.words.push_back(counted(counts.intervals, "cell is", "cells are") +
                         " published as a range from a lowest to a highest number.");
  if (counts.rounded > 0)
    card.words.push_back(counted(counts.rounded, "number is rounded.", "numbers are rounded."));
  if (counts.altered > 0)
    card.words.push_back(counted(counts.altered, "number is", "numbers are") +
                         " published with a range in which the truth lies.");
  return card;
}

std::vector<draft::Meaning> meanings_of_all(const AuditedRelease& release) {
  std::vector<CellId> cells;
  for (std::int32_t c = 0; c < release.problem().table().num_cells(); ++c)
    cells.push_back(CellId{c});
  return draft::meanings_of(release.problem(), release.content(), cells);
}

Card card_of(Claim claim) {
  return {std::move(claim.heading),
          std::move(claim.figure),
          std::move(claim.words),
          std::move(claim.mark)};
}

// The value of the cells that are not published as they are, in percent of that of all cells.
double value_share(const Table& table, const Draft& draft) {
  double hidden = 0, all = 0;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const double value = std::abs(static_cast<double>(table.value(CellId{c})));
    all += value;
    hidden += !draft.is_exact(CellId{c}) ? value : 0;
  }
  return all > 0 ? kPercent * hidden / all : 0;
}

Card cost_card(const Problem& problem,
               const Draft& draft,
               const AuditReport& report,
               const OfficePage& page,
               const Counts& counts) {
  Card card{"What it cost", "", {}, ""};
  const bool numbers = counts.withheld + counts.intervals == 0 && counts.not_as_they_are() > 0;
  if (numbers) {
    const Utility utility = release_utility(problem, draft, report);
    card.figure = base::readable_percent(utility.mean_percent) + " off";
    card.words = {"This is how far published numbers are from the truth, on average."};
  } else {
    card.figure = base::readable_percent(value_share(problem.table(), draft)) + " of the value";
    card.words = {
        "This is the share of the sum over all cells, totals included, that stands in cells not "
        "published as they are."};
  }
  // The bound is of what the run was asked. Where the release does not meet what is asked here, it
  // says nothing.
  if (page.cost && page.bound && *page.cost > 0 && report.verdict == Verdict::kProtected &&
      !draft.by_keys()) {
    const double gap = kPercent * std::max(0.0, *page.cost - *page.bound) / *page.cost;
    constexpr double kNothing = 0.005;  // what would be printed as 0.00%
    card.words.push_back(gap < kNothing
                             ? std::string("It is proven that, by the measure of the run, nothing "
                                           "cheaper would have met what was asked of it.")
                             : "It is proven that, by the measure of the run, the best release "
                               "that meets what was asked of it is at most " +
                                   base::readable_percent(gap) + " cheaper.");
  }
  return card;
}

}  // namespace

std::string counted(std::int64_t number, const std::string& one, const std::string& many) {
  return base::grouped(number) + " " + (number == 1 ? one : many);
}

std::vector<Card> office_words(const Problem& problem,
                               const Draft& draft,
                               const AuditReport& report,
                               const OfficePage& page) {
  const Counts counts = counts_of(problem.table(), draft);
  return {asked_card(problem, report, counts, page),
          shown_card(counts, draft.adjusted(), true),
          card_of(office_claim(problem.table(), draft, report, page.rules, page.counts_left_out)),
          cost_card(problem, draft, report, page, counts)};
}

std::vector<Card> public_words(const AuditedRelease& release, const PublicPage& page) {
  const Table& table = release.problem().table();
  const Draft& draft = release.content();
  const Counts counts = counts_of(table, draft);
  Card what{"What this is", cells_text(counts.cells), {}, ""};
  what.words = {fmt::format("The published figures{}.", in_tables(page.tables)),
                "Choose a cell of the table to read what is said about it."};
  Card shown = shown_card(counts, draft.adjusted(), false);
  for (const draft::Meaning& meaning : meanings_of_all(release)) {
    // Of the other kinds the card says it already.
    if (meaning.kind == StatementKind::kWithheld || meaning.kind == StatementKind::kRounded)
      shown.words.push_back(meaning.text);
  }
  return {
      what,
      std::move(shown),
      card_of(public_claim(table, draft, release.report(), page.by_rules, page.counts_left_out))};
}

std::string cards_html(const std::vector<Card>& cards) {
  std::string out = fmt::format("<div class=\"cards n{}\" id=\"summary\">\n", cards.size());
  for (const Card& card : cards) {
    out += "<section class=\"card" + (card.mark.empty() ? "" : " " + card.mark) + "\"><h3>" +
           html_escaped(card.heading) + "</h3><p class=\"figure\">" + html_escaped(card.figure) +
           "</p>";
    for (const std::string& words : card.words)
      out += "<p>" + html_escaped(words) + "</p>";
    out += "</section>\n";
  }
  return out + "</div>\n";
}

std::string tables_html(const Table& table,
                        const Draft& draft,
                        const std::vector<LinkedTable>& tables,
                        bool office) {
  if (tables.size() < 2)
    return "";
  std::string out =
      "<section><h2>Tables</h2>\n<div class=\"scroll\"><table class=\"list narrow\"><thead><tr>"
      "<th>table</th><th class=\"number\">cells</th>" +
      std::string(office ? "<th class=\"number\">sensitive</th>" : "") +
      (draft.adjusted() ? ""
                        : "<th class=\"number\">not published as they are</th><th>share</th>") +
      "</tr></thead><tbody>\n";
  for (std::size_t t = 0; t < tables.size(); ++t) {
    std::vector<bool> crossed(table.dimensions().size(), false);
    for (const std::int32_t d : tables[t].dimensions)
      crossed[static_cast<std::size_t>(d)] = true;
    std::int64_t cells = 0, hidden = 0, sensitive = 0;
    for (std::int32_t c = 0; c < table.num_cells(); ++c) {
      const CellId id{c};
      bool inside = true;
      for (std::size_t d = 0; d < crossed.size() && inside; ++d)
        inside = crossed[d] || table.codes(id)[d] == table.dimensions()[d].total();
      cells += inside ? 1 : 0;
      hidden += inside && !draft.is_exact(id) ? 1 : 0;
      sensitive += inside && is_primary(table, id) ? 1 : 0;
    }
    out += fmt::format(
        "<tr><td><button class=\"link\" data-table=\"{}\">{}</button></td><td class=\"number\">{}"
        "</td>",
        t,
        html_escaped(tables[t].name),
        base::grouped(cells));
    if (office)
      out += "<td class=\"number\">" + base::grouped(sensitive) + "</td>";
    if (!draft.adjusted()) {
      const double share =
          cells > 0 ? kPercent * static_cast<double>(hidden) / static_cast<double>(cells) : 0;
      out += fmt::format(
          "<td class=\"number\">{}</td><td><span class=\"share\"><i style=\"width:{:.1f}%\"></i>"
          "</span>{}</td>",
          base::grouped(hidden),
          share,
          base::readable_percent(share));
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div></section>\n";
}

}  // namespace lacuna::report
