// SPDX-License-Identifier: Apache-2.0
#include "report/page_data.h"

#include <algorithm>
#include <limits>
#include <map>

#include "base/decimal.h"
#include "lacuna/report.h"
#include "report/cell_view.h"
#include "report/html_text.h"
#include "table/unpublished.h"

namespace lacuna::inline report {
namespace {

template <class Items, class Write>
std::string json_list(const Items& items, Write&& write) {
  std::string out = "[";
  for (const auto& item : items) {
    if (out.size() > 1)
      out += ',';
    out += write(item);
  }
  return out + "]";
}

std::string dimension_json(const Dimension& dimension) {
  return "{\"name\":" + script_json(dimension.name()) +
         ",\"total\":" + std::to_string(dimension.total()) + ",\"codes\":" +
         json_list(dimension.codes(), [](const auto& c) { return script_json(c); }) +
         ",\"relations\":" +
         json_list(dimension.relations(),
                   [](const Relation& relation) {
                     std::string out = "[" + std::to_string(relation.parent);
                     for (const std::int32_t child : relation.children)
                       out += "," + std::to_string(child);
                     return out + "]";
                   }) +
         "}";
}

char state_letter(CellState state) {
  switch (state) {
    case CellState::kExact:
      return 'e';
    case CellState::kWithheld:
      return 'w';
    case CellState::kInterval:
      return 'i';
    case CellState::kRounded:
      return 'r';
    case CellState::kAltered:
    case CellState::kAdjusted:
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
    case CellStatus::kWithheld:
      return 'w';
    case CellStatus::kPublished:
      return 'z';
    case CellStatus::kKnown:
      return 'k';
  }
  return '?';
}

std::string equations_json(const Table& table) {
  std::string out = "[";
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    const EquationId id{e};
    out += (e > 0 ? ",[" : "[") + script_json(format_units(table.rhs(id), table.decimals()));
    for (const Term& term : table.equation(id))
      out += "," + std::to_string(term.cell.value) + "," + std::to_string(term.coefficient);
    out += "]";
  }
  return out + "]";
}

std::string ends_json(const InferredView& inferred) {
  return script_json(inferred.low.text("-\u221e")) + "," +
         script_json(inferred.high.text("\u221e"));
}

constexpr std::size_t kMostAttackers = 6;  // of one cell, among those that were confirmed

char verdict_letter(Verdict verdict) {
  if (verdict == Verdict::kUnasked)
    return 'n';  // nothing is asked
  return to_string(verdict).front();  // p, e, u or w
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
  const auto required = static_cast<double>(required_width(finding.requirement));
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
  FindingsWriter(const Problem& problem, const AuditReport& report) : problem_(problem) {
    std::map<CellId, std::vector<const Finding*>> by_cell;
    for (const Finding& finding : report.findings)
      by_cell[finding.requirement.cell].push_back(&finding);
    for (auto& [cell, all] : by_cell)
      out_ += (out_.empty() ? "" : ",\n") + cell_json(cell, sorted_findings(std::move(all)));
  }
  std::string members() const {
    return "\"attackers\":" +
           json_list(names_, [](const auto& each) { return script_json(each); }) +
           ",\"findings\":[" + out_ + "]";
  }

 private:
  // [cell, attackers in all, verdict, lines]
  std::string cell_json(CellId cell, const CellFindings& found) {
    std::string lines, before;
    for (const Finding* finding : found.shown)
      lines += (lines.empty() ? "" : ",") + line_json(*finding, before);
    return "[" + std::to_string(cell.value) + "," + std::to_string(found.count) + ",\"" +
           verdict_letter(found.verdict) + "\",[" + lines + "]]";
  }

  // [attacker, verdict, exact, low, high] and, where they are not those of the line before, what is
  // required: [..., low, high, width, reason].
  std::string line_json(const Finding& finding, std::string& before) {
    const FindingView view = finding_view(problem_, finding);
    const auto units = [&](Units number) {
      return script_json(format_units(number, problem_.table().decimals()));
    };
    std::string out = "[" + std::to_string(place_of(finding.requirement.attacker)) + ",\"" +
                      verdict_letter(view.verdict) + "\"," + (view.inferred.exact ? "1," : "0,") +
                      ends_json(view.inferred);
    const std::string needs = "," + units(view.needed_low()) + "," + units(view.needed_high()) +
                              "," + units(view.sliding);
    if (needs != before || !finding.reason.empty())
      out += needs;
    before = needs;
    if (!finding.reason.empty())
      out += "," + script_json(finding.reason);
    return out + "]";
  }

  std::size_t place_of(std::int32_t attacker) {
    const auto [at, added] = places_.try_emplace(attacker, names_.size());
    if (added)
      names_.push_back(problem_.attackers()[static_cast<std::size_t>(attacker)].name);
    return at->second;
  }

  const Problem& problem_;
  std::map<std::int32_t, std::size_t> places_;
  std::vector<std::string> names_;
  std::string out_;
};

std::string table_json(const CrossTable& table) {
  std::string dimensions;
  for (const std::int32_t d : table.dimensions)
    dimensions += (dimensions.empty() ? "" : ",") + std::to_string(d);
  return "{\"name\":" + script_json(table.name) + ",\"dimensions\":[" + dimensions + "]}";
}

}  // namespace

std::string public_members(const Table& table,
                           const Draft& draft,
                           const std::vector<CrossTable>& tables,
                           Listed listed) {
  std::string states, texts, codes;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const CellId id{c};
    const bool shown = listed == Listed::kAll || table.dimensions().empty();
    if (!shown && is_unpublished(table.cell(id)))
      continue;
    states += draft.adjusted() ? 'e' : state_letter(draft.state(id));
    texts += (states.size() > 1 ? "|" : "") + published_text(table, published_view(table, draft, id));
    for (const std::int32_t code : table.codes(id))
      codes += (codes.empty() ? "" : ",") + std::to_string(code);
  }
  std::string out = "\"adjusted\":" + std::string(draft.adjusted() ? "true" : "false") +
                    ",\"dimensions\":" + json_list(table.dimensions(), dimension_json) +
                    ",\"codes\":[" + codes + "],\"state\":\"" + states +
                    "\",\"text\":" + script_json(texts);
  if (tables.size() > 1)
    out += ",\"tables\":" + json_list(tables, table_json);
  if (table.dimensions().empty())
    out += ",\"equations\":" + equations_json(table);
  return out;
}

// What is true is written only where something else is published, if anything.
std::string office_members(const Problem& problem,
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
      values += format_units(cell.value, table.decimals());
    statuses += status_letter(cell.status);
    frequencies += separator;
    if (cell.frequency >= 0)
      frequencies += std::to_string(cell.frequency);
  }
  std::string out = "\"value\":" + script_json(values) + ",\"status\":\"" + statuses +
                    "\",\"frequency\":" + script_json(frequencies) + "," +
                    FindingsWriter(problem, report).members() +
                    ",\"ranges\":" + json_list(report.ranges, [&](const CellRange& range) {
                      const InferredView inferred =
                          inferred_view(table, range.cell, range.low, range.high);
                      return "[" + std::to_string(range.cell.value) + "," + ends_json(inferred) +
                             (inferred.exact ? ",1]" : ",0]");
                    });
  if (!reasons.empty())
    out += ",\"reasons\":" + json_list(reasons, [](const auto& each) { return script_json(each); });
  return out;
}

}  // namespace lacuna::inline report
