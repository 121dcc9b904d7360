// SPDX-License-Identifier: Apache-2.0
// A table as tau-ARGUS has it: all combinations of the codes of its variables, the total first, the
// last variable fastest; of every cell what the rules have looked at, what they said, and what a
// method has made of it.
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/argus/batch.h"
#include "lacuna/dimension.h"
#include "lacuna/result.h"
#include "lacuna/units.h"

namespace lacuna::argus {

// The numbers are those of tau-ARGUS's own files.
enum class CellStatus : std::uint8_t {
  kSafe = 1,
  kSafeManual = 2,
  kUnsafeRule = 3,
  kUnsafeRequest = 4,
  kUnsafeFrequency = 5,
  kUnsafeZero = 6,
  kUnsafeManual = 9,
  kProtected = 10,
  kSecondary = 11,
  kSecondaryManual = 12,
  kEmptyNonStructural = 13,
  kEmpty = 14,
};
bool is_unsafe(CellStatus status);  // primary
bool is_secondary(CellStatus status);
bool is_withheld(CellStatus status);  // unsafe or secondary
bool is_empty(CellStatus status);
char letter_of(CellStatus status);              // S U P M E
std::string_view words_for(CellStatus status);  // "Unsafe by rule", for logs

// The codes of a variable in the order of a table: the total, then every code followed by its
// children.
struct CodeList {
  std::string variable;
  std::vector<std::string> codes;     // codes[0]: label of the total; padded as in the data
  std::vector<std::int32_t> parents;  // -1: of the total
  std::vector<bool> missing;          // the code says "not known"
  bool hierarchical = false;          // has a tree, even if flat
  std::vector<int> distance;          // steps, five of them, or none
  bool recoded = false;               // other codes than the metadata lead to

  std::int32_t size() const { return static_cast<std::int32_t>(codes.size()); }
  std::int32_t level(std::int32_t code) const;     // 0: the total
  std::int32_t find(std::string_view code) const;  // exact; blanks at the left ignored if there is
                                                   // no such code; empty: the total; -1: none
};
Result<Dimension> dimension_of(const CodeList& list);

struct ProtectionLevels {  // in numbers of the response (not units)
  mpq_class lower, upper;
};

struct Cell {
  Units response = 0;          // Table::decimals
  Units shadow = 0;            // Table::shadow_decimals
  double cost = 0;             // before lambda
  std::int64_t frequency = 0;  // records
  std::int64_t holdings = 0;   // where the rules are about them
  std::vector<Units> largest;  // contributions of records, falling; as many as the rules need
  std::vector<Units> largest_holdings;
  CellStatus status = CellStatus::kEmpty;
  std::optional<ProtectionLevels> levels;    // of unsafe cells
  std::optional<Units> published;            // rounded or adjusted
  std::optional<mpq_class> lowest, highest;  // what a reader can infer, once audited (AR+)
};

// What the rules look at besides, where there are weights or requests.
struct CellWeights {
  Units sum = 0;               // Table::weight_decimals
  std::vector<Units> largest;  // of the contributions in Cell::largest
};
struct RequestedShare {  // the largest contribution of those who ask for protection
  Units amount = 0;      // Table::shadow_decimals
  int kind = 0;          // 1 or 2: which of the two codes; 0: nobody asks
};
struct CellRequests {
  RequestedShare records, holdings;
};

// What the cell key method looks at, where records have keys.
struct CellKeySums {
  std::uint64_t key = 0;       // of the records that count, modulo Table::key_modulus
  Units smallest = kMaxUnits;  // size of a contribution; Table::shadow_decimals
};

enum class Protection : std::uint8_t { kNone, kSuppressed, kRounded, kAdjusted, kCellKeys };

struct Table {
  SpecifyTable spec;
  SafetyRule rules;
  std::vector<CodeList> variables;
  std::string response;  // name; "Freq" of counts
  int decimals = 0;      // of the response as it is held
  int shadow_decimals = 0;
  int shown_decimals = 0;   // <DECIMALS>: of the files
  bool counts = false;      // a frequency table
  bool frequencies = true;  // false: the file of the table has none, and those of the cells are 1
  bool additive = true;     // false: READTABLE 2
  std::vector<Cell> cells;
  int weight_decimals = 0;
  std::vector<CellWeights> weights;    // by cell; empty without WGT
  std::vector<CellRequests> requests;  // by cell; empty without REQ
  std::uint64_t key_modulus = 0;       // a power of ten; 0: the records have no keys
  std::vector<CellKeySums> keys;       // by cell; empty without keys
  Protection protection = Protection::kNone;
  std::vector<std::string> notes;  // for the log

  std::size_t index_of(const std::vector<std::int32_t>& codes) const;
  std::vector<std::int32_t> codes_of(std::size_t cell) const;
  std::string label_of(std::size_t cell) const;  // "Age=12|Region=Total"
};

bool has_withheld(const Table& table);  // any cell of it

}  // namespace lacuna::argus
