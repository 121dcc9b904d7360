// SPDX-License-Identifier: Apache-2.0
// One table of the bench of safety, from its draw to the opinions on everything that the runs on it
// have written. In a process of its own: what happens there crosses to the parent as text.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "bench/sets/safety_judge.h"
#include "lacuna/result.h"

namespace lacuna::bench {

struct SafetySetup {
  std::uint64_t seed = 1;
  std::string program;   // the command line of this very build, for runs that are killed
  std::string verifier;  // scripts/verify_certificate.py
};

struct SafetyFailure {
  std::int64_t table = 0;
  std::string kind;  // disagreement, unsafe, crash
  std::string text;
  std::string command;  // of the run, within the table
};

struct RunPair {
  CertifiedPair pair;
  std::string command;
};

struct SafetyOutcome {
  std::map<std::string, std::int64_t> counts;  // "group|name", so that sums are sums
  std::vector<SafetyFailure> failures;
  std::vector<RunPair> pairs;  // for the second verifier
};

// In a folder that exists and is empty.
SafetyOutcome test_table(const SafetySetup& setup, std::int64_t number, const std::string& folder);

// Where the run at work is written down in that folder, in case it does not come back.
std::string command_file(const std::string& folder);

// What the second verifier said completes the opinions on a table.
void conclude(std::int64_t table, SafetyOutcome& outcome);

std::string pack(const SafetyOutcome& outcome);
SafetyOutcome unpack_outcome(const std::string& text);
void merge(const SafetyOutcome& part, SafetyOutcome& whole);  // counts and failures

}  // namespace lacuna::bench
