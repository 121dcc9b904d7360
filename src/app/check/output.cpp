// SPDX-License-Identifier: Apache-2.0
// What was found as text and as JSON.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "app/check/check_job.h"
#include "core/base/exact.h"
#include "core/base/json_writer.h"
#include "core/base/rational.h"

namespace lacuna::checking {
namespace {

constexpr std::size_t kMostTerms = 8;
constexpr std::size_t kMostCodes = 6;
constexpr std::size_t kMostNotes = 12;

std::string counted(std::size_t number, const std::string& one, const std::string& many) {
  return std::to_string(number) + " " + (number == 1 ? one : many);
}

std::string listed(const std::set<std::string>& names, std::size_t most) {
  std::string text;
  std::size_t shown = 0;
  for (const std::string& name : names) {
    if (shown == most)
      return text + " and " + std::to_string(names.size() - shown) + " more";
    text += (shown++ > 0 ? ", " : "") + name;
  }
  return text;
}

std::string headline(const Check& check) {
  const std::size_t fail = check.count(Weight::kFail), review = check.count(Weight::kReview);
  const std::size_t pass = check.count(Weight::kPass);
  return fmt::format("{} of {} fail, {} to be reviewed, {} pass (counts below {} are small: {})\n",
                     fail,
                     counted(fail + review + pass, "output", "outputs"),
                     review == 1 ? "1 has" : fmt::format("{} have", review),
                     pass,
                     check.threshold,
                     check.threshold_from);
}

std::string released_text(const Check& check) {
  std::size_t released = 0;
  for (const Output& output : check.outputs.outputs)
    released += output.released ? 1U : 0U;
  return released == 0 ? ""
                       : fmt::format("judged together with {} released before ({})\n",
                                     counted(released, "output", "outputs"),
                                     check.store_path);
}

// ---- what was understood

std::string subsets_text(const Check& check) {
  std::string text;
  for (const CheckTable& table : check.outputs.tables) {
    std::string filter;
    for (const Condition& each : table.subset)
      filter += (filter.empty() ? "" : ", ") + each.text;
    if (filter.empty())
      continue;
    text += "  " + table.name + ": " + filter +
            (table.subset_text ? "" : " (a column of the file)") + "\n";
  }
  return text.empty() ? "" : "subsets:\n" + text;
}

std::string variables_text(const Check& check) {
  std::map<std::string, std::set<std::string>> codes, shown;
  std::map<std::string, std::set<std::size_t>> tables;
  for (std::size_t t = 0; t < check.outputs.tables.size(); ++t) {
    const CheckTable& table = check.outputs.tables[t];
    for (std::size_t d = 0; d < table.dimensions.size(); ++d) {
      const CheckDimension& dimension = table.dimensions[d];
      shown[dimension.variable].insert(dimension.shown);
      tables[dimension.variable].insert(t);
      for (const CheckRow& row : table.rows) {
        if (row.codes[d] != dimension.total && codes[dimension.variable].size() < 40)
          codes[dimension.variable].insert(row.codes[d]);
      }
    }
  }
  std::string text;
  for (const auto& [variable, names] : shown) {
    if (variable.starts_with('\x02'))
      continue;
    text += "  " + listed(names, 3) + " in " + counted(tables[variable].size(), "table", "tables") +
            ": " + listed(codes[variable], kMostCodes) + "\n";
  }
  return text.empty() ? "" : "variables:\n" + text;
}

std::string measures_text(const Check& check) {
  std::set<std::string> counts, amounts;
  for (const CheckTable& table : check.outputs.tables) {
    if (table.stated_measure)
      continue;
    (table.counts ? counts : amounts)
        .insert(table.counts ? table.name : table.name + " (" + table.measure + ")");
  }
  std::string text;
  if (!counts.empty())
    text += "read as counts: " + listed(counts, kMostCodes) + "\n";
  if (!amounts.empty())
    text += "read as amounts: " + listed(amounts, kMostCodes) + "\n";
  return text;
}

// ---- findings

std::string place_text(const EvidenceTerm& term) {
  if (term.output.empty())
    return term.label + " (unknown, here " + std::to_string(term.number) + ")";
  return std::to_string(term.number) + " [" + term.where + (term.released ? ", released" : "") +
         ": " + term.label + "]";
}

std::string factor_text(const Fraction& factor, bool first) {
  const bool negative = factor < Fraction(0);
  const Fraction size = negative ? Fraction(mpq_class(-base::gmp(factor))) : factor;
  std::string text = negative ? (first ? "- " : " - ") : (first ? "" : " + ");
  return size == Fraction(1) ? text : text + base::gmp(size).get_str() + " x ";
}

std::string outputs_text(const Check& check, const CheckFinding& finding) {
  std::set<std::string> names;
  for (const std::size_t output : finding.outputs)
    names.insert(check.outputs.outputs[output].name);
  return listed(names, 8);
}

std::string finding_text(const Check& check, const CheckFinding& finding, std::size_t number) {
  std::string text = fmt::format("{}. {}  {}: {}\n",
                                 number,
                                 finding.past ? "released before" : to_string(finding.weight),
                                 finding.label,
                                 finding.reason);
  if (!finding.outputs.empty())
    text += "   in " + outputs_text(check, finding) + "\n";
  for (const EvidenceSum& sum : finding.sums)
    text += "   " + sum_text(sum) + "\n";
  for (const std::string& guess : finding.guesses)
    text += "   not proven: " + guess + "\n";
  return text;
}

std::string verdicts_text(const Check& check) {
  std::string text;
  for (const Weight weight : {Weight::kFail, Weight::kReview, Weight::kPass}) {
    for (std::size_t i = 0; i < check.verdicts.size(); ++i) {
      const Output& output = check.outputs.outputs[i];
      const OutputVerdict& verdict = check.verdicts[i];
      if (output.released || verdict.weight != weight)
        continue;
      text += fmt::format("{:<7} {}", to_string(weight), output.name);
      for (std::size_t f = 0; f < std::min<std::size_t>(verdict.findings.size(), kMostTerms); ++f)
        text += fmt::format("{}{}", f == 0 ? "  see " : ", ", verdict.findings[f] + 1);
      if (verdict.findings.size() > kMostTerms)
        text += fmt::format(" and {} more", verdict.findings.size() - kMostTerms);
      if (output.acro)
        text +=
            "  (ACRO says " + output.acro->status +
            (output.acro->exception.empty() ? ""
                                            : "; exception asked for: " + output.acro->exception) +
            ")";
      text += "\n";
    }
  }
  return text;
}

std::string hold_back_text(const Check& check) {
  if (check.hold_back.empty())
    return "";
  std::set<std::string> names;
  for (const std::size_t output : check.hold_back)
    names.insert(check.outputs.outputs[output].name);
  return "nothing fails among the others without: " + listed(names, 20) + "\n";
}

// ---- JSON

using base::JsonWriter;

void write_fraction(JsonWriter& json, const Fraction& number) {
  const std::string text = base::gmp(number).get_str();
  if (text.find('/') == std::string::npos)
    json.raw(text);
  else
    json.value(text);
}

void write_sum(JsonWriter& json, const EvidenceSum& sum) {
  json.object([&] {
    json.member("side", sum.side.empty() ? "exactly" : sum.side);
    write_fraction(json.key("total"), sum.total);
    json.key("terms").list(sum.terms, [&](const EvidenceTerm& term) {
      json.object([&] {
        write_fraction(json.key("factor"), term.factor);
        json.member("number", term.number).member("cell", term.label);
        json.member("printed", !term.output.empty());
        if (!term.output.empty())
          json.member("output", term.output).member("where", term.where);
      });
    });
    json.member("text", sum_text(sum));
  });
}

void write_finding(JsonWriter& json, const Check& check, const CheckFinding& finding) {
  json.line().object([&] {
    json.member("verdict", finding.past ? "released before" : to_string(finding.weight));
    json.member("kind", to_string(finding.kind));
    json.member("group", finding.label).member("reason", finding.reason);
    json.key("outputs").list(finding.outputs, [&](std::size_t output) {
      json.value(check.outputs.outputs[output].name);
    });
    json.key("sums").list(finding.sums, [&](const EvidenceSum& sum) { write_sum(json, sum); });
    json.key("guesses").values(finding.guesses);
  });
}

void write_output(JsonWriter& json, const Check& check, std::size_t i) {
  const Output& output = check.outputs.outputs[i];
  json.line().object([&] {
    json.member("name", output.name).member("sha256", output.sha256);
    json.member("released", output.released);
    json.member("verdict", output.released ? "released" : to_string(check.verdicts[i].weight));
    json.key("findings").values(check.verdicts[i].findings);
    if (output.acro)
      json.key("acro").object([&] {
        json.member("output", output.acro->id).member("status", output.acro->status);
        json.member("exception", output.acro->exception);
      });
  });
}

void write_tables(JsonWriter& json, const Check& check) {
  json.list(check.outputs.tables, [&](const CheckTable& table) {
    json.line().object([&] {
      json.member("name", table.name).member("measure", table.measure);
      json.member("counts", table.counts).member("rows", table.rows.size());
      json.key("dimensions").list(table.dimensions, [&](const CheckDimension& each) {
        json.object([&] { json.member("name", each.shown).member("total", each.total); });
      });
      json.key("subset").list(table.subset, [&](const Condition& each) { json.value(each.text); });
    });
  });
}

}  // namespace

std::string sum_text(const EvidenceSum& sum) {
  std::string text = sum.side.empty() ? "" : sum.side + ": ";
  std::size_t terms = 0;
  for (const bool negative : {false, true}) {
    for (const EvidenceTerm& term : sum.terms) {
      if ((term.factor < Fraction(0)) != negative || ++terms > kMostTerms)
        continue;
      text += factor_text(term.factor, terms == 1) + place_text(term);
    }
  }
  if (terms > kMostTerms)
    text += fmt::format(" and {} more", terms - kMostTerms);
  if (sum.terms.size() == 1 && sum.side.empty())
    return text;
  return text + (sum.terms.empty() ? "" : " = ") + base::gmp(sum.total).get_str();
}

std::string check_text(const Check& check, std::size_t most) {
  std::size_t cells = 0;
  for (const CheckTable& table : check.outputs.tables)
    cells += table.rows.size();
  std::string text = headline(check) + released_text(check);
  text +=
      fmt::format("read: {}, {}, {}; {}\n",
                  counted(check.outputs.outputs.size(), "file", "files"),
                  counted(check.outputs.tables.size(), "table", "tables"),
                  counted(cells, "cell", "cells"),
                  counted(check.system.links.size(), "sum or difference", "sums and differences"));
  text += variables_text(check) + subsets_text(check) + measures_text(check);
  std::size_t notes = 0;
  for (const auto* list : {&check.outputs.notes, &check.system.notes, &check.records_said}) {
    for (const std::string& note : *list) {
      if (++notes <= kMostNotes)
        text += "note: " + note + "\n";
    }
  }
  if (notes > kMostNotes)
    text += fmt::format("and {} more notes (--json has them)\n", notes - kMostNotes);
  text += verdicts_text(check);
  const std::size_t shown = std::min(most, check.findings.size());
  for (std::size_t f = 0; f < shown; ++f)
    text += finding_text(check, check.findings[f], f + 1);
  if (shown < check.findings.size())
    text += fmt::format("and {} more (--most)\n", check.findings.size() - shown);
  text += hold_back_text(check);
  return text + (check.decided.empty() ? "" : check.decided + "\n");
}

std::string check_json(const Check& check) {
  const auto write = [&](JsonWriter& json) {
    json.member("passes", check.passes()).member("threshold", check.threshold);
    json.member("threshold_from", check.threshold_from).member("policy", check.policy);
    json.member("zeros_are_sensitive", check.zeros_are_sensitive);
    json.member("fail", check.count(Weight::kFail)).member("review", check.count(Weight::kReview));
    json.member("pass", check.count(Weight::kPass)).member("store", check.store_path);
    json.line().key("outputs").list([&] {
      for (std::size_t i = 0; i < check.outputs.outputs.size(); ++i)
        write_output(json, check, i);
    });
    write_tables(json.line().key("tables"), check);
    json.line().key("notes").list([&] {
      for (const auto* list : {&check.outputs.notes, &check.system.notes, &check.records_said}) {
        for (const std::string& note : *list)
          json.value(note);
      }
    });
    json.line().key("hold_back").list(check.hold_back, [&](std::size_t output) {
      json.value(check.outputs.outputs[output].name);
    });
    json.line().key("findings").list(check.findings, [&](const CheckFinding& finding) {
      write_finding(json, check, finding);
    });
    json.line().member("decided", check.decided);
  };
  return base::json_object(write) + "\n";
}

}  // namespace lacuna::checking
