// SPDX-License-Identifier: Apache-2.0
#include "data/publish/sdmx_id.h"

namespace lacuna::publish {

std::string sdmx_id(std::string_view name) {
  std::string id;
  for (const char c : name) {
    const bool lower = c >= 'a' && c <= 'z';
    const bool plain = (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    id += lower ? static_cast<char>(c - 'a' + 'A') : plain ? c : '_';
  }
  return id.empty() ? "TABLE" : id;
}

std::string dataflow_of(const PublicRelease& release) {
  return release.options.dataflow.empty()
             ? "OFFICE:" + sdmx_id(release.tables.front().name) + "(1.0)"
             : release.options.dataflow;
}

}  // namespace lacuna::publish
