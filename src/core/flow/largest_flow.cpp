// SPDX-License-Identifier: Apache-2.0
#include "core/flow/largest_flow.h"

#include "lacuna/units.h"

namespace lacuna::flow {

template class LargestFlow<double>;
template class LargestFlow<Wide>;

}  // namespace lacuna::flow
