// SPDX-License-Identifier: Apache-2.0
#include "data/columns/arrow_c_writer.h"

#include <cerrno>
#include <memory>
#include <new>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "data/columns/arrow_buffers.h"

namespace lacuna::columns {
namespace {

// An array, what describes it, and those below it. All that is handed out points into one of these
// and has a share in it.
struct Exported {
  std::string name;
  std::string format;
  std::string metadata;  // empty: none
  std::int64_t length = 0;
  std::int64_t null_count = 0;
  std::vector<std::string> buffers;  // the first: bits of those that are not null, or empty
  std::vector<Exported> children;
  std::unique_ptr<Exported> dictionary;
};

std::string metadata_of(const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::string bytes;
  if (pairs.empty())
    return bytes;
  const auto put = [&](const std::string& text) {
    append_bytes(bytes, static_cast<std::int32_t>(text.size()));
    bytes += text;
  };
  append_bytes(bytes, static_cast<std::int32_t>(pairs.size()));
  for (const auto& [key, value] : pairs) {
    put(key);
    put(value);
  }
  return bytes;
}

Exported export_letters(const ArrowLetters& text, std::int64_t length) {
  Exported exported;
  exported.format = text.is_large() ? "U" : "u";
  exported.length = length;
  exported.buffers = {"", text.offset_bytes(), text.letters};
  return exported;
}

// The texts of a column, each once, and for each row the number of its text.
struct Entries {
  ArrowLetters texts;
  std::string numbers;
  std::int64_t count = 0;
};

// False if most texts occur once, or there is none.
bool find_entries(const OutputColumn& column, Entries& entries) {
  std::unordered_map<std::string_view, std::int32_t> known;
  const std::size_t most = column.texts.size() / 2;
  for (std::size_t row = 0; row < column.texts.size(); ++row) {
    if (column.is_null(row)) {
      append_bytes(entries.numbers, std::int32_t{0});
      continue;
    }
    const auto next = static_cast<std::int32_t>(known.size());
    const auto [entry, is_new] = known.emplace(column.texts[row], next);
    if (is_new)
      entries.texts.add(column.texts[row]);
    if (known.size() > most || known.size() > std::numeric_limits<std::int32_t>::max())
      return false;
    append_bytes(entries.numbers, entry->second);
  }
  entries.count = static_cast<std::int64_t>(known.size());
  return !known.empty();
}

std::string number_format(const OutputColumn& column) {
  switch (column.kind) {
    case OutputKind::kReal:
      return "g";
    case OutputKind::kTruth:
      return "b";
    default:
      break;
  }
  if (!column.is_decimal())
    return "l";
  return "d:" + std::to_string(column.precision()) + "," + std::to_string(column.decimals);
}

Exported export_column(const OutputColumn& column) {
  const RowRange rows{0, column.num_rows()};
  const auto length = static_cast<std::int64_t>(rows.count);
  Exported exported;
  if (column.kind != OutputKind::kText) {
    exported.format = number_format(column);
    exported.buffers = {"", arrow_values(column, rows)};
  } else if (Entries entries; find_entries(column, entries)) {
    exported.format = "i";
    exported.buffers = {"", std::move(entries.numbers)};
    exported.dictionary = std::make_unique<Exported>(export_letters(entries.texts, entries.count));
  } else {
    exported = export_letters(arrow_letters(column, rows), length);
  }
  ArrowNulls nulls = arrow_nulls(column, rows);
  exported.name = column.name;
  exported.length = length;
  exported.null_count = nulls.count;
  exported.buffers.front() = std::move(nulls.bits);
  return exported;
}

// What an ArrowSchema or an ArrowArray that was handed out owns: those below it, and its share. A
// reader may have moved some of those below to itself; a null marks them.
template <class Struct>
struct Below {
  std::shared_ptr<const Exported> root;
  std::vector<Struct> structs;  // the children, then the dictionary
  std::vector<Struct*> children;
  std::vector<const void*> buffers;  // of an array

  Below() = default;
  Below(const Below&) = delete;
  Below& operator=(const Below&) = delete;
  ~Below() {
    for (Struct& other : structs) {
      if (other.release != nullptr)
        other.release(&other);
    }
  }
};

template <class Struct>
void release(Struct* given) {
  delete static_cast<Below<Struct>*>(given->private_data);
  given->release = nullptr;
}

void describe(const Exported& exported, ArrowSchema& target, Below<ArrowSchema>& /*below*/) {
  target.format = exported.format.c_str();
  target.name = exported.name.c_str();
  target.metadata = exported.metadata.empty() ? nullptr : exported.metadata.data();
  target.flags = ARROW_FLAG_NULLABLE;
}

void describe(const Exported& exported, ArrowArray& target, Below<ArrowArray>& below) {
  target.length = exported.length;
  target.null_count = exported.null_count;
  for (const std::string& buffer : exported.buffers)
    below.buffers.push_back(buffer.data());
  if (exported.buffers.front().empty())
    below.buffers.front() = nullptr;
  target.n_buffers = static_cast<std::int64_t>(below.buffers.size());
  target.buffers = below.buffers.data();
}

template <class Struct>
void give(const Exported& exported, const std::shared_ptr<const Exported>& root, Struct& target) {
  auto below = std::make_unique<Below<Struct>>();
  below->root = root;
  target = Struct{};
  describe(exported, target, *below);
  below->structs.resize(exported.children.size() + (exported.dictionary ? 1 : 0));
  for (std::size_t i = 0; i < exported.children.size(); ++i) {
    give(exported.children[i], root, below->structs[i]);
    below->children.push_back(&below->structs[i]);
  }
  if (exported.dictionary) {
    give(*exported.dictionary, root, below->structs.back());
    target.dictionary = &below->structs.back();
  }
  target.n_children = static_cast<std::int64_t>(below->children.size());
  target.children = below->children.data();
  target.release = release<Struct>;
  target.private_data = below.release();
}

struct Stream {
  std::shared_ptr<const Exported> root;
  bool is_at_end = false;
};

Stream& stream_of(ArrowArrayStream* stream) {
  return *static_cast<Stream*>(stream->private_data);
}

int get_schema(ArrowArrayStream* stream, ArrowSchema* target) {
  try {
    const auto& root = stream_of(stream).root;
    give(*root, root, *target);
    return 0;
  } catch (const std::bad_alloc&) {
    return ENOMEM;
  }
}

int get_next(ArrowArrayStream* stream, ArrowArray* target) {
  try {
    *target = ArrowArray{};
    const auto& root = stream_of(stream).root;
    if (!std::exchange(stream_of(stream).is_at_end, true))
      give(*root, root, *target);
    return 0;
  } catch (const std::bad_alloc&) {
    return ENOMEM;
  }
}

const char* get_last_error(ArrowArrayStream* /*stream*/) {
  return nullptr;  // the number says it
}

void release_stream(ArrowArrayStream* stream) {
  delete static_cast<Stream*>(stream->private_data);
  stream->release = nullptr;
}

}  // namespace

void export_stream(const OutputTable& table, ArrowArrayStream& target) {
  auto root = std::make_shared<Exported>();
  root->format = "+s";
  root->metadata = metadata_of(table.key_values);
  root->length = static_cast<std::int64_t>(table.num_rows());
  root->buffers = {""};
  for (const OutputColumn& column : table.columns)
    root->children.push_back(export_column(column));
  target = {get_schema, get_next, get_last_error, release_stream, nullptr};
  target.private_data = new Stream{std::move(root), false};
}

}  // namespace lacuna::columns
