// SPDX-License-Identifier: Apache-2.0
// What to make of the columns of microdata: dimensions, tables, response, weight, respondents.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lacuna/dimension.h"
#include "lacuna/export.h"
#include "lacuna/keys.h"
#include "lacuna/result.h"

namespace LACUNA_API lacuna {

enum class MissingPolicy {
  kError,  // stop at the first record without a code
  kDrop,   // leave the record out of all tables; the log says how many
  kCode,   // count the record under a code of its own
};

// Records with a code that a given dimension does not have as a leaf, or of other length than the
// levels of a dimension by digits.
enum class UnknownPolicy {
  kError,
  kDrop,     // leave the record out of all tables; a note says how many
  kMissing,  // the record has no code: MissingOptions says what becomes of it
};

// Codes with more characters than the levels of a dimension by digits.
enum class LongerPolicy {
  kAuto,   // cut if every code of the dimension is longer than its levels, and as long; else wrong
  kCut,    // the table is coarser than the records
  kError,  // wrong, as of UnknownPolicy
};

enum class RespondentPolicy {  // of a record that does not say whose it is
  kError,
  kDrop,  // leave the record out of all tables; a note says how many
  kOwn,   // each is a respondent of its own
};

// Records that have the same texts in the columns that tell records apart. Of those dropped the
// first one in the file stays.
enum class DuplicatePolicy { kError, kDrop, kKeep };

struct MissingOptions {
  MissingPolicy policy = MissingPolicy::kError;
  std::vector<std::string> codes;  // texts that stand for "not known", besides the empty field
  std::string code;  // of kCode: a leaf of a given dimension, else made below the total
};

// How a dimension is read from the records. The functions below make one.
struct DimensionSpec {
  enum class Kind {
    kGiven,   // all codes are known in advance; records carry leaves
    kFlat,    // the codes that occur, below one total
    kDigits,  // the parents of a code are its prefixes
    kNested,  // one column per level, from coarse to fine
  };
  std::string name;
  Kind kind = Kind::kFlat;
  std::optional<Dimension> given;  // of kGiven
  // Chains of columns from coarse to fine. All but kNested have one chain of one column. Several
  // chains are several hierarchies over the same leaves: all end in the same column.
  std::vector<std::vector<std::string>> chains;
  std::vector<int> digits;      // of kDigits: characters per level, e.g. 3, 1, 1
  std::string total = "Total";  // of all but kGiven
  MissingOptions missing;
  UnknownPolicy unknown = UnknownPolicy::kError;
  LongerPolicy longer = LongerPolicy::kAuto;  // of kDigits
};

DimensionSpec given_dimension(Dimension dimension, std::string column);
DimensionSpec flat_dimension(std::string name, std::string column);
DimensionSpec digit_dimension(std::string name, std::string column, std::vector<int> digits);
DimensionSpec nested_dimension(std::string name, std::vector<std::vector<std::string>> chains);

struct TableSpec {  // one of several linked tables
  std::string name;
  std::vector<std::string> dimensions;  // names; the others stand at their total
};

enum class EmptyValue { kError, kDrop, kZero };

struct TabulateOptions {
  std::vector<DimensionSpec> dimensions;  // at least one
  std::vector<TableSpec> tables;          // none: one table of all dimensions

  std::string value;            // column of the response; empty: every record counts 1
  int decimals = -1;            // of the response, 0 to 18; -1: as many as the records need
  bool round_values = false;    // to `decimals`, half away from zero; else more digits are an error
  char decimal_mark = '.';      // '.' or ','
  bool allow_negative = false;  // responses below zero
  EmptyValue empty_value = EmptyValue::kError;

  std::string weight;        // column of the sampling weight; empty: none
  int weight_decimals = -1;  // 0 to 18; -1: as many as the records need

  std::string respondent;  // column; empty: records are anonymous, each is one contributor
  RespondentPolicy missing_respondent = RespondentPolicy::kError;
  std::string holding;  // column; where it is filled, the holding is the contributor
  std::string request;  // column of the request for protection
  std::vector<std::string> request_codes{"1"};
  std::string waiver;  // column of the agreement to disclosure
  std::vector<std::string> waiver_codes{"1"};
  int top = 3;                      // largest contributions kept per cell, 0 to 100
  bool keep_contributions = false;  // of those respondents, what they contribute to every cell

  std::vector<std::string> unique;  // columns that tell records apart; empty: nobody looks
  DuplicatePolicy duplicates = DuplicatePolicy::kError;

  KeyOptions keys;  // of records, for the cell key method

  bool keep_empty_cells = false;  // list the cells without records as well, as zeros

  Status validate() const;
};

}  // namespace lacuna
