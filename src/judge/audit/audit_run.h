// SPDX-License-Identifier: Apache-2.0
// The audit of one release: per domain and attacker a view, per view its parts, per part and
// question a search for evidence, each piece confirmed before it counts. Whole numbers come first:
// their witnesses are hints for the questions in fractions, which ask less of them. Work is cut
// into chunks that do not depend on the number of threads, so that neither do the results.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/parallel.h"
#include "core/table/network.h"
#include "judge/attack/search.h"
#include "judge/attack/view.h"
#include "judge/audit/answers.h"
#include "judge/audit/confirm.h"
#include "judge/audit/evidence_store.h"
#include "judge/audit/hints.h"
#include "lacuna/audit.h"
#include "lacuna/question.h"

namespace lacuna::audit {

struct Domains {  // in which questions are asked
  bool rational = true, integer = true;
  bool include(Domain domain) const { return domain == Domain::kRational ? rational : integer; }
};

class AuditRun {
 public:
  // Problem and draft are those of a ReleaseSystem (core/draft/system.h), `network` the table's,
  // null if it is none; cells from `given_cells` on are those that the system has added.
  AuditRun(const Problem& problem,
           const Draft& draft,
           const AuditOptions& options,
           const RunContext& run,
           const table::Network* network,
           std::int32_t given_cells);

  // Errors: a release at odds with what its readers are told (judge/attack/count_slacks.h).
  Result<AuditReport> run(Domains domains);

 private:
  struct Task {  // one form of one attacker
    Question question;
    std::int32_t finding = -1;  // index of the finding, or -1
    std::int32_t range = -1;    // index of the range, or -1
    std::int32_t part = -1;     // for sorting
  };
  using Witnesses = std::vector<Displacement>;

  void list_findings(Domains domains);
  void list_ranges();
  bool needs_no_search(const Question& question) const;
  void judge_published();
  Status attack(Domain domain);
  void attack(const attack::AttackView& view,
              std::int32_t attacker,
              std::vector<Task> tasks,
              Confirmer& confirmer);
  std::vector<Task> ask(Domain domain, std::int32_t attacker) const;
  // Witnesses of the outsider, for all who know more of some cells than the outsider does: a
  // witness that keeps within what these know of the cells that it moves is theirs, too. Of most
  // questions of most attackers that is the answer, without a view of the whole table for each.
  void share_witnesses(const attack::AttackView& view);
  std::vector<Task> not_settled_by_shared(std::int32_t attacker, std::vector<Task> tasks);
  void file_shared(const Task& task, const Answer& found);
  static void sort_by_part(const attack::AttackView& view, std::vector<Task>& tasks);
  Witnesses suggestions(Domain domain) const;
  std::vector<Witnesses> search(const attack::AttackView& view,
                                std::span<const Task> tasks,
                                const Hints& hints,
                                std::vector<Answer>& answers);
  void settle_open(const attack::AttackView& view,
                   std::span<const Task> tasks,
                   const std::vector<Witnesses>& found,
                   std::vector<Answer>& answers);
  void file(Confirmer& confirmer, const Task& tasks, Answer found, const Hints& hints);
  End end_of(Confirmer& confirmer,
             const Task& tasks,
             Direction direction,
             attack::Reach reach,
             const std::optional<HintId>& hint,
             const Hints& hints);
  void count_parts(const attack::AttackView& view);
  void add_counts(const attack::SearchCounts& counts);
  template <class Work>
  void work_on(std::size_t number, Work&& work);

  const Problem& problem_;
  const Draft& draft_;
  const AuditOptions& options_;
  const RunContext& run_;
  const table::Network* network_;
  std::int32_t given_cells_;
  Answers answers_;
  AuditReport report_;
  std::vector<std::vector<std::size_t>> groups_;  // findings by attacker
  EvidenceStore kept_;
  Witnesses shared_;                         // admitted for the outsider,
  std::optional<Hints> shared_hints_;        // ... by the cells that they move; of fractions alone
  double done_before_ = 0, done_after_ = 0;  // shares of the audit around what is worked on
};

}  // namespace lacuna::audit
