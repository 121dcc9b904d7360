// SPDX-License-Identifier: Apache-2.0
#include "apps/serve/gate.h"

#include <gmock/gmock.h>

#include <set>

namespace lacuna::serve {
namespace {

const std::string kToken(64, 'a');

Request call(const std::string& path) {
  Request request;
  request.method = "GET";
  request.path = path;
  request.headers = {
      {"host", "127.0.0.1:8000"}, {"x-lacuna", "1"}, {"authorization", "Bearer " + kToken}};
  return request;
}

class GateTest : public testing::Test {
 protected:
  int status(const Request& request) const {
    const auto refusal = gate_.refusal(request);
    return refusal ? refusal->status : 200;
  }
  Gate gate_{{"127.0.0.1", "localhost", "[::1]"}, 8000, false, kToken};
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

TEST_F(GateTest, AsksForTheToken) {
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

TEST_F(GateTest, TradesTheTokenForACookie) {
  EXPECT_EQ(gate_.open_session("wrong").status, 401);
  EXPECT_EQ(gate_.open_session("").status, 401);
  const Response session = gate_.open_session(kToken);
  ASSERT_EQ(session.status, 204);
  ASSERT_EQ(session.headers.size(), 1U);
  const std::string cookie = session.headers[0].second;
  EXPECT_THAT(cookie, testing::HasSubstr("HttpOnly"));
  EXPECT_THAT(cookie, testing::HasSubstr("SameSite=Strict"));
  EXPECT_THAT(cookie, testing::Not(testing::HasSubstr(kToken)));
  Request request = call("/api/about");
  request.headers.erase("authorization");
  request.headers["cookie"] = "other=1; " + cookie.substr(0, cookie.find(';'));
  EXPECT_EQ(status(request), 200);
  request.headers["cookie"] = "lacuna_8000=" + kToken;  // the token is no cookie
  EXPECT_EQ(status(request), 401);
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
