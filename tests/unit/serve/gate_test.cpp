// SPDX-License-Identifier: Apache-2.0
#include "apps/serve/gate.h"

#include <gmock/gmock.h>

#include <set>
#include <vector>

namespace lacuna::serve {
namespace {

const std::string kSession(64, 'a');

Request call(const std::string& path) {
  Request request;
  request.method = "GET";
  request.path = path;
  request.headers = {
      {"host", "127.0.0.1:8000"}, {"x-lacuna", "1"}, {"authorization", "Bearer " + kSession}};
  return request;
}

class GateTest : public ::testing::Test {
 protected:
  int status(const Request& request) const {
    const auto refusal = gate_.refusal(request);
    return refusal ? refusal->status : 200;
  }
  Gate gate_{{"127.0.0.1", "localhost", "[::1]"}, 8000, false, kSession};
};

TEST_F(GateTest, LetsTheOwnerIn) {
  EXPECT_EQ(status(call("/api/about")), 200);
  Request local = call("/api/about");
  local.headers["host"] = "localhost:8000";
  local.headers["origin"] = "http://localhost:8000";
  local.headers["sec-fetch-site"] = "same-origin";
  EXPECT_EQ(status(local), 200);
}

TEST_F(GateTest, KnowsItsNamesAndPort) {
  for (const char* host : {"evil.example:8000",
                           "127.0.0.1",
                           "127.0.0.1:8001",
                           "",
                           "127.0.0.1:8000.evil.example",
                           "evil.example"}) {
    Request request = call("/api/about");
    request.headers["host"] = host;
    EXPECT_EQ(status(request), 403) << host;
    request.path = "/";
    EXPECT_EQ(status(request), 403) << host;
  }
}

TEST_F(GateTest, RefusesForeignPages) {
  for (const char* origin : {"http://evil.example",
                             "https://127.0.0.1:8000",
                             "null",
                             "http://127.0.0.1:8000.evil.example"}) {
    Request request = call("/api/about");
    request.headers["origin"] = origin;
    EXPECT_EQ(status(request), 403) << origin;
  }
  for (const char* site : {"cross-site", "same-site"}) {
    Request request = call("/api/about");
    request.headers["sec-fetch-site"] = site;
    EXPECT_EQ(status(request), 403) << site;
  }
  Request simple = call("/api/about");
  simple.headers.erase("x-lacuna");
  EXPECT_EQ(status(simple), 403);
}

TEST_F(GateTest, AsksForTheSession) {
  for (const char* bearer : {"", "Bearer ", "Bearer b", "Basic x"}) {
    Request request = call("/api/about");
    request.headers["authorization"] = bearer;
    EXPECT_EQ(status(request), 401) << bearer;
  }
  Request longer = call("/api/about");
  longer.headers["authorization"] += "a";
  EXPECT_EQ(status(longer), 401);
  Request page = call("/app.js");  // the page itself has no secret
  page.headers = {{"host", "127.0.0.1:8000"}};
  EXPECT_EQ(status(page), 200);
}

TEST_F(GateTest, TradesATokenForTheSessionOnce) {
  const auto token_of = [](const std::string& link) { return link.substr(link.find('#') + 1); };
  EXPECT_EQ(gate_.open_session("wrong").status, 401);
  EXPECT_EQ(gate_.open_session("").status, 401);
  EXPECT_EQ(gate_.open_session(kSession).status, 401);  // the session is no token
  const std::string link = gate_.new_link().value();
  EXPECT_TRUE(link.starts_with("http://127.0.0.1:8000/#")) << link;
  const Response session = gate_.open_session(token_of(link));
  ASSERT_EQ(session.status, 200);
  EXPECT_TRUE(session.headers.empty()) << "no cookie";
  EXPECT_EQ(session.body, "{\"session\":\"" + kSession + "\"}");
  EXPECT_EQ(gate_.open_session(token_of(link)).status, 401);
  Request request = call("/api/about");
  request.headers["authorization"] = "Bearer " + token_of(gate_.new_link().value());
  EXPECT_EQ(status(request), 401);  // a token is no session
  request.headers.erase("authorization");
  request.headers["cookie"] = "lacuna_8000=" + kSession;
  EXPECT_EQ(status(request), 401);
}

TEST_F(GateTest, KeepsTheLatestLinks) {
  std::vector<std::string> tokens;
  for (int i = 0; i < 20; ++i) {
    const std::string link = gate_.new_link().value();
    tokens.push_back(link.substr(link.find('#') + 1));
  }
  EXPECT_EQ(gate_.open_session(tokens.front()).status, 401);
  EXPECT_EQ(gate_.open_session(tokens.back()).status, 200);
}

TEST_F(GateTest, TellsWhoeverComesThroughATunnel) {
  Request request = call("/");
  for (const char* host : {"127.0.0.1:9000", "localhost:9000", "[::1]:9000", "127.0.0.1"}) {
    request.headers["host"] = host;
    const auto refusal = gate_.refusal(request);
    ASSERT_TRUE(refusal);
    EXPECT_EQ(refusal->status, 403);
    EXPECT_THAT(refusal->type, ::testing::StartsWith("text/html"));
    EXPECT_THAT(refusal->body, ::testing::HasSubstr("ssh -L 8000:127.0.0.1:8000"));
  }
  request.headers["host"] = "evil.example:9000";
  EXPECT_THAT(gate_.refusal(request)->body, ::testing::Not(::testing::HasSubstr("8000")));
}

TEST(RandomToken, IsNeverTheSame) {
  std::set<std::string> seen;
  for (int i = 0; i < 20; ++i) {
    const auto token = random_token();
    ASSERT_TRUE(token);
    EXPECT_EQ(token->size(), 64U);
    EXPECT_TRUE(seen.insert(*token).second);
  }
}

TEST(SameSecret, ComparesAll) {
  EXPECT_TRUE(same_secret("abc", "abc"));
  EXPECT_FALSE(same_secret("abd", "abc"));
  EXPECT_FALSE(same_secret("ab", "abc"));
  EXPECT_FALSE(same_secret("abcd", "abc"));
  EXPECT_FALSE(same_secret("", ""));
}

TEST(UrlDecoded, RefusesWhatIsMalformed) {
  EXPECT_EQ(url_decoded("a%20b+c"), "a b c");
  EXPECT_EQ(url_decoded("%2e%2E/"), "../");
  EXPECT_FALSE(url_decoded("%2"));
  EXPECT_FALSE(url_decoded("%zz"));
  EXPECT_FALSE(url_decoded("a%00b"));
}

}  // namespace
}  // namespace lacuna::serve
