// SPDX-License-Identifier: Apache-2.0
#include "app/check/derive.h"

#include <algorithm>
#include <deque>

#include "core/base/exact.h"
#include "core/base/index.h"
#include "core/base/rational.h"

namespace lacuna::checking {
namespace {

class Deriver {
 public:
  Deriver(const CheckSystem& system,
          const std::vector<bool>& is_open,
          const std::vector<bool>& uses)
      : system_(system), uses_(uses) {
    made_.cells.resize(system.cells.size());
    for (std::size_t c = 0; c < system.cells.size(); ++c) {
      if (!is_open[c])
        continue;
      Derived& own = made_.cells[c].emplace();
      own.form.emplace(static_cast<std::int32_t>(c), 1);
      own.value = system.cells[c].known.lower;
    }
  }

  Derivation run() {
    std::vector<std::vector<std::int32_t>> links_of(system_.cells.size());
    std::deque<std::int32_t> ready;
    unknown_.assign(system_.links.size(), 0);
    for (std::size_t l = 0; l < system_.links.size(); ++l) {
      if (!uses_[l])
        continue;
      for (const LinkTerm& term : system_.links[l].terms) {
        links_of[base::at(term.cell)].push_back(static_cast<std::int32_t>(l));
        unknown_[l] += made_.is_known(term.cell) ? 0 : 1;
      }
      if (unknown_[l] == 1)
        ready.push_back(static_cast<std::int32_t>(l));
    }
    while (!ready.empty()) {
      const std::int32_t link = ready.front();
      ready.pop_front();
      const std::int32_t told = tell(link);
      if (told < 0)
        continue;
      for (const std::int32_t other : links_of[base::at(told)]) {
        if (--unknown_[base::at(other)] == 1)
          ready.push_back(other);
      }
    }
    return std::move(made_);
  }

 private:
  // The cell that the link tells; -1: none, or a number that cannot be.
  std::int32_t tell(std::int32_t link) {
    const Link& each = system_.links[base::at(link)];
    const auto unknown = std::find_if(each.terms.begin(), each.terms.end(), [&](const auto& term) {
      return !made_.is_known(term.cell);
    });
    if (unknown == each.terms.end())
      return -1;
    Derived derived;
    derived.links.insert(link);
    Wide value = 0;
    for (const LinkTerm& term : each.terms) {
      if (term.cell == unknown->cell)
        continue;
      const Derived& known = *made_.cells[base::at(term.cell)];
      const std::int32_t sign = -term.coefficient * unknown->coefficient;  // both are 1 or -1
      value += Wide{known.value} * sign;
      derived.links.insert(known.links.begin(), known.links.end());
      for (const auto& [cell, factor] : known.form) {
        Fraction& own = derived.form[cell];
        own += factor * sign;
      }
    }
    std::erase_if(derived.form, [](const auto& term) { return term.second == Fraction(0); });
    const Bounds& known = system_.cells[base::at(unknown->cell)].known;
    if (value < known.lower || value > known.upper)
      return -1;  // the numbers contradict each other: the audit's table that fits says where
    derived.value = static_cast<Units>(value);
    made_.cells[base::at(unknown->cell)] = std::move(derived);
    return unknown->cell;
  }

  const CheckSystem& system_;
  const std::vector<bool>& uses_;
  Derivation made_;
  std::vector<int> unknown_;
};

}  // namespace

bool Derivation::is_known(std::int32_t cell) const {
  return cells[base::at(cell)].has_value();
}

Units Derivation::value(std::int32_t cell) const {
  return cells[base::at(cell)]->value;
}

Derivation derive(const CheckSystem& system,
                  const std::vector<bool>& is_open,
                  const std::vector<bool>& uses) {
  return Deriver(system, is_open, uses).run();
}

}  // namespace lacuna::checking
