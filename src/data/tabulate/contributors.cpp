// SPDX-License-Identifier: Apache-2.0
#include "data/tabulate/contributors.h"

#include <algorithm>
#include <atomic>

#include "core/base/parallel.h"
#include "data/tabulate/shared_cells.h"

namespace lacuna::tabulation {
namespace {

constexpr std::size_t kRespondentsAhead = 3;  // respondents; longer than a memory access takes

// Counts contributions one by one. What nearly every contribution needs of a cell lies together.
class Counter {
 public:
  Counter(std::size_t size, const CountPlan& plan)
      : heads_(size), absolute_(plan.any_negative ? size : 0), top_(plan.top, plan.respondents) {
    top_.resize(size);
    for (std::size_t i = 0; i < size; ++i)
      heads_[i].threshold = top_.threshold(i);
  }

  void add(std::size_t at, const Share& share) { add(at, share, 1); }

  // A contribution that is counted `times` times.
  void add(std::size_t at, const Share& share, std::int64_t times) {
    Head& head = heads_[at];
    const Units size = share.amount < 0 ? -share.amount : share.amount;
    head.contributors += times;
    if (!absolute_.empty())
      absolute_[at] += size;
    if (size < head.threshold)
      return;
    top_.offer(at, share);
    head.threshold = top_.threshold(at);
  }

  // Contributions of one respondent that come in parts: expect_parts(), all parts, then finish()
  // once per cell. `turn` differs from respondent to respondent. Returns 1 if it is the cell's
  // first part, else 0; `overflow` is set if the sum does not fit. Without branches: which it is
  // cannot be foreseen.
  void expect_parts() { parts_.resize(heads_.size()); }
  std::size_t add_part(
      std::size_t at, std::uint32_t turn, Units amount, std::uint32_t flags, bool& overflow) {
    Part& part = parts_[at];
    const bool first = part.turn != turn;
    Units sum = first ? 0 : part.amount;
    overflow |= !add_to(sum, amount);
    part.turn = turn;
    part.flags = (first ? 0 : part.flags) | flags;
    part.amount = sum;
    return first ? 1 : 0;
  }
  void finish(std::size_t at, std::uint32_t respondent) {
    add(at, {parts_[at].amount, respondent, parts_[at].flags});
  }

  static bool add_to(Units& sum, Units amount) {
    const bool wrapped = __builtin_add_overflow(sum, amount, &sum);
    return !wrapped & (sum <= kMaxUnits) & (sum >= -kMaxUnits);
  }

  void prefetch(std::size_t at) const { __builtin_prefetch(&heads_[at], 1); }

  void merge(std::size_t at, const Counter& other) {
    heads_[at].contributors += other.heads_[at].contributors;
    if (!absolute_.empty())
      absolute_[at] += other.absolute_[at];
    for (const Share& share : other.top_.list(at))
      top_.offer(at, share);
  }
  // Contributors that are listed already, with all that they have in the cell, stay as they are.
  void merge_into(std::size_t from, ContributorFacts& facts, std::size_t at) const {
    facts.contributors[at] += heads_[from].contributors;
    if (!absolute_.empty())
      facts.absolute[at] += absolute_[from];
    for (const Share& share : top_.list(from))
      facts.top.offer_once(at, share);
  }

 private:
  struct Head {
    Units threshold = 0;
    std::int64_t contributors = 0;
  };
  struct Part {  // of the respondent at hand
    std::uint32_t turn = 0;
    std::uint32_t flags = 0;
    Units amount = 0;
  };
  std::vector<Head> heads_;
  std::vector<Part> parts_;  // empty until parts are expected
  std::vector<Wide> absolute_;
  TopLists top_;
};

class Worker {
 public:
  Worker(const CellIndex& index, const CountPlan& plan)
      : index_(index),
        any_negative_(plan.any_negative),
        shared_(index),
        leaves_(index.num_leaves(), plan),
        cells_(index.num_cells, plan) {}

  // False if an amount does not fit.
  bool add(std::uint32_t respondent, std::span<LeafShare> shares) {
    if (shares.empty())
      return true;
    if (!gather(shares))
      return false;
    if (own_.size() > 1 && (any_negative_ || own_.size() > SharedCells::kMostLeaves))
      return spread(respondent);
    for (const LeafShare& share : own_)
      leaves_.add(share.leaf(), {share.amount, respondent, share.flags()});
    return own_.size() == 1 || share_cells(respondent);
  }

  // What will be needed of leaves soon.
  void prefetch(std::span<const LeafShare> shares) const {
    for (const LeafShare& share : shares) {
      leaves_.prefetch(share.leaf());
      shared_.prefetch(share.leaf());
    }
  }

  Counter& leaves() { return leaves_; }
  Counter& cells() { return cells_; }

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

  // In cells with several of the leaves the respondent is one contributor, counted once per leaf.
  bool share_cells(std::uint32_t respondent) {
    bool fits = true;
    const auto found = shared_.of(own_);
    for (const SharedCells::Found& cell : found)
      cells_.prefetch(cell.cell);
    for (const SharedCells::Found& cell : found) {
      fits &= cell.fits;
      cells_.add(cell.cell, {cell.amount, respondent, cell.flags}, 1 - std::int64_t{cell.leaves});
    }
    return fits;
  }

  bool spread(std::uint32_t respondent) {
    ++turn_;
    cells_.expect_parts();
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
  bool any_negative_;
  SharedCells shared_;
  Counter leaves_;  // of amounts in one leaf
  Counter cells_;   // of sums over leaves
  std::vector<std::uint32_t> touched_;
  std::vector<LeafShare> own_;
  std::uint32_t turn_ = 0;
};

// False if an amount does not fit.
bool add_shard(std::size_t number, ShardShares& shard, Worker& worker) {
  for (std::size_t place = 0; place < shard.size(); ++place) {
    if (place + kRespondentsAhead < shard.size())
      worker.prefetch(shard.of(place + kRespondentsAhead));
    const std::size_t respondent = place * RespondentTable::kShards + number;
    if (!worker.add(static_cast<std::uint32_t>(respondent), shard.of(place)))
      return false;
  }
  return true;
}

// Sums over leaves first: who is listed with one is not listed with a part of it.
ContributorFacts merged(std::vector<Worker>& workers,
                        const CellIndex& index,
                        const CountPlan& plan) {
  for (std::size_t w = 1; w < workers.size(); ++w) {
    for (std::size_t cell = 0; cell < index.num_cells; ++cell)
      workers[0].cells().merge(cell, workers[w].cells());
    for (std::size_t leaf = 0; leaf < index.num_leaves(); ++leaf)
      workers[0].leaves().merge(leaf, workers[w].leaves());
  }
  ContributorFacts facts(index.num_cells, plan);
  for (std::size_t cell = 0; cell < index.num_cells; ++cell)
    workers[0].cells().merge_into(cell, facts, cell);
  for (std::size_t leaf = 0; leaf < index.num_leaves(); ++leaf) {
    for (const std::uint32_t cell : index.of_leaf(leaf))
      workers[0].leaves().merge_into(leaf, facts, cell);
  }
  return facts;
}

}  // namespace

Result<ContributorFacts> count_contributors(const ShardMaker& make,
                                            SharesByRespondent* kept,
                                            const CellIndex& index,
                                            const CountPlan& plan,
                                            const RunContext& run) {
  const auto threads = static_cast<std::size_t>(std::max(run.threads, 1));
  std::vector<Worker> workers;
  for (std::size_t t = 0; t < threads; ++t)
    workers.emplace_back(index, plan);
  std::atomic<bool> overflow{false};
  base::share_among(
      run, threads, RespondentTable::kShards, [&](std::size_t worker, std::size_t number) {
        if (overflow)
          return;
        ShardShares shard = make(number);
        if (!add_shard(number, shard, workers[worker]))
          overflow = true;
        if (kept != nullptr)
          kept->shards[number] = std::move(shard);
      });
  if (overflow) {
    return Error{ErrorCode::kNumberTooLarge,
                 "the amounts of one respondent do not fit 63 bits; use fewer decimals or a larger "
                 "unit",
                 ""};
  }
  return merged(workers, index, plan);
}

}  // namespace lacuna::tabulation
