// SPDX-License-Identifier: Apache-2.0
// The keys of a job as a page has them, from the lists that readers and writers of jobs go by.
#pragma once

#include <string>

namespace lacuna {

std::string job_reference();

}  // namespace lacuna
