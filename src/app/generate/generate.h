// SPDX-License-Identifier: Apache-2.0
// Random table problems: the same bytes for the same options on every machine, because only
// integer arithmetic and lacuna's own random numbers are used. Shapes and how near they come to
// the published ones: docs/generate.md.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/fields.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::generation {

enum class GenerateKind : std::uint8_t { kFlat, kHierarchical, kOneHierarchy, kLinked, kThesis };
enum class GenerateWeight : std::uint8_t { kUnity, kValue };

// The names of an enumeration in the order of its enumerators, for command line and files.
std::span<const std::string_view> enum_names(GenerateKind kind);
std::span<const std::string_view> enum_names(GenerateWeight weight);
// "1LINKED", "1B", ...: the instances of Table 5.1 of the thesis.
std::span<const std::string_view> thesis_presets();

// In the lists depths, fan-least and fan-most the last entry serves all further dimensions.
struct GenerateOptions {
  GenerateKind kind = GenerateKind::kFlat;
  std::uint64_t seed = 1;

  // Shape.
  std::vector<std::int32_t> sizes{6, 6};   // flat: 1 to 8 dimensions, leaves >= 1
  std::vector<std::int32_t> depths{2, 2};  // hierarchical, linked: in [1, 12]; one per dimension
  std::vector<std::int32_t> fan_least{2};  // hierarchical, linked: >= 1
  std::vector<std::int32_t> fan_most{4};   // hierarchical, linked: >= fan_least
  std::int32_t ragged_percent = 0;         // hierarchical, linked: in [0, 100]
  std::int32_t one_child_percent = 0;      // hierarchical, linked: in [0, 100]
  std::int32_t rows = 10;                  // 1h2d: >= 1, mean per subtable
  std::int32_t columns = 20;               // 1h2d: >= 1, without the total
  std::int32_t tree_depth = 4;             // 1h2d: in [1, 12], levels of subtables
  std::int32_t open_least = 2;             // 1h2d: >= 0, rows that open a subtable
  std::int32_t open_most = 2;              // 1h2d: >= open_least
  std::int32_t tables = 2;                 // linked: 2 or 3
  bool second_hierarchy = false;           // linked
  std::string preset = "1B";               // thesis: one of thesis_presets()
  bool sliding_only = false;               // thesis

  // Values.
  std::int32_t absent_percent = 0;    // of leaf cells, in [0, 90]; not thesis
  std::int32_t zero_percent = 0;      // of leaf cells, in [0, 90]; not thesis
  std::int64_t typical_value = 1000;  // >= 1, before decimals
  std::int32_t skew = 4;              // octaves, in [0, 10]
  std::int32_t decimals = 0;          // in [0, 6]
  GenerateWeight weight = GenerateWeight::kUnity;
  std::int32_t published_percent = 0;  // of the cells that are not sensitive, in [0, 100]

  // Protection and attackers.
  std::int32_t sensitive_percent = 10;  // of cells at no dimension's total, in [0, 100]
  std::int32_t sensitive_count = -1;    // >= 0 overrides sensitive_percent
  std::int32_t upper_percent = 10;      // of the value, in [0, 10000]
  std::int32_t asymmetry = 1;           // upper level / lower level, in [1, 100]
  std::int32_t sliding_percent = 0;     // of the value, in [0, 10000]
  std::int32_t below_percent = 100;     // of the value, in [0, 100]
  std::int32_t above_percent = 1000;    // of the value, in [0, 10000]; -1 is unbounded
  std::int32_t attackers = 0;           // in [0, 1000]
  std::int32_t attacker_share = 50;     // percent of the cell, in [0, 100]

  Status validate() const;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {  // command line, files and docs read this list
    shape_fields(self, visit);
    subtable_fields(self, visit);
    value_fields(self, visit);
    protection_fields(self, visit);
  }

 private:
  template <class Self, class Visit>
  static void shape_fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "kind",
                    .help = "shape of the table: flat, hierarchical, 1h2d, linked or thesis"},
          self.kind);
    visit(FieldInfo{.name = "seed", .help = "seed; the same seed gives the same problem"},
          self.seed);
    visit(FieldInfo{.name = "sizes",
                    .help = "flat: number of leaf codes of each dimension",
                    .least = 1,
                    .most = 10'000'000},
          self.sizes);
    visit(FieldInfo{.name = "depths",
                    .help = "hierarchical, linked: levels below the total per dimension",
                    .least = 1,
                    .most = 12},
          self.depths);
    visit(FieldInfo{.name = "fan-least",
                    .help = "hierarchical, linked: smallest number of children per dimension",
                    .least = 1,
                    .most = 10'000'000},
          self.fan_least);
    visit(FieldInfo{.name = "fan-most",
                    .help = "hierarchical, linked: largest number of children per dimension",
                    .least = 1,
                    .most = 10'000'000},
          self.fan_most);
    visit(FieldInfo{.name = "ragged-percent",
                    .help = "chance that a branch ends above the last level",
                    .unit = "percent",
                    .least = 0,
                    .most = 100},
          self.ragged_percent);
    visit(FieldInfo{.name = "one-child-percent",
                    .help = "chance that a code has a single child",
                    .unit = "percent",
                    .least = 0,
                    .most = 100},
          self.one_child_percent);
    visit(FieldInfo{.name = "rows",
                    .help = "1h2d: mean number of rows per subtable",
                    .least = 1,
                    .most = 10'000'000},
          self.rows);
    visit(FieldInfo{.name = "columns",
                    .help = "1h2d: number of columns without the total",
                    .least = 1,
                    .most = 10'000'000},
          self.columns);
    visit(
        FieldInfo{
            .name = "tree-depth", .help = "1h2d: levels of subtables", .least = 1, .most = 12},
        self.tree_depth);
  }

  template <class Self, class Visit>
  static void subtable_fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "open-least",
                    .help = "1h2d: smallest number of rows of a subtable that open another",
                    .least = 0},
          self.open_least);
    visit(FieldInfo{.name = "open-most",
                    .help = "1h2d: largest number of rows of a subtable that open another",
                    .least = 0},
          self.open_most);
    visit(FieldInfo{.name = "tables",
                    .help = "linked: number of tables that share the first dimension",
                    .least = 2,
                    .most = 3},
          self.tables);
    visit(FieldInfo{.name = "second-hierarchy",
                    .help =
                        "linked: group the leaves of the shared dimension in a second way as well"},
          self.second_hierarchy);
    visit(FieldInfo{.name = "preset",
                    .help = "thesis: instance of Table 5.1, such as 1LINKED or 2ALT"},
          self.preset);
    visit(FieldInfo{.name = "sliding-only",
                    .help =
                        "thesis: sliding levels of twice the size instead of upper and lower ones"},
          self.sliding_only);
  }

  template <class Self, class Visit>
  static void value_fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "absent-percent",
                    .help = "share of leaf cells that do not exist",
                    .unit = "percent of the leaf cells",
                    .least = 0,
                    .most = 90},
          self.absent_percent);
    visit(FieldInfo{.name = "zero-percent",
                    .help = "share of leaf cells that are zero",
                    .unit = "percent of the leaf cells",
                    .least = 0,
                    .most = 90},
          self.zero_percent);
    visit(FieldInfo{.name = "typical-value",
                    .help = "median of the values of leaf cells",
                    .least = 1,
                    .most = 100'000'000'000},
          self.typical_value);
    visit(FieldInfo{.name = "skew",
                    .help = "the largest leaf is about 2^skew times the median; with 0, values are "
                            "drawn evenly up to twice the median",
                    .least = 0,
                    .most = 10},
          self.skew);
    visit(FieldInfo{.name = "decimals", .help = "digits after the point", .least = 0, .most = 6},
          self.decimals);
    visit(FieldInfo{.name = "weight", .help = "cost of withholding a cell: unity or value"},
          self.weight);
    visit(FieldInfo{.name = "published-percent",
                    .help = "share of the cells that are not sensitive and must be published",
                    .unit = "percent",
                    .least = 0,
                    .most = 100},
          self.published_percent);
  }

  template <class Self, class Visit>
  static void protection_fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "sensitive-percent",
                    .help = "sensitive cells, in percent of the cells that are not totals",
                    .least = 0,
                    .most = 100},
          self.sensitive_percent);
    visit(FieldInfo{.name = "sensitive-count",
                    .help = "number of sensitive cells; -1: use the percentage",
                    .least = -1,
                    .most = 20'000'000},
          self.sensitive_count);
    visit(FieldInfo{.name = "upper-percent",
                    .help = "upper protection level",
                    .unit = "percent of the value",
                    .least = 0,
                    .most = 10'000},
          self.upper_percent);
    visit(FieldInfo{.name = "asymmetry",
                    .help = "upper protection level divided by the lower one",
                    .least = 1,
                    .most = 100},
          self.asymmetry);
    visit(FieldInfo{.name = "sliding-percent",
                    .help = "sliding protection level",
                    .unit = "percent of the value",
                    .least = 0,
                    .most = 10'000},
          self.sliding_percent);
    visit(FieldInfo{.name = "below-percent",
                    .help = "how far below the value the lower bound lies that everyone knows; 100 "
                            "puts it at zero",
                    .unit = "percent of the value",
                    .least = 0,
                    .most = 100},
          self.below_percent);
    visit(
        FieldInfo{
            .name = "above-percent",
            .help =
                "how far above the value the upper bound lies that everyone knows; -1 is unbounded",
            .unit = "percent of the value",
            .least = -1,
            .most = 10'000},
        self.above_percent);
    visit(FieldInfo{.name = "attackers",
                    .help = "number of further attackers, each a respondent of a sensitive cell",
                    .least = 0,
                    .most = 1000},
          self.attackers);
    visit(FieldInfo{.name = "attacker-share",
                    .help = "what such a respondent has contributed to the cell",
                    .unit = "percent of the value",
                    .least = 0,
                    .most = 100},
          self.attacker_share);
  }
};

Result<Problem> generate(const GenerateOptions& options);

// A problem for tests that run over many seeds: 4 to about 40 cells, 1 to 5 primaries, any kind of
// shape, bounds (none above, tight), zeros, decimals, levels, and 1 to 3 attackers. Never an error.
Result<Problem> generate_small(std::uint64_t seed);

}  // namespace lacuna::generation
