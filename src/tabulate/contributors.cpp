// SPDX-License-Identifier: Apache-2.0
#include "tabulate/contributors.h"

#include <algorithm>
#include <atomic>

#include "base/parallel.h"

namespace lacuna::inline tabulation {
namespace {

constexpr std::size_t kRespondentsPerTurn = 4096;

// Counts contributions one by one. What nearly every contribution needs of a cell lies together.
class Counter {
 public:
  Counter(std::size_t size, const CountPlan& plan)
      : heads_(size), absolute_(plan.any_negative ? size : 0), top_(plan.top, plan.respondents) {
    top_.resize(size);
    for (std::size_t i = 0; i < size; ++i)
      heads_[i].threshold = top_.threshold(i);
  }

  void add(std::size_t at, const Share& share) {
    Head& head = heads_[at];
    const Units size = share.amount < 0 ? -share.amount : share.amount;
    ++head.contributors;
    if (!absolute_.empty())
      absolute_[at] += size;
    if (size < head.threshold)
      return;
    top_.offer(at, share);
    head.threshold = top_.threshold(at);
  }

  // Contributions of one respondent that come in parts: all parts, then finish() once per cell.
  // `turn` differs from respondent to respondent. Returns 1 if it is the cell's first part, else
  // 0; `overflow` is set if the sum does not fit. Without branches: which it is cannot be foreseen.
  std::size_t add_part(
      std::size_t at, std::uint32_t turn, Units amount, std::uint32_t flags, bool& overflow) {
    Head& head = heads_[at];
    const bool first = head.turn != turn;
    Units sum = first ? 0 : head.amount;
    overflow |= !add_to(sum, amount);
    head.turn = turn;
    head.flags = (first ? 0 : head.flags) | flags;
    head.amount = sum;
    return first ? 1 : 0;
  }
  void finish(std::size_t at, std::uint32_t respondent) {
    add(at, {heads_[at].amount, respondent, heads_[at].flags});
  }

  static bool add_to(Units& sum, Units amount) {
    const bool wrapped = __builtin_add_overflow(sum, amount, &sum);
    return !wrapped & (sum <= kMaxUnits) & (sum >= -kMaxUnits);
  }

  void merge_into(std::size_t from, ContributorFacts& facts, std::size_t at) const {
    facts.contributors[at] += heads_[from].contributors;
    if (!absolute_.empty())
      facts.absolute[at] += absolute_[from];
    for (const Share& share : top_.list(from))
      facts.top.offer(at, share);
  }

 private:
  struct Head {
    std::uint32_t turn = 0;
    std::uint32_t flags = 0;
    Units amount = 0;  // of the respondent at hand
    Units threshold = 0;
    std::int64_t contributors = 0;
  };
  std::vector<Head> heads_;
  std::vector<Wide> absolute_;
  TopLists top_;
};

class Worker {
 public:
  Worker(const CellIndex& index, const CountPlan& plan)
      : index_(index), leaves_(index.num_leaves(), plan), cells_(index.num_cells, plan) {}

  // False if an amount does not fit.
  bool add(std::uint32_t respondent, std::span<LeafShare> shares) {
    if (shares.empty())
      return true;
    if (!gather(shares))
      return false;
    if (own_.size() == 1) {
      leaves_.add(own_.front().leaf(), {own_.front().amount, respondent, own_.front().flags()});
      return true;
    }
    return spread(respondent);
  }

  const Counter& leaves() const { return leaves_; }
  const Counter& cells() const { return cells_; }

 private:
  // The respondent's records, one entry per leaf.
  bool gather(std::span<LeafShare> shares) {
    if (shares.size() > 1) {
      std::sort(shares.begin(), shares.end(), [](const LeafShare& a, const LeafShare& b) {
        return a.leaf_and_flags < b.leaf_and_flags;
      });
    }
    own_.clear();
    for (const LeafShare& share : shares) {
      if (own_.empty() || own_.back().leaf() != share.leaf()) {
        own_.push_back(share);
        continue;
      }
      own_.back().leaf_and_flags |= share.leaf_and_flags;
      if (!Counter::add_to(own_.back().amount, share.amount))
        return false;
    }
    return true;
  }

  bool spread(std::uint32_t respondent) {
    ++turn_;
    bool overflow = false;
    std::size_t touched = 0;
    for (const LeafShare& share : own_) {
      const auto cells = index_.of_leaf(share.leaf());
      if (touched_.size() < touched + cells.size())
        touched_.resize(2 * (touched + cells.size()));
      for (const std::uint32_t cell : cells) {
        touched_[touched] = cell;
        touched += cells_.add_part(cell, turn_, share.amount, share.flags(), overflow);
      }
    }
    for (std::size_t i = 0; i < touched; ++i)
      cells_.finish(touched_[i], respondent);
    return !overflow;
  }

  const CellIndex& index_;
  Counter leaves_;  // respondents that lie in one leaf
  Counter cells_;   // the others
  std::vector<std::uint32_t> touched_;
  std::vector<LeafShare> own_;
  std::uint32_t turn_ = 0;
};

struct Turns {
  std::atomic<std::size_t> next{0};
  std::atomic<bool> overflow{false};
};

void work(SharesByRespondent& shares, Turns& turns, Worker& worker) {
  const std::size_t count = shares.start.size() - 1;
  while (!turns.overflow) {
    const std::size_t begin = turns.next.fetch_add(kRespondentsPerTurn);
    if (begin >= count)
      return;
    for (std::size_t r = begin; r < std::min(count, begin + kRespondentsPerTurn); ++r) {
      const std::size_t length = shares.start[r + 1] - shares.start[r];
      if (!worker.add(static_cast<std::uint32_t>(r),
                      {shares.shares.data() + shares.start[r], length}))
        turns.overflow = true;
    }
  }
}

}  // namespace

Result<ContributorFacts> count_contributors(SharesByRespondent& shares,
                                            const CellIndex& index,
                                            const CountPlan& plan,
                                            const RunContext& run) {
  const auto threads = static_cast<std::size_t>(std::max(run.threads, 1));
  std::vector<Worker> workers;
  for (std::size_t t = 0; t < threads; ++t)
    workers.emplace_back(index, plan);
  Turns turns;
  run_with_helpers(run, threads - 1, [&](std::size_t t) { work(shares, turns, workers[t]); });
  if (turns.overflow) {
    return Error{ErrorCode::kBadInput,
                 "the amounts of one respondent do not fit 63 bits; use fewer decimals or a larger "
                 "unit",
                 ""};
  }
  ContributorFacts cells(index.num_cells, plan);
  for (const Worker& worker : workers) {
    for (std::size_t cell = 0; cell < index.num_cells; ++cell)
      worker.cells().merge_into(cell, cells, cell);
    for (std::size_t leaf = 0; leaf < index.num_leaves(); ++leaf) {
      for (const std::uint32_t cell : index.of_leaf(leaf))
        worker.leaves().merge_into(leaf, cells, cell);
    }
  }
  return cells;
}

}  // namespace lacuna::inline tabulation
