// SPDX-License-Identifier: Apache-2.0
// What the types of <WRITETABLE> have in common: numbers with a given number of digits, codes in
// quotes, and what an outsider is taken to know. Lines end with CRLF, as tau-ARGUS writes them
// where most of its files come from; every reader of ours takes both line ends.
#pragma once

#include <gmpxx.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "data/argus/metadata.h"
#include "data/argus/table.h"
#include "data/argus/write_table.h"
#include "lacuna/units.h"

namespace lacuna::argus {

inline constexpr const char* kLineEnd = "\r\n";

// Exactly `digits` after the point; halves to the even digit, as C and Java print them.
std::string fixed_text(const mpq_class& value, int digits);
std::string fixed_text(Units value, int decimals, int digits);
// A protection level with at least `digits` after the point and up to nine more if it needs them;
// one that needs still more is rounded up, because levels may only become stricter.
std::string level_text(const mpq_class& level, int digits);

// The digits that all these numbers need, at least those of <DECIMALS>. Files that are read back
// (types 5 and 6) have them, because a table of rounded numbers does not add up.
int response_digits(const Table& table);
int shadow_digits(const Table& table);  // and the largest contributions

// A code as it stands in the files; quotation marks inside become apostrophes.
std::string code_text(const CodeList& list, std::int32_t code, bool quotes);

// What a reader of the release sees: the response, the rounded or adjusted value, "x" for a cell
// that is withheld (unless its true value is wanted), "-" for an empty one. Of a table that was
// rounded or has cell keys an empty cell is a 0 among others (unless true values are wanted):
// whoever could tell it apart would know that the others are not 0.
std::string released_text(const Table& table, const Cell& cell, bool true_values);
bool is_left_out(const Table& table, const Cell& cell);  // by SE+
bool hides_zeros(const Table& table);                    // empty cells are zeros among others
bool is_blank(const Table& table, const Cell& cell);     // readers see no number
bool has_released_values(const Table&);                  // rounded, adjusted or with cell keys
Units released_value(const Table& table, const Cell& cell);

// Cost with lambda: cost^lambda, or log(cost + 1) if lambda is 0.
double priced(const Table& table, const Cell& cell);

// What everybody is taken to know of a cell: 1.5 times the largest and (if it is negative) the
// smallest response of the table, otherwise 0.
struct OuterBounds {
  mpq_class lower, upper;
};
OuterBounds outer_bounds(const Table& table);

// The levels as files have them: the upper at least one unit of the last digit, the lower cut so
// that the value less the level stays a tenth of a unit above the lower bound. `given`: of the
// cell, or one unit for cells that need none.
ProtectionLevels levels_for_file(const mpq_class& value,
                                 ProtectionLevels given,
                                 const mpq_class& lower_bound,
                                 int digits);

// The parts of write_table, by type.
std::string matrix_text(const Table& table, const WriteOptions& options);
std::string records_text(const Table& table, const WriteTable& command);
std::string sbs_text(const Table& table, const WriteOptions& options);
std::string jj_text(const Table& table, const WriteOptions& options);
std::vector<OutputText> cell_key_texts(const Table& table,
                                       const WriteOptions& options,
                                       const std::string& path,
                                       const Metadata& source);
// The metadata (.rda) beside type 7, and the trees that recodes have made.
std::vector<OutputText> cell_key_metadata(const Table& table,
                                          const WriteOptions& options,
                                          const std::string& path,
                                          const Metadata& source);
std::vector<OutputText> intermediate_texts(const Table& table,
                                           const WriteOptions& options,
                                           const std::string& path,
                                           const Metadata& source);

}  // namespace lacuna::argus
