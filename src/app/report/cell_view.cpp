// SPDX-License-Identifier: Apache-2.0
#include "app/report/cell_view.h"

#include <algorithm>

#include "core/base/decimal.h"
#include "core/base/rational.h"
#include "core/draft/shown_range.h"

namespace lacuna::report {

PublishedView published_view(const Table& table, const Draft& draft, CellId cell) {
  const auto entry = draft.find(cell);
  if (entry == nullptr)
    return {StatementKind::kExact, table.value(cell), std::nullopt};
  PublishedView view{entry->state(), entry->number(), std::nullopt};
  if (view.state != StatementKind::kWithheld && !draft.adjusted())
    view.range = draft::without_negative_part(entry->bounds(), table.cell(cell));
  return view;
}

std::string published_text(const Table& table, const PublishedView& published) {
  const int decimals = table.decimals();
  std::string text = published.number ? base::format_units(*published.number, decimals) : "";
  if (published.range)
    text += std::string(text.empty() ? "" : " ") + "[" +
            base::format_units(published.range->lower, decimals) + ", " +
            base::format_units(published.range->upper, decimals) + "]";
  return text;
}

// The value, moved by what was reached.
InferredEnd inferred_end(
    const Table& table, CellId cell, Direction direction, const End& end, Units less) {
  if (end.unbounded)
    return {.unbounded = true};
  const Fraction units = base::to_integer(table.value(cell) - less) + sign(direction) * end.reached;
  const std::string exact = base::format_fraction(units, table.decimals());
  if (exact.find('/') == std::string::npos)
    return {.decimal = exact};
  return {.decimal =
              base::format_double(units.to_double() * base::units_to_double(1, table.decimals())),
          .fraction = exact};
}

InferredView inferred_view(
    const Table& table, CellId cell, const End& low, const End& high, Units less) {
  return {inferred_end(table, cell, Direction::kLow, low, less),
          inferred_end(table, cell, Direction::kHigh, high, less),
          low.exact() && high.exact()};
}

FindingView finding_view(const Problem& problem, const Finding& finding, Units less) {
  const Question& need = finding.question;
  return {need.cell,
          problem.attackers()[static_cast<std::size_t>(need.attacker)].name,
          problem.table().value(need.cell) - less,
          need.lower,
          need.upper,
          need.sliding,
          inferred_view(problem.table(), need.cell, finding.low, finding.high, less),
          finding.verdict,
          finding.reason};
}

CellView cell_view(const Problem& problem, std::span<const std::string> reasons, CellId id) {
  const Table& table = problem.table();
  const Cell& cell = table.cell(id);
  CellView view;
  view.cell = id;
  const auto codes = table.codes(id);
  for (std::size_t d = 0; d < codes.size(); ++d)
    view.codes.push_back(table.dimensions()[d].code(codes[d]));
  view.label = table.label(id);
  view.value = cell.value;
  view.status = cell.status;
  if (cell.frequency >= 0)
    view.frequency = cell.frequency;
  view.weight = cell.weight;
  view.prior = cell.prior;
  if (static_cast<std::size_t>(id.value) < reasons.size())
    view.reason = reasons[static_cast<std::size_t>(id.value)];
  const auto& needs = problem.requirements();  // sorted by cell
  auto need = std::lower_bound(
      needs.begin(), needs.end(), id, [](const Requirement& a, CellId b) { return a.cell < b; });
  for (; need != needs.end() && need->cell == id; ++need)
    view.levels.push_back({problem.attackers()[static_cast<std::size_t>(need->attacker)].name,
                           need->lower,
                           need->upper,
                           need->sliding});
  return view;
}

}  // namespace lacuna::report
