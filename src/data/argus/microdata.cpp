// SPDX-License-Identifier: Apache-2.0
// Reads records. Codes are numbered as they come and become places in the code list of their
// variable once all are known, so that every distinct text is looked at once.
#include "data/argus/microdata.h"

#include <algorithm>

#include "core/base/confidential.h"
#include "core/base/nearest.h"
#include "core/base/text.h"
#include "data/argus/code_lists.h"
#include "data/argus/lines.h"
#include "data/argus/number_column.h"
#include "data/argus/record_lines.h"
#include "data/argus/records.h"
#include "data/tabulate/text_table.h"
#include "lacuna/keys.h"

namespace lacuna::argus {
namespace {

constexpr std::size_t kRecordsBetweenChecks = std::size_t{1} << 16U;

struct FieldPlace {
  std::size_t column = 0;  // of the variable in the metadata
  FieldSpan span;
};

struct CodeReader {
  const Variable* variable = nullptr;
  FieldPlace place;
  tabulation::CodeTable texts;
  std::vector<files::Position> first_seen;  // of every text
  std::vector<std::int32_t> values;
};

struct PlacedNumbers {
  NumberReader reader;
  FieldPlace place;
};

Error unknown_variable(std::string_view name, const Metadata& metadata) {
  std::vector<std::string_view> names;
  for (const Variable& variable : metadata.variables)
    names.push_back(variable.name);
  return {ErrorCode::kMissingColumn,
          "there is no variable " + base::in_quotes(name) + " in " + metadata.filename +
              base::did_you_mean(name, names),
          ""};
}

class MicrodataReader {
 public:
  MicrodataReader(const Metadata& metadata, std::string path)
      : metadata_(metadata), path_(std::move(path)) {}

  Status plan(const std::vector<SpecifyTable>& tables);
  Status read(RecordLines& lines, const RunContext& run);
  Result<Records> finish(FileFinder& finder);
  std::vector<std::string> take_notes() { return std::move(notes_); }

 private:
  FieldPlace place_of(const Variable& variable);
  Status plan_codes(const Word& name);
  Status plan_number(const Word& name);
  void plan_others();
  Status take_record(std::string_view line, std::size_t number);
  Result<std::string_view> field(std::string_view line, std::size_t number, FieldPlace place) const;
  Status take_code(CodeReader& reader, std::string_view line, std::size_t number) const;
  Status take_number(PlacedNumbers& numbers, std::string_view line, std::size_t number) const;
  Status take_record_key(std::string_view line, std::size_t number);
  Status finish_record_keys(Records& records);
  void take_request(std::string_view text);
  Error short_record(std::string_view line, std::size_t number, const Variable& variable) const;
  files::Position position(std::string_view line, std::size_t number, std::string_view text) const;
  std::string code_as_listed(const CodeReader& reader, std::string_view text, std::size_t& cut);
  Result<CodeColumn> finish_codes(CodeReader& reader, FileFinder& finder);

  const Metadata& metadata_;
  std::string path_;
  std::vector<CodeReader> codes_;
  std::vector<PlacedNumbers> numbers_;
  std::optional<PlacedNumbers> weights_;
  std::optional<PlacedNumbers> record_keys_;
  const Variable* record_key_ = nullptr;
  std::optional<CodeReader> holdings_;
  const Variable* request_ = nullptr;
  FieldPlace request_place_;
  std::vector<std::int8_t> requests_;
  std::size_t count_ = 0;
  std::size_t num_fields_ = 0;  // that a line must have
  FixedFields fixed_;
  std::vector<std::string_view> fields_;  // of the line at hand
  std::vector<std::string> notes_;
};

FieldPlace MicrodataReader::place_of(const Variable& variable) {
  const auto column = static_cast<std::size_t>(&variable - metadata_.variables.data());
  num_fields_ = std::max(num_fields_, column + 1);
  return {column, {variable.start, variable.length}};
}

Status MicrodataReader::plan_codes(const Word& name) {
  const Variable* variable = metadata_.find(name.text);
  if (variable == nullptr)
    return unknown_variable(name.text, metadata_);
  if (!variable->recodeable) {
    return Error{ErrorCode::kArgusCommand,
                 "the variable " + base::in_quotes(name.text) +
                     " spans a table but is not <RECODEABLE> in " + metadata_.filename,
                 ""};
  }
  for (const CodeReader& known : codes_) {
    if (known.variable == variable)
      return ok_status();
  }
  CodeReader reader;
  reader.variable = variable;
  reader.place = place_of(*variable);
  codes_.push_back(std::move(reader));
  return ok_status();
}

Status MicrodataReader::plan_number(const Word& name) {
  if (name.text.empty())
    return ok_status();
  const Variable* variable = metadata_.find(name.text);
  if (variable == nullptr)
    return unknown_variable(name.text, metadata_);
  if (!variable->numeric && !variable->weight) {
    return Error{ErrorCode::kArgusCommand,
                 "the variable " + base::in_quotes(name.text) +
                     " is added up but is not <NUMERIC> in " + metadata_.filename,
                 ""};
  }
  const FieldPlace place = place_of(*variable);
  for (const PlacedNumbers& known : numbers_) {
    if (known.place.column == place.column)
      return ok_status();
  }
  numbers_.push_back({NumberReader(*variable), place});
  return ok_status();
}

void MicrodataReader::plan_others() {
  for (const Variable& variable : metadata_.variables) {
    if (variable.weight && !weights_)
      weights_ = PlacedNumbers{NumberReader(variable), place_of(variable)};
    if (variable.record_key) {  // one variable at most: the metadata are checked
      record_keys_ = PlacedNumbers{NumberReader(variable), place_of(variable)};
      record_key_ = &variable;
    }
    if (variable.holding && !holdings_) {
      holdings_.emplace();
      holdings_->variable = &variable;
      holdings_->place = place_of(variable);
    }
    if (variable.request && request_ == nullptr) {
      request_ = &variable;
      request_place_ = place_of(variable);
    }
  }
}

Status MicrodataReader::plan(const std::vector<SpecifyTable>& tables) {
  for (const SpecifyTable& table : tables) {
    for (const Word& name : table.explanatory)
      LACUNA_RETURN_IF_ERROR(plan_codes(name));
    if (!table.counts()) {
      LACUNA_RETURN_IF_ERROR(plan_number(table.response));
      LACUNA_RETURN_IF_ERROR(plan_number(table.shadow));
    }
    if (table.cost_kind == CostKind::kVariable)
      LACUNA_RETURN_IF_ERROR(plan_number(table.cost));
  }
  plan_others();
  return ok_status();
}

files::Position MicrodataReader::position(std::string_view line,
                                          std::size_t number,
                                          std::string_view text) const {
  const auto bytes = static_cast<std::size_t>(text.data() - line.data());
  return {number, characters_in(line.substr(0, bytes)) + 1};
}

Error MicrodataReader::short_record(std::string_view line,
                                    std::size_t number,
                                    const Variable& variable) const {
  std::string message = "the record ends before " + variable.name + ", which ";
  message += metadata_.fixed
                 ? "has characters " + std::to_string(variable.start) + " to " +
                       std::to_string(variable.start + variable.length - 1)
                 : "is field " + std::to_string(&variable - metadata_.variables.data() + 1) +
                       " between '" + std::string(1, metadata_.separator) + "'";
  return {ErrorCode::kBadField,
          std::move(message),
          files::location(path_, {number, characters_in(line) + 1})};
}

Result<std::string_view> MicrodataReader::field(std::string_view line,
                                                std::size_t number,
                                                FieldPlace place) const {
  if (!metadata_.fixed)
    return fields_[place.column];
  const std::string_view text = fixed_.field(line, place.span);
  if (text.size() < place.span.length)
    return short_record(line, number, metadata_.variables[place.column]);
  return text;
}

Status MicrodataReader::take_code(CodeReader& reader,
                                  std::string_view line,
                                  std::size_t number) const {
  LACUNA_TRY(const std::string_view text, field(line, number, reader.place));
  if (text.empty()) {
    return Error{ErrorCode::kEmptyField,
                 "the code of " + reader.variable->name +
                     " is empty, which tau-ARGUS would take for the total",
                 files::location(path_, position(line, number, text))};
  }
  const std::uint32_t id = reader.texts.find_or_add(text);
  if (id == reader.first_seen.size())
    reader.first_seen.push_back(position(line, number, text));
  reader.values.push_back(static_cast<std::int32_t>(id));
  return ok_status();
}

void MicrodataReader::take_request(std::string_view text) {
  std::int8_t kind = 0;
  for (std::size_t i = request_->request_codes.size(); i-- > 0;) {
    const std::string_view code = base::trimmed(request_->request_codes[i]);
    if (!code.empty() && code == base::trimmed(text))
      kind = static_cast<std::int8_t>(i + 1);
  }
  requests_.push_back(kind);
}

Status MicrodataReader::take_number(PlacedNumbers& numbers,
                                    std::string_view line,
                                    std::size_t number) const {
  LACUNA_TRY(const std::string_view text, field(line, number, numbers.place));
  if (auto added = numbers.reader.add(text); !added) {
    return Error{
        added.error().code, added.error().message, location(path_, position(line, number, text))};
  }
  return ok_status();
}

// A record without a key would have the same one as all others without.
Status MicrodataReader::take_record_key(std::string_view line, std::size_t number) {
  LACUNA_TRY(const std::string_view text, field(line, number, record_keys_->place));
  const bool has_digits = text.find_first_of("0123456789") != std::string_view::npos;
  if (has_digits)
    LACUNA_RETURN_IF_ERROR(take_number(*record_keys_, line, number));
  if (!has_digits || !record_keys_->reader.last_is_share())
    return Error{ErrorCode::kBadField,
                 "a record key must be a number from 0 to below 1, such as 0.48151623, not " +
                     base::confidential(base::in_quotes(base::trimmed(text))),
                 files::location(path_, position(line, number, text))};
  return ok_status();
}

Status MicrodataReader::take_record(std::string_view line, std::size_t number) {
  if (metadata_.fixed)
    fixed_.look_at(line);
  else if (!split_fields(line, metadata_.separator, num_fields_, fields_))
    return short_record(line, number, metadata_.variables[fields_.size()]);
  for (CodeReader& reader : codes_)
    LACUNA_RETURN_IF_ERROR(take_code(reader, line, number));
  for (PlacedNumbers& numbers : numbers_)
    LACUNA_RETURN_IF_ERROR(take_number(numbers, line, number));
  if (weights_)
    LACUNA_RETURN_IF_ERROR(take_number(*weights_, line, number));
  if (record_keys_)
    LACUNA_RETURN_IF_ERROR(take_record_key(line, number));
  if (holdings_) {
    LACUNA_TRY(const std::string_view text, field(line, number, holdings_->place));
    holdings_->values.push_back(static_cast<std::int32_t>(holdings_->texts.find_or_add(text)));
  }
  if (request_ != nullptr) {
    LACUNA_TRY(const std::string_view text, field(line, number, request_place_));
    take_request(text);
  }
  ++count_;
  return ok_status();
}

Status MicrodataReader::read(RecordLines& lines, const RunContext& run) {
  std::string_view line;
  for (;;) {
    LACUNA_TRY(const bool more, lines.next(line));
    if (!more)
      break;
    LACUNA_RETURN_IF_ERROR(take_record(line, lines.number()));
    if (count_ % kRecordsBetweenChecks == 0) {
      if (run.should_stop())
        return Error{ErrorCode::kStopped, "the reading was stopped before it was complete", path_};
      if (run.on_progress)
        run.on_progress({"read", lines.fraction()});
    }
  }
  if (count_ == 0)
    return Error{ErrorCode::kNoRows, "the file has no records", path_};
  return ok_status();
}

// Latin-1 becomes UTF-8; codes of free format get the length of their variable.
std::string MicrodataReader::code_as_listed(const CodeReader& reader,
                                            std::string_view text,
                                            std::size_t& cut) {
  auto utf8 = text_of(std::string(text), path_);
  std::string code = utf8 ? std::move(utf8).value() : std::string(text);
  if (metadata_.fixed)
    return code;
  const std::size_t length = reader.variable->length;
  if (characters_in(code) > length) {
    ++cut;
    while (characters_in(code) > length)
      code.pop_back();
  }
  return left_padded(code, length);
}

Result<CodeColumn> MicrodataReader::finish_codes(CodeReader& reader, FileFinder& finder) {
  std::size_t cut = 0;
  std::vector<FoundCode> found;
  for (std::uint32_t id = 0; id < reader.texts.size(); ++id)
    found.push_back({code_as_listed(reader, reader.texts.text(id), cut), reader.first_seen[id]});
  const Variable& variable = *reader.variable;
  if (cut > 0) {
    notes_.push_back(variable.name + ": " + std::to_string(cut) + " codes are longer than its " +
                     std::to_string(variable.length) + " characters and are cut there");
  }
  LACUNA_TRY(const auto tree, find_tree(variable, metadata_.filename, finder));
  LACUNA_TRY(ListedCodes listed,
             list_codes(variable, variable.length, tree, found, CodesAllowed::kLeaves, path_));
  notes_.insert(notes_.end(), listed.notes.begin(), listed.notes.end());
  for (std::int32_t& value : reader.values)
    value = listed.place_of[static_cast<std::size_t>(value)];
  return CodeColumn{std::move(listed.list), std::move(reader.values)};
}

// As many digits as <DECIMALS> says, or as the keys have if that is more: a digit that is not
// written is a 0, and rotating keys makes it count.
Status MicrodataReader::finish_record_keys(Records& records) {
  if (!record_keys_)
    return ok_status();
  const int digits =
      std::max({1, record_key_->decimals.value_or(0), record_keys_->reader.decimals()});
  if (digits > kMostKeyDigits)
    return Error{ErrorCode::kBadField,
                 "the keys of " + record_key_->name + " have " + std::to_string(digits) +
                     " decimals, and " + std::to_string(kMostKeyDigits) + " are the most",
                 files::location(metadata_.filename, record_key_->place)};
  LACUNA_RETURN_IF_ERROR(record_keys_->reader.at_least(digits));
  record_keys_->reader.append_notes(notes_);
  records.keys = record_keys_->reader.take();
  return ok_status();
}

Result<Records> MicrodataReader::finish(FileFinder& finder) {
  Records records;
  records.count = count_;
  for (CodeReader& reader : codes_) {
    LACUNA_TRY(CodeColumn column, finish_codes(reader, finder));
    records.codes.push_back(std::move(column));
  }
  for (PlacedNumbers& numbers : numbers_) {
    numbers.reader.append_notes(notes_);
    records.numbers.push_back(numbers.reader.take());
  }
  if (weights_) {
    weights_->reader.append_notes(notes_);
    records.weights = weights_->reader.take();
  }
  LACUNA_RETURN_IF_ERROR(finish_record_keys(records));
  if (holdings_) {
    records.num_holdings = static_cast<std::int32_t>(holdings_->texts.size());
    records.holdings = std::move(holdings_->values);
  }
  records.requests = std::move(requests_);
  return records;
}

}  // namespace

const CodeColumn* Records::find_codes(std::string_view variable) const {
  for (const CodeColumn& column : codes) {
    if (same_word(column.list.variable, variable))
      return &column;
  }
  return nullptr;
}

const NumberColumn* Records::find_numbers(std::string_view variable) const {
  for (const NumberColumn& column : numbers) {
    if (same_word(column.variable, variable))
      return &column;
  }
  return nullptr;
}

Result<Microdata> read_microdata(const Metadata& metadata,
                                 const std::string& path,
                                 const std::vector<SpecifyTable>& tables,
                                 FileFinder& finder,
                                 const RunContext& run) {
  MicrodataReader reader(metadata, path);
  LACUNA_RETURN_IF_ERROR(reader.plan(tables));
  LACUNA_TRY(auto stream, files::open_byte_stream(path));
  RecordLines lines(std::move(stream));
  LACUNA_RETURN_IF_ERROR(reader.read(lines, run));
  LACUNA_TRY(Records records, reader.finish(finder));
  Microdata data{metadata, path, nullptr, reader.take_notes()};
  data.records = std::make_shared<const Records>(std::move(records));
  return data;
}

}  // namespace lacuna::argus
