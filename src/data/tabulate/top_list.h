// SPDX-License-Identifier: Apache-2.0
// The k largest contributions of many cells, in one array. Which of several contributions of the
// same size is kept does not depend on the order in which they are offered.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/tabulate/text_table.h"
#include "lacuna/units.h"

namespace lacuna::tabulation {

struct Share {  // what one contributor adds to one cell
  static constexpr std::uint32_t kAnonymous = ~std::uint32_t{0};
  static constexpr std::uint32_t kRequested = 1;  // on some record of the contributor
  static constexpr std::uint32_t kNotWaived = 2;  // likewise, so that both flags add up with "or"
  Units amount = 0;
  std::uint32_t respondent = kAnonymous;
  std::uint32_t flags = 0;
};

class TopLists {
 public:
  // Without respondents (all are anonymous) the table may be null.
  TopLists(int top, const RespondentTable* respondents)
      : top_(static_cast<std::size_t>(top)), respondents_(respondents) {}

  void resize(std::size_t lists) {
    used_.resize(lists, 0);
    shares_.resize(lists * top_);
  }
  std::span<const Share> list(std::size_t at) const {
    return {shares_.data() + at * top_, used_[at]};
  }
  // Contributions below this size are not kept.
  Units threshold(std::size_t at) const {
    if (top_ == 0)
      return kUnboundedAbove;
    return used_[at] < top_ ? 0 : size(shares_[at * top_ + top_ - 1].amount);
  }
  void offer(std::size_t at, const Share& share) {
    Share* const begin = shares_.data() + at * top_;
    std::size_t used = used_[at];
    if (used == top_ && (top_ == 0 || !before(share, begin[used - 1])))
      return;
    if (used < top_)
      used_[at] = static_cast<std::uint8_t>(++used);
    std::size_t place = used - 1;
    for (; place > 0 && before(share, begin[place - 1]); --place)
      begin[place] = begin[place - 1];
    begin[place] = share;
  }
  // Unless the respondent is listed.
  void offer_once(std::size_t at, const Share& share) {
    if (size(share.amount) < threshold(at))
      return;
    for (const Share& listed : list(at)) {
      if (listed.respondent == share.respondent)
        return;
    }
    offer(at, share);
  }

 private:
  static Units size(Units amount) { return amount < 0 ? -amount : amount; }
  bool before(const Share& a, const Share& b) const {
    if (size(a.amount) != size(b.amount))
      return size(a.amount) > size(b.amount);
    return tie_before(a, b);
  }
  bool tie_before(const Share& a, const Share& b) const {
    if (a.respondent != b.respondent)
      return respondents_->before(a.respondent, b.respondent);
    return a.amount != b.amount ? a.amount > b.amount : a.flags > b.flags;
  }
  std::size_t top_;
  const RespondentTable* respondents_;
  std::vector<std::uint8_t> used_;
  std::vector<Share> shares_;
};

}  // namespace lacuna::tabulation
