// SPDX-License-Identifier: Apache-2.0
// The evidence of whole numbers in a certificate (docs/counts.md, section 3):
//   "steps":[{"q":2,"denominator":2,"equations":[0,1],"values":[1,1]}]
//   "chains":[[{"cell":3,"side":"high","equation":2,"value":1}]]
//   "trees":[{"node":{"cell":3,"at":0},"low":{"proof":5},"high":{"chain":6,"empty":true}}]
// and findings with "whole":true, in the order of the questions: those of the problem, then the
// implied ones. An end may name a witness or a ray, and chain, then proof or tree, then step.
#pragma once

#include <vector>

#include "base/json_writer.h"
#include "io/json_tree.h"
#include "lacuna/audit.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::inline io {

void write_whole_evidence(JsonWriter& json, const AuditReport& report);  // as members
void write_count_finding(JsonWriter& json, const Finding& finding);

class WholeEvidenceReader {
 public:
  WholeEvidenceReader(const Problem& problem, AuditReport& evidence)
      : problem_(problem), evidence_(evidence) {}

  static bool is_whole(JsonNode finding);

  Status lists(JsonNode steps, JsonNode chains, JsonNode trees);
  Status finding(JsonNode node);

 private:
  Status step(JsonNode node);
  Status chain(JsonNode node);
  Status tree(JsonNode node);
  Result<std::int32_t> tree_node(JsonNode node, int depth, WholeTree& made);
  Status leaf(JsonNode node, TreeNode& made);
  Status end(JsonNode node, End& end);

  const Problem& problem_;
  AuditReport& evidence_;
};

}  // namespace lacuna::inline io
