// SPDX-License-Identifier: Apache-2.0
#include "judge/bound/check_tables.h"

#include <algorithm>
#include <map>

#include "core/base/index.h"
#include "core/base/rational.h"
#include "judge/attack/slack.h"
#include "judge/bound/check_bound.h"
#include "judge/bound/slopes.h"

namespace lacuna::bound {
namespace {

struct Piece {  // of what a cell may do; no value: no end
  std::optional<mpz_class> low, high;
  bool is_empty() const { return low && high && *low > *high; }
};

mpz_class distance(const mpz_class& a, const mpz_class& c, int norm, const mpz_class& z) {
  const mpz_class size = ::abs(z);
  return a * (norm == 2 ? mpz_class(size * size) : size) - c * z;
}

// Convex functions are least at an end, or where they turn.
std::optional<mpz_class> least_in(const Piece& piece,
                                  int norm,
                                  const mpz_class& a,
                                  const mpz_class& c) {
  const auto at = [&](const mpz_class& z) { return distance(a, c, norm, z); };
  if (norm == 1 || a == 0) {
    const mpz_class rising = a - c, falling = a + c;  // the slopes far up and far down
    if ((!piece.high && rising < 0) || (!piece.low && falling < 0))
      return std::nullopt;
    std::optional<mpz_class> least;
    const auto consider = [&](const mpz_class& z) {
      const mpz_class there = at(z);
      if (!least || there < *least)
        least = there;
    };
    if (piece.low)
      consider(*piece.low);
    if (piece.high)
      consider(*piece.high);
    if ((!piece.low || *piece.low <= 0) && (!piece.high || *piece.high >= 0))
      consider(0);
    return least;
  }
  if (piece.low && 2 * a * *piece.low >= c)
    return at(*piece.low);
  if (piece.high && 2 * a * *piece.high <= c)
    return at(*piece.high);
  mpz_class turned;  // -c^2 / 4a
  mpz_fdiv_q(turned.get_mpz_t(), mpz_class(-c * c).get_mpz_t(), mpz_class(4 * a).get_mpz_t());
  return turned;
}

void cut(Piece& piece, const std::optional<mpz_class>& low, const std::optional<mpz_class>& high) {
  if (low && (!piece.low || *low > *piece.low))
    piece.low = low;
  if (high && (!piece.high || *high < *piece.high))
    piece.high = high;
}

Status check_cells(const Moves& moves, const TableTree& tree, std::vector<bool>& taken) {
  for (const CellId cell : tree.cells) {
    if (cell.value < 0 || cell.value >= std::ssize(taken) || !moves.open()[base::at(cell)])
      return refuse("a tree is about a cell that is not to be altered");
    if (taken[base::at(cell)])
      return refuse("two trees are about the same cell");
    taken[base::at(cell)] = true;
  }
  return ok_status();
}

// Every leaf of the tree comes to as much as it says.
Status check_tree(const Problem& problem,
                  const Moves& moves,
                  const std::vector<Integer>& values,
                  int norm,
                  const TableTree& tree) {
  std::vector<std::vector<Side>> waiting{
      std::vector<Side>(base::at(problem.table().num_cells()), Side::kEither)};
  for (const SenseNode& node : tree.nodes) {
    if (waiting.empty())
      return refuse("a tree has nodes that belong to no case");
    std::vector<Side> sides = std::move(waiting.back());
    waiting.pop_back();
    if (node.cell.value >= 0) {
      if (node.cell.value >= problem.table().num_cells() || !moves.is_sensitive(node.cell.value))
        return refuse("a case is of a cell that is not sensitive");
      waiting.push_back(sides);
      waiting.back()[base::at(node.cell)] = Side::kRises;  // after the other
      waiting.push_back(std::move(sides));
      waiting.back()[base::at(node.cell)] = Side::kFalls;
      continue;
    }
    if (node.weight.sign() <= 0)
      return refuse("a weight is not positive");
    LACUNA_TRY(const Integer least,
               sum_of_minima(problem, moves, values, norm, tree.cells, sides, node));
    if (base::gmp(least) < base::gmp(node.weight) * base::gmp(tree.at_least))
      return refuse("a leaf is not closed by its multipliers");
  }
  return waiting.empty() ? ok_status() : refuse("a case of a tree is missing");
}

}  // namespace

Moves::Moves(const Problem& problem)
    : problem_(problem),
      sensitive_(base::at(problem.table().num_cells()), false),
      up_(sensitive_.size(), 0),
      down_(sensitive_.size(), 0) {
  for (const Cell& cell : problem.table().cells())
    open_.push_back(may_be_withheld(cell) && !cell.prior.is_point());
  for (const Requirement& need : problem.requirements()) {
    const std::size_t cell = base::at(need.cell);
    sensitive_[cell] = true;
    up_[cell] = std::max({up_[cell], need.upper, need.half_sliding()});
    down_[cell] = std::max({down_[cell], need.lower, need.half_sliding()});
  }
}

std::optional<mpz_class> Moves::least(std::int32_t cell,
                                      Side side,
                                      int norm,
                                      const mpz_class& a,
                                      const mpz_class& c) const {
  const CellId id{cell};
  const attack::Slack slack =
      attack::slack_within(problem_.table().value(id), problem_.table().cell(id).prior);
  Piece all;
  if (slack.down != kUnboundedAbove)
    all.low = -base::to_integer(slack.down);
  if (slack.up != kUnboundedAbove)
    all.high = base::to_integer(slack.up);
  if (!is_sensitive(cell))
    return least_in(all, norm, a, c);
  std::optional<mpz_class> least;
  bool found = false;
  for (const Side each : {Side::kFalls, Side::kRises}) {
    Piece piece = all;
    if (each == Side::kRises)
      cut(piece, base::to_integer(up_[base::at(cell)]), {});
    else
      cut(piece, {}, mpz_class(-base::to_integer(down_[base::at(cell)])));
    if ((side != Side::kEither && side != each) || piece.is_empty())
      continue;
    const std::optional<mpz_class> here = least_in(piece, norm, a, c);
    if (!here)
      return std::nullopt;
    if (!found || *here < *least)
      least = here;
    found = true;
  }
  return found ? least : mpz_class(0);  // there is no such table: any number will do
}

Result<Integer> sum_of_minima(const Problem& problem,
                              const Moves& moves,
                              const std::vector<Integer>& values,
                              int norm,
                              std::span<const CellId> cells,
                              const std::vector<Side>& sides,
                              const SenseNode& leaf) {
  LACUNA_TRY(const Terms sum, sum_of_equations(problem.table(), leaf.sum));
  std::map<std::int32_t, mpz_class> c(sum.begin(), sum.end());
  mpz_class total;
  for (const CellId cell : cells) {
    const auto own = c.find(cell.value);
    const mpz_class factor = own == c.end() ? mpz_class(0) : own->second;
    const mpz_class a = base::gmp(leaf.weight) * base::gmp(values[base::at(cell)]);
    const auto least = moves.least(cell.value, sides[base::at(cell)], norm, a, factor);
    if (!least)
      return refuse("a cell without limit has more to gain than it costs");
    total += *least;
    if (own != c.end())
      c.erase(own);
  }
  for (const auto& [cell, factor] : c) {
    if (moves.open()[base::at(cell)])
      return refuse("an equation has cells that the tree is not about");
  }
  return Integer(total);
}

Result<Fraction> check_tables(const Problem& problem, const BoundLog& log) {
  const TableBound& tables = *log.tables;
  if (tables.norm != 1 && tables.norm != 2)
    return refuse("the norm is neither 1 nor 2");
  const Moves moves(problem);
  const mpq_class per_unit(1, base::ten_to_the(tables.norm * problem.table().decimals()));
  LACUNA_TRY(const std::vector<Integer> values,
             checked_values(problem, moves.open(), Fraction(per_unit), log));
  std::vector<bool> taken(values.size(), false);
  mpz_class sum;
  for (const TableTree& tree : tables.trees) {
    LACUNA_RETURN_IF_ERROR(check_cells(moves, tree, taken));
    LACUNA_RETURN_IF_ERROR(check_tree(problem, moves, values, tables.norm, tree));
    sum += base::gmp(tree.at_least);
  }
  if (base::gmp(log.at_least) > 0 && sum < base::gmp(log.at_least))
    return refuse("the trees come to less than the bound");
  return Fraction(mpq_class(base::gmp(log.unit) * mpq_class(base::gmp(log.at_least))));
}

}  // namespace lacuna::bound
