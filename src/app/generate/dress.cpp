// SPDX-License-Identifier: Apache-2.0
// Sensitive cells are those with the smallest keys, where the key of a cell is an even draw times a
// factor that grows with the number of digits of the value, is 16 times larger for sums, and so
// large for cells at a dimension's total that these come last. This makes small leaf cells
// sensitive most often, as in practice. Percentages are rounded up, bounds outward.
#include "app/generate/dress.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "app/generate/values.h"
#include "core/base/decimal.h"
#include "core/base/random.h"
#include "lacuna/linked_tables.h"

namespace lacuna::generation {
namespace {

Units percent_up(Units value, std::int64_t percent) {
  const Wide result = (Wide{value} * percent + 99) / 100;
  return result > kMaxUnits ? kMaxUnits : static_cast<Units>(result);
}

enum class Place { kLeaf, kSum, kAtTotal };

Place place_of(const CellList& cells, std::size_t table, std::size_t cell) {
  Place place = Place::kLeaf;
  for (const std::int32_t d : cells.tables[table].dimensions) {
    const Dimension& dimension = cells.dimensions[static_cast<std::size_t>(d)];
    const std::int32_t code = cells.codes_of(cell)[static_cast<std::size_t>(d)];
    if (code == dimension.total())
      return Place::kAtTotal;
    if (!dimension.is_leaf(code))
      place = Place::kSum;
  }
  return place;
}

struct Candidate {
  std::uint64_t key = 0;
  std::size_t cell = 0;
  auto operator<=>(const Candidate&) const = default;
};

std::uint64_t factor_of(Place place) {
  switch (place) {
    case Place::kLeaf:
      return 1;
    case Place::kSum:
      return 16;
    case Place::kAtTotal:
      break;
  }
  return std::uint64_t{1} << 20U;
}

// The keys of all cells that are not zero; counts the cells that are at no total.
std::vector<Candidate> candidates_of(const CellList& cells,
                                     base::Random random,
                                     std::int64_t& inner) {
  std::vector<Candidate> candidates;
  candidates.reserve(cells.size());
  inner = 0;
  for (std::size_t t = 0; t < cells.tables.size(); ++t) {
    const std::size_t end = t + 1 < cells.tables.size() ? cells.first_cell[t + 1] : cells.size();
    for (std::size_t c = cells.first_cell[t]; c < end; ++c) {
      const Place place = place_of(cells, t, c);
      const std::uint64_t draw = random.next() >> 33U;
      inner += place == Place::kAtTotal ? 0 : 1;
      if (cells.values[c] <= 0)
        continue;
      const auto digits =
          static_cast<std::uint64_t>(std::bit_width(static_cast<std::uint64_t>(cells.values[c])));
      candidates.push_back({(draw + 1) * digits * factor_of(place), c});
    }
  }
  return candidates;
}

Sensitive levels_of(std::size_t cell, Units value, const GenerateOptions& options) {
  Sensitive result{.cell = cell};
  if (options.upper_percent > 0) {
    const Wide divisor = Wide{100} * options.asymmetry;
    result.lower =
        static_cast<Units>((Wide{value} * options.upper_percent + divisor - 1) / divisor);
    result.upper = result.lower * options.asymmetry;
  }
  result.sliding = percent_up(value, options.sliding_percent);
  return result;
}

Bounds prior_of(Units value, const GenerateOptions& options) {
  Bounds prior{value - percent_up(value, options.below_percent), kUnboundedAbove};
  if (options.above_percent >= 0) {
    // A zero cell would be known to everyone if its bound were in percent of zero.
    const Wide upper = Wide{value} + percent_up(std::max(value, Units{1}), options.above_percent);
    prior.upper = upper > kMaxUnits ? kMaxUnits : static_cast<Units>(upper);
  }
  return prior;
}

// Rounding of a level up to a multiple of the asymmetry may take it past the bound; the bound
// gives.
void make_attainable(Bounds& prior, Units value, const Sensitive& levels) {
  if (prior.has_upper())
    prior.upper = std::max(prior.upper, value + levels.upper);
}

struct Respondents {
  std::vector<Attacker> attackers;
  std::vector<Requirement> requirements;
};

// Attackers 1, 2, ...: each has contributed a share of one sensitive cell, so knows that the cell
// is at least as large, and every sensitive cell must be safe from each of them.
Respondents draw_respondents(const Table& table,
                             const std::vector<Sensitive>& sensitive,
                             const GenerateOptions& options) {
  Respondents result;
  base::Random random = stream(options.seed, Stage::kAttackers);
  std::vector<std::size_t> order(sensitive.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = i;
    std::swap(order[i],
              order[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(i)))]);
  }
  for (std::int32_t a = 1; a <= options.attackers; ++a) {
    const std::size_t own = order[static_cast<std::size_t>(a - 1) % order.size()];
    const CellId own_cell{static_cast<std::int32_t>(sensitive[own].cell)};
    const Units value = table.value(own_cell);
    const auto share = static_cast<Units>(Wide{value} * options.attacker_share / 100);
    const Units least = std::max(share, table.cell(own_cell).prior.lower);
    result.attackers.push_back(
        {"respondent " + std::to_string(a), {{own_cell, {least, kUnboundedAbove}}}});
    for (std::size_t s = 0; s < sensitive.size(); ++s) {
      const Sensitive& levels = sensitive[s];
      Requirement need{CellId{static_cast<std::int32_t>(levels.cell)},
                       a,
                       levels.lower,
                       levels.upper,
                       levels.sliding};
      if (s == own) {
        const Bounds prior = table.cell(own_cell).prior;
        need.lower = std::min(need.lower, value - least);
        if (prior.has_upper())
          need.sliding = std::min(need.sliding, prior.upper - least);
      }
      result.requirements.push_back(need);
    }
  }
  return result;
}

}  // namespace

Result<std::vector<Sensitive>> draw_sensitive(const CellList& cells,
                                              const GenerateOptions& options) {
  std::int64_t inner = 0;
  std::vector<Candidate> candidates =
      candidates_of(cells, stream(options.seed, Stage::kSensitive), inner);
  const std::int64_t wanted = options.sensitive_count >= 0
                                  ? options.sensitive_count
                                  : inner * options.sensitive_percent / 100;
  if (wanted > static_cast<std::int64_t>(candidates.size())) {
    return Error{ErrorCode::kOptionConflict,
                 "there are only " + std::to_string(candidates.size()) +
                     " cells that are not zero, but " + std::to_string(wanted) +
                     " are to be sensitive",
                 options.sensitive_count >= 0 ? "--sensitive-count" : "--sensitive-percent"};
  }
  const auto end = candidates.begin() + static_cast<std::ptrdiff_t>(wanted);
  std::nth_element(candidates.begin(), end, candidates.end());
  std::vector<Sensitive> result;
  for (auto candidate = candidates.begin(); candidate != end; ++candidate)
    result.push_back(levels_of(candidate->cell, cells.values[candidate->cell], options));
  std::sort(result.begin(), result.end(), [](const Sensitive& a, const Sensitive& b) {
    return a.cell < b.cell;
  });
  return result;
}

Result<Problem> dress(CellList cells,
                      const std::vector<Sensitive>& sensitive,
                      const GenerateOptions& options) {
  if (options.attackers > 0 && sensitive.empty()) {
    return Error{ErrorCode::kOptionConflict,
                 "respondents need a sensitive cell, and there is none",
                 "--attackers"};
  }
  const int decimals = options.kind == GenerateKind::kThesis ? 0 : options.decimals;
  TableBuilder builder(decimals, cells.dimensions);
  base::Random random = stream(options.seed, Stage::kPublished);
  std::vector<Requirement> requirements;
  auto next = sensitive.begin();
  for (std::size_t c = 0; c < cells.size(); ++c) {
    Cell cell;
    cell.value = cells.values[c];
    cell.prior = prior_of(cell.value, options);
    if (options.weight == GenerateWeight::kValue)
      cell.weight = base::units_to_double(cell.value, decimals);
    if (!cells.frequencies.empty())
      cell.frequency = cells.frequencies[c];
    const bool published = random.chance(options.published_percent, 100);
    if (next != sensitive.end() && next->cell == c) {
      cell.status = CellStatus::kPrimary;
      make_attainable(cell.prior, cell.value, *next);
      requirements.push_back(
          {CellId{static_cast<std::int32_t>(c)}, 0, next->lower, next->upper, next->sliding});
      ++next;
    } else if (published) {
      cell.status = CellStatus::kMustPublish;
    }
    LACUNA_TRY(const CellId added, builder.add_cell(cell, cells.codes_of(c)));
    static_cast<void>(added);
  }
  const std::vector<LinkedTable> tables = std::move(cells.tables);
  cells = CellList{};  // a large table need not be held twice
  LACUNA_RETURN_IF_ERROR(add_table_equations(builder, tables));
  LACUNA_TRY(Table table, std::move(builder).build());
  Respondents respondents = draw_respondents(table, sensitive, options);
  std::vector<Attacker> attackers{outsider()};
  attackers.insert(attackers.end(),
                   std::make_move_iterator(respondents.attackers.begin()),
                   std::make_move_iterator(respondents.attackers.end()));
  requirements.insert(
      requirements.end(), respondents.requirements.begin(), respondents.requirements.end());
  return make_problem(std::move(table), std::move(attackers), std::move(requirements));
}

}  // namespace lacuna::generation
