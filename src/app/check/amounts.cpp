// SPDX-License-Identifier: Apache-2.0
#include "app/check/amounts.h"

#include <algorithm>
#include <optional>

#include "core/base/exact.h"
#include "core/base/index.h"
#include "core/base/rational.h"

namespace lacuna::checking {
namespace {

constexpr std::size_t kMostNamed = 3;

std::optional<Fraction> number_of(const std::string& text) {
  const auto read = base::parse_fraction(text);
  if (!read)
    return std::nullopt;
  return Fraction(*read);
}

std::string row_label(const CheckTable& table, const CheckRow& row) {
  std::string text;
  for (std::size_t d = 0; d < row.codes.size(); ++d)
    text += (d > 0 ? ", " : "") + table.dimensions[d].shown + "=" + row.codes[d];
  return text.empty() ? "all" : text;
}

// Rows of one table to which the same applies.
struct Affected {
  std::vector<std::string> labels;

  std::string text() const {
    std::string all;
    for (std::size_t i = 0; i < std::min(labels.size(), kMostNamed); ++i)
      all += (i > 0 ? "; " : "") + labels[i];
    if (labels.size() > kMostNamed)
      all += " and " + std::to_string(labels.size() - kMostNamed) + " more";
    return all;
  }
};

class AmountJudge {
 public:
  AmountJudge(const CheckSystem& system,
              const Outputs& outputs,
              const AmountRules& rules,
              std::vector<CheckFinding>& findings)
      : system_(system), outputs_(outputs), rules_(rules), findings_(findings) {}

  void judge(std::size_t t) {
    const CheckTable& table = outputs_.tables[t];
    Affected unknown, undominated;
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      if (table.rows[r].number.empty())
        continue;
      const std::int32_t c = system_.cell_of[t][r];
      const bool told = c >= 0 && system_.cells[base::at(c)].kind == CellKind::kPrinted;
      if (!told)
        unknown.labels.push_back(row_label(table, table.rows[r]));
      else if (system_.cells[base::at(c)].known.lower < rules_.threshold)
        add_few(t, r, c);
      if (rules_.any() && !judge_largest(t, r))
        undominated.labels.push_back(row_label(table, table.rows[r]));
    }
    if (!unknown.labels.empty())
      add(t,
          FindingKind::kUnknown,
          Weight::kReview,
          unknown.text(),
          "no table of the folder says how many contributors are behind " +
              std::to_string(unknown.labels.size()) + " of these numbers (" + table.measure +
              "); print the counts beside them, or check with --records");
    if (!undominated.labels.empty())
      add(t,
          FindingKind::kUnknown,
          Weight::kReview,
          undominated.text(),
          "whether few contributors dominate " + std::to_string(undominated.labels.size()) +
              " of these numbers (" + table.measure +
              ") cannot be seen without the largest contributions or --records");
  }

 private:
  void add(std::size_t t,
           FindingKind kind,
           Weight weight,
           const std::string& label,
           const std::string& reason) {
    CheckFinding finding;
    finding.kind = kind;
    finding.weight = weight;
    finding.label = label;
    finding.reason = reason;
    const Output& output = outputs_.outputs[outputs_.tables[t].output];
    finding.past = output.released;
    if (!output.released)
      finding.outputs.push_back(outputs_.tables[t].output);
    findings_.push_back(std::move(finding));
  }

  void add_few(std::size_t t, std::size_t r, std::int32_t c) {
    const CheckTable& table = outputs_.tables[t];
    const CheckCell& cell = system_.cells[base::at(c)];
    add(t,
        FindingKind::kFewBehind,
        Weight::kFail,
        row_label(table, table.rows[r]),
        "this number (" + table.measure + ") has fewer than " + std::to_string(rules_.threshold) +
            " contributors");
    EvidenceSum sum;
    sum.terms.push_back({1, c, cell.places.front(), cell.known.lower, false});
    sum.total = cell.known.lower;
    findings_.back().cell = c;
    findings_.back().sums.push_back(std::move(sum));
    name_terms(system_, outputs_, findings_.back());
  }

  // False: the largest contributions are not there.
  bool judge_largest(std::size_t t, std::size_t r) {
    const CheckRow& row = outputs_.tables[t].rows[r];
    const auto total = number_of(row.number);
    std::vector<Fraction> largest;
    for (const std::string& text : row.largest) {
      if (const auto number = number_of(text))
        largest.push_back(*number);
    }
    if (!total || largest.empty())
      return false;
    std::sort(largest.rbegin(), largest.rend());
    for (const AmountRules::Dominance& rule : rules_.dominance) {
      if (largest.size() < rule.n)
        return false;
    }
    if (!rules_.p_percent.empty() && largest.size() < 2)
      return false;
    if (const std::string broken = broken_rule(rules_, largest, *total); !broken.empty())
      add(t, FindingKind::kDominated, Weight::kFail, row_label(outputs_.tables[t], row), broken);
    return true;
  }

  const CheckSystem& system_;
  const Outputs& outputs_;
  const AmountRules& rules_;
  std::vector<CheckFinding>& findings_;
};

}  // namespace

std::string broken_rule(const AmountRules& rules,
                        const std::vector<Fraction>& largest,
                        const Fraction& total) {
  for (const AmountRules::Dominance& rule : rules.dominance) {
    Fraction sum = 0;
    for (std::size_t i = 0; i < std::min(rule.n, largest.size()); ++i)
      sum += largest[i];
    const Fraction held = Fraction(mpq_class(base::gmp(sum) * 100));
    const Fraction most = Fraction(mpq_class(base::gmp(rule.k) * base::gmp(total)));
    if (held > most)
      return "the " + std::to_string(rule.n) + " largest contributors hold more than " +
             base::gmp(rule.k).get_str() + " percent of it";
  }
  for (const Fraction& p : rules.p_percent) {
    if (largest.empty())
      continue;
    const mpq_class second = largest.size() > 1 ? base::gmp(largest[1]) : mpq_class(0);
    const mpq_class rest = base::gmp(total) - base::gmp(largest[0]) - second;
    if (rest * 100 < base::gmp(p) * base::gmp(largest[0]))
      return "the second contributor can estimate the largest within " + base::gmp(p).get_str() +
             " percent";
  }
  return "";
}

void judge_amounts(const CheckSystem& system,
                   const Outputs& outputs,
                   const AmountRules& rules,
                   const std::vector<bool>& settled,
                   std::vector<CheckFinding>& findings) {
  AmountJudge judge(system, outputs, rules, findings);
  for (std::size_t t = 0; t < outputs.tables.size(); ++t) {
    if (!outputs.tables[t].counts && !settled[t] &&
        !outputs.outputs[outputs.tables[t].output].released)
      judge.judge(t);
  }
}

}  // namespace lacuna::checking
