// SPDX-License-Identifier: Apache-2.0
// What was inferred, as text, as JSON, as a page, and as a certificate that needs nothing but the
// published files to be checked.
#pragma once

#include <cstddef>
#include <string>

#include "app/inference/inference.h"

namespace lacuna::inference {

// The first line says how many blanks are known, the next ones what was read and which sums were
// used; then the cells, the narrowest first.
std::string inference_text(const Inference& inference, std::size_t most, bool proofs);

// "a reader knows: no number is below 0": a line.
std::string knowledge_text(const Inference& inference);

// One object, with all cells.
std::string inference_json(const Inference& inference);

std::string inference_page(const Inference& inference);

// Format lacuna-inference-1: where each number stands and what was read there, what readers know
// besides, the sums, a table that fits, and a certificate of format 3 for it.
std::string inference_certificate(const Inference& inference);

// "region: Total = North + South": of a sum over many parts the first and the last, and how many.
std::string relation_text(const SystemDimension& dimension, const Relation& relation);

}  // namespace lacuna::inference
