// SPDX-License-Identifier: Apache-2.0
// What a suppression needs to go on where it stopped: the cells withheld so far and the evidence
// known by then. A text file (docs/formats.md):
//
//   lacuna-checkpoint 2
//   problem SHA256                      of the problem's canonical JSON
//   stage NAME TOUCHES SHA256           where the run was, work so far, and of its options
//   withheld CELL CELL ...
//   evidence DENOMINATOR CELL:MOVE ...  one line per displacement
//   end
//
// Nothing in it is taken on trust: evidence is checked anew and the result audited.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lacuna/draft.h"
#include "lacuna/evidence.h"
#include "lacuna/method.h"
#include "lacuna/result.h"

namespace lacuna::certificate {

struct Checkpoint {
  std::string problem_sha256;
  SuppressStage stage;
  std::string options_sha256;  // stages are of use to a run with the same options only
  std::vector<CellId> withheld;
  std::vector<Displacement> evidence;
};

std::string write_checkpoint(const Checkpoint& checkpoint);
// Errors name the line. Cells are checked against the number of cells of the table.
Result<Checkpoint> read_checkpoint(std::string_view text,
                                   const std::string& filename,
                                   std::int32_t num_cells);

}  // namespace lacuna::certificate
