// SPDX-License-Identifier: Apache-2.0
// What a project has released, and who decided it: a file of lines beside the project, to which
// lines are only added. Each line is a digest and the JSON object (format lacuna-released-1) that
// it is of, which names the digest of the line before: a line that was changed, taken out or put in
// is found. What was released is kept as it was read, so that later
// outputs are judged together with it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/check/folder.h"
#include "lacuna/result.h"

namespace lacuna::checking {

struct Decision {
  std::string output, sha256, verdict;
  bool released = false;             // else refused
  std::vector<std::string> reasons;  // of the verdict
};

struct StoreEntry {
  std::int64_t number = 0;
  std::string at, by, why;
  std::int64_t threshold = 0;
  std::string policy;
  std::vector<Decision> decisions;
  std::vector<CheckTable> tables;  // of released ones; `output` counts in `decisions`
  std::string previous, digest;    // of the line before, of this one
};

struct Store {
  std::string path;
  std::vector<StoreEntry> entries;

  // The entry and decision that released a file with these bytes; null: none did.
  const StoreEntry* release_of(const std::string& sha256) const;
};

// A store that is not there is empty. Errors: a line that is no entry, or whose digest is not that
// of its text, or that does not follow the line before.
Result<Store> read_store(const std::string& path);

// Adds a line; those before stay byte by byte. `entry.number` and its digest are set here. Errors:
// the file was changed since it was read, or cannot be written.
Status append_to_store(const Store& store, StoreEntry entry);

// Adds what was released to what is judged, but for files of the same bytes as in the folder.
void add_released(const Store& store, Outputs& outputs);

std::string log_text(const Store& store);

}  // namespace lacuna::checking
