// SPDX-License-Identifier: Apache-2.0
// What one attacker does not know of a draft release, reduced to its core. With displacements
// z = y - a the consistent tables are  M z = 0, -down_i <= z_i <= up_i, where down and up are the
// slack that prior bounds, published statements and the attacker's own knowledge leave around a_i
// (attacker problems of Salazar-Gonzalez 2002, sections 3 to 6, in one form). Then
//   1. a cell without slack is fixed: z_i = 0;
//   2. an equation with a single free cell determines that cell: z_i = 0, again and again;
//   3. the remaining free cells fall into connected parts that share no equation.
// Of a table of counts only whole numbers are left: the slacks as given are narrowed first, once,
// by every equation in turn (propagation.h), and the core is that of the narrowed slacks. The
// equations of the core may be a network, in which all ends are whole by themselves.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/table/network.h"
#include "judge/attack/holes.h"
#include "judge/attack/propagation.h"
#include "judge/attack/slack.h"
#include "lacuna/draft.h"
#include "lacuna/evidence.h"
#include "lacuna/problem.h"
#include "lacuna/question.h"
#include "lacuna/table.h"
#include "lacuna/units.h"

namespace lacuna::attack {

// The slack of every cell: prior, draft and knowledge combined.
std::vector<Slack> attacker_slacks(const Table& table,
                                   const Draft& draft,
                                   const Attacker& attacker);

// The cells of which the attacker knows more than everyone, with their slacks: with these an
// attacker differs from the outsider, and nowhere else.
std::vector<KnownSlack> slacks_of_knowledge(const Table& table,
                                            const Draft& draft,
                                            const Attacker& attacker);

class HeldNetwork;

class AttackView {
 public:
  // In fractions. `network`: the table's equations as one, if they are one; it must outlive the
  // view.
  AttackView(const Table& table,
             const Draft& draft,
             const Attacker& attacker,
             const table::Network* network = nullptr);
  AttackView(const Table& table,
             std::vector<Slack> slacks,
             const table::Network* network = nullptr);
  // In whole numbers, no end of a slack in a hole. Where the table is no network the core is asked
  // whether it is one.
  AttackView(const Table& table,
             std::vector<Slack> slacks,
             Holes holes,
             const table::Network* network);
  AttackView(const AttackView&) = delete;
  AttackView& operator=(const AttackView&) = delete;

  struct FreeCell {
    CellId cell;
    Slack slack;
    std::int32_t part = -1;
  };
  struct Determined {  // in the order in which they were found
    CellId cell;
    EquationId by;
    std::int32_t coefficient = 0;  // of the cell in that equation
  };

  const Table& table() const { return table_; }
  Domain domain() const { return chain_ ? Domain::kInteger : Domain::kRational; }
  const Slack& slack(CellId cell) const { return slacks()[static_cast<std::size_t>(cell.value)]; }
  std::span<const Slack> slacks() const { return chain_ ? chain_->slacks() : given_; }
  std::span<const Slack> given() const { return given_; }  // before they were narrowed
  const Propagation* chain() const { return chain_ ? &*chain_ : nullptr; }  // null: in fractions
  const Holes& holes() const { return holes_; }
  const table::Network* network() const { return network_; }  // null: none is known
  // Of a system that is none for inequalities alone: what is left of it if some cells are held.
  const HeldNetwork* held() const { return held_.get(); }  // null: there is no such
  // Whether the attacker cannot rule out a displacement.
  bool admits(const Displacement& witness) const;
  std::span<const FreeCell> free_cells() const { return free_; }
  const FreeCell& free_cell(std::int32_t free) const {
    return free_[static_cast<std::size_t>(free)];
  }
  std::int32_t free_index(CellId cell) const;        // -1 if the cell is fixed or determined
  std::int32_t determined_index(CellId cell) const;  // position in determined(), -1 if it is not
  std::span<const Determined> determined() const { return determined_; }

  std::int32_t num_parts() const { return static_cast<std::int32_t>(part_start_.size()) - 1; }
  std::span<const std::int32_t> part(std::int32_t part) const;  // indices of free cells, ascending

 private:
  void find_core();
  void determine();
  void split();

  const Table& table_;
  std::vector<Slack> given_;
  Holes holes_;
  std::optional<Propagation> chain_;
  const table::Network* network_ = nullptr;
  std::optional<table::Network> own_network_;
  std::shared_ptr<const HeldNetwork> held_;
  std::vector<std::int32_t> place_;  // >= 0 free index, -1 fixed, <= -2 determined (-2 - index)
  std::vector<FreeCell> free_;
  std::vector<Determined> determined_;
  std::vector<std::size_t> part_start_{0};
  std::vector<std::int32_t> part_cells_;
};

}  // namespace lacuna::attack
