// SPDX-License-Identifier: Apache-2.0
#include "tabulate/contributors.h"

#include <algorithm>
#include <atomic>
#include <thread>

namespace lacuna {
namespace {

constexpr std::size_t kRespondentsPerTurn = 4096;

class Worker {
 public:
  Worker(const CellIndex& index, int top, const RespondentTable& respondents)
      : index_(index), leaves_(top, &respondents), cells_(top, &respondents) {
    leaves_.resize(index.start.size() - 1);
    cells_.resize(index.num_cells);
    scratch_.resize(index.num_cells);
  }

  // False if an amount does not fit.
  bool add(std::uint32_t respondent, std::span<LeafShare> shares) {
    if (shares.empty())
      return true;
    if (!gather(shares))
      return false;
    if (own_.size() == 1) {
      leaves_.add(leaf_of(own_.front()), {own_.front().amount, respondent, flags_of(own_.front())});
      return true;
    }
    return spread(respondent);
  }

  const ContributorFacts& leaves() const { return leaves_; }
  const ContributorFacts& cells() const { return cells_; }

 private:
  struct Scratch {  // of a cell: what the respondent at hand adds to it
    std::uint32_t turn = 0;
    std::uint32_t flags = 0;
    Units amount = 0;
  };
  static std::uint32_t leaf_of(const LeafShare& share) {
    return share.leaf_and_flags >> RecordShare::kFlagBits;
  }
  static std::uint32_t flags_of(const LeafShare& share) {
    return share.leaf_and_flags & ((1U << RecordShare::kFlagBits) - 1);
  }
  static bool add_to(Units& sum, Units amount) {
    return !__builtin_add_overflow(sum, amount, &sum) && sum <= kMaxUnits && sum >= -kMaxUnits;
  }

  // The respondent's records, one entry per leaf.
  bool gather(std::span<LeafShare> shares) {
    if (shares.size() > 1) {
      std::sort(shares.begin(), shares.end(), [](const LeafShare& a, const LeafShare& b) {
        return a.leaf_and_flags < b.leaf_and_flags;
      });
    }
    own_.clear();
    for (const LeafShare& share : shares) {
      if (own_.empty() || leaf_of(own_.back()) != leaf_of(share)) {
        own_.push_back(share);
        continue;
      }
      own_.back().leaf_and_flags |= share.leaf_and_flags;
      if (!add_to(own_.back().amount, share.amount))
        return false;
    }
    return true;
  }

  bool spread(std::uint32_t respondent) {
    ++turn_;
    touched_.clear();
    for (const LeafShare& share : own_) {
      for (const std::uint32_t cell : index_.of_leaf(leaf_of(share))) {
        Scratch& scratch = scratch_[cell];
        if (scratch.turn != turn_) {
          scratch = {turn_, flags_of(share), share.amount};
          touched_.push_back(cell);
          continue;
        }
        scratch.flags |= flags_of(share);
        if (!add_to(scratch.amount, share.amount))
          return false;
      }
    }
    for (const std::uint32_t cell : touched_)
      cells_.add(cell, {scratch_[cell].amount, respondent, scratch_[cell].flags});
    return true;
  }

  const CellIndex& index_;
  ContributorFacts leaves_;  // of respondents that lie in one leaf
  ContributorFacts cells_;   // of the others
  std::vector<Scratch> scratch_;
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

Result<ContributorFacts> count_contributors(SharesByRespondent shares,
                                            const CellIndex& index,
                                            int top,
                                            const RespondentTable& respondents,
                                            const RunContext& run) {
  const auto threads = static_cast<std::size_t>(std::max(run.threads, 1));
  std::vector<Worker> workers;
  for (std::size_t t = 0; t < threads; ++t)
    workers.emplace_back(index, top, respondents);
  Turns turns;
  {
    std::vector<std::jthread> others;
    for (std::size_t t = 1; t < threads; ++t)
      others.emplace_back([&, t] { work(shares, turns, workers[t]); });
    work(shares, turns, workers[0]);
  }
  if (turns.overflow) {
    return Error{ErrorCode::kBadInput,
                 "the amounts of one respondent do not fit 63 bits; use fewer decimals or a larger "
                 "unit",
                 ""};
  }
  ContributorFacts leaves(top, &respondents);
  ContributorFacts cells(top, &respondents);
  leaves.resize(index.start.size() - 1);
  cells.resize(index.num_cells);
  for (const Worker& worker : workers) {
    for (std::size_t leaf = 0; leaf + 1 < index.start.size(); ++leaf)
      leaves.merge(leaf, worker.leaves(), leaf);
    for (std::size_t cell = 0; cell < index.num_cells; ++cell)
      cells.merge(cell, worker.cells(), cell);
  }
  for (std::size_t leaf = 0; leaf + 1 < index.start.size(); ++leaf) {
    for (const std::uint32_t cell : index.of_leaf(leaf))
      cells.merge(cell, leaves, leaf);
  }
  return cells;
}

}  // namespace lacuna
