// SPDX-License-Identifier: Apache-2.0
// From keys to a draft: the number of every cell by lookup, what the table of perturbations leaves
// a reader of it, and what is certain and likely of the whole.
#include "lacuna/cellkey.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/base/decimal.h"
#include "core/base/spelling.h"
#include "core/table/unpublished.h"
#include "lacuna/keys.h"
#include "lacuna/tolerance.h"
#include "protect/cellkey/counts.h"
#include "protect/cellkey/left_variance.h"
#include "protect/cellkey/magnitude.h"
#include "protect/cellkey/nearest.h"

namespace lacuna {
namespace {

constexpr std::array<std::string_view, 2> kAdditiveNames{"none", "nearest"};
constexpr std::array<std::string_view, 4> kNoiseBaseNames{"largest", "mean", "range", "value"};

Error bad_option(std::string message, std::string where) {
  return {ErrorCode::kOptionValue, std::move(message), std::move(where)};
}

Units power_of_ten(int exponent) {
  Units power = 1;
  for (int i = 0; i < exponent; ++i)
    power *= 10;
  return power;
}

class CellKeyMaker {
 public:
  CellKeyMaker(const Problem& problem, const CellKeyOptions& options, const RunContext& run)
      : problem_(problem),
        table_(problem.table()),
        keys_(*problem.keys()),
        options_(options),
        run_(run),
        scale_(power_of_ten(table_.decimals())),
        least_(options.least_count * scale_) {}

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
    if (!keys_.is_magnitude())
      result_.certain = certain_inference(problem_, result_.draft);
    return std::move(result_);
  }

 private:
  const Cell& cell(std::size_t c) const { return table_.cell(id(c)); }
  static CellId id(std::size_t c) { return CellId{static_cast<std::int32_t>(c)}; }
  bool keeps_value(std::size_t c) const {
    return cell(c).status == CellStatus::kMustPublish || cell(c).status == CellStatus::kKnown;
  }

  // ---- counts

  Result<std::int64_t> count_of(std::size_t c) const {
    if (keys_.records[c] >= 0)
      return keys_.records[c];
    if (cell(c).frequency >= 0)
      return cell(c).frequency;
    if (cell(c).value < 0 || cell(c).value % scale_ != 0)
      return Error{ErrorCode::kFactsMissing,
                   "the cell is not a count, and its number of records is not known: give a "
                   "frequency, or the largest contributions of a magnitude",
                   table_.label(id(c))};
    return cell(c).value / scale_;
  }

  Status publish_counts() {
    const Ptable& ptable = *options_.ptable;
    LACUNA_RETURN_IF_ERROR(ptable.check_counts());
    if (ptable.own_modulus() != 0 && keys_.modulus != ptable.own_modulus())
      return bad_option(
          "the perturbation table is for keys below " + std::to_string(ptable.own_modulus()) +
              ", but the keys of the cells are below " + std::to_string(keys_.modulus),
          "--ptable");
    noise_.emplace(ptable, keys_.modulus);
    cellkey::CountNoise& noise = *noise_;
    std::vector<std::int64_t> counts;
    for (std::size_t c = 0; c < published_.size(); ++c) {
      LACUNA_TRY(const std::int64_t count, count_of(c));
      counts.push_back(count);
      const bool noisy = !keeps_value(c) && !is_withheld(c) && !ptable.keeps_zero();
      if (count == 0 && noisy && keys_.keys[c] == 0)
        return Error{ErrorCode::kUnsupported,
                     "row 0 of the perturbation table gives noise to empty cells, which have no "
                     "records and no key; give their keys in a column of the table",
                     table_.label(id(c))};
    }
    for (std::size_t c = 0; c < published_.size(); ++c)
      publish_count(noise, c, counts[c]);
    choices_.assign(published_.size(), nullptr);
    for (std::size_t c = 0; c < published_.size(); ++c) {
      if (!keeps_value(c) && !is_withheld(c) && !is_weighted(c, counts[c])) {
        const bool hidden = std::binary_search(hidden_.begin(), hidden_.end(), c);
        choices_[c] = hidden ? &below_ : &noise.candidates(published_[c] / scale_);
      }
    }
    result_.posterior = noise.posteriors();
    result_.left = left_variance(table_, last_variance());
    return ok_status();
  }

  bool is_weighted(std::size_t c, std::int64_t count) const {
    return Wide{count} * scale_ != cell(c).value;
  }

  // By the options, or because no table shows the cell.
  bool is_withheld(std::size_t c) const {
    return table::is_unpublished(cell(c)) ||
           std::binary_search(options_.withheld.begin(), options_.withheld.end(), id(c));
  }

  void publish_count(cellkey::CountNoise& noise, std::size_t c, std::int64_t count) {
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
      publish_weighted(noise, c, count, shown);
      return;
    }
    published_[c] = shown * scale_;
    const bool hidden = published_[c] < least_;
    if (hidden) {  // a reader knows at least that it is below
      hidden_.push_back(c);
      if (below_.empty())
        below_ = noise.candidates_below((least_ + scale_ - 1) / scale_);
    }
    const std::vector<std::int64_t>& left = hidden ? below_ : noise.candidates(shown);
    ranges_[c] = {left.front() * scale_, left.back() * scale_};
  }

  // (n + v) W / n, of which counts.h has the range. A 0 says nothing: its range is that of nearly
  // every table, whose ends are powers of ten beyond all its numbers.
  void publish_weighted(cellkey::CountNoise& noise,
                        std::size_t c,
                        std::int64_t count,
                        std::int64_t shown) {
    if (count == 0) {
      ranges_[c] = beyond_all();
      return;
    }
    const Wide doubled = 2 * Wide{cell(c).value} * shown + count;
    const Wide divisor = 2 * Wide{count};
    const Wide down = doubled >= 0 ? doubled / divisor : -((-doubled + divisor - 1) / divisor);
    published_[c] = static_cast<Units>(down);
    ranges_[c] = published_[c] == 0 ? beyond_all() : noise.weighted_range(published_[c]);
  }

  // Ends that every number of the table lies within; it tells how many digits the largest has.
  Bounds beyond_all() {
    if (farthest_ == 0) {
      Units most = 1;
      for (const Cell& each : table_.cells()) {
        most = std::max({most, each.value, -each.value});
        has_negatives_ = has_negatives_ || each.value < 0;
      }
      for (farthest_ = 1; farthest_ < most; farthest_ *= 10) {
      }
    }
    return {has_negatives_ ? -farthest_ : 0, farthest_};
  }

  double last_variance() const {
    const PtableFacts facts = ptable_facts(*options_.ptable);
    return facts.rows.empty() ? 0 : facts.rows.back().variance;
  }

  // ---- magnitudes

  Status publish_magnitudes() {
    if (digits_of_modulus(keys_.modulus) < 0)
      return bad_option("magnitudes need decimal keys, whose digits are rotated: " +
                            base::named_key("[keys]", "digits"),
                        "keys");
    LACUNA_RETURN_IF_ERROR(check_magnitude_rows());
    const std::size_t needed = options_.top.size();
    const cellkey::MagnitudeNoise noise(options_, keys_.modulus);
    for (std::size_t c = 0; c < published_.size(); ++c) {
      if (is_withheld(c))
        continue;
      if (keeps_value(c) || cell(c).value == 0 || keys_.records[c] == 0) {
        published_[c] = cell(c).value;
        ranges_[c] = magnitude_range(noise, c);
        continue;
      }
      const std::vector<double> largest = contributions(c);
      const bool some_missing = options_.noise_base == NoiseBase::kLargest &&
                                largest.size() < needed &&
                                static_cast<std::int64_t>(largest.size()) < keys_.records[c];
      if (largest.empty() || some_missing)
        return Error{ErrorCode::kFactsMissing,
                     "the " + std::to_string(needed) +
                         " largest contributions of the cell are not known: tabulate with " +
                         base::named_setting("[input]", "largest", std::to_string(needed)),
                     table_.label(id(c))};
      const double shown = noise.published({base::units_to_double(cell(c).value, table_.decimals()),
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
    const Ptable& large = *options_.ptable;
    const bool whole =
        !large.rows(PtableType::kEven).empty() && !large.rows(PtableType::kOdd).empty();
    if (options_.parity && !whole)
      return bad_option("parity needs a perturbation table with rows of type even and odd",
                        "--ptable");
    if (!options_.parity && large.rows(PtableType::kAll).empty())
      return bad_option(
          "the perturbation table has no rows of type all; even and odd are for parity",
          "--ptable");
    if (options_.small_ptable && options_.small_ptable->rows(PtableType::kAll).empty())
      return bad_option("the perturbation table of small contributions has no rows of type all",
                        "--small-ptable");
    return ok_status();
  }

  // The mean is that of units: a record with weight w stands for w of them.
  double mean_of(std::size_t c) const {
    const double value = base::units_to_double(cell(c).value, table_.decimals());
    if (!keys_.weights.empty())
      return keys_.weights[c] > 0 ? value / keys_.weights[c] : value;
    return keys_.records[c] > 0 ? value / static_cast<double>(keys_.records[c]) : value;
  }

  std::vector<double> contributions(std::size_t c) const {
    const double value = base::units_to_double(cell(c).value, table_.decimals());
    switch (options_.noise_base) {
      case NoiseBase::kMean:
        return {mean_of(c)};
      case NoiseBase::kRange:
        return {base::units_to_double(keys_.spread[c], table_.decimals())};
      case NoiseBase::kValue:
        return {value};
      case NoiseBase::kLargest:
        break;
    }
    std::vector<double> largest;
    for (const Units amount : keys_.largest[c])
      largest.push_back(base::units_to_double(amount, table_.decimals()));
    return largest;
  }

  // With 0 <= x_j <= x for every contribution, step j moves by at most
  //   |delta_j| (mu_j + |v|) <= x epsilon_j max m (mu_j + D),
  // because |delta_j| is x_j epsilon_j m(x_j) or, if that is more than the number so far, less; or
  // by the largest entry of the small table, once (j = 1). In all |shown - x| <= share x + plus, so
  //   (shown - plus) / (1 + share) <= x <= (shown + plus) / (1 - share),  the latter if share < 1.
  // Where contributions may be larger than their cell, nothing but the ends of beyond_all().
  Bounds magnitude_range(const cellkey::MagnitudeNoise& noise, std::size_t c) {
    if (keeps_value(c))
      return {cell(c).value, cell(c).value};
    Bounds range = beyond_all();
    if (!is_one_sided())
      return range;
    const double share = noise.most_relative();
    const auto shown = static_cast<double>(published_[c]);
    const double plus = noise.most_absolute() * static_cast<double>(scale_) + 1 +
                        tol::kRowResidual * shown;  // computed in doubles
    const double least = std::floor((shown - plus) / (1 + share));
    range.lower = std::max<Units>(0, static_cast<Units>(least));
    const double most = std::ceil((shown + plus) / (1 - share));
    if (share < 1 && most < static_cast<double>(range.upper))
      range.upper = static_cast<Units>(most);
    return range.contains(cell(c).value) ? range : beyond_all();
  }

  // No number of the table is negative, and none is smaller than what it is said to be made of.
  bool is_one_sided() {
    if (sided_ == Sided::kUnknown) {
      sided_ = Sided::kOne;
      for (std::size_t c = 0; c < published_.size(); ++c) {
        const auto value = base::units_to_double(cell(c).value, table_.decimals());
        for (const double amount : contributions(c)) {
          if (amount < 0 || amount > value)
            sided_ = Sided::kBoth;
        }
        if (cell(c).value < 0)
          sided_ = Sided::kBoth;
      }
    }
    return sided_ == Sided::kOne;
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
      return bad_option("a table in which numbers are left out cannot add up", "--additive");
    if (std::any_of(table_.cells().begin(), table_.cells().end(), table::is_unpublished))
      return bad_option(
          "a job with [differencing] has cells that are never published, so no nearest table can "
          "be made for them; take " +
              base::named_option("additive", "none"),
          "--additive");
    cellkey::NearestQuestion question{table_, published_, {}};
    for (std::size_t c = 0; c < published_.size(); ++c)
      question.keeps.push_back(keeps_value(c));
    const auto nearest = cellkey::nearest_table(question, run_);
    if (!nearest)
      return Error{ErrorCode::kStopped,
                   "no whole table that adds up was found within the limits of the run; give it "
                   "more work, or take " +
                       base::named_option("additive", "none"),
                   "--additive"};
    published_ = nearest->numbers;
    result_.additive = {nearest->distance, nearest->bound, nearest->optimal()};
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
      Bounds range = intersect(ranges_[c], cell(c).prior);
      std::vector<Units> among = candidates_left(c, range);
      if (hidden) {
        result_.draft.set({id(c), IntervalEnds{range, std::move(among)}});
        continue;
      }
      result_.draft.set({id(c), Altered{published_[c], range, std::move(among), true}});
      const Units off = published_[c] - value;
      result_.changed += off != 0 ? 1 : 0;
      result_.cost += std::abs(static_cast<double>(off)) / static_cast<double>(scale_);
    }
    result_.bound = result_.cost;
    result_.why = StopReason::kOptimal;
    result_.complete = true;
  }

  // The numbers of a range that the table of perturbations leaves, if these have holes; the ends of
  // the range move to the next of them.
  std::vector<Units> candidates_left(std::size_t c, Bounds& range) const {
    std::vector<Units> left;
    if (c >= choices_.size() || choices_[c] == nullptr)
      return left;
    for (const std::int64_t number : *choices_[c]) {
      if (range.contains(number * scale_))
        left.push_back(number * scale_);
    }
    range = {left.front(), left.back()};
    if ((range.upper - range.lower) / scale_ + 1 == static_cast<Units>(left.size()) && scale_ == 1)
      left.clear();
    return left;
  }

  const Problem& problem_;
  const Table& table_;
  const CellKeys& keys_;
  const CellKeyOptions& options_;
  const RunContext& run_;
  Units scale_;
  Units least_;                                            // published counts below it are left out
  std::vector<const std::vector<std::int64_t>*> choices_;  // S by cell; null: the range alone
  std::optional<cellkey::CountNoise> noise_;               // choices_ point into it
  std::vector<std::int64_t> below_;                        // of the hidden
  std::vector<Units> published_;
  std::vector<Bounds> ranges_;       // what the statement implies
  std::vector<std::size_t> hidden_;  // below the threshold, rising
  Units farthest_ = 0;
  bool has_negatives_ = false;
  enum class Sided : std::uint8_t { kUnknown, kOne, kBoth } sided_ = Sided::kUnknown;
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

Status parse_field(const FieldInfo& info, const std::string& text, FlexFunction& field) {
  constexpr std::size_t kNumbers = 4;
  std::vector<double> numbers;
  const Status status = parse_field(info, text, numbers);
  if (!status || numbers.size() != kNumbers)
    return Error{ErrorCode::kOptionValue,
                 "must be four numbers separated by commas: the factors of large and of small "
                 "contributions, the flex point and the power, not '" +
                     text + "'",
                 "--" + std::string(info.name)};
  field = {numbers[0], numbers[1], numbers[2], numbers[3]};
  return ok_status();
}

std::string field_text(const FlexFunction& field) {
  return field_text(std::vector{field.large, field.small, field.point, field.power});
}

Status CellKeyOptions::validate() const {
  if (!ptable)
    return bad_option(
        "the cell key method needs a perturbation table: " + base::named_option("ptable", "FILE"),
        "--ptable");
  if (!(flex.large > 0) || !(flex.small > 0) || !(flex.point >= 0) || !(flex.power >= 1))
    return bad_option(
        "the flex function needs factors above 0, a point of at least 0 and a power of at least 1",
        "--flex");
  if (top.empty() || top.front() != 1 ||
      std::any_of(top.begin(), top.end(), [](double factor) { return !(factor > 0); }))
    return bad_option("the factors of the largest contributions must begin with 1 and be above 0",
                      "--top");
  if (noise_base != NoiseBase::kLargest && top.size() > 1)
    return bad_option("only the largest contributions have several factors", "--top");
  return check_ranges(static_cast<const CellKeySettings&>(*this));
}

Result<CellKeyResult> publish_by_cell_key(const std::shared_ptr<const Problem>& problem,
                                          const CellKeyOptions& options,
                                          const RunContext& run) {
  LACUNA_RETURN_IF_ERROR(options.validate());
  if (!problem->keys())
    return bad_option(
        "the table has no keys: " + base::named_setting("[columns]", "key", "\"<column>\"") +
            base::words_of_files(" of the job") + ", or " + base::named_section("[keys]") +
            " with from and secret",
        "--method cellkey");
  return CellKeyMaker(*problem, options, run).run();
}

}  // namespace lacuna
