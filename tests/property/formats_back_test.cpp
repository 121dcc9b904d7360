// SPDX-License-Identifier: Apache-2.0
// Random tables written in every statistical text format and read back: the same cells, with the
// same numbers, and what is withheld is known as withheld.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/base/decimal.h"
#include "data/formats/eurostat_tsv.h"
#include "data/formats/json_stat.h"
#include "data/formats/px.h"
#include "data/formats/sdmx_csv.h"
#include "data/formats/sdmx_json.h"
#include "data/publish/cross_cells.h"
#include "data/publish/json_stat.h"
#include "data/publish/px.h"
#include "data/publish/sdmx_csv.h"
#include "data/publish/sdmx_json.h"
#include "lacuna/audit.h"
#include "seeds.h"
#include "support/grid_text.h"
#include "support/random_problem.h"

namespace lacuna {
namespace {

constexpr const char* kHidden = "withheld";
using Cells = std::map<std::vector<std::string>, std::string>;

struct Sample {
  std::shared_ptr<const Problem> problem;
  std::optional<AuditedRelease> release;
  Cells cells;  // as readers shall see them
};

// The same table, of which nothing is asked: what is hidden here is drawn.
Table all_free(const Table& table) {
  TableBuilder builder(table.decimals(), table.dimensions());
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    Cell cell = table.cell(CellId{c});
    cell.status = CellStatus::kFree;
    static_cast<void>(builder.add_cell(cell, table.codes(CellId{c})).value());
  }
  for (std::int32_t e = 0; e < table.num_equations(); ++e)
    static_cast<void>(
        builder.add_equation(table.equation(EquationId{e}), table.rhs(EquationId{e})).value());
  return std::move(builder).build().value();
}

Sample sample_of(std::uint64_t seed) {
  base::Random random(seed);
  const Problem drawn = testing::random_problem(random, {.attackers = false});
  Sample sample;
  sample.problem = std::make_shared<const Problem>(
      make_problem(all_free(drawn.table()), {outsider()}, {}).value());
  const Table& table = sample.problem->table();
  Draft draft;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    const bool hides = random.chance(1, 4);
    if (hides)
      draft.withhold(CellId{c});
    std::vector<std::string> codes;
    for (std::size_t d = 0; d < table.dimensions().size(); ++d)
      codes.push_back(table.dimensions()[d].code(table.codes(CellId{c})[d]));
    sample.cells[codes] =
        hides ? kHidden : base::format_units(table.value(CellId{c}), table.decimals());
  }
  auto release = Auditor(sample.problem).release(draft, {}, {});
  EXPECT_TRUE(release) << release.error().text();
  if (release)
    sample.release = std::move(release).value();
  return sample;
}

bool is_key(formats::ColumnRole role) {
  return role == formats::ColumnRole::kDimension || role == formats::ColumnRole::kTime;
}

// Cells of zero by a sign are those that the table does not have.
Cells cells_of(const formats::Grid& grid) {
  std::map<std::string, formats::SignMeaning> signs;
  for (const formats::GridSign& sign : grid.signs)
    signs[sign.text] = sign.meaning;
  Cells cells;
  for (const auto& row : grid.rows) {
    std::vector<std::string> codes;
    std::string value, confidentiality;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const formats::ColumnRole role = grid.columns[i].role;
      if (is_key(role))
        codes.push_back(row[i]);
      else if (role == formats::ColumnRole::kValue)
        value = row[i];
      else if (role == formats::ColumnRole::kConfidentiality)
        confidentiality = row[i];
    }
    const auto sign = signs.find(value);
    const bool is_sign = sign != signs.end();
    if (is_sign && sign->second == formats::SignMeaning::kZero)
      continue;
    const bool confidential = confidentiality == "C" || confidentiality == "c" ||
                              (is_sign && sign->second == formats::SignMeaning::kWithheld);
    EXPECT_TRUE(
        cells.emplace(codes, confidential && (value.empty() || is_sign) ? kHidden : value).second);
  }
  return cells;
}

publish::PublicRelease public_of(const Sample& sample, const files::OutputOptions& options) {
  return {*sample.release, {files::whole_view(sample.problem->table(), "drawn")}, options, {}};
}

template <class Read>
void expect_same(const Result<std::string>& text, Read&& read, const Cells& cells) {
  ASSERT_TRUE(text) << text.error().text();
  const auto grid = read(*text);
  ASSERT_TRUE(grid) << grid.error().text() << "\n" << *text;
  EXPECT_EQ(cells_of(*grid), cells) << *text;
}

auto first(Result<std::vector<formats::Grid>> (*read)(std::string_view, const std::string&)) {
  return [read](const std::string& text) -> Result<formats::Grid> {
    auto grids = read(text, "t");
    if (!grids)
      return grids.error();
    return grids->front();
  };
}

Result<formats::Grid> read_px(const std::string& text) {
  return formats::read_px(text, "t.px");
}

// PX has no quotes in texts.
Cells as_in_px(const Cells& cells) {
  Cells out;
  for (const auto& [codes, value] : cells) {
    std::vector<std::string> shown = codes;
    for (std::string& code : shown)
      std::replace(code.begin(), code.end(), '"', '\'');
    out[shown] = value;
  }
  return out;
}

std::string quoted(std::string text) {
  for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 2)
    text.insert(at, 1, '"');
  return "\"" + text + "\"";
}

std::string sdmx_csv_1(const Sample& sample) {
  std::string text = "DATAFLOW,FREQ";
  for (const Dimension& dimension : sample.problem->table().dimensions())
    text += "," + dimension.name();
  text += ",OBS_VALUE,OBS_STATUS,CONF_STATUS,UNIT_MULT\n";
  for (const auto& [codes, value] : sample.cells) {
    text += "OFFICE:T(1.0),A";
    for (const std::string& code : codes)
      text += "," + quoted(code);
    text += value == kHidden ? ",NaN,Q,C,0\n" : "," + value + ",A,F,0\n";
  }
  return text;
}

// The last dimension across; cells that the table does not have are ":" without a flag.
std::string eurostat_tsv(const Sample& sample) {
  const std::vector<Dimension>& dimensions = sample.problem->table().dimensions();
  std::string text = "freq";
  for (std::size_t d = 0; d + 1 < dimensions.size(); ++d)
    text += "," + dimensions[d].name();
  text += "\\" + dimensions.back().name();
  for (const std::string& code : dimensions.back().codes())
    text += "\t" + code + " ";
  std::map<std::vector<std::string>, std::map<std::string, std::string>> lines;
  for (const auto& [codes, value] : sample.cells)
    lines[{codes.begin(), codes.end() - 1}][codes.back()] = value;
  std::size_t number = 0;
  for (const auto& [codes, values] : lines) {
    text += "\nA";
    for (const std::string& code : codes)
      text += "," + code;
    for (const std::string& code : dimensions.back().codes()) {
      const auto value = values.find(code);
      const char* const flag = ++number % 3 == 0 ? "p" : "";
      text += value == values.end()      ? "\t: "
              : value->second == kHidden ? "\t: @C"
                                         : "\t" + value->second + " " + flag;
    }
  }
  return text + "\n";
}

TEST(FormatsBack, TheSameCellsInEveryFormat) {
  testing::for_each_seed(4300, 200, [&](std::uint64_t seed) {
    const Sample sample = sample_of(seed);
    ASSERT_TRUE(sample.release);
    files::OutputOptions options;
    options.title = "A title, with \"quotes\" & notes";
    options.notes = {"first", "second"};
    const publish::PublicRelease release = public_of(sample, options);
    expect_same(publish::public_px(release), read_px, as_in_px(sample.cells));
    expect_same(publish::public_sdmx_csv(release), first(formats::read_sdmx_csv), sample.cells);
    expect_same(publish::public_sdmx_json(release), first(formats::read_sdmx_json), sample.cells);
    expect_same(publish::public_json_stat(release), first(formats::read_json_stat), sample.cells);
    expect_same(sdmx_csv_1(sample), first(formats::read_sdmx_csv), sample.cells);
  });
}

TEST(FormatsBack, TheSameCellsAndFlagsInEurostatsFormat) {
  std::size_t tried = 0;
  testing::for_each_seed(4700, 200, [&](std::uint64_t seed) {
    const Sample sample = sample_of(seed);
    ASSERT_TRUE(sample.release);
    if (sample.problem->table().dimensions().size() < 2)
      return;
    ++tried;
    const auto grid = formats::read_eurostat_tsv(eurostat_tsv(sample), "t.tsv");
    ASSERT_TRUE(grid) << grid.error().text();
    Cells cells = cells_of(*grid);
    for (auto cell = cells.begin(); cell != cells.end();)
      cell = cell->second == ":" ? cells.erase(cell) : std::next(cell);
    EXPECT_EQ(cells, sample.cells);
  });
  EXPECT_GT(tried, std::getenv("LACUNA_SEED") == nullptr ? 100U : 0U);
}

// JSON formats carry the sums: parts of the grid are relations of the table, and none is invented.
TEST(FormatsBack, TheSumsThatAreWrittenComeBack) {
  testing::for_each_seed(5100, 50, [&](std::uint64_t seed) {
    const Sample sample = sample_of(seed);
    ASSERT_TRUE(sample.release);
    const files::OutputOptions options;
    const auto text = publish::public_json_stat(public_of(sample, options));
    ASSERT_TRUE(text) << text.error().text();
    const auto grids = formats::read_json_stat(*text, "t.json");
    ASSERT_TRUE(grids) << grids.error().text();
    std::string wanted;
    for (const Dimension& dimension : sample.problem->table().dimensions()) {
      for (const auto& [parent, children] : publish::first_sums(dimension)) {
        wanted += dimension.name() + ": " + dimension.code(parent) + " =";
        for (const std::int32_t child : children)
          wanted += " " + dimension.code(child);
        wanted += "\n";
      }
    }
    EXPECT_EQ(testing::trees_text(grids->front()), wanted);
  });
}

}  // namespace
}  // namespace lacuna
