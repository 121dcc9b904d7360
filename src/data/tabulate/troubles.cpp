// SPDX-License-Identifier: Apache-2.0
#include "data/tabulate/troubles.h"

#include <algorithm>
#include <array>

#include "core/base/confidential.h"
#include "core/base/spelling.h"

namespace lacuna::tabulation {
namespace {

bool is_number(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// "line 17" of "records.csv:17:4"; any other place as it is.
std::string row_text(const std::string& where) {
  const std::size_t column = where.rfind(':');
  if (column == std::string::npos || column == 0)
    return where;
  const std::size_t line = where.rfind(':', column - 1);
  if (line == std::string::npos)
    return where;
  const std::string number = where.substr(line + 1, column - line - 1);
  return is_number(number) && is_number(where.substr(column + 1)) ? "line " + number : where;
}

std::string counted(std::uint64_t count, const char* one, const char* many) {
  return std::to_string(count) + (count == 1 ? one : many);
}

}  // namespace

std::string remedy_of_missing_code() {
  return base::named_setting("its [[dimension]]", "missing", "\"drop\" or \"code\"");
}

std::string remedy_of_unknown_code() {
  return base::named_setting("its [[dimension]]", "unknown", "\"drop\" or \"missing\"");
}

// Records with the same text are one example.
bool Troubles::wants(const Found& found, std::string_view text) {
  if (found.examples.size() >= kShown)
    return false;
  return text.empty() || std::none_of(found.examples.begin(),
                                      found.examples.end(),
                                      [&](const Example& each) { return each.text == text; });
}

void Troubles::add(const Troubles& other) {
  for (const auto& [id, theirs] : other.found_) {
    Found& found = found_[id];
    const bool first = found.records == 0 || theirs.examples.front().at < found.examples.front().at;
    if (first)
      found.text = theirs.text;
    found.records += theirs.records;
    std::vector<Example> all = std::move(found.examples);
    all.insert(all.end(), theirs.examples.begin(), theirs.examples.end());
    std::sort(
        all.begin(), all.end(), [](const Example& a, const Example& b) { return a.at < b.at; });
    found.examples.clear();
    for (Example& each : all) {
      if (wants(found, each.text))
        found.examples.push_back(std::move(each));
    }
  }
  records_ += other.records_;
}

void Troubles::name_firsts(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& repeated,
                           const std::map<std::uint64_t, std::string>& places) {
  for (auto& [id, found] : found_) {
    if (id.second != TroubleKind::kRepeated)
      continue;
    for (Example& each : found.examples) {
      const auto pair =
          std::lower_bound(repeated.begin(), repeated.end(), std::pair(each.at, std::uint64_t{0}));
      const auto place = pair == repeated.end() ? places.end() : places.find(pair->second);
      if (place != places.end())
        each.first = place->second;
    }
    if (!found.examples.empty() && !found.examples.front().first.empty())
      found.text.alone.message += " (the first: " + row_text(found.examples.front().first) + ")";
  }
}

std::string Troubles::line_of(const std::string& column, const Found& found) {
  std::string examples;
  for (const Example& each : found.examples) {
    examples += examples.empty() ? "" : ", ";
    if (!each.text.empty())
      examples += base::confidential(each.text) + " in ";
    examples += row_text(each.where);
    if (!each.first.empty())
      examples += " as " + row_text(each.first);
  }
  const bool more = found.records > static_cast<std::int64_t>(found.examples.size());
  std::string line = "column " + column + ": " +
                     counted(static_cast<std::uint64_t>(found.records), " record ", " records ") +
                     found.text.what + " (" + (more ? "first " : "") + examples + ")";
  return found.text.remedy.empty() ? line : line + ": " + found.text.remedy;
}

Error Troubles::error(const std::vector<std::string>& columns, std::uint64_t all_records) const {
  const Found* first = nullptr;
  for (const auto& [id, found] : found_) {
    if (first == nullptr || found.examples.front().at < first->examples.front().at)
      first = &found;
  }
  const std::string& where = first->examples.front().where;
  if (records_ == 1 && found_.size() == 1)
    return {first->text.alone.code, first->text.alone.message, where};
  std::string message = std::to_string(records_) + " of " +
                        counted(all_records, " record", " records") +
                        " cannot be used as they are, and this is the first of them:";
  bool one_code = true;
  for (const auto& [id, found] : found_) {
    message += "\n  " + line_of(columns[id.first], found);
    one_code = one_code && found.text.alone.code == first->text.alone.code;
  }
  return {one_code ? first->text.alone.code : ErrorCode::kBadField, std::move(message), where};
}

}  // namespace lacuna::tabulation
