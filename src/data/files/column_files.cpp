// SPDX-License-Identifier: Apache-2.0
#include "data/files/column_files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <utility>

#include "core/base/nearest.h"
#include "data/columns/arrow_reader.h"
#include "core/platform/memory_file.h"
#include "data/columns/parquet_reader.h"
#include "data/files/confinement.h"
#include "data/files/file.h"

namespace lacuna::files {
namespace {

constexpr std::size_t kRowsOfBlock = 16'384;
// Of a table, which must fit memory: so many fields, and as many more for each byte of the file.
// Columns without values take no room there.
constexpr std::uint64_t kMostFields = 4'000'000;
constexpr std::uint64_t kFieldsPerByte = 64;

Error of_file(Error error, const std::string& name) {
  if (error.where.empty())
    error.where = name;
  return error;
}

class TextInput : public columns::ByteInput {
 public:
  explicit TextInput(std::string text) : text_(std::move(text)) {}
  std::uint64_t size() const override { return text_.size(); }
  Status read(std::uint64_t offset, char* target, std::size_t size) override {
    text_.copy(target, size, offset);
    return ok_status();
  }

 private:
  std::string text_;
};

class FileInput : public columns::ByteInput {  // a file that need not fit memory
 public:
  FileInput(std::ifstream file, std::uint64_t size) : file_(std::move(file)), size_(size) {}
  std::uint64_t size() const override { return size_; }
  Status read(std::uint64_t offset, char* target, std::size_t size) override {
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(offset));
    file_.read(target, static_cast<std::streamsize>(size));
    if (!file_)
      return Error{ErrorCode::kFileUnreadable, "the file cannot be read", ""};
    return ok_status();
  }

 private:
  std::ifstream file_;
  std::uint64_t size_;
};

Error unreadable(const columns::ColumnInfo& column, const std::string& name) {
  return {ErrorCode::kOtherFormat,
          "column " + column.name + " " + column.unreadable +
              ", and only text, numbers, dates and truth values are read: leave it out of the file "
              "or write it as text",
          name};
}

std::string place(const std::string& name, std::uint64_t row, const std::string& column) {
  return (name.empty() ? "" : name + ", ") + "row " + std::to_string(row) + ", column " + column;
}

// Some rows of batches: what a block's fields point into.
struct HeldRows {
  struct Piece {
    std::shared_ptr<const columns::ColumnBatch> batch;
    columns::RowRange rows;
  };
  std::vector<Piece> pieces;
  columns::TextArena arena;
};

class ColumnRecords : public RecordSource {
 public:
  ColumnRecords(std::unique_ptr<columns::ColumnSource> source, std::string name)
      : source_(std::move(source)), name_(std::move(name)) {}

  Status select(std::span<const std::string> columns) override {
    std::vector<std::size_t> numbers;
    for (const std::string& wanted : columns) {
      LACUNA_TRY(const std::size_t number, find(wanted));
      numbers.push_back(number);
    }
    selected_.assign(columns.begin(), columns.end());
    batch_ = nullptr;
    used_ = 0;
    row_ = 1;
    at_end_ = false;
    if (const Status status = source_->select(numbers); !status)
      return of_file(status.error(), name_);
    return ok_status();
  }

  Result<bool> read(RecordBlock& block) override {
    auto held = std::static_pointer_cast<HeldRows>(block.held);
    if (!held) {
      held = std::make_shared<HeldRows>();
      block.held = held;
    }
    held->pieces.clear();
    block.first = row_;
    block.num_records = 0;
    while (block.num_records < kRowsOfBlock) {
      if (!batch_ || used_ == batch_->num_rows()) {
        LACUNA_RETURN_IF_ERROR(next_batch());
        if (!batch_)
          break;
      }
      const std::size_t count =
          std::min(batch_->num_rows() - used_, kRowsOfBlock - block.num_records);
      held->pieces.push_back({batch_, {used_, count}});
      used_ += count;
      block.num_records += count;
    }
    row_ += block.num_records;
    return block.num_records > 0;
  }

  Status split(RecordBlock& block) const override {
    HeldRows& held = *std::static_pointer_cast<HeldRows>(block.held);
    held.arena.clear();
    const std::size_t width = selected_.size();
    block.fields.resize(block.num_records * width);
    std::size_t done = 0;
    for (const HeldRows::Piece& piece : held.pieces) {
      for (std::size_t c = 0; c < width; ++c) {
        const auto trouble = piece.batch->texts(
            c, piece.rows, held.arena, block.fields.data() + done * width + c, width);
        if (trouble) {
          const std::size_t record = done + trouble->row - piece.rows.first;
          return Error{ErrorCode::kBadField, trouble->message, where(block, record, c)};
        }
      }
      done += piece.rows.count;
    }
    return ok_status();
  }

  std::string where(const RecordBlock& block,
                    std::size_t record,
                    std::size_t column) const override {
    return place(name_, block.first + record, selected_[column]);
  }
  double fraction() const override { return source_->fraction(); }

 private:
  Result<std::size_t> find(const std::string& wanted) const {
    const std::vector<columns::ColumnInfo>& columns = source_->columns();
    std::vector<std::string_view> known;
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      known.push_back(columns[i].name);
      if (columns[i].name == wanted)
        found.push_back(i);
    }
    if (found.empty()) {
      return Error{ErrorCode::kMissingColumn,
                   "there is no column '" + wanted + "'" + base::did_you_mean(wanted, known),
                   name_};
    }
    if (found.size() > 1)
      return Error{ErrorCode::kRepeatedColumn, "two columns have the name '" + wanted + "'", name_};
    if (!columns[found.front()].unreadable.empty())
      return unreadable(columns[found.front()], name_);
    return found.front();
  }

  Status next_batch() {
    batch_ = nullptr;
    used_ = 0;
    if (at_end_)
      return ok_status();
    auto next = source_->next();
    if (!next)
      return of_file(next.error(), name_);
    batch_ = std::move(next).value();
    at_end_ = batch_ == nullptr;
    return ok_status();
  }

  std::unique_ptr<columns::ColumnSource> source_;
  std::string name_;
  std::vector<std::string> selected_;
  std::shared_ptr<const columns::ColumnBatch> batch_;  // the one whose rows are being handed out
  std::size_t used_ = 0;                               // rows of it
  std::uint64_t row_ = 1;
  bool at_end_ = false;
};

bool is_parquet(const std::string& path) {
  return path.ends_with(".parquet");
}

bool is_index(const std::string& name) {
  return name.starts_with("__index_level_") && name.ends_with("__");
}

Status add_batch(const columns::ColumnBatch& batch,
                 std::span<const std::string> names,
                 const std::string& name,
                 std::vector<std::vector<std::string>>& columns) {
  std::vector<std::string_view> texts(std::min(batch.num_rows(), kRowsOfBlock));
  for (std::size_t first = 0; first < batch.num_rows(); first += kRowsOfBlock) {
    const columns::RowRange rows{first, std::min(kRowsOfBlock, batch.num_rows() - first)};
    for (std::size_t c = 0; c < names.size(); ++c) {
      columns::TextArena arena;
      if (const auto trouble = batch.texts(c, rows, arena, texts.data(), 1)) {
        const std::size_t row = columns[c].size() + trouble->row - first + 1;
        return Error{ErrorCode::kBadField, trouble->message, place(name, row, names[c])};
      }
      for (std::size_t i = 0; i < rows.count; ++i)
        columns[c].emplace_back(texts[i]);
    }
  }
  return ok_status();
}

Result<CsvFile> table_of(columns::ColumnSource& source,
                         const std::string& name,
                         std::uint64_t bytes) {
  std::vector<std::size_t> numbers;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < source.columns().size(); ++i) {
    const columns::ColumnInfo& column = source.columns()[i];
    if (is_index(column.name))
      continue;
    if (!column.unreadable.empty())
      return unreadable(column, name);
    numbers.push_back(i);
    names.push_back(column.name);
  }
  if (names.empty())
    return Error{ErrorCode::kNoRows, "the file has no columns", name};
  LACUNA_RETURN_IF_ERROR(source.select(numbers));
  std::vector<std::vector<std::string>> columns(names.size());
  for (;;) {
    LACUNA_TRY(const auto batch, source.next());
    if (!batch)
      return CsvFile::from_columns(names, columns, name);
    const std::uint64_t rows = columns.front().size() + batch->num_rows();
    if (rows > (kMostFields + kFieldsPerByte * bytes) / names.size())
      return Error{ErrorCode::kOtherFormat,
                   "the file has far more rows than bytes to fill them: it is not a table",
                   name};
    LACUNA_RETURN_IF_ERROR(add_batch(*batch, names, name, columns));
  }
}

}  // namespace

bool is_column_file(const std::string& path) {
  return is_parquet(path) || path.ends_with(".arrow") || path.ends_with(".arrows") ||
         path.ends_with(".feather");
}

bool holds_columns(std::string_view bytes, const std::string& name) {
  return is_column_file(name) || bytes.starts_with("ARROW1");
}

Result<CsvFile> column_table(std::string bytes, const std::string& name) {
  std::optional<platform::MemoryFile> file;  // outlives the source
  const std::uint64_t size = bytes.size();
  Result<std::unique_ptr<columns::ColumnSource>> source =
      [&]() -> Result<std::unique_ptr<columns::ColumnSource>> {
    if (!is_parquet(name))
      return columns::open_arrow(std::make_unique<TextInput>(std::move(bytes)));
    LACUNA_TRY(file, platform::MemoryFile::make(bytes));
    bytes.clear();
    return columns::open_parquet(file->path(), 1);
  }();
  if (!source)
    return of_file(source.error(), name);
  auto table = table_of(**source, name, size);
  return table ? std::move(table) : of_file(table.error(), name);
}

Result<CsvFile> column_table(columns::ColumnSource& source, const std::string& name) {
  // Whoever holds the columns has room for them.
  constexpr std::uint64_t kAnySize =
      std::numeric_limits<std::uint64_t>::max() / (2 * kFieldsPerByte);
  auto table = table_of(source, name, kAnySize);
  return table ? std::move(table) : of_file(table.error(), name);
}

Result<std::string> columns_as_csv(std::string bytes, const std::string& name) {
  if (!holds_columns(bytes, name))
    return bytes;
  LACUNA_TRY(const CsvFile file, column_table(std::move(bytes), name));
  constexpr char kSeparator = ';';
  std::string text;
  const auto add = [&](std::size_t column, std::string_view field) {
    text += csv_quoted(field, kSeparator);
    text += column + 1 < file.num_columns() ? kSeparator : '\n';
  };
  for (std::size_t c = 0; c < file.num_columns(); ++c)
    add(c, file.header(c));
  for (std::size_t row = 0; row < file.num_rows(); ++row) {
    for (std::size_t c = 0; c < file.num_columns(); ++c)
      add(c, file.field(row, c));
  }
  return text;
}

std::unique_ptr<columns::ByteInput> text_byte_input(std::string text) {
  return std::make_unique<TextInput>(std::move(text));
}

Result<std::unique_ptr<columns::ByteInput>> open_byte_input(const std::string& path) {
  LACUNA_RETURN_IF_ERROR(check_readable(path));
  std::error_code trouble;
  const std::uint64_t size = std::filesystem::file_size(path, trouble);
  std::ifstream file(path, std::ios::binary);
  if (!trouble && file && std::filesystem::is_regular_file(path, trouble))
    return std::unique_ptr<columns::ByteInput>(std::make_unique<FileInput>(std::move(file), size));
  LACUNA_TRY(std::string text, read_file(path));  // pipes, and what cannot be read at all
  return text_byte_input(std::move(text));
}

Result<std::unique_ptr<RecordSource>> open_column_records(const std::string& path, int threads) {
  LACUNA_TRY(auto input, open_byte_input(path));  // one message for files that are not there
  auto source = is_parquet(path) ? columns::open_parquet(path, threads)
                                 : columns::open_arrow(std::move(input));
  if (!source)
    return of_file(source.error(), path);
  return column_records(std::move(source).value(), path);
}

std::unique_ptr<RecordSource> column_records(std::unique_ptr<columns::ColumnSource> source,
                                             const std::string& name) {
  return std::make_unique<ColumnRecords>(std::move(source), name);
}

}  // namespace lacuna::files
