// SPDX-License-Identifier: Apache-2.0
// Stored inequalities: what shows that no other pattern of the true table costs as little is looked
// at again on other tables, without a search. Let P be the release, w weights that do not follow
// from values and are positive, and for some u > 0
//
//   w'_i = w_i + u  for i in P,   w'_i = w_i  for all others.                                    (1)
//
// If no safe pattern weighs less than P by w', then P is the only cheapest one by w: another one
// with w(Q) <= w(P) cannot hold all of P, so that w'(Q) <= w(Q) + u (|P| - 1) < w'(P). A log of the
// bound (lacuna/bound_log.h) by w' is written once. On a table y each of its inequalities is computed
// again, in whole numbers, with the room and the levels that cells have there. If w'(P) still comes
// out, and P is safe on y, then P is the only cheapest pattern of y. A search there that ends with
// the optimum releases P. That it does so, and within its limit of work, only a run shows: what is
// told here says which tables to run first.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/job/rerun.h"
#include "lacuna/bound_log.h"
#include "lacuna/draft.h"
#include "lacuna/problem.h"

namespace lacuna::job {

class StoredBound {
 public:
  // Nothing for runs of which (1) says nothing, and where no log comes to w'(P). The program
  // searches for as long as it did, at most twice.
  static std::optional<StoredBound> make(const Problem& problem,
                                         const Draft& release,
                                         const Rerun& rerun);
  // Of a problem that the program would be given, on which the release is safe: whether it is the
  // only cheapest pattern there.
  bool tells(Problem there) const;

 private:
  std::vector<double> weights_;  // w', by cell
  std::shared_ptr<const BoundLog> log_;
};

}  // namespace lacuna::job
