// SPDX-License-Identifier: Apache-2.0
#include "tabulate/record_reader.h"

#include <algorithm>

#include "tabulate/key_text.h"

namespace lacuna::inline tabulation {
namespace {

constexpr std::size_t kSharesPerChunk = std::size_t{1} << 18U;
constexpr std::size_t kAhead = 12;  // records; longer than a memory access takes
constexpr unsigned kKeyBits = 128;
constexpr unsigned kMostBits = 31;
constexpr unsigned kPlaceBits = 24;  // records of a block
constexpr std::uint32_t kMostLeaves = std::uint32_t{1} << (32U - RecordShare::kFlagBits);

class ColumnList {
 public:
  std::size_t add(const std::string& name) {
    const auto at = std::find(names_.begin(), names_.end(), name);
    if (at == names_.end()) {
      names_.push_back(name);
      return names_.size() - 1;
    }
    return static_cast<std::size_t>(at - names_.begin());
  }
  std::size_t add_optional(const std::string& name) {
    return name.empty() ? ReadPlan::kNoColumn : add(name);
  }
  std::vector<std::string> names() && { return std::move(names_); }

 private:
  std::vector<std::string> names_;
};

unsigned bits_for(std::size_t count) {
  unsigned bits = 1;
  while (bits < kMostBits && (std::size_t{1} << bits) < count)
    ++bits;
  return bits;
}

// Given dimensions take the bits they need, the others share the rest.
Result<std::vector<unsigned>> share_bits(const TabulateOptions& options) {
  std::vector<unsigned> bits;
  unsigned used = 0;
  unsigned open = 0;
  for (const DimensionSpec& spec : options.dimensions) {
    const std::size_t codes =
        spec.given ? static_cast<std::size_t>(spec.given->num_codes()) : std::size_t{0};
    bits.push_back(spec.given ? bits_for(codes + spec.missing.codes.size() + 1) : 0);
    used += bits.back();
    open += spec.given ? 0U : 1U;
  }
  const unsigned each = open == 0 || used >= kKeyBits ? 0 : (kKeyBits - used) / open;
  for (unsigned& own : bits)
    own = own == 0 ? std::min(each, kMostBits) : own;
  if (used > kKeyBits || (open > 0 && each == 0)) {
    return Error{ErrorCode::kUnsupported,
                 "the dimensions have more combinations of codes than fit 128 bits",
                 "dimensions"};
  }
  return bits;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  return text;
}

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

bool is_among(std::string_view text, const std::vector<std::string>& list) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

std::string quoted(std::string_view text) {
  constexpr std::size_t kShown = 40;
  std::string shown(text.substr(0, kShown));
  for (char& c : shown)
    c = static_cast<unsigned char>(c) < 0x20U ? '/' : c;
  return "'" + shown + "'";
}

}  // namespace

Result<ReadPlan> ReadPlan::make(const TabulateOptions& options) {
  LACUNA_RETURN_IF_ERROR(options.validate());
  ReadPlan plan;
  plan.options = &options;
  ColumnList columns;
  for (const DimensionSpec& spec : options.dimensions) {
    std::vector<std::size_t>& own = plan.dimension_columns.emplace_back();
    for (const auto& chain : spec.chains) {
      for (const std::string& name : chain) {
        const std::size_t column = columns.add(name);
        if (std::find(own.begin(), own.end(), column) == own.end())
          own.push_back(column);
      }
    }
  }
  plan.value = columns.add_optional(options.value);
  plan.weight = columns.add_optional(options.weight);
  plan.respondent = columns.add_optional(options.respondent);
  plan.holding = columns.add_optional(options.holding);
  plan.request = columns.add_optional(options.request);
  plan.waiver = columns.add_optional(options.waiver);
  plan.key =
      columns.add_optional(options.keys.from.empty() ? options.keys.column : options.keys.from);
  if (!options.keys.from.empty())
    plan.key_maker.emplace(options.keys.secret);
  plan.columns = std::move(columns).names();
  LACUNA_TRY(plan.bits, share_bits(options));
  const bool has_value = !options.value.empty();
  const bool has_weight = !options.weight.empty();
  plan.value_format = {
      has_value ? std::max(options.decimals, 0) : 0, options.decimal_mark, options.round_values};
  plan.weight_format = {
      has_weight ? std::max(options.weight_decimals, 0) : 0, options.decimal_mark, false};
  return plan;
}

RecordReader::RecordReader(const ReadPlan& plan, RespondentTable& respondents)
    : plan_(plan),
      respondents_(respondents),
      texts_(plan.bits.size()),
      meaning_(plan.bits.size()),
      top_(plan.options->top, nullptr),
      largest_records_(plan.options->top),
      value_decimals_needed_(plan.value_format.decimals),
      weight_decimals_needed_(plan.weight_format.decimals) {}

Error RecordReader::error(const Place& place, std::size_t column, std::string message) const {
  return {ErrorCode::kBadInput,
          std::move(message),
          place.source.where(place.block, place.record, column)};
}

// In three passes over the block, because the leaves of consecutive records lie anywhere in memory:
// what a pass will need is asked for some records ahead.
Status RecordReader::add(const RecordSource& source,
                         const RecordBlock& block,
                         std::uint64_t number) {
  pending_.clear();
  queries_.clear();
  if (plan_.holding != ReadPlan::kNoColumn)
    tagged_.resize(block.num_records);
  num_records_ += block.num_records;
  for (std::size_t record = 0; record < block.num_records; ++record) {
    const Place place{source, block, record};
    Pending pending;
    LACUNA_TRY(const bool has_codes, read_key(place, pending.key));
    LACUNA_TRY(const bool has_amount, read_amount(place, pending));
    if (!has_codes || !has_amount) {
      ++num_dropped_;
      continue;
    }
    if (plan_.has_keys()) {
      LACUNA_TRY(pending.record_key, read_record_key(place));
      record_keys_.push_back(pending.record_key);
    }
    LACUNA_RETURN_IF_ERROR(read_respondent(place, number));
    pending.flags = read_flags(place);
    pending_.push_back(pending);
  }
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    if (i + kAhead < pending_.size())
      keys_.prefetch(pending_[i + kAhead].key);
    pending_[i].leaf = keys_.find_or_add(pending_[i].key);
  }
  if (keys_.size() > kMostLeaves)
    return Error{ErrorCode::kUnsupported, "the records have too many combinations of codes", ""};
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
  respondents_.intern(queries_);
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    const Pending& pending = pending_[i];
    if (shares_.empty() || shares_.back().size() == kSharesPerChunk)
      shares_.emplace_back().reserve(kSharesPerChunk);
    shares_.back().push_back(
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

std::string_view RecordReader::dimension_text(const Place& place, std::size_t dimension) {
  const auto& columns = plan_.dimension_columns[dimension];
  if (columns.size() == 1)
    return field(place, columns.front());
  joined_.clear();
  for (const std::size_t column : columns) {
    if (!joined_.empty() || column != columns.front())
      joined_ += kLevelSeparator;
    joined_ += field(place, column);
  }
  return joined_;
}

// False if the record is to be dropped.
Result<bool> RecordReader::read_key(const Place& place, KeyTable::Key& key) {
  bool dropped = false;
  for (std::size_t d = 0; d < texts_.size(); ++d) {
    const std::string_view text = dimension_text(place, d);
    const std::uint32_t id = texts_[d].find_or_add(text);
    if (id == meaning_[d].size()) {
      if (id >> plan_.bits[d] != 0) {
        return Error{ErrorCode::kUnsupported,
                     "the records have more different codes than a key of all dimensions can hold; "
                     "give the codes of the dimensions in advance",
                     "dimension " + plan_.options->dimensions[d].name};
      }
      LACUNA_TRY(const Meaning meaning, classify(place, d, text));
      meaning_[d].push_back(meaning);
    }
    dropped = dropped || meaning_[d][id] == Meaning::kDropped;
    key = key << plan_.bits[d] | id;
  }
  return !dropped;
}

std::uint32_t RecordReader::text_of_leaf(std::uint32_t leaf, std::size_t dimension) const {
  KeyTable::Key key = keys_.keys()[leaf];
  for (std::size_t d = plan_.bits.size() - 1; d > dimension; --d)
    key >>= plan_.bits[d];
  const KeyTable::Key mask = (KeyTable::Key{1} << plan_.bits[dimension]) - 1;
  return static_cast<std::uint32_t>(key & mask);
}

bool RecordReader::is_missing_text(std::size_t dimension, std::string_view text) const {
  return text.empty() || is_among(text, plan_.options->dimensions[dimension].missing.codes);
}

Result<RecordReader::Meaning> RecordReader::classify(const Place& place,
                                                     std::size_t dimension,
                                                     std::string_view text) const {
  const DimensionSpec& spec = plan_.options->dimensions[dimension];
  for (const std::size_t column : plan_.dimension_columns[dimension]) {
    if (!is_missing_text(dimension, field(place, column)))
      continue;
    if (spec.missing.policy == MissingPolicy::kDrop)
      return Meaning::kDropped;
    if (spec.missing.policy == MissingPolicy::kCode)
      return Meaning::kMissing;
    return error(place,
                 column,
                 "the record has no code of dimension " + spec.name +
                     "; say whether such records are dropped or get a code of their own");
  }
  LACUNA_RETURN_IF_ERROR(check_code(place, dimension, text));
  return Meaning::kCode;
}

Status RecordReader::check_code(const Place& place,
                                std::size_t dimension,
                                std::string_view text) const {
  const DimensionSpec& spec = plan_.options->dimensions[dimension];
  for (const std::size_t column : plan_.dimension_columns[dimension]) {
    const std::string_view code = field(place, column);
    if (!spec.given && code == spec.total)
      return error(
          place,
          column,
          "the code " + quoted(code) + " is the name of the total of dimension " + spec.name);
    if (code.find(kLevelSeparator) != std::string_view::npos)
      return error(place, column, "the code " + quoted(code) + " holds a control character");
  }
  const std::size_t column = plan_.dimension_columns[dimension].front();
  if (spec.kind == DimensionSpec::Kind::kDigits) {
    std::size_t wanted = 0;
    for (const int digits : spec.digits)
      wanted += static_cast<std::size_t>(digits);
    if (count_characters(text) != wanted) {
      return error(place,
                   column,
                   "the code " + quoted(text) + " of dimension " + spec.name + " has " +
                       std::to_string(count_characters(text)) +
                       " characters, but its levels have " + std::to_string(wanted));
    }
  }
  if (!spec.given)
    return ok_status();
  const std::int32_t code = spec.given->find(text);
  if (code < 0)
    return error(place, column, quoted(text) + " is not a code of dimension " + spec.name);
  if (!spec.given->is_leaf(code)) {
    return error(place,
                 column,
                 quoted(text) + " is a total of dimension " + spec.name +
                     "; records must have codes of the lowest level");
  }
  return ok_status();
}

Status RecordReader::read_number(const Place& place,
                                 std::size_t column,
                                 const NumberFormat& format,
                                 bool open,
                                 int& needed,
                                 Units& number) const {
  const std::string_view text = trimmed(field(place, column));
  const NumberOutcome outcome = parse_number(text, format, number);
  if (outcome == NumberOutcome::kDone)
    return ok_status();
  if (outcome == NumberOutcome::kMoreDecimals && open) {
    needed = std::max(needed, number_decimals(text, format));
    number = 0;
    return ok_status();
  }
  return error(place, column, number_error(text, format).message);
}

// False if the record is to be dropped.
Result<bool> RecordReader::read_amount(const Place& place, Pending& pending) {
  const TabulateOptions& options = *plan_.options;
  Units& amount = pending.amount;
  Units& weight = pending.weight;
  amount = 1;
  weight = 1;
  if (plan_.value != ReadPlan::kNoColumn) {
    if (trimmed(field(place, plan_.value)).empty()) {
      if (options.empty_value == EmptyValue::kError)
        return error(place, plan_.value, "the value is empty");
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
      return error(place, plan_.value, "the value is negative, which must be allowed expressly");
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
    return error(place, plan_.weight, "the weight is negative");
  const Wide product = Wide{amount} * weight;
  if (product > kMaxUnits || product < -kMaxUnits) {
    return error(place,
                 plan_.weight,
                 "the weighted value does not fit 63 bits with " +
                     std::to_string(plan_.decimals()) +
                     " decimals; use fewer decimals or a larger unit");
  }
  amount = static_cast<Units>(product);
  return true;
}

Result<std::uint64_t> RecordReader::read_record_key(const Place& place) const {
  const std::string_view text = trimmed(field(place, plan_.key));
  if (text.empty())
    return error(place,
                 plan_.key,
                 plan_.key_maker ? "the record does not say whose it is: its key has nothing to be "
                                   "made from"
                                 : "the key of the record is empty");
  if (plan_.key_maker)
    return plan_.key_maker->reduced(text, plan_.options->keys.modulus);
  const auto key = parse_key(text, plan_.options->keys, plan_.options->decimal_mark);
  return key ? key : Result<std::uint64_t>(error(place, plan_.key, key.error().message));
}

Status RecordReader::read_respondent(const Place& place, std::uint64_t number) {
  if (plan_.anonymous())
    return ok_status();
  const bool has_holding = plan_.holding != ReadPlan::kNoColumn;
  std::string_view text = has_holding ? field(place, plan_.holding) : std::string_view();
  char tag = 'H';
  if (text.empty() && plan_.respondent != ReadPlan::kNoColumn) {
    text = field(place, plan_.respondent);
    tag = 'R';
  }
  if (text.empty()) {
    return error(place,
                 has_holding ? plan_.holding : plan_.respondent,
                 "the record does not say whose it is: the respondent is empty");
  }
  if (has_holding) {  // a holding and a respondent may have the same name
    std::string& tagged = tagged_[place.record];
    tagged = tag;
    tagged += text;
    text = tagged;
  }
  queries_.push_back({text, number << kPlaceBits | place.record, 0});
  return ok_status();
}

std::uint32_t RecordReader::read_flags(const Place& place) const {
  std::uint32_t flags = Share::kNotWaived;
  if (plan_.request != ReadPlan::kNoColumn &&
      is_among(trimmed(field(place, plan_.request)), plan_.options->request_codes))
    flags |= Share::kRequested;
  if (plan_.waiver != ReadPlan::kNoColumn &&
      is_among(trimmed(field(place, plan_.waiver)), plan_.options->waiver_codes))
    flags &= ~Share::kNotWaived;
  return flags;
}

}  // namespace lacuna::inline tabulation
