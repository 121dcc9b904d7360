// SPDX-License-Identifier: Apache-2.0
#include "protect/adjust/publish.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/decimal.h"
#include "core/base/index.h"
#include "protect/adjust/integer_table.h"
#include "protect/adjust/tuning.h"

namespace lacuna::adjustment {
namespace {

using Index = Eigen::Index;

class Publisher {
 public:
  Publisher(const Problem& problem,
            const Model& model,
            const ExactRounding& rounding,
            const std::vector<std::unique_ptr<Tree>>& trees,
            const AdjustOptions& options,
            const RunContext& run)
      : problem_(problem),
        table_(problem.table()),
        model_(model),
        trees_(trees),
        options_(options),
        run_(run),
        rounding_(rounding) {}

  std::optional<Published> run_all(std::int64_t vertex_work) {
    report(0);
    collect(with_work(run_, vertex_work));
    if (rounding_.possible())
      round_leaves();
    if (keeps_units(table_, options_) && !good_enough() && !run_.should_stop())
      try_whole();
    return std::move(best_);
  }

 private:
  void round_leaves() {
    const bool fixed = options_.decimals >= 0;
    const int first = fixed ? options_.decimals - table_.decimals() : 0;
    const int last = fixed || keeps_units(table_, options_) ? first : most_digits();
    for (int digits = first; digits <= last; ++digits) {
      try_round(z_, digits);
      report(static_cast<double>(digits - first + 1) / (last - first + 1));
      if (!good_enough() && (fits_gap(digits) || digits == last) && !run_.should_stop())
        try_round(with_margins(digits), digits);
      if (good_enough())
        break;
    }
  }

  void try_whole() {
    auto whole = integer_table(problem_, model_, z_, options_.gap, options_.engine, run_);
    if (!whole)
      return;
    if (!best_ || whole->cost < best_->cost)
      best_ = Published{0, std::move(whole->moves), whole->cost};
    best_->bound = std::min(whole->bound, best_->cost);
  }

  void report(double fraction) const {
    if (run_.on_progress) {
      constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
      run_.on_progress({"rounding", fraction, best_ ? best_->cost : kNone, kNone});
    }
  }

  void collect(const RunContext& vertex_run) {
    z_.assign(model_.free.size(), 0);
    senses_.assign(model_.free.size(), Sense::kUndecided);
    for (std::size_t p = 0; p < trees_.size(); ++p) {
      const Part& part = model_.parts[p];
      const Vector z = trees_[p]->vertex(vertex_run);
      for (std::size_t c = 0; c < part.cells.size(); ++c)
        z_[base::at(part.cells[c].cell)] = z[static_cast<Index>(c)];
      for (std::size_t s = 0; s < part.sensitive.size(); ++s) {
        const auto c = static_cast<std::size_t>(part.sensitive[s]);
        senses_[base::at(part.cells[c].cell)] = trees_[p]->incumbent_senses()[s];
      }
      target_ += trees_[p]->cost();
    }
  }

  int most_digits() const {
    constexpr Units kTen = 10;
    Units largest = 1;
    for (const Cell& cell : table_.cells()) {
      largest = std::max(largest, std::abs(cell.value));
      if (cell.prior.has_lower())
        largest = std::max(largest, std::abs(cell.prior.lower));
      if (cell.prior.has_upper())
        largest = std::max(largest, std::abs(cell.prior.upper));
    }
    int digits = 0;
    while (digits < kTuning.publish.most_digits &&
           table_.decimals() + digits < TableBuilder::kMaxDecimals &&
           largest < kMaxUnits / kTen / 8) {
      largest *= kTen;
      ++digits;
    }
    return digits;
  }

  double unit(int digits) const { return std::pow(10.0, -(table_.decimals() + digits)); }

  // Keeping the margins moves no sensitive cell by more than its level times the gap.
  bool fits_gap(int digits) const {
    const double step = unit(digits);
    for (const Part& part : model_.parts) {
      for (const std::int32_t i : part.sensitive) {
        const PartCell& cell = part.cells[static_cast<std::size_t>(i)];
        const double level = std::min(cell.up, cell.down);
        const double margin = (rounding_.margins()[base::at(cell.cell)] + 1) * step;
        if (margin > options_.gap * level)
          return false;
      }
    }
    return true;
  }

  std::vector<double> with_margins(int digits) {
    const double step = unit(digits);
    std::vector<double> z = z_;
    for (std::size_t p = 0; p < trees_.size(); ++p) {
      const Part& part = model_.parts[p];
      Vector margins(static_cast<Index>(part.cells.size()));
      for (std::size_t c = 0; c < part.cells.size(); ++c)
        margins[static_cast<Index>(c)] =
            (rounding_.margins()[base::at(part.cells[c].cell)] + 1) * step;
      const Vector inner = trees_[p]->keep_margins(margins, run_);
      for (std::size_t c = 0; c < part.cells.size(); ++c)
        z[base::at(part.cells[c].cell)] = inner[static_cast<Index>(c)];
    }
    return z;
  }

  void try_round(const std::vector<double>& z, int digits) {
    auto moves = rounding_.round(z, senses_, digits);
    if (!moves)
      return;
    double cost = 0;
    for (std::size_t c = 0; c < moves->size(); ++c) {
      const double move = std::abs(base::units_to_double((*moves)[c], table_.decimals() + digits));
      cost += table_.cells()[c].weight * (model_.norm == AdjustNorm::kL2 ? move * move : move);
    }
    if (!best_ || cost < best_->cost)
      best_ = Published{digits, *std::move(moves), cost};
  }

  bool good_enough() const {
    return best_ && best_->cost <= target_ * (1 + kTuning.publish.share_of_gap * options_.gap);
  }

  const Problem& problem_;
  const Table& table_;
  const Model& model_;
  const std::vector<std::unique_ptr<Tree>>& trees_;
  const AdjustOptions& options_;
  const RunContext& run_;
  const ExactRounding& rounding_;
  std::vector<double> z_;
  std::vector<Sense> senses_;
  double target_ = 0;
  std::optional<Published> best_;
};

}  // namespace

bool keeps_units(const Table& table, const AdjustOptions& options) {
  if (options.decimals == AdjustOptions::kOwnIfInteger)
    return table.decimals() == 0;
  return options.decimals == table.decimals();
}

std::optional<Published> publish(const Problem& problem,
                                 const Model& model,
                                 const ExactRounding& rounding,
                                 const std::vector<std::unique_ptr<Tree>>& trees,
                                 const AdjustOptions& options,
                                 std::int64_t vertex_work,
                                 const RunContext& run) {
  return Publisher(problem, model, rounding, trees, options, run).run_all(vertex_work);
}

}  // namespace lacuna::adjustment
