// SPDX-License-Identifier: Apache-2.0
// A ZIP archive in memory, as office documents are: deflated members, no times, so that the same
// content gives the same bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lacuna/result.h"

namespace lacuna::files {

class ZipArchive {
 public:
  Status add(std::string_view name, std::string_view content);  // errors: beyond 4 GiB
  std::string finish() const;

 private:
  std::string bytes_, directory_;
  std::uint32_t members_ = 0;
};

}  // namespace lacuna::files
