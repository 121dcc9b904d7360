// SPDX-License-Identifier: Apache-2.0
#include "io/certificate_whole.h"

#include <algorithm>
#include <array>

#include "io/evidence_json.h"

namespace lacuna::inline io {
namespace {

constexpr int kDeepest = 12'000;  // more than the cases that a search looks at by default

std::string word_of(CountKind kind) {
  return std::string(enum_names(kind)[static_cast<std::size_t>(kind)]);
}

void write_index(JsonWriter& json, const char* name, std::int32_t index) {
  if (index >= 0)
    json.member(name, index);
}

void write_end(JsonWriter& json, const char* name, const End& end) {
  if (std::max({end.witness, end.chain, end.proof, end.tree, end.step}) < 0)
    return;
  json.key(name).object([&] {
    write_index(json, end.unbounded ? "ray" : "witness", end.witness);
    write_index(json, "chain", end.chain);
    write_index(json, "proof", end.proof);
    write_index(json, "tree", end.tree);
    write_index(json, "step", end.step);
  });
}

void write_node(JsonWriter& json, const WholeTree& tree, std::int32_t index) {
  const TreeNode& node = tree[static_cast<std::size_t>(index)];
  json.object([&] {
    if (node.cell.value >= 0) {
      json.key("node").object(
          [&] { json.member("cell", node.cell.value).member("at", node.at); });
      write_node(json.key("low"), tree, node.low);
      write_node(json.key("high"), tree, node.high);
      return;
    }
    write_index(json, "chain", node.chain);
    write_index(json, "proof", node.proof);
    write_index(json, "step", node.step);
    if (node.empty)
      json.member("empty", true);
  });
}

template <class Item>
std::int64_t length(const std::vector<Item>& list) {
  return static_cast<std::int64_t>(list.size());
}

Status read_index_into(JsonNode node, std::int64_t limit, std::int32_t& index) {
  if (!node.present())
    return ok_status();
  LACUNA_TRY(index, read_index(node, limit));
  return ok_status();
}

// The findings follow the questions that problem and release raise, one by one.
Status check_question(JsonNode node,
                      const std::array<JsonNode, 10>& fields,
                      const Question& asked) {
  LACUNA_TRY(const std::string_view kind, fields[1].string());
  LACUNA_TRY(const std::int64_t cell, fields[2].integer());
  LACUNA_TRY(const std::int64_t attacker, fields[3].integer());
  if (kind != word_of(asked.kind) || cell != asked.cell.value || attacker != asked.attacker)
    return node.error("the findings do not follow the questions about counts");
  return ok_status();
}

}  // namespace

void write_whole_evidence(JsonWriter& json, const AuditReport& report) {
  json.line().key("steps").list(report.evidence.steps, [&](const Step& step) {
    json.line().object([&] {
      json.member("q", step.q);
      write_multipliers(json, step.h);
    });
  });
  json.line().key("chains").list(report.evidence.chains, [&](const Chain& chain) {
    json.line().list(chain, [&](const ChainLine& line) {
      json.object([&] {
        json.member("cell", line.cell.value);
        json.member("side", line.side == Direction::kHigh ? "high" : "low");
        json.member("equation", line.equation.value).member("value", line.value);
      });
    });
  });
  json.line().key("trees").list(report.evidence.trees, [&](const WholeTree& tree) {
    write_node(json.line(), tree, 0);
  });
}

void write_count_finding(JsonWriter& json, const Finding& finding) {
  const Question& question = finding.question;
  json.line().object([&] {
    json.member("whole", true).member("kind", word_of(question.kind));
    json.member("cell", question.cell.value).member("attacker", question.attacker);
    write_index(json, "group", question.group.value);
    json.member("verdict", to_string(finding.verdict));
    write_end(json, "low", finding.low);
    write_end(json, "high", finding.high);
    if (!finding.values.empty())
      json.key("values").values(finding.values);
    if (!finding.shown.empty())
      json.key("shown").values(finding.shown);
  });
}

bool WholeEvidenceReader::is_whole(JsonNode finding) {
  if (finding.kind() != JsonKind::kObject)
    return false;
  for (const JsonNode member : finding.children()) {
    if (member.key() == "whole")
      return true;
  }
  return false;
}

Status WholeEvidenceReader::lists(JsonNode steps, JsonNode chains, JsonNode trees) {
  if (steps.present())
    LACUNA_RETURN_IF_ERROR(for_each(steps, [&](JsonNode node) { return step(node); }));
  if (chains.present())
    LACUNA_RETURN_IF_ERROR(for_each(chains, [&](JsonNode node) { return chain(node); }));
  if (trees.present())
    LACUNA_RETURN_IF_ERROR(for_each(trees, [&](JsonNode node) { return tree(node); }));
  return ok_status();
}

Status WholeEvidenceReader::step(JsonNode node) {
  constexpr std::array<std::string_view, 4> kNames{"q", "denominator", "equations", "values"};
  LACUNA_TRY(const auto fields, members_of(node, kNames));
  LACUNA_RETURN_IF_ERROR(require(node, fields, kNames, 4));
  Step step;
  LACUNA_TRY(step.q, read_integer(fields[0]));
  LACUNA_TRY(step.h, read_multipliers(fields[1], fields[2], fields[3], problem_.table()));
  evidence_.evidence.steps.push_back(std::move(step));
  return ok_status();
}

Status WholeEvidenceReader::chain(JsonNode node) {
  Chain chain;
  const Status read = for_each(node, [&](JsonNode item) -> Status {
    constexpr std::array<std::string_view, 4> kNames{"cell", "side", "equation", "value"};
    LACUNA_TRY(const auto fields, members_of(item, kNames));
    LACUNA_RETURN_IF_ERROR(require(item, fields, kNames, 4));
    ChainLine line;
    LACUNA_TRY(line.cell.value, read_index(fields[0], problem_.table().num_cells()));
    LACUNA_TRY(const std::string_view side, fields[1].string());
    if (side != "high" && side != "low")
      return fields[1].error("a side is high or low");
    line.side = side == "high" ? Direction::kHigh : Direction::kLow;
    LACUNA_TRY(line.equation.value, read_index(fields[2], problem_.table().num_equations()));
    LACUNA_TRY(line.value, fields[3].integer());
    chain.push_back(line);
    return ok_status();
  });
  LACUNA_RETURN_IF_ERROR(read);
  evidence_.evidence.chains.push_back(std::move(chain));
  return ok_status();
}

Status WholeEvidenceReader::tree(JsonNode node) {
  WholeTree made;
  LACUNA_RETURN_IF_ERROR(tree_node(node, 0, made));
  evidence_.evidence.trees.push_back(std::move(made));
  return ok_status();
}

Result<std::int32_t> WholeEvidenceReader::tree_node(JsonNode node, int depth, WholeTree& made) {
  if (depth > kDeepest)
    return node.error("the tree is too deep");
  constexpr std::array<std::string_view, 7> kNames{
      "node", "low", "high", "proof", "step", "chain", "empty"};
  LACUNA_TRY(const auto fields, members_of(node, kNames));
  const auto index = static_cast<std::int32_t>(made.size());
  made.emplace_back();
  if (!fields[0].present()) {
    TreeNode end;
    LACUNA_RETURN_IF_ERROR(leaf(node, end));
    made[static_cast<std::size_t>(index)] = end;
    return index;
  }
  LACUNA_RETURN_IF_ERROR(require(node, fields, kNames, 3));
  constexpr std::array<std::string_view, 2> kCase{"cell", "at"};
  LACUNA_TRY(const auto split, members_of(fields[0], kCase));
  LACUNA_RETURN_IF_ERROR(require(fields[0], split, kCase, 2));
  TreeNode inner;
  LACUNA_TRY(inner.cell.value, read_index(split[0], problem_.table().num_cells()));
  LACUNA_TRY(inner.at, split[1].integer());
  LACUNA_TRY(inner.low, tree_node(fields[1], depth + 1, made));
  LACUNA_TRY(inner.high, tree_node(fields[2], depth + 1, made));
  made[static_cast<std::size_t>(index)] = inner;
  return index;
}

Status WholeEvidenceReader::leaf(JsonNode node, TreeNode& made) {
  constexpr std::array<std::string_view, 4> kNames{"proof", "step", "chain", "empty"};
  LACUNA_TRY(const auto fields, members_of(node, kNames));
  LACUNA_RETURN_IF_ERROR(read_index_into(fields[0], length(evidence_.evidence.proofs), made.proof));
  LACUNA_RETURN_IF_ERROR(read_index_into(fields[1], length(evidence_.evidence.steps), made.step));
  LACUNA_RETURN_IF_ERROR(read_index_into(fields[2], length(evidence_.evidence.chains), made.chain));
  if (fields[3].present()) {
    LACUNA_TRY(made.empty, fields[3].boolean());
  }
  return ok_status();
}

Status WholeEvidenceReader::finding(JsonNode node) {
  constexpr std::array<std::string_view, 10> kNames{
      "whole", "kind", "cell", "attacker", "verdict", "group", "low", "high", "values", "shown"};
  LACUNA_TRY(const auto fields, members_of(node, kNames));
  LACUNA_RETURN_IF_ERROR(require(node, fields, kNames, 5));
  Finding finding;
  const std::size_t at = evidence_.of(Domain::kInteger).size();
  if (!problem_.counts())
    return node.error("the table is not one of counts");
  if (at >= problem_.counts()->questions.size())
    return node.error("the findings do not follow the questions about counts");
  finding.question = question_of(problem_, problem_.counts()->questions[at]);
  LACUNA_RETURN_IF_ERROR(check_question(node, fields, finding.question));
  LACUNA_TRY(const std::string_view verdict, fields[4].string());
  finding.verdict = find_verdict(verdict).value_or(Verdict::kUndecided);
  LACUNA_RETURN_IF_ERROR(end(fields[6], finding.low));
  LACUNA_RETURN_IF_ERROR(end(fields[7], finding.high));
  if (fields[8].present()) {
    LACUNA_RETURN_IF_ERROR(for_each(fields[8], [&](JsonNode item) -> Status {
      LACUNA_TRY(const std::int64_t value, item.integer());
      finding.values.push_back(value);
      return ok_status();
    }));
  }
  if (fields[9].present()) {
    LACUNA_RETURN_IF_ERROR(for_each(fields[9], [&](JsonNode item) -> Status {
      LACUNA_TRY(const std::int32_t witness, read_index(item, length(evidence_.evidence.witnesses)));
      finding.shown.push_back(witness);
      return ok_status();
    }));
  }
  evidence_.findings.push_back(std::move(finding));
  return ok_status();
}

Status WholeEvidenceReader::end(JsonNode node, End& end) {
  if (!node.present())
    return ok_status();
  constexpr std::array<std::string_view, 6> kNames{
      "witness", "ray", "proof", "step", "chain", "tree"};
  LACUNA_TRY(const auto fields, members_of(node, kNames));
  if (fields[0].present() && fields[1].present())
    return node.error("an end has a witness or a ray");
  const std::int64_t witnesses = length(evidence_.evidence.witnesses);
  LACUNA_RETURN_IF_ERROR(read_index_into(fields[0], witnesses, end.witness));
  LACUNA_RETURN_IF_ERROR(read_index_into(fields[1], witnesses, end.witness));
  end.unbounded = fields[1].present();
  LACUNA_RETURN_IF_ERROR(read_index_into(fields[2], length(evidence_.evidence.proofs), end.proof));
  LACUNA_RETURN_IF_ERROR(read_index_into(fields[3], length(evidence_.evidence.steps), end.step));
  LACUNA_RETURN_IF_ERROR(read_index_into(fields[4], length(evidence_.evidence.chains), end.chain));
  return read_index_into(fields[5], length(evidence_.evidence.trees), end.tree);
}

}  // namespace lacuna::inline io
