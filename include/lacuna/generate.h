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

#include "lacuna/export.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace LACUNA_API lacuna {

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
    visit("kind", self.kind, "flat, hierarchical, 1h2d, linked or thesis");
    visit("seed", self.seed, "same seed, same problem");
    visit("sizes", self.sizes, "flat: number of leaf codes of each dimension");
    visit("depths", self.depths, "hierarchical, linked: levels below the total per dimension");
    visit("fan-least", self.fan_least, "hierarchical, linked: fewest children per dimension");
    visit("fan-most", self.fan_most, "hierarchical, linked: most children per dimension");
    visit("ragged-percent", self.ragged_percent, "chance that a branch ends above the last level");
    visit("one-child-percent", self.one_child_percent, "chance that a code has a single child");
    visit("rows", self.rows, "1h2d: mean number of rows per subtable");
    visit("columns", self.columns, "1h2d: number of columns without the total");
    visit("tree-depth", self.tree_depth, "1h2d: levels of subtables");
    visit("open-least", self.open_least, "1h2d: fewest rows of a subtable that open another");
    visit("open-most", self.open_most, "1h2d: most rows of a subtable that open another");
    visit("tables", self.tables, "linked: number of tables that share the first dimension");
    visit("second-hierarchy",
          self.second_hierarchy,
          "linked: group the leaves of the shared dimension in a second way as well");
    visit("preset", self.preset, "thesis: instance of Table 5.1, such as 1LINKED or 2ALT");
    visit("sliding-only",
          self.sliding_only,
          "thesis: sliding levels of twice the size instead of upper and lower ones");
    visit("absent-percent", self.absent_percent, "share of leaf cells that do not exist");
    visit("zero-percent", self.zero_percent, "share of leaf cells that are zero");
    visit("typical-value", self.typical_value, "median of the leaf cells");
    visit("skew",
          self.skew,
          "largest leaf is about 2^skew times the median; 0 draws evenly up to twice the median");
    visit("decimals", self.decimals, "digits after the point");
    visit("weight", self.weight, "cost of withholding a cell: unity or value");
    visit("published-percent",
          self.published_percent,
          "share of the cells that are not sensitive and must be published");
    visit("sensitive-percent",
          self.sensitive_percent,
          "sensitive cells, in percent of the cells that are at no total");
    visit("sensitive-count", self.sensitive_count, "number of sensitive cells; -1: by percent");
    visit("upper-percent", self.upper_percent, "upper protection level in percent of the value");
    visit("asymmetry", self.asymmetry, "upper protection level divided by lower one");
    visit("sliding-percent", self.sliding_percent, "sliding level in percent of the value");
    visit("below-percent",
          self.below_percent,
          "how far below the value everyone's bound lies, in percent; 100 is zero");
    visit("above-percent",
          self.above_percent,
          "how far above the value everyone's bound lies, in percent; -1 is unbounded");
    visit("attackers", self.attackers, "further attackers: respondents of a sensitive cell");
    visit("attacker-share",
          self.attacker_share,
          "what such a respondent has contributed to the cell, in percent of its value");
  }
};

Result<Problem> generate(const GenerateOptions& options);

// A problem for tests that run over many seeds: 4 to about 40 cells, 1 to 5 primaries, any kind of
// shape, bounds (none above, tight), zeros, decimals, levels, and 1 to 3 attackers. Never an error.
Result<Problem> generate_small(std::uint64_t seed);

}  // namespace lacuna
