// SPDX-License-Identifier: Apache-2.0
#include "data/files/chained_log.h"

#include <filesystem>

#include "core/base/sha256.h"
#include "core/platform/file.h"
#include "data/files/file.h"

namespace lacuna::files {
namespace {

constexpr std::size_t kDigestLength = 64;  // hexadecimal digits of SHA-256

Result<std::string> bytes_of(const std::string& path) {
  std::error_code trouble;
  if (!std::filesystem::exists(path, trouble) ||
      (std::filesystem::is_regular_file(path, trouble) && std::filesystem::is_empty(path, trouble)))
    return std::string();
  return read_file(path);
}

}  // namespace

Error log_was_changed(const std::string& what, const std::string& where) {
  return {ErrorCode::kDamaged,
          what + ": the store was changed after it was written; restore it from a copy",
          where};
}

Result<std::vector<LogLine>> read_chained_log(const std::string& path) {
  LACUNA_TRY(const std::string bytes, bytes_of(path));
  std::vector<LogLine> lines;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = bytes.find('\n', at);
    const std::string where = path + ":" + std::to_string(lines.size() + 1);
    if (end == std::string::npos)
      return log_was_changed("this line is not complete", where);
    const std::string line = bytes.substr(at, end - at);
    if (line.size() <= kDigestLength || line[kDigestLength] != ' ')
      return log_was_changed("this line has no digest", where);
    LogLine read{line.substr(0, kDigestLength), line.substr(kDigestLength + 1), where};
    if (base::sha256_hex(read.text) != read.digest)
      return log_was_changed("the digest of this line is not that of its text", where);
    lines.push_back(std::move(read));
    at = end + 1;
  }
  return lines;
}

Status append_to_chained_log(const std::string& path,
                             const std::string& last,
                             const std::string& text) {
  // Held while a line is added. The file itself is replaced as a whole, so its folder has the lock.
  const platform::FolderLock lock(std::filesystem::path(path).parent_path().string());
  LACUNA_TRY(const std::vector<LogLine> now, read_chained_log(path));
  if ((now.empty() ? "" : now.back().digest) != last)
    return Error{ErrorCode::kFileUnwritable,
                 "another run has added to the store; run this one again",
                 path};
  LACUNA_TRY(std::string bytes, bytes_of(path));
  bytes += base::sha256_hex(text) + " " + text + "\n";
  return write_file_atomically(path, bytes);
}

}  // namespace lacuna::files
