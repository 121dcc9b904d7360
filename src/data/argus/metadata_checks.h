// SPDX-License-Identifier: Apache-2.0
// What must hold of metadata as a whole, once all lines are read.
#pragma once

#include "data/argus/metadata.h"

namespace lacuna::argus {

// Settles what lines left open (which of two trees, a total without a label) with notes.
// Errors: at the variable that is wrong.
Status check_metadata(Metadata& metadata, DataKind kind);

}  // namespace lacuna::argus
