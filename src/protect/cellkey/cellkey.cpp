// SPDX-License-Identifier: Apache-2.0
// From keys to a draft: the number of every cell by lookup, what the table of perturbations leaves
// a reader of it, and what is certain and likely of the whole.
#include "lacuna/cellkey.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/decimal.h"
#include "lacuna/keys.h"
#include "protect/cellkey/certain.h"
#include "protect/cellkey/counts.h"
#include "protect/cellkey/left_variance.h"
#include "protect/cellkey/magnitude.h"
#include "protect/cellkey/nearest.h"

namespace lacuna {
namespace {

constexpr std::array<std::string_view, 2> kAdditiveNames{"none", "nearest"};
constexpr std::array<std::string_view, 4> kNoiseBaseNames{"largest", "mean", "range", "value"};
constexpr std::int32_t kMostSearched = 400;           // cells, for every number that is possible
constexpr std::int64_t kMostSearchSteps = 2'000'000;  // terms of equations looked at

Error bad_option(std::string message, std::string where) {
  return {ErrorCode::kBadOption, std::move(message), std::move(where)};
}

Units power_of_ten(int exponent) {
  Units power = 1;
  for (int i = 0; i < exponent; ++i)
    power *= 10;
  return power;
}

class CellKeyMaker {
 public:
  CellKeyMaker(const Problem& problem, const CellKeyOptions& options)
      : problem_(problem),
        table_(problem.table),
        keys_(*problem.keys),
        options_(options),
        scale_(power_of_ten(table_.decimals())) {}

  Result<CellKeyResult> run() {
    LACUNA_RETURN_IF_ERROR(check_keys(keys_, table_.num_cells()));
    published_.resize(static_cast<std::size_t>(table_.num_cells()));
    ranges_.resize(published_.size());
    if (keys_.is_magnitude()) {
      LACUNA_RETURN_IF_ERROR(publish_magnitudes());
    } else {
      LACUNA_RETURN_IF_ERROR(publish_counts());
    }
    LACUNA_RETURN_IF_ERROR(make_additive());
    fill_draft();
    return std::move(result_);
  }

 private:
  const Cell& cell(std::size_t c) const { return table_.cell(id(c)); }
  static CellId id(std::size_t c) { return CellId{static_cast<std::int32_t>(c)}; }
  bool keeps_value(std::size_t c) const {
    return cell(c).status == CellStatus::kPublished || cell(c).status == CellStatus::kKnown;
  }

  // ---- counts

  Result<std::int64_t> count_of(std::size_t c) const {
    if (keys_.records[c] >= 0)
      return keys_.records[c];
    if (cell(c).frequency >= 0)
      return cell(c).frequency;
    if (cell(c).value < 0 || cell(c).value % scale_ != 0)
      return Error{ErrorCode::kBadInput,
                   "the cell is no count, and nothing says of how many records it is made: give a "
                   "frequency, or the largest contributions of a magnitude",
                   table_.label(id(c))};
    return cell(c).value / scale_;
  }

  Status publish_counts() {
    const Ptable& ptable = *options_.table;
    LACUNA_RETURN_IF_ERROR(ptable.check_counts());
    if (ptable.own_modulus() != 0 && keys_.modulus != ptable.own_modulus())
      return bad_option("the table is for keys below " + std::to_string(ptable.own_modulus()) +
                            ", those of the cells are below " + std::to_string(keys_.modulus),
                        "--ptable");
    CountNoise noise(ptable, keys_.modulus);
    std::vector<std::int64_t> counts;
    double heaviest = 1;
    for (std::size_t c = 0; c < published_.size(); ++c) {
      LACUNA_TRY(const std::int64_t count, count_of(c));
      counts.push_back(count);
      if (count > 0)
        heaviest = std::max(heaviest, weight_of(c, count));
      if (count == 0 && !keeps_value(c) && !ptable.keeps_zero() && keys_.keys[c] == 0)
        return Error{ErrorCode::kUnsupported,
                     "row 0 of the perturbation table gives noise to empty cells, which have no "
                     "records and no key; give their keys in a column of the table",
                     table_.label(id(c))};
    }
    for (std::size_t c = 0; c < published_.size(); ++c)
      publish_count(noise, c, counts[c], heaviest);
    infer_certain(noise, counts);
    result_.left = left_variance(table_, last_variance());
    return ok_status();
  }

  double weight_of(std::size_t c, std::int64_t count) const {
    return units_to_double(cell(c).value, table_.decimals()) / static_cast<double>(count);
  }
  bool is_weighted(std::size_t c, std::int64_t count) const {
    return Wide{count} * scale_ != cell(c).value;
  }

  bool is_withheld(std::size_t c) const {
    return std::binary_search(options_.withheld.begin(), options_.withheld.end(), id(c));
  }

  void publish_count(CountNoise& noise, std::size_t c, std::int64_t count, double heaviest) {
    if (keeps_value(c)) {
      published_[c] = cell(c).value;
      ranges_[c] = {cell(c).value, cell(c).value};
      return;
    }
    if (is_withheld(c)) {
      ranges_[c] = cell(c).prior;
      return;
    }
    const std::int64_t shown = noise.published(count, keys_.keys[c]);
    result_.unchanged_expected += noise.stays(count) / static_cast<double>(published_.size());
    if (is_weighted(c, count)) {
      publish_weighted(noise, c, count, shown, heaviest);
      return;
    }
    const std::vector<std::int64_t>& left = noise.candidates(shown);
    published_[c] = shown * scale_;
    ranges_[c] = {left.front() * scale_, left.back() * scale_};
    if (shown * scale_ < options_.threshold) {  // a reader knows at least that it is below
      hidden_.push_back(c);
      ranges_[c] = {0, options_.threshold - 1 + noise.largest_noise() * scale_};
    }
  }

  // (n + v) W / n. The reader knows neither n nor W: with n' + v' = n + v the truth may be
  // W' = published n' / (n' + v'), from n' = 1 with the largest noise to n' = D + 1 less D; of a 0
  // that no more than D records of the heaviest weight were there.
  void publish_weighted(const CountNoise& noise,
                        std::size_t c,
                        std::int64_t count,
                        std::int64_t shown,
                        double heaviest) {
    const Wide value = cell(c).value;
    const Wide doubled = 2 * value * shown + count;
    published_[c] = static_cast<Units>(doubled / (2 * Wide{count}));
    const std::int64_t most = noise.largest_noise();
    const Units number = published_[c];
    if (shown == 0 || number == 0) {
      const double end = heaviest * static_cast<double>(most * scale_) + 1;
      ranges_[c] = {0, std::max(cell(c).value, static_cast<Units>(std::ceil(end)))};
      return;
    }
    ranges_[c] = {std::min(cell(c).value, number / (most + 1)),
                  std::max(cell(c).value, (number + 1) * (most + 1))};
  }

  double last_variance() const {
    const PtableFacts facts = ptable_facts(*options_.table);
    return facts.rows.empty() ? 0 : facts.rows.back().variance;
  }

  void infer_certain(CountNoise& noise, const std::vector<std::int64_t>& counts) {
    std::vector<CellChoice> choices;
    std::vector<Units> truth;
    for (std::size_t c = 0; c < published_.size(); ++c) {
      const bool plain =
          !keeps_value(c) && !is_withheld(c) && !is_weighted(c, counts[c]) && scale_ == 1 &&
          (hidden_.empty() || !std::binary_search(hidden_.begin(), hidden_.end(), c));
      choices.push_back({plain ? &noise.candidates(published_[c]) : nullptr,
                         intersect(ranges_[c], cell(c).prior)});
      truth.push_back(cell(c).value);
    }
    Propagation propagation(table_, std::move(choices));
    CertainInference& certain = result_.certain;
    propagation.run();
    std::vector<std::vector<Units>> possible;
    if (table_.num_cells() <= kMostSearched)
      possible = propagation.possible(truth, kMostSearchSteps, certain.complete);
    for (std::size_t c = 0; c < published_.size(); ++c) {
      const bool searched = !possible.empty() && !possible[c].empty();
      const Bounds left =
          searched ? Bounds{possible[c].front(), possible[c].back()} : propagation.range(id(c));
      certain.ranges.push_back(left);
      if (keeps_value(c))
        continue;
      certain.narrowed += left != intersect(ranges_[c], cell(c).prior) ? 1 : 0;
      if (!left.is_point())
        continue;
      ++certain.cells;
      certain.small += left.lower > 0 && left.lower < small_below() ? 1 : 0;
    }
  }

  Units small_below() const { return problem_.counts ? problem_.counts->threshold : 3 * scale_; }

  // ---- magnitudes

  Status publish_magnitudes() {
    if (digits_of_modulus(keys_.modulus) < 0)
      return bad_option("magnitudes need decimal keys, whose digits are rotated: digits in [keys]",
                        "keys");
    LACUNA_RETURN_IF_ERROR(check_magnitude_rows());
    const std::size_t needed = options_.top.size();
    const MagnitudeNoise noise(options_, keys_.modulus);
    for (std::size_t c = 0; c < published_.size(); ++c) {
      if (is_withheld(c))
        continue;
      if (keeps_value(c) || cell(c).value == 0 || keys_.records[c] == 0) {
        published_[c] = cell(c).value;
        ranges_[c] = magnitude_range(noise, c);
        continue;
      }
      const std::vector<double> largest = contributions(c);
      const bool some_missing = options_.base == NoiseBase::kLargest && largest.size() < needed &&
                                static_cast<std::int64_t>(largest.size()) < keys_.records[c];
      if (largest.empty() || some_missing)
        return Error{ErrorCode::kBadInput,
                     "the " + std::to_string(needed) +
                         " largest contributions of the cell are not known: tabulate with "
                         "largest = " +
                         std::to_string(needed) + " in [input]",
                     table_.label(id(c))};
      const double shown = noise.published({units_to_double(cell(c).value, table_.decimals()),
                                            largest,
                                            keys_.keys[c],
                                            keys_.records[c],
                                            is_sensitive(problem_, id(c))});
      published_[c] = static_cast<Units>(std::llround(shown * static_cast<double>(scale_)));
      ranges_[c] = magnitude_range(noise, c);
    }
    return ok_status();
  }

  // Every lookup must find a row.
  Status check_magnitude_rows() const {
    const Ptable& large = *options_.table;
    const bool whole =
        !large.rows(PtableType::kEven).empty() && !large.rows(PtableType::kOdd).empty();
    if (options_.parity && !whole)
      return bad_option("parity needs a perturbation table with rows of type even and odd",
                        "--ptable");
    if (!options_.parity && large.rows(PtableType::kAll).empty())
      return bad_option(
          "the perturbation table has no rows of type all; even and odd are for parity",
          "--ptable");
    if (options_.small_table && options_.small_table->rows(PtableType::kAll).empty())
      return bad_option("the perturbation table of small contributions has no rows of type all",
                        "--small-ptable");
    return ok_status();
  }

  // The mean is that of units: a record with weight w stands for w of them.
  double mean_of(std::size_t c) const {
    const double value = units_to_double(cell(c).value, table_.decimals());
    if (!keys_.weights.empty())
      return keys_.weights[c] > 0 ? value / keys_.weights[c] : value;
    return keys_.records[c] > 0 ? value / static_cast<double>(keys_.records[c]) : value;
  }

  std::vector<double> contributions(std::size_t c) const {
    const double value = units_to_double(cell(c).value, table_.decimals());
    switch (options_.base) {
      case NoiseBase::kMean:
        return {mean_of(c)};
      case NoiseBase::kRange:
        return {units_to_double(keys_.spread[c], table_.decimals())};
      case NoiseBase::kValue:
        return {value};
      case NoiseBase::kLargest:
        break;
    }
    std::vector<double> largest;
    for (const Units amount : keys_.largest[c])
      largest.push_back(units_to_double(amount, table_.decimals()));
    return largest;
  }

  // All that is certain without the contributions: the noise is at most so large a share. Where it
  // may be all of the cell, the end is a power of ten above every cell of the table.
  Bounds magnitude_range(const MagnitudeNoise& noise, std::size_t c) {
    if (keeps_value(c))
      return {cell(c).value, cell(c).value};
    if (farthest_ == 0) {
      Units most = 1;
      for (const Cell& each : table_.cells())
        most = std::max({most, each.value, -each.value});
      for (farthest_ = 1; farthest_ < most; farthest_ *= 10) {
      }
      for (const std::vector<Units>& largest : keys_.largest)
        is_signed_ = is_signed_ ||
                     std::any_of(largest.begin(), largest.end(), [](Units x) { return x < 0; });
    }
    const double share = noise.most_relative();
    const double plus = noise.most_absolute() * static_cast<double>(scale_) + 1;
    const auto shown = static_cast<double>(published_[c]);
    Bounds range{is_signed_ ? -farthest_ : 0, farthest_};
    if (!is_signed_) {
      range.lower =
          std::max<Units>(0, static_cast<Units>(std::floor((shown - plus) / (1 + share))));
      if (share < 1)
        range.upper =
            std::min(farthest_, static_cast<Units>(std::ceil((shown + plus) / (1 - share))));
    }
    return {std::min(range.lower, cell(c).value), std::max(range.upper, cell(c).value)};
  }

  // ---- the draft

  Status make_additive() {
    for (std::int32_t e = 0; e < table_.num_equations(); ++e) {
      Wide gap = -Wide{table_.rhs(EquationId{e})};
      bool all = true;
      for (const Term& term : table_.equation(EquationId{e})) {
        const auto c = static_cast<std::size_t>(term.cell.value);
        all = all && !is_withheld(c);
        gap += Wide{term.coefficient} * published_[c];
      }
      if (!all)
        continue;
      const double size = std::abs(static_cast<double>(gap)) / static_cast<double>(scale_);
      result_.largest_gap = std::max(result_.largest_gap, size);
    }
    if (options_.additive == Additive::kNone)
      return ok_status();
    if (!hidden_.empty() || !options_.withheld.empty())
      return bad_option("numbers that are left out cannot add up", "--additive");
    const auto nearest = nearest_table(table_, published_);
    if (!nearest)
      return bad_option("the equations of the table leave its parts no freedom to add up",
                        "--additive");
    published_ = nearest->numbers;
    return ok_status();
  }

  void fill_draft() {
    std::size_t next_hidden = 0;
    for (std::size_t c = 0; c < published_.size(); ++c) {
      const bool hidden = next_hidden < hidden_.size() && hidden_[next_hidden] == c;
      next_hidden += hidden ? 1 : 0;
      const Units value = cell(c).value;
      if (keeps_value(c) && published_[c] == value)
        continue;
      if (is_withheld(c)) {
        result_.draft.withhold(id(c));
        continue;
      }
      const Bounds range = intersect(ranges_[c], cell(c).prior);
      if (hidden) {
        result_.draft.publish_interval(id(c), range);
        continue;
      }
      result_.draft.publish_altered(id(c), published_[c], range);
      const Units off = published_[c] - value;
      result_.changed += off != 0 ? 1 : 0;
      result_.cost += std::abs(static_cast<double>(off)) / static_cast<double>(scale_);
    }
    result_.bound = result_.cost;
    result_.why = StopReason::kOptimal;
    result_.complete = true;
  }

  const Problem& problem_;
  const Table& table_;
  const CellKeys& keys_;
  const CellKeyOptions& options_;
  Units scale_;
  std::vector<Units> published_;
  std::vector<Bounds> ranges_;       // what the statement implies
  std::vector<std::size_t> hidden_;  // below the threshold, rising
  Units farthest_ = 0;
  bool is_signed_ = false;
  CellKeyResult result_;
};

}  // namespace

std::span<const std::string_view> enum_names(Additive) {
  return kAdditiveNames;
}

std::span<const std::string_view> enum_names(NoiseBase) {
  return kNoiseBaseNames;
}

double FlexFunction::at(double size) const {
  if (point <= 0 || size < point)
    return small;
  return large * (1 + (small * size - large * point) / (large * point) *
                          std::pow(2 * point / (size + point), power));
}

// m'(z) = 0 where s1 (z + f) = q (s1 z - s0 f): one maximum, or it falls from the flex point on.
double FlexFunction::most() const {
  if (point <= 0 || power <= 1)
    return power <= 1 && point > 0 ? std::max(small, 2 * small + large) : small;
  const double top = point * (small + power * large) / (small * (power - 1));
  return std::max(small, at(std::max(top, point)));
}

Status CellKeyOptions::validate() const {
  if (!table)
    return bad_option("the cell key method needs a perturbation table: --ptable FILE", "--ptable");
  if (!(flex.large > 0) || !(flex.small > 0) || !(flex.point >= 0) || !(flex.power >= 1))
    return bad_option("the flex function needs factors above 0, a point from 0 and a power from 1",
                      "--flex");
  if (top.empty() || top.front() != 1 ||
      std::any_of(top.begin(), top.end(), [](double factor) { return !(factor > 0); }))
    return bad_option("the factors of the largest contributions begin with 1 and are above 0",
                      "--top");
  if (base != NoiseBase::kLargest && top.size() > 1)
    return bad_option("only the largest contributions have several factors", "--top");
  if (!(mu >= 0))
    return bad_option("the number must not be negative", "--mu");
  if (threshold < 0)
    return bad_option("the number must not be negative", "--count-threshold");
  return ok_status();
}

Result<CellKeyResult> publish_by_cell_key(const std::shared_ptr<const Problem>& problem,
                                          const CellKeyOptions& options,
                                          const RunContext&) {
  LACUNA_RETURN_IF_ERROR(options.validate());
  if (!problem->keys)
    return bad_option(
        "the table has no keys: key = \"<column>\" in [columns] of the job, or [keys] with from "
        "and secret",
        "--method cellkey");
  return CellKeyMaker(*problem, options).run();
}

}  // namespace lacuna
