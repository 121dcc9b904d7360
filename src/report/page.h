// SPDX-License-Identifier: Apache-2.0
// The report: one page that works without a network, for the office or for the public. The public
// page is made from an audited release alone and has no place for anything that is not published:
// no true value, level, count, cost, nor a hash of confidential files, with which guesses could be
// confirmed.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lacuna/audit.h"
#include "lacuna/draft.h"
#include "lacuna/problem.h"

namespace lacuna::inline report {

using Facts = std::vector<std::pair<std::string, std::string>>;  // name and value, as shown

struct OfficePage {
  std::string title;
  Facts summary;                     // beside what the release and its audit say themselves
  Facts provenance;                  // input, hashes, options, version, engine, seed, time
  std::vector<std::string> reasons;  // per cell, why it is sensitive; empty: not known
  double near_percent = 1;           // what counts as a near guess (guesses.h)
  Facts guesses;                     // beside those of the release itself
};
std::string office_page(const Problem& problem,
                        const Draft& draft,
                        const AuditReport& report,
                        const OfficePage& page);

struct PublicPage {
  std::string title;
  std::string method;
  std::string version;
  std::string date;
};
std::string public_page(const AuditedRelease& release, const PublicPage& page);

}  // namespace lacuna::inline report
