// SPDX-License-Identifier: Apache-2.0
// Tables that share cells: whoever sees both can subtract. A table is protected beside all of the
// same response that are released or shown in a file; what these publish and withhold stays so.
#include "app/argus_run/argus_related.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/base/text.h"
#include "data/argus/linked.h"

namespace lacuna::argus_run {
namespace {

constexpr const char* kSuppressed = "suppress";
constexpr const char* kCellKeyed = "cellkey";

std::string response_of(const argus::SpecifyTable& spec) {
  return base::lower_case(spec.response.text);
}

// With rules a cell is safe by hand only if they call it unsafe (data/argus/apriori.cpp).
std::int64_t called_safe(const argus::Table& table) {
  return std::count_if(table.cells.begin(), table.cells.end(), [](const argus::Cell& cell) {
    return cell.status == argus::CellStatus::kSafeManual;
  });
}

// What it publishes stays, what it withholds stays.
argus::Table settled_table(argus::Table table) {
  for (argus::Cell& cell : table.cells) {
    if (cell.status == argus::CellStatus::kSafe || cell.status == argus::CellStatus::kSafeManual)
      cell.status = argus::CellStatus::kProtected;
  }
  return table;
}

// ... or is made from its keys again, which give the same numbers.
argus::Table as_shown(const argus::Table& table, const std::string& method) {
  return method == kCellKeyed ? table : settled_table(table);
}

// Whether a release has the numbers that tables with cell keys were given before: it has, unless
// the perturbation tables or other options are not the same.
bool keeps_numbers(const ArgusRelease& release,
                   std::size_t first,
                   const std::vector<ArgusRelatedTable>& others) {
  for (std::size_t i = 0; i < others.size(); ++i) {
    argus::Table again = others[i].table;
    take_release(release, first + i, again);
    const int decimals = std::max(again.decimals, others[i].table.decimals);
    for (std::size_t c = 0; c < again.cells.size(); ++c) {
      const auto number = [&](const argus::Table& table) {
        std::optional<Wide> shown;
        if (table.cells[c].published)
          shown = *table.cells[c].published;
        for (int d = table.decimals; shown && d < decimals; ++d)
          *shown *= 10;
        return shown;
      };
      if (number(again) != number(others[i].table))
        return false;
    }
  }
  return true;
}

bool shows_same(const argus::Table& one, const argus::Table& other) {
  return std::equal(one.cells.begin(),
                    one.cells.end(),
                    other.cells.begin(),
                    other.cells.end(),
                    [](const argus::Cell& a, const argus::Cell& b) {
                      return a.response == b.response && a.status == b.status &&
                             a.published == b.published;
                    });
}

bool has(const std::vector<std::size_t>& which, std::size_t table) {
  return std::find(which.begin(), which.end(), table) != which.end();
}

}  // namespace

std::string names_of(const std::vector<ArgusRelatedTable>& others) {
  std::string names;
  for (const ArgusRelatedTable& other : others)
    names += (names.empty() ? "" : ", ") + other.name;
  return names;
}

bool shows_numbers(const ArgusRelatedTable& other) {
  return other.method != kSuppressed;
}

// The same units have the same noise in every table with cell keys.
bool conflicts(const ArgusRelatedTable& other, const std::string& method) {
  if (method == kCellKeyed && other.method == kCellKeyed)
    return false;
  return method != kSuppressed || shows_numbers(other);
}

bool hides_anything(const std::vector<ArgusRelatedTable>& others) {
  return std::any_of(others.begin(), others.end(), [](const ArgusRelatedTable& other) {
    return shows_numbers(other) || argus::has_withheld(other.table);
  });
}

std::string conflict_text(const std::string& name,
                          const std::string& method,
                          const ArgusRelatedTable& other) {
  return fmt::format(
      "{} ({}) and {} ({}) come from the same data: numbers that are altered in one table and "
      "exact in the other, or altered separately, disclose more than either table alone",
      name,
      method,
      other.name,
      other.method);
}

std::vector<ArgusRelatedTable> ArgusSession::beside(const std::vector<std::size_t>& which) const {
  std::vector<ArgusRelatedTable> others;
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    const ArgusTable& table = tables_[t];
    if (!table.release || has(which, t))
      continue;
    others.push_back({table.name,
                      as_shown(table.now, table.release->judged.summary.method),
                      t,
                      table.is_written,
                      false,
                      table.release->judged.summary.method,
                      table.release->singletons});
  }
  for (const ArgusShown& shown : shown_) {
    // A table that is released still was protected beside what it has shown.
    if (shown.owner && tables_[*shown.owner].release && !has(which, *shown.owner))
      continue;
    others.push_back({shown.name,
                      as_shown(shown.table, shown.method),
                      std::nullopt,
                      true,
                      !shown.owner.has_value(),
                      shown.method,
                      shown.singletons});
  }
  std::erase_if(others, [&](const ArgusRelatedTable& other) { return !is_related(other, which); });
  return others;
}

bool ArgusSession::is_related(const ArgusRelatedTable& other,
                              const std::vector<std::size_t>& which) const {
  return std::any_of(which.begin(), which.end(), [&](std::size_t t) {
    return response_of(tables_[t].spec) == response_of(other.table.spec) &&
           !argus::contradict(tables_[t].given, other.table);
  });
}

ArgusRequest ArgusSession::request_for(const std::vector<std::size_t>& which,
                                       const std::vector<ArgusRelatedTable>& others) const {
  ArgusRequest request;
  request.wishes = wishes_;
  request.input = path_;
  for (const std::size_t t : which) {
    request.tables.push_back(&tables_[t].given);
    request.names.push_back(tables_[t].name);
    if (!tables_[t].given.rules.any_rule())
      continue;
    request.basis.rules = "<SAFETYRULE>";
    request.basis.lifted += called_safe(tables_[t].given);
  }
  for (const ArgusRelatedTable& other : others) {
    request.tables.push_back(&other.table);
    request.names.push_back(other.name);
    request.singletons = request.singletons | other.singletons;
  }
  return request;
}

ArgusRequest ArgusSession::request_for(const argus::Suppress& suppress,
                                       const std::vector<std::size_t>& which,
                                       const std::vector<ArgusRelatedTable>& others) const {
  ArgusRequest request = request_for(which, others);
  request.command = suppress;
  request.cell_keys = cell_keys_;
  return request;
}

void ArgusSession::leave_cleared(std::vector<ArgusRelatedTable>& others,
                                 const std::string& method,
                                 const std::string& why) {
  std::vector<ArgusRelatedTable> left;
  std::erase_if(others, [&](ArgusRelatedTable& other) {
    const bool leaves = other.is_cleared && (method.empty() || conflicts(other, method));
    if (leaves)
      left.push_back(std::move(other));
    return leaves;
  });
  if (!left.empty())
    warn(
        fmt::format("publish what follows or {}, not both: they come from the same data and are "
                    "not protected together ({})",
                    names_of(left),
                    why));
}

Status ArgusSession::protect_alone(const argus::Suppress& suppress,
                                   const std::vector<std::size_t>& which,
                                   const ArgusSingletons& singletons) {
  ArgusRequest request = request_for(suppress, which, {});
  request.singletons = singletons;
  ending_ = {};
  LACUNA_TRY(ArgusOutcome outcome, protect_tables(request, run_));
  ending_ = outcome.ending;
  if (!outcome.release)
    return Error{ErrorCode::kUnsupported, outcome.refusal, ""};
  take(std::string(argus::to_string(suppress.method)), *std::move(outcome.release), which, {});
  return ok_status();
}

Status ArgusSession::protect_with_related(const argus::Suppress& suppress,
                                          const std::vector<std::size_t>& which,
                                          std::vector<ArgusRelatedTable> others) {
  const ArgusRequest request = request_for(suppress, which, others);
  LACUNA_TRY(const job::ProtectJob job, protect_job_of(request));
  const std::string method(to_string(job.method));
  const std::string& name = tables_[which.front()].name;
  std::string why;
  const auto other = std::find_if(others.begin(), others.end(), [&](const ArgusRelatedTable& one) {
    return conflicts(one, method);
  });
  const bool clash = other != others.end();
  if (clash) {
    why = conflict_text(name, method, *other);
  } else {
    auto outcome = protect_tables(request, run_);
    ending_ = outcome ? outcome->ending : ArgusEnding{};
    const bool found = outcome && outcome->release;
    const bool keeps =
        !found || method != kCellKeyed || keeps_numbers(*outcome->release, which.size(), others);
    if (!keeps)  // there may be others, which nobody has looked for
      ending_ = {job::ExitCode::kNotProtected, Verdict::kUndecided};
    if (found && keeps) {
      note(name + " shares cells with " + names_of(others) +
           ", protected before: what is published there stays so, and all are audited together");
      take(std::string(argus::to_string(suppress.method)),
           *std::move(outcome->release),
           which,
           others);
      return ok_status();
    }
    why = !keeps    ? "its numbers would differ from those given before"
          : outcome ? outcome->refusal
                    : outcome.error().text();
  }
  const std::size_t all = others.size();
  leave_cleared(others, clash ? method : "", why);
  if (others.empty())
    return protect_alone(suppress, which, {});
  if (others.size() < all)
    return protect_with_related(suppress, which, std::move(others));
  return protect_anew(suppress, which, others, why);
}

Status ArgusSession::protect_anew(const argus::Suppress& suppress,
                                  const std::vector<std::size_t>& which,
                                  const std::vector<ArgusRelatedTable>& others,
                                  const std::string& why) {
  const ArgusRequest request = request_for(suppress, which, others);
  LACUNA_TRY(const job::ProtectJob job, protect_job_of(request));
  const std::string& name = tables_[which.front()].name;
  std::vector<std::size_t> all = which;
  for (const ArgusRelatedTable& other : others) {
    if (!other.index || other.is_written)
      return Error{
          ErrorCode::kUnsupported,
          fmt::format(
              "next to {}, which is written already, {} cannot be protected ({}); protect them "
              "together: <SUPPRESS> with table 0, or all before the first <WRITETABLE>",
              other.name,
              name,
              why),
          ""};
    if (other.method != to_string(job.method))
      return Error{ErrorCode::kUnsupported, why + "; protect both by the same method", ""};
    all.push_back(*other.index);
  }
  warn(
      fmt::format("next to {} as it was protected, {} cannot be protected ({}): all are protected "
                  "together anew",
                  names_of(others),
                  name,
                  why));
  std::sort(all.begin(), all.end());
  return protect_alone(suppress, all, request.singletons);
}

void ArgusSession::remember_shown(std::size_t which) {
  const ArgusTable& table = tables_[which];
  const bool known = std::any_of(shown_.begin(), shown_.end(), [&](const ArgusShown& shown) {
    return shown.owner == which && shows_same(shown.table, table.now);
  });
  if (known)
    return;
  ArgusShown shown{table.name + " as written before", which, table.now, kSuppressed, {}};
  if (table.release) {
    shown.method = table.release->judged.summary.method;
    shown.singletons = table.release->singletons;
  }
  shown_.push_back(std::move(shown));
}

}  // namespace lacuna::argus_run
