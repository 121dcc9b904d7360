// SPDX-License-Identifier: Apache-2.0
// Files whose fields have moved: whatever is refused in them, a message that may end in a notebook
// or a log shows no number of theirs, and the office still reads it in full.
#include <gtest/gtest.h>

#include <map>

#include "core/base/confidential.h"
#include "data/jobfile/job_file.h"
#include "data/problems/apriori.h"
#include "data/problems/jj.h"
#include "data/problems/problem_json.h"
#include "data/publish/pattern.h"
#include "data/publish/published_csv.h"
#include "lacuna/dimension.h"
#include "lacuna/table.h"

namespace lacuna::publish {
namespace {

constexpr const char* kSecret = "843211";  // stands where something else should

template <class T>
void expect_hidden(const Result<T>& result, const std::string& where) {
  ASSERT_FALSE(result) << where;
  const std::string text = result.error().text();
  EXPECT_NE(base::in_full(text).find(kSecret), std::string::npos) << base::in_full(text);
  EXPECT_EQ(base::without_confidential(text).find(kSecret), std::string::npos)
      << base::in_full(text);
}

Table two_parts() {
  TableBuilder builder(0, {Dimension::build("R", {"T", "a", "b"}, {{0, {1, 2}}}).value()});
  for (std::int32_t c = 0; c < 3; ++c) {
    Cell cell;
    cell.value = c == 0 ? 30 : 15;
    static_cast<void>(builder.add_cell(cell, std::vector<std::int32_t>{c}).value());
  }
  return std::move(builder).build().value();
}

TEST(StrangeFields, OfJjFiles) {
  for (const char* text : {"843211\n",
                           "0\n843211843211843211\n",
                           "0\n1\n843211 5 5 s 0 9 0 0 0\n",
                           "0\n1\n0 5 5 843211 0 9 0 0 0\n",
                           "0\n1\n0 5 5 s 0 9 0 0 0\n843211x\n",
                           "0\n1\n0 5 5 s 0 9 0 0 0\n1\n0 1 : 843211 (1)\n",
                           "0\n1\n0 5 5 s 0 9 0 0 0\n1\n0 1 : 0 (843211)\n",
                           "0\n1\n0 5 5 s 0 9 0 0 0\n0\n843211\n"})
    expect_hidden(problems::read_jj(text, "t.jj"), text);
}

TEST(StrangeFields, OfPatternsAndReleases) {
  for (const char* text : {"843211\n",
                           "843211;a\n",
                           R"({"release":[{"cell":843211,"state":"withheld"}]})",
                           R"({"release":[{"codes":["843211"],"state":"withheld"}]})",
                           R"({"release":[{"cell":1,"state":"843211"}]})"})
    expect_hidden(read_pattern(text, "p", two_parts()), text);
  for (const char* text :
       {"R;v\nT;30\n843211;15\nb;15\n", "R;v;flag\nT;30;V\na;15;843211\nb;15;V\n"})
    expect_hidden(read_published_csv(text, "p.csv", two_parts()), text);
}

TEST(StrangeFields, OfFilesByHand) {
  const std::vector<Dimension> dimensions{
      Dimension::build("R", {"T", "a", "b"}, {{0, {1, 2}}}).value()};
  for (const char* text :
       {"R,status\na,843211\n", "R,status\n843211,U\n", "R,cost\na,843211x\n", "R,843211\na,U\n"})
    expect_hidden(problems::read_apriori_csv(text, "m.csv", dimensions, 0, {}), text);
  for (const char* text : {"a;843211\n", "843211;U\n", "a;C;843211x\n"})
    expect_hidden(problems::read_hst(text, "m.hst", dimensions, 0, problems::AprioriOptions{';'}),
                  text);
}

TEST(StrangeFields, OfProblemJson) {
  const std::string begin = R"({"format":"lacuna-problem-1","decimals":0,)";
  for (const std::string& text :
       {std::string(R"({"format":"843211","cells":[]})"),
        begin + R"("cells":[{"value":1,"status":"843211"}]})",
        begin +
            R"("cells":[{"value":1}],"equations":[{"rhs":0,"cells":[843211],"coefficients":[1]}]})",
        begin + R"("cells":[{"value":843211e999}]})"})
    expect_hidden(problems::read_problem_json(text, "t.json"), text);
}

TEST(StrangeFields, OfTables) {
  const std::string job =
      "[input]\ntable = \"t.csv\"\n[columns]\nvalue = \"v\"\nstatus = \"s\"\n[[dimension]]\nname = "
      "\"R\"\ncodes = [\"T\", \"a\", \"b\"]\ntotal = \"T\"\n";
  const std::string good = "R;v;s\nT;30;s\na;15;u\nb;15;s\n";
  for (const std::string& table : {std::string("R;v;s\nT;30;s\na;15;843211\nb;15;s\n"),
                                   std::string("R;v;s\nT;30;s\n843211;15;u\nb;15;s\n"),
                                   std::string("T;843211;s\na;15;u\n")}) {
    const auto load = [&](const std::string&) -> Result<std::string> { return table; };
    expect_hidden(jobfile::read_job_text(job, "job.toml", load), table);
  }
  const auto load = [&](const std::string&) -> Result<std::string> { return good; };
  EXPECT_TRUE(jobfile::read_job_text(job, "job.toml", load));
}

}  // namespace
}  // namespace lacuna::publish
