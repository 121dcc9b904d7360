// SPDX-License-Identifier: Apache-2.0
#include "data/columns/arrow_batch.h"

#include <algorithm>

#include "data/columns/lz4_frame.h"
#include "data/columns/zstd_library.h"

namespace lacuna::columns {
namespace {

constexpr std::uint64_t kMostRows = (std::uint64_t{1} << 31U) - 1;
constexpr std::uint64_t kLargestBuffer = std::uint64_t{1} << 32U;  // bytes when unpacked
constexpr std::uint64_t kLz4Ratio = 256;                           // more cannot be packed into one
constexpr std::uint64_t kZstdRatio = 1U << 16U;

Error damaged(const std::string& what) {
  return {ErrorCode::kDamaged, "the Arrow data are damaged: " + what, ""};
}

}  // namespace

// Hands the buffers of a batch to its columns, one after the other.
class ArrowBatchMaker {
 public:
  ArrowBatchMaker(ArrowBatch& batch, const FlatTable& table) : batch_(batch) {
    nodes_ = table.vector(1, 16);
    buffers_ = table.vector(2, 16);
    variadic_ = table.vector(4, 8);
    if (const auto compression = table.table(3)) {
      const auto codec = compression->number<std::int8_t>(0, 0);
      packing_ = codec == 0 ? Packing::kLz4 : Packing::kZstd;
    }
  }

  Status skip(const ArrowField& field) {
    const ArrowLayout layout = layout_of(field);
    node_ += layout.nodes;
    buffer_ += layout.buffers;
    for (std::size_t i = 0; i < layout.variadic; ++i) {
      LACUNA_TRY(const std::uint64_t more, next_variadic());
      buffer_ += more;
    }
    return ok_status();
  }

  Result<ArrowColumn> take(const ArrowField& field, const ArrowDictionaries& dictionaries) {
    ArrowColumn column;
    column.field = &field;
    LACUNA_RETURN_IF_ERROR(check_node());
    if (field.dictionary) {
      const auto found = dictionaries.find(field.dictionary->id);
      if (found == dictionaries.end())
        return damaged("column " + field.name + " has a dictionary that the file does not hold");
      column.dictionary = found->second;
      LACUNA_RETURN_IF_ERROR(take_values(column, field.dictionary->index.width * 8));
      return column;
    }
    if (field.type.id == ArrowTypeId::kNull)
      return column;
    if (field.type.is_text()) {
      LACUNA_RETURN_IF_ERROR(take_text(column));
      return column;
    }
    const bool is_bits = field.type.id == ArrowTypeId::kBool;
    LACUNA_RETURN_IF_ERROR(take_values(column, is_bits ? 1 : field.type.plain()->width * 8));
    return column;
  }

 private:
  enum class Packing { kNone, kLz4, kZstd };

  std::size_t rows() const { return batch_.num_rows_; }

  Status check_node() {
    std::int64_t length = -1;
    if (nodes_.size() / 16 > node_)
      std::memcpy(&length, nodes_.data() + node_ * 16, sizeof(length));
    ++node_;
    return length == static_cast<std::int64_t>(rows())
               ? ok_status()
               : Status(damaged("a column and its batch have different numbers of rows"));
  }

  Result<std::uint64_t> next_variadic() {
    std::int64_t count = -1;
    if (variadic_.size() / 8 > variadic_at_)
      std::memcpy(&count, variadic_.data() + variadic_at_ * 8, sizeof(count));
    ++variadic_at_;
    if (count < 0 || static_cast<std::uint64_t>(count) > buffers_.size() / 16)
      return damaged("a column of text lacks its pieces");
    return static_cast<std::uint64_t>(count);
  }

  Result<std::string_view> next_buffer() {
    std::int64_t place[2] = {-1, -1};  // offset and length
    if (buffers_.size() / 16 > buffer_)
      std::memcpy(place, buffers_.data() + buffer_ * 16, sizeof(place));
    ++buffer_;
    const std::string_view body = batch_.body_;
    const auto offset = static_cast<std::uint64_t>(place[0]);
    const auto length = static_cast<std::uint64_t>(place[1]);
    if (place[0] < 0 || place[1] < 0 || offset > body.size() || body.size() - offset < length)
      return damaged("a buffer lies outside of its batch");
    return unpack(body.substr(offset, length));
  }

  Result<std::string_view> unpack(std::string_view packed) {
    if (packing_ == Packing::kNone || packed.empty())
      return packed;
    std::int64_t size = 0;
    if (packed.size() < sizeof(size))
      return damaged("a compressed buffer is too short");
    std::memcpy(&size, packed.data(), sizeof(size));
    packed.remove_prefix(sizeof(size));
    if (size == -1)
      return packed;
    const std::uint64_t ratio = packing_ == Packing::kLz4 ? kLz4Ratio : kZstdRatio;
    const auto wanted = static_cast<std::uint64_t>(size);
    if (size < 0 || wanted > kLargestBuffer || wanted > packed.size() * ratio)
      return damaged("a compressed buffer states an impossible size");
    if (packing_ == Packing::kLz4) {
      auto text = unpack_lz4(packed, wanted);
      if (!text)
        return damaged("a compressed buffer cannot be unpacked");
      return keep(std::move(*text));
    }
    LACUNA_TRY(std::string text, unpack_zstd(packed, wanted));
    return keep(std::move(text));
  }

  std::string_view keep(std::string text) {
    return *batch_.unpacked_.emplace_back(std::make_unique<std::string>(std::move(text)));
  }

  Status take_validity(ArrowColumn& column) {
    LACUNA_TRY(const std::string_view bits, next_buffer());
    if (bits.empty())
      return ok_status();  // no nulls
    if (bits.size() < (rows() + 7) / 8)
      return damaged("the marks of nulls are cut off");
    column.validity = arrow_bytes(bits);
    return ok_status();
  }

  Status take_values(ArrowColumn& column, std::size_t bits) {
    LACUNA_RETURN_IF_ERROR(take_validity(column));
    LACUNA_TRY(column.values, next_buffer());
    if (column.values.size() < (rows() * bits + 7) / 8)
      return damaged("the values of column " + column.field->name + " are cut off");
    return ok_status();
  }

  Status take_text(ArrowColumn& column) {
    if (column.field->type.id == ArrowTypeId::kUtf8View) {
      LACUNA_RETURN_IF_ERROR(take_values(column, kArrowViewBytes * 8));
      LACUNA_TRY(const std::uint64_t pieces, next_variadic());
      for (std::uint64_t i = 0; i < pieces; ++i) {
        LACUNA_TRY(const std::string_view piece, next_buffer());
        column.pieces.push_back(piece);
      }
      return ok_status();
    }
    LACUNA_RETURN_IF_ERROR(take_validity(column));
    LACUNA_TRY(column.values, next_buffer());
    LACUNA_TRY(column.letters, next_buffer());
    const std::size_t width = column.field->type.id == ArrowTypeId::kLargeUtf8 ? 8 : 4;
    if (rows() > 0 && column.values.size() < (rows() + 1) * width)
      return damaged("the offsets of column " + column.field->name + " are cut off");
    return ok_status();
  }

  ArrowBatch& batch_;
  std::string_view nodes_;
  std::string_view buffers_;
  std::string_view variadic_;
  Packing packing_ = Packing::kNone;
  std::size_t node_ = 0;
  std::size_t buffer_ = 0;
  std::size_t variadic_at_ = 0;
};

Result<std::shared_ptr<const ArrowBatch>> ArrowBatch::make(const FlatTable& record_batch,
                                                           const FlatBytes& metadata,
                                                           std::span<const ArrowField> fields,
                                                           std::span<const std::size_t> selected,
                                                           const ArrowDictionaries& dictionaries,
                                                           std::string body) {
  auto batch = std::make_shared<ArrowBatch>();
  batch->body_ = std::move(body);
  const auto rows = record_batch.number<std::int64_t>(0, 0);
  if (rows < 0 || static_cast<std::uint64_t>(rows) > kMostRows)
    return damaged("a batch states an impossible number of rows");
  batch->num_rows_ = static_cast<std::size_t>(rows);
  ArrowBatchMaker maker(*batch, record_batch);
  if (metadata.damaged())
    return damaged("the metadata of a batch are cut off");
  std::vector<std::optional<ArrowColumn>> taken(fields.size());
  for (std::size_t f = 0; f < fields.size(); ++f) {
    if (std::find(selected.begin(), selected.end(), f) == selected.end()) {
      LACUNA_RETURN_IF_ERROR(maker.skip(fields[f]));
      continue;
    }
    LACUNA_TRY(taken[f], maker.take(fields[f], dictionaries));
  }
  for (const std::size_t field : selected)
    batch->columns_.push_back(*taken[field]);
  return std::shared_ptr<const ArrowBatch>(std::move(batch));
}

std::optional<ColumnTrouble> ArrowBatch::texts(std::size_t column,
                                               RowRange rows,
                                               TextArena& arena,
                                               std::string_view* target,
                                               std::size_t stride) const {
  return arrow_texts(columns_[column], rows, arena, target, stride);
}

}  // namespace lacuna::columns
