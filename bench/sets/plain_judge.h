// SPDX-License-Identifier: Apache-2.0
// A third opinion on a release, for the bench of safety: the attacker's problem as one plain linear
// program over the whole table, every cell a column and every equation a row, from the files as
// they lie on the disk. It shares no line with the readers of io/, with attack/ or with audit/, has
// no reduction and no evidence, and knows its answers only up to a tolerance. So it decides
// nothing; but where it disagrees with the audit, one of the two is wrong.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::bench {

enum class PlainWord : std::uint8_t {
  kProtected,  // surely beyond every level
  kExposed,    // surely short of one, or the value is printed
  kClose,      // a level is met up to the tolerance, from which side nobody can say
  kNone,       // the engines gave no answer
  kUnasked,    // all levels are zero, and the value is not printed
};
std::string_view to_string(PlainWord word);

struct PlainFinding {
  std::int32_t cell = 0, attacker = 0;
  double value = 0;          // the truth, in units of the release
  double low = 0, high = 0;  // how far below and above it the attacker must look; may be infinite
  bool has_ends = false;     // not of adjusted tables, which bound nothing
  PlainWord word = PlainWord::kNone;
};

struct PlainOptions {
  double tolerance = 1e-7;   // of a distance, relative to the value and at least to one unit
  std::int32_t most = -1;    // requirements to look at, drawn by the seed; -1: all
  std::uint64_t seed = 1;    // of that draw
  std::string engine;        // asked first; empty: the preferred one
  bool minimal = false;      // --levels minimal
  bool zeros_meant = false;  // --zero-levels stated
  std::vector<std::string> released;  // --released
};

struct PlainJudgement {
  PlainWord word = PlainWord::kNone;  // the worst: exposed, none, close, protected, unasked
  bool complete = false;              // every requirement was looked at
  std::vector<PlainFinding> findings;
};

// `table` is a problem JSON; `release` a result JSON, a public CSV or a public JSON. Errors: files
// that are none, a release that lies about the truth, an adjusted table that does not add up.
Result<PlainJudgement> judge_plainly(const std::string& table,
                                     const std::string& release,
                                     const PlainOptions& options,
                                     const RunContext& run);

// Whether two numbers for the same distance may be the same.
bool nearly_equal(double a, double b, double value, const PlainOptions& options);

}  // namespace lacuna::bench
