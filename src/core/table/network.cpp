// SPDX-License-Identifier: Apache-2.0
// Which equations may be left out. With cells (i, j), rows i in a tree and columns j flat, a cell
// of an inner row stands in three equations: with its siblings, with its children, and with its
// row. The row equation of an inner row i follows from the others: replace each of its cells by the
// sum of the cell's children, and the row equations of the children of i remain. An equation that
// falls to pieces like this is "implied". Cells in more than two equations have implied ones left
// out, first where there is no choice. Whether what remains says as much as all equations is then
// checked by its rank: a connected part of a network with n nodes has rank n if an arc leads to the
// ground, else n - 1.
#include "core/table/network.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "core/table/leaf_form.h"

namespace lacuna::table {
namespace {

struct Occurrence {
  std::int32_t node = -1;
  std::int32_t coefficient = 0;
};

// Two equations that share a cell must have opposite signs there: a graph to be coloured with +1
// and -1.
class SignChoice {
 public:
  explicit SignChoice(std::size_t nodes) : sign_(nodes, 0), neighbors_(nodes) {}

  // sign(a) * sign(b) must be `product`.
  void demand(std::int32_t a, std::int32_t b, int product) {
    neighbors_[static_cast<std::size_t>(a)].emplace_back(b, product);
    neighbors_[static_cast<std::size_t>(b)].emplace_back(a, product);
  }

  bool solve() {
    for (std::size_t root = 0; root < sign_.size(); ++root) {
      if (sign_[root] != 0)
        continue;
      sign_[root] = 1;
      std::vector<std::size_t> queue{root};
      for (std::size_t head = 0; head < queue.size(); ++head) {
        for (const auto& [other, product] : neighbors_[queue[head]]) {
          const int wanted = sign_[queue[head]] * product;
          int& sign = sign_[static_cast<std::size_t>(other)];
          if (sign == -wanted)
            return false;
          if (sign == 0) {
            sign = wanted;
            queue.push_back(static_cast<std::size_t>(other));
          }
        }
      }
    }
    return true;
  }

  int sign(std::int32_t node) const { return sign_[static_cast<std::size_t>(node)]; }

 private:
  std::vector<int> sign_;
  std::vector<std::vector<std::pair<std::int32_t, int>>> neighbors_;
};

std::optional<Network> as_network(const Table& table,
                                  const std::vector<bool>& free,
                                  std::vector<EquationId> nodes) {
  std::sort(nodes.begin(), nodes.end());
  std::vector<std::vector<Occurrence>> occurrences(free.size());
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    for (const Term& term : table.equation(nodes[n])) {
      const auto c = static_cast<std::size_t>(term.cell.value);
      if (!free[c])
        continue;
      if ((term.coefficient != 1 && term.coefficient != -1) || occurrences[c].size() == 2)
        return std::nullopt;
      occurrences[c].push_back({static_cast<std::int32_t>(n), term.coefficient});
    }
  }
  SignChoice signs(nodes.size());
  for (const auto& both : occurrences) {
    if (both.size() == 2)
      signs.demand(both[0].node, both[1].node, -both[0].coefficient * both[1].coefficient);
  }
  if (!signs.solve())
    return std::nullopt;
  Network network;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    network.node_sign.push_back(static_cast<std::int8_t>(signs.sign(static_cast<std::int32_t>(n))));
  }
  network.nodes = std::move(nodes);
  for (std::size_t c = 0; c < free.size(); ++c) {
    if (!free[c])
      continue;
    NetworkArc arc{CellId{static_cast<std::int32_t>(c)}, -1, -1};
    for (const Occurrence& each : occurrences[c]) {
      (signs.sign(each.node) * each.coefficient > 0 ? arc.to : arc.from) = each.node;
    }
    network.arcs.push_back(arc);
  }
  return network;
}

std::int64_t rank_of(const Network& network) {
  const std::size_t ground = network.nodes.size();
  std::vector<std::size_t> parent(ground + 1);
  std::iota(parent.begin(), parent.end(), 0);
  const auto find = [&](std::int32_t node) {
    auto x = node < 0 ? ground : static_cast<std::size_t>(node);
    while (parent[x] != x) {
      parent[x] = parent[parent[x]];
      x = parent[x];
    }
    return x;
  };
  std::int64_t joined = 0;  // arcs of a spanning forest
  for (const NetworkArc& arc : network.arcs) {
    const std::size_t from = find(arc.from);
    const std::size_t to = find(arc.to);
    if (from != to) {
      parent[from] = to;
      ++joined;
    }
  }
  return joined;
}

class Thinning {
 public:
  explicit Thinning(const Table& table)
      : table_(table),
        definitions_(static_cast<std::size_t>(table.num_cells())),
        implied_(static_cast<std::size_t>(table.num_equations()), Implied::kUnknown) {
    for (std::int32_t e = 0; e < table.num_equations(); ++e) {
      const CellId total = lone_cell(EquationId{e});
      if (total.value >= 0)
        definitions_[static_cast<std::size_t>(total.value)].push_back(EquationId{e});
    }
  }

  // The equations that are left once no cell of `crowded` stands in more than two; nothing if that
  // cannot be.
  std::optional<std::vector<EquationId>> run(const std::vector<bool>& crowded) {
    std::vector<bool> kept(static_cast<std::size_t>(table_.num_equations()), true);
    std::vector<CellId> open;
    for (std::int32_t c = 0; c < table_.num_cells(); ++c) {
      if (crowded[static_cast<std::size_t>(c)])
        open.push_back(CellId{c});
    }
    bool choose = false;  // take one of several
    while (!open.empty()) {
      std::vector<CellId> later;
      bool changed = false;
      for (const CellId cell : open) {
        if (count(cell, kept) <= 2)
          continue;
        const std::vector<EquationId> candidates = implied_through(cell, kept);
        if (candidates.empty())
          return std::nullopt;
        later.push_back(cell);
        if (candidates.size() > 1 && !choose)
          continue;
        kept[static_cast<std::size_t>(candidates.back().value)] = false;
        changed = true;
        choose = false;
      }
      choose = !changed;
      open = std::move(later);
    }
    std::vector<EquationId> result;
    for (std::size_t e = 0; e < kept.size(); ++e) {
      if (kept[e])
        result.push_back(EquationId{static_cast<std::int32_t>(e)});
    }
    return result;
  }

 private:
  enum class Implied : std::uint8_t { kUnknown, kYes, kNo };
  using Row = std::map<CellId, std::int64_t>;

  // The cell whose coefficient has a sign of its own; none unless all are 1 or -1.
  CellId lone_cell(EquationId equation) const {
    CellId lone[2];
    int times[2] = {0, 0};
    for (const Term& term : table_.equation(equation)) {
      if (term.coefficient != 1 && term.coefficient != -1)
        return {};
      const std::size_t side = term.coefficient == 1 ? 1 : 0;
      lone[side] = term.cell;
      ++times[side];
    }
    return times[0] == 1 ? lone[0] : times[1] == 1 ? lone[1] : CellId{};
  }

  std::size_t count(CellId cell, const std::vector<bool>& kept) const {
    std::size_t total = 0;
    for (const Incidence& incidence : table_.equations_of(cell))
      total += kept[static_cast<std::size_t>(incidence.equation.value)] ? 1U : 0U;
    return total;
  }

  std::vector<EquationId> implied_through(CellId cell, const std::vector<bool>& kept) {
    std::vector<EquationId> found;
    for (const Incidence& incidence : table_.equations_of(cell)) {
      if (kept[static_cast<std::size_t>(incidence.equation.value)] &&
          is_implied(incidence.equation))
        found.push_back(incidence.equation);
    }
    return found;
  }

  bool is_implied(EquationId equation) {
    Implied& known = implied_[static_cast<std::size_t>(equation.value)];
    if (known == Implied::kUnknown)
      known = falls_to_pieces(equation) ? Implied::kYes : Implied::kNo;
    return known == Implied::kYes;
  }

  bool falls_to_pieces(EquationId equation) const {
    Row row;
    for (const Term& term : table_.equation(equation)) {
      const EquationId definition = other_definition(term.cell, equation);
      if (definition.value < 0)
        return false;
      add(row, definition, term.cell, term.coefficient);
    }
    while (!row.empty()) {
      if (!take_out_a_piece(row, equation))
        return false;
    }
    return true;
  }

  // The one equation that defines the cell, apart from the given one.
  EquationId other_definition(CellId cell, EquationId equation) const {
    EquationId found;
    for (const EquationId e : definitions_[static_cast<std::size_t>(cell.value)]) {
      if (e == equation)
        continue;
      if (found.value >= 0)
        return {};
      found = e;
    }
    return found;
  }

  // row += factor * (the cell, as its definition has it); coefficients of definitions are 1 or -1.
  void add(Row& row, EquationId definition, CellId cell, std::int64_t factor) const {
    std::int64_t own = 0;
    for (const Term& term : table_.equation(definition))
      own = term.cell == cell ? term.coefficient : own;
    for (const Term& term : table_.equation(definition)) {
      if (term.cell != cell)
        add_term(row, term.cell, -own * factor * term.coefficient);
    }
  }

  static void add_term(Row& row, CellId cell, std::int64_t amount) {
    const auto at = row.try_emplace(cell, 0).first;
    at->second += amount;
    if (at->second == 0)
      row.erase(at);
  }

  // Subtracts an equation all of whose cells are in the row, with one factor.
  bool take_out_a_piece(Row& row, EquationId except) const {
    const auto [first, amount] = *row.begin();
    for (const Incidence& incidence : table_.equations_of(first)) {
      if (incidence.equation == except || amount % incidence.coefficient != 0)
        continue;
      const std::int64_t factor = amount / incidence.coefficient;
      const auto terms = table_.equation(incidence.equation);
      const bool fits = std::all_of(terms.begin(), terms.end(), [&](const Term& term) {
        const auto at = row.find(term.cell);
        return at != row.end() && at->second == factor * term.coefficient;
      });
      if (!fits)
        continue;
      for (const Term& term : terms)
        row.erase(term.cell);
      return true;
    }
    return false;
  }

  const Table& table_;
  std::vector<std::vector<EquationId>> definitions_;  // by cell
  std::vector<Implied> implied_;
};

}  // namespace

std::optional<Network> network_form(const Table& table, const std::vector<bool>& free) {
  std::optional<std::int64_t> rank;  // expensive, and seldom needed: most tables are no network
  const auto accept = [&](std::vector<EquationId> nodes) {
    auto network = as_network(table, free, std::move(nodes));
    if (network && !rank)
      rank = leaf_form(table, free).rank();
    if (network && rank_of(*network) != *rank)
      network.reset();
    return network;
  };
  Thinning thinning(table);
  for (const auto& crowded : {std::vector<bool>(free.size(), true), free}) {
    if (const auto nodes = thinning.run(crowded)) {
      if (auto network = accept(*nodes))
        return network;
    }
  }
  for (const DefineBy order : {DefineBy::kFirst, DefineBy::kLast}) {
    // What is no network does not become one by more equations.
    if (!as_network(table, free, defining_equations(table, free, order)))
      continue;
    const LeafForm form = leaf_form(table, free, order);
    std::vector<EquationId> nodes = form.defining;
    nodes.insert(nodes.end(), form.conditions.begin(), form.conditions.end());
    if (auto network = accept(std::move(nodes)))
      return network;
  }
  return std::nullopt;
}

}  // namespace lacuna::table
