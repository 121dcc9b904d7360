// SPDX-License-Identifier: Apache-2.0
// The table as a construction sees it: per cell whether it is withheld, may be, or never, what it
// costs to withhold, and the slack an attacker has if it is. An Overlay changes a few cells for one
// trial without touching the pattern state, so that several trials can look at the same pattern
// state at once.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "judge/attack/view.h"
#include "lacuna/draft.h"
#include "lacuna/problem.h"

namespace lacuna::start {

enum class CellRole : std::uint8_t {
  kPublished,  // published so far, may be withheld
  kWithheld,   // withheld
  kNever,      // must be published, or has no slack anyway
};

struct CellSlack {
  CellId cell;
  attack::Slack slack;
};

class PatternState {
 public:
  // `costs`: one per cell, or empty for the table's weights.
  PatternState(const Problem& problem, std::span<const double> costs);

  const Table& table() const { return problem_.table(); }
  const Problem& problem() const { return problem_; }
  CellRole place(CellId cell) const { return place_[index(cell)]; }
  double cost(CellId cell) const { return cost_[index(cell)]; }
  bool permanent(CellId cell) const { return permanent_[index(cell)] != 0; }
  const attack::Slack& slack(CellId cell) const { return slack_[index(cell)]; }  // the outsider's
  // The slack the attacker has around the cell if it is withheld.
  attack::Slack slack(CellId cell, std::int32_t attacker) const;
  // One more attacker, with the outsider's slack but in these cells, rising: to search routes that
  // serve several at once (joint_slacks.h). Returns its index.
  std::int32_t add_joint_attacker(std::vector<CellSlack> slacks);

  void withhold(CellId cell) { place_[index(cell)] = CellRole::kWithheld; }
  void publish(CellId cell) { place_[index(cell)] = CellRole::kPublished; }

  // What a route over a withheld cell costs: next to nothing, so that short routes are preferred.
  double least_cost() const { return least_cost_; }
  Draft draft() const;
  // All that is withheld, and all that may be and whose smaller slack is at most so large.
  Draft draft_up_to(Units slack) const;
  double total_cost() const;  // of all that is withheld

 private:
  static std::size_t index(CellId cell) { return static_cast<std::size_t>(cell.value); }
  void list_own_slacks();

  const Problem& problem_;
  std::vector<CellRole> place_;
  std::vector<std::uint8_t> permanent_;  // withheld whatever happens
  std::vector<double> cost_;
  std::vector<attack::Slack> slack_;
  // By attacker, joint ones last, the cells in which it has less; copies share them.
  std::vector<std::shared_ptr<const std::vector<CellSlack>>> own_slacks_;
  double least_cost_ = 0;
};

class Overlay {
 public:
  enum class Mark : std::uint8_t {
    kNone,
    kBanned,     // may not be used
    kWithheld,   // withheld in this trial
    kPaidAgain,  // withheld on the pattern state, but to be paid for again
  };
  explicit Overlay(std::int32_t cells) : marks_(static_cast<std::size_t>(cells), Mark::kNone) {}

  Mark mark(CellId cell) const { return marks_[static_cast<std::size_t>(cell.value)]; }
  void set(CellId cell, Mark mark) {
    Mark& old = marks_[static_cast<std::size_t>(cell.value)];
    if (old == Mark::kNone)
      changed_.push_back(cell);
    old = mark;
  }
  void clear() {
    for (const CellId cell : changed_)
      marks_[static_cast<std::size_t>(cell.value)] = Mark::kNone;
    changed_.clear();
  }
  // What the cell is on this pattern state under this overlay.
  CellRole place(const PatternState& pattern_state, CellId cell) const {
    switch (mark(cell)) {
      case Mark::kNone:
        return pattern_state.place(cell);
      case Mark::kBanned:
        return CellRole::kNever;
      case Mark::kWithheld:
        return CellRole::kWithheld;
      case Mark::kPaidAgain:
        return CellRole::kPublished;
    }
    return CellRole::kNever;
  }

 private:
  std::vector<Mark> marks_;
  std::vector<CellId> changed_;
};

}  // namespace lacuna::start
