// SPDX-License-Identifier: Apache-2.0
#include "protect/start/improvement.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "core/base/parallel.h"
#include "core/base/work.h"
#include "protect/start/tuning.h"

namespace lacuna::start {
namespace {

// What the last rounds saved of the cost, per unit of work.
class Rate {
 public:
  void add(double saved, std::int64_t work) {
    rounds_.push_back({saved, static_cast<double>(std::max<std::int64_t>(work, 1))});
    if (rounds_.size() > kTuning.construct.rounds_of_rate)
      rounds_.erase(rounds_.begin());
  }
  double of_late() const {
    if (rounds_.size() < kTuning.construct.rounds_of_rate)
      return std::numeric_limits<double>::infinity();
    double saved = 0;
    double work = 0;
    for (const Round& round : rounds_) {
      saved += round.saved;
      work += round.work;
    }
    return saved / work;
  }

 private:
  struct Round {
    double saved, work;
  };
  std::vector<Round> rounds_;
};

// What the batches of a round save. Expensive cells come first: where the work is scarce a round is
// broken off once its batches save much less than those before them, and the next one begins.
class Yield {
 public:
  explicit Yield(double cost) { costs_.push_back(cost); }
  void add(double cost, std::int64_t work) {
    costs_.push_back(cost);
    works_.push_back(static_cast<double>(work));
    total_ += static_cast<double>(work);
  }
  // `share` of the round is done.
  bool promises(double share, std::int64_t work_left) const {
    const ConstructTuning& tuning = kTuning.construct;
    const std::size_t window = tuning.window;
    if (work_left == kNoWorkLimit || works_.size() < 2 * window ||
        static_cast<double>(work_left) > tuning.plenty * total_ / share)
      return true;
    const double recent =
        std::accumulate(works_.end() - static_cast<std::ptrdiff_t>(window), works_.end(), 0.0);
    const double saved = costs_[costs_.size() - 1 - window] - costs_.back();
    const double all_saved = costs_.front() - costs_.back();
    return saved * total_ >= tuning.worth_going_on * all_saved * recent;
  }

 private:
  std::vector<double> costs_, works_;
  double total_ = 0;
};

// Which kind of exchange has its turn: what saved most per work the last time. What one kind saves
// leaves something for the others, so they hope for a part of it. First only those that give up all
// that shared routes needed; when that has settled, detours and what is around cells come in.
class Turns {
 public:
  explicit Turns(const RunContext& run)
      : settled_at_(base::share_of_work(run, kTuning.construct.until_settled).work_end) {}

  ExchangeKind next() {
    const auto best = std::max_element(hopes_.begin(), hopes_.end());
    current_ = settled_ ? static_cast<std::size_t>(best - hopes_.begin()) : 0;
    return kKinds[current_];
  }
  const char* name() const { return kNames[current_]; }

  void add(double saved, std::int64_t work) {
    const double rate = saved / static_cast<double>(std::max<std::int64_t>(work, 1));
    for (double& hope : hopes_)
      hope = std::max(hope, kTuning.construct.hope * rate);
    hopes_[current_] = rate;
    settled_ = settled_ || saved < kTuning.construct.settled || work_done() > settled_at_;
  }

 private:
  static constexpr std::array kKinds{
      ExchangeKind::kThrough, ExchangeKind::kDetour, ExchangeKind::kAround};
  static constexpr std::array kNames{"through", "detours", "around"};
  static constexpr double kUntried = std::numeric_limits<double>::infinity();

  std::array<double, kKinds.size()> hopes_{kUntried, kUntried, kUntried};  // per unit of work
  std::size_t current_ = 0;
  bool settled_ = false;
  std::int64_t settled_at_;  // reading of work_done()
};

}  // namespace

Improvement::Improvement(const ConstructOptions& options,
                         RouteAssignment& assignment,
                         std::vector<std::unique_ptr<Lane>>& lanes,
                         ConstructReport& report,
                         const RunContext& run)
    : options_(options),
      assignment_(assignment),
      lanes_(lanes),
      report_(report),
      run_(run),
      memory_(assignment.pattern_state().table()),
      detour_memory_(assignment.pattern_state().table()) {}

void Improvement::improve() {
  std::int32_t idle_rounds = 0;
  Rate rate;
  Turns turns(run_);
  for (std::int32_t round = 0; round < options_.max_rounds && !run_.should_stop(); ++round) {
    const double before = pattern_state().total_cost();
    const std::int64_t begin = work_done();
    ++rounds_;
    exchange_round({turns.next(), run_.seed + static_cast<std::uint64_t>(round), before});
    assignment_.forget_dead();
    report_.safe_pattern();
    const double saved = before - pattern_state().total_cost();
    if (report_.is_logged())
      report_.log(turns.name());
    idle_rounds = saved > kTuning.construct.little * before ? 0 : idle_rounds + 1;
    rate.add(saved / before, work_done() - begin);
    turns.add(saved / before, work_done() - begin);
    if (idle_rounds >= kTuning.construct.idle_rounds || rate.of_late() < options_.least_rate)
      break;
  }
}

std::vector<CellId> Improvement::secondaries() const {
  std::vector<CellId> cells;
  for (std::int32_t c = 0; c < pattern_state().table().num_cells(); ++c) {
    if (pattern_state().place(CellId{c}) == CellRole::kWithheld &&
        !pattern_state().permanent(CellId{c}))
      cells.push_back(CellId{c});
  }
  std::stable_sort(cells.begin(), cells.end(), [&](CellId a, CellId b) {
    return pattern_state().cost(a) > pattern_state().cost(b);
  });
  return cells;
}

void Improvement::exchange_round(const Round& round) {
  const std::vector<CellId> cells = secondaries();
  Yield yield(round.cost);
  std::size_t batches = 0;
  std::int64_t begin = work_done();
  for (std::size_t next = 0; next < cells.size() && !run_.should_stop();) {
    const double share = static_cast<double>(next) / static_cast<double>(cells.size());
    if (!yield.promises(share, run_.work_left()))
      break;
    std::vector<Exchange> batch;
    for (; next < cells.size() && batch.size() < kTuning.construct.batch; ++next) {
      if (is_worth_trying(round.kind, cells[next]))
        batch.push_back(exchange_at(cells[next], round));
    }
    exchange_all(batch);
    if (++batches % kTuning.construct.batches_at_once == 0) {
      yield.add(pattern_state().total_cost(), work_done() - begin);
      begin = work_done();
    }
    report_.progress("improve", static_cast<double>(next) / static_cast<double>(cells.size()));
  }
}

bool Improvement::is_worth_trying(ExchangeKind kind, CellId cell) {
  return pattern_state().place(cell) == CellRole::kWithheld &&
         (kind == ExchangeKind::kAround || memory_of(kind).worth_trying(assignment_, cell));
}

Exchange Improvement::exchange_at(CellId cell, const Round& round) const {
  Exchange exchange;
  exchange.cell = cell;
  exchange.kind = round.kind;
  exchange.salt = round.salt;
  exchange.thorough = pattern_state().cost(cell) > round.cost * kTuning.construct.expensive;
  exchange.decisive = round.kind == ExchangeKind::kThrough &&
                      pattern_state().cost(cell) > round.cost * kTuning.construct.decisive;
  return exchange;
}

// Planned side by side, carried out one after the other.
void Improvement::exchange_all(std::vector<Exchange>& batch) {
  memory_.begin_batch();
  detour_memory_.begin_batch();
  base::share_among(run_, lanes_.size(), batch.size(), [&](std::size_t lane, std::size_t i) {
    plan_exchange(assignment_, *lanes_[lane], batch[i]);
  });
  carry_out_all(batch);
}

void Improvement::carry_out_all(std::vector<Exchange>& batch) {
  for (Exchange& exchange : batch) {
    if (!exchange.found) {
      if (exchange.kind == ExchangeKind::kThrough || exchange.kind == ExchangeKind::kDetour)
        memory_of(exchange.kind).note_failure(assignment_, exchange);
    } else if (carry_out(assignment_, exchange)) {
      ++exchanges_;
      const std::vector<CellId> changes = assignment_.changes();
      memory_.note_changes(pattern_state().table(), changes);
      detour_memory_.note_changes(pattern_state().table(), changes);
    } else {
      assignment_.changes();  // nothing changed in the end
    }
  }
}

}  // namespace lacuna::start
