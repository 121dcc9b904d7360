// SPDX-License-Identifier: Apache-2.0
// A job that somebody wrote by hand and a form changes: the new value is written as TOML, and what
// a value does not hold stays as far as it can, comments, the order of keys, numbers as they were
// written.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "data/spec/spec_text.h"
#include "data/spec/value.h"
#include "lacuna/result.h"

namespace lacuna::spec {

// The value of a job with a list wherever there may be several: [dimension] is a list of one, and
// so is its tree. Where a tree or a group is a list of pairs, ["Total", ["A", "B"]], it becomes a
// table: for callers whose tables have no order.
SpecValue in_lists(SpecValue job);

// In which line the sections and keys of a job stand: "rule[0]", "rule[0].n".
std::map<std::string, int> lines_of(const SpecValue& job);

struct EditedText {
  std::string text;
  std::vector<std::string> lost;  // comments of what is no more
};

// Errors: `before` is no TOML.
Result<EditedText> edited_toml(const std::string& before, const SpecValue& now);

}  // namespace lacuna::spec
