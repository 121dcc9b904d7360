// SPDX-License-Identifier: Apache-2.0
#include "data/files/json_tree.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "core/base/confidential.h"
#include "core/base/decimal.h"
#include "data/files/position.h"

namespace lacuna::files {
namespace {

constexpr std::uint32_t kKindBits = 8;
constexpr std::uint32_t kKindMask = 0xFF;
constexpr std::uint32_t kMaxKeys = (1U << 24U) - 1;

const char* name_of(JsonKind kind) {
  switch (kind) {
    case JsonKind::kNull:
      return "null";
    case JsonKind::kTrue:
    case JsonKind::kFalse:
      return "a truth value";
    case JsonKind::kInteger:
      return "a whole number";
    case JsonKind::kNumber:
      return "a number";
    case JsonKind::kString:
      return "a string";
    case JsonKind::kArray:
      return "an array";
    case JsonKind::kObject:
      return "an object";
  }
  return "a value";
}

}  // namespace

// The parser refuses numbers beyond the range of double, but evidence may have integers of any
// length: these are given to it as strings, and taken back by their place among the strings.
// (Not in the namespace without a name: the builder, a friend of the tree, has one as a member.)
class LongIntegers {
 public:
  explicit LongIntegers(std::string_view text) {
    if (has_long_run(text))
      quote_all(text);
  }
  // The text for the parser, where it differs from the original.
  const std::string& quoted() const { return quoted_; }
  bool any() const { return !strings_.empty(); }
  // Whether the string with this number, counted over keys and values, is an integer.
  bool contains(std::size_t string) const {
    return std::binary_search(strings_.begin(), strings_.end(), string);
  }
  // An offset into the quoted text as one into the original.
  std::size_t original(std::size_t offset) const {
    std::size_t before = 0;
    while (before < quotes_.size() && quotes_[before] < offset)
      ++before;
    return offset - before;
  }

 private:
  static constexpr std::size_t kLong = 300;  // digits; double ends at 309

  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static std::size_t end_of_run(std::string_view text, std::size_t at) {
    return std::min(text.find_first_not_of("0123456789", at), text.size());
  }

  // A run that long covers a multiple of kLong.
  static bool has_long_run(std::string_view text) {
    for (std::size_t at = 0; at < text.size(); at += kLong) {
      if (!is_digit(text[at]))
        continue;
      std::size_t begin = at;
      while (begin > 0 && is_digit(text[begin - 1]))
        --begin;
      const std::size_t end = end_of_run(text, at);
      if (end - begin > kLong)
        return true;
      at = end - end % kLong;
    }
    return false;
  }

  void quote_all(std::string_view text) {
    std::size_t strings = 0;
    for (std::size_t at = 0; at < text.size();) {
      std::size_t end = at + 1;
      if (text[at] == '"') {
        ++strings;
        end = end_of_string(text, at);
      } else if (is_digit(text[at])) {
        end = end_of_run(text, at);
      }
      const bool is_long = is_digit(text[at]) && end - at > kLong && is_integer(text, at, end);
      if (is_long) {
        strings_.push_back(strings++);
        quote(text.substr(at, end - at));
      } else {
        quoted_ += text.substr(at, end - at);
      }
      at = end;
    }
  }

  // The sign has been copied already: it goes inside the quotes.
  void quote(std::string_view digits) {
    const bool negative = quoted_.ends_with('-');
    if (negative)
      quoted_.pop_back();
    quotes_.push_back(quoted_.size());
    quoted_ += negative ? "\"-" : "\"";
    quoted_ += digits;
    quotes_.push_back(quoted_.size());
    quoted_ += '"';
  }

  // Behind the closing quote, or the end of the text.
  static std::size_t end_of_string(std::string_view text, std::size_t at) {
    for (++at; at < text.size() && text[at] != '"'; ++at)
      at += text[at] == '\\' ? 1U : 0U;
    return std::min(at + 1, text.size());
  }

  static bool is_integer(std::string_view text, std::size_t begin, std::size_t end) {
    const char after = end < text.size() ? text[end] : ' ';
    const char before = begin > 0 ? text[begin - 1] : ' ';
    return text[begin] != '0' && after != '.' && after != 'e' && after != 'E' && before != '.' &&
           before != 'e' && before != 'E' && before != '+';
  }

  std::string quoted_;
  std::vector<std::size_t> strings_;  // numbers of the strings that are integers, rising
  std::vector<std::size_t> quotes_;   // offsets of the quotes that were put in, rising
};

// Receives the parser's events; the interface is nlohmann::json_sax.
class JsonTreeBuilder {
 public:
  JsonTreeBuilder(JsonTree& tree, std::string_view text, const LongIntegers& integers)
      : tree_(tree), text_(text), integers_(integers) {}

  bool null() { return leaf(JsonKind::kNull, 0); }
  bool boolean(bool value) { return leaf(value ? JsonKind::kTrue : JsonKind::kFalse, 0); }
  bool number_integer(std::int64_t value) { return leaf(JsonKind::kInteger, value); }
  bool number_unsigned(std::uint64_t value) {
    if (value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
      return leaf(JsonKind::kInteger, static_cast<std::int64_t>(value));
    return leaf(JsonKind::kNumber, keep(std::to_string(value)));
  }
  bool number_float(double /*value*/, const std::string& lexeme) {
    return leaf(JsonKind::kNumber, keep(lexeme));
  }
  bool string(const std::string& value) {
    const bool is_integer = integers_.contains(num_strings_++);
    return leaf(is_integer ? JsonKind::kNumber : JsonKind::kString, keep(value));
  }
  bool binary(const std::vector<std::uint8_t>& /*value*/) { return false; }  // not in JSON text
  bool start_object(std::size_t /*size*/) { return open(JsonKind::kObject); }
  bool start_array(std::size_t /*size*/) { return open(JsonKind::kArray); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(const std::string& name) {
    if (integers_.contains(num_strings_++)) {
      error_.code = ErrorCode::kJobSyntax;
      error_.message = "not valid JSON: a number stands where a name should";
      return false;
    }
    const auto [at, is_new] = ids_.try_emplace(name, static_cast<std::uint32_t>(ids_.size()));
    if (is_new)
      tree_.keys_.push_back(name);
    key_ = at->second;
    return key_ < kMaxKeys;
  }
  template <class Exception>
  bool parse_error(std::size_t position, const std::string& /*token*/, const Exception& why) {
    // The parser says "... line 1, column 2: syntax error while ... - reason; last read: ...".
    std::string reason = why.what();
    if (const auto dash = reason.find(" - "); dash != std::string::npos)
      reason = reason.substr(dash + 3);
    else if (const auto bracket = reason.find("] "); bracket != std::string::npos)
      reason = reason.substr(bracket + 2);
    reason = reason.substr(0, reason.find("; last read"));
    constexpr std::size_t kLongestReason = 200;
    if (reason.size() > kLongestReason)
      reason = reason.substr(0, reason.find(" '"));  // without the text that it quotes
    if (const auto quoted = reason.find(" parsing '"); quoted != std::string::npos)
      reason =
          reason.substr(0, quoted) + " parsing " + base::confidential(reason.substr(quoted + 9));
    const std::size_t offset = integers_.original(position > 0 ? position - 1 : 0);
    error_ = error_at(
        tree_.filename_, text_, offset, "not valid JSON: " + reason, ErrorCode::kJobSyntax);
    return false;
  }
  const Error& error() const { return error_; }

 private:
  bool add(JsonKind kind, std::int64_t payload) {
    const std::uint32_t kind_bits = static_cast<std::uint32_t>(kind);
    const auto index = static_cast<std::uint32_t>(tree_.nodes_.size());
    tree_.nodes_.push_back({(key_ << kKindBits) | kind_bits, index + 1, payload});
    key_ = 0;
    return index < std::numeric_limits<std::uint32_t>::max() - 1;
  }
  bool leaf(JsonKind kind, std::int64_t payload) { return add(kind, payload); }
  bool open(JsonKind kind) {
    open_.push_back(static_cast<std::uint32_t>(tree_.nodes_.size()));
    return add(kind, 0);
  }
  bool close() {
    tree_.nodes_[open_.back()].end = static_cast<std::uint32_t>(tree_.nodes_.size());
    open_.pop_back();
    return true;
  }
  std::int64_t keep(std::string_view text) {
    const auto start = static_cast<std::int64_t>(tree_.texts_.size());
    const auto length = static_cast<std::uint32_t>(text.size());
    char bytes[sizeof length];
    std::memcpy(bytes, &length, sizeof length);
    tree_.texts_.append(bytes, sizeof length);
    tree_.texts_.append(text);
    return start;
  }

  JsonTree& tree_;
  std::string_view text_;
  const LongIntegers& integers_;
  std::size_t num_strings_ = 0;  // keys and values
  std::uint32_t key_ = 0;
  std::vector<std::uint32_t> open_;
  std::unordered_map<std::string, std::uint32_t> ids_;
  Error error_{ErrorCode::kTooLarge, "the JSON text has too many different names or values", ""};
};

Result<JsonTree> JsonTree::parse(std::string_view text, const std::string& filename) {
  JsonTree tree;
  tree.filename_ = filename;
  const LongIntegers integers(text);
  const std::string_view parsed = integers.any() ? integers.quoted() : text;
  JsonTreeBuilder builder(tree, text, integers);
  if (!nlohmann::json::sax_parse(parsed.begin(), parsed.end(), &builder)) {
    Error error = builder.error();
    if (error.where.empty())
      error.where = filename;
    return error;
  }
  return tree;
}

JsonKind JsonNode::kind() const {
  return static_cast<JsonKind>(tree_->nodes_[index_].key_and_kind & kKindMask);
}

std::string_view JsonNode::key() const {
  return tree_->keys_[tree_->nodes_[index_].key_and_kind >> kKindBits];
}

std::string_view JsonNode::text() const {
  const auto start = static_cast<std::size_t>(tree_->nodes_[index_].payload);
  std::uint32_t length = 0;
  std::memcpy(&length, tree_->texts_.data() + start, sizeof length);
  return std::string_view(tree_->texts_).substr(start + sizeof length, length);
}

JsonNode::Children JsonNode::children() const {
  return {tree_, index_ + 1, tree_->nodes_[index_].end};
}

JsonNode::Children::Iterator& JsonNode::Children::Iterator::operator++() {
  index_ = tree_->nodes_[index_].end;
  return *this;
}

std::size_t JsonNode::num_children() const {
  std::size_t count = 0;
  for ([[maybe_unused]] const JsonNode child : children())
    ++count;
  return count;
}

// Walks down from the root: at each level the child whose range of nodes holds this one.
std::string JsonNode::path() const {
  std::string path;
  JsonNode node = tree_->root();
  while (node.index_ != index_) {
    std::size_t position = 0;
    const bool in_array = node.kind() == JsonKind::kArray;
    for (const JsonNode child : node.children()) {
      if (tree_->nodes_[child.index_].end > index_) {
        node = child;
        break;
      }
      ++position;
    }
    if (in_array)
      path += "[" + std::to_string(position) + "]";
    else
      path += (path.empty() ? "" : ".") + std::string(node.key());
  }
  return path;
}

Error JsonNode::error(std::string message) const {
  const std::string place = path();
  const std::string& file = tree_->filename();
  return {ErrorCode::kBadField, std::move(message), place.empty() ? file : file + ":" + place};
}

Result<std::int64_t> JsonNode::integer() const {
  if (kind() == JsonKind::kInteger)
    return tree_->nodes_[index_].payload;
  if (kind() == JsonKind::kNumber)
    return error("expected a whole number of at most 63 bits, found " +
                 base::confidential(base::in_quotes(text())));
  return error(std::string("expected a whole number, found ") + name_of(kind()));
}

Result<double> JsonNode::real() const {
  if (kind() == JsonKind::kInteger)
    return static_cast<double>(tree_->nodes_[index_].payload);
  if (kind() != JsonKind::kNumber)
    return error(std::string("expected a number, found ") + name_of(kind()));
  auto number = base::parse_double(text());
  if (!number)
    return error(number.error().message);
  return number;
}

Result<bool> JsonNode::boolean() const {
  if (kind() == JsonKind::kTrue || kind() == JsonKind::kFalse)
    return kind() == JsonKind::kTrue;
  return error(std::string("expected true or false, found ") + name_of(kind()));
}

Result<std::string_view> JsonNode::string() const {
  if (kind() != JsonKind::kString)
    return error(std::string("expected a string, found ") + name_of(kind()));
  return text();
}

Result<std::string> JsonNode::number_text() const {
  if (kind() == JsonKind::kInteger)
    return std::to_string(tree_->nodes_[index_].payload);
  if (kind() == JsonKind::kNumber)
    return std::string(text());
  return error(std::string("expected a number, found ") + name_of(kind()));
}

Status JsonNode::expect(JsonKind wanted) const {
  if (kind() != wanted)
    return error(std::string("expected ") + name_of(wanted) + ", found " + name_of(kind()));
  return ok_status();
}

Status read_members(JsonNode object,
                    std::span<const std::string_view> names,
                    std::span<JsonNode> members) {
  LACUNA_RETURN_IF_ERROR(object.expect(JsonKind::kObject));
  for (const JsonNode member : object.children()) {
    std::size_t i = 0;
    while (i < names.size() && names[i] != member.key())
      ++i;
    if (i == names.size()) {
      return object.error("unknown name " + base::in_quotes(member.key()) +
                          base::did_you_mean(member.key(), names));
    }
    if (members[i].present())
      return object.error("the name " + base::in_quotes(member.key()) + " is given twice");
    members[i] = member;
  }
  return ok_status();
}

}  // namespace lacuna::files
