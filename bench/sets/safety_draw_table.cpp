// SPDX-License-Identifier: Apache-2.0
// Tables: the generator's kinds, and on top what it does not draw by itself: signs, cells withheld
// already, tight priors here and there, levels of different sorts side by side, attackers who know
// several cells from both sides.
#include <algorithm>
#include <array>
#include <optional>

#include "app/generate/generate.h"
#include "bench/sets/safety_draw.h"
#include "lacuna/mixed.h"

namespace lacuna::bench {
namespace {

constexpr std::int32_t kLeastCells = 6, kMostCells = 150;
constexpr std::size_t kMostSensitive = 8;

std::int32_t draw(base::Random& random, std::int32_t low, std::int32_t high) {
  return static_cast<std::int32_t>(random.between(low, high));
}

template <class T, std::size_t n>
const T& one_of(const std::array<T, n>& choices, base::Random& random) {
  return choices[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(n) - 1))];
}

std::string draw_flat(generation::GenerateOptions& options, base::Random& random) {
  switch (draw(random, 0, 3)) {
    case 0:
      options.sizes = {draw(random, 5, 20)};
      return "flat, 1 dimension";
    case 1:
      options.sizes = {draw(random, 1, 11), draw(random, 2, 9)};
      return "flat, 2 dimensions";
    case 2:
      options.sizes = {draw(random, 1, 5), draw(random, 1, 4), draw(random, 2, 3)};
      return "flat, 3 dimensions";
    default:
      options.sizes = {2, draw(random, 1, 2), draw(random, 1, 2), draw(random, 1, 2)};
      return "flat, 4 dimensions";
  }
}

std::string draw_trees(generation::GenerateOptions& options, base::Random& random) {
  options.kind = generation::GenerateKind::kHierarchical;
  const std::int32_t dimensions = draw(random, 1, 3);
  options.depths.clear();
  for (std::int32_t d = 0; d < dimensions; ++d)
    options.depths.push_back(draw(random, 1, dimensions == 1 ? 4 : 2));
  return "hierarchical, " + std::to_string(dimensions) +
         (dimensions == 1 ? " dimension" : " dimensions");
}

// The smallest preset has 401 cells: enough now and then.
std::string draw_thesis(generation::GenerateOptions& options, base::Random& random) {
  options.kind = generation::GenerateKind::kThesis;
  options.preset = "2C";
  options.sliding_only = random.chance(1, 2);
  return "thesis";
}

std::string draw_shape(generation::GenerateOptions& options, base::Random& random) {
  std::string name;
  const std::int32_t kind = draw(random, 0, 299);
  if (kind < 110) {
    name = draw_flat(options, random);
  } else if (kind < 190) {
    name = draw_trees(options, random);
  } else if (kind < 235) {
    options.kind = generation::GenerateKind::kOneHierarchy;
    options.rows = draw(random, 2, 5);
    options.columns = draw(random, 1, 6);
    options.tree_depth = draw(random, 1, 3);
    options.open_least = draw(random, 0, 1);
    options.open_most = draw(random, options.open_least, 2);
    name = "1h2d";
  } else if (kind < 298) {
    options.kind = generation::GenerateKind::kLinked;
    options.depths = {draw(random, 1, 2), draw(random, 1, 2)};
    options.tables = draw(random, 2, 3);
    options.second_hierarchy = random.chance(1, 3);
    name = options.second_hierarchy ? "linked, second hierarchy" : "linked";
  } else {
    name = draw_thesis(options, random);
  }
  options.fan_least = {draw(random, 1, 2)};
  options.fan_most = {draw(random, 2, 4)};
  options.ragged_percent = one_of<std::int32_t>(std::array{0, 0, 40}, random);
  options.one_child_percent = one_of<std::int32_t>(std::array{0, 0, 30}, random);
  return name;
}

void draw_values(generation::GenerateOptions& options, base::Random& random) {
  options.absent_percent = one_of(std::array{0, 0, 15, 40}, random);
  options.zero_percent = one_of(std::array{0, 0, 20, 50}, random);
  options.typical_value = one_of(std::array<std::int64_t, 5>{2, 10, 60, 1000, 30'000}, random);
  options.skew = draw(random, 0, 5);
  options.decimals = one_of(std::array{0, 0, 0, 1, 2}, random);
  options.weight =
      random.chance(1, 2) ? generation::GenerateWeight::kUnity : generation::GenerateWeight::kValue;
  options.published_percent = one_of(std::array{0, 0, 0, 10, 30}, random);
}

void draw_protection(generation::GenerateOptions& options, base::Random& random) {
  options.sensitive_count = draw(random, 1, static_cast<std::int32_t>(kMostSensitive));
  options.below_percent = one_of(std::array{100, 100, 100, 60, 15}, random);
  options.above_percent = one_of(std::array{-1, -1, 1000, 1000, 100, 15}, random);
  options.upper_percent = one_of(std::array{0, 0, 5, 10, 15}, random);
  options.asymmetry = one_of(std::array{1, 1, 2, 3}, random);
  options.sliding_percent = one_of(std::array{0, 0, 20, 30}, random);
  options.attackers = one_of(std::array{0, 0, 1, 2}, random);
  options.attacker_share = one_of(std::array{0, 20, 50, 90, 100}, random);
}

struct Rooms {  // how far the ends of a range are from the value
  Bounds of;
  Units value = 0;
  Bounds at(Units other) const {
    return {of.has_lower() ? other - (value - of.lower) : kUnboundedBelow,
            of.has_upper() ? other + (of.upper - value) : kUnboundedAbove};
  }
};

// Values with signs: leaves are turned round, sums follow. None if the equations do not allow it,
// as where tables share margins.
std::optional<std::vector<Units>> signed_values(const Table& table, base::Random& random) {
  const std::vector<bool> total = total_cells(table);
  const bool all = random.chance(1, 3);
  std::vector<Units> values;
  std::vector<bool> known;
  for (std::size_t c = 0; c < total.size(); ++c) {
    const bool turn = all || random.chance(1, 3);
    values.push_back(turn ? -table.cells()[c].value : table.cells()[c].value);
    known.push_back(!total[c]);
  }
  for (bool found = true; found;) {
    found = false;
    for (std::int32_t e = 0; e < table.num_equations(); ++e) {
      Units sum = table.rhs(EquationId{e});
      const Term* open = nullptr;
      int unknown = 0;
      for (const Term& term : table.equation(EquationId{e})) {
        const auto c = static_cast<std::size_t>(term.cell.value);
        if (!known[c]) {
          open = &term;
          ++unknown;
        } else {
          sum -= term.coefficient * values[c];
        }
      }
      if (unknown != 1 || sum % open->coefficient != 0)
        continue;
      const auto c = static_cast<std::size_t>(open->cell.value);
      values[c] = sum / open->coefficient;
      known[c] = found = true;
    }
  }
  if (std::find(known.begin(), known.end(), false) != known.end())
    return std::nullopt;
  return values;
}

// The same table with other cells; an error if it does not add up any more.
Result<Table> rebuilt(const Table& table, const std::vector<Cell>& cells) {
  TableBuilder builder(table.decimals(), table.dimensions());
  for (std::size_t c = 0; c < cells.size(); ++c) {
    LACUNA_TRY(const CellId added,
               builder.add_cell(cells[c], table.codes(CellId{static_cast<std::int32_t>(c)})));
    static_cast<void>(added);
  }
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    LACUNA_TRY(const EquationId added,
               builder.add_equation(table.equation(EquationId{e}), table.rhs(EquationId{e})));
    static_cast<void>(added);
  }
  return std::move(builder).build();
}

Units some_of(Units room, base::Random& random) {  // at least one if there is any
  return room <= 0 ? 0 : random.between(1, room);
}

Units near_to(Units value) {
  return std::max<Units>(1, (value < 0 ? -value : value) / 4);
}

void tighten(Cell& cell, base::Random& random) {
  Bounds& prior = cell.prior;
  const Units least = cell.value - some_of(near_to(cell.value), random);
  const Units most = cell.value + some_of(near_to(cell.value), random);
  prior.lower = std::max(prior.lower, least);
  prior.upper = std::min(prior.upper, most);
}

void change_cells(std::vector<Cell>& cells, DrawnTable& drawn, base::Random& random) {
  if (random.chance(1, 6)) {
    drawn.traits.emplace_back("cells withheld already");
    for (Cell& cell : cells) {
      if (cell.status == CellStatus::kFree && random.chance(1, 8))
        cell.status = CellStatus::kSecondary;
    }
  }
  if (random.chance(1, 5)) {
    drawn.traits.emplace_back("tight priors of some cells");
    for (Cell& cell : cells) {
      if (random.chance(1, 4))
        tighten(cell, random);
    }
  }
}

// Signs and single cells.
Status change_table(ProblemParts& parts, DrawnTable& drawn, base::Random& random) {
  const Table table = parts.table;
  std::vector<Cell> cells(table.cells().begin(), table.cells().end());
  std::vector<Units> shift(cells.size(), 0);
  if (random.chance(1, 6)) {
    if (const auto values = signed_values(table, random)) {
      drawn.traits.emplace_back("negative values");
      for (std::size_t c = 0; c < cells.size(); ++c) {
        cells[c].prior = Rooms{cells[c].prior, cells[c].value}.at((*values)[c]);
        shift[c] = (*values)[c] - cells[c].value;
        cells[c].value = (*values)[c];
      }
    }
  }
  change_cells(cells, drawn, random);
  LACUNA_TRY(parts.table, rebuilt(table, cells));
  for (Attacker& attacker : parts.attackers) {
    for (Knowledge& known : attacker.known) {
      const Units moved = shift[static_cast<std::size_t>(known.cell.value)];
      if (known.bounds.has_lower())
        known.bounds.lower += moved;
      if (known.bounds.has_upper())
        known.bounds.upper += moved;
    }
  }
  return ok_status();
}

// Attackers after the outsider learn more: some cells, from one side or both.
void teach(ProblemParts& parts, base::Random& random) {
  for (std::size_t a = 1; a < parts.attackers.size(); ++a) {
    std::vector<Knowledge>& known = parts.attackers[a].known;
    std::vector<Knowledge> all;
    for (std::int32_t c = 0; c < parts.table.num_cells(); ++c) {
      const Units value = parts.table.value(CellId{c});
      const auto own = std::find_if(
          known.begin(), known.end(), [&](const Knowledge& each) { return each.cell.value == c; });
      Knowledge each{CellId{c}, own == known.end() ? Bounds{} : own->bounds};
      if (random.chance(1, 6))
        each.bounds.lower = std::max(each.bounds.lower, value - some_of(near_to(value), random));
      if (random.chance(1, 6))
        each.bounds.upper = std::min(each.bounds.upper, value + some_of(near_to(value), random));
      if (each.bounds.has_lower() || each.bounds.has_upper())
        all.push_back(each);
    }
    known = std::move(all);
  }
}

// What the attacker leaves open, which no level may exceed.
void clip(const ProblemParts& parts, Requirement& need) {
  const Units value = parts.table.value(need.cell);
  const Attacker& who = parts.attackers[static_cast<std::size_t>(need.attacker)];
  const Bounds open = known_bounds(parts.table, who, need.cell);
  if (open.has_lower())
    need.lower = std::min(need.lower, value - open.lower);
  if (open.has_upper())
    need.upper = std::min(need.upper, open.upper - value);
  if (open.has_lower() && open.has_upper())
    need.sliding = std::min(need.sliding, open.upper - open.lower);
}

std::string mix_levels(ProblemParts& parts, bool mixed, base::Random& random) {
  bool levels = false, sliding = false, zero = false;
  for (Requirement& need : parts.requirements) {
    need.sliding = need.given_sliding();
    need.origin = LevelOrigin::kGiven;
    const Units size = near_to(parts.table.value(need.cell));
    switch (mixed ? draw(random, 0, 3) : 3) {
      case 0:
        need.lower = need.upper = need.sliding = 0;
        break;
      case 1:
        need.lower = need.upper = 0;
        need.sliding = some_of(2 * size, random);
        break;
      case 2:
        need.lower = some_of(size, random);
        need.upper = random.chance(1, 3) ? 0 : some_of(size, random);
        need.sliding = random.chance(1, 2) ? 0 : some_of(3 * size, random);
        break;
      default:
        break;
    }
    clip(parts, need);
    (need.asks_nothing() ? zero : need.lower == 0 && need.upper == 0 ? sliding : levels) = true;
  }
  if (levels + sliding + zero > 1)
    return "levels of several sorts";
  return levels ? "levels given" : sliding ? "levels sliding only" : "levels all zero";
}

Result<DrawnTable> try_table(base::Random& random) {
  generation::GenerateOptions options;
  options.seed = random.next();
  const std::string shape = draw_shape(options, random);
  draw_values(options, random);
  draw_protection(options, random);
  LACUNA_TRY(Problem made, generation::generate(options));
  const bool thesis = options.kind == generation::GenerateKind::kThesis;
  if (!thesis && (made.table().num_cells() < kLeastCells || made.table().num_cells() > kMostCells))
    return Error{ErrorCode::kUnsupported, "too small or too large", ""};
  DrawnTable drawn{std::move(made), {"kind " + shape}};
  if (options.decimals > 0 && !thesis)
    drawn.traits.emplace_back("decimals");
  if (options.zero_percent > 0 && !thesis)
    drawn.traits.emplace_back("zero cells");
  if (options.published_percent > 0)
    drawn.traits.emplace_back("cells that must be published");
  ProblemParts parts = std::move(drawn.problem).parts();
  LACUNA_RETURN_IF_ERROR(change_table(parts, drawn, random));
  if (random.chance(1, 2))
    teach(parts, random);
  drawn.traits.push_back(mix_levels(parts, random.chance(1, 4), random));
  drawn.traits.push_back(std::to_string(parts.attackers.size()) +
                         (parts.attackers.size() == 1 ? " attacker" : " attackers"));
  LACUNA_TRY(
      drawn.problem,
      make_problem(
          std::move(parts.table), std::move(parts.attackers), std::move(parts.requirements)));
  return drawn;
}

}  // namespace

base::Random safety_stream(std::uint64_t seed, std::int64_t number) {
  constexpr std::uint64_t kFar = 0xd1342543de82ef95ULL;  // odd: no two numbers meet
  return base::Random(seed ^ (static_cast<std::uint64_t>(number) * kFar));
}

Result<DrawnTable> draw_table(base::Random& random) {
  constexpr int kMaxTries = 1000;
  for (int i = 0; i < kMaxTries; ++i) {
    if (auto drawn = try_table(random))
      return drawn;
  }
  return Error{ErrorCode::kUnsupported, "no table was found for this draw", ""};
}

}  // namespace lacuna::bench
