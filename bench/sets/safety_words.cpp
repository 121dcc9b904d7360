// SPDX-License-Identifier: Apache-2.0
#include "bench/sets/safety_words.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>

#include "data/files/file.h"
#include "lacuna/tolerance.h"

namespace lacuna::bench {
namespace {

using Json = nlohmann::json;

// What people read of a page: its data and scripts are no sentences.
std::string without_scripts(const std::string& page) {
  return page.substr(0, page.find("<script"));
}

template <class Job>
std::string text_of(const Job& job, const RunContext& run) {
  const auto output = run_job(job, run);
  return output ? output->text + output->message : output.error().text();
}

const std::regex& safe_claims() {
  static const std::regex all(
      "\u2713|Safe, and checked|Confidentiality checked|Every requirement|enough remains open|"
      "card protected|\"verdict\":\"protected\",\"(table|requirements|note)\"|^protected:",
      std::regex::ECMAScript | std::regex::optimize);
  return all;
}

std::string found_in(const std::string& text, const std::regex& pattern) {
  std::smatch found;
  return std::regex_search(text, found, pattern) ? found.str() : "";
}

// The number behind a phrase, of "1,234%" and "12 (38.5%)"; none: it is not said, or in words.
std::optional<double> number_in(const std::string& text, const std::regex& phrase) {
  std::smatch found;
  if (!std::regex_search(text, found, phrase))
    return std::nullopt;
  std::string digits = found[1];
  std::erase(digits, ',');
  return std::stod(digits);
}

// Figures that say less than the plain linear program surely finds.
void compare_figures(const SaidText& said, const PlainFacts& facts, std::vector<std::string>& out) {
  static const std::regex kGuesses[] = {
      std::regex("best guess equal to the truth</dt><dd>([0-9,]+) "),
      std::regex("best guess is within [^\n]* and equal to it for ([0-9]+)"),
      std::regex("\"guess_exact\":([0-9]+)[^}]*\"guess_state\":\"computed\"")};
  static const std::regex kDeviation("largest deviation[^\n]*</dt><dd>([0-9.,]+)%");
  constexpr double kRounded = 0.99, kLeast = 0.1;  // percentages are printed with few digits
  for (const std::regex& phrase : kGuesses) {
    if (const auto number = number_in(said.text, phrase);
        number && *number < static_cast<double>(facts.told))
      out.push_back(fmt::format("{}: {} exact guesses, and the plain linear program finds {}",
                                said.who,
                                *number,
                                facts.told));
  }
  if (const auto percent = number_in(said.text, kDeviation);
      percent && *percent < kRounded * facts.largest_percent - kLeast)
    out.push_back(
        fmt::format("{}: a largest deviation of {}%, and the plain linear program finds {}",
                    said.who,
                    *percent,
                    facts.largest_percent));
}

}  // namespace

PlainFacts facts_of(const PlainJudgement& plain, const Draft& draft) {
  PlainFacts facts;
  facts.asked = !plain.complete || plain.word != PlainWord::kUnasked;
  facts.exposed = plain.word == PlainWord::kExposed;
  for (const PlainFinding& each : plain.findings) {
    const bool middle = draft.state(CellId{each.cell}) == StatementKind::kWithheld &&
                        each.attacker == 0 && each.has_ends && std::isfinite(each.low) &&
                        std::isfinite(each.high);
    if (!middle)
      continue;
    const double off = std::abs(each.high - each.low) / 2;
    facts.told += off < tol::kDual ? 1 : 0;
    if (each.value != 0)
      facts.largest_percent = std::max(facts.largest_percent, 100 * off / std::abs(each.value));
  }
  return facts;
}

std::vector<std::string> contradictions(const SaidText& said, const PlainFacts& facts) {
  std::vector<std::string> out;
  const std::string safe = found_in(said.text, safe_claims());
  if (!safe.empty() && !facts.asked)
    out.push_back(fmt::format("{}: '{}', and nothing was asked", said.who, safe));
  if (!safe.empty() && facts.exposed)
    out.push_back(
        fmt::format("{}: '{}', and the plain linear program says exposed", said.who, safe));
  compare_figures(said, facts, out);
  return out;
}

std::vector<SaidText> said_of_release(const ReadRelease& read, const RunContext& run) {
  std::vector<SaidText> said;
  for (const bool ends : {true, false}) {
    const std::string how = ends ? "" : ", verdicts only";
    for (const bool json : {false, true}) {
      job::AuditJob audit;
      audit.input = read.table;
      audit.pattern = read.release;
      audit.asked = read.asked;
      audit.verdicts_only = !ends;
      audit.json = json;
      said.push_back({(json ? "audit --json" : "audit") + how, text_of(audit, run)});
    }
    for (const bool open : {false, true}) {
      job::ReportJob report;
      report.input = read.table;
      report.result = read.release;
      report.asked = read.asked;
      report.unasked = job::UnaskedRule::kPublish;
      report.output = read.folder + "/page.html";
      report.public_view = open;
      report.verdicts_only = !ends;
      report.json = open;
      std::error_code ignored;
      std::filesystem::remove(report.output, ignored);
      const std::string who = open ? "public report" : "report";
      said.push_back({who + how, text_of(report, run)});
      if (const auto page = files::read_file(report.output))
        said.push_back({who + " page" + how, without_scripts(*page)});
    }
  }
  return said;
}

namespace {

// The same table, as someone has it who never said which cells are sensitive.
// Of cells that the table withholds itself the audit asks that they are not exactly computable.
Json asking_nothing(Json table) {
  for (Json& cell : table["cells"]) {
    const std::string status = cell.value("status", "");
    if (status == "primary" || status == "withheld")
      cell.erase("status");
  }
  table.erase("requirements");
  table.erase("attackers");
  return table;
}

class UnaskedTest {
 public:
  UnaskedTest(const std::string& folder, base::Random& random, const RunContext& run)
      : folder_(folder), random_(random), run_(run) {}

  WordsTest test(const std::string& table) {
    const auto text = files::read_file(table);
    const Json given = text ? Json::parse(*text, nullptr, false) : Json();
    if (!given.is_object() || !write("unasked.json", asking_nothing(given).dump()))
      trouble("the table cannot be written without what it asks");
    else
      test_all(given, table);
    return std::move(test_);
  }

 private:
  void trouble(std::string text) { test_.troubles.push_back(std::move(text)); }
  std::string file(const char* name) const { return folder_ + "/" + name; }
  bool write(const char* name, const std::string& text) const {
    return files::write_file_atomically(file(name), text).has_value();
  }

  void read(const ReadRelease& release, const PlainFacts& facts) {
    for (const SaidText& said : said_of_release(release, run_)) {
      ++test_.texts;
      for (std::string& text : contradictions(said, facts))
        trouble(std::move(text));
    }
  }

  void test_all(const Json& given, const std::string& table) {
    protect_unasked();
    const std::vector<std::int32_t> withheld = some_cells(given);
    if (withheld.empty())
      return;
    std::string lines;
    Json release = Json::array();
    for (const std::int32_t cell : withheld) {
      lines += std::to_string(cell) + "\n";
      release.push_back({{"cell", cell}, {"state", "withheld"}});
    }
    if (!write("elsewhere.txt", lines) ||
        !write("elsewhere.json", Json{{"release", release}}.dump()))
      return trouble("a release cannot be written");
    read_elsewhere(asking_nothing(given), withheld);
    read_waived(table);
  }

  // No public file unless someone says so, and nobody is told that it is safe.
  void protect_unasked() {
    job::ProtectJob job;
    job.input = file("unasked.json");
    job.outputs = {file("unasked.result.json")};
    job.public_files = {file("unasked.public.csv")};
    job.json = random_.chance(1, 2);
    job.unasked = random_.chance(1, 2) ? job::UnaskedRule::kPublish : job::UnaskedRule::kRefuse;
    const auto output = job::run_job(job, run_);
    if (!output)
      return trouble("a table of which nothing is asked is refused: " + output.error().text());
    ++test_.unasked;
    ++test_.texts;
    for (std::string& text : contradictions({"protect", output->text}, {}))
      trouble(std::move(text));
    if (output->text.find("unasked") == std::string::npos ||
        output->code != job::ExitCode::kUnasked)
      trouble("protect does not say that nothing was asked: " + output->text);
    const bool shown = std::filesystem::exists(job.public_files.front());
    if (shown != (job.unasked == job::UnaskedRule::kPublish))
      trouble(shown ? "a table of which nothing was asked is published unasked"
                    : "a table is not published although it was to be");
    read({job.input, job.outputs.front(), folder_}, {});
  }

  std::vector<std::int32_t> some_cells(const Json& given) {
    std::vector<std::int32_t> cells;
    std::int32_t number = 0;
    for (const Json& cell : given["cells"]) {
      const std::string status = cell.value("status", "free");
      const bool point =
          cell.contains("lower") && cell.value("lower", Json()) == cell.value("upper", Json());
      if ((status == "free" || status == "primary") && !point && random_.chance(1, 4))
        cells.push_back(number);
      ++number;
    }
    return cells;
  }

  // Whoever withholds a cell has a reason: it must not be computable, which the plain program says
  // of a table that marks these cells.
  void read_elsewhere(Json table, const std::vector<std::int32_t>& withheld) {
    for (const std::int32_t cell : withheld)
      table["cells"][static_cast<std::size_t>(cell)]["status"] = "primary";
    if (!write("plainly.json", table.dump()))
      return trouble("a table cannot be written");
    const auto plain = judge_plainly(file("plainly.json"), file("elsewhere.json"), {}, run_);
    if (!plain)
      return trouble("the plain linear program cannot read a release: " + plain.error().text());
    ++test_.elsewhere;
    const PlainFacts facts = facts_of(*plain, {});
    test_.exposed += facts.exposed ? 1 : 0;
    read({file("unasked.json"), file("elsewhere.txt"), folder_}, facts);
  }

  // The table as it asks, with whatever is exposed waived.
  void read_waived(const std::string& table) {
    const auto plain = judge_plainly(table, file("elsewhere.json"), {}, run_);
    if (!plain || plain->word != PlainWord::kExposed)
      return;
    ++test_.waived;
    ReadRelease release{table, file("elsewhere.txt"), folder_};
    release.asked.waiver = Waiver::kExposed;
    read(release, facts_of(*plain, {}));
  }

  const std::string& folder_;
  base::Random& random_;
  const RunContext& run_;
  WordsTest test_;
};

}  // namespace

WordsTest test_unasked(const std::string& table,
                       const std::string& folder,
                       base::Random& random,
                       const RunContext& run) {
  return UnaskedTest(folder, random, run).test(table);
}

}  // namespace lacuna::bench
