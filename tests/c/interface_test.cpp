// SPDX-License-Identifier: Apache-2.0
// Tables by the C interface: read, protected, published, audited, written.
#include <lacuna.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "c/handles_of_tests.h"
#include "data/columns/arrow_c_reader.h"
#include "support/temporary_folder.h"

namespace lacuna {
namespace {

std::string verdict_of(const lacuna_release* release) {
  const char* verdict = nullptr;
  EXPECT_EQ(lacuna_release_verdict(release, &verdict, nullptr), LACUNA_OK);
  return verdict;
}

std::string verdict_of(const lacuna_audit* audit) {
  const char* verdict = nullptr;
  EXPECT_EQ(lacuna_audit_verdict(audit, &verdict, nullptr), LACUNA_OK);
  return verdict;
}

std::string text_of_file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

Called<lacuna_audit> audit(const lacuna_problem* problem,
                           const char* release,
                           const lacuna_inputs* inputs = nullptr) {
  return call<lacuna_audit>(lacuna_problem_audit,
                            problem,
                            release,
                            static_cast<const char*>(nullptr),
                            inputs,
                            static_cast<lacuna_run*>(nullptr));
}

TEST(CInterface, HasTheVersionOfItsHeader) {
  EXPECT_EQ(lacuna_abi_version(), LACUNA_ABI_VERSION);
  EXPECT_STRNE(lacuna_version(), "");
}

TEST(CInterface, ATableInMemoryIsProtectedAndPublished) {
  const Owned<lacuna_problem> problem = sizes_problem();
  const Called<lacuna_release> release = protect(problem.get());
  ASSERT_EQ(release.status, LACUNA_OK) << release.message();
  EXPECT_EQ(verdict_of(release.value.get()), "protected");
  EXPECT_STREQ(published_csv(release.value.get()).value.get(), kWithheld);
  const Called<char> other = published_csv(release.value.get(), R"({"csv-separator": ","})");
  EXPECT_EQ(std::string(other.value.get()).substr(0, 23), "region,size,value,state");
  const Called<char> summary = call<char>(lacuna_release_summary, release.value.get());
  const auto run = nlohmann::json::parse(summary.value.get());
  EXPECT_EQ(run.at("verdict"), "protected");
  EXPECT_EQ(run.at("suppressed"), 4);
}

TEST(CInterface, OptionsAreThoseOfTheCommandLine) {
  const Owned<lacuna_problem> problem = sizes_problem();
  const Called<lacuna_release> release =
      protect(problem.get(), R"({"method": "round", "base": 25, "threads": 1})");
  ASSERT_EQ(release.status, LACUNA_OK) << release.message();
  const Called<char> summary = call<char>(lacuna_release_summary, release.value.get());
  const auto run = nlohmann::json::parse(summary.value.get());
  EXPECT_EQ(run.at("method"), "round");
  EXPECT_EQ(run.at("options"), "--method round --base 25");
  const Called<char> known = call<char>(lacuna_options, "protect");
  bool has_base = false;
  for (const auto& option : nlohmann::json::parse(known.value.get()))
    has_base = has_base || option.at("name") == "base";
  EXPECT_TRUE(has_base);
}

TEST(CInterface, PublishedTablesAreStreams) {
  const Owned<lacuna_problem> problem = sizes_problem();
  const Called<lacuna_release> release = protect(problem.get());
  ArrowArrayStream stream;
  ASSERT_EQ(lacuna_release_published(release.value.get(), -1, nullptr, &stream, nullptr),
            LACUNA_OK);
  const auto columns = columns::columns_of_stream(stream);
  ASSERT_TRUE(columns);
  std::vector<std::string> names;
  for (const columns::ColumnInfo& column : (*columns)->columns())
    names.push_back(column.name);
  EXPECT_EQ(names, (std::vector<std::string>{"region", "size", "value", "state"}));
  for (const std::int32_t table : {-2, 1})
    EXPECT_EQ(lacuna_release_published(release.value.get(), table, nullptr, &stream, nullptr),
              LACUNA_MISUSE);
  EXPECT_EQ(stream.release, nullptr);
}

TEST(CInterface, HandlesAreFreedInAnyOrder) {
  Owned<lacuna_problem> problem = sizes_problem();  // whose inputs are gone
  Called<lacuna_release> release = protect(problem.get());
  problem.reset();
  Called<lacuna_audit> found = call<lacuna_audit>(lacuna_release_audit, release.value.get());
  EXPECT_STREQ(published_csv(release.value.get()).value.get(), kWithheld);
  release.value.reset();
  EXPECT_EQ(verdict_of(found.value.get()), "protected");
  const Called<char> report = call<char>(lacuna_audit_report, found.value.get());
  EXPECT_EQ(nlohmann::json::parse(report.value.get()).at("verdict"), "protected");
}

TEST(CInterface, ProblemsAreDescribedWithoutAValue) {
  const Owned<lacuna_problem> problem = sizes_problem();
  const Called<char> text = call<char>(lacuna_problem_describe, problem.get());
  const auto facts = nlohmann::json::parse(text.value.get());
  EXPECT_EQ(facts.at("cells"), 9);
  EXPECT_EQ(facts.at("sensitive"), 1);
  EXPECT_EQ(facts.at("dimensions").at(0).at("name"), "region");
  EXPECT_EQ(facts.at("dimensions").at(1).at("relations").at(0).at("parent"), "All");
}

TEST(CInterface, FilesOfASpecBeginAtItsFolder) {
  const testing::UniqueFolder place;
  const std::filesystem::path& folder = place.path();
  std::ofstream(folder / "table.csv") << "area;n\nT;3\na;1\nb;2\n";
  const char* spec = R"({"input": {"table": "table.csv"}, "columns": {"value": "n"},
                         "dimension": [{"name": "area", "total": "T"}]})";
  const std::string name = (folder / "areas.json").string();
  const auto read = [&](const lacuna_inputs* inputs) {
    return call<lacuna_problem>(lacuna_problem_read_spec,
                                spec,
                                std::int32_t{LACUNA_JSON},
                                name.c_str(),
                                inputs,
                                static_cast<lacuna_run*>(nullptr));
  };
  EXPECT_EQ(read(nullptr).status, LACUNA_OK);
  std::filesystem::remove(folder / "table.csv");
  const Called<lacuna_problem> gone = read(nullptr);
  EXPECT_EQ(gone.status, LACUNA_IO);
  const Called<lacuna_inputs> inputs = call<lacuna_inputs>(lacuna_inputs_new);
  const std::string table = "area;n\nT;3\na;1\nb;2\n";
  ASSERT_EQ(
      lacuna_inputs_add_text(inputs.value.get(), "table.csv", table.data(), table.size(), nullptr),
      LACUNA_OK);
  const Called<lacuna_problem> held = read(inputs.value.get());
  EXPECT_EQ(held.status, LACUNA_OK) << held.message();
}

TEST(CInterface, SpecsHaveTwoForms) {
  const auto convert = [](const char* text, std::int32_t from, std::int32_t to) {
    return call<char>(lacuna_spec_convert, text, from, to);
  };
  const Called<char> toml = convert(kSpec, LACUNA_JSON, LACUNA_TOML);
  ASSERT_EQ(toml.status, LACUNA_OK) << toml.message();
  const Called<char> json = convert(toml.value.get(), LACUNA_TOML, LACUNA_JSON);
  ASSERT_EQ(json.status, LACUNA_OK) << json.message();
  EXPECT_EQ(nlohmann::json::parse(json.value.get()), nlohmann::json::parse(kSpec));
  EXPECT_EQ(convert("input = 1", LACUNA_TOML, LACUNA_JSON).status, LACUNA_BAD_INPUT);
  EXPECT_EQ(convert(kSpec, LACUNA_JSON, 7).status, LACUNA_MISUSE);
}

TEST(CInterface, WhatIsWrittenIsAuditedAndVerified) {
  const Owned<lacuna_problem> problem = sizes_problem();
  const Called<lacuna_release> release = protect(problem.get());
  const testing::UniqueFolder place;
  const std::filesystem::path& folder = place.path();
  const std::string shown = (folder / "public.csv").string();
  const std::string certificate = (folder / "certificate.json").string();
  const nlohmann::json files = {{"public", shown},
                                {"output", (folder / "result.json").string()},
                                {"certificate", certificate}};
  ASSERT_EQ(lacuna_release_save(release.value.get(), files.dump().c_str(), nullptr), LACUNA_OK);
  EXPECT_EQ(text_of_file(shown), kWithheld);
  const Called<char> evidence = call<char>(lacuna_release_certificate, release.value.get());
  EXPECT_EQ(text_of_file(certificate), evidence.value.get());
  EXPECT_EQ(verdict_of(audit(problem.get(), shown.c_str()).value.get()), "protected");
  const auto verified = [&](const char* released) {
    const char* verdict = nullptr;
    EXPECT_EQ(
        lacuna_problem_verify(
            problem.get(), certificate.c_str(), released, nullptr, nullptr, &verdict, nullptr),
        LACUNA_OK);
    return std::string(verdict);
  };
  EXPECT_EQ(verified(nullptr), "protected");
  EXPECT_EQ(verified(shown.c_str()), "protected");
}

TEST(CInterface, ReleasesOfOthersAreAudited) {
  const Owned<lacuna_problem> problem = sizes_problem();
  const Called<lacuna_audit> alone = audit(problem.get(), nullptr);
  EXPECT_EQ(verdict_of(alone.value.get()), "exposed");  // the one cell follows from the sums
  const Called<lacuna_inputs> inputs = call<lacuna_inputs>(lacuna_inputs_new);
  const std::string csv = kWithheld;
  lacuna_inputs_add_text(inputs.value.get(), "theirs.csv", csv.data(), csv.size(), nullptr);
  const Called<lacuna_audit> theirs = audit(problem.get(), "theirs.csv", inputs.value.get());
  ASSERT_EQ(theirs.status, LACUNA_OK) << theirs.message();
  EXPECT_EQ(verdict_of(theirs.value.get()), "protected");
}

TEST(CInterface, APageIsMade) {
  const Owned<lacuna_problem> problem = sizes_problem();
  const Called<lacuna_release> release = protect(problem.get());
  const Called<char> html = call<char>(lacuna_release_report,
                                       release.value.get(),
                                       static_cast<const char*>(nullptr),
                                       R"({"public": true})",
                                       static_cast<lacuna_run*>(nullptr));
  ASSERT_EQ(html.status, LACUNA_OK) << html.message();
  EXPECT_NE(std::string(html.value.get()).find("<html"), std::string::npos);
}

TEST(CInterface, WhatReadersCanInferIsToldOfPublishedTablesAlone) {
  const Called<lacuna_inputs> inputs = call<lacuna_inputs>(lacuna_inputs_new);
  const std::string csv =
      "area,size,value\nAll,All,100\nAll,a,40\nAll,b,60\nN,All,30\nN,a,x\nN,b,x\n"
      "S,All,70\nS,a,25\nS,b,x\n";
  lacuna_inputs_add_text(inputs.value.get(), "theirs.csv", csv.data(), csv.size(), nullptr);
  const char* const files[] = {"theirs.csv"};
  const auto infer = [&](std::size_t count, const char* options) {
    return call<lacuna_inference>(
        lacuna_infer, files, count, options, inputs.value.get(), static_cast<lacuna_run*>(nullptr));
  };
  const Called<lacuna_inference> made = infer(1, nullptr);
  ASSERT_EQ(made.status, LACUNA_OK) << made.message();
  std::int32_t too_narrow = -1;
  EXPECT_EQ(lacuna_inference_too_narrow(made.value.get(), &too_narrow, nullptr), LACUNA_OK);
  EXPECT_EQ(too_narrow, 1);
  const Called<char> report = call<char>(lacuna_inference_report, made.value.get());
  const auto told = nlohmann::json::parse(report.value.get());
  EXPECT_EQ(told.at("exact"), 3);
  EXPECT_EQ(told.at("cells").at(0).at("exact"), true);
  const Called<char> certificate = call<char>(lacuna_inference_certificate, made.value.get());
  EXPECT_EQ(nlohmann::json::parse(certificate.value.get()).at("format"), "lacuna-inference-1");
  const Called<char> page = call<char>(lacuna_inference_page, made.value.get());
  EXPECT_NE(std::string(page.value.get()).find("exactly known"), std::string::npos);

  EXPECT_EQ(infer(0, nullptr).status, LACUNA_MISUSE);
  EXPECT_EQ(infer(1, R"({"protection": "150%"})").status, LACUNA_BAD_OPTION);
  EXPECT_EQ(infer(1, R"({"certificate": "c.json"})").status, LACUNA_BAD_OPTION);
  EXPECT_EQ(lacuna_inference_too_narrow(made.value.get(), nullptr, nullptr), LACUNA_MISUSE);
}

// What counts is for the caller to say: here only the blanks that it names.
TEST(CInterface, InferenceHasTheOptionsOfTheCommandLine) {
  const Called<lacuna_inputs> inputs = call<lacuna_inputs>(lacuna_inputs_new);
  const std::string csv = "area,value\nAll,100\nN,x\nS,c\nW,40\n";
  lacuna_inputs_add_text(inputs.value.get(), "a.csv", csv.data(), csv.size(), nullptr);
  const char* const files[] = {"a.csv"};
  const auto narrow = [&](const char* options) {
    const auto made = call<lacuna_inference>(lacuna_infer,
                                             files,
                                             std::size_t{1},
                                             options,
                                             inputs.value.get(),
                                             static_cast<lacuna_run*>(nullptr));
    EXPECT_EQ(made.status, LACUNA_OK) << made.message();
    std::int32_t too_narrow = -1;
    lacuna_inference_too_narrow(made.value.get(), &too_narrow, nullptr);
    return too_narrow;
  };
  EXPECT_EQ(narrow(R"({"total": ["area=All"]})"), 0);
  EXPECT_EQ(narrow(R"({"total": ["area=All"], "protection": "60"})"), 1);
}

// Of what nothing was asked nothing leaves without a word.
TEST(CInterface, TheUnaskedNeedsTheWord) {
  const Owned<lacuna_problem> problem = sizes_problem("s");
  const Called<lacuna_release> release = protect(problem.get());
  ASSERT_EQ(release.status, LACUNA_OK) << release.message();
  EXPECT_EQ(verdict_of(release.value.get()), "unasked");
  ArrowArrayStream stream;
  EXPECT_EQ(lacuna_release_published(release.value.get(), -1, nullptr, &stream, nullptr),
            LACUNA_BAD_INPUT);
  EXPECT_EQ(stream.release, nullptr);
  EXPECT_EQ(published_csv(release.value.get()).status, LACUNA_BAD_INPUT);
  const testing::UniqueFolder folder;
  const std::string path = folder.file("unasked.csv");
  nlohmann::json files = {{"public", path}};
  EXPECT_EQ(lacuna_release_save(release.value.get(), files.dump().c_str(), nullptr),
            LACUNA_BAD_INPUT);
  EXPECT_FALSE(std::filesystem::exists(path));
  const char* word = R"({"unasked": "publish"})";
  ASSERT_EQ(lacuna_release_published(release.value.get(), -1, word, &stream, nullptr), LACUNA_OK);
  stream.release(&stream);
  EXPECT_EQ(published_csv(release.value.get(), word).status, LACUNA_OK);
  files["unasked"] = "publish";
  EXPECT_EQ(lacuna_release_save(release.value.get(), files.dump().c_str(), nullptr), LACUNA_OK);
  EXPECT_TRUE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace lacuna
