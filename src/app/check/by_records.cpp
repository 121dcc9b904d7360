// SPDX-License-Identifier: Apache-2.0
// The same tables from the records: whether their numbers agree, how many records are behind each
// amount, and whether few of them dominate it.
#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "app/check/amounts.h"
#include "core/base/decimal.h"
#include "core/base/exact.h"
#include "core/base/index.h"
#include "core/base/quotes.h"
#include "core/base/rational.h"

namespace lacuna::checking {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

struct Group {
  std::int64_t records = 0;
  std::vector<Fraction> amounts;
};

class RecordTable {
 public:
  RecordTable(const files::CsvFile& records, const Notes& notes, const CheckTable& table)
      : records_(records), notes_(notes), table_(table) {}

  // What is missing in the records, as a sentence; empty: nothing.
  std::string find_columns() {
    for (const CheckDimension& dimension : table_.dimensions) {
      columns_.push_back(column_of(dimension.variable));
      if (columns_.back() == kNone)
        return "the records have no column " + base::in_quotes(dimension.shown);
    }
    for (const Condition& condition : table_.subset) {
      filters_.push_back(column_of(condition.variable));
      if (filters_.back() == kNone)
        return "the records have no column for " + base::in_quotes(condition.text);
    }
    const std::size_t of = table_.measure.find(" of ");
    if (!table_.counts && of != std::string::npos)
      amount_ = column_of(notes_.variable(table_.measure.substr(of + 4)).first);
    if (!table_.counts && amount_ == kNone)
      return "the records have no column of its amounts; say measure = \"sum of COLUMN\"";
    return "";
  }

  void tabulate() {
    prepare_codes();
    for (std::size_t r = 0; r < records_.num_rows(); ++r) {
      if (is_in_subset(r))
        add(r, 0, {});
    }
  }

  const Group* group_of(const CheckRow& row) const {
    const auto found = groups_.find(row.codes);
    return found == groups_.end() ? nullptr : &found->second;
  }

 private:
  std::size_t column_of(const std::string& variable) const {
    for (std::size_t c = 0; c < records_.num_columns(); ++c) {
      if (notes_.variable(std::string(records_.header(c))).first == variable)
        return c;
    }
    return kNone;
  }

  bool is_in_subset(std::size_t r) const {
    for (std::size_t i = 0; i < filters_.size(); ++i) {
      const std::string value =
          notes_.code(table_.subset[i].variable, std::string(records_.field(r, filters_[i])));
      if (!holds_for(table_.subset[i], value).value_or(false))
        return false;
    }
    return true;
  }

  void prepare_codes() {
    codes_.resize(columns_.size());
    for (const CheckRow& row : table_.rows) {
      for (std::size_t d = 0; d < columns_.size(); ++d)
        codes_[d].emplace(row.codes[d], condition_of_code("", "", row.codes[d]));
    }
  }

  // The codes of a dimension to which a value belongs: its own, those of its sums, the total.
  std::vector<std::string> codes_for(std::size_t d, const std::string& value) {
    const auto [at, is_new] = belongs_.try_emplace({d, value});
    if (!is_new)
      return at->second;
    std::vector<std::string> codes;
    const CheckDimension& dimension = table_.dimensions[d];
    const std::string code = notes_.code(dimension.variable, value);
    for (const auto& [each, condition] : codes_[d]) {
      if (each != dimension.total && compared(each) == compared(code))
        codes.push_back(each);
    }
    for (const auto& [each, condition] : codes_[d]) {
      if (codes.empty() && each != dimension.total && condition.range &&
          holds_for(condition, code).value_or(false))
        codes.push_back(each);
    }
    for (std::size_t i = 0; i < codes.size(); ++i) {
      for (const files::NamedRelation& relation : dimension.relations) {
        const bool part = std::find(relation.children.begin(), relation.children.end(), codes[i]) !=
                          relation.children.end();
        if (part && std::find(codes.begin(), codes.end(), relation.parent) == codes.end())
          codes.push_back(relation.parent);
      }
    }
    if (!dimension.total.empty() &&
        std::find(codes.begin(), codes.end(), dimension.total) == codes.end())
      codes.push_back(dimension.total);
    at->second = codes;
    return codes;
  }

  void add(std::size_t r, std::size_t d, std::vector<std::string> codes) {
    if (d < columns_.size()) {
      for (const std::string& code : codes_for(d, std::string(records_.field(r, columns_[d])))) {
        codes.push_back(code);
        add(r, d + 1, codes);
        codes.pop_back();
      }
      return;
    }
    Group& group = groups_[codes];
    if (amount_ == kNone) {
      ++group.records;
      return;
    }
    const auto amount = base::parse_fraction(records_.field(r, amount_));
    if (!amount)
      return;  // a record without the amount does not contribute to it
    ++group.records;
    group.amounts.emplace_back(*amount);
  }

  const files::CsvFile& records_;
  const Notes& notes_;
  const CheckTable& table_;
  std::vector<std::size_t> columns_, filters_;
  std::size_t amount_ = kNone;
  std::vector<std::map<std::string, Condition>> codes_;
  std::map<std::pair<std::size_t, std::string>, std::vector<std::string>> belongs_;
  std::map<std::vector<std::string>, Group> groups_;
};

std::string label_of(const CheckTable& table, const CheckRow& row) {
  std::string text;
  for (std::size_t d = 0; d < row.codes.size(); ++d)
    text += (d > 0 ? ", " : "") + table.dimensions[d].shown + "=" + row.codes[d];
  return text.empty() ? "all" : text;
}

class RecordJudge {
 public:
  RecordJudge(const Outputs& outputs, const AmountRules& rules, std::vector<CheckFinding>& findings)
      : outputs_(outputs), rules_(rules), findings_(findings) {}

  // Returns how many numbers were compared.
  std::size_t counts(std::size_t t, const RecordTable& records) {
    const CheckTable& table = outputs_.tables[t];
    std::size_t compared_numbers = 0, differ = 0;
    std::string first;
    for (const CheckRow& row : table.rows) {
      if (row.number.empty())
        continue;
      const Group* group = records.group_of(row);
      const std::int64_t count = group == nullptr ? 0 : group->records;
      const auto printed = base::parse_units(compared(row.number), 0);
      ++compared_numbers;
      if (printed && *printed == count)
        continue;
      if (++differ == 1)
        first = label_of(table, row) + " (" + row.where + ")";
    }
    if (differ > 0)
      add(t,
          FindingKind::kDiffers,
          Weight::kReview,
          first,
          std::to_string(differ) + " of " + std::to_string(compared_numbers) +
              " counts are not those of the records: another subset, rounded, or changed");
    return compared_numbers;
  }

  std::size_t amounts(std::size_t t, const RecordTable& records) {
    const CheckTable& table = outputs_.tables[t];
    std::size_t seen = 0;
    for (const CheckRow& row : table.rows) {
      if (row.number.empty())
        continue;
      ++seen;
      const Group* group = records.group_of(row);
      const std::int64_t count = group == nullptr ? 0 : group->records;
      if (count < rules_.threshold)
        add(t,
            FindingKind::kFewBehind,
            Weight::kFail,
            label_of(table, row),
            "the records show fewer than " + std::to_string(rules_.threshold) +
                " contributors to this number (" + table.measure + ")");
      if (group == nullptr || !rules_.any())
        continue;
      std::vector<Fraction> largest = group->amounts;
      std::sort(largest.rbegin(), largest.rend());
      mpq_class total = 0;
      for (const Fraction& each : largest)
        total += base::gmp(each);
      if (const std::string broken = broken_rule(rules_, largest, Fraction(total)); !broken.empty())
        add(t, FindingKind::kDominated, Weight::kFail, label_of(table, row), broken);
    }
    return seen;
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
    finding.outputs.push_back(outputs_.tables[t].output);
    findings_.push_back(std::move(finding));
  }

  const Outputs& outputs_;
  const AmountRules& rules_;
  std::vector<CheckFinding>& findings_;
};

}  // namespace

std::vector<std::string> judge_by_records(const files::CsvFile& records,
                                          const Notes& notes,
                                          const Outputs& outputs,
                                          const AmountRules& rules,
                                          std::vector<bool>& settled,
                                          std::vector<CheckFinding>& findings) {
  std::vector<std::string> said;
  RecordJudge judge(outputs, rules, findings);
  std::size_t counts = 0, amounts = 0;
  for (std::size_t t = 0; t < outputs.tables.size(); ++t) {
    const CheckTable& table = outputs.tables[t];
    if (outputs.outputs[table.output].released)
      continue;
    RecordTable own(records, notes, table);
    if (const std::string missing = own.find_columns(); !missing.empty()) {
      said.push_back(table.name + " was not compared with the records: " + missing);
      continue;
    }
    own.tabulate();
    if (table.counts)
      counts += judge.counts(t, own);
    else
      amounts += judge.amounts(t, own);
    settled[t] = true;
  }
  said.insert(said.begin(),
              std::to_string(counts) +
                  " counts were compared with the records, and "
                  "the contributors of " +
                  std::to_string(amounts) + " amounts were found in them");
  return said;
}

}  // namespace lacuna::checking
