// SPDX-License-Identifier: Apache-2.0
// Data sets of SAS, Stata and SPSS: header, grid and records must agree, and what was read is
// written and read again.
#include "data/formats/recognise.h"
#include "data/formats/stat_files.h"
#include "fuzz/target_list.h"
#include "fuzz/targets.h"
#ifdef LACUNA_HAVE_READSTAT
#include "support/stat_maker.h"
#endif

namespace lacuna::fuzz {
namespace {

// As many rows as the grid has, by the columns in the reverse order.
std::size_t count_records(std::string_view bytes, const formats::Grid& grid) {
  const auto source = formats::open_stat_bytes(std::string(bytes), "f");
  require(source.has_value(), "what is read as a grid is read as records");
  std::vector<std::size_t> columns;
  for (std::size_t c = grid.columns.size(); c-- > 0;)
    columns.push_back(c);
  require((*source)->select(columns).has_value(), "columns can be chosen");
  std::size_t rows = 0;
  for (;;) {
    const auto batch = (*source)->next();
    require(batch.has_value(), "records end as the grid does");
    if (*batch == nullptr)
      return rows;
    std::vector<std::string_view> texts((*batch)->num_rows());
    columns::TextArena arena;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      require(!(*batch)->texts(i, {0, texts.size()}, arena, texts.data(), 1),
              "records have the fields of the grid");
      for (std::size_t r = 0; r < texts.size(); ++r)
        require(texts[r] == grid.rows.at(rows + r).at(columns[i]), "records and grid agree");
    }
    rows += texts.size();
  }
}

}  // namespace

bool run_data_set(std::string_view bytes) {
  static_cast<void>(formats::recognise(bytes));
  const auto header = formats::read_stat_header(bytes, "f");
  formats::StatOptions labels;
  labels.labels = formats::StatLabels::kLabels;
  static_cast<void>(formats::read_stat_grid(bytes, "f", labels));
  const auto grid = formats::read_stat_grid(bytes, "f");
  if (!grid)
    return !formats::reads_stat_files();
  require(header.has_value() && header->columns.size() == grid->columns.size(),
          "header and grid have the same columns");
  require(count_records(bytes, *grid) == grid->rows.size(), "records and grid have the same rows");
  return true;
}

Seeds seeds_data_set() {
  Seeds seeds;
#ifdef LACUNA_HAVE_READSTAT
  using formats::StatKind;
  for (const StatKind kind : {StatKind::kSas7bdat,
                              StatKind::kSasXport,
                              StatKind::kStata,
                              StatKind::kSpss,
                              StatKind::kSpssPortable}) {
    for (const auto packed :
         {READSTAT_COMPRESS_NONE, READSTAT_COMPRESS_ROWS, READSTAT_COMPRESS_BINARY}) {
      const bool can_pack = kind == StatKind::kSpss ||
                            (kind == StatKind::kSas7bdat && packed != READSTAT_COMPRESS_BINARY);
      if (packed != READSTAT_COMPRESS_NONE && !can_pack)
        continue;
      lacuna::testing::StatMaker maker;
      maker.compression = packed;
      const bool has_labels = kind == StatKind::kSpss || kind == StatKind::kStata;
      if (has_labels)
        maker.label("set", 1, "north");
      const auto a = maker.number("A", has_labels ? "set" : ""), b = maker.text("B", 9);
      maker.row({{a, "1"}, {b, "x"}});
      maker.row({{a, ""}, {b, ""}});
      seeds.push_back(maker.write(kind));
    }
  }
#endif
  return seeds;
}

}  // namespace lacuna::fuzz
