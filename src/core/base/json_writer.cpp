// SPDX-License-Identifier: Apache-2.0
#include "core/base/json_writer.h"

#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <iterator>

#include "core/base/check.h"
#include "core/base/decimal.h"

namespace lacuna::base {
namespace {

constexpr std::string_view kLineSeparator = "\u2028", kParagraphSeparator = "\u2029";

template <class Number>
void append_number(std::string& out, Number number) {
  char buffer[24];  // 64 bits have 20 digits
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, number);
  out.append(buffer, result.ptr);
}

}  // namespace

JsonWriter& JsonWriter::line() {
  LACUNA_CHECK(scope_.where != Where::kTop && !has_key_);
  new_line_ = true;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  LACUNA_CHECK(scope_.where == Where::kObject && !has_key_);
  separate();
  append_quoted(name);
  out_ += ':';
  has_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::members(std::string_view object) {
  LACUNA_CHECK(scope_.where == Where::kObject && !has_key_);
  LACUNA_CHECK(object.size() >= 2 && object.front() == '{' && object.back() == '}');
  if (object.size() == 2)
    return *this;
  separate();
  out_ += object.substr(1, object.size() - 2);
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  begin_value();
  append_quoted(text);
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  return std::isfinite(number) ? raw(format_double(number)) : null();
}

JsonWriter& JsonWriter::value(const Integer& number) {
  return raw(number.text());
}

JsonWriter& JsonWriter::signed_value(std::int64_t number) {
  begin_value();
  append_number(out_, number);
  return *this;
}

JsonWriter& JsonWriter::unsigned_value(std::uint64_t number) {
  begin_value();
  append_number(out_, number);
  return *this;
}

JsonWriter& JsonWriter::bound(Units end) {
  return end == kUnboundedBelow || end == kUnboundedAbove ? null() : value(end);
}

JsonWriter& JsonWriter::fixed(double number, int places) {
  if (!std::isfinite(number))
    return null();
  begin_value();
  out_ += fmt::format("{:.{}f}", number, places);
  return *this;
}

JsonWriter& JsonWriter::raw(std::string_view json) {
  LACUNA_CHECK(!json.empty());
  begin_value();
  out_ += json;
  return *this;
}

void JsonWriter::check_complete() const {
  LACUNA_CHECK(scope_.where == Where::kTop && !scope_.empty);
}

JsonWriter::Scope JsonWriter::open(Where where) {
  begin_value();
  out_ += where == Where::kObject ? '{' : '[';
  const Scope outer = scope_;
  scope_ = {where, true};
  return outer;
}

JsonWriter& JsonWriter::close(Scope outer) {
  LACUNA_CHECK(!has_key_ && !new_line_);
  out_ += scope_.where == Where::kObject ? '}' : ']';
  scope_ = outer;
  return *this;
}

void JsonWriter::begin_value() {
  LACUNA_CHECK(scope_.where != Where::kObject || has_key_);
  LACUNA_CHECK(scope_.where != Where::kTop || scope_.empty);
  if (!has_key_)
    separate();
  has_key_ = false;
}

void JsonWriter::separate() {
  if (!scope_.empty)
    out_ += ',';
  if (new_line_)
    out_ += '\n';
  scope_.empty = false;
  new_line_ = false;
}

void JsonWriter::append_escaped(unsigned char byte) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out_ += "\\u00";
  out_ += kHex[byte >> 4U];
  out_ += kHex[byte & 0xFU];
}

void JsonWriter::append_quoted(std::string_view text) {
  constexpr unsigned char kFirstPrintable = 0x20;
  const bool script = place_ == JsonPlace::kScript;
  out_ += '"';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out_ += '\\';
      out_ += c;
    } else if (byte < kFirstPrintable || (script && (c == '<' || c == '>' || c == '&'))) {
      append_escaped(byte);
    } else if (script && text.substr(i).starts_with(kLineSeparator)) {
      out_ += "\\u2028";
      i += kLineSeparator.size() - 1;
    } else if (script && text.substr(i).starts_with(kParagraphSeparator)) {
      out_ += "\\u2029";
      i += kParagraphSeparator.size() - 1;
    } else {
      out_ += c;
    }
  }
  out_ += '"';
}

}  // namespace lacuna::base
