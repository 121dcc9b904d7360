// SPDX-License-Identifier: Apache-2.0
// Several displacements routed anew together, so that a cell that many of them use is paid for
// once: with k the displacements, p the cells that rely on them, in units of the largest level,
//
//   minimize sum_i w_i x_i + B y   subject to  M z^k = 0,  s_p z^k_p >= L_p (1 - y),
//   z^k+_i / up^k_i + z^k-_i / down^k_i <= x_i,  x and y in {0, 1}
//
// by the engine's branch and cut. y: all stays as it is, at the price B of what there is. This is
// network design with fixed charges (Magnanti and Wong 1984); its linear relaxation is near only if
// up and down are small, so a cell that is not withheld yet carries at most one level. To carry a
// level of a sum of hundreds of leaves only cells with slack enough matter: the others are left
// out, and a table of thousands of cells is a program of hundreds of columns.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lacuna/lp.h"
#include "lacuna/run_context.h"
#include "protect/start/pattern_state.h"
#include "protect/start/route.h"
#include "protect/start/route_assignment.h"

namespace lacuna::start {

// A displacement that is sought, up to a factor, for all goals that rely on a known one.
struct JointRoute {
  struct User {
    CellId cell;
    int sign = 1;  // of its move
    Units level = 0;
  };
  struct Use {  // as it is (turn 1) or turned round (-1)
    std::int32_t attacker = 0;
    int turn = 1;
  };
  std::vector<User> users;
  std::vector<Use> uses;
  Route known;
  Units level() const;  // the largest
};

// What the goals behind a shared route ask of one that takes its place.
JointRoute joint_route_of(const RouteAssignment& assignment, const SharedRoute& shared_route);

class JointProgram {
 public:
  JointProgram(const PatternState& pattern_state, const Overlay& overlay, std::string engine)
      : pattern_state_(pattern_state), overlay_(overlay), engine_(std::move(engine)) {}

  // Displacements in the place of all the known ones, whose cells that are not withheld together
  // cost less than the budget. False if none were found, or the engine has no integers.
  bool find(const std::vector<JointRoute>& asked, double budget, const RunContext& run);
  const std::vector<Route>& routes() const { return found_; }  // one for each that was asked for

 private:
  struct Column {
    CellId cell;
    double up = 0, down = 0;   // in levels
    std::int32_t choice = -1;  // whose x it is, -1: withheld anyway
  };
  struct Part {  // the columns and equations of one displacement
    std::vector<Column> columns;
    std::map<CellId, std::size_t> place;
    std::vector<EquationId> equations;
    std::int32_t first = 0;  // column of the program; a cell has two
  };

  attack::Slack slack_of(const JointRoute& route, CellId cell) const;
  bool may_be_chosen(CellId cell) const {
    return overlay_.place(pattern_state_, cell) == CellRole::kPublished;
  }
  Part gather(const JointRoute& route, double budget) const;
  Part gather(const JointRoute& route, double budget, double least_slack) const;
  Column column_of(const JointRoute& route, CellId cell) const;
  void prune(Part& part) const;
  void list_choices();
  LpModel model(const std::vector<JointRoute>& asked, double budget);
  void add_part(const Part& part, LpModel& lp) const;
  void add_equations(const Part& part, LpModel& lp) const;
  // The least movement over what was chosen: a corner, so that moves are whole or small fractions.
  bool settle(const JointRoute& route, Part& part, const RunContext& run);
  bool make_exact(const JointRoute& route, const Part& part, const std::vector<double>& moves);

  const PatternState& pattern_state_;
  const Overlay& overlay_;
  std::string engine_;
  std::vector<Part> parts_;
  std::vector<CellId> choices_;
  std::vector<bool> chosen_;
  std::vector<Route> found_;
};

}  // namespace lacuna::start
