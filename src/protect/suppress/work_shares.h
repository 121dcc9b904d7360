// SPDX-License-Identifier: Apache-2.0
// How a run of complete suppression shares its work among the start, the tree, and what the quick
// effort would find. All shares are counted from the same reading of work_done().
#pragma once

#include <cstdint>
#include <memory>

#include "lacuna/problem.h"
#include "lacuna/run_context.h"
#include "lacuna/suppress.h"
#include "protect/suppress/part_list.h"

namespace lacuna::suppression {

class WorkShares {
 public:
  // `begun_at`: the reading when the run began. All that is given must outlive the shares.
  WorkShares(const std::shared_ptr<const Problem>& problem,
             const SuppressOptions& options,
             const PartList& parts,
             std::int64_t begun_at,
             const RunContext& run)
      : problem_(problem), options_(options), parts_(parts), begun_at_(begun_at), run_(run) {}

  std::int64_t of_start() const;        // of one that the tree will improve
  std::int64_t of_quick_start() const;  // of a pattern as the quick effort makes it
  std::int64_t before_quick() const;    // what the tree does before such a pattern is asked for
  RunContext for_tree() const;          // the run of a tree; a quick bound takes a share

 private:
  std::int64_t most_before_tree() const;
  std::int64_t of_fast() const;
  double of_quick_effort() const;

  const std::shared_ptr<const Problem>& problem_;
  const SuppressOptions& options_;
  const PartList& parts_;
  std::int64_t begun_at_;
  const RunContext& run_;
};

}  // namespace lacuna::suppression
