// SPDX-License-Identifier: Apache-2.0
// The interface without a network: what calls answer, several callers at once, and calls that no
// page would send.
#include "apps/serve/api.h"

#include <gmock/gmock.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "core/base/random.h"
#include "data/files/temporary_folder.h"

namespace lacuna::serve {
namespace {

class ApiTest : public ::testing::Test {
 protected:
  void SetUp() override {
    files_ = std::move(Files::open(folder_.file(""))).value();
    api_ = std::make_unique<Api>(*files_, gate_, ApiOptions{});
  }

  Response call(const std::string& method, const std::string& path, const std::string& body = "") {
    Request request;
    request.method = method;
    const std::size_t mark = std::min(path.find('?'), path.size());
    request.path = path.substr(0, mark);
    if (mark < path.size()) {  // one parameter will do
      const std::size_t equals = path.find('=', mark);
      request.query[path.substr(mark + 1, equals - mark - 1)] = path.substr(equals + 1);
    }
    request.headers = {
        {"host", "localhost:1"}, {"x-lacuna", "1"}, {"authorization", "Bearer " + token_}};
    request.body = body;
    const auto begun = api_->begin(request);
    if (const auto* refusal = std::get_if<Response>(&begun))
      return *refusal;
    return body.size() > std::get<std::uint64_t>(begun) ? Response{413} : api_->answer(request);
  }
  Json json(const std::string& method, const std::string& path, const std::string& body = "") {
    return Json::parse(call(method, path, body).body, nullptr, false);
  }
  Json finished(const std::string& run) {
    const std::string path = "/api/runs/" + run;
    for (;;) {
      const Json now = json("GET", path);
      const std::string state = now.value("state", "gone");
      if (state != "queued" && state != "running" && state != "stopping")
        return now;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

  files::TemporaryFolder folder_{"serve_api"};
  std::string token_ = std::string(64, 'a');
  std::unique_ptr<Files> files_;
  Gate gate_{{"localhost"}, 1, false, token_};
  std::unique_ptr<Api> api_;
};

TEST_F(ApiTest, OpensChangesProtectsAndExports) {
  const Json opened = json("POST", "/api/documents", R"({"file":"example:sales.toml"})");
  ASSERT_EQ(opened["sensitive"], 3);
  EXPECT_EQ(
      json("POST", "/api/documents/1/changes", R"({"cells":[3],"status":"unsafe"})")["sensitive"],
      4);
  EXPECT_EQ(json("POST", "/api/documents/1/undo")["sensitive"], 3);
  EXPECT_EQ(json("POST", "/api/documents/1/redo")["sensitive"], 4);
  const Json run = json(
      "POST", "/api/documents/1/runs", R"({"command":"protect","options":{"method":"suppress"}})");
  EXPECT_EQ(run["command_line"],
            "lacuna protect sales.toml --method suppress --apriori sales-changes.csv");
  const Json done = finished("1");
  EXPECT_EQ(done["state"], "done");
  EXPECT_EQ(done["verdict"], "protected");
  const Response shown = call("GET", "/api/runs/1/export?what=public");
  EXPECT_EQ(shown.status, 200);
  EXPECT_THAT(shown.body, ::testing::HasSubstr("withheld"));
  EXPECT_THAT(call("GET", "/api/documents/1/apriori").body, ::testing::HasSubstr("Total,South,U"));
}

TEST_F(ApiTest, TellsWhereAMistakeIs) {
  const Response wrong = call(
      "POST", "/api/documents", R"({"file":"example:sales.toml","job":"[input]\ntable = 3\n"})");
  EXPECT_EQ(wrong.status, 422);
  const Json told = Json::parse(wrong.body);
  EXPECT_EQ(told["error"]["line"], 2);
  EXPECT_EQ(told["draft"]["job"]["text"], "[input]\ntable = 3\n");
  EXPECT_EQ(told["draft"]["job"]["spec"]["input"]["table"], 3);
  EXPECT_EQ(call("POST", "/api/documents/1/runs", "{}").status, 404);
}

// The text is read into a value, and a value is written into a text; comments stay.
TEST_F(ApiTest, JobsAsTextAndAsValue) {
  const std::string text =
      "[input]\ntable = \"t.csv\"  # ours\n\n[[rule]]\ntype = \"frequency\"\nn = 3\n";
  Json told = json("POST", "/api/jobs", Json{{"text", text}}.dump());
  EXPECT_EQ(told["spec"]["rule"][0]["n"], 3);
  EXPECT_EQ(told["lines"]["rule[0].n"], 6);
  EXPECT_FALSE(told.contains("error"));
  told["spec"]["rule"][0]["n"] = 8;
  told["spec"]["rule"][0]["m"] = 1;
  const Json asked{{"text", text}, {"spec", told["spec"]}};
  const Json edited = json("POST", "/api/jobs", asked.dump());
  EXPECT_EQ(edited["text"],
            "[input]\ntable = \"t.csv\"  # ours\n\n[[rule]]\ntype = \"frequency\"\nn = 8\nm = 1\n");
  EXPECT_EQ(edited["error"]["line"], 7) << "the key is not known, and the text stands all the same";
  EXPECT_TRUE(edited["lost"].empty());
  const Json broken = json("POST", "/api/jobs", R"({"text":"[input]\nx = \n"})");
  EXPECT_TRUE(broken["spec"].is_null());
  EXPECT_EQ(broken["error"]["line"], 2);
  EXPECT_EQ(call("POST", "/api/jobs", R"({"spec":{}})").status, 400);
  EXPECT_EQ(call("POST", "/api/jobs", R"({"text":"","spec":[]})").status, 400);
  EXPECT_EQ(call("POST", "/api/jobs", R"({"text":"","spec":{"input":null}})").status, 422);
}

// A value opens a table as its text does; no file is made for it.
TEST_F(ApiTest, OpensAJobThatIsAValue) {
  const Json first = json("POST", "/api/documents", R"({"file":"example:sales.toml"})");
  Json spec = first["job"]["spec"];
  spec["rule"] = Json::array({Json{{"type", "frequency"}, {"n", 8}}});
  const Json asked{{"file", "example:sales.toml"}, {"job", spec}};
  const Json opened = json("POST", "/api/documents", asked.dump());
  EXPECT_EQ(opened["cells"], first["cells"]);
  EXPECT_GT(opened["sensitive"], first["sensitive"]);
  EXPECT_THAT(opened["job"]["text"], ::testing::HasSubstr("type = \"frequency\"\nn = 8\n"));
  for (const auto& each : std::filesystem::recursive_directory_iterator(files_->own())) {
    EXPECT_FALSE(each.is_symlink()) << each.path();
    EXPECT_THAT(each.path().filename().string(), ::testing::Not(::testing::HasSubstr("edited")));
  }
  EXPECT_EQ(call("POST", "/api/documents", R"({"file":"example:sales.toml","job":7})").status, 400);
}

// A file of records has no sums; the form begins with a job over them.
TEST_F(ApiTest, DraftsAJobForRecords) {
  const Response refused = call("POST", "/api/documents", R"({"file":"example:business.csv"})");
  EXPECT_EQ(refused.status, 422);
  const std::string draft = Json::parse(refused.body)["draft"]["job"]["text"];
  EXPECT_THAT(draft, ::testing::HasSubstr("records = \"business.csv\""));
  EXPECT_THAT(draft, ::testing::HasSubstr("value = \"turnover\""));
  EXPECT_THAT(draft, ::testing::HasSubstr("separator = \",\"\ndecimals = 1\n"));
  std::string job = draft;  // firms are respondents; their groups are left out
  job.erase(job.find("\n[[dimension]]\nname = \"firm\""),
            job.find("\n[[dimension]]\nname = \"activity\"") -
                job.find("\n[[dimension]]\nname = \"firm\""));
  job.insert(job.find("value ="), "respondent = \"firm\"\n");
  const Json asked{{"file", "example:business.csv"}, {"job", job}};
  const Response opened = call("POST", "/api/documents", asked.dump());
  EXPECT_EQ(opened.status, 201) << opened.body;
}

// Each on top of the others, none lost.
TEST_F(ApiTest, TakesChangesOfSeveralCallers) {
  json("POST", "/api/documents", R"({"file":"example:sales.toml"})");
  std::vector<std::thread> callers;
  std::atomic<int> taken{0};
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&, caller] {
      for (int i = 0; i < 5; ++i) {
        const std::string cell = std::to_string(caller * 5 + i);
        const Response response =
            call("POST", "/api/documents/1/changes", R"({"cost":"2","cells":[)" + cell + "]}");
        taken += response.status == 200 ? 1 : 0;
        EXPECT_THAT(response.status, ::testing::AnyOf(200, 409));
      }
    });
  }
  for (std::thread& caller : callers)
    caller.join();
  EXPECT_GT(taken, 0);
  EXPECT_EQ(json("GET", "/api/documents/1")["changes"].size(), static_cast<std::size_t>(taken));
}

TEST_F(ApiTest, RunsEndWithTheirDocument) {
  json("POST", "/api/documents", R"({"file":"example:business.toml"})");
  for (int i = 0; i < 5; ++i)
    json("POST", "/api/documents/1/runs", R"({"command":"protect","options":{}})");
  EXPECT_EQ(call("DELETE", "/api/documents/1").status, 204);
  EXPECT_EQ(json("GET", "/api/runs").size(), 0U);
  EXPECT_EQ(call("GET", "/api/runs/1").status, 404);
}

// Whatever is sent, there is an answer, and the server goes on.
TEST_F(ApiTest, SurvivesWhatNoPageWouldSend) {
  json("POST", "/api/documents", R"({"file":"example:sales.toml"})");
  const std::vector<std::string> parts{"api",
                                       "documents",
                                       "runs",
                                       "1",
                                       "-1",
                                       "99999999999999999999",
                                       "cells",
                                       "changes",
                                       "export",
                                       "..",
                                       "",
                                       "page",
                                       "files",
                                       "events",
                                       "options",
                                       "protect",
                                       "collapse",
                                       "compare",
                                       "{}"};
  const std::vector<std::string> bodies{"",
                                        "{",
                                        "[]",
                                        "null",
                                        "{}",
                                        R"({"file":7})",
                                        R"({"cells":[-1],"status":"unsafe"})",
                                        R"({"cells":[0],"lower":"1e999"})",
                                        R"({"cells":[0],"cost":"-1"})",
                                        R"({"cells":"x"})",
                                        R"({"command":"protect","options":[]})",
                                        R"({"command":"protect","options":{"gap":"x"}})",
                                        R"({"command":"protect","options":{"output":"x.csv"}})",
                                        R"({"command":["protect"]})",
                                        R"({"what":"public","file":"../x.csv"})",
                                        R"({"dimension":{},"code":[]})",
                                        std::string(2000, '['),
                                        "\xff\xfe",
                                        R"({"token":7})"};
  base::Random random(11);
  for (int trial = 0; trial < 4000; ++trial) {
    std::string path = "/api";
    for (std::int64_t i = random.between(0, 5); i > 0; --i)
      path += "/" + parts[static_cast<std::size_t>(
                        random.between(0, static_cast<std::int64_t>(parts.size()) - 1))];
    const std::string& body = bodies[static_cast<std::size_t>(
        random.between(0, static_cast<std::int64_t>(bodies.size()) - 1))];
    const char* method = random.between(0, 1) == 1 ? "POST" : "GET";
    const Response response = call(method, path, body);
    EXPECT_THAT(response.status, ::testing::AllOf(::testing::Ge(200), ::testing::Lt(500)))
        << path << body;
  }
  EXPECT_EQ(json("GET", "/api/documents/1")["id"], 1);
}

}  // namespace
}  // namespace lacuna::serve
