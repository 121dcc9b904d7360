// SPDX-License-Identifier: Apache-2.0
#include "table/network.h"

#include <algorithm>

#include "table/leaf_form.h"

namespace lacuna {
namespace {

struct Occurrence {
  std::int32_t node = -1;
  std::int32_t coefficient = 0;
};

// Two equations that share a cell must have opposite signs there: a graph to be coloured with +1
// and -1.
class SignChoice {
 public:
  explicit SignChoice(std::size_t nodes) : sign_(nodes, 0), neighbours_(nodes) {}

  // sign(a) * sign(b) must be `product`.
  void demand(std::int32_t a, std::int32_t b, int product) {
    neighbours_[static_cast<std::size_t>(a)].emplace_back(b, product);
    neighbours_[static_cast<std::size_t>(b)].emplace_back(a, product);
  }

  bool solve() {
    for (std::size_t root = 0; root < sign_.size(); ++root) {
      if (sign_[root] != 0)
        continue;
      sign_[root] = 1;
      std::vector<std::size_t> queue{root};
      for (std::size_t head = 0; head < queue.size(); ++head) {
        for (const auto& [other, product] : neighbours_[queue[head]]) {
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
  std::vector<std::vector<std::pair<std::int32_t, int>>> neighbours_;
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

}  // namespace

std::optional<Network> network_form(const Table& table, const std::vector<bool>& free) {
  for (const DefineBy order : {DefineBy::kFirst, DefineBy::kLast}) {
    const LeafForm form = leaf_form(table, free, order);
    std::vector<EquationId> nodes = form.defining;
    nodes.insert(nodes.end(), form.conditions.begin(), form.conditions.end());
    if (auto network = as_network(table, free, std::move(nodes)))
      return network;
  }
  return std::nullopt;
}

}  // namespace lacuna
