// SPDX-License-Identifier: Apache-2.0
// Data frames in and out.
#pragma once

#include "app/load/inputs.h"
#include "values.h"

namespace lacuna::r {

// Texts and data frames by name. The frames are read where they are: the list must outlive the
// inputs, and nobody may change it meanwhile.
load::Inputs inputs_of(SEXP held);

// A named list of vectors with as many row names as there are rows: a data frame.
cpp11::sexp frame_of(const columns::OutputTable& table);

// The same as bytes of files, for what outlives the call: a frame as an Arrow file of texts.
load::Inputs files_of(SEXP held);

}  // namespace lacuna::r
