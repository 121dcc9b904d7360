// SPDX-License-Identifier: Apache-2.0
#include "data/formats/stat_library/stat_parse.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <utility>

#include "core/base/quotes.h"
#include "data/formats/sheet_cells.h"

namespace lacuna::formats {
namespace {

struct ParserEnd {
  void operator()(readstat_parser_t* parser) const { readstat_parser_free(parser); }
};
using Parser = std::unique_ptr<readstat_parser_t, ParserEnd>;

std::string text_of(const char* text) {
  return text == nullptr ? std::string() : std::string(text);
}

// Labels are kept by the text of their value; those of missing values are not asked for.
std::string label_key(const readstat_value_t& value) {
  return stat_text(StatKind::kSpss, StatTime::kNone, nullptr, value);
}

}  // namespace

std::string stat_text(StatKind kind,
                      StatTime time,
                      readstat_variable_t* variable,
                      const readstat_value_t& value) {
  if (value.type == READSTAT_TYPE_STRING || value.type == READSTAT_TYPE_STRING_REF) {
    const bool is_missing =
        variable != nullptr && readstat_value_is_defined_missing(value, variable) != 0;
    return is_missing ? "" : text_of(readstat_string_value(value));
  }
  const bool is_missing = variable == nullptr ? readstat_value_is_system_missing(value) != 0 ||
                                                    readstat_value_is_tagged_missing(value) != 0
                                              : readstat_value_is_missing(value, variable) != 0;
  if (is_missing)
    return "";
  if (time != StatTime::kNone)
    return stat_time_text(kind, time, readstat_double_value(value));
  if (value.type == READSTAT_TYPE_FLOAT)
    return plain_number(readstat_float_value(value));
  return plain_number(readstat_double_value(value));
}

// No exception goes through C: what is thrown stops the parser and is told afterwards.
struct StatRun::Handlers {
  template <class Work>
  static int guarded(void* context, Work work) {
    auto& run = *static_cast<StatRun*>(context);
    try {
      return work(run);
    } catch (const std::exception& error) {
      run.trouble_ = error.what();
      return READSTAT_HANDLER_ABORT;
    }
  }

  static int open(const char*, void*) { return 0; }
  static int close(void*) { return 0; }
  static readstat_off_t seek(readstat_off_t offset, readstat_io_flags_t whence, void* context) {
    auto& run = *static_cast<StatRun*>(context);
    const auto size = static_cast<readstat_off_t>(run.input_.size());
    readstat_off_t at = offset;
    if (whence == READSTAT_SEEK_CUR)
      at += static_cast<readstat_off_t>(run.at_.load());
    else if (whence == READSTAT_SEEK_END)
      at += size;
    if (at < 0 || at > size)
      return -1;
    run.at_ = static_cast<std::uint64_t>(at);
    return at;
  }
  static ssize_t read(void* target, std::size_t size, void* context) {
    auto& run = *static_cast<StatRun*>(context);
    const std::uint64_t left = run.input_.size() - run.at_;
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(size, left));
    if (count > 0 && !run.input_.read(run.at_, static_cast<char*>(target), count))
      return -1;
    run.at_ += count;
    return static_cast<ssize_t>(count);
  }
  static int metadata(readstat_metadata_t* metadata, void* context) {
    return guarded(context, [&](StatRun& run) {
      run.head_.rows = readstat_get_row_count(metadata);
      return READSTAT_HANDLER_OK;
    });
  }
  static int variable(int index, readstat_variable_t* variable, const char* labels, void* context) {
    return guarded(context, [&](StatRun& run) -> int {
      if (!run.wanted_.empty()) {
        const auto at = static_cast<std::size_t>(index);
        return at < run.wanted_.size() && run.wanted_[at] != 0 ? READSTAT_HANDLER_OK
                                                               : READSTAT_HANDLER_SKIP_VARIABLE;
      }
      StatVariable& added = run.head_.variables.emplace_back();
      added.column.name = text_of(readstat_variable_get_name(variable));
      added.column.label = text_of(readstat_variable_get_label(variable));
      added.column.is_text =
          readstat_variable_get_type_class(variable) == READSTAT_TYPE_CLASS_STRING;
      if (!added.column.is_text)
        added.time = stat_time(run.kind_, text_of(readstat_variable_get_format(variable)));
      added.label_set = text_of(labels);
      return READSTAT_HANDLER_OK;
    });
  }
  static int label(const char* set, readstat_value_t value, const char* label, void* context) {
    return guarded(context, [&](StatRun& run) {
      std::string key = label_key(value);
      if (!key.empty() && label != nullptr && *label != '\0')
        run.labels_[text_of(set)].emplace_back(std::move(key), label);
      return READSTAT_HANDLER_OK;
    });
  }
  static int value(int row, readstat_variable_t* variable, readstat_value_t value, void* context) {
    return guarded(context, [&](StatRun& run) -> int {
      const auto index = static_cast<std::size_t>(readstat_variable_get_index(variable));
      return run.values_(row, index, variable, value) ? READSTAT_HANDLER_OK
                                                      : READSTAT_HANDLER_ABORT;
    });
  }
  static void error(const char* message, void* context) {
    auto& run = *static_cast<StatRun*>(context);
    if (run.library_says_.empty())
      run.library_says_ = text_of(message);
  }
};

Result<StatFileHead> StatRun::head() {
  wanted_.clear();
  values_ = nullptr;
  LACUNA_TRY(const bool done, run());
  (void)done;
  for (StatVariable& variable : head_.variables) {
    const auto found = labels_.find(variable.label_set);
    if (!variable.label_set.empty() && found != labels_.end())
      variable.column.labels = found->second;
  }
  head_.kind = kind_;
  return std::move(head_);
}

Result<bool> StatRun::rows(const std::vector<char>& wanted, StatValues values) {
  wanted_ = wanted;
  values_ = std::move(values);
  return run();
}

double StatRun::fraction() const {
  const std::uint64_t size = input_.size();
  return size == 0 ? 1 : static_cast<double>(at_) / static_cast<double>(size);
}

Result<bool> StatRun::run() {
  at_ = 0;
  const Parser parser(readstat_parser_init());
  readstat_parser_t* p = parser.get();
  if (p == nullptr)
    return Error{ErrorCode::kNoMemory, "there is no memory to read a data set", ""};
  readstat_set_open_handler(p, Handlers::open);
  readstat_set_close_handler(p, Handlers::close);
  readstat_set_seek_handler(p, Handlers::seek);
  readstat_set_read_handler(p, Handlers::read);
  // How far it is, our own handlers know.
  readstat_set_update_handler(
      p, [](auto, readstat_progress_handler, void*, void*) { return READSTAT_OK; });
  readstat_set_io_ctx(p, this);
  readstat_set_error_handler(p, Handlers::error);
  readstat_set_variable_handler(p, Handlers::variable);
  if (values_) {
    readstat_set_value_handler(p, Handlers::value);
  } else {
    readstat_set_metadata_handler(p, Handlers::metadata);
    readstat_set_value_label_handler(p, Handlers::label);
  }
  if (!encoding_.empty())
    readstat_set_file_character_encoding(p, encoding_.c_str());
  using Parse = readstat_error_t (*)(readstat_parser_t*, const char*, void*);
  Parse parse = readstat_parse_sav;
  if (kind_ == StatKind::kSas7bdat)
    parse = readstat_parse_sas7bdat;
  else if (kind_ == StatKind::kSasXport)
    parse = readstat_parse_xport;
  else if (kind_ == StatKind::kStata)
    parse = readstat_parse_dta;
  else if (kind_ == StatKind::kSpssPortable)
    parse = readstat_parse_por;
  const readstat_error_t outcome = parse(p, "", this);
  if (!trouble_.empty())
    return Error{ErrorCode::kNoMemory, "the data set cannot be read: " + trouble_, ""};
  if (outcome == READSTAT_ERROR_USER_ABORT)
    return false;
  if (outcome == READSTAT_ERROR_UNSUPPORTED_CHARSET ||
      outcome == READSTAT_ERROR_CONVERT_BAD_STRING || outcome == READSTAT_ERROR_CONVERT)
    return Error{ErrorCode::kOtherFormat,
                 "the texts of the data set are not in the encoding that it says, or in one that "
                 "this system does not know: save it in UTF-8",
                 ""};
  if (outcome == READSTAT_ERROR_MALLOC)
    return Error{ErrorCode::kDamaged,
                 "the data set asks for more memory than its size allows: it is damaged",
                 ""};
  if (outcome != READSTAT_OK)
    return Error{
        ErrorCode::kDamaged,
        "the data set cannot be read (" + std::string(readstat_error_message(outcome)) +
            (library_says_.empty() ? "" : ": " + base::in_quotes(library_says_)) +
            "): it is damaged or of a version that is not known; save it again, or as .csv",
        ""};
  return true;
}

}  // namespace lacuna::formats
