// SPDX-License-Identifier: Apache-2.0
// The attacker problem of attacker_solver.h by a dual simplex that looks only where it must:
//
//   minimize q + e sum_i |z_i|   subject to  M z = 0,  s z_p = own - q,  q >= 0,
//                                            -down_i <= z_i <= up_i
//
// with q what the cell falls short, and a very small price e of any movement. z = 0 and q = 0 is
// dual feasible; only the equations through p are broken. Repairing one may break others, and only
// equations that were broken once are ever in the basis, which is a small dense inverse. A cell
// rests at -down, 0 or up, and the ratio test passes resting points while the dual improves (Fourer
// 1985; Maros 2003). If q is basic in the end, its row of the inverse is the multiplier vector g of
// the problem without the small prices, hence d. (heuristic/route.h finds whole routes of least
// cost in the same way.)
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "protect/common/attacker_solver.h"

namespace lacuna::inline common {

class AttackerLazy : public AttackerSolver {
 public:
  // `engine` answers what the lazy search gives up on.
  AttackerLazy(const SuppressModel& model, std::string engine);

  Answer push(const Target& target,
              std::span<const double> up,
              std::span<const double> down,
              const RunContext& run) override;
  Answer push_again(std::span<const double> up,
                    std::span<const double> down,
                    const RunContext& run) override;

 private:
  enum class Rest : std::int8_t { kDown = -1, kZero = 0, kUp = 1 };
  struct Column {     // by local cell; that of the target is z_p - s own
    double pull = 0;  // y'A: at zero between -cost_down and cost_up
    double up = 0, down = 0;
    double gradient = 0;
    std::int32_t basic = -1;  // position in basis_
    Rest rest = Rest::kZero;
    std::int8_t side = 0;  // of a basic column
    bool marked = false;
    bool seen = false;
  };
  struct Row {            // by equation
    double fixed = 0;     // activity of the target and of resting cells
    double residual = 0;  // activity of all
    double pending = 0;   // shifted since the basic columns were set
    std::int32_t active = -1;
    bool seen = false;
  };
  struct Leaving {
    std::int32_t row = -1;    // a broken equation, or
    std::int32_t basic = -1;  // a basic column out of its range
    double excess = 0;
    int sigma = 0;  // direction of repair; 0: nothing is broken
  };
  struct Break {
    double theta = 0;
    std::int32_t column = -1;
    double rate = 0;
    bool operator<(const Break& other) const {  // heap: the nearest on top
      return theta != other.theta ? theta > other.theta : column > other.column;
    }
  };
  struct Incident {
    std::int32_t row = 0;
    double coefficient = 0;
  };
  struct Entry {
    std::int32_t column = 0;
    double coefficient = 0;
  };
  enum class Ratio : std::uint8_t { kPivot, kSwitch, kNone };

  void reset();
  void set_capacities(std::span<const double> up, std::span<const double> down);
  void see(std::int32_t column);
  void begin_again(std::span<const double> up, std::span<const double> down);
  void begin(const Target& target, std::span<const double> up, std::span<const double> down);
  bool search();
  Answer answer();
  Answer search_and_answer(std::span<const double> up,
                           std::span<const double> down,
                           const RunContext& run);
  Answer ask_engine(std::span<const double> up,
                    std::span<const double> down,
                    const RunContext& run);
  bool is_worth_trying() const;

  std::span<const Incident> rows_of(std::int32_t column) const;
  std::span<const Entry> entries_of(std::int32_t row) const;
  Row& touch(std::int32_t row);
  double cost(std::int32_t column) const;
  double resting_value(const Column& column) const;
  void shift(std::int32_t column, Rest rest);
  void settle_shifts();
  void change_basic(std::size_t position, double change);
  void refresh();
  Leaving pick_leaving();
  double broken_row_length(std::int32_t row);
  void direction_of(const Leaving& leaving);
  void gradients();
  double break_at(std::int32_t column, double rate) const;
  void list_breaks(const Leaving& leaving);
  Ratio ratio_test(const Leaving& leaving);
  void move_duals(const Leaving& leaving);
  double move_entering(const Leaving& leaving);
  void pivot(const Leaving& leaving);
  void border(std::int32_t row);
  void exchange(std::size_t position);
  void grow(std::size_t size);
  double* inverse_row(std::size_t basic) { return &inverse_[basic * stride_]; }

  const SuppressModel& model_;
  std::string engine_;
  std::unique_ptr<AttackerSolver> backup_;
  std::int64_t tries_ = 0, failures_ = 0;
  std::vector<std::size_t> row_start_, column_start_;
  std::vector<Entry> entries_;
  std::vector<Incident> incidents_;
  std::vector<double> price_;  // of movement, by cell

  bool complete_ = false;
  std::vector<Column> columns_;
  std::vector<Row> rows_;
  std::vector<std::int32_t> seen_columns_, seen_rows_, marked_;
  std::vector<std::int32_t> pending_;  // active rows
  std::vector<std::int32_t> basis_, active_;
  std::vector<double> values_, inverse_, rho_, work_;
  std::vector<double> lengths_;  // squared, of the rows of the inverse
  std::size_t stride_ = 0;
  std::int32_t rho_row_ = -1;
  std::vector<Break> breaks_;
  std::vector<std::pair<double, std::int32_t>> broken_;
  double theta_ = 0;
  std::int32_t entering_ = -1;
  Rest leaving_rest_ = Rest::kZero;
  std::vector<double> dual_, moves_;
};

}  // namespace lacuna::inline common
