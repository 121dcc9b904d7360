// SPDX-License-Identifier: Apache-2.0
// <SAFETYRULE>: RULE(..)|RULE(..)..., the order of dominance and prior-posterior rules being two
// for records and two for holdings, of the others one and one.
#include <algorithm>
#include <array>

#include "core/base/nearest.h"
#include "data/argus/batch_reader.h"

namespace lacuna::argus {
namespace {

constexpr std::int64_t kMostContributors = 1'000;
constexpr std::int64_t kMostFrequency = 1'000'000'000'000;

// One rule of the list with its arguments, while the list is read.
struct RuleText {
  Word name;
  std::vector<Word> parts;
};

class RuleListReader {
 public:
  explicit RuleListReader(CommandReader& reader) : reader_(reader) {}

  Result<SafetyRule> run() {
    LineReader& line = reader_.line();
    rules_.place = line.here();
    while (!line.at_end()) {
      if (line.take('|'))
        continue;
      RuleText rule;
      rule.name = line.field("(|");
      LACUNA_TRY(rule.parts, reader_.bracket("the rule " + base::in_quotes(rule.name.text)));
      LACUNA_RETURN_IF_ERROR(add(rule));
      if (line.next() == ',') {
        reader_.note(line.here(), "',' between two rules is read as '|'");
        line.take(',');
      } else if (!line.at_end()) {
        LACUNA_RETURN_IF_ERROR(line.expect('|', "the rule " + base::in_quotes(rule.name.text)));
      }
    }
    return rules_;
  }

 private:
  using Adder = Status (RuleListReader::*)(const RuleText&);
  struct Kind {
    std::string_view name;
    Adder add;
    std::size_t fewest, most;  // arguments
    std::string_view form;
  };

  Status add(const RuleText& rule) {
    static constexpr std::array<Kind, 8> kKinds{{
        {"P", &RuleListReader::add_prior_posterior, 1, 3, "P(p), P(p,n) or P(p,q,n)"},
        {"NK", &RuleListReader::add_dominance, 2, 2, "NK(n,k)"},
        {"FREQ", &RuleListReader::add_frequency, 2, 2, "FREQ(minimum,range)"},
        {"REQ", &RuleListReader::add_request, 3, 4, "REQ(percent,percent,minimum,range)"},
        {"ZERO", &RuleListReader::add_zero, 1, 1, "ZERO(range)"},
        {"MIS", &RuleListReader::add_missing, 1, 1, "MIS(0) or MIS(1)"},
        {"WGT", &RuleListReader::add_weights, 1, 1, "WGT(0) or WGT(1)"},
        {"MAN", &RuleListReader::add_manual, 1, 1, "MAN(range)"},
    }};
    const std::string name = upper_case(rule.name.text);
    std::vector<std::string_view> known;
    for (const Kind& kind : kKinds) {
      known.push_back(kind.name);
      if (kind.name != name)
        continue;
      if (rule.parts.size() < kind.fewest || rule.parts.size() > kind.most) {
        return reader_.error(rule.name,
                             "expected " + std::string(kind.form) + ", not " +
                                 std::to_string(rule.parts.size()) +
                                 (rule.parts.size() == 1 ? " argument" : " arguments"));
      }
      rules_.rules_given = rules_.rules_given || name != "MAN";
      return (this->*kind.add)(rule);
    }
    return reader_.error(rule.name,
                         "expected a rule (P, NK, FREQ, REQ, ZERO, MIS, WGT, MAN), not " +
                             base::in_quotes(rule.name.text) + base::did_you_mean(name, known));
  }

  Result<int> contributors(const Word& word, const char* what) const {
    LACUNA_TRY(const auto value, reader_.integer(word, what, 0, kMostContributors));
    return static_cast<int>(value);
  }

  // The next place of a rule. Error: all are taken.
  template <class Rule, std::size_t kPlaces>
  Status put(const RuleText& rule,
             std::size_t& next,
             std::array<std::optional<Rule>, kPlaces>& places,
             std::optional<Rule> value) {
    if (next == kPlaces) {
      return reader_.error(rule.name,
                           "at most " + std::to_string(kPlaces) + " rules " +
                               base::in_quotes(rule.name.text) +
                               ": half of them for records, then half for "
                               "holdings");
    }
    places[next++] = std::move(value);
    return ok_status();
  }

  Status add_prior_posterior(const RuleText& rule) {
    const auto& parts = rule.parts;
    PriorPosterior read;
    LACUNA_TRY(read.p, reader_.number(parts[0], "p"));
    if (parts.size() == 3) {
      LACUNA_TRY(read.q, reader_.number(parts[1], "q"));
    }
    if (parts.size() > 1) {
      LACUNA_TRY(read.n, contributors(parts.back(), "the number of intruders"));
    }
    const bool filled = read.p > 0 && read.n > 0;
    if (filled && read.q <= 0)
      return reader_.error(parts[1],
                           "q must be a number above 0, not " + base::in_quotes(parts[1].text));
    return put(
        rule, next_prior_, rules_.prior_posterior, filled ? std::optional(read) : std::nullopt);
  }

  Status add_dominance(const RuleText& rule) {
    Dominance read;
    LACUNA_TRY(read.n, contributors(rule.parts[0], "n, the number of contributors,"));
    LACUNA_TRY(read.k, reader_.number(rule.parts[1], "k"));
    const bool filled = read.n > 0 && read.k > 0;
    return put(
        rule, next_dominance_, rules_.dominance, filled ? std::optional(read) : std::nullopt);
  }

  Status add_frequency(const RuleText& rule) {
    Frequency read;
    LACUNA_TRY(read.minimum,
               reader_.integer(rule.parts[0], "the smallest frequency", 0, kMostFrequency));
    LACUNA_TRY(read.range, reader_.number(rule.parts[1], "the safety range"));
    return put(rule,
               next_frequency_,
               rules_.frequency,
               read.minimum > 0 ? std::optional(read) : std::nullopt);
  }

  Status add_request(const RuleText& rule) {
    Request read;
    LACUNA_TRY(read.first, reader_.number(rule.parts[0], "the first percentage"));
    LACUNA_TRY(read.second, reader_.number(rule.parts[1], "the second percentage"));
    if (rule.parts.size() == 4) {
      LACUNA_TRY(read.minimum,
                 reader_.integer(rule.parts[2], "the smallest frequency", 0, kMostFrequency));
    } else {
      reader_.note(rule.name.place, "REQ with three arguments: no smallest frequency");
    }
    LACUNA_TRY(read.range, reader_.number(rule.parts.back(), "the safety range"));
    const bool filled = read.first > 0 || read.second > 0 || read.minimum > 0;
    return put(rule, next_request_, rules_.request, filled ? std::optional(read) : std::nullopt);
  }

  Status add_zero(const RuleText& rule) {
    LACUNA_TRY(rules_.zero, reader_.number(rule.parts[0], "the safety range of zero cells"));
    return ok_status();
  }
  Status add_missing(const RuleText& rule) {
    LACUNA_TRY(rules_.missing_safe, reader_.on_off(rule.parts[0], "MIS"));
    return ok_status();
  }
  Status add_weights(const RuleText& rule) {
    LACUNA_TRY(rules_.weights, reader_.on_off(rule.parts[0], "WGT"));
    return ok_status();
  }
  Status add_manual(const RuleText& rule) {
    LACUNA_TRY(rules_.manual, reader_.number(rule.parts[0], "the safety range by hand"));
    return ok_status();
  }

  CommandReader& reader_;
  SafetyRule rules_;
  std::size_t next_prior_ = 0, next_dominance_ = 0, next_frequency_ = 0, next_request_ = 0;
};

int largest_needed(const SafetyRule& rules, std::size_t first) {
  int needed = 0;
  for (std::size_t i = first; i < first + 2; ++i) {
    if (rules.dominance[i])
      needed = std::max(needed, rules.dominance[i]->n);
    if (rules.prior_posterior[i])
      needed = std::max(needed, rules.prior_posterior[i]->n + 1);
  }
  return needed;
}

}  // namespace

bool SafetyRule::any_rule() const {
  return rules_given;
}

bool SafetyRule::holdings() const {
  return dominance[2] || dominance[3] || prior_posterior[2] || prior_posterior[3] || frequency[1] ||
         request[1];
}

int SafetyRule::records_needed() const {
  return largest_needed(*this, 0);
}

int SafetyRule::holdings_needed() const {
  return largest_needed(*this, 2);
}

Result<Action> read_safety_rule(CommandReader& reader) {
  LACUNA_TRY(SafetyRule rules, RuleListReader(reader).run());
  return Action(std::move(rules));
}

}  // namespace lacuna::argus
