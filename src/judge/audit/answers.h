// SPDX-License-Identifier: Apache-2.0
// What is asked of a search to answer one question, in either domain: how far its form goes where
// the ends themselves are wanted or both count together, else no more than the verdict needs.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "judge/attack/search.h"
#include "judge/attack/view.h"
#include "judge/attack/witness_store.h"
#include "judge/audit/hints.h"
#include "lacuna/audit.h"
#include "lacuna/question.h"

namespace lacuna::audit {

// Made when the first question needs it: what hints answer needs none.
class SearchOnDemand {
 public:
  SearchOnDemand(const attack::AttackView& view,
                 attack::SearchOptions options,
                 const attack::WitnessStore* known)
      : view_(view), options_(std::move(options)), known_(known) {}

  attack::Search& operator*() {
    if (!search_)
      search_.emplace(view_, options_, known_);
    return *search_;
  }
  attack::SearchCounts counts() const {
    return search_ ? search_->counts() : attack::SearchCounts{};
  }
  std::vector<Displacement> witnesses() const {
    return search_ ? search_->witnesses() : std::vector<Displacement>{};
  }

 private:
  const attack::AttackView& view_;
  attack::SearchOptions options_;
  const attack::WitnessStore* known_;
  std::optional<attack::Search> search_;
};

struct Answer {  // evidence found for a question
  attack::Reach low, high;
  std::optional<HintId> low_hint, high_hint;           // instead of a reach
  bool low_unsettled = false, high_unsettled = false;  // only the whole part can tell
  std::vector<attack::FormValue> values;
  bool complete = false;  // the values are all there are
  bool by_hint() const { return low_hint || high_hint; }
};

class Answers {
 public:
  Answers(const AuditOptions& options, const RunContext& run) : options_(options), run_(run) {}

  // `ends`: whatever the question asks, its ends are wanted.
  Answer answer(SearchOnDemand& search,
                const Question& question,
                bool ends,
                const Hints& hints) const;
  // Both ends by hints, or nothing: what they leave open is searched.
  std::optional<Answer> by_hints(const Question& question, const Hints& hints) const;
  // What was left open, of the whole part.
  void settle(attack::Search& search, const Question& question, Answer& found) const;

 private:
  std::optional<Answer> by_one_hint(const Question& question,
                                    Units level,
                                    const Hints& hints) const;
  bool slides_one_way(attack::Search& search, const Question& question, Answer& found) const;
  static bool falls_short_at_hand(attack::Search& search, const Question& question, Answer& found);
  void decide(attack::Search& search,
              const Question& question,
              Direction direction,
              Units level,
              attack::Reach& reach,
              bool& open) const;
  attack::Reach end_of(attack::Search& search,
                       const Question& question,
                       Direction direction,
                       Units level) const;
  void list_values(attack::Search& search, const Question& question, Answer& found) const;

  const AuditOptions& options_;
  const RunContext& run_;
};

}  // namespace lacuna::audit
