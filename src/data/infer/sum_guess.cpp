// SPDX-License-Identifier: Apache-2.0
#include "data/infer/sum_guess.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "core/base/spelling.h"
#include "core/base/text.h"
#include "data/files/position.h"

namespace lacuna::infer {
namespace {

using Vector = std::vector<Units>;

constexpr std::size_t kMostCodes = 5000;      // of a hierarchy that is searched for
constexpr std::int64_t kMostSteps = 300'000;  // of the search for one parent's children

Error uncertain(const std::string& what) {
  return {ErrorCode::kUnclearFormat, what, ""};
}

Wide sum_of(const Vector& values) {
  return std::accumulate(values.begin(), values.end(), Wide{0});
}

bool fits_into(const Vector& part, const Vector& whole) {
  for (std::size_t i = 0; i < part.size(); ++i) {
    const bool within =
        whole[i] >= 0 ? part[i] >= 0 && part[i] <= whole[i] : part[i] <= 0 && part[i] >= whole[i];
    if (!within)
      return false;
  }
  return true;
}

void subtract(Vector& from, const Vector& what, Units sign) {
  for (std::size_t i = 0; i < from.size(); ++i)
    from[i] -= sign * what[i];
}

bool is_zero(const Vector& values) {
  return std::all_of(values.begin(), values.end(), [](Units value) { return value == 0; });
}

class TreeGuess {
 public:
  explicit TreeGuess(const CodeValues& dimension)
      : codes_(dimension.codes), values_(dimension.values) {
    for (const Vector& values : values_)
      sums_.push_back(sum_of(values));
  }

  Result<GuessedTree> guess() {
    std::vector<std::size_t> flat;
    for (std::size_t code = 0; code < codes_.size(); ++code) {
      if (is_sum_of_others(code))
        flat.push_back(code);
    }
    if (flat.size() == 1 && !is_certain() && !is_total_word(codes_[flat.front()]))
      return uncertain(
          base::in_quotes(codes_[flat.front()]) +
          " is the sum of all others, which may be chance, since there is one sum only");
    if (flat.size() == 1)
      return flat_tree_of(flat.front());
    if (flat.size() > 1)
      return uncertain("each of " + named(flat) + " is the sum of all others");
    return deep_tree();
  }

 private:
  std::string named(const std::vector<std::size_t>& codes) const {
    constexpr std::size_t kMost = 5;
    std::string text;
    for (std::size_t i = 0; i < std::min(codes.size(), kMost); ++i)
      text += (i > 0 ? ", " : "") + base::in_quotes(codes_[codes[i]]);
    return text + (codes.size() > kMost ? ", ..." : "");
  }

  // More than one sum shows it.
  bool is_certain() const {
    std::size_t sums = 0;
    for (std::size_t i = 0; i < (values_.empty() ? 0 : values_.front().size()); ++i) {
      const auto parts = std::count_if(
          values_.begin(), values_.end(), [&](const Vector& values) { return values[i] != 0; });
      sums += parts > 2 ? 1U : 0U;
    }
    return sums > 1;
  }

  bool is_sum_of_others(std::size_t code) const {
    const Wide all = std::accumulate(sums_.begin(), sums_.end(), Wide{0});
    if (codes_.size() < 2 || 2 * sums_[code] != all || is_zero(values_[code]))
      return false;
    Vector rest = values_[code];
    for (std::size_t other = 0; other < codes_.size(); ++other) {
      if (other != code)
        subtract(rest, values_[other], 1);
    }
    return is_zero(rest);
  }

  GuessedTree flat_tree_of(std::size_t total) const {
    GuessedTree found{codes_[total], {{codes_[total]}, {{codes_[total], {}}}}, true};
    for (std::size_t code = 0; code < codes_.size(); ++code) {
      if (code == total)
        continue;
      found.tree.codes.push_back(codes_[code]);
      found.tree.relations.front().children.push_back(codes_[code]);
    }
    return found;
  }

  // ---- trees of several levels

  Result<GuessedTree> deep_tree() {
    order_.resize(codes_.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    const std::size_t total = largest();
    if (codes_.size() > kMostCodes)
      return uncertain("no code is the sum of the others, and a hierarchy of " +
                       std::to_string(codes_.size()) + " codes is not searched for");
    if (is_zero(values_[total]) || codes_.size() < 3)
      return no_tree();
    LACUNA_RETURN_IF_ERROR(merge_equals());
    std::vector<std::size_t> by_sum = order_;
    std::stable_sort(by_sum.begin(), by_sum.end(), [&](std::size_t a, std::size_t b) {
      return sums_[a] > sums_[b];
    });
    // Codes that begin like their parents; parents before their parts, or behind them; level by
    // level as in the file; the largest first.
    const bool found = tree_by_names(total) || (is_certain() && (tree_by_nesting(total, order_) ||
                                                                 tree_by_order(total, order_) ||
                                                                 tree_by_order(total, by_sum)));
    if (!found)
      return no_tree();
    put_twins_below();
    return tree_from(total);
  }

  std::size_t largest() const {
    return static_cast<std::size_t>(std::max_element(sums_.begin(), sums_.end()) - sums_.begin());
  }

  void forget_tree(std::size_t total) {
    parent_.assign(codes_.size(), kNone);
    children_.assign(codes_.size(), {});
    parent_[total] = total;
  }

  // FR101 stands below FR10, and what has no such parent below the total.
  bool tree_by_names(std::size_t total) {
    forget_tree(total);
    bool deep = false;
    for (const std::size_t code : order_) {
      if (code == total)
        continue;
      std::size_t parent = total;
      std::size_t length = 0;
      for (const std::size_t other : order_) {
        const std::string& start = codes_[other];
        if (other != code && other != total && start.size() > length &&
            start.size() < codes_[code].size() && codes_[code].starts_with(start)) {
          parent = other;
          length = start.size();
        }
      }
      deep = deep || parent != total;
      parent_[code] = parent;
      children_[parent].push_back(code);
    }
    return deep && std::all_of(order_.begin(), order_.end(), [&](std::size_t code) {
             return children_[code].empty() || adds_up(code);
           });
  }

  bool adds_up(std::size_t parent) const {
    Vector rest = values_[parent];
    for (const std::size_t child : children_[parent])
      subtract(rest, values_[child], 1);
    return is_zero(rest);
  }

  // Every code is followed by its parts (or, read from the end, comes after them).
  bool tree_by_nesting(std::size_t total, const std::vector<std::size_t>& order) {
    std::vector<std::size_t> sequence;
    std::copy_if(order.begin(), order.end(), std::back_inserter(sequence), [&](std::size_t code) {
      return code != total;
    });
    for (int direction = 0; direction < 2; ++direction) {
      forget_tree(total);
      steps_ = 0;
      if (nest(total, sequence, 0) == sequence.size())
        return true;
      std::reverse(sequence.begin(), sequence.end());
    }
    return false;
  }

  // The end of the codes from `at` on that are parts of the parent and their parts; `at` if they do
  // not add up to it.
  std::size_t nest(std::size_t parent, const std::vector<std::size_t>& sequence, std::size_t at) {
    const std::size_t begin = at;
    Vector rest = values_[parent];
    std::vector<std::size_t> parts;
    while (at < sequence.size() && !is_zero(rest) && ++steps_ < kMostSteps &&
           fits_into(values_[sequence[at]], rest)) {
      const std::size_t part = sequence[at];
      subtract(rest, values_[part], 1);
      parts.push_back(part);
      at = nest(part, sequence, at + 1);
    }
    if (!is_zero(rest))
      return begin;
    for (const std::size_t part : parts)
      parent_[part] = parent;
    children_[parent] = std::move(parts);
    std::sort(children_[parent].begin(), children_[parent].end());
    return at;
  }

  // From the total down; the children of a code are the first in the order that are still free and
  // add up to it.
  bool tree_by_order(std::size_t total, const std::vector<std::size_t>& order) {
    forget_tree(total);
    std::vector<std::size_t> open{total};
    for (std::size_t i = 0; i < open.size(); ++i) {
      find_children(open[i], order);
      open.insert(open.end(), children_[open[i]].begin(), children_[open[i]].end());
    }
    return open.size() == order.size();
  }

  Error no_tree() const {
    const std::size_t most = largest();
    const Wide others = std::accumulate(sums_.begin(), sums_.end(), -2 * sums_[most]);
    constexpr int kNear = 20;  // a twentieth: a total with an error rather than something else
    const bool near = sums_[most] > 0 && others != 0 && others < sums_[most] / kNear &&
                      -others < sums_[most] / kNear;
    return uncertain(
        near ? "no code is the sum of the others, and " + base::in_quotes(codes_[most]) +
                   ", which may be meant, is off: correct the table, or have its totals added up "
                   "anew, " +
                   base::named_option("totals", "recomputed")
             : "no code is the sum of the others (the largest is " + base::in_quotes(codes_[most]) +
                   "), and no hierarchy was found by the sums");
  }

  // A code that is zero could stand anywhere. Codes that are equal throughout are taken as one and
  // put below each other later (A = A1 alone); if they are not that, no tree will be found.
  Status merge_equals() {
    twin_of_.assign(codes_.size(), kNone);
    std::map<Vector, std::size_t> seen;
    for (const std::size_t code : order_) {
      if (is_zero(values_[code]))
        return uncertain("the codes form a hierarchy, and " + base::in_quotes(codes_[code]) +
                         ", which is zero throughout, could stand anywhere in it");
      const auto [at, is_new] = seen.try_emplace(values_[code], code);
      if (!is_new) {
        twin_of_[code] = at->second;
        at->second = code;
      }
    }
    std::erase_if(order_, [&](std::size_t code) { return twin_of_[code] != kNone; });
    return ok_status();
  }

  void find_children(std::size_t parent, const std::vector<std::size_t>& order) {
    candidates_.clear();
    for (const std::size_t code : order) {
      if (parent_[code] == kNone && fits_into(values_[code], values_[parent]))
        candidates_.push_back(code);
    }
    chosen_.clear();
    if (!choose_run(parent, order)) {
      rest_ = values_[parent];
      steps_ = 0;
      if (!choose(0))
        return;
    }
    for (const std::size_t child : chosen_) {
      parent_[child] = parent;
      children_[parent].push_back(child);
    }
    std::sort(children_[parent].begin(), children_[parent].end());  // as in the file
  }

  // Children often follow each other: a window over the free codes whose sum is the parent's.
  bool choose_run(std::size_t parent, const std::vector<std::size_t>& order) {
    std::vector<std::size_t> window;
    std::size_t begin = 0;
    Wide sum = 0;
    for (const std::size_t code : order) {
      if (parent_[code] != kNone)
        continue;
      window.push_back(code);
      sum += sums_[code];
      while (sum > sums_[parent] && begin < window.size())
        sum -= sums_[window[begin++]];
      if (sum != sums_[parent] || begin == window.size())
        continue;
      chosen_.assign(window.begin() + static_cast<std::ptrdiff_t>(begin), window.end());
      Vector rest = values_[parent];
      for (const std::size_t part : chosen_)
        subtract(rest, values_[part], 1);
      if (is_zero(rest))
        return true;
    }
    chosen_.clear();
    return false;
  }

  // Whether the candidates from `first` on hold parts of what is left.
  bool choose(std::size_t first) {
    if (is_zero(rest_))
      return true;
    for (std::size_t i = first; i < candidates_.size(); ++i) {
      if (++steps_ > kMostSteps)
        return false;
      const Vector& part = values_[candidates_[i]];
      if (!fits_into(part, rest_))
        continue;
      subtract(rest_, part, 1);
      chosen_.push_back(candidates_[i]);
      if (choose(i + 1))
        return true;
      chosen_.pop_back();
      subtract(rest_, part, -1);
    }
    return false;
  }

  // A > A1 > A11, all equal: the last of them has the children that were found for the first.
  void put_twins_below() {
    for (std::size_t code = 0; code < codes_.size(); ++code) {
      if (twin_of_[code] == kNone)
        continue;
      children_[code] = std::move(children_[twin_of_[code]]);
      children_[twin_of_[code]] = {code};
    }
  }

  GuessedTree tree_from(std::size_t total) const {
    GuessedTree found{codes_[total], {}, false};
    std::vector<std::size_t> open{total};
    while (!open.empty()) {
      const std::size_t code = open.back();
      open.pop_back();
      found.tree.codes.push_back(codes_[code]);
      if (children_[code].empty())
        continue;
      files::NamedRelation relation{codes_[code], {}};
      for (const std::size_t child : children_[code])
        relation.children.push_back(codes_[child]);
      found.tree.relations.push_back(std::move(relation));
      open.insert(open.end(), children_[code].rbegin(), children_[code].rend());
    }
    return found;
  }

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  const std::vector<std::string>& codes_;
  const std::vector<Vector>& values_;
  std::vector<Wide> sums_;
  std::vector<std::size_t> order_;    // as in the file
  std::vector<std::size_t> twin_of_;  // the code before it that is equal throughout
  std::vector<std::size_t> parent_;
  std::vector<std::vector<std::size_t>> children_;
  std::vector<std::size_t> candidates_;
  Vector rest_;
  std::vector<std::size_t> chosen_;
  std::int64_t steps_ = 0;
};

}  // namespace

bool is_total_word(std::string_view code) {
  constexpr std::array<std::string_view, 22> kWords{
      "",       "t",      "_t",    "tot",   "total",    "totals",     "totale",   "totaal",
      "totalt", "all",    "sum",   "summe", "gesamt",   "insgesamt",  "ensemble", "suma",
      "razem",  "celkem", "i alt", "ialt",  "yhteensa", "grand total"};
  return std::find(kWords.begin(), kWords.end(), base::lower_case(code)) != kWords.end();
}

std::optional<NearlyTotal> nearly_total(const CodeValues& dimension) {
  constexpr std::size_t kFewest = 4;  // sums
  constexpr std::size_t kShare = 10;  // of them one may fail
  if (dimension.values.size() < 3)
    return std::nullopt;
  const std::size_t count = dimension.values.front().size();
  Vector all(count, 0);
  for (const Vector& values : dimension.values)
    subtract(all, values, -1);
  std::optional<NearlyTotal> found;
  for (std::size_t code = 0; code < dimension.values.size(); ++code) {
    NearlyTotal nearly{code, 0, 0, 0};
    for (std::size_t i = 0; i < count; ++i) {
      if (all[i] == 0)
        continue;
      ++nearly.sums;
      if (Wide{2} * dimension.values[code][i] != Wide{all[i]} && nearly.broken++ == 0)
        nearly.first_broken = i;
    }
    if (nearly.sums < kFewest || nearly.broken == 0 ||
        nearly.broken > std::max<std::size_t>(1, nearly.sums / kShare))
      continue;
    if (found)
      return std::nullopt;
    found = nearly;
  }
  return found;
}

namespace {

// The combinations in which a code is, but for the slack of all numbers, the sum of the others, and
// those in which it is not. Sums of nothing count for neither.
struct SumsHeld {
  std::size_t held = 0, broken = 0;
};

SumsHeld sums_of(const CodeValues& dimension, std::size_t code, Units slack) {
  SumsHeld sums;
  for (std::size_t i = 0; i < dimension.values[code].size(); ++i) {
    Wide others = 0;
    Units parts = 0;
    for (std::size_t other = 0; other < dimension.values.size(); ++other) {
      if (other == code || dimension.values[other][i] == 0)
        continue;
      others += dimension.values[other][i];
      ++parts;
    }
    const Wide off = others - dimension.values[code][i];
    const Wide most = Wide{slack} * (parts + 1);
    if (parts < 2 && off == 0)
      continue;
    ++(off <= most && off >= -most ? sums.held : sums.broken);
  }
  return sums;
}

}  // namespace

namespace {

// The longest other code that it begins like.
std::size_t named_parent(const CodeValues& dimension, std::size_t code) {
  std::size_t parent = dimension.codes.size();
  std::size_t length = 0;
  for (std::size_t other = 0; other < dimension.codes.size(); ++other) {
    const std::string& start = dimension.codes[other];
    if (start.size() <= length || start.size() >= dimension.codes[code].size() ||
        !dimension.codes[code].starts_with(start))
      continue;
    parent = other;
    length = start.size();
  }
  return parent;
}

SumsHeld sums_told(const CodeValues& dimension,
                   std::size_t parent,
                   const std::vector<std::size_t>& children,
                   Units slack) {
  SumsHeld sums;
  for (std::size_t i = 0; i < dimension.all[parent].size(); ++i) {
    const auto told = [&](std::size_t code) { return dimension.told[code][i]; };
    if (!told(parent) || !std::all_of(children.begin(), children.end(), told))
      continue;
    Wide off = -Wide{dimension.all[parent][i]};
    for (const std::size_t child : children)
      off += dimension.all[child][i];
    if (off == 0 && dimension.all[parent][i] == 0)
      continue;
    const Wide most = Wide{slack} * (static_cast<Wide>(children.size()) + 1);
    ++(off <= most && off >= -most ? sums.held : sums.broken);
  }
  return sums;
}

}  // namespace

namespace {

// One code is called a total, and the others that stand below none are its parts, as far as their
// numbers are told.
void add_total_of(const CodeValues& dimension,
                  const std::vector<std::vector<std::size_t>>& children,
                  Units slack,
                  std::vector<files::NamedRelation>& relations) {
  std::vector<bool> is_part(dimension.codes.size(), false);
  for (const std::vector<std::size_t>& parts : children) {
    for (const std::size_t part : parts)
      is_part[part] = true;
  }
  CodeValues tops;
  for (std::size_t code = 0; code < dimension.codes.size(); ++code) {
    if (is_part[code])
      continue;
    tops.codes.push_back(dimension.codes[code]);
    tops.all.push_back(dimension.all[code]);
    tops.told.push_back(dimension.told[code]);
    tops.values.emplace_back();
  }
  for (std::size_t i = 0; i < dimension.all.front().size(); ++i) {
    const bool all = std::all_of(
        tops.told.begin(), tops.told.end(), [&](const std::vector<bool>& told) { return told[i]; });
    for (std::size_t code = 0; all && code < tops.codes.size(); ++code)
      tops.values[code].push_back(tops.all[code][i]);
  }
  const auto total = likely_total(tops, slack);
  if (!total || tops.codes.size() < 2)
    return;
  files::NamedRelation relation{*total, {}};
  for (const std::string& code : tops.codes) {
    if (code != *total)
      relation.children.push_back(code);
  }
  relations.insert(relations.begin(), std::move(relation));
}

}  // namespace

std::vector<files::NamedRelation> sums_by_names(const CodeValues& dimension, Units slack) {
  std::vector<std::vector<std::size_t>> children(dimension.codes.size());
  for (std::size_t code = 0; code < dimension.codes.size(); ++code) {
    const std::size_t parent = named_parent(dimension, code);
    if (parent < dimension.codes.size())
      children[parent].push_back(code);
  }
  std::vector<files::NamedRelation> relations, unchecked;
  bool any_broken = false;
  for (std::size_t parent = 0; parent < dimension.codes.size(); ++parent) {
    if (children[parent].empty())
      continue;
    const SumsHeld sums = sums_told(dimension, parent, children[parent], slack);
    files::NamedRelation relation{dimension.codes[parent], {}};
    for (const std::size_t child : children[parent])
      relation.children.push_back(dimension.codes[child]);
    any_broken = any_broken || sums.broken > sums.held;
    if (sums.held > 0 && sums.broken <= sums.held / 3)
      relations.push_back(std::move(relation));
    else if (sums.held == 0 && sums.broken == 0)
      unchecked.push_back(std::move(relation));
  }
  if (relations.empty() || any_broken)
    return relations;
  relations.insert(relations.end(), unchecked.begin(), unchecked.end());
  add_total_of(dimension, children, slack, relations);
  return relations;
}

namespace {

// Combinations in which the parts that are told are together more than the code, and no number is
// negative: it is no sum of them.
std::size_t exceeded(const CodeValues& dimension, std::size_t code, Units slack) {
  std::size_t found = 0;
  for (std::size_t i = 0; !dimension.all.empty() && i < dimension.all[code].size(); ++i) {
    if (!dimension.told[code][i])
      continue;
    Wide parts = 0;
    Units count = 1;
    bool negative = false;
    for (std::size_t other = 0; other < dimension.all.size(); ++other) {
      if (other == code || !dimension.told[other][i])
        continue;
      parts += dimension.all[other][i];
      negative = negative || dimension.all[other][i] < 0;
      ++count;
    }
    found += !negative && parts > dimension.all[code][i] + Wide{slack} * count ? 1U : 0U;
  }
  return found;
}

}  // namespace

std::optional<std::string> likely_total(const CodeValues& dimension, Units slack) {
  constexpr std::size_t kShare = 3;  // of its sums one may fail: numbers that were revised
  std::optional<std::string> named, held;
  std::size_t num_named = 0, num_held = 0;
  for (std::size_t code = 0; code < dimension.codes.size(); ++code) {
    const SumsHeld sums = sums_of(dimension, code, slack);
    const bool is_word = is_total_word(dimension.codes[code]);
    if (is_word && sums.broken <= sums.held &&
        exceeded(dimension, code, slack) <= std::max(sums.held, sums.broken)) {
      named = dimension.codes[code];
      ++num_named;
    }
    if (sums.held > 1 && sums.broken * kShare <= sums.held) {
      held = dimension.codes[code];
      ++num_held;
    }
  }
  if (num_named == 1 && (num_held == 0 || named == held))
    return named;
  return num_held == 1 && num_named == 0 ? held : std::nullopt;
}

Result<GuessedTree> guess_tree(const CodeValues& dimension) {
  return TreeGuess(dimension).guess();
}

}  // namespace lacuna::infer
