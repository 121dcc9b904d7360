// SPDX-License-Identifier: Apache-2.0
#include "app/load/manual_overrides.h"

#include <algorithm>
#include <optional>

#include "app/load/count_problem.h"
#include "core/table/collapse.h"
#include "data/problems/apriori.h"
#include "data/problems/cell_index.h"
#include "data/sensitivity/manual_changes.h"

namespace lacuna::load {
namespace {

std::string reason_of(const AprioriEntry& entry) {
  const std::string place = entry.where.empty() ? "" : " (" + entry.where + ")";
  switch (*entry.status) {
    case AprioriStatus::kSafe:
      return "safe: set by hand" + place;
    case AprioriStatus::kUnsafe:
      return "unsafe: set by hand" + place;
    case AprioriStatus::kMustPublish:
      return "to be published: set by hand" + place;
    case AprioriStatus::kSecondary:
      return "withheld: set by hand" + place;
  }
  return "";
}

Result<LoadedProblem> collapsed_at(LoadedProblem loaded, const std::string& text) {
  const auto refused = [&](const std::string& why) {
    return Error{ErrorCode::kOptionValue, why, "--collapse " + text};
  };
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos)
    return refused("this is written DIMENSION=CODE");
  const Table& table = loaded.problem.table();
  const auto& dimensions = table.dimensions();
  const auto found = std::find_if(dimensions.begin(), dimensions.end(), [&](const Dimension& d) {
    return d.name() == text.substr(0, equals);
  });
  if (found == dimensions.end())
    return refused("the table has no such dimension");
  const std::int32_t code = found->find(text.substr(equals + 1));
  if (code < 0 || found->is_leaf(code))
    return refused(code < 0 ? "the dimension has no such code" : "this code has no parts");
  const bool by_nature = loaded.counts.by_nature && !loaded.counts.settled;
  if ((loaded.problem.as_read().counts() && !by_nature) || loaded.problem.as_read().keys())
    return Error{ErrorCode::kUnsupported,
                 "codes of counts with rules or keys of their own are collapsed in the records",
                 "--collapse " + text};
  const auto place = static_cast<std::size_t>(found - dimensions.begin());
  LACUNA_TRY(table::CollapsedProblem collapsed,
             table::collapse_below(loaded.problem.as_read(), place, code));
  std::vector<std::string> reasons;
  for (std::size_t c = 0; c < loaded.reasons.size(); ++c) {
    if (!collapsed.gone[c])
      reasons.push_back(std::move(loaded.reasons[c]));
  }
  LACUNA_TRY(loaded.problem, as_counts_by_nature(std::move(collapsed.problem), loaded.counts));
  loaded.reasons = std::move(reasons);
  return loaded;
}

}  // namespace

Result<std::vector<Dimension>> apriori_dimensions(const Table& table) {
  if (!table.dimensions().empty())
    return table.dimensions();
  std::vector<std::string> codes;
  Relation all{table.num_cells(), {}};
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    codes.push_back(std::to_string(c));
    all.children.push_back(c);
  }
  codes.emplace_back("all cells");
  LACUNA_TRY(Dimension dimension, Dimension::build("cell", std::move(codes), {std::move(all)}));
  return std::vector<Dimension>{std::move(dimension)};
}

Result<LoadedProblem> with_overrides(LoadedProblem loaded, std::span<const AprioriEntry> entries) {
  if (entries.empty())
    return loaded;
  const Table table = loaded.problem.table();
  const problems::CellIndex index(table);
  loaded.reasons.resize(static_cast<std::size_t>(table.num_cells()));
  sensitivity::ManualChanges by_hand(std::move(loaded.problem).take(), loaded.by_hand);
  for (const AprioriEntry& entry : entries) {
    const std::optional<CellId> cell = table.dimensions().empty()
                                           ? std::optional(CellId{entry.codes.front()})
                                           : index.find(entry.codes);
    if (!cell || cell->value < 0 || cell->value >= table.num_cells()) {
      if (entry.if_present)
        continue;
      return Error{ErrorCode::kNoSuchCell, "the table has no such cell", entry.where};
    }
    if (const Status done = by_hand.apply(*cell, entry); !done) {
      Error error = done.error();
      if (!entry.where.empty())
        error.where = entry.where + ": " + error.where;
      return error;
    }
    if (entry.status)
      loaded.reasons[static_cast<std::size_t>(cell->value)] = reason_of(entry);
  }
  LACUNA_TRY(loaded.problem, std::move(by_hand).finished());
  return loaded;
}

Result<LoadedProblem> with_collapsed(LoadedProblem loaded, const std::vector<std::string>& codes) {
  for (const std::string& code : codes) {
    LACUNA_TRY(loaded, collapsed_at(std::move(loaded), code));
  }
  return loaded;
}

Result<problems::AprioriFile> read_overrides(const std::string& path,
                                             const Table& table,
                                             const Inputs& inputs) {
  LACUNA_TRY(const auto dimensions, apriori_dimensions(table));
  LACUNA_TRY(std::string text, inputs.read(path));
  problems::AprioriOptions options;
  const std::string first = text.substr(0, text.find('\n'));
  if (first.find(';') != std::string::npos)
    options.separator = ';';
  if (path.ends_with(".hst"))
    return problems::read_hst(text, path, dimensions, table.decimals(), options);
  return problems::read_apriori_csv(std::move(text), path, dimensions, table.decimals(), options);
}

namespace {

void forget_places(problems::AprioriFile& file) {
  for (AprioriEntry& entry : file.entries)
    entry.where.clear();
  for (problems::CollapsedCode& code : file.collapsed)
    code.where.clear();
}

std::vector<CellId> sensitive_cells(const Table& table) {
  std::vector<CellId> cells;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    if (table.cell(CellId{c}).status == CellStatus::kPrimary)
      cells.push_back(CellId{c});
  }
  return cells;
}

}  // namespace

Result<LoadedProblem> with_changes(LoadedProblem loaded,
                                   const Assessment& asked,
                                   const Inputs& inputs) {
  LACUNA_TRY(loaded, with_collapsed(std::move(loaded), asked.collapse));
  std::vector<problems::AprioriFile> files;
  for (const std::string& path : asked.apriori) {
    LACUNA_TRY(problems::AprioriFile file, read_overrides(path, loaded.problem.table(), inputs));
    if (inputs.unwritten.contains(path))
      forget_places(file);
    for (const problems::CollapsedCode& code : file.collapsed) {
      auto smaller = collapsed_at(std::move(loaded), code.text);
      if (!smaller)
        return Error{smaller.error().code, smaller.error().message, code.where};
      loaded = *std::move(smaller);
    }
    files.push_back(std::move(file));
  }
  const std::vector<CellId> before = sensitive_cells(loaded.problem.table());
  for (const problems::AprioriFile& file : files) {
    LACUNA_TRY(loaded, with_overrides(std::move(loaded), file.entries));
  }
  loaded.basis.lifted += std::count_if(before.begin(), before.end(), [&](CellId cell) {
    return loaded.problem.table().cell(cell).status != CellStatus::kPrimary;
  });
  return loaded;
}

}  // namespace lacuna::load
