// SPDX-License-Identifier: Apache-2.0
// What `lacuna argus` says of a job that was run, and with --check of one that was not: tables,
// rules, sizes, unsafe cells, and what would be done.
#pragma once

#include <string>

#include "app/argus_run/argus_session.h"
#include "data/argus/batch.h"

namespace lacuna::argus_run {

std::string rules_text(const argus::SafetyRule& rules);  // "NK(2,75) FREQ(3,30)"
std::string check_text(const ArgusSession& session);
std::string check_json(const ArgusSession& session);
std::string session_text(const ArgusSession& session);
std::string session_json(const ArgusSession& session);

}  // namespace lacuna::argus_run
