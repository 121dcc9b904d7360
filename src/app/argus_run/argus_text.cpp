// SPDX-License-Identifier: Apache-2.0
#include "app/argus_run/argus_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "app/argus_run/argus_protect.h"
#include "core/base/confidential.h"
#include "core/base/json_writer.h"
#include "core/base/readable.h"

namespace lacuna::argus_run {
namespace {

// Of a rule's arguments: exact decimals where they end.
std::string number_text(const mpq_class& number) {
  return number.get_den() == 1 ? number.get_num().get_str() : fmt::format("{}", number.get_d());
}

std::string spec_text(const argus::SpecifyTable& spec) {
  std::string text;
  for (const argus::Word& word : spec.explanatory)
    text += (text.empty() ? "" : " x ") + word.text;
  text += " | " + spec.response.text;
  if (!spec.shadow.text.empty())
    text += ", shadow " + spec.shadow.text;
  switch (spec.cost_kind) {
    case argus::CostKind::kResponse:
      break;
    case argus::CostKind::kFrequency:
      text += ", cost: the frequency";
      break;
    case argus::CostKind::kUnity:
      text += ", cost: 1 each";
      break;
    case argus::CostKind::kDistance:
      text += ", cost: the distance";
      break;
    case argus::CostKind::kVariable:
      text += ", cost " + spec.cost.text;
      break;
  }
  if (spec.lambda)
    text += fmt::format(", lambda {:g}", *spec.lambda);
  return text;
}

std::map<argus::CellStatus, std::int64_t> count_statuses(const argus::Table& table) {
  std::map<argus::CellStatus, std::int64_t> counts;
  for (const argus::Cell& cell : table.cells)
    ++counts[cell.status];
  return counts;
}

std::string sizes_text(const argus::Table& table) {
  std::string text;
  for (const argus::CodeList& list : table.variables) {
    std::int32_t depth = 0;
    for (std::int32_t code = 0; code < list.size(); ++code)
      depth = std::max(depth, list.level(code));
    text += fmt::format("{}{} {} codes in {} levels",
                        text.empty() ? "" : ", ",
                        list.variable,
                        list.size(),
                        depth + 1);
  }
  return text;
}

void write_row(base::JsonWriter& json, const ArgusRunRow& row) {
  json.object([&] {
    json.key("tables").values(row.tables).member("command", row.old_method);
    publish::write_run(json, row.summary);
  });
}

void write_table(base::JsonWriter& json, const ArgusTable& table) {
  const auto statuses = count_statuses(table.given);
  std::int64_t unsafe = 0;
  for (const auto& [status, count] : statuses)
    unsafe += argus::is_unsafe(status) ? count : 0;
  json.object([&] {
    json.member("name", table.name).member("table", spec_text(table.spec));
    json.member("rules", rules_text(table.rules)).member("cells", table.given.cells.size());
    json.member("primary", unsafe).key("statuses").object([&] {
      for (const auto& [status, count] : statuses)
        json.member(argus::words_for(status), count);
    });
  });
}

}  // namespace

std::string rules_text(const argus::SafetyRule& rules) {
  std::string text;
  const auto add = [&](const std::string& one) { text += (text.empty() ? "" : "|") + one; };
  for (std::size_t i = 0; i < rules.dominance.size(); ++i) {
    if (const auto& rule = rules.dominance[i])
      add(fmt::format("NK({},{}){}", rule->n, number_text(rule->k), i < 2 ? "" : " of holdings"));
  }
  for (std::size_t i = 0; i < rules.prior_posterior.size(); ++i) {
    if (const auto& rule = rules.prior_posterior[i])
      add(fmt::format("P({},{},{}){}",
                      number_text(rule->p),
                      number_text(rule->q),
                      rule->n,
                      i < 2 ? "" : " of holdings"));
  }
  for (std::size_t i = 0; i < rules.frequency.size(); ++i) {
    if (const auto& rule = rules.frequency[i])
      add(fmt::format(
          "FREQ({},{}){}", rule->minimum, number_text(rule->range), i < 1 ? "" : " of holdings"));
  }
  for (std::size_t i = 0; i < rules.request.size(); ++i) {
    if (const auto& rule = rules.request[i])
      add(fmt::format("REQ({},{},{},{}){}",
                      number_text(rule->first),
                      number_text(rule->second),
                      rule->minimum,
                      number_text(rule->range),
                      i < 1 ? "" : " of holdings"));
  }
  if (rules.zero)
    add("ZERO(" + number_text(*rules.zero) + ")");
  if (rules.missing_safe)
    add("MIS(1)");
  if (rules.weights)
    add("WGT(1)");
  add("MAN(" + number_text(rules.manual) + ")");
  return text;
}

std::string check_text(const ArgusSession& session) {
  std::string text;
  for (const ArgusTable& table : session.tables()) {
    text += fmt::format("{}: {}\n", table.name, spec_text(table.spec));
    text += fmt::format("  data: {}\n", session.sources()[table.source].path);
    text += fmt::format("  rules: {}{}\n",
                        rules_text(table.rules),
                        table.rules.any_rule() ? "" : " (the status of the table counts)");
    if (!table.is_read) {
      text += "  not read: the job has no command for it\n";
      continue;
    }
    text += fmt::format("  {} cells: {}\n", table.given.cells.size(), sizes_text(table.given));
    for (const auto& [status, count] : count_statuses(table.given))
      text += fmt::format("  {:>10} {}\n", count, argus::words_for(status));
  }
  for (const argus::Suppress& suppress : session.planned()) {
    text += fmt::format(
        "would protect {}: {}\n",
        suppress.table == 0 ? "all tables, linked" : "table " + std::to_string(suppress.table),
        mapping_text(suppress, session.wishes()));
  }
  return text;
}

std::string check_json(const ArgusSession& session) {
  const auto write = [&](base::JsonWriter& json) {
    json.member("status", "checked");
    json.key("tables").list(session.tables(),
                            [&](const ArgusTable& table) { write_table(json, table); });
    json.key("planned").list(session.planned(), [&](const argus::Suppress& suppress) {
      json.object([&] {
        json.member("table", suppress.table).member("command", argus::to_string(suppress.method));
        json.member("what", mapping_text(suppress, session.wishes()));
      });
    });
  };
  return base::json_object(write) + "\n";
}

// The members of the last run stand at the top, so that a job with one <SUPPRESS> reads like
// `protect`; all runs are listed.
std::string session_json(const ArgusSession& session) {
  const auto write = [&](base::JsonWriter& json) {
    if (session.rows().empty())
      json.key("method").null().member("status", "done");
    else
      publish::write_run(json, session.rows().back().summary);
    json.key("runs").list(session.rows(), [&](const ArgusRunRow& row) { write_row(json, row); });
    json.key("written").values(session.written());
  };
  return base::json_object(write) + "\n";
}

std::string session_text(const ArgusSession& session) {
  std::string text;
  for (const ArgusRunRow& row : session.rows()) {
    std::string tables;
    for (const std::size_t table : row.tables)
      tables += (tables.empty() ? "" : ", ") + std::to_string(table);
    const publish::RunSummary& run = row.summary;
    text += fmt::format(
        "table {}: {}: {} of {} cells withheld ({} primary, {} secondary), cost {} "
        "(bound {}, gap {:.2f}%), {}, {:.3f} s\n",
        tables,
        run.verdict,
        run.suppressed,
        run.cells,
        run.primary,
        run.secondary,
        base::confidential(base::readable(run.objective)),
        base::confidential(base::readable(run.bound)),
        run.gap() * 100,
        run.status,
        run.seconds);
  }
  for (const std::string& path : session.written())
    text += "written: " + path + "\n";
  if (session.rows().empty() && session.written().empty())
    text += "nothing was protected or written: the job does not ask for it\n";
  return text;
}

}  // namespace lacuna::argus_run
