// SPDX-License-Identifier: Apache-2.0
// Jobs as text: TOML for people, JSON for programs. The keys and what they mean are those of
// JobSpec (data/spec/job_spec.h) in both.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "data/spec/job_spec.h"
#include "data/spec/value.h"
#include "lacuna/job_spec.h"
#include "lacuna/result.h"

namespace lacuna::spec {

// Errors: what is no TOML or JSON, by its place; a key that stands twice.
Result<SpecValue> value_from_toml(std::string text, const std::string& filename);
Result<SpecValue> value_from_json(const std::string& text, const std::string& filename);

// Remarks by the path of the section that they close: "columns", "dimension[0]"; "" begins the
// text.
using SpecRemarks = std::map<std::string, std::vector<std::string>>;

// Comments, each with its sign, by the path of a section ("rule[0]") or of a key in it
// ("rule[0].n"): on lines of their own before it, or behind it.
struct SpecComments {
  std::map<std::string, std::vector<std::string>> before;
  std::map<std::string, std::string> behind;
  std::vector<std::string> at_end;
};

// Whether a key holds lists by name, such as the children of codes: toml_of() writes a section of
// its own for each table of them, and its keys on lines of their own.
bool is_spec_tree(const SpecValue& value);

// Sections in the order of the value; whole tables of keys within a section on lines of their own.
std::string toml_of(const SpecValue& value,
                    const SpecRemarks& remarks = {},
                    const SpecComments& comments = {});
std::string json_of(const SpecValue& value);

Result<ReadSpec> read_spec_toml(std::string text, const std::string& filename);
Result<ReadSpec> read_spec_json(const std::string& text, const std::string& filename);
std::string spec_toml(const JobSpec& job, const SpecRemarks& remarks = {});
std::string spec_json(const JobSpec& job);

}  // namespace lacuna::spec
