// SPDX-License-Identifier: Apache-2.0
// How far a cell may lie from its true value, as far as an attacker can tell.
#pragma once

#include "lacuna/table.h"
#include "lacuna/units.h"

namespace lacuna::attack {

struct Slack {  // how far the value may lie below and above the truth; kUnboundedAbove: no limit
  Units down = 0;
  Units up = 0;
  bool none() const { return down == 0 && up == 0; }
  Units toward(int sign) const { return sign > 0 ? up : down; }
};

struct KnownSlack {  // of a cell of which somebody knows more than everyone
  CellId cell;
  Slack slack;
};

// The slack that bounds leave around a value they contain.
Slack slack_within(Units value, Bounds bounds);

}  // namespace lacuna::attack
