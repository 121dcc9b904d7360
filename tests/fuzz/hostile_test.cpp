// SPDX-License-Identifier: Apache-2.0
// Inputs that are small on the disk and would be huge in memory or time: each is refused with a
// sentence. Too large for the corpus, so they are made here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/certificate/certificate.h"
#include "data/certificate/checkpoint.h"
#include "data/files/file.h"
#include "data/files/hierarchy_file.h"
#include "data/files/json_tree.h"
#include "data/formats/stat_files.h"
#include "data/formats/workbook.h"
#include "data/jobfile/job_file.h"
#include "data/problems/apriori.h"
#include "fuzz/use.h"
#include "lacuna/audit.h"
#include "lacuna/linked_tables.h"
#include "lacuna/tabulate.h"
#include "support/small_books.h"

namespace lacuna::fuzz {
namespace {

using ::testing::HasSubstr;

std::string certificate_of(const Problem& problem, const std::string& witness) {
  std::string text = "{\"format\":\"lacuna-certificate-3\",\"problem_sha256\":\"\",\"decimals\":" +
                     std::to_string(problem.table().decimals()) + ",\"release\":[";
  for (const CellEntry& entry : Draft::withholding_primaries(problem.table()).entries()) {
    text += (text.ends_with('[') ? "" : ",");
    text += "{\"cell\":" + std::to_string(entry.cell.value) + ",\"state\":\"withheld\"}";
  }
  text += "],\"witnesses\":[" + witness + "],\"proofs\":[],\"findings\":[";
  for (const Requirement& need : problem.requirements()) {
    text += (text.ends_with('[') ? "" : ",");
    text += R"({"domain":"rational","kind":"levels","cell":)" + std::to_string(need.cell.value) +
            ",\"attacker\":" + std::to_string(need.attacker) +
            ",\"verdict\":\"protected\",\"low\":{\"witness\":0},\"high\":{\"witness\":0}}";
  }
  return text + "]}";
}

std::string repeated(const std::string& item, int count) {
  std::string list = "[";
  for (int i = 0; i < count; ++i)
    list += (i == 0 ? "" : ",") + item;
  return list + "]";
}

// A witness that moves one cell `count` times by a number of so many digits.
std::string long_witness(std::size_t digits, int count) {
  return "{\"denominator\":1,\"cells\":" + repeated("1", count) +
         ",\"moves\":" + repeated(std::string(digits, '7'), count) + "}";
}

TEST(HostileCertificate, NumbersAreLimitedOneByOneAndTogether) {
  const Problem& problem = *fixed_problems().back();
  const auto read = [&](const std::string& witness) {
    return certificate::read_certificate(certificate_of(problem, witness), "f.json", problem);
  };
  EXPECT_TRUE(read(long_witness(20'000, 1)));
  const auto one = read(long_witness(20'001, 1));
  ASSERT_FALSE(one);
  EXPECT_THAT(one.error().text(), HasSubstr("f.json:witnesses[0].moves[0]: expected an integer"));
  const auto together = read(long_witness(20'000, 201));
  ASSERT_FALSE(together);
  EXPECT_THAT(together.error().text(), HasSubstr("f.json:witnesses[0].moves: the numbers have"));
}

TEST(HostileCertificate, ConfirmRefusesDenominatorsAndDuplicates) {
  const Problem& problem = *fixed_problems().back();
  for (const char* witness : {"{\"denominator\":0,\"cells\":[],\"moves\":[]}",
                              "{\"denominator\":-1,\"cells\":[1,3],\"moves\":[-9,-9]}",
                              "{\"denominator\":1,\"cells\":[1,1],\"moves\":[9,-9]}",
                              "{\"denominator\":1,\"cells\":[3,1],\"moves\":[9,9]}"}) {
    const auto certificate =
        certificate::read_certificate(certificate_of(problem, witness), "f.json", problem);
    ASSERT_TRUE(certificate) << witness << certificate.error().text();
    EXPECT_FALSE(confirm(problem, certificate->draft, certificate->claimed)) << witness;
  }
}

TEST(HostileJson, DeepNestingIsNoRecursion) {
  constexpr std::size_t kDepth = 1'000'000;
  EXPECT_FALSE(files::JsonTree::parse(std::string(kDepth, '['), "f.json"));
  EXPECT_TRUE(
      files::JsonTree::parse(std::string(kDepth, '[') + std::string(kDepth, ']'), "f.json"));
}

TEST(HostileCheckpoint, NumbersAreDigitsAlone) {
  const std::string head = "lacuna-checkpoint 1\nproblem x\nwithheld 1\nevidence ";
  EXPECT_TRUE(certificate::read_checkpoint(head + "1 1:-12\nend\n", "f", 7));
  EXPECT_FALSE(certificate::read_checkpoint(head + "1 1:1\t2\nend\n", "f", 7));
  EXPECT_FALSE(certificate::read_checkpoint(head + "1 1:+1\nend\n", "f", 7));
  EXPECT_FALSE(certificate::read_checkpoint(head + "0 1:1\nend\n", "f", 7));
  EXPECT_FALSE(
      certificate::read_checkpoint(head + "1 1:" + std::string(201, '1') + "\nend\n", "f", 7));
}

TEST(HostilePackedFile, ABombStopsAtTheLimit) {
  constexpr std::size_t kUnpacked = std::size_t{1} << 25U;
  const auto text =
      files::unpack(files::pack_gzip(std::string(kUnpacked, '0')).value(), "f.gz", 1 << 20U);
  ASSERT_FALSE(text);
  EXPECT_THAT(text.error().text(), HasSubstr("f.gz: the file unpacks to more than 1048576 bytes"));
}

TEST(HostileWorkbook, ABombIsRefusedBeforeItIsUnpacked) {
  lacuna::testing::SmallBook book;
  book.sheets = {{"S", "<!--" + std::string(std::size_t{64} << 20U, 'a') + "-->"}};
  const auto grids = formats::read_workbook(book.bytes(), "b.xlsx");
  ASSERT_FALSE(grids);
  EXPECT_THAT(grids.error().text(),
              HasSubstr(formats::reads_xml_workbooks() ? "more than 250 times its size"
                                                       : "LACUNA_WORKBOOKS"));
}

TEST(HostileWorkbook, OneTextForManyCellsIsLimited) {
  lacuna::testing::SmallBook book;
  std::string text;
  for (int i = 0; i < 100'000; ++i)
    text += std::to_string(i * 7919);
  book.strings = {"<t>" + text + "</t>"};
  std::string cells;
  for (int i = 0; i < 20'000; ++i)
    cells += "<row><c t=\"s\"><v>0</v></c></row>";
  book.sheets = {{"S", cells}};
  const auto grids = formats::read_workbook(book.bytes(), "b.xlsx");
  ASSERT_FALSE(grids);
  EXPECT_THAT(grids.error().text(),
              HasSubstr(formats::reads_xml_workbooks() ? "far more text than the file has bytes"
                                                       : "LACUNA_WORKBOOKS"));
}

TEST(HostileWorkbook, ElementsWithinElementsAreNoRecursion) {
  std::string deep;
  for (int i = 0; i < 200'000; ++i)
    deep += "<text:span>";
  deep += "x";
  for (int i = 0; i < 200'000; ++i)
    deep += "</text:span>";
  const std::string table =
      "<table:table table:name=\"S\"><table:table-row><table:table-cell><text:p>" + deep +
      "</text:p></table:table-cell></table:table-row></table:table>";
  const auto grids =
      formats::read_workbook(lacuna::testing::zipped(lacuna::testing::ods_parts(table)), "b.ods");
  EXPECT_EQ(grids.has_value(), formats::reads_xml_workbooks());
}

// A chain of sectors that leads back to itself, and a sheet that begins within itself.
TEST(HostileWorkbook, CirclesEnd) {
  std::string book = lacuna::testing::small_xls("", {{"S", ""}});
  const std::size_t table = book.size() - 512;
  book.replace(table, 4, std::string(4, '\0'));
  const auto grids = formats::read_workbook(book, "b.xls");
  ASSERT_FALSE(grids);
  EXPECT_THAT(grids.error().text(), HasSubstr("b.xls: "));
}

TEST(HostileDataSet, PromisedRowsTakeNoMemory) {
  // A header of Stata 114 that promises 32767 columns and two thousand million rows.
  std::string bytes = "\x72\x02\x01";
  bytes += '\0';
  bytes += "\xFF\x7F";
  bytes += std::string("\xFF\xFF\xFF\x7F", 4) + std::string(200, '\0');
  EXPECT_FALSE(formats::read_stat_grid(bytes, "f.dta"));
}

// Every code has a leaf and the next code below it: lists of leaves grow with the square.
TEST(HostileHierarchy, ACombIsRefusedAndAChainIsNot) {
  std::string comb = "code,parent\nT,\n";
  std::string chain = comb;
  std::string above = "T";
  for (int i = 0; i < 8'500; ++i) {
    const std::string code = "c" + std::to_string(i);
    comb += code + "," + above + "\n" + "l" + std::to_string(i) + "," + above + "\n";
    chain += code + "," + above + "\n";
    above = code;
  }
  const auto tree = files::read_parents_csv(comb, "f.csv", ',', "T");
  ASSERT_TRUE(tree);
  const auto dimension = files::build_dimension("D", {*tree});
  ASSERT_FALSE(dimension);
  EXPECT_THAT(dimension.error().text(), HasSubstr("too deep for its number of codes"));
  EXPECT_TRUE(
      files::build_dimension("D", {files::read_parents_csv(chain, "f.csv", ',', "T").value()}));
}

Dimension flat(const std::string& name) {
  return Dimension::build(name, {"T", "a"}, {{0, {1}}}).value();
}

TEST(HostileDimensions, TooManyCombinationsAreRefused) {
  std::vector<Dimension> dimensions;
  LinkedTable all{"all", {}};
  for (std::int32_t d = 0; d < 130; ++d) {
    dimensions.push_back(flat("D" + std::to_string(d)));
    all.dimensions.push_back(d);
  }
  TableBuilder builder(0, dimensions);
  ASSERT_TRUE(builder.add_cell(Cell{}, std::vector<std::int32_t>(130, 0)));
  const auto added = add_table_equations(builder, std::span(&all, 1));
  ASSERT_FALSE(added);
  EXPECT_THAT(added.error().text(), HasSubstr("too many combinations"));
}

Result<Tabulation> tabulate_one_record(int dimensions, bool empty_cells, int codes) {
  TabulateOptions options;
  options.keep_empty_cells = empty_cells;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows(static_cast<std::size_t>(codes));
  for (int d = 0; d < dimensions; ++d) {
    columns.push_back("c" + std::to_string(d));
    options.dimensions.push_back(flat_dimension(columns.back(), columns.back()));
    for (std::size_t r = 0; r < rows.size(); ++r)
      rows[r].push_back(std::to_string(r));
  }
  RowRecords records(columns, rows);
  return tabulate(records, options, {});
}

TEST(HostileRecords, ARecordInTooManyCellsIsRefused) {
  EXPECT_TRUE(tabulate_one_record(10, false, 1));
  for (const int dimensions : {20, 60}) {
    const auto cells = tabulate_one_record(dimensions, false, 1);
    ASSERT_FALSE(cells) << dimensions;
    EXPECT_THAT(cells.error().text(), HasSubstr("use fewer dimensions"));
  }
}

TEST(HostileRecords, TooManyEmptyCellsAreRefused) {
  EXPECT_TRUE(tabulate_one_record(2, true, 50));
  const auto cells = tabulate_one_record(5, true, 50);
  ASSERT_FALSE(cells);
  EXPECT_THAT(cells.error().text(), HasSubstr("more than 16777216 cells"));
}

TEST(HostileRecords, AChainOfLevelsIsRefused) {
  std::vector<std::string> codes{"T"};
  std::vector<Relation> relations;
  for (std::int32_t i = 1; i < 2'000; ++i) {
    codes.push_back("c" + std::to_string(i));
    relations.push_back({i - 1, {i}});
  }
  TabulateOptions options;
  options.dimensions = {given_dimension(Dimension::build("D", codes, relations).value(), "D")};
  RowRecords records({"D"}, {{codes.back()}});
  const auto cells = tabulate(records, options, {});
  ASSERT_FALSE(cells);
  EXPECT_THAT(cells.error().text(), HasSubstr("more than 1000 levels"));
}

TEST(HostileTable, TotalsOfManyDimensionsAreRefused) {
  std::string job = "[input]\ntable = \"t.csv\"\nseparator = \",\"\ntotals = \"computed\"\n";
  job += "[columns]\nvalue = \"v\"\n";
  std::string header;
  std::string row;
  for (int d = 0; d < 30; ++d) {
    job += "[[dimension]]\nname = \"d" + std::to_string(d) + "\"\n";
    header += "d" + std::to_string(d) + ",";
    row += "x,";
  }
  const std::string csv = header + "v\n" + row + "1\n";
  const auto read = jobfile::read_job_text(
      job, "f.toml", [&](const std::string&) -> Result<std::string> { return csv; });
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().text(), HasSubstr("t.csv:1:1: a row counts in more than 20000 totals"));
}

std::vector<Dimension> chains(std::int32_t length) {
  std::vector<Dimension> dimensions;
  for (const char* name : {"A", "B", "C"}) {
    std::vector<std::string> codes{"T"};
    std::vector<Relation> relations;
    for (std::int32_t i = 1; i < length; ++i) {
      codes.push_back("c" + std::to_string(i));
      relations.push_back({i - 1, {i}});
    }
    dimensions.push_back(Dimension::build(name, codes, relations).value());
  }
  return dimensions;
}

TEST(HostileApriori, ALineForTooManyCellsIsRefused) {
  problems::AprioriOptions options{';', false, true};
  EXPECT_EQ(
      problems::read_hst("c1;c1;c1;U\n", "f.hst", chains(3), 0, options).value().entries.size(),
      27U);
  const auto many = problems::read_hst("T;T;T;S\nc1;c1;c1;U\n", "f.hst", chains(200), 0, options);
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error().text(), "f.hst:1:1: the lines stand for too many cells");
}

// Places are not counted from the start of the file for every line.
TEST(HostileApriori, TimeGrowsWithTheFileAlone) {
  constexpr std::size_t kLines = 300'000;
  std::string bad;
  std::string csv = "A,status\n";
  for (std::size_t i = 0; i < kLines; ++i) {
    bad += "nothing;T;T;U\n";
    csv += "c1,S\n";
  }
  const auto dimensions = chains(300);
  const auto skipped =
      problems::read_hst("T;T;T;S\n" + bad, "f.hst", dimensions, 0, {';', true, false});
  ASSERT_TRUE(skipped);
  EXPECT_EQ(skipped->skipped, kLines);
  const auto entries = problems::read_apriori_csv(csv, "f.csv", dimensions, 0, {});
  ASSERT_TRUE(entries);
  EXPECT_EQ(entries->entries.back().where, "f.csv:" + std::to_string(kLines + 1) + ":1");
}

}  // namespace
}  // namespace lacuna::fuzz
