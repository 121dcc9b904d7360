// SPDX-License-Identifier: Apache-2.0
#include "protect/start/flat_chain.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "core/base/work.h"
#include "protect/start/tuning.h"

namespace lacuna::start {
namespace {

constexpr double kAnyCost = std::numeric_limits<double>::infinity();

}  // namespace

FlatChain::FlatChain(const FlatGround& ground, std::uint64_t seed, const RunContext& run)
    : ground_(ground),
      run_(run),
      begin_(work_done()),
      random_(seed),
      contraction_(ground),
      slacks_(ground),
      few_columns_(kTuning.flats.few_columns),
      columns_(ground.columns()) {}

void FlatChain::search() {
  start();
  const auto columns = static_cast<std::int64_t>(columns_.columns());
  const std::int64_t idle = kTuning.flats.idle_trials * columns * columns;
  while (!run_.should_stop() && counts_.trials - last_gain_ < idle)
    step();
}

// From the whole ground. Where slacks bind what is left must be more.
void FlatChain::start() {
  std::vector<std::int32_t> all(ground_.generators().size());
  std::iota(all.begin(), all.end(), 0);
  Outcome outcome = Outcome::kUnserved;
  while (true) {
    contraction_.begin(columns_, all, kTuning.flats.noise, random_);
    outcome = publish_all(kAnyCost);
    if (outcome == Outcome::kServed || 2 * few_columns_ > kTuning.flats.most_columns ||
        run_.should_stop())
      break;
    few_columns_ *= 2;
  }
  accept(outcome == Outcome::kServed);
}

void FlatChain::step() {
  ++counts_.trials;
  const double most = served_ ? most_allowed() : kAnyCost;
  const std::vector<std::int32_t> columns = columns_taken_back();
  contraction_.begin(columns_, columns, kTuning.flats.noise, random_);
  const Outcome outcome = publish_all(most);
  const bool served = outcome == Outcome::kServed;
  if (served || (outcome == Outcome::kUnserved && !served_)) {
    if (contraction_.cost() != cost_ || served != served_)
      accept(served);
  }
}

// Threshold accepting (Dueck and Scheuer 1990): by how much a flat may be more expensive than the
// last is drawn, and less and less.
double FlatChain::most_allowed() {
  constexpr std::int64_t kParts = 1 << 20;
  const double drawn =
      static_cast<double>(random_.between(0, kParts)) / static_cast<double>(kParts);
  const double done =
      run_.work_end == kNoWorkLimit
          ? 1
          : static_cast<double>(work_done() - begin_) / static_cast<double>(run_.work_end - begin_);
  const double cool = std::max(0.0, 1 - done);
  return cost_ * (1 + kTuning.flats.looser * cool * cool * drawn);
}

std::vector<std::int32_t> FlatChain::columns_taken_back() {
  const auto size = static_cast<std::int64_t>(published_.size());
  const auto most = std::max<std::int64_t>(
      1, static_cast<std::int64_t>(kTuning.flats.most_back * static_cast<double>(size)));
  const std::int64_t back = size == 0 ? 0 : random_.between(1, most);
  std::vector<std::int32_t> columns = left_;
  for (std::int64_t i = 0; i < back; ++i) {
    std::swap(published_[static_cast<std::size_t>(i)],
              published_[static_cast<std::size_t>(random_.between(i, size - 1))]);
    columns.push_back(published_[static_cast<std::size_t>(i)]);
  }
  return columns;
}

// Until nothing can be published. That mostly serves all goals if anything does: only if not, the
// last steps are taken back and made anew with care.
FlatChain::Outcome FlatChain::publish_all(double most) {
  std::optional<FlatContraction> early;
  while (true) {
    if (contraction_.forced() > most)
      return Outcome::kTooExpensive;
    if (!early && contraction_.dimension() <= few_columns_)
      early = contraction_;
    const std::int32_t row = contraction_.heaviest();
    if (row < 0)
      break;
    contraction_.publish(static_cast<std::size_t>(row));
  }
  if (contraction_.cost() > most)
    return Outcome::kTooExpensive;
  if (!early)
    return Outcome::kUnserved;
  if (slacks_.serve(contraction_))
    return Outcome::kServed;
  ++counts_.refused;
  if (!slacks_.serve(*early))
    return Outcome::kUnserved;
  contraction_ = *std::move(early);
  return publish_with_care(most);
}

// Only what leaves all goals served; what does not will not either once less is left.
FlatChain::Outcome FlatChain::publish_with_care(double most) {
  ++counts_.careful;
  for (std::int32_t row = contraction_.heaviest(); row >= 0 && !run_.should_stop();
       row = contraction_.heaviest()) {
    FlatContraction before = contraction_;
    contraction_.publish(static_cast<std::size_t>(row));
    if (contraction_.forced() > most)
      return Outcome::kTooExpensive;
    if (slacks_.serve(contraction_))
      continue;
    contraction_ = std::move(before);
    contraction_.keep(static_cast<std::size_t>(row));
  }
  return contraction_.cost() > most ? Outcome::kTooExpensive : Outcome::kServed;
}

void FlatChain::accept(bool served) {
  ++counts_.accepted;
  carry_out();
  const bool better = served_ == served ? contraction_.cost() < cost_ : served;
  cost_ = contraction_.cost();
  served_ = served;
  if (better || patterns_.empty())
    keep();
}

// The pivots on all columns of the ground: the columns that were not taken back are spared until
// all of them are known.
void FlatChain::carry_out() {
  std::vector<std::int32_t> open = contraction_.columns();
  for (const auto& pivot : contraction_.pivots())
    open.push_back(pivot.column);
  std::vector<std::uint8_t> is_open(columns_.columns(), 0);
  for (const std::int32_t j : open)
    is_open[static_cast<std::size_t>(j)] = 1;
  std::vector<std::vector<Residue>> by;  // what each pivot subtracts
  for (const auto& pivot : contraction_.pivots()) {
    const auto row = static_cast<std::size_t>(pivot.row);
    auto own = columns_.column(static_cast<std::size_t>(pivot.column));
    const Residue factor = presolve::residue::inverse(own[row]);
    for (Residue& each : own)
      each = presolve::residue::multiply(each, factor);
    by.emplace_back(own.begin(), own.end());
    for (const std::int32_t j : open) {
      auto column = columns_.column(static_cast<std::size_t>(j));
      if (j != pivot.column)
        residues::subtract_multiple(column, column[row], own);
    }
  }
  for (std::size_t j = 0; j < columns_.columns(); ++j) {
    auto column = columns_.column(j);
    for (std::size_t k = 0; is_open[j] == 0 && k < by.size(); ++k)
      residues::subtract_multiple(
          column, column[static_cast<std::size_t>(contraction_.pivots()[k].row)], by[k]);
  }
  base::count_work(columns_.rows() * by.size() * columns_.columns() / 4);
  left_ = contraction_.columns();
  for (const std::int32_t j : left_)
    is_open[static_cast<std::size_t>(j)] = 2;
  published_.clear();
  for (std::size_t j = 0; j < columns_.columns(); ++j) {
    if (is_open[j] != 2)
      published_.push_back(static_cast<std::int32_t>(j));
  }
}

void FlatChain::keep() {
  if (served_ && !patterns_.empty() && !patterns_.front().served)
    patterns_.clear();
  FlatPattern pattern;
  pattern.cost = cost_;
  pattern.served = served_;
  const auto place = std::lower_bound(
      patterns_.begin(), patterns_.end(), cost_, [](const FlatPattern& a, double b) {
        return a.cost < b;
      });
  if (place != patterns_.end() && place->cost == cost_)
    return;
  for (std::size_t c = 0; c < ground_.classes().size(); ++c) {
    if (contraction_.place(static_cast<std::int32_t>(c)).number < 0)
      continue;
    for (const FlatGround::Member& member : ground_.classes()[c].members)
      pattern.cells.push_back(member.cell);
  }
  std::sort(pattern.cells.begin(), pattern.cells.end());
  if (place == patterns_.begin())
    last_gain_ = counts_.trials;
  patterns_.insert(place, std::move(pattern));
  if (patterns_.size() > kTuning.flats.patterns)
    patterns_.pop_back();
}

}  // namespace lacuna::start
