// SPDX-License-Identifier: Apache-2.0
// Every key that a job may have, as data: for pages of reference and for forms. Made from the lists
// that readers and writers of jobs go by (lacuna/job_spec.h); what a word or a number is that a job
// hands on to an option is what that option says.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lacuna::job {

struct JobKey {
  std::string name, help, absent, shown_as;
  // section, sections (a list of them), text, texts, number, whole, wholes, scalar (a number or a
  // word), flag, choice, choices, lists (codes with codes), words (any keys), files, levels
  // (columns)
  std::string kind;
  std::vector<std::string> choices;
  std::vector<std::string> of;  // kinds of job (table, records), or of rule; empty: all
  std::vector<JobKey> keys;     // of a section
};

// The sections, with their keys.
std::vector<JobKey> job_keys();

}  // namespace lacuna::job
