// SPDX-License-Identifier: Apache-2.0
#include "apps/serve/look.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "apps/serve/job.h"
#include "data/files/column_files.h"
#include "data/files/file.h"
#include "data/files/text_encoding.h"
#include "data/formats/recognise.h"
#include "data/formats/workbook.h"
#include "data/infer/csv_guess.h"
#include "data/infer/open_table.h"
#include "data/infer/table_guess.h"
#include "data/spec/spec_edit.h"
#include "data/spec/spec_text.h"

namespace lacuna::serve {
namespace {

constexpr std::size_t kMostRows = 500, kMostColumns = 300, kMostText = 200, kSamples = 6;
constexpr std::size_t kMostCodes = 3000;                  // of a column, for its tree
constexpr std::size_t kShownBytes = std::size_t{8} << 20U;  // of a text, as rows

using Rows = std::vector<std::vector<std::string>>;

// What the user has said so far. The file is part of it, whatever it is called there.
Result<JobSpec> said_of(const Json& asked, const std::string& name) {
  Json spec = asked.contains("said") ? asked["said"] : Json::object();
  if (!spec.is_object() || (spec.contains("input") && !spec["input"].is_object()))
    return Error{ErrorCode::kJobValue, "said must be a part of a job", "said"};
  spec["input"]["table"] = name;
  LACUNA_TRY(const spec::SpecValue value, spec::value_from_json(dump(spec), "said"));
  LACUNA_TRY(spec::ReadSpec read, spec::read_spec(spec::in_lists(value), "said"));
  return std::move(read.job);
}

// ---- rows as they stand

struct RawText {
  Rows rows;
  char separator = ';';
  bool whole = true;
};

Result<RawText> text_rows(std::string bytes, const std::string& name, const JobSpec& said) {
  const files::Encoding encoding = said.input.encoding
                                       ? static_cast<files::Encoding>(*said.input.encoding)
                                       : files::likely_encoding(bytes);
  RawText raw;
  if (bytes.size() > kShownBytes) {
    const std::size_t end = bytes.rfind('\n', kShownBytes);
    bytes.resize(end == std::string::npos ? kShownBytes : end + 1);
    raw.whole = false;
  }
  LACUNA_TRY(const std::string text, files::to_utf8(std::move(bytes), encoding, name));
  if (!said.input.separator.empty()) {
    raw.separator = said.input.separator.front();
  } else if (const auto found = infer::guess_separator(text, name)) {
    raw.separator = *found;
  } else if (const char most = infer::separator_of_most(text); most != '\0') {
    raw.separator = most;
  }
  LACUNA_TRY(infer::RawTable table, infer::raw_csv(text, name, raw.separator));
  raw.rows = std::move(table.grid.rows);
  return raw;
}

Rows column_rows(const files::CsvFile& file) {
  Rows rows(1);
  for (std::size_t c = 0; c < file.num_columns(); ++c)
    rows.front().emplace_back(file.header(c));
  for (std::size_t r = 0; r < file.num_rows(); ++r) {
    std::vector<std::string>& row = rows.emplace_back();
    for (std::size_t c = 0; c < file.num_columns(); ++c)
      row.emplace_back(file.field(r, c));
  }
  return rows;
}

// No more of a field than fits on a line, and no half of a character.
std::string cut(std::string text) {
  if (text.size() <= kMostText)
    return text;
  std::size_t end = kMostText;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
    --end;
  return text.substr(0, end) + "…";
}

std::size_t number_in(const Json& asked, const char* name, std::size_t otherwise) {
  const auto found = asked.find(name);
  return found != asked.end() && found->is_number_unsigned() ? found->get<std::size_t>()
                                                             : otherwise;
}

// ---- what they are taken for

std::vector<std::string> kinds_of(const infer::OpenedTable& opened, std::size_t rows) {
  std::vector<std::string> kinds(rows, "other");
  const infer::ShapedTable& table = opened.table;
  const auto mark = [&](const std::vector<std::size_t>& which, const char* kind) {
    for (const std::size_t row : which) {
      if (row < rows)
        kinds[row] = kind;
    }
  };
  if (!table.raw || table.block.rows.empty()) {  // nothing but a heading and its rows
    std::fill(kinds.begin(), kinds.end(), "cell");
    if (!kinds.empty() && (!opened.text || opened.text->has_header))
      kinds.front() = "heading";
    return kinds;
  }
  mark(table.block.rows, "cell");
  mark(table.block.headings, "heading");
  const std::size_t first = table.block.headings.empty() ? table.block.rows.front()
                                                         : table.block.headings.front();
  for (std::size_t row = 0; row < rows; ++row) {
    if (kinds[row] == "other" && row < first)
      kinds[row] = "title";
    else if (kinds[row] == "other" && row > table.block.rows.back())
      kinds[row] = "footnote";
  }
  return kinds;
}

Json column_json(const files::CsvFile& file, std::size_t column) {
  Json sample = Json::array(), codes = Json::array();
  std::set<std::string_view> seen;
  for (std::size_t r = 0; r < file.num_rows(); ++r) {
    const std::string_view text = file.field(r, column);
    if (r < kSamples)
      sample.push_back(cut(std::string(text)));
    if (seen.size() <= kMostCodes && seen.insert(text).second && seen.size() <= kMostCodes)
      codes.push_back(std::string(text));
  }
  const bool many = seen.size() > kMostCodes;
  return {{"name", std::string(file.header(column))},
          {"sample", sample},
          {"numbers", infer::numbers_of(file, column).has_value()},
          {"distinct", many ? Json() : Json(seen.size())},
          {"codes", many ? Json::array() : codes}};
}

Json columns_json(const infer::ShapedTable& table) {
  Json columns = Json::array();
  for (std::size_t c = 0; c < std::min(table.file.num_columns(), kMostColumns); ++c)
    columns.push_back(column_json(table.file, c));
  return columns;
}

Json open_json(const std::vector<Error>& open) {
  Json list = Json::array();
  for (const Error& each : open)
    list.push_back(error_json(each)["error"]);
  return list;
}

class Look {
 public:
  Look(std::string bytes, std::string name, JobSpec said)
      : bytes_(std::move(bytes)), name_(std::move(name)), said_(std::move(said)) {}

  Result<Json> run(const Json& asked) {
    if (bytes_.find_first_not_of(" \t\r\n\xEF\xBB\xBF") == std::string::npos)
      return Error{ErrorCode::kNoRows, "the file is empty", name_};
    const formats::Format format = formats::recognise(bytes_);
    const bool is_text = format == formats::Format::kUnknown && !is_binary();
    if (format == formats::Format::kUnknown && !is_text && !files::holds_columns(bytes_, name_))
      return Error{ErrorCode::kOtherContent,
                   "the file holds no text, and is in no format that is read",
                   name_};
    open_table();
    guess();
    if (!is_text && !opened_ && failure_ && failure_->kind() == ErrorKind::kUnsupported)
      return *failure_;  // of another kind, which is no question of how it is read
    LACUNA_RETURN_IF_ERROR(find_rows(format, is_text));
    show_rows(asked, is_text);
    return std::move(told_);
  }

 private:
  bool is_binary() const {
    const std::string_view start = std::string_view(bytes_).substr(0, 4096);
    const bool wide = files::likely_encoding(bytes_) == files::Encoding::kUtf16;
    return !wide && start.find('\0') != std::string_view::npos;
  }

  void open_table() {
    infer::TableFileStyle style = infer::style_said(said_);
    style.alone = true;
    auto opened = infer::open_tables(bytes_, name_, style);
    if (opened)
      opened_.emplace(std::move(std::move(opened).value().front()));
    told_["columns"] = opened_ ? columns_json(opened_->table) : Json::array();
    told_["rows_read"] = opened_ ? Json(opened_->table.file.num_rows()) : Json();
    told_["has_header"] = !opened_ || !opened_->text || opened_->text->has_header;
    Json encoding;
    if (opened_ && opened_->text)
      encoding = enum_names(SpecEncoding{})[static_cast<std::size_t>(opened_->text->encoding)];
    told_["encoding"] = encoding;
  }

  // What is not certain is open; of a file in which no table is found nothing else is known.
  void guess() {
    const auto guessed = infer::guess_as_far(bytes_, name_, name_, said_);
    JobSpec nothing;
    nothing.input = said_.input;
    const std::string text = guessed ? guessed->text() : spec::spec_toml(nothing);
    told_["job"] = job_json(text, name_);
    if (!guessed)
      failure_ = guessed.error();
    told_["open"] = guessed ? open_json(guessed->open) : open_json({guessed.error()});
    told_["notes"] = guessed ? Json(guessed->notes) : Json::array();
    told_["wide"] = Json::array();
    if (guessed && opened_ && !guessed->job.input.wide.empty()) {
      for (const std::size_t column :
           infer::wide_columns(opened_->table, infer::shape_choice_of(said_)))
        told_["wide"].push_back(column);
    }
  }

  Status find_rows(formats::Format format, bool is_text) {
    const bool is_book = format == formats::Format::kXlsx || format == formats::Format::kXls ||
                         format == formats::Format::kOds;
    Json sheets = Json::array();
    if (is_text) {
      LACUNA_TRY(RawText raw, text_rows(bytes_, name_, said_));
      rows_ = std::move(raw.rows);
      whole_ = raw.whole;
      told_["separator"] = std::string(1, raw.separator);
    } else if (is_book) {
      LACUNA_TRY(const std::vector<formats::Grid> grids, formats::read_workbook(bytes_, name_));
      const formats::Grid* shown = nullptr;
      const std::string wanted = said_.input.sheet.empty() ? "" : said_.input.sheet.front();
      for (const formats::Grid& grid : grids) {
        sheets.push_back({{"name", grid.name}, {"hidden", grid.is_hidden}});
        const bool found = opened_ && opened_->table.name == grid.name;
        if (shown == nullptr || grid.name == wanted || (wanted.empty() && found))
          shown = &grid;
      }
      rows_ = shown->rows;
      told_["sheet"] = shown->name;
      told_["first_line"] = shown->first_row + 1;
    } else if (opened_ && opened_->table.raw && !opened_->table.raw->grid.rows.empty() &&
               opened_->table.raw->grid.columns.empty()) {
      rows_ = opened_->table.raw->grid.rows;
    } else if (opened_) {
      rows_ = column_rows(opened_->table.file);
    }
    told_["sheets"] = sheets;
    return ok_status();
  }

  void show_rows(const Json& asked, bool is_text) {
    const std::vector<std::string> kinds =
        opened_ ? kinds_of(*opened_, rows_.size()) : std::vector<std::string>(rows_.size(), "other");
    const std::size_t first = std::min(number_in(asked, "first", 0), rows_.size());
    const std::size_t last =
        std::min(rows_.size(), first + std::min(number_in(asked, "rows", 100), kMostRows));
    Json rows = Json::array(), shown = Json::array();
    std::size_t widest = 0;
    for (const auto& row : rows_)
      widest = std::max(widest, row.size());
    for (std::size_t r = first; r < last; ++r) {
      Json& row = rows.emplace_back(Json::array());
      for (std::size_t c = 0; c < std::min(rows_[r].size(), kMostColumns); ++c)
        row.push_back(cut(rows_[r][c]));
      shown.push_back(kinds[r]);
    }
    told_["text"] = is_text;
    told_["raw"] = {{"first", first},
                    {"total", rows_.size()},
                    {"columns", std::min(widest, kMostColumns)},
                    {"whole", whole_},
                    {"rows", rows},
                    {"kinds", shown}};
  }

  std::string bytes_, name_;
  JobSpec said_;
  std::optional<infer::OpenedTable> opened_;
  std::optional<Error> failure_;
  Rows rows_;
  bool whole_ = true;
  Json told_ = Json::object();
};

}  // namespace

Result<Json> look_at(const Files& files, const Json& asked) {
  const std::string file = text_member(asked, "file");
  LACUNA_TRY(const std::string path, files.path_of(file));
  const std::string name = std::filesystem::path(path).filename().string();
  LACUNA_TRY(JobSpec said, said_of(asked, name));
  LACUNA_TRY(std::string bytes, files::read_file(path));
  return Look(std::move(bytes), name, std::move(said)).run(asked);
}

}  // namespace lacuna::serve
