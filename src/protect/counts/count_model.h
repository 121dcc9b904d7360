// SPDX-License-Identifier: Apache-2.0
// What a method for real numbers is asked so that its release stands an attack in whole numbers
// (docs/counts.md, section "Protecting"). A reader of counts is an attacker of the linear model who
// knows [s, t] of every cell that is hidden (judge/attack/count_slacks.h), and a question becomes
// levels that every safe release meets in reals, too:
//   exact   sliding = ambiguity                small   sliding = min(a, t - a), or upper = t - a
//   zero    upper = 1                                  where the reader knows that it is not 0
//   all, group   a cell r more, y_g = y_c + r and r = sum of the other parts, with
//                upper = 1 + coalition - a_r
// What whole numbers refute is asked for more firmly afterwards: one side of `small`, a unit more,
// or, of `all` and `group` by methods that move numbers, upper = 1 + coalition - a_r of a part in
// r.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "lacuna/draft.h"
#include "lacuna/evidence.h"
#include "lacuna/question.h"
#include "lacuna/result.h"

namespace lacuna::counts {

class CountModel {
 public:
  // states: how the method publishes a cell that it does not publish as it is, by cell;
  // zeros_shown: by cell, whether it publishes zeros there as they are. The problem has counts.
  // Errors: a question that no such release can answer well, with a remedy.
  static Result<CountModel> make(const Problem& given,
                                 std::vector<StatementKind> states,
                                 std::vector<bool> zeros_shown);

  // For the method, with the levels as they are now. Cells beyond those of the table are rests r.
  Result<std::shared_ptr<const Problem>> problem() const;
  std::int64_t num_rests() const { return static_cast<std::int64_t>(rests_.size()); }
  Draft without_rests(const Draft& draft) const;
  void drop_rests(std::vector<Displacement>& evidence) const;

  // Whether the cell may be hidden without a lie to those who know the rule.
  bool may_hide(CellId cell) const;
  // Whether a question of kind `small` is met by either side, so that reals may mislead.
  bool has_choices() const { return has_choices_; }
  // Asks more firmly. False: it is asked as firmly as what the reader knows allows.
  bool ask_more(const Question& question);

 private:
  using Levels = std::map<std::pair<CellId, std::int32_t>, Requirement>;

  struct Rest {  // of a group without some of its parts
    Question question;
    EquationId equation;
    std::vector<CellId> others;
  };

  CountModel(const Problem& given, std::vector<StatementKind> states, std::vector<bool> zeros_shown)
      : given_(given), states_(std::move(states)), zeros_shown_(std::move(zeros_shown)) {}

  bool hides(CellId cell) const;
  Bounds told(CellId cell) const;  // within what everyone knows
  Bounds known(const Question& question) const;
  Requirement& levels(CellId cell, std::int32_t attacker);
  Status ask();
  Status ask_of_cell(const Question& question);
  std::optional<Rest> rest_of(const Question& question) const;
  Status ask_of_rest(const Question& question);
  bool ask_of_others(const Question& question);
  bool ask_of_sum(const Question& question);
  bool ask_small(const Question& question);
  bool tells_more() const;
  bool covers(const Requirement& need) const;
  Result<Table> table(bool own_priors) const;
  std::vector<Attacker> readers() const;
  Levels asked(std::int32_t offset) const;

  const Problem& given_;
  std::vector<StatementKind> states_;
  std::vector<bool> zeros_shown_;
  std::vector<Rest> rests_;
  Levels levels_;
  bool has_choices_ = false;
};

// Why a question cannot be answered well by any release of this kind, and what to do about it.
Error no_release_hides(const Problem& problem, const Question& question);

}  // namespace lacuna::counts
