// SPDX-License-Identifier: Apache-2.0
#include "app/report/page_data.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "app/report/cell_view.h"
#include "core/base/decimal.h"
#include "core/base/json_writer.h"
#include "core/table/unpublished.h"
#include "lacuna/report.h"

namespace lacuna::report {
namespace {

void write_dimension(base::JsonWriter& json, const Dimension& dimension) {
  json.object([&] {
    json.member("name", dimension.name()).member("total", dimension.total());
    json.key("codes").values(dimension.codes());
    json.key("relations").list(dimension.relations(), [&](const Relation& relation) {
      json.list([&] {
        json.value(relation.parent);
        for (const std::int32_t child : relation.children)
          json.value(child);
      });
    });
  });
}

char state_letter(StatementKind state) {
  switch (state) {
    case StatementKind::kExact:
      return 'e';
    case StatementKind::kWithheld:
      return 'w';
    case StatementKind::kInterval:
      return 'i';
    case StatementKind::kRounded:
      return 'r';
    case StatementKind::kAltered:
    case StatementKind::kAdjusted:
      return 'a';
  }
  return '?';
}

char status_letter(CellStatus status) {
  switch (status) {
    case CellStatus::kFree:
      return 'f';
    case CellStatus::kPrimary:
      return 'p';
    case CellStatus::kSecondary:
      return 'w';
    case CellStatus::kMustPublish:
      return 'z';
    case CellStatus::kKnown:
      return 'k';
  }
  return '?';
}

void write_equations(base::JsonWriter& json, const Table& table) {
  json.list([&] {
    for (std::int32_t e = 0; e < table.num_equations(); ++e) {
      const EquationId id{e};
      json.list([&] {
        json.value(base::format_units(table.rhs(id), table.decimals()));
        for (const Term& term : table.equation(id))
          json.value(term.cell.value).value(term.coefficient);
      });
    }
  });
}

void write_ends(base::JsonWriter& json, const InferredView& inferred) {
  json.value(inferred.low.text("-\u221e")).value(inferred.high.text("\u221e"));
}

constexpr std::size_t kMostAttackers = 6;  // of one cell, among those that were confirmed

std::string_view verdict_letter(Verdict verdict) {
  if (verdict == Verdict::kUnasked)
    return "n";                            // nothing is asked
  return to_string(verdict).substr(0, 1);  // p, e, u or w
}

// The findings of one cell, those that matter most first: what was not confirmed, then by how
// little more can be inferred than is required.
struct CellFindings {
  std::vector<const Finding*> shown;
  std::size_t count = 0;
  Verdict verdict = Verdict::kProtected;
};

double slack_of(const Finding& finding) {
  const ShownWidth width = shown_width(finding);
  const auto required = static_cast<double>(required_width(finding.question));
  return width.unbounded ? std::numeric_limits<double>::infinity()
                         : width.units / std::max(required, 1.0);
}

CellFindings sorted_findings(std::vector<const Finding*> all) {
  CellFindings found;
  found.count = all.size();
  const auto rank = [](const Finding* each) {
    return each->verdict == Verdict::kExposed     ? 0
           : each->verdict == Verdict::kUndecided ? 1
           : each->verdict == Verdict::kWaived    ? 2
           : each->verdict == Verdict::kProtected ? 3
                                                  : 4;
  };
  std::stable_sort(all.begin(), all.end(), [&](const Finding* a, const Finding* b) {
    return rank(a) != rank(b) ? rank(a) < rank(b) : slack_of(*a) < slack_of(*b);
  });
  found.verdict = all.front()->verdict;
  const auto confirmed = static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [&](const Finding* each) { return rank(each) >= 3; }));
  all.resize(all.size() - confirmed + std::min(confirmed, kMostAttackers));
  found.shown = std::move(all);
  return found;
}

// Attackers by the order in which they first appear: those of no finding that is told are left out.
class FindingsWriter {
 public:
  FindingsWriter(base::JsonWriter& json, const Problem& problem) : json_(json), problem_(problem) {}

  void write(const AuditReport& report) {
    std::map<CellId, std::vector<const Finding*>> by_cell;
    for (const Finding& finding : report.of(Domain::kRational))
      by_cell[finding.question.cell].push_back(&finding);
    std::vector<std::pair<CellId, CellFindings>> told;
    for (auto& [cell, all] : by_cell)
      told.emplace_back(cell, sorted_findings(std::move(all)));
    write_attackers(told);
    json_.key("findings").list([&] {
      for (std::size_t i = 0; i < told.size(); ++i) {
        if (i > 0)
          json_.line();
        write_cell(told[i].first, told[i].second);
      }
    });
  }

 private:
  using Needs = std::array<Units, 3>;  // lowest, highest, width

  void write_attackers(const std::vector<std::pair<CellId, CellFindings>>& told) {
    json_.key("attackers").list([&] {
      for (const auto& [cell, found] : told) {
        for (const Finding* finding : found.shown) {
          const std::int32_t attacker = finding->question.attacker;
          if (places_.try_emplace(attacker, places_.size()).second)
            json_.value(problem_.attackers()[static_cast<std::size_t>(attacker)].name);
        }
      }
    });
  }

  // [cell, attackers in all, verdict, lines]
  void write_cell(CellId cell, const CellFindings& found) {
    json_.list([&] {
      json_.value(cell.value).value(found.count).value(verdict_letter(found.verdict));
      std::optional<Needs> before;
      json_.list(found.shown, [&](const Finding* finding) { write_line(*finding, before); });
    });
  }

  // [attacker, verdict, exact, low, high] and, where they are not those of the line before, what is
  // required: [..., low, high, width, reason].
  void write_line(const Finding& finding, std::optional<Needs>& before) {
    const FindingView view = finding_view(problem_, finding);
    const Needs needs{view.needed_low(), view.needed_high(), view.sliding};
    json_.list([&] {
      json_.value(places_.at(finding.question.attacker)).value(verdict_letter(view.verdict));
      json_.value(view.inferred.exact ? 1 : 0);
      write_ends(json_, view.inferred);
      if (needs != before || !finding.reason.empty()) {
        for (const Units each : needs)
          json_.value(base::format_units(each, problem_.table().decimals()));
      }
      if (!finding.reason.empty())
        json_.value(finding.reason);
    });
    before = needs;
  }

  base::JsonWriter& json_;
  const Problem& problem_;
  std::map<std::int32_t, std::size_t> places_;
};

void write_public(base::JsonWriter& json,
                  const Table& table,
                  const Draft& draft,
                  const std::vector<LinkedTable>& tables,
                  Listed listed,
                  const std::vector<PageColumn>& columns) {
  const bool all = listed == Listed::kAll || table.dimensions().empty();
  const auto for_each_shown = [&](const auto& show) {
    for (std::int32_t c = 0; c < table.num_cells(); ++c) {
      if (all || !table::is_unpublished(table.cell(CellId{c})))
        show(CellId{c});
    }
  };
  std::string states, texts;
  for_each_shown([&](CellId id) {
    states += draft.adjusted() ? 'e' : state_letter(draft.state(id));
    texts +=
        (states.size() > 1 ? "|" : "") + published_text(table, published_view(table, draft, id));
  });
  json.member("adjusted", draft.adjusted());
  json.key("dimensions").list(table.dimensions(), [&](const Dimension& dimension) {
    write_dimension(json, dimension);
  });
  json.key("codes").list([&] {
    for_each_shown([&](CellId id) {
      for (const std::int32_t code : table.codes(id))
        json.value(code);
    });
  });
  json.member("state", states).member("text", texts);
  if (!columns.empty())
    json.key("columns").list(columns, [&](const PageColumn& column) {
      std::string all_texts;
      bool first = true;
      for_each_shown([&](CellId id) {
        const auto c = static_cast<std::size_t>(id.value);
        all_texts += (first ? "" : "|") + (c < column.texts.size() ? column.texts[c] : "");
        first = false;
      });
      json.object([&] { json.member("name", column.name).member("text", all_texts); });
    });
  if (tables.size() > 1) {
    json.key("tables").list(tables, [&](const LinkedTable& each) {
      json.object(
          [&] { json.member("name", each.name).key("dimensions").values(each.dimensions); });
    });
  }
  if (table.dimensions().empty())
    write_equations(json.key("equations"), table);
}

// What is true is written only where something else is published, if anything.
void write_office(base::JsonWriter& json,
                  const Problem& problem,
                  const Draft& draft,
                  const AuditReport& report,
                  const std::vector<std::string>& reasons) {
  const Table& table = problem.table();
  std::string values, statuses, frequencies;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const CellId id{c};
    const Cell& cell = table.cell(id);
    const std::string separator = c > 0 ? "|" : "";
    values += separator;
    if (!draft.is_exact(id))
      values += base::format_units(cell.value, table.decimals());
    statuses += status_letter(cell.status);
    frequencies += separator;
    if (cell.frequency >= 0)
      frequencies += std::to_string(cell.frequency);
  }
  json.member("value", values).member("status", statuses).member("frequency", frequencies);
  FindingsWriter(json, problem).write(report);
  json.key("ranges").list(report.ranges, [&](const CellRange& range) {
    const InferredView inferred = inferred_view(table, range.cell, range.low, range.high);
    json.list([&] {
      json.value(range.cell.value);
      write_ends(json, inferred);
      json.value(inferred.exact ? 1 : 0);
    });
  });
  if (!reasons.empty())
    json.key("reasons").values(reasons);
}

}  // namespace

std::string office_data(const Problem& problem,
                        const Draft& draft,
                        const AuditReport& report,
                        const std::vector<LinkedTable>& tables,
                        const std::vector<std::string>& reasons,
                        const std::vector<PageColumn>& columns) {
  const auto write = [&](base::JsonWriter& json) {
    write_public(json, problem.table(), draft, tables, Listed::kAll, columns);
    write_office(json, problem, draft, report, reasons);
  };
  return base::json_object(write, base::JsonPlace::kScript);
}

std::string public_data(const Table& table,
                        const Draft& draft,
                        const std::vector<LinkedTable>& tables,
                        Listed listed,
                        const std::vector<PageColumn>& columns) {
  const auto write = [&](base::JsonWriter& json) {
    write_public(json, table, draft, tables, listed, columns);
  };
  return base::json_object(write, base::JsonPlace::kScript);
}

}  // namespace lacuna::report
