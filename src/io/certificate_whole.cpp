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

void append_index(std::string& out, const char* name, std::int32_t index) {
  if (index < 0)
    return;
  out += out.back() == '{' ? "\"" : ",\"";
  out += std::string(name) + "\":" + std::to_string(index);
}

void append_end(std::string& out, const char* name, const WholeEnd& end) {
  std::string text = "{";
  append_index(text, end.unbounded ? "ray" : "witness", end.witness);
  append_index(text, "chain", end.chain);
  append_index(text, "proof", end.proof);
  append_index(text, "tree", end.tree);
  append_index(text, "step", end.step);
  if (text.size() > 1)
    out += std::string(",\"") + name + "\":" + text + '}';
}

void append_node(std::string& out, const WholeTree& tree, std::int32_t index) {
  const TreeNode& node = tree[static_cast<std::size_t>(index)];
  if (node.cell.value >= 0) {
    out += "{\"node\":{\"cell\":" + std::to_string(node.cell.value) +
           ",\"at\":" + std::to_string(node.at) + "},\"low\":";
    append_node(out, tree, node.low);
    out += ",\"high\":";
    append_node(out, tree, node.high);
    out += '}';
    return;
  }
  std::string text = "{";
  append_index(text, "chain", node.chain);
  append_index(text, "proof", node.proof);
  append_index(text, "step", node.step);
  if (node.empty)
    text += std::string(text.size() > 1 ? "," : "") + "\"empty\":true";
  out += text + '}';
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
                      const CountQuestion& asked) {
  LACUNA_TRY(const std::string_view kind, fields[1].string());
  LACUNA_TRY(const std::int64_t cell, fields[2].integer());
  LACUNA_TRY(const std::int64_t attacker, fields[3].integer());
  if (kind != word_of(asked.kind) || cell != asked.cell.value || attacker != asked.attacker)
    return node.error("the findings do not follow the questions about counts");
  return ok_status();
}

}  // namespace

void append_whole_evidence(std::string& out, const AuditReport& report) {
  out += ",\n\"steps\":";
  append_json_list(out, report.steps, [&](const Step& step) {
    out += "\n{\"q\":" + step.q.text() + ",";
    append_multipliers(out, step.h);
  });
  out += ",\n\"chains\":";
  append_json_list(out, report.chains, [&](const Chain& chain) {
    out += '\n';
    append_json_list(out, chain, [&](const ChainLine& line) {
      out += "{\"cell\":" + std::to_string(line.cell.value) + ",\"side\":\"" +
             (line.side == Direction::kHigh ? "high" : "low") +
             "\",\"equation\":" + std::to_string(line.equation.value) +
             ",\"value\":" + std::to_string(line.value) + '}';
    });
  });
  out += ",\n\"trees\":";
  append_json_list(out, report.trees, [&](const WholeTree& tree) {
    out += '\n';
    append_node(out, tree, 0);
  });
}

void append_count_finding(std::string& out, const CountFinding& finding) {
  const CountQuestion& question = finding.question;
  out += "\n{\"whole\":true,\"kind\":\"" + word_of(question.kind) +
         "\",\"cell\":" + std::to_string(question.cell.value) +
         ",\"attacker\":" + std::to_string(question.attacker);
  if (question.group.value >= 0)
    out += ",\"group\":" + std::to_string(question.group.value);
  out += ",\"verdict\":\"" + std::string(to_string(finding.verdict)) + '"';
  append_end(out, "low", finding.low);
  append_end(out, "high", finding.high);
  const auto append_list = [&](const char* name, const auto& list) {
    if (list.empty())
      return;
    out += std::string(",\"") + name + "\":";
    append_json_list(out, list, [&](auto number) { out += std::to_string(number); });
  };
  append_list("values", finding.values);
  append_list("shown", finding.shown);
  out += '}';
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
  evidence_.steps.push_back(std::move(step));
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
  evidence_.chains.push_back(std::move(chain));
  return ok_status();
}

Status WholeEvidenceReader::tree(JsonNode node) {
  WholeTree made;
  LACUNA_RETURN_IF_ERROR(tree_node(node, 0, made));
  evidence_.trees.push_back(std::move(made));
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
  LACUNA_RETURN_IF_ERROR(read_index_into(fields[0], length(evidence_.proofs), made.proof));
  LACUNA_RETURN_IF_ERROR(read_index_into(fields[1], length(evidence_.steps), made.step));
  LACUNA_RETURN_IF_ERROR(read_index_into(fields[2], length(evidence_.chains), made.chain));
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
  CountFinding finding;
  const std::size_t at = evidence_.count_findings.size();
  if (!problem_.counts())
    return node.error("the table is not one of counts");
  if (at >= problem_.counts()->questions.size())
    return node.error("the findings do not follow the questions about counts");
  finding.question = problem_.counts()->questions[at];
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
      LACUNA_TRY(const std::int32_t witness, read_index(item, length(evidence_.witnesses)));
      finding.shown.push_back(witness);
      return ok_status();
    }));
  }
  evidence_.count_findings.push_back(std::move(finding));
  return ok_status();
}

Status WholeEvidenceReader::end(JsonNode node, WholeEnd& end) {
  if (!node.present())
    return ok_status();
  constexpr std::array<std::string_view, 6> kNames{
      "witness", "ray", "proof", "step", "chain", "tree"};
  LACUNA_TRY(const auto fields, members_of(node, kNames));
  if (fields[0].present() && fields[1].present())
    return node.error("an end has a witness or a ray");
  const std::int64_t witnesses = length(evidence_.witnesses);
  LACUNA_RETURN_IF_ERROR(read_index_into(fields[0], witnesses, end.witness));
  LACUNA_RETURN_IF_ERROR(read_index_into(fields[1], witnesses, end.witness));
  end.unbounded = fields[1].present();
  LACUNA_RETURN_IF_ERROR(read_index_into(fields[2], length(evidence_.proofs), end.proof));
  LACUNA_RETURN_IF_ERROR(read_index_into(fields[3], length(evidence_.steps), end.step));
  LACUNA_RETURN_IF_ERROR(read_index_into(fields[4], length(evidence_.chains), end.chain));
  return read_index_into(fields[5], length(evidence_.trees), end.tree);
}

}  // namespace lacuna::inline io
