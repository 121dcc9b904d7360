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

// Before the number of a record whose respondent nobody knows; no name begins like it.
constexpr const char* kOwnRespondent = "\x1F";

struct Trouble {
  TroubleKind kind;
  std::string what, remedy;
};

Trouble trouble_of_number(std::string_view text,
                          const NumberFormat& format,
                          NumberOutcome outcome) {
  const std::string round = base::named_setting("[input]", "round", "true");
  if (outcome == NumberOutcome::kMoreDecimals)
    return {TroubleKind::kMoreDecimals,
            "with a number of more than " + std::to_string(format.decimals) + " decimals",
            "allow more, or say " + round};
  if (is_number(text, format))
    return {TroubleKind::kTooLarge,
            "with a number that does not fit 63 bits with " + std::to_string(format.decimals) +
                " decimals",
            "use fewer decimals or a larger unit" +
                (format.decimals > 0
                     ? ", or say " + base::named_setting("decimals", "<number>") + " and " + round
                     : "")};
  return {TroubleKind::kNoNumber, "with something that is not a number", "correct them"};
}

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
  const bool names_own = plan_.options->missing_respondent == RespondentPolicy::kOwn;
  if (plan_.holding != ReadPlan::kNoColumn || names_own)
    tagged_.resize(block.num_records);
  num_records_ += block.num_records;
  for (std::size_t record = 0; record < block.num_records; ++record) {
    const RecordPlace place{source, block, record, plan_.columns.size()};
    Pending& pending = pending_.emplace_back();
    LACUNA_TRY(const bool counts, read_record(place, pending));
    if (!counts)
      pending_.pop_back();
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

// False if it is left out, or if something is wrong with it, which is noted.
Result<bool> RecordReader::read_record(const RecordPlace& place, Pending& pending) {
  Use codes = Use::kCounts;
  if (!codes_.read_known(place, pending.key)) {
    LACUNA_TRY(codes, codes_.read(place, pending.key, troubles_));
  }
  const Use amount = read_amount(place, pending);
  const Use repeated = read_repeated(place);
  const Use worst = std::max({codes, amount, repeated});
  if (worst == Use::kDropped) {
    ++dropped_.records;
    dropped_.without_value += codes == Use::kCounts && amount == Use::kDropped ? 1 : 0;
    dropped_.repeated += std::max(codes, amount) == Use::kCounts ? 1 : 0;
    return false;
  }
  Use rest = Use::kCounts;
  if (plan_.has_keys())
    rest = read_record_key(place, pending.record_key);
  const std::size_t before = queries_.size();
  rest = std::max(rest, read_respondent(place));
  if (worst == Use::kCounts && rest == Use::kDropped) {
    ++dropped_.records;
    ++dropped_.without_respondent;
  }
  if (std::max(worst, rest) != Use::kCounts) {
    queries_.resize(before);
    return false;
  }
  if (plan_.has_keys())
    record_keys_.push_back(pending.record_key);
  pending.flags = read_flags(place);
  return true;
}

// Of records that are there already.
Use RecordReader::read_repeated(const RecordPlace& place) {
  if (plan_.unique.empty())
    return Use::kCounts;
  const auto is_among_numbers = [&](const std::vector<std::uint64_t>& numbers) {
    return std::binary_search(numbers.begin(), numbers.end(), place.number());
  };
  if (is_among_numbers(plan_.watched))
    watched_.emplace_back(place.number(),
                          place.source.where(place.block, place.record, plan_.unique.front()));
  if (plan_.repeated.empty())
    marks_.push_back(mark_of(place, plan_.unique));
  if (!is_among_numbers(plan_.repeated))
    return Use::kCounts;
  if (plan_.options->duplicates == DuplicatePolicy::kDrop)
    return Use::kDropped;
  const std::string remedy = base::named_setting("[input]", "duplicates", "\"drop\" or \"keep\"");
  note(place,
       plan_.unique.front(),
       TroubleKind::kRepeated,
       "repeating an earlier one",
       remedy,
       "the record repeats an earlier one: say " + remedy);
  return Use::kTrouble;
}

void RecordReader::note(const RecordPlace& place,
                        std::size_t column,
                        TroubleKind kind,
                        std::string what,
                        std::string remedy,
                        std::string alone) {
  place.note(troubles_, column, kind, "", [&] {
    return TroubleText{
        std::move(what), std::move(remedy), {ErrorCode::kBadField, std::move(alone), ""}};
  });
}

// False: it is none, or has too many digits, which is noted.
bool RecordReader::read_number(const RecordPlace& place,
                               std::size_t column,
                               const NumberFormat& format,
                               bool open,
                               int& needed,
                               Units& number) {
  const std::string_view text = trimmed(place.field(column));
  const NumberOutcome outcome = parse_number(text, format, number);
  if (outcome == NumberOutcome::kDone)
    return true;
  if (outcome == NumberOutcome::kMoreDecimals && open) {
    needed = std::max(needed, number_decimals(text, format));
    number = 0;
    return true;
  }
  const Trouble trouble = trouble_of_number(text, format, outcome);
  place.note(troubles_, column, trouble.kind, quoted(text), [&] {
    return TroubleText{trouble.what, trouble.remedy, number_error(text, format)};
  });
  return false;
}

Use RecordReader::read_value(const RecordPlace& place, Units& amount) {
  const TabulateOptions& options = *plan_.options;
  if (trimmed(place.field(plan_.value)).empty()) {
    amount = 0;
    if (options.empty_value != EmptyValue::kError)
      return options.empty_value == EmptyValue::kDrop ? Use::kDropped : Use::kCounts;
    const std::string remedy =
        base::named_setting("[input]", "empty_value", "\"zero\" or \"drop\"");
    note(place,
         plan_.value,
         TroubleKind::kEmptyValue,
         "without a value",
         remedy,
         "the value is empty: say " + remedy);
    return Use::kTrouble;
  }
  if (!read_number(place,
                   plan_.value,
                   plan_.value_format,
                   options.decimals < 0,
                   value_decimals_needed_,
                   amount))
    return Use::kTrouble;
  if (amount >= 0 || options.allow_negative)
    return Use::kCounts;
  const std::string remedy = base::named_setting("[input]", "negative", "true");
  note(place,
       plan_.value,
       TroubleKind::kNegativeValue,
       "with a value below zero",
       remedy,
       "the value is negative, which must be allowed expressly: " + remedy);
  return Use::kTrouble;
}

Use RecordReader::read_weight(const RecordPlace& place, Pending& pending) {
  if (!read_number(place,
                   plan_.weight,
                   plan_.weight_format,
                   plan_.options->weight_decimals < 0,
                   weight_decimals_needed_,
                   pending.weight))
    return Use::kTrouble;
  if (pending.weight >= 0)
    return Use::kCounts;
  note(place,
       plan_.weight,
       TroubleKind::kNegativeWeight,
       "with a weight below zero",
       "",
       "the weight is negative");
  return Use::kTrouble;
}

Use RecordReader::read_amount(const RecordPlace& place, Pending& pending) {
  pending.amount = 1;
  pending.weight = 1;
  Use use = Use::kCounts;
  if (plan_.value != ReadPlan::kNoColumn)
    use = read_value(place, pending.amount);
  pending.plain = pending.amount;
  if (plan_.weight == ReadPlan::kNoColumn || use == Use::kDropped)
    return use;
  use = std::max(use, read_weight(place, pending));
  if (use != Use::kCounts)
    return use;
  const Wide product = Wide{pending.amount} * pending.weight;
  if (product > kMaxUnits || product < -kMaxUnits) {
    const std::string remedy = "use fewer decimals or a larger unit";
    const std::string digits = std::to_string(plan_.decimals());
    note(place,
         plan_.weight,
         TroubleKind::kTooLarge,
         "whose weighted value does not fit 63 bits with " + digits + " decimals",
         remedy,
         "the weighted value does not fit 63 bits with " + digits + " decimals; " + remedy);
    return Use::kTrouble;
  }
  pending.amount = static_cast<Units>(product);
  return use;
}

Use RecordReader::read_record_key(const RecordPlace& place, std::uint64_t& key) {
  const KeyOptions& options = plan_.options->keys;
  if (plan_.key == ReadPlan::kNoColumn) {  // made from its place
    key = plan_.key_maker->reduced(std::to_string(place.number()), options.modulus);
    return Use::kCounts;
  }
  const std::string_view text = trimmed(place.field(plan_.key));
  if (text.empty()) {
    note(place,
         plan_.key,
         TroubleKind::kNoKey,
         plan_.key_maker ? "without anything that a key could be made from" : "without a key",
         "",
         plan_.key_maker ? "the record has nothing from which its key could be made"
                         : "the key of the record is empty");
    return Use::kTrouble;
  }
  if (plan_.key_maker) {
    key = plan_.key_maker->reduced(text, options.modulus);
    return Use::kCounts;
  }
  const auto parsed = parse_key(text, options, plan_.options->decimal_mark);
  if (!parsed) {
    place.note(troubles_, plan_.key, TroubleKind::kBadKey, "", [&] {
      return TroubleText{"with an invalid key: " + parsed.error().message, "", parsed.error()};
    });
    return Use::kTrouble;
  }
  key = *parsed;
  return Use::kCounts;
}

Use RecordReader::read_respondent(const RecordPlace& place) {
  if (plan_.anonymous())
    return Use::kCounts;
  const bool has_holding = plan_.holding != ReadPlan::kNoColumn;
  std::string_view text = has_holding ? place.field(plan_.holding) : std::string_view();
  char tag = 'H';
  if (text.empty() && plan_.respondent != ReadPlan::kNoColumn) {
    text = place.field(plan_.respondent);
    tag = 'R';
  }
  std::string own;
  if (text.empty()) {
    const RespondentPolicy policy = plan_.options->missing_respondent;
    if (policy == RespondentPolicy::kDrop)
      return Use::kDropped;
    if (policy == RespondentPolicy::kError) {
      const std::string remedy =
          base::named_setting("[columns]", "missing_respondent", "\"drop\" or \"own\"");
      note(place,
           has_holding ? plan_.holding : plan_.respondent,
           TroubleKind::kNoRespondent,
           "without a respondent",
           remedy,
           "the respondent of the record is empty; say " + remedy);
      return Use::kTrouble;
    }
    ++dropped_.own_respondents;
    own = kOwnRespondent + std::to_string(place.number());
    text = own;
    tag = 'R';
  }
  if (has_holding || !own.empty()) {  // a holding and a respondent may have the same name
    std::string& tagged = tagged_[place.record];
    tagged = has_holding ? std::string(1, tag) : "";
    tagged += text;
    text = tagged;
  }
  queries_.push_back({text, 0});
  return Use::kCounts;
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
