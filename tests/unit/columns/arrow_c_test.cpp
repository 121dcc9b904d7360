// SPDX-License-Identifier: Apache-2.0
// Arrow's C stream interface: streams made by hand of every type, sliced, and hostile ones; and
// what the writer hands out, read back.
#include <gtest/gtest.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <optional>

#include "data/columns/arrow_c_reader.h"
#include "data/columns/arrow_c_writer.h"

namespace lacuna::columns {
namespace {

using Texts = std::vector<std::string>;
using Columns = std::map<std::string, Texts>;
using Buffer = std::optional<std::string>;  // nothing: a null pointer

template <class Number>
std::string bytes(const std::vector<Number>& numbers) {
  std::string text(numbers.size() * sizeof(Number), '\0');
  if (!numbers.empty())
    std::memcpy(text.data(), numbers.data(), text.size());
  return text;
}

// An array and what describes it; whatever a producer could get wrong can be set.
struct Node {
  std::string name;
  std::string format;
  std::vector<Buffer> buffers;
  std::int64_t length = 0;
  std::int64_t offset = 0;
  std::int64_t null_count = -1;
  std::vector<Node> children = {};
  std::shared_ptr<Node> dictionary = nullptr;
  std::string metadata = {};
  bool is_released = false;
};

int given_out = 0;  // structs that have not been released

// Buffers are of exactly their length, so that the sanitizer sees who reads beyond.
template <class Struct>
struct Owner {
  std::vector<std::unique_ptr<char[]>> memory;
  std::vector<const void*> buffers;
  std::vector<std::unique_ptr<Struct>> below;
  std::vector<Struct*> children;
  std::string name;
  std::string format;
  std::string metadata;
};

template <class Struct>
void release(Struct* given) {
  auto* owner = static_cast<Owner<Struct>*>(given->private_data);
  for (const auto& other : owner->below) {
    if (other->release != nullptr)
      other->release(other.get());
  }
  delete owner;
  given->release = nullptr;
  --given_out;
}

void fill(const Node& node, ArrowSchema& target, Owner<ArrowSchema>& owner) {
  owner.name = node.name;
  owner.format = node.format;
  owner.metadata = node.metadata;
  target.name = owner.name.c_str();
  target.format = owner.format.c_str();
  target.metadata = node.metadata.empty() ? nullptr : owner.metadata.data();
}

void fill(const Node& node, ArrowArray& target, Owner<ArrowArray>& owner) {
  for (const Buffer& buffer : node.buffers) {
    if (!buffer) {
      owner.buffers.push_back(nullptr);
      continue;
    }
    owner.memory.push_back(std::make_unique<char[]>(buffer->size()));
    buffer->copy(owner.memory.back().get(), buffer->size());
    owner.buffers.push_back(owner.memory.back().get());
  }
  target.length = node.length;
  target.offset = node.offset;
  target.null_count = node.null_count;
  target.n_buffers = static_cast<std::int64_t>(owner.buffers.size());
  target.buffers = owner.buffers.data();
}

template <class Struct>
void give(const Node& node, Struct& target) {
  auto owner = std::make_unique<Owner<Struct>>();
  target = Struct{};
  fill(node, target, *owner);
  for (const Node& child : node.children) {
    give(child, *owner->below.emplace_back(std::make_unique<Struct>()));
    owner->children.push_back(owner->below.back().get());
  }
  if (node.dictionary) {
    give(*node.dictionary, *owner->below.emplace_back(std::make_unique<Struct>()));
    target.dictionary = owner->below.back().get();
  }
  target.n_children = static_cast<std::int64_t>(owner->children.size());
  target.children = owner->children.data();
  target.release = release<Struct>;
  target.private_data = owner.release();
  ++given_out;
  if (node.is_released)
    target.release(&target);
}

struct Producer {
  Node schema;
  std::vector<Node> batches;
  std::size_t next = 0;
  int fails_at = -1;  // the batch that cannot be made
};

ArrowArrayStream stream_of(Producer producer) {
  ArrowArrayStream stream{};
  stream.private_data = new Producer(std::move(producer));
  ++given_out;
  stream.get_schema = [](ArrowArrayStream* self, ArrowSchema* target) {
    give(static_cast<Producer*>(self->private_data)->schema, *target);
    return 0;
  };
  stream.get_next = [](ArrowArrayStream* self, ArrowArray* target) {
    auto& made = *static_cast<Producer*>(self->private_data);
    *target = ArrowArray{};
    if (static_cast<int>(made.next) == made.fails_at)
      return EINVAL;
    if (made.next < made.batches.size())
      give(made.batches[made.next++], *target);
    return 0;
  };
  stream.get_last_error = [](ArrowArrayStream*) { return "firm 17 has 12345"; };
  stream.release = [](ArrowArrayStream* self) {
    delete static_cast<Producer*>(self->private_data);
    self->release = nullptr;
    --given_out;
  };
  return stream;
}

Node table(std::vector<Node> children, std::int64_t length) {
  Node node{"", "+s", {std::nullopt}, length};
  node.null_count = 0;
  node.children = std::move(children);
  return node;
}

// One batch of one column.
ArrowArrayStream column_stream(const Node& column) {
  const Node batch = table({column}, column.length);
  return stream_of({batch, {batch}});
}

Result<Columns> read_rows(ColumnSource& source) {
  Columns columns;
  std::vector<std::size_t> selected;
  for (std::size_t i = 0; i < source.columns().size(); ++i) {
    const ColumnInfo& column = source.columns()[i];
    columns[column.name] = {};
    if (column.unreadable.empty())
      selected.push_back(i);
    else
      columns[column.name] = {"(" + column.unreadable + ")"};
  }
  LACUNA_RETURN_IF_ERROR(source.select(selected));
  for (;;) {
    LACUNA_TRY(const auto batch, source.next());
    if (!batch)
      return columns;
    TextArena arena;
    std::vector<std::string_view> texts(batch->num_rows());
    for (std::size_t c = 0; c < selected.size(); ++c) {
      if (const auto trouble = batch->texts(c, {0, texts.size()}, arena, texts.data(), 1))
        return Error{
            ErrorCode::kDamaged, std::to_string(trouble->row) + ": " + trouble->message, ""};
      auto& column = columns[source.columns()[selected[c]].name];
      column.insert(column.end(), texts.begin(), texts.end());
    }
  }
}

// All is read twice, and all is released.
Result<Columns> read_all(ArrowArrayStream stream, const ArrowStreamOptions& options = {}) {
  auto read = [&]() -> Result<Columns> {
    LACUNA_TRY(const auto source, columns_of_stream(stream, options));
    LACUNA_TRY(const Columns first, read_rows(*source));
    LACUNA_TRY(const Columns second, read_rows(*source));
    EXPECT_EQ(first, second);
    return first;
  }();
  EXPECT_EQ(stream.release, nullptr);
  EXPECT_EQ(given_out, 0);
  return read;
}

Texts texts_of(const Node& column, const ArrowStreamOptions& options = {}) {
  const auto columns = read_all(column_stream(column), options);
  return columns ? columns->at(column.name) : Texts{"error: " + columns.error().message};
}

std::string error_of(ArrowArrayStream stream) {
  const auto columns = read_all(stream);
  return columns ? "no error" : columns.error().message;
}

template <class Number>
Node numbers(const std::string& format, const std::vector<Number>& values, Buffer validity = {}) {
  return {
      "n", format, {std::move(validity), bytes(values)}, static_cast<std::int64_t>(values.size())};
}

template <class Offset>
Node letters(const std::string& format,
             const std::vector<Offset>& offsets,
             const std::string& all) {
  return {"t",
          format,
          {std::nullopt, bytes(offsets), all},
          static_cast<std::int64_t>(offsets.size()) - 1};
}

const std::string kFirstTwo("\x03", 1);  // not null: rows 0 and 1

TEST(ArrowC, ReadsNumbersOfEveryWidth) {
  EXPECT_EQ(texts_of(numbers<std::int8_t>("c", {-128, 127, 5}, kFirstTwo)),
            (Texts{"-128", "127", ""}));
  EXPECT_EQ(texts_of(numbers<std::uint8_t>("C", {255})), (Texts{"255"}));
  EXPECT_EQ(texts_of(numbers<std::int16_t>("s", {-32768})), (Texts{"-32768"}));
  EXPECT_EQ(texts_of(numbers<std::uint16_t>("S", {65535})), (Texts{"65535"}));
  EXPECT_EQ(texts_of(numbers<std::int32_t>("i", {-2147483647})), (Texts{"-2147483647"}));
  EXPECT_EQ(texts_of(numbers<std::uint32_t>("I", {4294967295U})), (Texts{"4294967295"}));
  EXPECT_EQ(texts_of(numbers<std::int64_t>("l", {-1, INT64_MAX}, kFirstTwo)),
            (Texts{"-1", "9223372036854775807"}));
  EXPECT_EQ(texts_of(numbers<std::uint64_t>("L", {UINT64_MAX})), (Texts{"18446744073709551615"}));
  EXPECT_EQ(texts_of({"n", "b", {kFirstTwo, "\x05"}, 3}), (Texts{"TRUE", "FALSE", ""}));
  EXPECT_EQ(texts_of({"n", "n", {}, 2}), (Texts{"", ""}));
}

TEST(ArrowC, ReadsNumbersWithFractions) {
  EXPECT_EQ(texts_of(numbers<float>("f", {0.1F, 16777216})), (Texts{"0.1", "16777216"}));
  EXPECT_EQ(texts_of(numbers<double>("g", {0.1, NAN, -3})), (Texts{"0.1", "", "-3"}));
  EXPECT_EQ(texts_of(numbers<double>("g", {0.1, NAN}), {.nan_is_null = false}),
            (Texts{"0.1", "NaN"}));
  // 0.1, 1.5, 65504, the least number, minus infinity, not a number
  EXPECT_EQ(texts_of(numbers<std::uint16_t>("e", {0x2E66, 0x3E00, 0x7BFF, 1, 0xFC00, 0x7E00})),
            (Texts{"0.1", "1.5", "65504", "0.00000006", "-inf", ""}));
  EXPECT_EQ(texts_of(numbers<std::int32_t>("d:7,2,32", {150, -5})), (Texts{"1.50", "-0.05"}));
  EXPECT_EQ(texts_of(numbers<std::int64_t>("d:15,1,64", {15, -15})), (Texts{"1.5", "-1.5"}));
  EXPECT_EQ(texts_of(numbers<Wide>("d:38,3", {Wide{INT64_MAX} * 10, -1})),
            (Texts{"92233720368547758.070", "-0.001"}));
}

TEST(ArrowC, ReadsDates) {
  EXPECT_EQ(texts_of(numbers<std::int32_t>("tdD", {0, -1, 20773})),
            (Texts{"1970-01-01", "1969-12-31", "2026-11-16"}));
  EXPECT_EQ(texts_of(numbers<std::int64_t>("tdm", {0, -86'400'000, 86'400'000, -1})),
            (Texts{"1970-01-01", "1969-12-31", "1970-01-02", "1969-12-31"}));
}

std::string view(const std::string& text) {  // a short one
  std::string made = bytes<std::uint32_t>({static_cast<std::uint32_t>(text.size())}) + text;
  made.resize(16, '\0');
  return made;
}

Node views() {
  const std::string longer = "a text of more than twelve bytes";
  const auto length = static_cast<std::uint32_t>(longer.size());
  return {"t",
          "vu",
          {std::nullopt,
           view("short") + bytes<std::uint32_t>({length, 0, 1, 3}) + view(""),
           "xx",
           "yyy" + longer,
           bytes<std::int64_t>({2, 3 + length})},
          3};
}

TEST(ArrowC, ReadsTexts) {
  EXPECT_EQ(texts_of(letters<std::int32_t>("u", {0, 2, 2, 5}, "éxyz")), (Texts{"é", "", "xyz"}));
  EXPECT_EQ(texts_of(letters<std::int64_t>("U", {0, 1, 3}, "abc")), (Texts{"a", "bc"}));
  EXPECT_EQ(texts_of(views()), (Texts{"short", "a text of more than twelve bytes", ""}));
  EXPECT_EQ(texts_of(letters<std::int32_t>("u", {0, 2}, "\xFF\xFE")),
            (Texts{"error: 0: the text is not UTF-8: write the column as text of UTF-8"}));
}

Node with_dictionary(Node indices, Node values) {
  indices.dictionary = std::make_shared<Node>(std::move(values));
  return indices;
}

TEST(ArrowC, ReadsDictionariesOverAnything) {
  const Node words = letters<std::int64_t>("U", {0, 1, 3, 6}, "xyyzzz");
  EXPECT_EQ(texts_of(with_dictionary(numbers<std::int8_t>("c", {2, 0, 1}, kFirstTwo), words)),
            (Texts{"zzz", "x", ""}));
  EXPECT_EQ(texts_of(with_dictionary(numbers<std::uint32_t>("I", {1, 0}), views())),
            (Texts{"a text of more than twelve bytes", "short"}));
  EXPECT_EQ(texts_of(with_dictionary(numbers<std::int64_t>("l", {1, 0, 1}),
                                     numbers<std::int32_t>("d:7,1,32", {15, 25}))),
            (Texts{"2.5", "1.5", "2.5"}));
  EXPECT_EQ(texts_of(with_dictionary(numbers<std::uint16_t>("S", {1, 0, 1}),
                                     numbers<double>("g", {NAN, 4}))),
            (Texts{"4", "", "4"}));
  Node part = words;  // of which the first is cut off
  part.offset = 1;
  part.length = 2;
  EXPECT_EQ(texts_of(with_dictionary(numbers<std::int32_t>("i", {0, 1}), part)),
            (Texts{"yy", "zzz"}));
  for (const auto& wrong : {std::vector<std::int32_t>{3}, std::vector<std::int32_t>{-1}}) {
    EXPECT_EQ(texts_of(with_dictionary(numbers<std::int32_t>("i", wrong), words)),
              (Texts{"error: 0: the Arrow data are damaged: the column's dictionary has no such "
                     "entry"}));
  }
}

// The offset of the table comes on top of that of each column.
TEST(ArrowC, ReadsSlices) {
  Node whole = numbers<std::int32_t>("i", {0, 1, 2, 3, 4, 5}, std::string("\x2F", 1));
  whole.name = "whole";
  Node part = numbers<std::int64_t>("l", {9, 9, 0, 1, 2, 3, 4, 5}, std::string("\xBF", 1));
  part.name = "part";
  part.offset = 2;
  part.length = 6;
  Node words = letters<std::int32_t>("u", {5, 6, 7, 8, 9, 10, 11}, "-----abcdef");
  Node bits{"bits", "b", {std::nullopt, std::string("\x18\x01", 2)}, 9};
  Node codes = with_dictionary(numbers<std::uint8_t>("C", {7, 7, 7, 1, 0, 1}),
                               letters<std::int32_t>("u", {0, 1, 2}, "xy"));
  codes.name = "codes";
  Node batch = table({whole, part, words, bits, codes}, 3);
  batch.offset = 3;
  const auto columns = read_all(stream_of({batch, {batch}}));
  ASSERT_TRUE(columns) << columns.error().text();
  const Columns expected{{"whole", {"3", "", "5"}},
                         {"part", {"3", "", "5"}},
                         {"t", {"d", "e", "f"}},
                         {"bits", {"TRUE", "TRUE", "FALSE"}},
                         {"codes", {"y", "x", "y"}}};
  EXPECT_EQ(*columns, expected);
}

TEST(ArrowC, ReadsBatchesOfNoRowsAndOfNoBuffers) {
  const Node two = table({numbers<std::int32_t>("i", {1, 2})}, 2);
  const Node none = table({{"n", "i", {std::nullopt, std::nullopt}, 0}}, 0);
  const auto columns = read_all(stream_of({two, {none, two, none, two}}));
  ASSERT_TRUE(columns) << columns.error().text();
  EXPECT_EQ(columns->at("n"), (Texts{"1", "2", "1", "2"}));
  const auto empty = read_all(stream_of({none, {}}));
  ASSERT_TRUE(empty) << empty.error().text();
  EXPECT_TRUE(empty->at("n").empty());
  const Node blank{"t", "u", {std::nullopt, bytes<std::int32_t>({0, 0, 0}), std::nullopt}, 2};
  EXPECT_EQ(texts_of(blank), (Texts{"", ""}));
}

TEST(ArrowC, SaysWhyAColumnHasNoText) {
  const std::map<std::string, std::string> reasons{
      {"z", "(holds bytes that are not text)"},
      {"Z", "(holds bytes that are not text)"},
      {"vz", "(holds bytes that are not text)"},
      {"w:16", "(holds bytes that are not text)"},
      {"tsu:UTC", "(holds times)"},
      {"ttm", "(holds times)"},
      {"tDs", "(holds times)"},
      {"tiM", "(holds times)"},
      {"d:50,2,256", "(holds decimals of more than 38 digits)"},
      {"d:x", "(holds values of an unknown type)"},
      {"d:", "(holds values of an unknown type)"},
      {"d:5", "(holds values of an unknown type)"},
      {"+l", "(holds lists or records)"},
      {"+s", "(holds lists or records)"},
      {"+ud:0,1", "(holds lists or records)"},
      {"+r", "(holds runs of equal values)"},
      {"", "(holds values of an unknown type)"},
      {"?", "(holds values of an unknown type)"}};
  for (const auto& [format, reason] : reasons)
    EXPECT_EQ(texts_of({"x", format, {}, 1}), (Texts{reason})) << format;
  Node uuid{"x", "w:16", {}, 1};
  uuid.metadata = bytes<std::int32_t>({2, 1}) + "k" + bytes<std::int32_t>({0, 20}) +
                  "ARROW:extension:name" + bytes<std::int32_t>({10}) + "arrow.uuid";
  EXPECT_EQ(texts_of(uuid), (Texts{"(holds values of an extension type (arrow.uuid))"}));
}

TEST(ArrowC, RefusesAColumnWithoutTextOnlyIfItIsWanted) {
  Node list{"list", "+l", {}, 1};
  const Node batch = table({list, numbers<std::int32_t>("i", {7})}, 1);
  ArrowArrayStream stream = stream_of({batch, {batch}});
  const auto source = columns_of_stream(stream);
  ASSERT_TRUE(source);
  const std::size_t wanted = 0;
  const auto refused = (*source)->select({&wanted, 1});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "column list holds lists or records");
  const auto columns = read_rows(**source);
  ASSERT_TRUE(columns);
  EXPECT_EQ(columns->at("n"), (Texts{"7"}));
}

TEST(ArrowC, LetsABatchLiveLongerThanItsSource) {
  ArrowArrayStream stream = column_stream(letters<std::int32_t>("u", {0, 3}, "abc"));
  std::shared_ptr<const ColumnBatch> batch;
  {
    const auto source = columns_of_stream(stream);
    ASSERT_TRUE(source);
    const std::size_t only = 0;
    ASSERT_TRUE((*source)->select({&only, 1}));
    batch = *(*source)->next();
  }
  TextArena arena;
  std::string_view text;
  ASSERT_FALSE(batch->texts(0, {0, 1}, arena, &text, 1));
  EXPECT_EQ(text, "abc");
  batch.reset();
  EXPECT_EQ(given_out, 0);
}

TEST(ArrowC, RefusesWhatIsNoTable) {
  const Node column = numbers<std::int32_t>("i", {1});
  EXPECT_EQ(error_of(stream_of({column, {column}})),
            "the Arrow data are one column and not a table: give a table");
  EXPECT_EQ(error_of({}), "the Arrow stream has been read already");
  Node released = table({column}, 1);
  released.is_released = true;
  EXPECT_EQ(error_of(stream_of({released, {}})), "the schema of the Arrow data is damaged");
  const Node batch = table({column}, 1);
  Producer failing{batch, {batch, batch}};
  failing.fails_at = 1;
  EXPECT_EQ(error_of(stream_of(failing)),
            "the program that makes the Arrow data reports an error (Invalid argument): make them "
            "there first to see it");
}

std::string batch_error(const Node& batch) {
  const Node good = table({numbers<std::int32_t>("i", {1, 2})}, 2);
  return error_of(stream_of({good, {good, batch}}));
}

TEST(ArrowC, SurvivesHostileBatches) {
  const Node column = numbers<std::int32_t>("i", {1, 2});
  const std::string rows =
      "the Arrow data are damaged: a batch states an impossible number of rows";
  const std::string columns =
      "the Arrow data are damaged: a batch has other columns than the schema";
  EXPECT_EQ(batch_error(table({column}, -1)), rows);
  EXPECT_EQ(batch_error(table({column}, INT64_MAX)), rows);
  Node shifted = table({column}, 2);
  shifted.offset = -3;
  EXPECT_EQ(batch_error(shifted), rows);
  EXPECT_EQ(batch_error(table({column, column}, 2)), columns);
  EXPECT_EQ(batch_error(table({}, 2)), columns);
  Node missing = table({column}, 2);
  missing.null_count = 1;
  missing.buffers = {std::string("\x01", 1)};
  EXPECT_EQ(batch_error(missing), "the Arrow data are damaged: a row is missing as a whole");
}

std::string column_error(const Node& column) {
  return error_of(column_stream(column));
}

TEST(ArrowC, SurvivesHostileColumns) {
  const std::string start = "the Arrow data are damaged: column ";
  const std::string rows = start + "n and its batch have different numbers of rows";
  Node column = numbers<std::int32_t>("i", {1, 2});
  EXPECT_EQ(error_of(stream_of({table({column}, 3), {table({column}, 3)}})), rows);
  column.is_released = true;
  EXPECT_EQ(
      error_of(stream_of({table({numbers<std::int32_t>("i", {1})}, 1), {table({column}, 2)}})),
      rows);
  column = numbers<std::int32_t>("i", {1, 2});
  column.offset = -1;
  EXPECT_EQ(column_error(column), rows);
  EXPECT_EQ(column_error({"n", "i", {}, 2}), start + "n lacks its values");
  EXPECT_EQ(column_error({"n", "i", {std::nullopt, std::nullopt}, 2}),
            start + "n lacks its values");
  Node nulls = numbers<std::int32_t>("i", {1, 2});
  nulls.null_count = 1;
  EXPECT_EQ(column_error(nulls), start + "n lacks the marks of its nulls");
  EXPECT_EQ(column_error(with_dictionary(numbers<double>("g", {1}), nulls)),
            "the schema of the Arrow data is damaged");
}

TEST(ArrowC, SurvivesHostileTexts) {
  const std::string start = "the Arrow data are damaged: column ";
  EXPECT_EQ(column_error(letters<std::int32_t>("u", {0, -2}, "ab")),
            "the Arrow data are damaged: the offsets of column t do not rise");
  EXPECT_EQ(column_error(letters<std::int32_t>("u", {0, 7, 2}, "ab")),
            "0: the Arrow data are damaged: a text lies outside of its buffer");
  EXPECT_EQ(column_error({"t", "u", {std::nullopt, bytes<std::int32_t>({0, 2})}, 1}),
            start + "t lacks its text");
  EXPECT_EQ(column_error({"t", "u", {std::nullopt, bytes<std::int32_t>({5, 5})}, 1}),
            start + "t lacks its text");
  Node pieces = views();
  pieces.buffers.back() = bytes<std::int64_t>({2, 20});  // shorter than the view says
  EXPECT_EQ(column_error(pieces),
            "1: the Arrow data are damaged: a text lies outside of its buffer");
  pieces.buffers.back() = bytes<std::int64_t>({-1, 20});
  EXPECT_EQ(column_error(pieces), start + "t lacks its text");
  pieces.buffers = {std::nullopt, view("a") + view("b") + view("c")};
  EXPECT_EQ(column_error(pieces), start + "t lacks the lengths of its text");
}

TEST(ArrowC, SurvivesADictionaryThatIsMissing) {
  const Node column = numbers<std::int32_t>("i", {0, 0});
  const Node schema = table({with_dictionary(column, letters<std::int32_t>("u", {0, 1}, "x"))}, 2);
  EXPECT_EQ(error_of(stream_of({schema, {table({column}, 2)}})),
            "the Arrow data are damaged: column n lacks its dictionary");
}

OutputTable sample() {
  OutputTable made;
  made.columns = {{"code", OutputKind::kText, {"é", "long", "é", "long", "é"}, {}, 0, {}},
                  {"whole", OutputKind::kNumber, {}, {1, -2, 0, 4, 5}, 0, {0, 0, 1, 0, 0}},
                  {"value", OutputKind::kNumber, {}, {150, -5, 0, 7, 8}, 2, {0, 0, 1, 0, 0}},
                  {"wide", OutputKind::kNumber, {}, {kMaxUnits, -kMaxUnits, 1, 2, 3}, 1, {}},
                  {"note", OutputKind::kText, {"a", "x", "b", "c", ""}, {}, 0, {0, 1, 0, 0, 0}},
                  {"kind", OutputKind::kText, {"k", "", "k", "k", "k"}, {}, 0, {0, 1, 0, 0, 0}},
                  {"none", OutputKind::kText, {"", "", "", "", ""}, {}, 0, {1, 1, 1, 1, 1}},
                  {"truth", OutputKind::kTruth, {}, {1, 0, 1, 0, 1}, 0, {0, 0, 1, 0, 0}},
                  {"real", OutputKind::kReal, {}, {}, 0, {0, 0, 1, 0, 0}, {0.5, 1e22, 9, 0, -3}}};
  made.key_values = {{"lacuna.decimals", "2"}, {"quote", "it's"}};
  return made;
}

TEST(ArrowC, HandsOutWhatItReads) {
  ArrowArrayStream stream{};
  export_stream(sample(), stream);
  const auto columns = read_all(stream);
  ASSERT_TRUE(columns) << columns.error().text();
  const Columns expected{
      {"code", {"é", "long", "é", "long", "é"}},
      {"whole", {"1", "-2", "", "4", "5"}},
      {"value", {"1.50", "-0.05", "", "0.07", "0.08"}},
      {"wide", {"461168601842738790.3", "-461168601842738790.3", "0.1", "0.2", "0.3"}},
      {"note", {"a", "", "b", "c", ""}},
      {"kind", {"k", "", "k", "k", "k"}},
      {"none", {"", "", "", "", ""}},
      {"truth", {"TRUE", "FALSE", "", "FALSE", "TRUE"}},
      {"real", {"0.5", "10000000000000000000000", "", "0", "-3"}}};
  EXPECT_EQ(*columns, expected);
}

TEST(ArrowC, HandsOutTypesAndMetadata) {
  ArrowArrayStream stream{};
  export_stream(sample(), stream);
  ArrowSchema schema{};
  ASSERT_EQ(stream.get_schema(&stream, &schema), 0);
  ASSERT_EQ(schema.n_children, 9);
  Texts formats;
  for (std::int64_t i = 0; i < schema.n_children; ++i)
    formats.emplace_back(schema.children[i]->format);
  EXPECT_EQ(formats, (Texts{"i", "l", "d:18,2", "d:38,1", "u", "i", "u", "b", "g"}));
  ASSERT_NE(schema.children[0]->dictionary, nullptr);
  EXPECT_STREQ(schema.children[0]->dictionary->format, "u");
  EXPECT_EQ(schema.children[4]->dictionary, nullptr);
  const std::string metadata = bytes<std::int32_t>({2, 15}) + "lacuna.decimals" +
                               bytes<std::int32_t>({1}) + "2" + bytes<std::int32_t>({5}) + "quote" +
                               bytes<std::int32_t>({4}) + "it's";
  EXPECT_EQ(std::string(schema.metadata, metadata.size()), metadata);
  schema.release(&schema);
  EXPECT_EQ(schema.release, nullptr);
  stream.release(&stream);
}

// A reader may keep one column and release everything else.
TEST(ArrowC, HandsOutColumnsThatCanBeMoved) {
  ArrowArrayStream stream{};
  export_stream(sample(), stream);
  ArrowArray batch{};
  ASSERT_EQ(stream.get_next(&stream, &batch), 0);
  ArrowArray end{};
  ASSERT_EQ(stream.get_next(&stream, &end), 0);
  EXPECT_EQ(end.release, nullptr);
  stream.release(&stream);
  EXPECT_EQ(batch.children[0]->dictionary->length, 2);
  ArrowArray column = *batch.children[1];
  batch.children[1]->release = nullptr;
  batch.release(&batch);
  EXPECT_EQ(batch.release, nullptr);
  EXPECT_EQ(column.null_count, 1);
  EXPECT_EQ(static_cast<const std::int64_t*>(column.buffers[1])[4], 5);
  column.release(&column);
}

TEST(ArrowC, HandsOutTablesOfNoRows) {
  OutputTable none;
  none.columns = {{"n", OutputKind::kNumber, {}, {}, 0, {}},
                  {"t", OutputKind::kText, {}, {}, 0, {}}};
  ArrowArrayStream stream{};
  export_stream(none, stream);
  const auto columns = read_all(stream);
  ASSERT_TRUE(columns) << columns.error().text();
  EXPECT_EQ(*columns, (Columns{{"n", {}}, {"t", {}}}));
}

}  // namespace
}  // namespace lacuna::columns
