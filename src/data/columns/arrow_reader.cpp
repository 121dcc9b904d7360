// SPDX-License-Identifier: Apache-2.0
#include "data/columns/arrow_reader.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "data/columns/arrow_batch.h"
#include "data/columns/arrow_schema.h"
#include "data/columns/flatbuffer.h"

namespace lacuna::columns {
namespace {

constexpr std::string_view kMagic = "ARROW1";
constexpr std::string_view kOldFeather = "FEA1";
constexpr std::uint32_t kContinuation = 0xFFFFFFFF;
constexpr std::size_t kMostMetadata = std::size_t{1} << 28U;
constexpr std::size_t kMostDeltas = 10'000;
constexpr std::size_t kBlockBytes = 24;  // of an entry of the footer's lists

Error bad(std::string message) {
  return {ErrorCode::kDamaged, std::move(message), ""};
}
Error cut_off() {
  return bad("the Arrow data end before they are complete: the file was cut off");
}

enum class Header : std::uint8_t { kSchema = 1, kDictionary = 2, kRecords = 3 };

struct Message {
  std::string metadata;
  std::string body;
  std::uint64_t end = 0;  // where the next one begins; 0: this was the mark of the end
};

class ArrowSource : public ColumnSource {
 public:
  explicit ArrowSource(std::unique_ptr<ByteInput> input) : input_(std::move(input)) {}

  Status open() {
    std::string start;
    LACUNA_RETURN_IF_ERROR(take(0, std::min<std::uint64_t>(input_->size(), 8), start));
    if (start.starts_with(kOldFeather)) {
      return bad("this is a Feather file of version 1, which is not read: write it as version 2");
    }
    is_file_ = start.starts_with(kMagic);
    LACUNA_RETURN_IF_ERROR(is_file_ ? read_footer() : read_first_message());
    for (const ArrowField& field : fields_)
      columns_.push_back({field.name, field.unreadable()});
    return ok_status();
  }

  const std::vector<ColumnInfo>& columns() const override { return columns_; }
  double fraction() const override {
    return input_->size() == 0
               ? 1.0
               : static_cast<double>(position_) / static_cast<double>(input_->size());
  }

  Status select(std::span<const std::size_t> columns) override {
    selected_.assign(columns.begin(), columns.end());
    dictionaries_.clear();
    lengthened_ = 0;
    block_ = 0;
    position_ = first_;
    return ok_status();
  }

  Result<std::shared_ptr<const ColumnBatch>> next() override {
    for (;;) {
      LACUNA_TRY(const bool more, next_message());
      if (!more)
        return std::shared_ptr<const ColumnBatch>();
      const FlatBytes bytes(message_.metadata);
      const FlatTable table = FlatTable::root(bytes);
      const auto kind = static_cast<Header>(table.number<std::uint8_t>(1, 0));
      const auto header = table.table(2);
      if (!header || bytes.damaged())
        return bad("the metadata of the Arrow data are damaged");
      if (kind == Header::kDictionary) {
        LACUNA_RETURN_IF_ERROR(read_dictionary(*header, bytes));
      } else if (kind == Header::kRecords) {
        LACUNA_TRY(
            auto batch,
            ArrowBatch::make(
                *header, bytes, fields_, selected_, dictionaries_, std::move(message_.body)));
        if (batch->num_rows() > 0)
          return std::shared_ptr<const ColumnBatch>(std::move(batch));
      } else {
        return bad("the Arrow data hold something that is neither rows nor a dictionary");
      }
    }
  }

 private:
  Status take(std::uint64_t offset, std::uint64_t size, std::string& bytes) {
    if (offset > input_->size() || input_->size() - offset < size)
      return cut_off();
    bytes.resize(size);
    return input_->read(offset, bytes.data(), bytes.size());
  }

  // A file ends with its footer, the footer's length and the magic bytes.
  Status read_footer() {
    constexpr std::uint64_t kTail = 10;
    const std::uint64_t size = input_->size();
    if (size < kTail + 8)
      return cut_off();
    std::string tail;
    LACUNA_RETURN_IF_ERROR(take(size - kTail, kTail, tail));
    std::uint32_t length = 0;
    std::memcpy(&length, tail.data(), sizeof(length));
    if (!tail.ends_with(kMagic) || length > size - kTail)
      return cut_off();
    std::string footer;
    LACUNA_RETURN_IF_ERROR(take(size - kTail - length, length, footer));
    const FlatBytes bytes(footer);
    const FlatTable table = FlatTable::root(bytes);
    const auto schema = table.table(1);
    if (!schema || bytes.damaged())
      return bad("the footer of the Arrow file is damaged");
    LACUNA_TRY(fields_, read_arrow_schema(*schema, bytes));
    for (const unsigned list : {2U, 3U}) {  // dictionaries, then rows
      const std::string_view blocks = table.vector(list, kBlockBytes);
      for (std::size_t at = 0; at < blocks.size(); at += kBlockBytes) {
        std::uint64_t offset = 0;
        std::memcpy(&offset, blocks.data() + at, sizeof(offset));
        blocks_.push_back(offset);
      }
    }
    return bytes.damaged() ? Status(bad("the footer of the Arrow file is damaged")) : ok_status();
  }

  Status read_first_message() {
    if (input_->size() < 8)
      return bad("this is not an Arrow file: it is too short");
    LACUNA_RETURN_IF_ERROR(read_message(0));
    const FlatBytes bytes(message_.metadata);
    const FlatTable table = FlatTable::root(bytes);
    const auto header = table.table(2);
    if (message_.end == 0 || !header || bytes.damaged() ||
        static_cast<Header>(table.number<std::uint8_t>(1, 0)) != Header::kSchema)
      return bad("this is not an Arrow file: it does not begin with a schema");
    LACUNA_TRY(fields_, read_arrow_schema(*header, bytes));
    first_ = message_.end;
    return ok_status();
  }

  Result<bool> next_message() {
    if (is_file_) {
      if (block_ == blocks_.size())
        return false;
      position_ = blocks_[block_++];
    }
    LACUNA_RETURN_IF_ERROR(read_message(position_));
    if (is_file_ && message_.end == 0)
      return bad("the footer of the Arrow file is damaged");
    position_ = message_.end == 0 ? input_->size() : message_.end;
    return message_.end != 0;
  }

  Status read_message(std::uint64_t offset) {
    std::string start;
    LACUNA_RETURN_IF_ERROR(take(offset, 4, start));
    std::uint32_t length = 0;
    std::memcpy(&length, start.data(), sizeof(length));
    offset += 4;
    if (length == kContinuation) {  // written since Arrow 0.15
      LACUNA_RETURN_IF_ERROR(take(offset, 4, start));
      std::memcpy(&length, start.data(), sizeof(length));
      offset += 4;
    }
    message_.end = 0;
    if (length == 0)
      return ok_status();
    if (length > kMostMetadata)
      return bad("this is not an Arrow file, or it is damaged: its metadata would be too long");
    LACUNA_RETURN_IF_ERROR(take(offset, length, message_.metadata));
    offset += length;
    const FlatBytes bytes(message_.metadata);
    const auto body = FlatTable::root(bytes).number<std::int64_t>(3, 0);
    if (bytes.damaged() || body < 0)
      return bad("this is not an Arrow file, or the metadata of the Arrow data are damaged");
    LACUNA_RETURN_IF_ERROR(take(offset, static_cast<std::uint64_t>(body), message_.body));
    message_.end = offset + static_cast<std::uint64_t>(body);
    return ok_status();
  }

  // Dictionaries of columns that are not selected are kept out.
  Status read_dictionary(const FlatTable& table, const FlatBytes& bytes) {
    const auto id = table.number<std::int64_t>(0, 0);
    const auto data = table.table(1);
    const bool is_delta = table.number<std::uint8_t>(2, 0) != 0;
    const auto has_id = [&](std::size_t f) {
      return fields_[f].dictionary && fields_[f].dictionary->id == id;
    };
    const auto user = std::find_if(selected_.begin(), selected_.end(), has_id);
    if (user == selected_.end())
      return ok_status();
    if (!data || bytes.damaged())
      return bad("a dictionary of the Arrow data is damaged");
    value_fields_.push_back(std::make_unique<ArrowField>(fields_[*user]));
    ArrowField& values = *value_fields_.back();
    values.dictionary.reset();
    const std::size_t only = 0;
    LACUNA_TRY(
        auto batch,
        ArrowBatch::make(*data, bytes, {&values, 1}, {&only, 1}, {}, std::move(message_.body)));
    auto texts = std::make_shared<ArrowTexts>();
    if (const auto old = dictionaries_.find(id); is_delta && old != dictionaries_.end()) {
      if (++lengthened_ > kMostDeltas)
        return bad("the dictionaries of the Arrow data come in too many pieces");
      texts->texts = old->second->texts;
      texts->held = old->second->held;
      texts->before = old->second;
    }
    LACUNA_RETURN_IF_ERROR(add_texts(batch, *texts));
    dictionaries_[id] = std::move(texts);
    return ok_status();
  }

  static Status add_texts(const std::shared_ptr<const ArrowBatch>& batch, ArrowTexts& texts) {
    constexpr std::size_t kMostEntries = std::size_t{1} << 24U;
    const std::size_t begin = texts.texts.size();
    if (batch->num_rows() > kMostEntries)
      return bad("a dictionary of the Arrow data is too long");
    texts.texts.resize(begin + batch->num_rows());
    const auto trouble =
        batch->texts(0, {0, batch->num_rows()}, texts.arena, texts.texts.data() + begin, 1);
    texts.held.push_back(batch);
    return trouble ? Status(bad(trouble->message)) : ok_status();
  }

  std::unique_ptr<ByteInput> input_;
  std::vector<ColumnInfo> columns_;
  std::vector<ArrowField> fields_;
  std::vector<std::unique_ptr<ArrowField>> value_fields_;  // of dictionaries
  std::vector<std::size_t> selected_;
  ArrowDictionaries dictionaries_;
  Message message_;
  std::string start_;           // of the message
  std::size_t lengthened_ = 0;  // how often a dictionary was
  bool is_file_ = false;
  std::vector<std::uint64_t> blocks_;  // of a file: where its messages are
  std::size_t block_ = 0;
  std::uint64_t first_ = 0;  // of a stream: where the message after the schema is
  std::uint64_t position_ = 0;
};

}  // namespace

Result<std::unique_ptr<ColumnSource>> open_arrow(std::unique_ptr<ByteInput> input) {
  auto source = std::make_unique<ArrowSource>(std::move(input));
  LACUNA_RETURN_IF_ERROR(source->open());
  return std::unique_ptr<ColumnSource>(std::move(source));
}

}  // namespace lacuna::columns
