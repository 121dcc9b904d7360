// SPDX-License-Identifier: Apache-2.0
#include "bench/sets/owner_fits.h"

#include <algorithm>

namespace lacuna::bench {
namespace {

Units floor_of(Wide a, Wide b) {  // b > 0
  return static_cast<Units>(a >= 0 ? a / b : -((-a + b - 1) / b));
}
Units ceiling_of(Wide a, Wide b) {
  return -floor_of(-a, b);
}

class Listing {
 public:
  Listing(const Table& table, std::size_t most) : table_(table), most_(most) {}

  FittingTables list(std::vector<Bounds> known) {
    go(std::move(known));
    return std::move(found_);
  }

 private:
  // c_p y_p = b - sum of the others, whose least and largest sums are known.
  bool narrow(EquationId equation, std::vector<Bounds>& known, bool& changed) const {
    Wide least = 0, largest = 0;
    const auto ends = [&](const Term& term) {
      const Bounds& now = known[static_cast<std::size_t>(term.cell.value)];
      const Wide a = static_cast<Wide>(term.coefficient) * now.lower;
      const Wide b = static_cast<Wide>(term.coefficient) * now.upper;
      return std::pair(std::min(a, b), std::max(a, b));
    };
    for (const Term& term : table_.equation(equation)) {
      least += ends(term).first;
      largest += ends(term).second;
    }
    for (const Term& term : table_.equation(equation)) {
      Bounds& now = known[static_cast<std::size_t>(term.cell.value)];
      const auto [low, high] = ends(term);
      const Wide from = table_.rhs(equation) - (largest - high);
      const Wide to = table_.rhs(equation) - (least - low);
      const Wide size = term.coefficient > 0 ? term.coefficient : -term.coefficient;
      const Units lower = term.coefficient > 0 ? ceiling_of(from, size) : ceiling_of(-to, size);
      const Units upper = term.coefficient > 0 ? floor_of(to, size) : floor_of(-from, size);
      const Bounds then = intersect(now, {lower, upper});
      if (then.lower > then.upper)
        return false;
      if (then == now)
        continue;
      changed = true;
      now = then;
      least += ends(term).first - low;
      largest += ends(term).second - high;
    }
    return true;
  }

  bool settle(std::vector<Bounds>& known) const {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::int32_t e = 0; e < table_.num_equations(); ++e) {
        if (!narrow(EquationId{e}, known, changed))
          return false;
      }
    }
    return true;
  }

  void go(std::vector<Bounds> known) {
    if (!found_.all || !settle(known))
      return;
    const auto open = std::min_element(known.begin(), known.end(), [](const auto& a, const auto& b) {
      const Units x = a.upper - a.lower, y = b.upper - b.lower;
      return x > 0 && (y == 0 || x < y);
    });
    if (open == known.end() || open->is_point())
      return add(known);
    const Bounds range = *open;
    for (Units value = range.lower; value <= range.upper && found_.all; ++value) {
      *open = {value, value};
      go(known);
    }
  }

  void add(const std::vector<Bounds>& known) {
    if (found_.tables.size() >= most_) {
      found_.all = false;
      return;
    }
    std::vector<Units>& values = found_.tables.emplace_back();
    for (const Bounds& each : known)
      values.push_back(each.lower);
  }

  const Table& table_;
  std::size_t most_;
  FittingTables found_;
};

}  // namespace

FittingTables fitting_tables(const Table& table, std::vector<Bounds> known, std::size_t most) {
  return Listing(table, most).list(std::move(known));
}

}  // namespace lacuna::bench
