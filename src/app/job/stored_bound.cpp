// SPDX-License-Identifier: Apache-2.0
#include "app/job/stored_bound.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/exact.h"
#include "judge/bound/check_bound.h"
#include "lacuna/protect.h"

namespace lacuna::job {
namespace {

// A pattern that is the optimum of nothing but requirements and weights.
bool is_plain(const Problem& problem, const Draft& release, const Rerun& rerun) {
  const ProtectJob& job = rerun.job();
  return job.method == Method::kSuppress && job.asked.against != load::Against::kOwner &&
         !problem.counts() && problem.attackers().size() == 1 && job.gap == 0 && job.suppress.minimum_width == 0 &&
         job.suppress.max_withheld < 0 && job.prefer.empty() && job.checkpoint.empty() &&
         !rerun.weights_follow() && release.count(StatementKind::kWithheld) == release.num_entries();
}

std::vector<double> weights_of(const Problem& problem) {
  std::vector<double> weights;
  for (const Cell& cell : problem.table().cells())
    weights.push_back(cell.weight);
  return weights;
}

// 1 where all weights are whole; else what their decimals mostly are.
double unit_of(const std::vector<double>& weights) {
  const bool whole =
      std::all_of(weights.begin(), weights.end(), [](double w) { return w == std::round(w); });
  return whole ? 1 : 0.01;
}

Fraction weight_of(const Problem& problem, const Draft& draft) {
  mpq_class sum = 0;
  for (const CellEntry& entry : draft.each())
    sum += base::gmp(bound::exact_weight(problem.table().cell(entry.cell).weight));
  return Fraction(sum);
}

// (1) with this u: the log of it, if P comes out and nothing less.
std::shared_ptr<const BoundLog> log_with(const std::shared_ptr<const Problem>& problem,
                                         const Draft& release,
                                         const Rerun& rerun) {
  ProtectOptions options = rerun.job();
  options.weights = "cost";
  options.suppress.prove_bound = true;
  const auto found = protect(problem, options, rerun.run());
  if (!found || !found->bound_log || found->draft.entries() != release.entries())
    return nullptr;
  const auto least = bound::check(*problem, *found->bound_log);
  return least && *least == weight_of(*problem, release) ? found->bound_log : nullptr;
}

}  // namespace

std::optional<StoredBound> StoredBound::make(const Problem& problem,
                                             const Draft& release,
                                             const Rerun& rerun) {
  if (!is_plain(problem, release, rerun))
    return std::nullopt;
  const auto weighed = weigh(problem, weight_formula(rerun.job()));
  if (!weighed)
    return std::nullopt;
  const std::vector<double> weights = weights_of(*weighed);
  const std::vector<bool> open = bound::undecided_cells(problem);
  for (std::size_t c = 0; c < weights.size(); ++c) {
    if (open[c] && weights[c] <= 0)
      return std::nullopt;
  }
  // Coarse numbers make short proofs; fine ones let P come out wherever it is the only optimum.
  const double unit = unit_of(weights);
  const double fine = unit * std::pow(10, -std::ceil(std::log10(release.num_entries() + 1.0)));
  for (const double u : {unit, fine}) {
    StoredBound made;
    made.weights_ = weights;
    for (const CellEntry& entry : release.each())
      made.weights_[static_cast<std::size_t>(entry.cell.value)] += u;
    Problem dearer = *weighed;
    dearer.set_weights(made.weights_);
    made.log_ = log_with(std::make_shared<const Problem>(std::move(dearer)), release, rerun);
    if (made.log_ != nullptr)
      return made;
  }
  return std::nullopt;
}

bool StoredBound::tells(Problem there) const {
  there.set_weights(weights_);
  return bound::check(there, *log_).has_value();
}

}  // namespace lacuna::job
