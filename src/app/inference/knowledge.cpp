// SPDX-License-Identifier: Apache-2.0
#include "app/inference/knowledge.h"

#include <algorithm>
#include <array>

#include "core/base/decimal.h"
#include "core/base/moved_error.h"
#include "core/base/quotes.h"
#include "core/base/text.h"
#include "data/files/number_text.h"

namespace lacuna::inference {
namespace {

Error bad_option(const std::string& option, const std::string& message) {
  return {ErrorCode::kOptionValue, message, "--" + option};
}

// The decimals that every number of the tables and options needs.
class DecimalsNeeded {
 public:
  Status add(const std::string& text) {
    return text.empty() ? ok_status() : chooser_.add_number(text);
  }

  Status add(const infer::RangeText& range) {
    LACUNA_RETURN_IF_ERROR(add(range.lower));
    return add(range.upper);
  }

  Status add(const jobfile::PublishedRow& row) {
    LACUNA_RETURN_IF_ERROR(add(row.number));
    return row.range ? add(*row.range) : ok_status();
  }

  int decimals() const { return chooser_.decimals(); }

 private:
  files::DecimalsChooser chooser_;
};

bool is_none(const std::string& text) {
  return text.empty() || text == "none";
}

bool has_negative(const std::vector<jobfile::PublishedTable>& tables) {
  for (const jobfile::PublishedTable& table : tables) {
    const bool any = std::any_of(table.rows.begin(), table.rows.end(), [](const auto& row) {
      return row.number.starts_with('-') && !files::is_zero_number(row.number);
    });
    if (any)
      return true;
  }
  return false;
}

}  // namespace

std::span<const std::string_view> enum_names(Rounding) {
  static constexpr std::array<std::string_view, 4> kNames{"nearest", "down", "up", "adjacent"};
  return kNames;
}

std::span<const std::string_view> enum_names(AbsentRows) {
  static constexpr std::array<std::string_view, 3> kNames{"auto", "zero", "unknown"};
  return kNames;
}

Result<Knowledge> Knowledge::make(const KnowledgeOptions& options,
                                  const std::vector<jobfile::PublishedTable>& tables,
                                  int more_decimals) {
  Knowledge known;
  DecimalsNeeded needed;
  for (const jobfile::PublishedTable& table : tables) {
    known.counts_ = known.counts_ || table.counted;
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      if (const auto seen = needed.add(table.rows[r]); !seen)
        return base::moved_to(seen.error(), table.where(r));
    }
  }
  known.counts_ = known.counts_ || options.counts;
  LACUNA_RETURN_IF_ERROR(known.take_withheld(options.withheld));
  for (const auto& [sign, range] : known.by_sign_)
    LACUNA_RETURN_IF_ERROR(needed.add(range));
  if (known.withheld_)
    LACUNA_RETURN_IF_ERROR(needed.add(*known.withheld_));
  for (const auto& [name, text] : {std::pair("lower", &options.lower),
                                   std::pair("upper", &options.upper),
                                   std::pair("rounded-to", &options.rounded_to)}) {
    const auto seen = is_none(*text) ? ok_status() : needed.add(*text);
    if (!seen)
      return bad_option(name, seen.error().message);
  }
  known.decimals_ = needed.decimals() + more_decimals;
  LACUNA_RETURN_IF_ERROR(known.take_rounding(options));
  if (options.lower.empty() && !has_negative(tables))
    known.everywhere_.lower = 0;
  if (!is_none(options.lower)) {
    LACUNA_TRY(known.everywhere_.lower, known.units(options.lower));
  }
  known.blank_ = known.everywhere_;
  if (!is_none(options.upper)) {
    LACUNA_TRY(known.blank_.upper, known.units(options.upper));
  }
  if (known.counts_ && known.decimals_ > 0)
    return bad_option("counts", "a published number has decimals, and counts have none");
  return known;
}

Status Knowledge::take_withheld(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    const std::size_t equals = text.rfind('=');
    const bool is_sign = equals != std::string::npos && equals > 0 && !infer::range_of(text);
    const std::string range = is_sign ? text.substr(equals + 1) : text;
    const auto read = infer::range_of(range);
    if (!read)
      return bad_option("withheld",
                        base::in_quotes(range) + " is no range: write 1-4, <5, 5 or more");
    if (is_sign)
      by_sign_.emplace_back(text.substr(0, equals), *read);
    else
      withheld_ = read;
  }
  return ok_status();
}

Status Knowledge::take_rounding(const KnowledgeOptions& options) {
  rounding_ = options.rounding;
  if (is_none(options.rounded_to))
    return ok_status();
  LACUNA_TRY(base_, units(options.rounded_to));
  if (base_ <= 0)
    return bad_option("rounded-to", "the base of a rounding is above zero");
  if (base_ % 2 == 0 || rounding_ != Rounding::kNearest || counts_)
    return ok_status();
  ++decimals_;  // halves
  LACUNA_TRY(base_, units(options.rounded_to));
  return ok_status();
}

Result<Units> Knowledge::units(const std::string& number) const {
  return base::parse_units(number, decimals_);
}

// The ends count as possible: nobody knows how halves were rounded. Whole numbers that went down,
// up or to either side are less than a base away.
Result<Bounds> Knowledge::of_number(Units value) const {
  if (base_ == 0)
    return Bounds{value, value};
  if (value % base_ != 0)
    return Error{ErrorCode::kContradiction,
                 "the number is no multiple of " + base::format_units(base_, decimals_) +
                     ", the base of --rounded-to",
                 ""};
  const Units most = counts_ ? base_ - 1 : base_;
  const Units half = base_ / 2;  // of an odd base whole numbers are at most that far
  switch (rounding_) {
    case Rounding::kNearest:
      return Bounds{value - half, value + half};
    case Rounding::kDown:
      return Bounds{value, value + most};
    case Rounding::kUp:
      return Bounds{value - most, value};
    case Rounding::kAdjacent:
      return Bounds{value - most, value + most};
  }
  return Bounds{value, value};
}

Result<Bounds> Knowledge::of_range(const infer::RangeText& range) const {
  Bounds bounds;
  const Units step = counts_ ? 1 : 0;  // an end that is not possible itself
  if (!range.lower.empty()) {
    LACUNA_TRY(bounds.lower, units(range.lower));
    bounds.lower += range.above ? step : 0;
  }
  if (!range.upper.empty()) {
    LACUNA_TRY(bounds.upper, units(range.upper));
    bounds.upper -= range.below ? step : 0;
  }
  return bounds;
}

Result<Bounds> Knowledge::of_row(const jobfile::PublishedRow& row) const {
  Bounds bounds;
  if (!row.number.empty()) {
    LACUNA_TRY(const Units value, units(row.number));
    LACUNA_TRY(bounds, of_number(value));
    if (base_ == 0)
      return bounds;
    bounds = intersect(bounds, everywhere_);
  } else if (row.range) {
    LACUNA_TRY(bounds, of_range(*row.range));
    bounds = intersect(bounds, everywhere_);
  } else {
    bounds = blank_;
    const infer::RangeText* said = withheld_ ? &*withheld_ : nullptr;
    for (const auto& [sign, range] : by_sign_) {
      if (sign == row.sign)
        said = &range;
    }
    if (said != nullptr) {
      LACUNA_TRY(const Bounds known, of_range(*said));
      bounds = intersect(bounds, known);
    }
  }
  if (bounds.lower > bounds.upper)
    return Error{ErrorCode::kContradiction,
                 "no number is left that could stand here: see --lower, --upper and --withheld",
                 ""};
  return bounds;
}

}  // namespace lacuna::inference
