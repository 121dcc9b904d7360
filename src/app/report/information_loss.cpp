// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <map>

#include "app/report/outsider_ends.h"
#include "core/base/decimal.h"
#include "core/base/json_writer.h"
#include "core/base/rational.h"
#include "core/table/unpublished.h"
#include "lacuna/report.h"

namespace lacuna {
namespace {

// `whole`: the widths that are whole numbers, of which there may be a million.
void add_end(
    const End* end, Units value, Units bound, bool bounded, InformationLoss& loss, Wide& whole) {
  if (end != nullptr && end->exact() && (end->unbounded || end->has_bound)) {
    loss.endless = loss.endless || end->unbounded;
    loss.has_width = loss.has_width && !end->unbounded;
    if (!end->unbounded)
      loss.width += end->reached;
    return;
  }
  loss.exact_width = false;
  if (!bounded) {
    loss.has_width = false;
    return;
  }
  whole += Wide{value} > Wide{bound} ? Wide{value} - bound : Wide{bound} - value;
}

}  // namespace

FigureState InformationLoss::width_state() const {
  if (endless)
    return FigureState::kComputed;
  if (!has_width)
    return FigureState::kNotComputed;
  return exact_width ? FigureState::kComputed : FigureState::kBounded;
}

InformationLoss information_loss(const Problem& problem,
                                 const Draft& draft,
                                 const AuditReport& report) {
  const std::map<CellId, report::Ends> ends = report::outsider_ends(report);
  InformationLoss loss;
  Wide whole = 0;
  for (const CellEntry& entry : draft.each()) {
    const Cell& cell = problem.table().cell(entry.cell);
    if (table::is_unpublished(cell))
      continue;
    ++loss.cells;
    loss.value += cell.value;
    loss.has_contributions = loss.has_contributions && cell.frequency >= 0;
    loss.contributions += cell.frequency;
    const auto at = ends.find(entry.cell);
    const report::Ends known = at == ends.end() ? report::Ends{} : at->second;
    const Bounds published = intersect(entry.bounds(), cell.prior);
    add_end(known.low, cell.value, published.lower, published.has_lower(), loss, whole);
    add_end(known.high, cell.value, published.upper, published.has_upper(), loss, whole);
  }
  loss.width += Fraction(base::to_integer(whole));
  return loss;
}

std::string information_loss_json(const InformationLoss& loss, int decimals) {
  const bool fits = loss.value <= kMaxUnits && loss.value >= -kMaxUnits;
  // One division of two doubles: GMP's own conversion cuts digits off.
  const double width = loss.width.numerator().to_double() /
                       (loss.width.denominator().to_double() * std::pow(10.0, decimals));
  return base::json_object([&](base::JsonWriter& json) {
    json.member("cells", loss.cells).key("value");
    fits ? json.raw(base::format_units(static_cast<Units>(loss.value), decimals)) : json.null();
    json.key("width");
    loss.has_width ? json.value(width) : json.null();
    json.member("width_exact", loss.exact_width);
    json.member("width_state", loss.endless ? "unbounded" : to_string(loss.width_state()));
    json.key("contributions");
    loss.has_contributions ? json.value(loss.contributions) : json.null();
  });
}

}  // namespace lacuna
