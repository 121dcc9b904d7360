// SPDX-License-Identifier: Apache-2.0
// "counts" of a problem JSON: what a table of counts is judged by (docs/formats.md).
//   {"threshold":3,"zeros":"published","withheld_means":"nonzero","ambiguity":1,"coalition":0,
//    "implied":false,"questions":[{"kind":"exact","attacker":0,"cell":4},
//    {"kind":"all","attacker":0,"cell":4,"group":9},
//    {"kind":"group","attacker":0,"group":9,"parts":[4,5]}]}
#pragma once

#include "core/base/json_writer.h"
#include "data/files/json_tree.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::problems {

// Sets problem.counts. Errors carry the place.
Status read_counts(files::JsonNode node, Problem& problem);
void write_counts(base::JsonWriter& json, const CountRules& rules);

}  // namespace lacuna::problems
