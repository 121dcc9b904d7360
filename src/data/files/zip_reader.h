// SPDX-License-Identifier: Apache-2.0
// ZIP archives in memory (PKWARE APPNOTE 6.3.10), as office documents are: members stored or
// deflated, sizes of 64 bits as well. The directory at the end says what there is. An archive is
// read from a stranger: what unpacks to far more than it holds is refused before it fills the
// memory.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/result.h"

namespace lacuna::files {

struct ZipMember {
  std::string name;
  std::uint16_t flags = 0;
  std::uint16_t method = 0;  // 0: stored, 8: deflated
  std::uint32_t sum = 0;     // CRC-32
  std::uint64_t packed = 0, size = 0;
  std::uint64_t start = 0;                 // of the local header
  std::uint64_t data = 0;                  // of the packed bytes
  std::uint64_t entry = 0, entry_end = 0;  // in the directory
};

struct ZipLimits {
  std::uint64_t member = std::uint64_t{256} << 20U;  // bytes of one member, unpacked
  std::uint64_t all = std::uint64_t{1} << 30U;       // of all that are read
  // Above this size a member unpacks to at most so many times its packed size. XML of a sheet is
  // packed to a thirtieth at best; a bomb reaches a thousandth.
  std::uint64_t free_size = std::uint64_t{8} << 20U;
  std::uint64_t ratio = 250;
};

class ZipReader {
 public:
  // `bytes` outlive the reader. Errors: no archive, damaged, encrypted, two members of one name.
  static Result<ZipReader> open(std::string_view bytes,
                                const std::string& filename,
                                const ZipLimits& limits = {});
  std::span<const ZipMember> members() const { return members_; }
  // By its name, in which capitals are the same as small letters; null if there is none.
  const ZipMember* find(std::string_view name) const;
  Result<std::string> read(const ZipMember& member);

  // The archive with these members in the place of the old ones, and without some. All else is byte
  // for byte as it is.
  Result<std::string> with(const std::map<std::string, std::string>& changed,
                           const std::set<std::string>& removed) const;

 private:
  Error error(std::string message, const std::string& member = "") const;
  Status read_directory(std::uint64_t start, std::uint64_t count);
  Result<ZipMember> read_entry(std::uint64_t& at);

  std::string_view bytes_;
  std::string filename_;
  ZipLimits limits_;
  std::vector<ZipMember> members_;
  std::map<std::string, std::size_t> by_name_;  // in small letters
  std::uint64_t end_ = 0;                       // of the last member: where the directory begins
  std::uint64_t unpacked_ = 0;
};

}  // namespace lacuna::files
