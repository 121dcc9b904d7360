// SPDX-License-Identifier: Apache-2.0
#include "core/table/atoms.h"

#include <gtest/gtest.h>

#include <map>

#include "core/table/unpublished.h"

namespace lacuna::table {
namespace {

Dimension flat(const char* name, const std::vector<std::string>& parts) {
  std::vector<std::string> codes{"T"};
  Relation sum{0, {}};
  for (const std::string& part : parts) {
    sum.children.push_back(static_cast<std::int32_t>(codes.size()));
    codes.push_back(part);
  }
  return Dimension::build(name, codes, {sum}).value();
}

struct Person {
  std::vector<std::string> codes;
  Units number = 1;
};

// Cells of all combinations of codes that someone is in.
Table table_of(const std::vector<Dimension>& dimensions, const std::vector<Person>& persons) {
  std::map<std::vector<std::int32_t>, Units> counts;
  for (const Person& person : persons) {
    for (std::size_t which = 0; which < (std::size_t{1} << dimensions.size()); ++which) {
      std::vector<std::int32_t> codes;
      for (std::size_t d = 0; d < dimensions.size(); ++d)
        codes.push_back((which >> d & 1) != 0 ? dimensions[d].find(person.codes[d]) : 0);
      counts[codes] += person.number;
    }
  }
  TableBuilder builder(0, dimensions);
  LinkedTable all;
  for (std::size_t d = 0; d < dimensions.size(); ++d)
    all.dimensions.push_back(static_cast<std::int32_t>(d));
  for (const auto& [codes, number] : counts)
    EXPECT_TRUE(builder.add_cell(Cell{.value = number}, codes));
  EXPECT_TRUE(add_table_equations(builder, std::vector<LinkedTable>{all}));
  return std::move(builder).build().value();
}

std::map<std::string, Units> unpublished(const Table& table) {
  std::map<std::string, Units> found;
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    if (is_unpublished(table.cell(CellId{c})))
      found[table.label(CellId{c})] = table.value(CellId{c});
  }
  return found;
}

const std::vector<Dimension>& wards_and_districts() {
  static const std::vector<Dimension> kDimensions{
      flat("ward", {"6", "7"}), flat("district", {"3", "4", "5"}), flat("sex", {"m", "f"})};
  return kDimensions;
}
const std::vector<LinkedTable> kTables{{"wards", {0, 2}}, {"districts", {1, 2}}};

// Ward 7 holds districts 3 and 4 and a few houses of district 5; ward 6 is the rest of 5.
Table halo() {
  return table_of(wards_and_districts(),
                  {{{"7", "3", "m"}, 10},
                   {{"7", "3", "f"}, 10},
                   {{"7", "4", "m"}, 10},
                   {{"7", "4", "f"}, 10},
                   {{"7", "5", "f"}, 1},
                   {{"6", "5", "m"}, 10},
                   {{"6", "5", "f"}, 10}});
}

TEST(Atoms, HaloIsWhatIsLeftOfAWard) {
  const auto system = system_of_atoms(halo(), kTables, std::vector<std::int32_t>{0, 1}, {});
  ASSERT_TRUE(system) << system.error().text();
  EXPECT_EQ(system->atoms, 4);
  // Districts 3 and 4 and ward 6 are atoms themselves and stay what they are.
  const std::map<std::string, Units> expected{{"ward=7|district=5|sex=T", 1},
                                              {"ward=7|district=5|sex=m", 0},
                                              {"ward=7|district=5|sex=f", 1}};
  EXPECT_EQ(unpublished(system->table), expected);
  EXPECT_EQ(system->unpublished, 3);
}

TEST(Atoms, OverlappingPartitionsMeetInTheirIntersections) {
  const Table table = table_of(
      wards_and_districts(),
      {{{"6", "3", "m"}, 4}, {{"6", "4", "m"}, 1}, {{"7", "4", "f"}, 5}, {{"7", "3", "f"}, 2}});
  const auto system = system_of_atoms(table, kTables, std::vector<std::int32_t>{0, 1}, {});
  ASSERT_TRUE(system) << system.error().text();
  EXPECT_EQ(system->atoms, 4);
  // No woman lives in ward 6, which its table says by having no such row.
  const std::map<std::string, Units> expected{{"ward=6|district=3|sex=T", 4},
                                              {"ward=6|district=3|sex=m", 4},
                                              {"ward=6|district=4|sex=T", 1},
                                              {"ward=6|district=4|sex=m", 1},
                                              {"ward=7|district=3|sex=T", 2},
                                              {"ward=7|district=3|sex=f", 2},
                                              {"ward=7|district=4|sex=T", 5},
                                              {"ward=7|district=4|sex=f", 5}};
  EXPECT_EQ(unpublished(system->table), expected);
}

TEST(Atoms, UnitsThatNobodyTellsApartAreOne) {
  std::vector<Dimension> dimensions = wards_and_districts();
  dimensions.push_back(flat("block", {"a", "b"}));
  const Table table = table_of(dimensions,
                               {{{"6", "3", "m", "a"}, 4},
                                {{"6", "3", "m", "b"}, 3},
                                {{"6", "4", "m", "a"}, 1},
                                {{"7", "4", "m", "b"}, 1}});
  const auto system = system_of_atoms(table, kTables, std::vector<std::int32_t>{0, 1, 3}, {});
  ASSERT_TRUE(system) << system.error().text();
  EXPECT_EQ(system->atoms, 3);
  // District 3 and ward 7 are atoms; the third is named after its first unit.
  const std::map<std::string, Units> expected{{"ward=6|district=4|sex=T|block=a", 1},
                                              {"ward=6|district=4|sex=m|block=a", 1}};
  EXPECT_EQ(unpublished(system->table), expected);
}

TEST(Atoms, NestedAreasNeedNothingNew) {
  const Table table = table_of(wards_and_districts(),
                               {{{"6", "3", "m"}, 4}, {{"7", "4", "f"}, 1}, {{"7", "5", "f"}, 2}});
  const auto system = system_of_atoms(table, kTables, std::vector<std::int32_t>{0, 1}, {});
  ASSERT_TRUE(system) << system.error().text();
  EXPECT_EQ(system->atoms, 3);
  EXPECT_EQ(system->unpublished, 0);
}

TEST(Atoms, KnownReleasesAddTheirCells) {
  const std::vector<LinkedTable> districts{{"districts", {1, 2}}};
  const KnownCell ward{{2, 0, 0}, {41, 41}, "earlier.csv:2:1"};
  const auto system = system_of_atoms(
      halo(), districts, std::vector<std::int32_t>{0, 1}, std::vector<KnownCell>{ward});
  ASSERT_TRUE(system) << system.error().text();
  const std::map<std::string, Units> expected{{"ward=7|district=T|sex=T", 41},
                                              {"ward=7|district=5|sex=T", 1},
                                              {"ward=7|district=5|sex=m", 0},
                                              {"ward=7|district=5|sex=f", 1},
                                              {"ward=6|district=5|sex=T", 20},
                                              {"ward=6|district=5|sex=m", 10},
                                              {"ward=6|district=5|sex=f", 10}};
  EXPECT_EQ(unpublished(system->table), expected);
  for (std::int32_t c = 0; c < system->table.num_cells(); ++c) {
    if (system->table.label(CellId{c}) == "ward=7|district=T|sex=T") {
      EXPECT_EQ(system->table.cell(CellId{c}).status, CellStatus::kKnown);
    }
  }
}

TEST(Atoms, RefusesAReleaseOfOtherUnits) {
  const KnownCell ward{{2, 0, 0}, {40, 40}, "earlier.csv:2:1"};
  const auto system = system_of_atoms(
      halo(), kTables, std::vector<std::int32_t>{0, 1}, std::vector<KnownCell>{ward});
  ASSERT_FALSE(system);
  EXPECT_EQ(system.error().where, "earlier.csv:2:1");
}

}  // namespace
}  // namespace lacuna::table
