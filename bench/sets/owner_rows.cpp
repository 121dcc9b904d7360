// SPDX-License-Identifier: Apache-2.0
// Which methods are attacked, with which options, on which tables.
#include <array>

#include "bench/sets/owner.h"
#include "core/base/check.h"
#include "lacuna/make_ptable.h"

namespace lacuna::bench {
namespace {

using Options = std::vector<std::pair<std::string_view, std::string>>;

const OwnerShape kSquare{"3x3", {{-1, 0, 0, 0}, {-1, 0, 0, 0}}};
const OwnerShape kSmall{"2x2", {{-1, 0, 0}, {-1, 0, 0}}};
const OwnerShape kCube{"2x2x2", {{-1, 0, 0}, {-1, 0, 0}, {-1, 0, 0}}};
const OwnerShape kTree{"tree x2", {{-1, 0, 0, 1, 1, 2, 2}, {-1, 0, 0}}};
const OwnerShape kLarge{"5x5", {{-1, 0, 0, 0, 0, 0}, {-1, 0, 0, 0, 0, 0}}};

constexpr std::array<std::pair<OwnerRule, std::string_view>, 4> kRules{{
    {OwnerRule::kOne, "one"},
    {OwnerRule::kTwo, "two"},
    {OwnerRule::kLow, "low"},
    {OwnerRule::kHigh, "high"},
}};

class Rows {
 public:
  OwnerRow& add(std::string name, OwnerRule rule, const Options& options) {
    OwnerRow row;
    row.name = std::move(name);
    row.terms.shape = kSquare;
    row.terms.rule = rule;
    for (const auto& [option, text] : options)
      LACUNA_CHECK(set_option(row.options, option, text).has_value());
    rows_.push_back(std::move(row));
    return rows_.back();
  }

  OwnerRow& add_owner(std::string name, OwnerRule rule, double factor) {
    OwnerRow& row = add(std::move(name), rule, {});
    row.terms.widths = true;
    row.terms.factor = factor;
    row.promises = true;
    return row;
  }

  std::vector<OwnerRow> take() { return std::move(rows_); }

 private:
  std::vector<OwnerRow> rows_;
};

void add_suppression(Rows& rows) {
  for (const auto& [rule, word] : kRules) {
    for (const char* weights : {"value", "unity"})
      rows.add("suppress " + std::string(weights) + " " + std::string(word),
               rule,
               {{"weights", weights}});
  }
  rows.add("suppress log one", OwnerRule::kOne, {{"weights", "log"}});
  rows.add("suppress fast one", OwnerRule::kOne, {{"weights", "value"}, {"effort", "fast"}});
  rows.add("suppress gap one", OwnerRule::kOne, {{"weights", "value"}, {"gap", "0.2"}});
  rows.add("suppress width one", OwnerRule::kOne, {{"weights", "value"}, {"minimum-width", "20"}});
  OwnerRow& ten = rows.add("suppress 10% one", OwnerRule::kOne, {{"weights", "value"}});
  ten.terms.percent = 10;
  ten.terms.most = 40;
}

void add_numbers(Rows& rows) {
  const Options intervals{{"method", "interval"}, {"weights", "unity"}};
  Options centred = intervals;
  centred.emplace_back("off-center", "0");
  rows.add("interval one", OwnerRule::kOne, intervals);
  rows.add("interval low", OwnerRule::kLow, intervals);
  rows.add("interval 8 seeds one", OwnerRule::kOne, intervals).seeds = 8;
  rows.add("interval centred one", OwnerRule::kOne, centred);
  rows.add("interval centred low", OwnerRule::kLow, centred);
  rows.add("combined one", OwnerRule::kOne, {{"method", "combined"}, {"weights", "unity"}});
  // Of these every cell is open: fewer cells, or too many tables fit.
  const Options rounded{{"method", "round"}, {"base", "5"}};
  rows.add("round one 2x2", OwnerRule::kOne, rounded).terms.shape = kSmall;
  rows.add("round low 2x2", OwnerRule::kLow, rounded).terms.shape = kSmall;
  rows.add("perturb one 2x2", OwnerRule::kOne, {{"method", "perturb"}}).terms.shape = kSmall;
  rows.add("mixed one 2x2", OwnerRule::kOne, {{"method", "mixed"}}).terms.shape = kSmall;
  for (const char* norm : {"l1", "l2"}) {
    OwnerRow& row = rows.add("adjust " + std::string(norm) + " one",
                             OwnerRule::kOne,
                             {{"method", "adjust"}, {"norm", norm}});
    row.terms.shape = kSmall;
    row.box = 3;
  }
}

void add_counts(Rows& rows) {
  rows.add("counts suppress", OwnerRule::kCounts, {{"weights", "value"}});
  rows.add("counts suppress unity", OwnerRule::kCounts, {{"weights", "unity"}});
  rows.add("counts round", OwnerRule::kCounts, {{"method", "round"}, {"base", "3"}});
  rows.add("counts small-counts", OwnerRule::kCounts, {{"method", "small-counts"}, {"base", "3"}});
  // Of 3x3 too many tables fit these.
  rows.add("counts round 2x2", OwnerRule::kCounts, {{"method", "round"}, {"base", "3"}})
      .terms.shape = kSmall;
  OwnerRow& keys =
      rows.add("counts cellkey, keys known 2x2", OwnerRule::kCounts, {{"method", "cellkey"}});
  keys.terms.shape = kSmall;
  PtableOptions noise;
  noise.max_noise = 2;
  noise.variance = 1;
  auto made = make_ptable(noise);
  LACUNA_CHECK(made.has_value());
  keys.options.cellkey.ptable = std::make_shared<const Ptable>(std::move(made).value().table);
  keys.options.exposed = ExposedRule::kReport;
}

void add_other_shapes(Rows& rows) {
  for (const OwnerShape& shape : {kCube, kTree, kLarge}) {
    const std::string name(shape.name);
    rows.add("suppress value one " + name, OwnerRule::kOne, {{"weights", "value"}}).terms.shape =
        shape;
    rows.add_owner("owner one " + name, OwnerRule::kOne, 1).terms.shape = shape;
  }
}

void add_owner(Rows& rows) {
  for (const auto& [rule, word] : kRules) {
    if (rule == OwnerRule::kLow || rule == OwnerRule::kHigh) {
      rows.add_owner("owner " + std::string(word), rule, 1).terms.width =
          rule == OwnerRule::kLow ? 2 : 4;
      continue;
    }
    for (const double factor : {1.0, 2.0})
      rows.add_owner("owner " + std::string(word) + (factor == 1 ? " k=1" : " k=2"), rule, factor);
    rows.add_owner("owner unity " + std::string(word), rule, 1).options.weights = "unity";
    rows.add_owner("owner no reserve " + std::string(word), rule, 1).reserve = 1;
    rows.add_owner("peel " + std::string(word), rule, 1).peeled = true;
  }
  rows.add_owner("owner counts", OwnerRule::kCounts, 1);
  OwnerRow& planted = rows.add_owner("planted: weights of today", OwnerRule::kOne, 1);
  planted.planted = true;
  planted.promises = true;
}

}  // namespace

std::vector<OwnerRow> owner_rows() {
  Rows rows;
  add_suppression(rows);
  add_numbers(rows);
  add_counts(rows);
  add_other_shapes(rows);
  add_owner(rows);
  return rows.take();
}

}  // namespace lacuna::bench
