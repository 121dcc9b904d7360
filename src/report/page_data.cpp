// SPDX-License-Identifier: Apache-2.0
#include "report/page_data.h"

#include "base/decimal.h"
#include "base/rational.h"
#include "release/shown_range.h"
#include "report/html_text.h"

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

// "12.5", "[10, 20]", "30 ±5"; empty if nothing is said.
std::string published_text(const Table& table, const Draft& draft, CellId cell) {
  const CellEntry* entry = draft.find(cell);
  const int decimals = table.decimals();
  if (entry == nullptr)
    return format_units(table.value(cell), decimals);
  if (entry->state() == CellState::kWithheld)
    return "";
  const std::optional<Units> number = entry->number();
  const std::string value = number ? format_units(*number, decimals) : "";
  if (draft.adjusted())
    return value;
  const Bounds ends = without_negative_part(entry->bounds(), table.cell(cell));
  return value + (number ? " [" : "[") + format_units(ends.lower, decimals) + ", " +
         format_units(ends.upper, decimals) + "]";
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

std::string end_text(const Table& table, CellId cell, Direction direction, const End& end) {
  if (end.unbounded)
    return direction == Direction::kLow ? "-\u221e" : "\u221e";
  const Fraction units = static_cast<long>(table.value(cell)) + sign(direction) * end.reached;
  const std::string exact = format_fraction(units, table.decimals());
  if (exact.find('/') == std::string::npos)
    return exact;
  return format_double(units.get_d() * units_to_double(1, table.decimals()));
}

std::string range_json(const Table& table, CellId cell, const End& low, const End& high) {
  return script_json(end_text(table, cell, Direction::kLow, low)) + "," +
         script_json(end_text(table, cell, Direction::kHigh, high)) + "," +
         (low.exact() && high.exact() ? "1" : "0");
}

// [cell, attacker, needs low, needs high, width, inferred low, inferred high, exact, verdict, why]
std::string finding_json(const Problem& problem, const Finding& finding) {
  const Table& table = problem.table;
  const Requirement& need = finding.requirement;
  const Units value = table.value(need.cell);
  const auto units = [&](Units number) {
    return script_json(format_units(number, table.decimals()));
  };
  return "[" + std::to_string(need.cell.value) + "," + std::to_string(need.attacker) + "," +
         units(value - need.lower) + "," + units(value + need.upper) + "," + units(need.sliding) +
         "," + range_json(table, need.cell, finding.low, finding.high) + "," +
         script_json(to_string(finding.verdict)) + "," + script_json(finding.reason) + "]";
}

}  // namespace

std::string public_members(const Table& table, const Draft& draft) {
  std::string states, texts, codes;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const CellId id{c};
    states += draft.adjusted() ? 'e' : state_letter(draft.state(id));
    texts += (c > 0 ? "\n" : "") + published_text(table, draft, id);
    for (const std::int32_t code : table.codes(id))
      codes += (codes.empty() ? "" : ",") + std::to_string(code);
  }
  std::string out = "\"adjusted\":" + std::string(draft.adjusted() ? "true" : "false") +
                    ",\"dimensions\":" + json_list(table.dimensions(), dimension_json) +
                    ",\"codes\":[" + codes + "],\"state\":\"" + states +
                    "\",\"text\":" + script_json(texts);
  if (table.dimensions().empty())
    out += ",\"equations\":" + equations_json(table);
  return out;
}

std::string office_members(const Problem& problem,
                           const AuditReport& report,
                           const std::vector<std::string>& reasons) {
  const Table& table = problem.table;
  std::string values, statuses, frequencies;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const Cell& cell = table.cell(CellId{c});
    values += (c > 0 ? "\n" : "") + format_units(cell.value, table.decimals());
    statuses += status_letter(cell.status);
    frequencies += (c > 0 ? "\n" : "");
    if (cell.frequency >= 0)
      frequencies += std::to_string(cell.frequency);
  }
  std::string out =
      "\"value\":" + script_json(values) + ",\"status\":\"" + statuses +
      "\",\"frequency\":" + script_json(frequencies) + ",\"attackers\":" +
      json_list(problem.attackers, [](const Attacker& each) { return script_json(each.name); }) +
      ",\"findings\":" +
      json_list(report.findings, [&](const Finding& each) { return finding_json(problem, each); }) +
      ",\"ranges\":" + json_list(report.ranges, [&](const CellRange& range) {
        return "[" + std::to_string(range.cell.value) + "," +
               range_json(table, range.cell, range.low, range.high) + "]";
      });
  if (!reasons.empty())
    out += ",\"reasons\":" + json_list(reasons, [](const auto& each) { return script_json(each); });
  return out;
}

}  // namespace lacuna::inline report
