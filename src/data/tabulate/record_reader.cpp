// SPDX-License-Identifier: Apache-2.0
#include "data/tabulate/record_reader.h"

#include <algorithm>

#include "core/base/moved_error.h"
#include "core/base/spelling.h"
#include "data/tabulate/key_text.h"

namespace lacuna::tabulation {
namespace {

constexpr std::size_t kAhead = 12;  // records; longer than a memory access takes
constexpr std::uint32_t kMostLeaves = std::uint32_t{1} << (32U - RecordShare::kFlagBits);

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  return text;
}

}  // namespace

RecordReader::RecordReader(const ReadPlan& plan, RespondentTable& respondents)
    : plan_(plan),
      respondents_(respondents),
      codes_(plan),
      top_(plan.options->top, nullptr),
      largest_records_(plan.options->top),
      value_decimals_needed_(plan.value_format.decimals),
      weight_decimals_needed_(plan.weight_format.decimals) {}

// In three passes over the block, because the leaves of consecutive records lie anywhere in memory:
// what a pass will need is asked for some records ahead.
Status RecordReader::add(const RecordSource& source, const RecordBlock& block) {
  pending_.clear();
  queries_.clear();
  if (plan_.holding != ReadPlan::kNoColumn)
    tagged_.resize(block.num_records);
  num_records_ += block.num_records;
  for (std::size_t record = 0; record < block.num_records; ++record) {
    const RecordPlace place{source, block, record, plan_.columns.size()};
    Pending& pending = pending_.emplace_back();
    bool has_codes = codes_.read_known(place, pending.key);
    if (!has_codes) {
      LACUNA_TRY(has_codes, codes_.read(place, pending.key));
    }
    LACUNA_TRY(const bool has_amount, read_amount(place, pending));
    if (!has_codes || !has_amount) {
      pending_.pop_back();
      ++num_dropped_;
      continue;
    }
    if (plan_.has_keys()) {
      LACUNA_TRY(pending.record_key, read_record_key(place));
      record_keys_.push_back(pending.record_key);
    }
    LACUNA_RETURN_IF_ERROR(read_respondent(place));
    pending.flags = read_flags(place);
  }
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    if (i + kAhead < pending_.size())
      keys_.prefetch(pending_[i + kAhead].key);
    pending_[i].leaf = keys_.find_or_add(pending_[i].key);
  }
  if (keys_.size() > kMostLeaves)
    return Error{ErrorCode::kTooLarge, "the records have too many combinations of codes", ""};
  sums_.resize(keys_.size());
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    if (i + kAhead < pending_.size())
      __builtin_prefetch(&sums_[pending_[i + kAhead].leaf], 1);
    add_to_leaf(pending_[i]);
  }
  if (plan_.keeps_records()) {
    largest_records_.resize(keys_.size());
    for (const Pending& pending : pending_)
      largest_records_.offer(pending.leaf, {pending.plain, pending.amount});
  }
  if (plan_.anonymous()) {
    top_.resize(keys_.size());
    for (const Pending& pending : pending_)
      top_.offer(pending.leaf, {pending.amount, Share::kAnonymous, pending.flags});
    return ok_status();
  }
  respondents_.intern(queries_, memory_);
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    const Pending& pending = pending_[i];
    shares_.add(
        {pending.leaf << RecordShare::kFlagBits | pending.flags, queries_[i].id, pending.amount});
  }
  return ok_status();
}

void RecordReader::add_to_leaf(const Pending& pending) {
  LeafSums& sums = sums_[pending.leaf];
  sums.value += pending.amount;
  sums.absolute += pending.amount < 0 ? -pending.amount : pending.amount;
  sums.weight += pending.weight;
  ++sums.records;
  // A record that adds nothing to a magnitude is none of its contributors.
  if (plan_.has_keys() && (plan_.value == ReadPlan::kNoColumn || pending.plain != 0))
    sums.key = (sums.key + pending.record_key) % plan_.options->keys.modulus;
  any_negative_ = any_negative_ || pending.amount < 0;
}

Status RecordReader::read_number(const RecordPlace& place,
                                 std::size_t column,
                                 const NumberFormat& format,
                                 bool open,
                                 int& needed,
                                 Units& number) const {
  const std::string_view text = trimmed(place.field(column));
  const NumberOutcome outcome = parse_number(text, format, number);
  if (outcome == NumberOutcome::kDone)
    return ok_status();
  if (outcome == NumberOutcome::kMoreDecimals && open) {
    needed = std::max(needed, number_decimals(text, format));
    number = 0;
    return ok_status();
  }
  return base::moved_to(number_error(text, format),
                        place.source.where(place.block, place.record, column));
}

// False if the record is to be dropped.
Result<bool> RecordReader::read_amount(const RecordPlace& place, Pending& pending) {
  const TabulateOptions& options = *plan_.options;
  Units& amount = pending.amount;
  Units& weight = pending.weight;
  amount = 1;
  weight = 1;
  if (plan_.value != ReadPlan::kNoColumn) {
    if (trimmed(place.field(plan_.value)).empty()) {
      if (options.empty_value == EmptyValue::kError)
        return place.error(
            plan_.value,
            "the value is empty: say " +
                base::named_setting("[input]", "empty_value", "\"zero\" or \"drop\""));
      amount = 0;
      if (options.empty_value == EmptyValue::kDrop)
        return false;
    } else {
      LACUNA_RETURN_IF_ERROR(read_number(place,
                                         plan_.value,
                                         plan_.value_format,
                                         options.decimals < 0,
                                         value_decimals_needed_,
                                         amount));
    }
    if (amount < 0 && !options.allow_negative)
      return place.error(plan_.value,
                         "the value is negative, which must be allowed expressly: " +
                             base::named_setting("[input]", "negative", "true"));
  }
  pending.plain = amount;
  if (plan_.weight == ReadPlan::kNoColumn)
    return true;
  LACUNA_RETURN_IF_ERROR(read_number(place,
                                     plan_.weight,
                                     plan_.weight_format,
                                     options.weight_decimals < 0,
                                     weight_decimals_needed_,
                                     weight));
  if (weight < 0)
    return place.error(plan_.weight, "the weight is negative");
  const Wide product = Wide{amount} * weight;
  if (product > kMaxUnits || product < -kMaxUnits) {
    return place.error(plan_.weight,
                       "the weighted value does not fit 63 bits with " +
                           std::to_string(plan_.decimals()) +
                           " decimals; use fewer decimals or a larger unit");
  }
  amount = static_cast<Units>(product);
  return true;
}

Result<std::uint64_t> RecordReader::read_record_key(const RecordPlace& place) const {
  const std::string_view text = trimmed(place.field(plan_.key));
  if (text.empty())
    return place.error(plan_.key,
                       plan_.key_maker
                           ? "the record does not say whose it is: its key has nothing to be "
                             "made from"
                           : "the key of the record is empty");
  if (plan_.key_maker)
    return plan_.key_maker->reduced(text, plan_.options->keys.modulus);
  const auto key = parse_key(text, plan_.options->keys, plan_.options->decimal_mark);
  return key ? key : Result<std::uint64_t>(place.error(plan_.key, key.error().message));
}

Status RecordReader::read_respondent(const RecordPlace& place) {
  if (plan_.anonymous())
    return ok_status();
  const bool has_holding = plan_.holding != ReadPlan::kNoColumn;
  std::string_view text = has_holding ? place.field(plan_.holding) : std::string_view();
  char tag = 'H';
  if (text.empty() && plan_.respondent != ReadPlan::kNoColumn) {
    text = place.field(plan_.respondent);
    tag = 'R';
  }
  if (text.empty()) {
    return place.error(has_holding ? plan_.holding : plan_.respondent,
                       "the record does not say whose it is: the respondent is empty");
  }
  if (has_holding) {  // a holding and a respondent may have the same name
    std::string& tagged = tagged_[place.record];
    tagged = tag;
    tagged += text;
    text = tagged;
  }
  queries_.push_back({text, 0});
  return ok_status();
}

std::uint32_t RecordReader::read_flags(const RecordPlace& place) const {
  std::uint32_t flags = Share::kNotWaived;
  if (plan_.request != ReadPlan::kNoColumn &&
      is_among(trimmed(place.field(plan_.request)), plan_.options->request_codes))
    flags |= Share::kRequested;
  if (plan_.waiver != ReadPlan::kNoColumn &&
      is_among(trimmed(place.field(plan_.waiver)), plan_.options->waiver_codes))
    flags &= ~Share::kNotWaived;
  return flags;
}

}  // namespace lacuna::tabulation
