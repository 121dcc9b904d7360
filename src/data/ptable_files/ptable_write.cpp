// SPDX-License-Identifier: Apache-2.0
// Writers of perturbation tables (ptable_file.h has the formats). p is the length of the range and
// p_ub its end, both exact. What a format cannot say is refused, or noted where it matters only for
// counts beyond the table.
#include <array>

#include "core/base/decimal.h"
#include "core/base/spelling.h"
#include "data/ptable_files/ptable_file.h"
#include "data/ptable_files/ptable_keys.h"

namespace lacuna::ptable_files {
namespace {

constexpr int kMostShareDigits = 18;

Error cannot(PtableFormat format, const std::string& why) {
  return {
      ErrorCode::kCannotHold,
      "the format " + std::string(enum_names(format)[static_cast<std::size_t>(format)]) + " " + why,
      ""};
}

// A share as decimal text; empty if it has none of so many digits.
std::string share_text(std::uint64_t units, std::uint64_t denominator) {
  std::string text =
      base::format_fraction(static_cast<Wide>(units), static_cast<Wide>(denominator), 0);
  const std::size_t point = text.find('.');
  const bool fits = text.find('/') == std::string::npos &&
                    (point == std::string::npos || text.size() - point - 1 <= kMostShareDigits);
  return fits ? text : "";
}

// The texts of an entry by column: i, j, p, v, p_lb, p_ub, type.
using LineTexts = std::array<std::string, 7>;

Result<std::vector<LineTexts>> line_texts(const Ptable& table, PtableFormat format) {
  std::vector<LineTexts> lines;
  for (const PtableRow& row : table.rows()) {
    std::uint64_t before = 0;
    for (std::size_t e = 0; e < row.entries.size(); ++e) {
      const PtableEntry& entry = row.entries[e];
      const std::uint64_t end = table.end_of(row, e);
      LineTexts line{std::to_string(row.count),
                     base::format_units(entry.target, table.decimals()),
                     share_text(end - before, table.denominator()),
                     base::format_units(entry.noise, table.decimals()),
                     share_text(before, table.denominator()),
                     share_text(end, table.denominator()),
                     std::string(enum_names(row.type)[static_cast<std::size_t>(row.type)])};
      if (line[2].empty() || line[4].empty() || line[5].empty())
        return cannot(format,
                      "has decimals, and shares of " + std::to_string(table.denominator()) +
                          " keys have no decimals of 18 digits; write " +
                          base::named_option("format", "ons"));
      lines.push_back(std::move(line));
      before = end;
    }
  }
  return lines;
}

Status check_separated(const Ptable& table, PtableFormat format) {
  if (!table.has_types() || format != PtableFormat::kArgus)
    return ok_status();
  if (!table.rows(PtableType::kSmallCells).empty())
    return cannot(format, "has small cells in a file of their own, as type all");
  for (const PtableRow& row : table.rows()) {
    for (std::size_t e = 1; e < row.entries.size(); ++e) {
      for (std::size_t other = 0; other < e; ++other) {
        if (row.entries[other].target == row.entries[e].target)
          return cannot(format,
                        "keeps one range per j in tables with types; leave out " +
                            base::named_option("split"));
      }
    }
  }
  return ok_status();
}

Result<std::string> separated_text(const Ptable& table, PtableFormat format) {
  LACUNA_RETURN_IF_ERROR(check_separated(table, format));
  LACUNA_TRY(const std::vector<LineTexts> lines, line_texts(table, format));
  const bool lower = format == PtableFormat::kSas;
  std::string text = lower ? "i;j;p;v;p_lb;p_ub" : "i;j;p;v;p_ub";
  text += table.has_types() ? ";type\n" : "\n";
  for (const LineTexts& line : lines) {
    text += line[0] + ";" + line[1] + ";" + line[2] + ";" + line[3] + ";";
    text += (lower ? line[4] + ";" : "") + line[5];
    text += table.has_types() ? ";" + line[6] + "\n" : "\n";
  }
  return text;
}

Result<std::string> yaml_text(const Ptable& table) {
  if (!table.check_counts())
    return cannot(PtableFormat::kCellKey,
                  "has magnitudes only together with their flex function; read the table with " +
                      base::named_option("format", "argus") + " there");
  LACUNA_TRY(const std::vector<LineTexts> lines, line_texts(table, PtableFormat::kCellKey));
  constexpr std::array<const char*, 7> kNames{"i", "j", "p", "v", "lb", "ub", "type"};
  std::string text = "params:\n  ptable:\n";
  for (std::size_t c = 0; c < kNames.size(); ++c) {
    text += std::string("    ") + kNames[c] + ":\n";
    for (const LineTexts& line : lines)
      text += "    - " + line[c] + "\n";
  }
  return text + "type: cnts\nversion: 1.0.3\nptype: params_cnts\n";
}

Result<std::string> ons_text(const Ptable& table, std::uint64_t keys) {
  constexpr std::uint64_t kMostKeys = 65'536;
  if (keys == 0)
    keys = table.own_modulus() == 0 ? 256 : table.own_modulus();
  if (keys > kMostKeys)
    return cannot(
        PtableFormat::kOns,
        "has a line per key, at most 65,536; name their number by " + base::named_option("keys"));
  std::string text = "pcv,ckey,pvalue\n";
  for (std::int64_t count = 1; count <= kOnsRows; ++count) {
    for (std::uint64_t key = 0; key < keys; ++key)
      text += std::to_string(count) + "," + std::to_string(key) + "," +
              std::to_string(table.noise(count, key, keys)) + "\n";
  }
  return text;
}

std::string abs_text(const Ptable& table) {
  const bool folded = table.key_use() == KeyUse::kFolded;
  const std::uint64_t modulus = folded ? table.own_modulus() : kFoldedKeys;
  const auto width = static_cast<std::int64_t>(table.rows(PtableType::kAll).size()) - 1;
  std::string text;
  for (std::int64_t count = 1; count <= width; ++count)
    text += (count == 1 ? "n" : ",n") + std::to_string(count);
  text += "\n";
  for (std::uint64_t key = 0; key < kFoldedKeys; ++key) {
    for (std::int64_t count = 1; count <= width; ++count) {
      const PtableRow& row = table.rows(PtableType::kAll)[static_cast<std::size_t>(count)];
      text += (count == 1 ? "" : ",") +
              base::format_units(table.entry_of(row, key, modulus).noise, table.decimals());
    }
    text += "\n";
  }
  return text;
}

Status check_keys(const Ptable& table, PtableFormat format) {
  if (const Status counts = table.check_counts(); !counts)
    return cannot(format, "is for counts alone: " + counts.error().text());
  if (!table.keeps_zero())
    return cannot(format, "has no row of 0, and this table changes zeros");
  return ok_status();
}

}  // namespace

Result<std::string> ptable_text(const Ptable& table, PtableFormat format, std::uint64_t keys) {
  const bool by_keys = format == PtableFormat::kOns || format == PtableFormat::kAbs;
  if (table.key_use() == KeyUse::kFolded && format != PtableFormat::kAbs)
    return cannot(format, "does not fold the bytes of keys; such a table can only stay abs");
  if (by_keys)
    LACUNA_RETURN_IF_ERROR(check_keys(table, format));
  switch (format) {
    case PtableFormat::kArgus:
    case PtableFormat::kSas:
      return separated_text(table, format);
    case PtableFormat::kCellKey:
      return yaml_text(table);
    case PtableFormat::kOns:
      return ons_text(table, keys);
    case PtableFormat::kAbs:
      return abs_text(table);
  }
  return cannot(format, "is not known");
}

std::string ptable_loss(const Ptable& table, PtableFormat format) {
  const RowCycle& cycle = table.cycle();
  const auto last = static_cast<std::int64_t>(table.rows(PtableType::kAll).size()) - 1;
  const bool is_ons = cycle == RowCycle{kOnsRows, kOnsRows - kOnsCycle + 1, kOnsCycle, -1};
  if (format == PtableFormat::kOns && !is_ons && last > kOnsRows - kOnsCycle + 1)
    return "counts above 750 go round in rows 501 to 750 of the format ons";
  if (format == PtableFormat::kAbs && cycle.length > 1)
    return "the format abs does not say how counts beyond its columns go round: read it with "
           "--cycle";
  if (format != PtableFormat::kOns && format != PtableFormat::kAbs && cycle.length > 1)
    return "counts above " + std::to_string(cycle.plain) +
           " went round in rows; in this format they take the last row";
  return "";
}

}  // namespace lacuna::ptable_files
