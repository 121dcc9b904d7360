// SPDX-License-Identifier: Apache-2.0
// Perturbation tables by maximum entropy (lacuna/make_ptable.h has the program of a row). Without
// monotony a row has some noise with mean 0 and variance V for V_min < V < V_max,
//
//   V_max = |v_min| v_max,   V_min = 0 if the count is a target, else |v-| v+ of its neighbors
//
// (a distribution on two points a < 0 < b with mean 0 has variance |a| b; those of the widest and
// the nearest points are extreme). Ends of ranges are the rounded sums, the last is 1; `split` cuts
// them in whole units and deals them by the seed.
#include "lacuna/make_ptable.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/check.h"
#include "core/base/random.h"
#include "core/base/readable.h"
#include "core/base/spelling.h"
#include "core/ptable/entropy.h"
#include "core/ptable/tuning.h"

namespace lacuna {
namespace {

constexpr std::array<std::string_view, 2> kMonotoneNames{"left", "none"};
constexpr ptable::RowTuning kTuning;

Error bad_option(const char* name, std::string message) {
  return {ErrorCode::kOptionValue, std::move(message), std::string("--") + name};
}

bool has(const std::vector<std::int32_t>& list, std::int64_t item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

std::int64_t power_of_ten(std::int32_t exponent) {
  std::int64_t power = 1;
  for (std::int32_t i = 0; i < exponent; ++i)
    power *= 10;
  return power;
}

// Digits that 1/step needs; -1 if none suffice.
int decimals_of_step(std::int32_t step) {
  for (int decimals = 0; decimals <= 6; ++decimals) {
    if (power_of_ten(decimals) % step == 0)
      return decimals;
  }
  return -1;
}

std::vector<std::int32_t> rows_of(const PtableOptions& options) {
  if (!options.rows.empty())
    return options.rows;
  const bool counts = !options.for_magnitudes();
  const std::int32_t last = options.max_noise + (counts && options.js > 0 ? options.js + 1 : 0);
  std::vector<std::int32_t> rows;
  for (std::int32_t i = 1; i <= last; ++i)
    rows.push_back(i);
  return rows;
}

// A row: its targets in units of 1/step.
struct RowPlan {
  std::int64_t count = 0;
  std::vector<std::int64_t> targets;
  std::vector<double> noise;
  std::ptrdiff_t zero = -1;  // the target that is the count itself; -1: there is none
};

RowPlan plan_row(const PtableOptions& options, std::int64_t count) {
  RowPlan plan;
  plan.count = count;
  const std::int64_t step = options.step;
  const std::int64_t first = std::max<std::int64_t>(count - options.max_noise, 0) * step;
  for (std::int64_t j = first; j <= (count + options.max_noise) * step; ++j) {
    if (j % step == 0 && j / step >= 1 && j / step <= options.js)
      continue;
    if (j == count * step)
      plan.zero = std::ssize(plan.targets);
    plan.targets.push_back(j);
    plan.noise.push_back(static_cast<double>(j - count * step) / static_cast<double>(step));
  }
  return plan;
}

Status check_targets(const PtableOptions& options, const RowPlan& plan) {
  const bool below = !plan.noise.empty() && plan.noise.front() < 0;
  const bool above = !plan.noise.empty() && plan.noise.back() > 0;
  if (below && above)
    return ok_status();
  return bad_option("js",
                    "row " + std::to_string(plan.count) + " has no target " +
                        (below ? "above" : "below") + " " + std::to_string(plan.count) +
                        ", because 1 to js = " + std::to_string(options.js) +
                        " are left out and D = " + std::to_string(options.max_noise) +
                        " reaches no further; D must be above js");
}

double largest_variance(const RowPlan& plan) {
  return -plan.noise.front() * plan.noise.back();
}

double least_variance(const RowPlan& plan) {
  if (plan.zero >= 0)
    return 0;
  const auto above = std::upper_bound(plan.noise.begin(), plan.noise.end(), 0.0);
  return -*(above - 1) * *above;
}

// Which row and which bound, if no noise on these targets has this variance.
Status check_largest(const PtableOptions& options, const RowPlan& plan) {
  if (options.variance < largest_variance(plan))
    return ok_status();
  return bad_option("variance",
                    "row " + std::to_string(plan.count) + " allows only variances below " +
                        base::readable(largest_variance(plan)) + ", since its noise is from " +
                        base::readable(plan.noise.front()) + " to " +
                        base::readable(plan.noise.back()) + "; take a smaller V or a larger D");
}

Status check_least(const PtableOptions& options, const RowPlan& plan) {
  if (options.variance > least_variance(plan))
    return ok_status();
  const auto above = std::upper_bound(plan.noise.begin(), plan.noise.end(), 0.0);
  return bad_option("variance",
                    "row " + std::to_string(plan.count) + " needs a variance above " +
                        base::readable(least_variance(plan)) + ", since " +
                        std::to_string(plan.count) + " is left out and the nearest targets are " +
                        base::readable(*(above - 1)) + " and +" + base::readable(*above) +
                        " away; take a larger V or a smaller js");
}

// Rows of the program in the order: sum, mean, variance, then the inequalities.
ptable::EntropyProgram program_of(const PtableOptions& options, const RowPlan& plan, double stay) {
  const auto size = static_cast<Eigen::Index>(plan.noise.size());
  const bool equal = has(options.equal_rows, plan.count);
  const bool monotone = plan.zero >= 0 && options.monotone == PtableMonotone::kLeft &&
                        !has(options.free_rows, plan.count);
  const Eigen::Index steps = monotone ? static_cast<Eigen::Index>(plan.zero) : 0;
  ptable::EntropyProgram program;
  program.rows = Eigen::MatrixXd::Zero(3 + steps, size);
  program.sides = Eigen::VectorXd::Zero(3 + steps);
  program.least = Eigen::VectorXd::Constant(size, kTuning.least_probability);
  program.equalities = equal ? 3 : 2;
  const Eigen::Map<const Eigen::VectorXd> noise(plan.noise.data(), size);
  program.rows.row(0).setOnes();
  program.rows.row(1) = noise;
  program.rows.row(2) = noise.cwiseProduct(noise);
  program.sides[0] = 1;
  program.sides[2] = options.variance;
  if (plan.zero >= 0)
    program.least[plan.zero] = std::max(stay, kTuning.least_probability);
  for (Eigen::Index k = 0; k < steps; ++k) {
    program.rows(3 + k, k) = 1;
    program.rows(3 + k, k + 1) = -1;
  }
  return program;
}

Error contradiction(const PtableOptions& options, const RowPlan& plan) {
  if (has(options.equal_rows, plan.count))
    return bad_option(
        "equal-rows",
        "row " + std::to_string(plan.count) +
            " has no monotone noise with exactly this variance; leave the row out, or name it in " +
            base::named_option("free-rows"));
  return bad_option("variance",
                    "row " + std::to_string(plan.count) +
                        " has no noise with these parameters; V is too close to the smallest or "
                        "the largest variance that the row allows");
}

Result<PtableRowResult> solve_row(const PtableOptions& options, const RowPlan& plan) {
  PtableRowResult row;
  row.count = plan.count;
  row.noise = plan.noise;
  double stay = plan.zero >= 0 ? options.stay : 0;
  for (;;) {
    const ptable::EntropyAnswer answer = ptable::most_entropy(program_of(options, plan, stay));
    const Eigen::Map<const Eigen::VectorXd> noise(plan.noise.data(), answer.p.size());
    row.mean = noise.dot(answer.p);
    row.variance = noise.cwiseProduct(noise).dot(answer.p);
    row.stay = stay;
    const bool missed =
        !answer.solved || std::abs(row.variance - options.variance) > kTuning.missed;
    if (missed && stay > 0) {
      stay = std::max(0.0, stay - kTuning.stay_step);
      continue;
    }
    if (!answer.solved)
      return contradiction(options, plan);
    row.probabilities.assign(answer.p.begin(), answer.p.end());
    return row;
  }
}

void add_notes(const PtableOptions& options,
               const PtableRowResult& row,
               std::vector<std::string>& notes) {
  const std::string name = "row " + std::to_string(row.count);
  const bool count_itself = std::find(row.noise.begin(), row.noise.end(), 0.0) != row.noise.end();
  if (count_itself && row.stay < options.stay)
    notes.push_back(name + ": counts stay with probability " + base::readable(row.stay) +
                    " at least, not " + base::readable(options.stay) + ", which V does not allow");
  if (options.variance - row.variance > kTuning.missed)
    notes.push_back(name + ": the variance is " + base::readable(row.variance) +
                    ", below V = " + base::readable(options.variance) +
                    ": the noise with the largest entropy has no more (" +
                    base::named_option("equal-rows") + " asks for V itself)");
}

struct Piece {
  std::int64_t target = 0;
  std::uint64_t length = 0;
};

// Lengths of the ranges in units of 1/denominator: differences of the rounded sums.
std::vector<Piece> rounded(const RowPlan& plan,
                           const std::vector<double>& probabilities,
                           std::uint64_t denominator) {
  std::vector<Piece> pieces;
  double sum = 0;
  std::uint64_t before = 0;
  for (std::size_t k = 0; k < probabilities.size(); ++k) {
    sum += probabilities[k];
    std::uint64_t end = denominator;
    if (k + 1 < probabilities.size()) {
      const double share = std::min(1.0, sum) * static_cast<double>(denominator);
      end = std::clamp(static_cast<std::uint64_t>(std::llround(share)), before, denominator);
    }
    pieces.push_back({plan.targets[k], end - before});
    before = end;
  }
  return pieces;
}

std::vector<Piece> split_up(const std::vector<Piece>& whole,
                            std::uint64_t length,
                            base::Random random) {
  std::vector<Piece> pieces;
  for (const Piece& piece : whole) {
    std::uint64_t rest = piece.length;
    for (; rest >= length; rest -= length)
      pieces.push_back({piece.target, length});
    if (rest > 0)
      pieces.push_back({piece.target, rest});
  }
  for (std::size_t last = pieces.size(); last > 1; --last) {
    const std::int64_t drawn = random.between(0, static_cast<std::int64_t>(last) - 1);
    std::swap(pieces[last - 1], pieces[static_cast<std::size_t>(drawn)]);
  }
  return pieces;
}

PtableRow row_of_pieces(const PtableOptions& options,
                        const PtableParts& parts,
                        std::int64_t count,
                        const std::vector<Piece>& pieces) {
  const std::int64_t scale = power_of_ten(parts.decimals);
  PtableRow row{options.type, count, {}};
  std::uint64_t end = 0;
  for (const Piece& piece : pieces) {
    end += piece.length;
    PtableEntry entry;
    entry.target = piece.target * (scale / options.step);
    entry.noise = entry.target - count * scale;
    entry.upper = end;
    entry.probability = static_cast<double>(piece.length) / static_cast<double>(parts.denominator);
    row.entries.push_back(entry);
  }
  return row;
}

Status check_rows(const PtableOptions& options) {
  const std::vector<std::int32_t> rows = rows_of(options);
  if (std::adjacent_find(rows.begin(), rows.end(), std::greater_equal<>()) != rows.end())
    return bad_option("rows", "must rise, each row once");
  if (!has(rows, 1) || !has(rows, options.max_noise))
    return bad_option("rows", "must have 1 and D = " + std::to_string(options.max_noise));
  for (const std::int32_t row : options.free_rows) {
    if (!has(rows, row))
      return bad_option("free-rows", "the table has no row " + std::to_string(row));
  }
  for (const std::int32_t row : options.equal_rows) {
    if (!has(rows, row))
      return bad_option("equal-rows", "the table has no row " + std::to_string(row));
  }
  return ok_status();
}

}  // namespace

std::span<const std::string_view> enum_names(PtableMonotone) {
  return kMonotoneNames;
}

Status PtableOptions::validate() const {
  constexpr std::int64_t kMostTargets = 1000;  // of a row, on either side
  LACUNA_RETURN_IF_ERROR(check_ranges(*this));
  if (decimals_of_step(step) < 0)
    return bad_option("step", "must divide a power of ten (1, 2, 4, 5, 8, 10, ...)");
  if (std::int64_t{max_noise} * step > kMostTargets)
    return bad_option("step", "D times step must be at most 1,000");
  LACUNA_RETURN_IF_ERROR(check_rows(*this));
  std::vector<RowPlan> plans;
  for (const std::int32_t count : rows_of(*this)) {
    plans.push_back(plan_row(*this, count));
    LACUNA_RETURN_IF_ERROR(check_targets(*this, plans.back()));
  }
  const auto by = [](auto bound) {
    return [bound](const RowPlan& a, const RowPlan& b) { return bound(a) < bound(b); };
  };
  // Of all rows the one whose bound is in the way most.
  LACUNA_RETURN_IF_ERROR(
      check_least(*this, *std::max_element(plans.begin(), plans.end(), by(least_variance))));
  return check_largest(*this, *std::min_element(plans.begin(), plans.end(), by(largest_variance)));
}

Result<PtableResult> make_ptable(const PtableOptions& options) {
  LACUNA_RETURN_IF_ERROR(options.validate());
  PtableParts parts;
  parts.decimals = decimals_of_step(options.step);
  parts.denominator =
      static_cast<std::uint64_t>(options.keys > 0 ? options.keys : power_of_ten(options.digits));
  parts.cycle.length = 0;
  parts.has_types = options.for_magnitudes();
  const auto piece = static_cast<std::uint64_t>(
      std::llround(options.split * static_cast<double>(parts.denominator)));
  if (options.split > 0 && piece == 0)
    return bad_option("split", "is less than the last digit of p_ub");
  parts.rows.push_back({options.type, 0, {{0, 0, parts.denominator, 1}}});
  std::vector<PtableRowResult> rows;
  std::vector<std::string> notes;
  for (const std::int32_t count : rows_of(options)) {
    const RowPlan plan = plan_row(options, count);
    LACUNA_TRY(PtableRowResult row, solve_row(options, plan));
    add_notes(options, row, notes);
    std::vector<Piece> pieces = rounded(plan, row.probabilities, parts.denominator);
    if (piece > 0)
      pieces = split_up(
          pieces, piece, base::Random::of_item(options.seed, static_cast<std::uint64_t>(count)));
    parts.rows.push_back(row_of_pieces(options, parts, count, pieces));
    rows.push_back(std::move(row));
  }
  LACUNA_TRY(Ptable table, Ptable::make(std::move(parts)));
  return PtableResult{std::move(table), std::move(rows), std::move(notes)};
}

}  // namespace lacuna
