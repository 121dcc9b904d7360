// SPDX-License-Identifier: Apache-2.0
#include "app/report/count_sources.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/exact.h"

namespace lacuna::report {
namespace {

// Of more than one more the others are counted: a sum of forty terms explains nothing.
constexpr std::size_t kTermsListed = 3;

using Combination = std::map<CellId, Fraction>;

void add(Combination& sum, const Combination& more, const Fraction& times) {
  for (const auto& [cell, factor] : more)
    sum[cell] += factor * times;
}

Direction turned(Direction side, const Fraction& factor) {
  const bool same = factor > 0;
  return same == (side == Direction::kHigh) ? Direction::kHigh : Direction::kLow;
}

class Unrolling {
 public:
  Unrolling(const Problem& problem, const Draft& draft) : table_(problem.table()), draft_(draft) {}

  void follow(const Chain& chain) {
    for (const ChainLine& line : chain) {
      Fraction own = 0;
      for (const Term& term : table_.equation(line.equation)) {
        if (term.cell == line.cell)
          own = term.coefficient;
      }
      Combination sum;
      for (const Term& term : table_.equation(line.equation)) {
        if (term.cell != line.cell && own != 0)
          take(sum, term.cell, Fraction(-term.coefficient) / own, line.side);
      }
      ends_[{line.cell, line.side}] = std::move(sum);
    }
  }

  // The end of a sum of cells on one side.
  Combination end_of(const std::map<CellId, Fraction>& form, Direction side) const {
    Combination sum;
    for (const auto& [cell, factor] : form)
      take(sum, cell, factor, side);
    std::erase_if(sum, [](const auto& each) { return each.second == 0; });
    return sum;
  }

 private:
  void take(Combination& sum, CellId cell, const Fraction& factor, Direction side) const {
    if (draft_.is_exact(cell)) {
      sum[cell] += factor;
      return;
    }
    const auto end = ends_.find({cell, turned(side, factor)});
    if (end != ends_.end())
      add(sum, end->second, factor);
  }

  const Table& table_;
  const Draft& draft_;
  std::map<std::pair<CellId, Direction>, Combination> ends_;
};

// f - s M'g, which is s d: what stands beside the cells once the equations are used.
std::map<CellId, Fraction> after_proof(const Table& table,
                                       const LinearForm& form,
                                       const Multipliers* proof,
                                       Direction direction) {
  std::map<CellId, Fraction> left;
  for (const Term& term : form)
    left[term.cell] += term.coefficient;
  for (std::size_t i = 0; proof != nullptr && i < proof->equations.size(); ++i) {
    Fraction times(proof->values[i], proof->denominator);
    for (const Term& term : table.equation(proof->equations[i]))
      left[term.cell] -= sign(direction) * times * term.coefficient;
  }
  std::erase_if(left, [](const auto& each) { return each.second == 0; });
  return left;
}

// Dimensions in which some cell has another code than the cell in question.
std::vector<bool> differing(const Table& table,
                            CellId about,
                            const std::vector<CountSource>& sources) {
  const auto own = table.codes(about);
  std::vector<bool> differs(own.size(), false);
  for (const CountSource& source : sources) {
    const auto codes = table.codes(source.cell);
    for (std::size_t d = 0; d < codes.size(); ++d)
      differs[d] = differs[d] || codes[d] != own[d];
  }
  return differs;
}

std::string name_of(const Table& table, CellId cell, const std::vector<bool>& differs) {
  const auto codes = table.codes(cell);
  if (codes.empty())
    return table.label(cell);
  std::string name;
  for (std::size_t d = 0; d < codes.size(); ++d) {
    const Dimension& dimension = table.dimensions()[d];
    if (differs[d] && codes[d] != dimension.total())
      name += (name.empty() ? "" : ", ") + dimension.name() + " " + dimension.code(codes[d]);
  }
  return name.empty() ? "total" : name;
}

}  // namespace

std::vector<CountSource> sources_of(const Problem& problem,
                                    const Draft& draft,
                                    const AuditReport& report,
                                    const Finding& finding,
                                    Direction direction) {
  if (draft.by_keys())
    return {};  // told by noisy numbers, and the evidence is that of a larger system
  const End& end = direction == Direction::kHigh ? finding.high : finding.low;
  if (!end.has_bound || end.tree >= 0 || (end.proof < 0 && end.chain < 0))
    return {};
  Unrolling unrolling(problem, draft);
  if (end.chain >= 0)
    unrolling.follow(report.evidence.chains[static_cast<std::size_t>(end.chain)]);
  const Multipliers* proof =
      end.proof < 0 ? nullptr : &report.evidence.proofs[static_cast<std::size_t>(end.proof)];
  const auto left = after_proof(problem.table(), finding.question.form, proof, direction);
  std::vector<CountSource> sources;
  for (auto& [cell, times] : unrolling.end_of(left, direction))
    sources.push_back({cell, times});
  return sources;
}

std::string sources_text(const Table& table,
                         CellId about,
                         const std::vector<CountSource>& sources) {
  const std::vector<bool> differs = differing(table, about, sources);
  std::string plus, minus;
  const std::size_t listed =
      sources.size() > kTermsListed + 1 ? kTermsListed : sources.size();
  std::size_t taken = 0, taken_besides = 0;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const CountSource& source = sources[i];
    if (i >= listed) {
      taken_besides += source.times > 0 ? 0U : 1U;
      continue;
    }
    const Fraction times = abs(source.times);
    std::string& side = source.times > 0 ? plus : minus;
    taken += source.times > 0 ? 0U : 1U;
    side += (side.empty() ? "" : " + ") + (times == 1 ? "" : times.text() + " x ") +
            name_of(table, source.cell, differs);
  }
  if (!minus.empty())
    minus = taken > 1 ? " - (" + minus + ")" : " - " + minus;
  const std::size_t besides = sources.size() - listed;
  std::string rest = besides == 0 ? "" : " and " + std::to_string(besides) + " more";
  if (taken_besides > 0)
    rest += taken_besides == besides ? ", taken away"
                                     : ", " + std::to_string(taken_besides) + " of them taken away";
  return (plus.empty() ? "0" : plus) + minus + rest;
}

}  // namespace lacuna::report
