// SPDX-License-Identifier: Apache-2.0
// What the bench of owners prints: a table, rows as CSV, JSON.
#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bench/sets/output.h"
#include "bench/sets/owner.h"

namespace lacuna::bench {
namespace {

double share(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::size_t median(std::vector<std::size_t> numbers) {
  if (numbers.empty())
    return 0;
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  return *middle;
}

double mean(double sum, std::int64_t count) {
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

struct Column {
  const char* name;
  const char* head;
  std::string (*text)(const OwnerRow& row, const OwnerSums& sums);
};

std::string percent(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? "" : fmt::format("{:.0f}", share(part, whole));
}

// One list for page, CSV and JSON.
constexpr Column kColumns[] = {
    {"row", "row", [](const OwnerRow& row, const OwnerSums&) { return row.name; }},
    {"tables", "tables", [](const auto&, const OwnerSums& s) { return std::to_string(s.tables); }},
    {"attacked",
     "attacked",
     [](const auto&, const OwnerSums& s) { return std::to_string(s.attacked); }},
    {"too_wide", "too wide", [](const auto&, const OwnerSums& s) { return std::to_string(s.wide); }},
    {"refused",
     "nothing released",
     [](const auto&, const OwnerSums& s) { return std::to_string(s.refused); }},
    {"broken", "broken, %", [](const auto&, const OwnerSums& s) { return percent(s.broken, s.attacked); }},
    {"width_broken",
     "width broken, %",
     [](const auto&, const OwnerSums& s) { return percent(s.narrow, s.attacked); }},
    {"exact", "exact, %", [](const auto&, const OwnerSums& s) { return percent(s.exact, s.attacked); }},
    {"single",
     "one table left, %",
     [](const auto&, const OwnerSums& s) { return percent(s.single, s.listed); }},
    {"whole", "F_A = F, %", [](const auto&, const OwnerSums& s) { return percent(s.whole, s.listed); }},
    {"broken_without",
     "broken over F, %",
     [](const auto&, const OwnerSums& s) { return percent(s.fits_broken, s.attacked); }},
    {"shrink",
     "shrink",
     [](const auto&, const OwnerSums& s) { return fmt::format("{:.2f}", mean(s.shrink, s.cells)); }},
    {"median_fit",
     "median F",
     [](const auto&, const OwnerSums& s) { return std::to_string(median(s.fit)); }},
    {"median_kept",
     "median F_A",
     [](const auto&, const OwnerSums& s) { return std::to_string(median(s.kept)); }},
    {"price",
     "price",
     [](const auto&, const OwnerSums& s) {
       return s.priced == 0 ? "" : fmt::format("{:.2f}", mean(s.price, s.priced));
     }},
    {"first_stood",
     "first choice stood, %",
     [](const OwnerRow& row, const OwnerSums& s) {
       return row.terms.widths ? percent(s.stood, s.tables - s.refused) : std::string();
     }},
    {"runs", "runs", [](const auto&, const OwnerSums& s) { return std::to_string(s.runs); }},
    {"seconds",
     "seconds",
     [](const auto&, const OwnerSums& s) { return fmt::format("{:.1f}", s.seconds); }},
};

std::string numbers_of(const std::vector<std::int64_t>& tables) {
  std::string text;
  for (const std::int64_t each : tables)
    text += (text.empty() ? "" : ", ") + std::to_string(each);
  return text;
}

}  // namespace

std::string owner_csv(const std::vector<OwnerRow>& rows, const std::vector<OwnerSums>& sums) {
  std::string text;
  for (const Column& each : kColumns)
    text += (text.empty() ? "" : ",") + std::string(each.name);
  text += "\n";
  for (std::size_t i = 0; i < sums.size(); ++i) {
    std::string line;
    for (const Column& each : kColumns) {
      std::string field = each.text(rows[i], sums[i]);
      if (field.find(',') != std::string::npos)
        field = "\"" + field + "\"";
      line += (&each == kColumns ? "" : ",") + field;
    }
    text += line + "\n";
  }
  return text;
}

std::string owner_text(const std::vector<OwnerRow>& rows, const std::vector<OwnerSums>& sums) {
  std::vector<std::string> head;
  for (const Column& each : kColumns)
    head.emplace_back(each.head);
  std::vector<std::vector<std::string>> lines;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    std::vector<std::string>& line = lines.emplace_back();
    for (const Column& each : kColumns)
      line.push_back(each.text(rows[i], sums[i]));
  }
  std::string text = markdown_table(head, lines);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (rows[i].planted)
      text += fmt::format("\n{}: found on {} of {} tables\n",
                          rows[i].name,
                          sums[i].other_course.size(),
                          sums[i].attacked);
  }
  return text;
}

std::string owner_json(const std::vector<OwnerRow>& rows, const std::vector<OwnerSums>& sums) {
  nlohmann::json all = nlohmann::json::array();
  for (std::size_t i = 0; i < sums.size(); ++i) {
    nlohmann::json row;
    for (const Column& each : kColumns)
      row[each.name] = each.text(rows[i], sums[i]);
    row["promise_broken"] = sums[i].narrow_promise;
    row["other_course"] = sums[i].other_course;
    all.push_back(std::move(row));
  }
  return nlohmann::json{{"rows", all}}.dump(1) + "\n";
}

std::string owner_failures(const std::vector<OwnerRow>& rows, const std::vector<OwnerSums>& sums) {
  std::string text;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    std::string why;
    if (rows[i].planted) {
      if (sums[i].attacked > 0 && sums[i].other_course.empty())
        why = "the planted dependence on hidden values was not found";
    } else if (rows[i].promises && !sums[i].narrow_promise.empty()) {
      why = "a width that was promised is broken on tables " + numbers_of(sums[i].narrow_promise);
    } else if (rows[i].promises && !sums[i].other_course.empty()) {
      why = "the course depends on hidden values on tables " + numbers_of(sums[i].other_course);
    }
    if (!why.empty())
      text += (text.empty() ? "" : "; ") + rows[i].name + ": " + why;
  }
  return text;
}

}  // namespace lacuna::bench
