// SPDX-License-Identifier: Apache-2.0
#include "app/report/verifier_part.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace lacuna {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kPage = "<html><body><main><p>a</p></main></body></html>\n";

TEST(VerifierPart, TextsOfATableCannotEndTheirElement) {
  const std::string page = report::with_verifier(
      kPage, {R"({"codes":["</script><script>alert(1)</script>"]})", R"({"format":"c"})", true});
  EXPECT_THAT(page, Not(HasSubstr("alert(1)</script>\"")));
  EXPECT_THAT(page, HasSubstr(R"(["\u003c/script>\u003cscript>alert(1)\u003c/script>"])"));
  EXPECT_THAT(page, HasSubstr(R"({"format":"c"})"));
  EXPECT_THAT(page, HasSubstr(R"({"zeroLevels":"stated"})"));
}

TEST(VerifierPart, TheSectionIsInsideThePageAndTheModulesAtItsEnd) {
  const std::string page = report::with_verifier(kPage, {"{}", "{}", false});
  EXPECT_LT(page.find("<p>a</p>"), page.find("<section id=\"verifier\">"));
  EXPECT_LT(page.find("<section id=\"verifier\">"), page.find("</main>"));
  EXPECT_LT(page.find("</main>"), page.find("id=\"verifier-problem\""));
  EXPECT_LT(page.find("id=\"verifier-problem\""), page.find("</body>"));
  EXPECT_THAT(page, HasSubstr(R"({"zeroLevels":"raised"})"));
  EXPECT_THAT(page, HasSubstr("function parseExact("));
  EXPECT_THAT(page, Not(HasSubstr("\nimport ")));
  EXPECT_THAT(page, Not(HasSubstr("\nexport ")));
}

TEST(VerifierPart, ThePageForEverybodyHasNothingOfTheOffice) {
  const std::string page = report::with_verifier(kPage, R"({"format":"i"})");
  EXPECT_THAT(
      page, HasSubstr(R"(<script id="verifier-inference" type="application/json">{"format":"i"})"));
  EXPECT_THAT(page, HasSubstr("id=\"published\""));
  EXPECT_THAT(page, Not(HasSubstr("<script id=\"verifier-problem\"")));
  EXPECT_THAT(page, Not(HasSubstr("<script id=\"verifier-certificate\"")));
}

}  // namespace
}  // namespace lacuna
