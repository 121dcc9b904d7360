// SPDX-License-Identifier: Apache-2.0
#include "data/columns/arrow_c_reader.h"

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "data/columns/arrow_c_schema.h"
#include "data/columns/arrow_column.h"

namespace lacuna::columns {
namespace {

constexpr std::int64_t kMostRows = std::int64_t{1} << 48U;  // so that no number of bytes overflows
constexpr std::int64_t kMostEntries = (std::int64_t{1} << 31U) - 1;  // of a dictionary
constexpr std::int64_t kMostPieces = 1 << 24;

Error damaged(const std::string& what) {
  return {ErrorCode::kDamaged, "the Arrow data are damaged: " + what, ""};
}

// One of the interface's structs, released in the end.
template <class Struct>
class Owned {
 public:
  Owned() = default;
  explicit Owned(Struct& taken) : value_(std::exchange(taken, Struct{})) {}
  Owned(Owned&& other) noexcept : value_(std::exchange(other.value_, Struct{})) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    if (is_there())
      value_.release(&value_);
  }
  bool is_there() const { return value_.release != nullptr; }
  Struct* get() { return &value_; }
  const Struct& operator*() const { return value_; }
  const Struct* operator->() const { return &value_; }

 private:
  Struct value_{};
};

struct HeldBatch {
  Owned<ArrowArray> array;
  std::vector<std::shared_ptr<const ArrowTexts>> dictionaries;  // per column, if it was selected
};

bool has_good_rows(const ArrowArray& array) {
  return array.release != nullptr && array.length >= 0 && array.offset >= 0 &&
         array.length <= kMostRows && array.offset <= kMostRows;
}

// Hands the buffers of an array to a column.
class ColumnMaker {
 public:
  // `rows` are counted from the array's own offset.
  ColumnMaker(const ArrowArray& array, const ArrowField& field, RowRange rows)
      : array_(array), field_(field), rows_(rows) {}

  Result<ArrowColumn> make() {
    if (!has_good_rows(array_) || static_cast<std::size_t>(array_.length) < end_of_rows())
      return damaged("column " + field_.name + " and its batch have different numbers of rows");
    column_.field = &field_;
    column_.offset = static_cast<std::size_t>(array_.offset) + rows_.first;
    end_ = column_.offset + rows_.count;
    if (rows_.count > 0 && (field_.dictionary || field_.type.id != ArrowTypeId::kNull))
      LACUNA_RETURN_IF_ERROR(take_buffers());
    return std::move(column_);
  }

 private:
  std::size_t end_of_rows() const { return rows_.first + rows_.count; }
  Error lacks(const std::string& what) const {
    return damaged("column " + field_.name + " lacks " + what);
  }
  Result<const char*> buffer(std::int64_t number, const char* what) const {
    if (array_.buffers == nullptr || number >= array_.n_buffers ||
        array_.buffers[number] == nullptr)
      return lacks(what);
    return static_cast<const char*>(array_.buffers[number]);
  }

  Status take_buffers() {
    if (array_.buffers == nullptr || array_.n_buffers < 2)
      return lacks("its values");
    column_.validity = static_cast<const unsigned char*>(array_.buffers[0]);
    if (column_.validity == nullptr && array_.null_count > 0)
      return lacks("the marks of its nulls");
    if (field_.dictionary)
      return take_values(field_.dictionary->index.width * 8);
    switch (field_.type.id) {
      case ArrowTypeId::kUtf8:
        return take_text<std::int32_t>();
      case ArrowTypeId::kLargeUtf8:
        return take_text<std::int64_t>();
      case ArrowTypeId::kUtf8View:
        return take_views();
      case ArrowTypeId::kBool:
        return take_values(1);
      default:
        return take_values(field_.type.plain()->width * 8);
    }
  }

  Status take_values(std::size_t bits) {
    LACUNA_TRY(const char* const values, buffer(1, "its values"));
    column_.values = {values, (end_ * bits + 7) / 8};
    return ok_status();
  }

  template <class Offset>
  Status take_text() {
    LACUNA_TRY(const char* const offsets, buffer(1, "its offsets"));
    column_.values = {offsets, (end_ + 1) * sizeof(Offset)};
    const auto* const bytes = arrow_bytes(column_.values);
    const auto first = load<Offset>(bytes, column_.offset);
    const auto last = load<Offset>(bytes, end_);
    if (first < 0 || last < first)
      return damaged("the offsets of column " + field_.name + " do not rise");
    if (last == first)
      return take_empty_text(last);
    LACUNA_TRY(const char* const letters, buffer(2, "its text"));
    column_.letters = {letters, static_cast<std::size_t>(last)};
    return ok_status();
  }

  // Texts that are all empty need no buffer; they end where it would.
  Status take_empty_text(std::int64_t end) {
    const bool has_letters = array_.n_buffers > 2 && array_.buffers[2] != nullptr;
    if (!has_letters && end != 0)
      return lacks("its text");
    column_.letters = {has_letters ? static_cast<const char*>(array_.buffers[2]) : "",
                       static_cast<std::size_t>(end)};
    return ok_status();
  }

  // After the views come pieces of text, and then how long each piece is.
  Status take_views() {
    LACUNA_RETURN_IF_ERROR(take_values(kArrowViewBytes * 8));
    const std::int64_t pieces = array_.n_buffers - 3;
    if (pieces < 0 || pieces > kMostPieces)
      return lacks("the lengths of its text");
    if (pieces == 0)
      return ok_status();
    LACUNA_TRY(const char* const lengths, buffer(array_.n_buffers - 1, "the lengths of its text"));
    for (std::int64_t i = 0; i < pieces; ++i) {
      std::int64_t length = 0;
      std::memcpy(&length, lengths + i * 8, sizeof(length));
      const auto* const piece = static_cast<const char*>(array_.buffers[2 + i]);
      if (length < 0 || (length > 0 && piece == nullptr))
        return lacks("its text");
      column_.pieces.emplace_back(piece, static_cast<std::size_t>(length));
    }
    return ok_status();
  }

  const ArrowArray& array_;
  const ArrowField& field_;
  RowRange rows_;
  std::size_t end_ = 0;  // of the rows, from the begin of the buffers
  ArrowColumn column_;
};

Result<std::shared_ptr<const ArrowTexts>> dictionary_texts(const ArrowArray* array,
                                                           const ArrowField& field,
                                                           bool nan_is_null) {
  if (array == nullptr || array->length < 0 || array->length > kMostEntries)
    return damaged("column " + field.name + " lacks its dictionary");
  ArrowField values = field;
  values.dictionary.reset();
  const RowRange rows{0, static_cast<std::size_t>(array->length)};
  LACUNA_TRY(ArrowColumn column, ColumnMaker(*array, values, rows).make());
  column.nan_is_null = nan_is_null;
  auto texts = std::make_shared<ArrowTexts>();
  texts->texts.resize(rows.count);
  if (const auto trouble = arrow_texts(column, rows, texts->arena, texts->texts.data(), 1))
    return Error{ErrorCode::kDamaged, "column " + field.name + ": " + trouble->message, ""};
  return std::shared_ptr<const ArrowTexts>(std::move(texts));
}

class StreamBatch : public ColumnBatch {
 public:
  StreamBatch(std::shared_ptr<const ArrowCSchema> schema,
              std::shared_ptr<const HeldBatch> held,
              std::vector<ArrowColumn> columns)
      : schema_(std::move(schema)), held_(std::move(held)), columns_(std::move(columns)) {}

  std::size_t num_rows() const override { return static_cast<std::size_t>(held_->array->length); }
  std::optional<ColumnTrouble> texts(std::size_t column,
                                     RowRange rows,
                                     TextArena& arena,
                                     std::string_view* target,
                                     std::size_t stride) const override {
    return arrow_texts(columns_[column], rows, arena, target, stride);
  }

 private:
  std::shared_ptr<const ArrowCSchema> schema_;  // the columns point into both
  std::shared_ptr<const HeldBatch> held_;
  std::vector<ArrowColumn> columns_;
};

class StreamSource : public ColumnSource {
 public:
  StreamSource(Owned<ArrowArrayStream> stream, const ArrowStreamOptions& options)
      : stream_(std::move(stream)), options_(options) {}

  Status open() {
    Owned<ArrowSchema> schema;
    if (stream_->get_schema == nullptr || stream_->get_next == nullptr)
      return damaged("the stream cannot be asked");
    if (const int code = stream_->get_schema(stream_.get(), schema.get()); code != 0)
      return failed(code);
    LACUNA_TRY(ArrowCSchema read, read_c_schema(*schema));
    schema_ = std::make_shared<const ArrowCSchema>(std::move(read));
    return ok_status();
  }

  const std::vector<ColumnInfo>& columns() const override { return schema_->columns; }
  // How many batches will come is not known before the last one.
  double fraction() const override {
    if (stream_.is_there())
      return 0.0;
    return batches_.empty() ? 1.0
                            : static_cast<double>(next_) / static_cast<double>(batches_.size());
  }

  Status select(std::span<const std::size_t> columns) override {
    for (const std::size_t column : columns) {
      const ColumnInfo& info = schema_->columns[column];
      if (!info.unreadable.empty())
        return Error{ErrorCode::kOtherFormat, "column " + info.name + " " + info.unreadable, ""};
    }
    selected_.assign(columns.begin(), columns.end());
    next_ = 0;
    return ok_status();
  }

  Result<std::shared_ptr<const ColumnBatch>> next() override {
    if (next_ == batches_.size()) {
      LACUNA_TRY(const bool more, read_batch());
      if (!more)
        return std::shared_ptr<const ColumnBatch>();
    }
    const std::shared_ptr<HeldBatch>& held = batches_[next_++];
    std::vector<ArrowColumn> columns;
    for (const std::size_t number : selected_) {
      LACUNA_TRY(ArrowColumn column, make_column(*held, number));
      columns.push_back(std::move(column));
    }
    return std::shared_ptr<const ColumnBatch>(
        std::make_shared<StreamBatch>(schema_, held, std::move(columns)));
  }

 private:
  // What the producer says of it may hold values, and is left with the producer.
  static Error failed(int code) {
    return {ErrorCode::kDamaged,
            "the program that makes the Arrow data reports an error (" +
                std::string(std::strerror(code)) + "): make them there first to see it",
            ""};
  }

  // The next one that has rows, or false at the end.
  Result<bool> read_batch() {
    while (stream_.is_there()) {
      Owned<ArrowArray> array;
      if (const int code = stream_->get_next(stream_.get(), array.get()); code != 0)
        return failed(code);
      if (!array.is_there()) {
        stream_ = Owned<ArrowArrayStream>();
        return false;
      }
      LACUNA_RETURN_IF_ERROR(check(*array));
      if (array->length == 0)
        continue;
      batches_.push_back(std::make_shared<HeldBatch>());
      batches_.back()->array = std::move(array);
      batches_.back()->dictionaries.resize(schema_->fields.size());
      return true;
    }
    return false;
  }

  Status check(const ArrowArray& array) const {
    if (!has_good_rows(array))
      return damaged("a batch states an impossible number of rows");
    const bool has_columns = static_cast<std::size_t>(array.n_children) == schema_->fields.size() &&
                             (array.n_children == 0 || array.children != nullptr);
    if (!has_columns || array.dictionary != nullptr)
      return damaged("a batch has other columns than the schema");
    for (std::int64_t i = 0; i < array.n_children; ++i) {
      if (array.children[i] == nullptr)
        return damaged("a batch has other columns than the schema");
    }
    return check_rows(array);
  }

  static Status check_rows(const ArrowArray& array) {
    if (array.null_count == 0 || array.n_buffers < 1 || array.buffers == nullptr)
      return ok_status();
    const auto* const validity = static_cast<const unsigned char*>(array.buffers[0]);
    for (std::int64_t i = array.offset; i < array.offset + array.length; ++i) {
      if (!is_valid(validity, static_cast<std::size_t>(i)))
        return damaged("a row is missing as a whole");
    }
    return ok_status();
  }

  Result<ArrowColumn> make_column(HeldBatch& held, std::size_t number) const {
    const ArrowField& field = schema_->fields[number];
    const ArrowArray& child = *held.array->children[number];
    const RowRange rows{static_cast<std::size_t>(held.array->offset),
                        static_cast<std::size_t>(held.array->length)};
    LACUNA_TRY(ArrowColumn column, ColumnMaker(child, field, rows).make());
    column.nan_is_null = options_.nan_is_null;
    if (field.dictionary && !held.dictionaries[number]) {
      LACUNA_TRY(held.dictionaries[number],
                 dictionary_texts(child.dictionary, field, options_.nan_is_null));
    }
    column.dictionary = held.dictionaries[number];
    return column;
  }

  Owned<ArrowArrayStream> stream_;  // empty after its last batch
  ArrowStreamOptions options_;
  std::shared_ptr<const ArrowCSchema> schema_;
  std::vector<std::size_t> selected_;
  std::vector<std::shared_ptr<HeldBatch>> batches_;
  std::size_t next_ = 0;
};

}  // namespace

Result<std::unique_ptr<ColumnSource>> columns_of_stream(ArrowArrayStream& stream,
                                                        const ArrowStreamOptions& options) {
  Owned<ArrowArrayStream> taken(stream);
  if (!taken.is_there())
    return Error{ErrorCode::kDamaged, "the Arrow stream has been read already", ""};
  auto source = std::make_unique<StreamSource>(std::move(taken), options);
  LACUNA_RETURN_IF_ERROR(source->open());
  return std::unique_ptr<ColumnSource>(std::move(source));
}

}  // namespace lacuna::columns
