// SPDX-License-Identifier: Apache-2.0
#include "columns/arrow_reader.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "columns/arrow_batch.h"
#include "columns/arrow_schema.h"
#include "columns/flatbuffer.h"

namespace lacuna::inline columns {
namespace {

constexpr std::string_view kMagic = "ARROW1";
constexpr std::string_view kOldFeather = "FEA1";
constexpr std::uint32_t kContinuation = 0xFFFFFFFF;
constexpr std::size_t kMostMetadata = std::size_t{1} << 28U;
constexpr std::uint64_t kMostBody = std::uint64_t{1} << 40U;
constexpr std::size_t kMostDeltas = 10'000;
constexpr std::size_t kPiece = std::size_t{1} << 24U;  // read at once: a length may be a lie

Error bad(std::string message) {
  return {ErrorCode::kBadInput, std::move(message), ""};
}
Error cut_off() {
  return bad("the Arrow data end before they are complete: the file was cut off");
}

enum class Header : std::uint8_t { kSchema = 1, kDictionary = 2, kRecords = 3 };

struct Message {
  std::string metadata;
  std::string body;
};

class ArrowSource : public ColumnSource {
 public:
  explicit ArrowSource(std::unique_ptr<ByteInput> input) : input_(std::move(input)) {}

  Status open() {
    LACUNA_RETURN_IF_ERROR(restart());
    for (const ArrowField& field : fields_)
      columns_.push_back({field.name, field.unreadable()});
    return ok_status();
  }

  const std::vector<ColumnInfo>& columns() const override { return columns_; }
  double fraction() const override { return input_->fraction(); }

  Status select(std::span<const std::size_t> columns) override {
    selected_.assign(columns.begin(), columns.end());
    return restart();
  }

  Result<std::shared_ptr<const ColumnBatch>> next() override {
    for (;;) {
      LACUNA_TRY(const bool more, read_message());
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
  Status restart() {
    LACUNA_RETURN_IF_ERROR(input_->rewind());
    dictionaries_.clear();
    lengthened_ = 0;
    is_file_ = false;
    LACUNA_TRY(start_, take(8));
    if (start_.starts_with(kOldFeather)) {
      return bad("this is a Feather file of version 1, which is not read: write it as version 2");
    }
    is_file_ = start_.starts_with(kMagic);
    if (!is_file_ && start_.size() < 8)
      return bad("this is no Arrow file: it is too short");
    LACUNA_TRY(const bool more, read_message(!is_file_));
    if (!more)
      return bad("the Arrow data have no schema");
    const FlatBytes bytes(message_.metadata);
    const FlatTable table = FlatTable::root(bytes);
    const auto header = table.table(2);
    if (!header || bytes.damaged() ||
        static_cast<Header>(table.number<std::uint8_t>(1, 0)) != Header::kSchema)
      return bad("this is no Arrow file: it does not begin with a schema");
    if (fields_.empty()) {  // batches point to them
      LACUNA_TRY(fields_, read_arrow_schema(*header, bytes));
    }
    return ok_status();
  }

  // Up to so many bytes.
  Result<std::string> take(std::uint64_t size) {
    std::string bytes;
    while (bytes.size() < size) {
      const std::size_t used = bytes.size();
      bytes.resize(used + std::min<std::uint64_t>(size - used, kPiece));
      LACUNA_TRY(const std::size_t got, input_->read(bytes.data() + used, bytes.size() - used));
      const bool short_read = got < bytes.size() - used;
      bytes.resize(used + got);
      if (short_read)
        break;
    }
    return bytes;
  }

  // The next message, whose first eight bytes may have been read; false at the end.
  Result<bool> read_message(bool started = false) {
    if (!started) {
      LACUNA_TRY(start_, take(8));
    }
    if (start_.size() < 8)
      return cut_off();
    std::uint32_t words[2];
    std::memcpy(words, start_.data(), sizeof(words));
    const bool has_mark = words[0] == kContinuation;  // written since Arrow 0.15
    const std::uint32_t length = has_mark ? words[1] : words[0];
    if (length == 0) {
      LACUNA_RETURN_IF_ERROR(check_end(has_mark ? std::string() : start_.substr(4)));
      return false;
    }
    if (length > kMostMetadata)
      return bad("this is no Arrow file, or it is damaged: its metadata would be too long");
    message_.metadata = has_mark ? std::string() : start_.substr(4);
    LACUNA_TRY(const std::string rest, take(length - message_.metadata.size()));
    message_.metadata += rest;
    if (message_.metadata.size() < length)
      return cut_off();
    const FlatBytes bytes(message_.metadata);
    const auto body = FlatTable::root(bytes).number<std::int64_t>(3, 0);
    if (bytes.damaged() || body < 0 || static_cast<std::uint64_t>(body) > kMostBody)
      return bad("this is no Arrow file, or the metadata of the Arrow data are damaged");
    LACUNA_TRY(message_.body, take(static_cast<std::uint64_t>(body)));
    if (message_.body.size() < static_cast<std::uint64_t>(body))
      return cut_off();
    return true;
  }

  // Behind the mark of the end: nothing in a stream, the footer and its magic in a file.
  Status check_end(std::string tail) {
    if (!is_file_)
      return ok_status();
    for (;;) {
      LACUNA_TRY(const std::string more, take(kPiece));
      tail = tail.substr(tail.size() - std::min(tail.size(), kMagic.size())) + more;
      if (more.size() < kPiece)
        return tail.ends_with(kMagic) ? ok_status() : Status(cut_off());
    }
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
    constexpr std::size_t kMostEntries = std::size_t{1} << 28U;
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
};

}  // namespace

Result<std::unique_ptr<ColumnSource>> open_arrow(std::unique_ptr<ByteInput> input) {
  auto source = std::make_unique<ArrowSource>(std::move(input));
  LACUNA_RETURN_IF_ERROR(source->open());
  return std::unique_ptr<ColumnSource>(std::move(source));
}

}  // namespace lacuna::inline columns
