// SPDX-License-Identifier: Apache-2.0
// What a reader can infer from published tables alone: the equations are those of the codes, any
// table that fits takes the place of the truth, and the audit is asked for the exact interval of
// every blank, in real numbers and of counts in whole ones. Nothing confidential is known here, and
// nothing but intervals and sums of published numbers comes out.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/inference/fit.h"
#include "app/inference/knowledge.h"
#include "app/inference/system.h"
#include "app/load/inputs.h"
#include "app/load/table_choices.h"
#include "lacuna/audit.h"
#include "lacuna/draft.h"
#include "lacuna/integer.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"
#include "lacuna/run_context.h"

namespace lacuna::inference {

// How narrow is too narrow. In percent: a reader knows the number to within so many percent of it,
// whatever it is; else to within so much.
struct Protection {
  std::string text;  // "10%", "50"; empty: exactly
  bool percent = true;
  Fraction amount = 0;  // of percent: a share, 1/10; else units of the table
};

struct InferenceOptions {
  KnowledgeOptions knowledge;
  std::vector<std::string> sensitive;  // signs, or DIMENSION=CODE; empty: all that is not told
  std::string protection;
  bool all = false;  // also rounded numbers and ranges that the sums narrow
  std::string engine;
};

// One end of what is proven of a number; in units of the table, fractions where need be.
struct InferredBound {
  std::optional<Fraction> at;        // nothing: no end is known
  std::optional<Fraction> possible;  // shown to be possible; nothing: no end is shown to be none
  bool exact = false;                // both are the same
};

struct InferredRange {
  InferredBound low, high;
  bool exact() const { return low.exact && high.exact; }
};

enum class Narrowness : std::uint8_t { kExact, kNarrow, kUnclear, kWide };
std::string_view to_string(Narrowness narrowness);

struct InferredCell {
  std::int32_t cell = 0;  // of the system
  std::size_t finding = 0;
  bool sensitive = true;  // one that counts
  InferredRange real;
  std::optional<InferredRange> whole;  // of counts
  Narrowness narrowness = Narrowness::kWide;
  const InferredRange& best() const { return whole ? *whole : real; }
};

struct Inference {
  System system;
  KnowledgeOptions knowledge;
  int decimals = 0;
  bool counts = false;
  Bounds everywhere;
  Protection protection;
  Fit fit;
  std::shared_ptr<const Problem> problem;  // with the table that fits
  Draft draft;
  AuditReport report;
  std::vector<InferredCell> cells;              // the narrowest first
  std::vector<jobfile::PublishedTable> tables;  // as they were read
  double seconds = 0;

  std::size_t count(Narrowness narrowness) const;  // of those that count
  bool is_too_narrow() const;
};

// `files` as they were named; their bytes are those of `inputs`. Errors: what cannot be read; an
// option that means nothing here.
Result<Inference> infer(const std::vector<std::string>& files,
                        const load::Inputs& inputs,
                        const InferenceOptions& options,
                        const RunContext& run);

// "[46728920, 47088930]", with "unbounded" where there is no end.
std::string range_text(const Inference& inference, const InferredRange& range);
std::string bound_text(const Inference& inference, const InferredBound& bound);

// Half the width in percent of the middle, "0.38%"; empty where an end is missing or the two have
// not the same sign.
std::string closeness_text(const InferredRange& range);

}  // namespace lacuna::inference
