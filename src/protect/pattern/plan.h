// SPDX-License-Identifier: Apache-2.0
// What may be published of every cell, in one form for rounding, perturbation and mixtures (the
// conclusion of Salazar-Gonzalez, "A unified mathematical programming framework"):
//   choices   one of a few statements: a multiple of the base, a prescribed number, the value
//             itself, nothing at all;
//   slide     any number a + z with z in a range, of which readers know  v - below <= a <= v +
//             above (Figure 12), within what no number of the cell would change;
//   ends      an interval [a - z-, a + z+] (Figure 6).
// A statement has a price, and says something about the truth: `known`. Published numbers must add
// up; where cells without a number are in the way, some numbers within what is known of them must
// complete the sums.
#pragma once

#include <cstdint>
#include <vector>

#include "lacuna/draft.h"
#include "lacuna/problem.h"
#include "lacuna/units.h"

namespace lacuna::pattern {

struct Choice {
  Statement says = Exact{};
  Units value = 0;  // published; the truth if exact, of no meaning if withheld
  Bounds known;     // what a reader then knows of the truth, which lies within
  double price = 0;
  bool changed = false;  // counts toward the limit of changed cells
  bool withheld() const { return std::holds_alternative<Withheld>(says); }
};

enum class PlanKind : std::uint8_t { kChoices, kSlide, kEnds };

struct CellPlan {
  PlanKind kind = PlanKind::kChoices;
  std::vector<Choice> choices;  // kChoices: at least one, by value; all with numbers if several

  // kSlide: z = step (z+ - z-), in units; kEnds: most width below and above.
  Units most_down = 0, most_up = 0;
  Units step = 1;
  bool range_known = true;              // kSlide: readers know below and above; else the whole
                                        // release is adjusted
  Units below = 0, above = 0;           // kSlide
  Bounds within;                        // kSlide: readers know this as well, whatever the number
  double price_down = 0, price_up = 0;  // per unit
  double price_changed = 0;             // kSlide: if z is not 0
};

struct Plan {
  const Problem* problem = nullptr;
  std::vector<CellPlan> cells;
  std::int64_t max_changed = -1;  // cells whose number is not the truth; -1: any number
  bool counts_changes() const;    // a limit or a price
};

// What was chosen.
struct Pattern {
  std::vector<std::int32_t> choice;  // kChoices: index
  std::vector<Units> down, up;       // kSlide: z = up - down; kEnds: the widths; in units
};

CellEntry entry_of(const Plan& plan, const Pattern& pattern, CellId cell);
Draft draft_of(const Plan& plan, const Pattern& pattern);
double cost_of(const Plan& plan, const Pattern& pattern);
std::int64_t changed_cells(const Plan& plan, const Pattern& pattern);

// Every equation whose cells all carry numbers holds exactly for them, and in every other equation
// the cells without a number leave room for the rest; the limit of changed cells is kept.
bool adds_up(const Plan& plan, const Pattern& pattern);

// The cell in the draft published as it is.
CellPlan exact_plan(const Table& table, CellId cell);
CellPlan withheld_plan(double price);

}  // namespace lacuna::pattern
