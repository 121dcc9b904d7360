// SPDX-License-Identifier: Apache-2.0
// A published rule of an agency as a small TOML text: [policy] says whose it is, where it was read
// and what the program cannot do of it; the other sections are those of a job (docs/policies.md).
// Those of this folder are part of the program and known by their names.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/spec/job_spec.h"
#include "lacuna/fields.h"
#include "lacuna/result.h"

namespace lacuna::policies {

struct ShippedPolicy {
  std::string_view name;
  std::string_view text;
};
std::span<const ShippedPolicy> shipped_policies();  // by their names, in order

// [policy]. All keys are needed: a rule without its source is hearsay.
struct PolicySource {
  std::string title;    // of the rule
  std::string agency;   // whose it is
  std::string source;   // title of the document in which it was read
  std::string address;  // of that document
  std::string date;     // of the document
  std::string read;     // the day on which it was read
  std::string licence;  // of its text
  std::string says;     // the rule, in our words
  std::string readers;  // what readers know of a withheld cell
  std::string without;  // what of the rule the program does not do; "nothing": it does all

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "title", .help = "title of the rule"}, self.title);
    visit(FieldInfo{.name = "agency", .help = "whose rule it is"}, self.agency);
    visit(FieldInfo{.name = "source", .help = "document in which it was read"}, self.source);
    visit(FieldInfo{.name = "address", .help = "address of that document"}, self.address);
    visit(FieldInfo{.name = "date", .help = "date of that document"}, self.date);
    visit(FieldInfo{.name = "read", .help = "day on which it was read"}, self.read);
    visit(FieldInfo{.name = "licence", .help = "licence of its text"}, self.licence);
    visit(FieldInfo{.name = "says", .help = "the rule in short"}, self.says);
    visit(FieldInfo{.name = "readers", .help = "what readers know of a withheld cell"},
          self.readers);
    visit(FieldInfo{.name = "without", .help = "what of the rule is not applied, or nothing"},
          self.without);
  }
};

struct Policy {
  std::string name;      // as it was asked for
  std::string text;      // all of it
  PolicySource source;   // [policy]
  spec::ReadSpec rules;  // the other sections, with their places
};

// Errors: no TOML; a key that is missing, not known or no text; a section that says where data are,
// which is a job's to say; no rule at all.
Result<Policy> read_policy(std::string text, const std::string& name, const std::string& filename);

using PolicyLoader = std::function<Result<std::string>(const std::string& path)>;

// A name without a slash that does not end in .toml is that of a policy of the program, anything
// else a file. Errors: there is none of this name (the nearest is suggested), at `where`.
Result<Policy> find_policy(const std::string& name,
                           const PolicyLoader& load,
                           const std::string& where);

// Whether it is a file rather than a name.
bool is_policy_file(std::string_view name);

}  // namespace lacuna::policies
