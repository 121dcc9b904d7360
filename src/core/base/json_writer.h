// SPDX-License-Identifier: Apache-2.0
// The one writer of JSON (RFC 8259): it appends to a text, puts commas and quotation marks, and
// closes what it opens, so that nobody who writes JSON can forget one. Nothing is kept besides the
// text: files of a million cells are written with it. Text is compact; line() breaks lines where a
// reader of the file is helped by it.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "lacuna/integer.h"
#include "lacuna/units.h"

namespace lacuna::base {

enum class JsonPlace : std::uint8_t {
  kText,    // a file, or what a program prints
  kScript,  // a <script> element: no "<", so that nothing can end the element, and none of the line
            // ends that JavaScript knows and JSON does not
};

class JsonWriter {
 public:
  explicit JsonWriter(std::string& out, JsonPlace place = JsonPlace::kText)
      : out_(out), place_(place) {}
  JsonWriter(const JsonWriter&) = delete;
  JsonWriter& operator=(const JsonWriter&) = delete;

  // The next member or item begins a line.
  JsonWriter& line();

  // ---- members of objects
  JsonWriter& key(std::string_view name);  // its value follows
  template <class Value>
  JsonWriter& member(std::string_view name, const Value& what) {
    return key(name).value(what);
  }
  // All those of an object whose text is there already.
  JsonWriter& members(std::string_view object);

  // ---- values
  JsonWriter& value(std::string_view text);
  JsonWriter& value(double number);  // the fewest digits that read back the same; null: not finite
  JsonWriter& value(const Integer& number);
  template <std::signed_integral Whole>
  JsonWriter& value(Whole number) {
    return signed_value(number);
  }
  template <std::unsigned_integral Whole>
  requires(!std::same_as<Whole, bool>) JsonWriter& value(Whole number) {
    return unsigned_value(number);
  }
  template <std::same_as<bool> Truth>
  JsonWriter& value(Truth truth) {
    return raw(truth ? "true" : "false");
  }
  JsonWriter& value(char) = delete;  // a number or a text?
  JsonWriter& null() { return raw("null"); }
  JsonWriter& bound(Units end);                  // null: unbounded
  JsonWriter& fixed(double number, int places);  // that many digits after the point
  JsonWriter& raw(std::string_view json);        // text of JSON already: digits, or an object

  // ---- objects and lists, of what the call of `write` writes
  template <class Write>
  JsonWriter& object(Write&& write) {
    const Scope outer = open(Where::kObject);
    write();
    return close(outer);
  }
  template <class Write>
  JsonWriter& list(Write&& write) {
    const Scope outer = open(Where::kList);
    write();
    return close(outer);
  }
  template <class Items, class Write>
  JsonWriter& list(const Items& items, Write&& write) {
    const Scope outer = open(Where::kList);
    for (const auto& item : items)
      write(item);
    return close(outer);
  }
  template <class Items>
  JsonWriter& values(const Items& items) {
    return list(items, [&](const auto& item) { value(item); });
  }

  void check_complete() const;  // one value has been written, and all of it

 private:
  enum class Where : std::uint8_t { kTop, kObject, kList };
  struct Scope {
    Where where = Where::kTop;
    bool empty = true;
  };

  JsonWriter& signed_value(std::int64_t number);
  JsonWriter& unsigned_value(std::uint64_t number);
  Scope open(Where where);
  JsonWriter& close(Scope outer);
  void begin_value();
  void separate();
  void append_quoted(std::string_view text);
  void append_escaped(unsigned char byte);

  std::string& out_;
  const JsonPlace place_;
  Scope scope_;
  bool has_key_ = false;   // whose value is to follow
  bool new_line_ = false;  // before what is to follow
};

// The text of one object, whose members `write(json)` writes.
template <class Write>
std::string json_object(Write&& write, JsonPlace place = JsonPlace::kText) {
  std::string out;
  JsonWriter json(out, place);
  json.object([&] { write(json); });
  return out;
}

// The same of any one value.
template <class Write>
std::string json_text(Write&& write, JsonPlace place = JsonPlace::kText) {
  std::string out;
  JsonWriter json(out, place);
  write(json);
  json.check_complete();
  return out;
}

}  // namespace lacuna::base
