// SPDX-License-Identifier: Apache-2.0
// Initially exposed cells of Serpell, Clark, Smith and Staggemeier: a cell that one of its own
// equations alone holds closer than its level. With z_p = -(1/m_jp) sum_{i != p} m_ji z_i, equation
// j leaves the cell  up_j = sum_{i != p} |m_ji / m_jp| slack_i  (the slack on the side that moves p
// up), and the cell is initially exposed if up_j < UPL, down_j < LPL or up_j + down_j < SPL for
// some j. Their test (section 4) measures the slack by the values of the other withheld cells; ours
// uses the attacker's bounds, which for bounds [0, infinity) gives the same classes. The conjecture
// that only these cells need protection is false (tests/unit/audit/exposure_test.cpp), so the
// classes order work and are reported, and never replace the audit.
#pragma once

#include <span>

#include "judge/attack/view.h"
#include "lacuna/question.h"

namespace lacuna::attack {

bool initially_exposed(const Table& table,
                       std::span<const Slack> slacks,
                       const Question& requirement);

}  // namespace lacuna::attack
