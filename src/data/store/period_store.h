// SPDX-License-Identifier: Apache-2.0
// The releases of all periods of a table, kept in a folder ([store], docs/periods.md):
//
//   releases.log           a line per release, chained by digests (data/files/chained_log.h): a JSON
//                          object of format lacuna-period-1 with the files of its release and their
//                          digests
//   0001-2026-04/          the files of the first one, which nothing writes to any more:
//     records.csv          what was read (under its own name),
//     cells.csv            every cell with its true value, what became of it, and between which
//                          ends it lies for readers of this release, as was proven then,
//     release.json         the release for programs, and the public files as they went out
//
// Nothing is overwritten, a file that was changed is found by its digest, and so is a line that was
// changed, taken out or put in. Who can write the folder can write all of it anew: keep a copy, or
// the last digest, elsewhere. What is in it is as confidential as the tables.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json_writer.h"
#include "lacuna/result.h"

namespace lacuna::store {

// What a file of an entry is.
inline constexpr std::string_view kInput = "input", kCells = "cells", kRelease = "release",
                                  kPublic = "public", kJob = "job";

struct KeptFile {
  std::string role, name, sha256;
};

struct StoreEntry {
  std::int64_t number = 0;
  std::string at, period, folder;  // the folder by its name in that of the store
  bool revision = false;           // of a period that was in the store before
  std::string method, verdict, table_sha256;
  std::int64_t cells = 0, withheld = 0;
  std::vector<KeptFile> files;
  std::string previous, digest;  // of the line before, of this one

  const KeptFile* find(std::string_view role) const;  // the first with this role, or null
  std::string title() const;                          // "2026-04", "2026-04 (revision, entry 7)"
};

struct PeriodStore {
  std::string folder;
  std::vector<StoreEntry> entries;

  std::string log() const;
  std::string path_of(const StoreEntry& entry, const KeptFile& file) const;
  const StoreEntry* latest(const std::string& period) const;  // of this period; null: none
};

// Errors: no such folder; a folder of other things; a log that was changed, or that does not have
// all the folders of releases.
Result<PeriodStore> read_store(const std::string& folder);

// A new folder with an empty log. Errors: it is there already; it cannot be made.
Status make_store(const std::string& folder);

// The bytes of a file of an entry. Errors: it is gone, or was changed.
Result<std::string> read_kept(const PeriodStore& store,
                              const StoreEntry& entry,
                              const KeptFile& file);

// All files of all entries are as they were written.
Status check_files(const PeriodStore& store);

struct NewFile {
  std::string role, name, bytes;
};

// Adds an entry with its files; number, folder and digests are set here. Errors: the store was
// changed since it was read; it cannot be written. Nothing of it is in the store then.
Status add_entry(const PeriodStore& store, StoreEntry entry, const std::vector<NewFile>& files);

void write_entry(base::JsonWriter& json, const StoreEntry& entry);  // its members

}  // namespace lacuna::store
