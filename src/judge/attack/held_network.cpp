// SPDX-License-Identifier: Apache-2.0
#include "judge/attack/held_network.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

#include "core/base/check.h"
#include "core/base/index.h"
#include "core/base/work.h"
#include "core/table/unpublished.h"
#include "judge/attack/touches.h"

namespace lacuna::attack {

class HeldNetworkMaker {
 public:
  explicit HeldNetworkMaker(const AttackView& view) : view_(view), table_(view.table()) {}

  std::unique_ptr<const HeldNetwork> run() {
    if (!view_.holes().empty() || !find_inequalities())
      return nullptr;
    hold();
    slacks_.assign(view_.slacks().begin(), view_.slacks().end());
    for (std::size_t c = 0; c < held_.size(); ++c) {
      if (held_[c])
        slacks_[c] = {};
    }
    auto made = std::make_unique<HeldNetwork>();
    for (const Inequality& each : inequalities_)
      take_up(each, made->followers_);
    std::sort(made->followers_.begin(), made->followers_.end(), [](const auto& a, const auto& b) {
      return std::pair(a.leader, a.cell) < std::pair(b.leader, b.cell);
    });
    made->table_ = std::make_unique<Table>(rest());
    made->view_ = std::make_unique<AttackView>(*made->table_, slacks_);
    std::vector<bool> free(slacks_.size(), false);
    for (const AttackView::FreeCell& cell : made->view_->free_cells())
      free[base::at(cell.cell)] = true;
    auto network = table::network_form(*made->table_, free);
    if (made->view_->free_cells().empty() || !network)
      return nullptr;
    made->network_ = *std::move(network);
    return made;
  }

 private:
  struct Inequality {
    EquationId equation;
    Term slack;  // r
  };

  bool is_free(CellId cell) const { return view_.free_index(cell) >= 0; }

  // An equation with a cell of its own that nobody publishes, and a coefficient that no network
  // has.
  bool find_inequalities() {
    is_inequality_.assign(static_cast<std::size_t>(table_.num_equations()), false);
    std::int64_t terms = 0;
    for (std::int32_t e = 0; e < table_.num_equations(); ++e) {
      const auto equation = table_.equation(EquationId{e});
      terms += std::ssize(equation);
      const bool skewed = std::any_of(equation.begin(), equation.end(), [](const Term& term) {
        return std::abs(term.coefficient) > 1;
      });
      for (const Term& term : equation) {
        if (skewed && std::abs(term.coefficient) == 1 && is_free(term.cell) &&
            table::is_unpublished(table_.cell(term.cell)) &&
            table_.equations_of(term.cell).size() == 1) {
          inequalities_.push_back({EquationId{e}, term});
          is_inequality_[static_cast<std::size_t>(e)] = true;
          break;
        }
      }
    }
    base::count_work(kAttackTouches.look_term * terms);
    return !inequalities_.empty();
  }

  // Where more than one cell could move, the one in most inequalities is held.
  void hold() {
    std::vector<std::int32_t> uses(view_.slacks().size(), 0);
    const auto movable = [&](const Inequality& each, auto&& visit) {
      for (const Term& term : table_.equation(each.equation)) {
        if (term.cell != each.slack.cell && is_free(term.cell))
          visit(term.cell);
      }
    };
    for (const Inequality& each : inequalities_)
      movable(each, [&](CellId cell) { ++uses[base::at(cell)]; });
    held_.assign(uses.size(), false);
    for (const Inequality& each : inequalities_) {
      std::vector<CellId> open;
      movable(each, [&](CellId cell) {
        if (!held_[base::at(cell)])
          open.push_back(cell);
      });
      while (open.size() > 1) {
        auto most = open.begin();  // the last of those, as denominators stand last
        for (auto other = open.begin(); other != open.end(); ++other)
          most = uses[base::at(*other)] >= uses[base::at(*most)] ? other : most;
        held_[base::at(*most)] = true;
        open.erase(most);
      }
    }
  }

  // (1). The slack itself does not stand in what is left.
  void take_up(const Inequality& each, std::vector<HeldNetwork::Follower>& followers) {
    for (const Term& term : table_.equation(each.equation)) {
      if (term.cell == each.slack.cell || !is_free(term.cell) || held_[base::at(term.cell)])
        continue;
      const std::int32_t factor = -term.coefficient / each.slack.coefficient;
      const Slack& own = view_.slack(each.slack.cell);
      Slack& led = slacks_[base::at(term.cell)];
      const auto limit = [&](Units side) {
        return side == kUnboundedAbove ? side : side / std::abs(factor);
      };
      led.up = std::min(led.up, limit(factor > 0 ? own.up : own.down));
      led.down = std::min(led.down, limit(factor > 0 ? own.down : own.up));
      followers.push_back({each.slack.cell, term.cell, factor});
    }
    slacks_[base::at(each.slack.cell)] = {};
  }

  Table rest() const {
    TableBuilder builder(0);
    for (std::int32_t c = 0; c < table_.num_cells(); ++c)
      LACUNA_CHECK(builder.add_cell(Cell{.prior = {}}).has_value());
    for (std::int32_t e = 0; e < table_.num_equations(); ++e) {
      if (!is_inequality_[static_cast<std::size_t>(e)])
        LACUNA_CHECK(builder.add_equation(table_.equation(EquationId{e})).has_value());
    }
    auto built = std::move(builder).build();
    LACUNA_CHECK(built.has_value());
    return std::move(built).value();
  }

  const AttackView& view_;
  const Table& table_;
  std::vector<Inequality> inequalities_;
  std::vector<bool> is_inequality_, held_;
  std::vector<Slack> slacks_;
};

std::unique_ptr<const HeldNetwork> HeldNetwork::make(const AttackView& view) {
  return HeldNetworkMaker(view).run();
}

Displacement HeldNetwork::with_followers(const Displacement& left) const {
  std::map<CellId, Integer> moves;
  for (std::size_t i = 0; i < left.cells.size(); ++i) {
    const CellId cell = left.cells[i];
    moves[cell] = left.moves[i];
    const auto first = std::lower_bound(
        followers_.begin(), followers_.end(), cell, [](const Follower& follower, CellId leader) {
          return follower.leader < leader;
        });
    for (auto each = first; each != followers_.end() && each->leader == cell; ++each)
      moves[each->cell] = left.moves[i] * each->factor;
  }
  Displacement all;
  all.denominator = left.denominator;
  for (auto& [cell, move] : moves) {
    all.cells.push_back(cell);
    all.moves.push_back(std::move(move));
  }
  return all;
}

}  // namespace lacuna::attack
