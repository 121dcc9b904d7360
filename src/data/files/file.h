// SPDX-License-Identifier: Apache-2.0
// Whole files in and out. Reading looks at the first bytes and unpacks gzip (RFC 1952) and xz by
// itself; writing replaces the target in one step, so that no half-written file is ever seen. What
// is no plain file (a device, a pipe, standard output) is written to and stays what it is, and a
// symbolic link goes on pointing where it points.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/result.h"

namespace lacuna::files {

inline constexpr std::uint64_t kLargestFile = std::uint64_t{4} << 30U;  // bytes after unpacking

Result<std::string> read_file(const std::string& path, std::uint64_t max_bytes = kLargestFile);

// Writes a temporary file beside the target, flushes it to the disk and renames it over the
// target; on any failure the temporary file is removed and the target is as it was. A path that
// ends in .gz is compressed; "-" is standard output.
Status write_file_atomically(const std::string& path, std::string_view text);

// A file below a folder for whoever may write there and nowhere else: no link is followed, neither
// by the name nor on the way to it, and the file is there whole or not at all. False: a file of
// that name was there already and stays as it is. `name` has no ".." in it.
enum class Existing { kStays, kReplaced };
Result<bool> write_file_below(const std::string& folder,
                              const std::string& name,
                              std::string_view text,
                              Existing existing);

// Several files of one run, all or none: every one is complete on the disk before the first is
// given its name.
class StagedFiles {
 public:
  StagedFiles() = default;
  StagedFiles(const StagedFiles&) = delete;
  StagedFiles& operator=(const StagedFiles&) = delete;
  ~StagedFiles();  // what was not committed is gone

  Status add(const std::string& path, std::string_view text);
  Status commit();

 private:
  struct File {
    std::string path;       // as it was named, for messages
    std::string target;     // behind all links
    std::string temporary;  // empty: a stream, which gets `bytes`
    std::string bytes;
  };
  std::vector<File> files_;
};

// Whether the path is "-" or another name of standard output (/dev/stdout, the file it goes to).
bool is_standard_output(const std::string& path);
// Whether writing goes into something that stays: standard output, a device, a pipe.
bool is_stream(const std::string& path);
// Whether two names are one file: the same by device and inode, or by the path behind all links.
// Devices and pipes are nobody's file; standard output is the same under all its names.
bool same_file(const std::string& a, const std::string& b);

// The bytes of a gzip or xz file unpacked; other bytes as they are. `name` is for messages.
Result<std::string> unpack(std::string bytes, const std::string& name, std::uint64_t max_bytes);
Result<std::string> pack_gzip(std::string_view text);

}  // namespace lacuna::files
