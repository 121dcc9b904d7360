// SPDX-License-Identifier: Apache-2.0
#include "data/publish/cross_cells.h"

#include <algorithm>

#include "data/publish/public_table.h"

namespace lacuna::publish {

Result<Cross> cross_of(const PublicRelease& release, std::string_view ending) {
  constexpr std::size_t kMost = std::size_t{1} << 53U;
  LACUNA_RETURN_IF_ERROR(refuse_ranges(release, ending));
  const Table& table = release.release.problem().table();
  const files::TableView& view = release.tables.front();
  if (table.dimensions().empty())
    return Error{ErrorCode::kCannotHold,
                 "a " + std::string(ending) + " file needs codes, and the table has none",
                 ""};
  Cross cross;
  for (const std::size_t d : view.dimensions) {
    const auto codes = static_cast<std::size_t>(table.dimensions()[d].num_codes());
    if (cross.places > kMost / codes)
      return Error{ErrorCode::kCannotHold,
                   "a " + std::string(ending) +
                       " file counts every combination of codes, which are too many here; write "
                       ".csv",
                   ""};
    cross.places *= codes;
  }
  for (const CellId cell : view.cells) {
    CrossCell one;
    one.cell = cell;
    const auto codes = table.codes(cell);
    for (const std::size_t d : view.dimensions) {
      one.codes.push_back(codes[d]);
      one.place = one.place * static_cast<std::size_t>(table.dimensions()[d].num_codes()) +
                  static_cast<std::size_t>(codes[d]);
    }
    cross.cells.push_back(std::move(one));
  }
  std::sort(cross.cells.begin(), cross.cells.end(), [](const CrossCell& a, const CrossCell& b) {
    return a.place < b.place;
  });
  return cross;
}

std::string shown_title(const PublicRelease& release) {
  const files::TableView& view = release.tables.front();
  const Table& table = release.release.problem().table();
  const std::string& title = release.options.title;
  if (title.empty())
    return view.name.empty() ? "table" : view.name;
  const bool is_whole = view.cells.size() == static_cast<std::size_t>(table.num_cells());
  return is_whole || view.name.empty() ? title : title + ": " + view.name;
}

std::vector<std::pair<std::int32_t, std::vector<std::int32_t>>> first_sums(
    const Dimension& dimension) {
  std::vector<std::pair<std::int32_t, std::vector<std::int32_t>>> sums;
  for (const Relation& relation : dimension.relations()) {
    const bool known = std::any_of(
        sums.begin(), sums.end(), [&](const auto& sum) { return sum.first == relation.parent; });
    if (!known)
      sums.emplace_back(relation.parent, relation.children);
  }
  return sums;
}

}  // namespace lacuna::publish
