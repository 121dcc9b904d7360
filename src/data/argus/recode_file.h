// SPDX-License-Identifier: Apache-2.0
// Recodes of tau-ARGUS (.grc) and what they make of the codes of a variable. A flat one has lines
// "new : item, item" where an item is a code, "a - b", "- b" (all up to b) or "a -" (all from a),
// by comparison of strings that are padded with blanks at the left; optionally "<MISSING> m1 m2"
// and
// "<CODELIST> file". One of a tree opens with "<TREERECODE>" and lists the codes whose descendants
// are folded into them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/argus/table.h"
#include "data/argus/word.h"
#include "lacuna/result.h"

namespace lacuna::argus {

struct RecodeItem {
  enum class Kind : std::uint8_t { kCode, kUpTo, kFrom, kRange };
  Kind kind = Kind::kCode;
  Word first, second;  // second: of kRange
};

struct RecodeLine {
  Word code;  // the new one
  std::vector<RecodeItem> items;
};

struct RecodeFile {
  std::string filename;
  bool tree = false;
  std::vector<RecodeLine> lines;  // of a flat one
  std::vector<Word> missing;      // at most two
  Word code_list;                 // a file of labels; empty text: none
  std::vector<Word> folded;       // of a tree
};

Result<RecodeFile> read_recode(std::string bytes, const std::string& filename);

struct RecodedCodes {
  CodeList list;                     // the new codes
  std::vector<std::int32_t> new_of;  // for every code of the old list; the total first
  std::vector<std::string>
      notes;  // codes that no line names, that two lines name, that are not there
};

// The list without its recode, as read from the data. Flat: the new codes and those that no line
// names are sorted as strings, padded to the longest; those that say "not known" stand last; a code
// that two lines name goes to the later. Errors: a tree recode of a flat list and the other way
// round, a code longer than those of the list, a range that runs backwards, "not known" made known,
// a folded code that is not there.
Result<RecodedCodes> apply_recode(const RecodeFile& recode, const CodeList& list);

// Codes below this level are folded into their ancestor there; the total is level 0.
RecodedCodes fold_below(const CodeList& list, int level);

}  // namespace lacuna::argus
