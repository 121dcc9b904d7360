// SPDX-License-Identifier: Apache-2.0
#include "app/report/verifier_part.h"

#include <utility>

#include "app/report/page_assets.h"
#include "core/base/check.h"
#include "core/base/json_writer.h"

namespace lacuna::report {
namespace {

// JSON inside a <script>, which only "<" can end. In JSON it stands in texts alone.
std::string in_script(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

std::string data_element(const std::string& id, std::string_view json) {
  return "<script id=\"" + id + "\" type=\"application/json\">" + in_script(json) + "</script>\n";
}

std::string section(const std::string& what, const std::string& tools) {
  return "<section id=\"verifier\"><h2>Check it in this browser</h2>\n<p>" + what +
         " It shares no line with the program that made the page, uses no network, and works out "
         "every verdict anew with whole numbers.</p>\n" +
         tools +
         "<p class=\"onscreen\"><button type=\"button\" id=\"verify\">Check</button></p>\n<p "
         "id=\"verified\" role=\"status\">This browser has not checked anything "
         "yet.</p>\n</section>\n";
}

std::string inserted(std::string page, const std::string& above, const std::string& below) {
  const std::size_t main_end = page.rfind("</main>");
  LACUNA_CHECK(main_end != std::string::npos);
  page.insert(main_end, above);
  const std::size_t body_end = page.rfind("</body>");
  LACUNA_CHECK(body_end != std::string::npos);
  page.insert(body_end, below + "<script>" + kVerifierScript + "</script>\n");
  return page;
}

}  // namespace

std::string with_verifier(std::string page, const OfficeProof& proof) {
  const std::string options = base::json_object([&](base::JsonWriter& json) {
    json.member("zeroLevels", std::string_view(proof.zero_levels_stated ? "stated" : "raised"));
  });
  return inserted(
      std::move(page),
      section("This page carries the table, the certificate of its release, and a small "
              "program that checks them.",
              ""),
      data_element("verifier-problem", proof.problem) +
          data_element("verifier-certificate", proof.certificate) +
          data_element("verifier-options", options));
}

std::string with_verifier(std::string page, std::string_view inference) {
  return inserted(
      std::move(page),
      section("This page carries the proof of every interval, made from published "
              "files alone, and a small program that checks it.",
              "<p class=\"onscreen\"><label>Published files, to compare their numbers as "
              "well: <input type=\"file\" id=\"published\" multiple></label></p>\n"),
      data_element("verifier-inference", inference));
}

}  // namespace lacuna::report
