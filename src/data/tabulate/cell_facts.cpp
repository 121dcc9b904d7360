// SPDX-License-Identifier: Apache-2.0
#include "data/tabulate/cell_facts.h"

#include <algorithm>
#include <numeric>

namespace lacuna::tabulation {

std::vector<LinkedTable> cross_tables(const TabulateOptions& options) {
  std::vector<LinkedTable> tables;
  const auto number_of = [&](const std::string& name) {
    const auto at = std::find_if(options.dimensions.begin(),
                                 options.dimensions.end(),
                                 [&](const DimensionSpec& spec) { return spec.name == name; });
    return static_cast<std::int32_t>(at - options.dimensions.begin());
  };
  for (const TableSpec& spec : options.tables) {
    LinkedTable& table = tables.emplace_back();
    table.name = spec.name;
    for (const std::string& name : spec.dimensions)
      table.dimensions.push_back(number_of(name));
  }
  if (tables.empty()) {
    LinkedTable& table = tables.emplace_back();
    table.dimensions.resize(options.dimensions.size());
    std::iota(table.dimensions.begin(), table.dimensions.end(), 0);
  }
  return tables;
}

std::string label(const Tabulation& tabulation, std::size_t cell) {
  std::string text;
  const std::size_t width = tabulation.dimensions.size();
  for (std::size_t d = 0; d < width; ++d) {
    const Dimension& dimension = tabulation.dimensions[d];
    text += (d == 0 ? "" : "|") + dimension.name() + "=" +
            dimension.code(tabulation.codes[cell * width + d]);
  }
  return text;
}

std::int64_t rounded(Wide sum, int decimals) {
  Wide unit = 1;
  for (int i = 0; i < decimals; ++i)
    unit *= 10;
  return static_cast<std::int64_t>((2 * sum + unit) / (2 * unit));
}

Error sum_does_not_fit(const Tabulation& tabulation, std::size_t cell) {
  return {ErrorCode::kNumberTooLarge,
          "the sum of the cell does not fit 63 bits with " + std::to_string(tabulation.decimals) +
              " decimals; use fewer decimals or a larger unit",
          label(tabulation, cell)};
}

Contribution to_contribution(const Share& share) {
  return {-1,
          share.amount,
          (share.flags & Share::kRequested) != 0,
          (share.flags & Share::kNotWaived) == 0};
}

std::vector<std::uint32_t> fill_contributors(const ContributorFacts& facts,
                                             const RespondentTable& respondents,
                                             bool tagged,
                                             Tabulation& tabulation) {
  std::vector<std::uint32_t> named;
  for (std::size_t c = 0; c < tabulation.cells.size(); ++c) {
    for (const Share& share : facts.top.list(c))
      named.push_back(share.respondent);
  }
  std::sort(named.begin(), named.end());
  named.erase(std::unique(named.begin(), named.end()), named.end());
  std::sort(named.begin(), named.end(), [&](std::uint32_t a, std::uint32_t b) {
    return respondents.before(a, b);
  });
  tabulation.respondents = respondents.texts(named);
  for (std::string& text : tabulation.respondents)
    text.erase(0, tagged ? 1 : 0);
  std::vector<std::int32_t> number(respondents.id_limit(), -1);
  for (std::size_t i = 0; i < named.size(); ++i)
    number[named[i]] = static_cast<std::int32_t>(i);
  for (std::size_t c = 0; c < tabulation.cells.size(); ++c) {
    CellFacts& cell = tabulation.cells[c];
    cell.contributors = facts.contributors[c];
    if (!facts.absolute.empty())
      cell.absolute = static_cast<Units>(facts.absolute[c]);
    for (const Share& share : facts.top.list(c)) {
      cell.largest.push_back(to_contribution(share));
      cell.largest.back().respondent = number[share.respondent];
    }
  }
  return named;
}

bool none_is_empty(const Tabulation& tabulation, const TabulateOptions& options) {
  if (!options.value.empty() || options.keep_empty_cells || tabulation.decimals > 0)
    return false;
  return std::all_of(tabulation.cells.begin(), tabulation.cells.end(), [](const CellFacts& facts) {
    return facts.value >= 1;
  });
}

std::shared_ptr<const LeafContributions> leaf_contributions_of(
    SharesByRespondent& shares, const std::vector<std::uint32_t>& named, CellIndex index) {
  auto holdings = std::make_shared<LeafContributions>();
  std::vector<LeafContributions::Part>& parts = holdings->parts;
  holdings->start.push_back(0);
  for (const std::uint32_t respondent : named) {
    const std::size_t first = parts.size();
    for (const LeafShare& share : shares.of(respondent)) {
      if (parts.size() == first || parts.back().leaf != share.leaf())
        parts.push_back({share.leaf(), 0});
      parts.back().amount += share.amount;  // fits: the sum has been made before
    }
    holdings->start.push_back(parts.size());
  }
  holdings->leaf_start = std::move(index.start);
  holdings->leaf_cells = std::move(index.cells);
  return holdings;
}

}  // namespace lacuna::tabulation
