// SPDX-License-Identifier: Apache-2.0
#include "data/sensitivity/table_contributions.h"

#include <algorithm>
#include <memory>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/base/decimal.h"

namespace lacuna::sensitivity {
namespace {

// Which contributions are one respondent's: the table does not name them, but a sum that one alone
// contributes to has no part of anybody else, and an amount that stands among the largest of a sum
// and of one of its parts is the same.
class SameContributors {
 public:
  SameContributors(const Table& table, const std::vector<CellFacts>& cells)
      : table_(table), cells_(cells) {
    first_.reserve(cells.size() + 1);
    for (const CellFacts& facts : cells) {
      first_.push_back(head_.size());
      for (std::size_t i = 0; i < facts.largest.size(); ++i)
        head_.push_back(head_.size());
    }
    for (std::int32_t e = 0; e < table.num_equations(); ++e)
      join(table.equation(EquationId{e}));
  }

  std::size_t num_contributions() const { return head_.size(); }
  // One number for all contributions of a respondent.
  std::size_t head_of(std::size_t cell, std::size_t rank) const { return top(first_[cell] + rank); }

 private:
  std::size_t top(std::size_t node) const {
    while (head_[node] != node)
      node = head_[node];
    return node;
  }

  void join(std::span<const Term> terms) {
    for (const Term& sum : terms) {
      if (sum.coefficient >= 0)
        continue;
      for (const Term& part : terms) {
        if (part.coefficient > 0)
          join(static_cast<std::size_t>(sum.cell.value), static_cast<std::size_t>(part.cell.value));
      }
    }
  }

  void join(std::size_t sum, std::size_t part) {
    const auto& above = cells_[sum].largest;
    const auto& below = cells_[part].largest;
    const bool sole = cells_[sum].contributors == 1 && cells_[part].contributors == 1;
    std::size_t from = 0;  // equal amounts of several respondents are joined one by one
    for (std::size_t i = 0; i < below.size(); ++i) {
      for (std::size_t j = from; j < above.size(); ++j) {
        if (above[j].amount != below[i].amount && !sole)
          continue;
        const std::size_t a = top(first_[sum] + j);
        const std::size_t b = top(first_[part] + i);
        head_[std::max(a, b)] = std::min(a, b);
        from = j + 1;
        break;
      }
    }
  }

  const Table& table_;
  const std::vector<CellFacts>& cells_;
  std::vector<std::size_t> first_;  // contribution of each cell
  std::vector<std::size_t> head_;
};

class TabulationOfTable {
 public:
  // `needed`: contributions per cell that the rules look at; 0: sole contributors alone count.
  TabulationOfTable(const Table& table, const LargestByCell& largest, std::int32_t needed)
      : table_(table), largest_(largest), needed_(needed) {}

  Tabulation make() {
    Tabulation made;
    made.decimals = table_.decimals();
    made.dimensions = table_.dimensions();
    made.top = static_cast<int>(std::max(needed_, 1));
    for (std::int32_t c = 0; c < table_.num_cells(); ++c) {
      const auto codes = table_.codes(CellId{c});
      made.codes.insert(made.codes.end(), codes.begin(), codes.end());
      made.cells.push_back(facts_of(static_cast<std::size_t>(c)));
      made.top = std::max(made.top, static_cast<int>(made.cells.back().largest.size()));
    }
    name_contributors(made);
    made.contributions = leaf_contributions_of(made);
    return made;
  }

  std::size_t assumed() const { return assumed_; }

 private:
  CellFacts facts_of(std::size_t cell) {
    const CellId id{static_cast<std::int32_t>(cell)};
    CellFacts facts;
    facts.value = table_.value(id);
    facts.absolute = facts.value < 0 ? -facts.value : facts.value;
    const std::int64_t frequency = table_.cell(id).frequency;
    facts.records = frequency;  // -1: not known
    if (frequency == 1) {
      facts.largest.push_back({-1, facts.value});
      facts.contributors = facts.weighted = 1;
      return facts;
    }
    if (needed_ > 0) {
      for (const Units amount : largest_[cell]) {
        if (amount != 0)
          facts.largest.push_back({-1, amount});
      }
    }
    assume_others(facts, frequency);
    const auto listed = static_cast<std::int64_t>(facts.largest.size());
    facts.contributors = frequency >= 0 ? frequency : listed + (rest_of(facts) > 0 ? 1 : 0);
    facts.weighted = facts.contributors;
    return facts;
  }

  void name_contributors(Tabulation& made) const {
    const SameContributors same(table_, made.cells);
    std::vector<std::int32_t> index(same.num_contributions(), -1);
    for (std::size_t c = 0; c < made.cells.size(); ++c) {
      for (std::size_t i = 0; i < made.cells[c].largest.size(); ++i) {
        std::int32_t& respondent = index[same.head_of(c, i)];
        if (respondent < 0) {
          respondent = static_cast<std::int32_t>(made.respondents.size());
          made.respondents.emplace_back();  // nobody knows the name
        }
        made.cells[c].largest[i].respondent = respondent;
      }
    }
  }

  struct Held {
    std::int32_t respondent = 0;
    std::uint32_t cell = 0;
    Units amount = 0;
    auto key() const { return std::pair(respondent, cell); }
  };

  // What respondents contribute to the cells that list them, and at least to all sums above these.
  // Every cell is a leaf of its own here, since the parts of an amount are not known.
  std::shared_ptr<const LeafContributions> leaf_contributions_of(const Tabulation& made) const {
    std::vector<Held> held = held_amounts(made);
    std::sort(held.begin(), held.end(), [](const Held& a, const Held& b) {
      return std::tuple(a.key(), -a.amount) < std::tuple(b.key(), -b.amount);
    });
    auto found = std::make_shared<LeafContributions>();
    found->complete = false;
    found->start.assign(made.respondents.size() + 1, 0);
    for (std::size_t i = 0; i < held.size(); ++i) {
      if (i > 0 && held[i].key() == held[i - 1].key())
        continue;  // the largest amount came first
      found->parts.push_back({held[i].cell, held[i].amount});
      found->start[static_cast<std::size_t>(held[i].respondent) + 1] = found->parts.size();
    }
    for (std::size_t r = 1; r < found->start.size(); ++r)
      found->start[r] = std::max(found->start[r], found->start[r - 1]);
    for (std::uint32_t cell = 0; cell < made.cells.size(); ++cell) {
      found->leaf_start.push_back(cell);
      found->leaf_cells.push_back(cell);
    }
    found->leaf_start.push_back(made.cells.size());
    return found;
  }

  // c holds for every sum above the cell; and since nobody has more in the other parts of a sum
  // than these are, a part of it holds at least c - (sum - part).
  std::vector<Held> held_amounts(const Tabulation& made) const {
    const Links links(table_);
    std::vector<Held> held;
    std::unordered_map<std::uint32_t, Units> most;
    std::vector<std::uint32_t> open;
    for (std::uint32_t cell = 0; cell < made.cells.size(); ++cell) {
      for (const Contribution& one : made.cells[cell].largest) {
        most.clear();
        most[cell] = one.amount;
        open.assign(1, cell);
        while (!open.empty()) {
          const std::uint32_t at = open.back();
          open.pop_back();
          const Units amount = most[at];
          const auto reach = [&](std::uint32_t next, Units least) {
            const auto [known, is_new] = most.try_emplace(next, least);
            if (!is_new && least <= known->second)
              return;
            known->second = least;
            open.push_back(next);
          };
          for (const std::uint32_t sum : links.above[at])
            reach(sum, amount);
          for (const std::uint32_t part : links.below[at]) {
            const Units least = amount - (value(at) - value(part));
            if (least <= 0)
              break;  // smaller parts follow
            reach(part, least);
          }
        }
        for (const auto& [where, amount] : most)
          held.push_back({one.respondent, where, amount});
      }
    }
    return held;
  }

  static Units value_in(const Table& table, std::uint32_t cell) {
    return table.value(CellId{static_cast<std::int32_t>(cell)});
  }
  Units value(std::uint32_t cell) const { return value_in(table_, cell); }

  struct Links {  // from cells to the sums that they are part of, and back, the largest part first
    std::vector<std::vector<std::uint32_t>> above, below;

    explicit Links(const Table& table)
        : above(static_cast<std::size_t>(table.num_cells())), below(above.size()) {
      const bool negative = std::any_of(table.cells().begin(),
                                        table.cells().end(),
                                        [](const Cell& cell) { return cell.value < 0; });
      for (std::int32_t e = 0; e < table.num_equations(); ++e) {
        const auto terms = table.equation(EquationId{e});
        for (const Term& sum : terms) {
          for (const Term& part : terms) {
            if (sum.coefficient >= 0 || part.coefficient <= 0)
              continue;
            const auto s = static_cast<std::uint32_t>(sum.cell.value);
            const auto p = static_cast<std::uint32_t>(part.cell.value);
            above[p].push_back(s);
            if (!negative)
              below[s].push_back(p);
          }
        }
      }
      for (std::vector<std::uint32_t>& parts : below) {
        std::sort(parts.begin(), parts.end(), [&](std::uint32_t a, std::uint32_t b) {
          return std::pair(value_in(table, b), a) < std::pair(value_in(table, a), b);
        });
      }
    }
  };

  static Units rest_of(const CellFacts& facts) {
    Wide rest = facts.absolute;
    for (const Contribution& one : facts.largest)
      rest -= one.amount < 0 ? -Wide{one.amount} : Wide{one.amount};
    return rest > 0 ? static_cast<Units>(rest) : 0;
  }

  // As many contributions as the rules look at, as large as they can be. With two contributors the
  // second has what is left.
  void assume_others(CellFacts& facts, std::int64_t frequency) {
    if (facts.largest.empty())
      return;
    const auto listed = static_cast<std::int64_t>(facts.largest.size());
    const std::int64_t most =
        std::min<std::int64_t>(needed_, frequency >= 0 ? frequency : std::int64_t{needed_});
    for (std::int64_t i = listed; i < most; ++i) {
      const Units next = std::min(std::abs(facts.largest.back().amount), rest_of(facts));
      if (next == 0)
        return;
      facts.largest.push_back({-1, next});
      assumed_ += i + 1 == frequency ? 0U : 1U;
    }
  }

  const Table& table_;
  const LargestByCell& largest_;
  std::int32_t needed_;
  std::size_t assumed_ = 0;
};

}  // namespace

// A contribution is part of the value.
Status check_contributions(const Table& table, const LargestByCell& largest) {
  for (std::size_t c = 0; c < largest.size(); ++c) {
    const CellId cell{static_cast<std::int32_t>(c)};
    Wide sum = 0;
    for (const Units amount : largest[c])
      sum += amount;
    if (table.value(cell) >= 0 && sum > table.value(cell))
      return Error{ErrorCode::kContradiction,
                   "the largest contributions add up to more than the value: are the columns of "
                   "`largest` the right ones?",
                   table.label(cell)};
    if (table.cell(cell).frequency == 0 && table.value(cell) != 0)
      return Error{ErrorCode::kContradiction,
                   "the cell has a value, but the frequency column says that nobody contributes",
                   table.label(cell)};
  }
  return ok_status();
}

TabulatedTable tabulation_of(const Table& table,
                             const LargestByCell& largest,
                             std::int32_t needed) {
  TabulationOfTable maker(table, largest, needed);
  Tabulation made = maker.make();
  return {std::move(made), maker.assumed()};
}

}  // namespace lacuna::sensitivity
