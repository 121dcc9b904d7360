// SPDX-License-Identifier: Apache-2.0
// What is known, asked, published and inferred of a cell, as data: the one place that decides what
// is told of a cell. Texts, JSON, columns and pages are made of it, so that they cannot disagree.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lacuna/audit.h"
#include "lacuna/draft.h"
#include "lacuna/problem.h"
#include "lacuna/units.h"

namespace lacuna::report {

// What readers see of a cell.
struct PublishedView {
  StatementKind state = StatementKind::kExact;
  std::optional<Units> number;  // the value, or what is published in its place
  std::optional<Bounds> range;  // what is told of how far the truth may be; of intervals the ends
};
PublishedView published_view(const Table& table, const Draft& draft, CellId cell);
// "12.5", "[10, 20]", "30 [25, 35]"; empty if nothing is said.
std::string published_text(const Table& table, const PublishedView& published);

// An end of what an attacker can infer.
struct InferredEnd {
  bool unbounded = false;
  std::string decimal{};   // as a number of the table; empty if there is no end
  std::string fraction{};  // where the decimal is only close: "25/3"
  // Exact as far as a number of the table can be; `none` where there is no end.
  std::string text(const std::string& none) const { return unbounded ? none : decimal; }
};
// `less` is taken off: a change of counts stands in the system with a number added.
InferredEnd inferred_end(
    const Table& table, CellId cell, Direction direction, const End& end, Units less = 0);

struct InferredView {
  InferredEnd low, high;
  bool exact = false;  // both ends are what can be inferred, and not only no closer than that
};
InferredView inferred_view(
    const Table& table, CellId cell, const End& low, const End& high, Units less = 0);

// What one attacker may not come closer to, and what was found of it.
struct FindingView {
  CellId cell;
  std::string attacker;
  Units value = 0;
  Units lower = 0, upper = 0, sliding = 0;  // levels
  InferredView inferred;
  Verdict verdict = Verdict::kUnasked;
  std::string reason;

  Units needed_low() const { return value - lower; }
  Units needed_high() const { return value + upper; }
};
FindingView finding_view(const Problem& problem, const Finding& finding, Units less = 0);

// What is asked of a cell, by attacker.
struct LevelView {
  std::string attacker;
  Units lower = 0, upper = 0, sliding = 0;
};

// What the office knows of a cell, and what is asked of it.
struct CellView {
  CellId cell;
  std::vector<std::string> codes;  // none if the table has no dimensions
  std::string label;
  Units value = 0;
  CellStatus status = CellStatus::kFree;
  std::optional<std::int64_t> frequency;
  double weight = 0;
  Bounds prior;
  std::string reason;  // why it is sensitive
  std::vector<LevelView> levels;
};
CellView cell_view(const Problem& problem, std::span<const std::string> reasons, CellId cell);

}  // namespace lacuna::report
