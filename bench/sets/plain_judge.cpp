// SPDX-License-Identifier: Apache-2.0
#include "bench/sets/plain_judge.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/base/decimal.h"
#include "core/base/random.h"
#include "data/files/file.h"
#include "lacuna/lp.h"

namespace lacuna::bench {
namespace {

using Json = nlohmann::json;

struct Range {
  double lower = -kLpInfinity, upper = kLpInfinity;
  bool is_point() const { return lower == upper; }
  Range meet(const Range& other) const {
    return {std::max(lower, other.lower), std::min(upper, other.upper)};
  }
};

struct Equation {
  double rhs = 0;
  std::vector<std::int32_t> cells;
  std::vector<double> coefficients;
};

struct Levels {
  std::int32_t cell = 0, attacker = 0;
  double lower = 0, upper = 0, sliding = 0;
};

struct PlainTable {  // all numbers in whole units
  int decimals = 0;
  std::vector<double> values;
  std::vector<Range> priors;
  std::vector<Equation> equations;
  std::vector<std::map<std::int32_t, Range>> known;  // by attacker
  std::vector<Levels> levels;
  std::map<std::string, std::size_t> by_codes;  // the codes of a cell, each ended by a line break

  Range of(std::int32_t cell, std::int32_t attacker) const {
    const auto& own = known[static_cast<std::size_t>(attacker)];
    const auto found = own.find(cell);
    const Range& prior = priors[static_cast<std::size_t>(cell)];
    return found == own.end() ? prior : prior.meet(found->second);
  }
};

struct Shown {  // of one cell
  std::string state = "published";
  std::map<std::string, double> numbers;  // in units
};

struct PlainRelease {
  bool adjusted = false;
  int decimals = 0;
  std::vector<Shown> cells;
};

Error broken(const std::string& message, const std::string& path) {
  return {ErrorCode::kDamaged, message, path};
}

Result<Json> read_json(const std::string& path) {
  LACUNA_TRY(const std::string text, files::read_file(path));
  Json json = Json::parse(text, nullptr, false);
  if (!json.is_object())
    return broken("this is not JSON object", path);
  return json;
}

double number_or(const Json& object, const char* name, double otherwise) {
  const auto found = object.find(name);
  return found == object.end() || !found->is_number() ? otherwise : found->get<double>();
}

Range range_of(const Json& object) {
  return {number_or(object, "lower", -kLpInfinity), number_or(object, "upper", kLpInfinity)};
}

template <class T>
std::vector<T> list_of(const Json& object, const char* name) {
  std::vector<T> list;
  for (const Json& item : object.value(name, Json::array()))
    list.push_back(item.get<T>());
  return list;
}

// Levels as they are asked for: a sensitive cell without any must not be exactly computable.
void settle_levels(PlainTable& table, const PlainOptions& options) {
  for (Levels& need : table.levels) {
    if (options.minimal)
      need.lower = need.upper = need.sliding = 0;
    const bool zero = need.lower == 0 && need.upper == 0 && need.sliding == 0;
    const bool raised = options.minimal || !options.zeros_meant;
    if (zero && raised && !table.of(need.cell, need.attacker).is_point())
      need.sliding = 1;
  }
}

// The codes of a cell as one text; its number where the table has none.
std::string codes_text(const Json& problem, const Json& cell, std::size_t number) {
  std::string text;
  std::size_t dimension = 0;
  for (const Json& code : cell.value("codes", Json::array())) {
    const Json& names = problem["dimensions"][dimension++]["codes"];
    text += names[code.get<std::size_t>()].get<std::string>() + "\n";
  }
  return text.empty() ? std::to_string(number) + "\n" : text;
}

PlainTable table_of(const Json& json, const PlainOptions& options) {
  PlainTable table;
  table.decimals = json.value("decimals", 0);
  std::vector<bool> unasked;
  for (const Json& cell : json.value("cells", Json::array())) {
    const double value = number_or(cell, "value", 0);
    const std::string status = cell.value("status", "free");
    table.by_codes.emplace(codes_text(json, cell, table.values.size()), table.values.size());
    table.values.push_back(value);
    table.priors.push_back(status == "known" ? Range{value, value} : range_of(cell));
    unasked.push_back(status == "primary");
  }
  for (const Json& row : json.value("equations", Json::array())) {
    table.equations.push_back({number_or(row, "rhs", 0),
                               list_of<std::int32_t>(row, "cells"),
                               list_of<double>(row, "coefficients")});
  }
  for (const Json& attacker : json.value("attackers", Json::array({Json::object()}))) {
    auto& known = table.known.emplace_back();
    for (const Json& item : attacker.value("known", Json::array()))
      known[item.value("cell", 0)] = range_of(item);
  }
  for (const Json& need : json.value("requirements", Json::array())) {
    table.levels.push_back({need.value("cell", 0),
                            need.value("attacker", 0),
                            number_or(need, "lower", 0),
                            number_or(need, "upper", 0),
                            number_or(need, "sliding", 0)});
    unasked[static_cast<std::size_t>(table.levels.back().cell)] = false;
  }
  for (std::size_t c = 0; c < unasked.size(); ++c) {
    if (unasked[c])
      table.levels.push_back({static_cast<std::int32_t>(c), 0});
  }
  settle_levels(table, options);
  return table;
}

constexpr std::array<const char*, 5> kNumbers{"value", "lower", "upper", "base", "steps"};

double unit_factor(int decimals) {
  constexpr double kTen = 10;
  return std::round(std::pow(kTen, decimals));
}

void take_number(Shown& cell, const char* name, double number, int decimals) {
  const bool counts = std::string_view(name) == "steps";
  cell.numbers[name] = std::round(counts ? number : number * unit_factor(decimals));
}

Shown shown_of(const Json& entry, int decimals) {
  Shown cell;
  cell.state = entry.value("state", "");
  for (const char* name : kNumbers) {
    if (const auto found = entry.find(name); found != entry.end() && found->is_number())
      take_number(cell, name, found->get<double>(), decimals);
  }
  return cell;
}

// Puts what is said of cells, which a public file names by their codes in any order, into the order
// of the table. Errors: a cell that is not there, twice, or not at all.
class PublicCells {
 public:
  PublicCells(const PlainTable& table, const std::string& path)
      : table_(table), path_(path), cells_(table.values.size()), named_(table.values.size()) {}

  Status put(const std::string& codes, Shown said) {
    const auto found = table_.by_codes.find(codes);
    if (found == table_.by_codes.end())
      return broken("the release names a cell that is not there", path_);
    if (named_[found->second])
      return broken("the release names a cell twice", path_);
    named_[found->second] = true;
    cells_[found->second] = std::move(said);
    return ok_status();
  }

  Result<std::vector<Shown>> all() && {
    if (std::find(named_.begin(), named_.end(), false) != named_.end())
      return broken("the release leaves out a cell", path_);
    return std::move(cells_);
  }

 private:
  const PlainTable& table_;
  const std::string& path_;
  std::vector<Shown> cells_;
  std::vector<bool> named_;
};

Result<PlainRelease> release_of_json(const std::string& path, const PlainTable& table) {
  LACUNA_TRY(const Json json, read_json(path));
  PlainRelease release{json.value("adjusted", false), json.value("decimals", table.decimals), {}};
  if (json.contains("cells")) {  // a public file: every cell
    PublicCells cells(table, path);
    for (const Json& entry : json["cells"]) {
      std::string codes;
      for (const Json& code : entry.value("codes", Json::array()))
        codes += code.get<std::string>() + "\n";
      if (codes.empty())
        codes = std::to_string(entry.value("cell", -1)) + "\n";
      LACUNA_RETURN_IF_ERROR(cells.put(codes, shown_of(entry, release.decimals)));
    }
    LACUNA_TRY(release.cells, std::move(cells).all());
    release.adjusted = !release.cells.empty() && release.cells.front().state == "adjusted";
    return release;
  }
  release.cells.resize(table.values.size());
  for (const Json& entry : json.value("release", Json::array())) {
    const auto cell = static_cast<std::size_t>(entry.value("cell", -1));
    if (cell >= release.cells.size())
      return broken("the release names a cell that is not there", path);
    release.cells[cell] = shown_of(entry, release.decimals);
  }
  if (release.adjusted) {
    const double factor = unit_factor(release.decimals - table.decimals);
    for (std::size_t c = 0; c < release.cells.size(); ++c) {
      release.cells[c].state = "adjusted";
      release.cells[c].numbers.try_emplace("value", table.values[c] * factor);
    }
  }
  return release;
}

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  for (const char letter : line) {
    if (letter == ';')
      fields.emplace_back();
    else if (letter != '\r')
      fields.back() += letter;
  }
  return fields;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t start = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', start)) {
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

// Public CSV as the program writes it: separated by semicolons, codes without quotes.
Result<PlainRelease> release_of_csv(const std::string& path, const PlainTable& table) {
  LACUNA_TRY(const std::string text, files::read_file(path));
  const std::vector<std::string> lines = lines_of(text);
  if (lines.empty())
    return broken("this file is empty", path);
  const std::vector<std::string> head = fields_of(lines.front());
  PlainRelease release{false, table.decimals, {}};
  std::vector<std::vector<std::string>> rows;
  for (std::size_t l = 1; l < lines.size(); ++l) {
    rows.push_back(fields_of(lines[l]));
    if (rows.back().size() != head.size())
      return broken("a line has too many fields, or too few", path);
    for (std::size_t f = 0; f < head.size(); ++f) {
      const std::size_t point = head[f] == "value" ? rows.back()[f].find('.') : std::string::npos;
      if (point != std::string::npos)
        release.decimals =
            std::max(release.decimals, static_cast<int>(rows.back()[f].size() - point) - 1);
    }
  }
  PublicCells cells(table, path);
  for (const auto& row : rows) {
    std::string codes;  // the columns before the numbers
    for (std::size_t f = 0; f < head.size() && head[f] != "value"; ++f)
      codes += row[f] + "\n";
    Shown cell;
    for (std::size_t f = 0; f < head.size(); ++f) {
      if (head[f] == "state")
        cell.state = row[f];
      const auto name = std::find(kNumbers.begin(), kNumbers.end(), head[f]);
      if (name == kNumbers.end() || row[f].empty())
        continue;
      LACUNA_TRY(const double number, base::parse_double(row[f]));
      take_number(cell, *name, number, release.decimals);
    }
    LACUNA_RETURN_IF_ERROR(cells.put(codes, std::move(cell)));
  }
  LACUNA_TRY(release.cells, std::move(cells).all());
  release.adjusted = !release.cells.empty() && release.cells.front().state == "adjusted";
  return release;
}

Result<PlainRelease> read_release(const std::string& path, const PlainTable& table) {
  LACUNA_TRY(PlainRelease release,
             path.ends_with(".csv") ? release_of_csv(path, table) : release_of_json(path, table));
  if (release.cells.size() != table.values.size())
    return broken("the release has another number of cells than the table", path);
  if (!release.adjusted && release.decimals != table.decimals)
    return broken("the release has other decimals than the table", path);
  return release;
}

// What a reader knows of the true value: the table of docs/audit.md, section 1.
Result<Range> said(const Shown& cell, double truth, const std::string& path) {
  const auto number = [&](const char* name) {
    const auto found = cell.numbers.find(name);
    return found == cell.numbers.end() ? std::nan("") : found->second;
  };
  Range range;
  if (cell.state == "published") {
    if (cell.numbers.contains("value") && number("value") != truth)
      return broken("a number that is said to be true is not", path);
    range = {truth, truth};
  } else if (cell.state == "interval" || cell.state == "altered") {
    range = {number("lower"), number("upper")};
  } else if (cell.state == "rounded") {
    const double steps = cell.numbers.contains("steps") ? number("steps") : 0;
    const double reach = (steps + 1) * number("base");
    range = {number("value") - reach, number("value") + reach};
  } else if (cell.state != "withheld") {
    return broken("a cell is published in a way that nobody knows: " + cell.state, path);
  }
  if (!(range.lower <= truth && truth <= range.upper))  // a number that is missing lands here
    return broken("what is said of a cell does not contain its true value", path);
  return range;
}

Result<std::vector<Range>> said_of_all(const PlainRelease& release,
                                       const PlainTable& table,
                                       const std::string& path) {
  std::vector<Range> ranges;
  for (std::size_t c = 0; c < release.cells.size(); ++c) {
    LACUNA_TRY(const Range range, said(release.cells[c], table.values[c], path));
    ranges.push_back(range);
  }
  return ranges;
}

Status learn_released(PlainTable& table, const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    LACUNA_TRY(const PlainRelease earlier, read_release(path, table));
    LACUNA_TRY(const std::vector<Range> ranges, said_of_all(earlier, table, path));
    for (std::size_t c = 0; c < ranges.size(); ++c)
      table.priors[c] = table.priors[c].meet(ranges[c]);
  }
  return ok_status();
}

PlainWord against(double reached, double level, double value, const PlainOptions& options) {
  if (level == 0)
    return PlainWord::kUnasked;
  if (std::isfinite(reached) && nearly_equal(reached, level, value, options))
    return PlainWord::kClose;
  return reached > level ? PlainWord::kProtected : PlainWord::kExposed;
}

// Exposed before unknown before close before protected before unasked.
PlainWord worse(PlainWord a, PlainWord b) {
  constexpr std::array<PlainWord, 5> kOrder{PlainWord::kExposed,
                                            PlainWord::kNone,
                                            PlainWord::kClose,
                                            PlainWord::kProtected,
                                            PlainWord::kUnasked};
  const auto rank = [&](PlainWord word) { return std::find(kOrder.begin(), kOrder.end(), word); };
  return rank(a) < rank(b) ? a : b;
}

// One attacker's linear program, with the engine that is asked first and the others in reserve.
class PlainProgram {
 public:
  PlainProgram(const PlainTable& table,
               const std::vector<Range>& shown,
               std::int32_t attacker,
               const PlainOptions& options,
               const RunContext& run)
      : options_(options), run_(run) {
    for (std::size_t c = 0; c < table.values.size(); ++c) {
      const Range range = table.of(static_cast<std::int32_t>(c), attacker).meet(shown[c]);
      model_.add_column(range.lower, range.upper);
    }
    for (const Equation& row : table.equations)
      model_.add_row(row.rhs, row.rhs, row.cells, row.coefficients);
  }

  // The least (sign 1) or largest (sign -1) value of the cell; none if no engine can say.
  std::optional<double> end(std::int32_t cell, double sign) {
    for (std::size_t e = 0; e <= lp_engines().size(); ++e) {
      LpSolver* solver = solver_of(e);
      if (solver == nullptr)
        continue;
      solver->set_cost(cell, sign);
      const LpSolution found = solver->minimize(run_);
      solver->set_cost(cell, 0);
      if (found.status == LpStatus::kOptimal)
        return sign * found.objective;
      if (found.status == LpStatus::kUnbounded)
        return sign * -kLpInfinity;
    }
    return std::nullopt;
  }

 private:
  LpSolver* solver_of(std::size_t place) {  // 0 is the engine asked first
    const std::string name = place == 0 ? options_.engine : lp_engines()[place - 1];
    auto& solver = solvers_[name];
    if (!solver) {
      auto made = make_lp_solver(name);
      if (!made || !(*made)->load(model_))
        return nullptr;
      solver = std::move(made).value();
    }
    return solver.get();
  }

  const PlainOptions& options_;
  const RunContext& run_;
  LpModel model_;
  std::map<std::string, std::unique_ptr<LpSolver>> solvers_;
};

// The requirements to look at.
std::vector<Levels> sample(std::vector<Levels> levels, const PlainOptions& options) {
  if (options.most < 0 || levels.size() <= static_cast<std::size_t>(options.most))
    return levels;
  base::Random random(options.seed);
  for (std::size_t i = 0; i < static_cast<std::size_t>(options.most); ++i) {
    const auto last = static_cast<std::int64_t>(levels.size()) - 1;
    std::swap(levels[i],
              levels[static_cast<std::size_t>(random.between(static_cast<std::int64_t>(i), last))]);
  }
  levels.resize(static_cast<std::size_t>(options.most));
  return levels;
}

PlainFinding look(PlainProgram& program,
                  const PlainTable& table,
                  const std::vector<Range>& shown,
                  const Levels& need,
                  const PlainOptions& options) {
  PlainFinding finding;
  finding.cell = need.cell;
  finding.attacker = need.attacker;
  finding.value = table.values[static_cast<std::size_t>(need.cell)];
  if (shown[static_cast<std::size_t>(need.cell)].is_point()) {
    finding.word = PlainWord::kExposed;
    return finding;
  }
  const auto least = program.end(need.cell, 1), largest = program.end(need.cell, -1);
  if (!least || !largest)
    return finding;
  finding.has_ends = true;
  finding.low = finding.value - *least;
  finding.high = *largest - finding.value;
  finding.word = worse(against(finding.low, need.lower, finding.value, options),
                       against(finding.high, need.upper, finding.value, options));
  finding.word = worse(finding.word,
                       against(finding.low + finding.high, need.sliding, finding.value, options));
  return finding;
}

// An adjusted table adds up, keeps what everyone knows, and is a level away from sensitive truths.
Result<std::vector<PlainFinding>> look_at_numbers(const PlainTable& table,
                                                  const PlainRelease& release,
                                                  const std::vector<Levels>& needs,
                                                  const std::string& path) {
  const double factor = unit_factor(release.decimals - table.decimals);
  std::vector<double> shown;
  for (std::size_t c = 0; c < release.cells.size(); ++c) {
    shown.push_back(release.cells[c].numbers.at("value"));
    if (shown[c] < table.priors[c].lower * factor || shown[c] > table.priors[c].upper * factor)
      return broken("an adjusted number lies outside what everyone knows", path);
  }
  for (const Equation& row : table.equations) {
    double sum = -row.rhs * factor;
    for (std::size_t t = 0; t < row.cells.size(); ++t)
      sum += row.coefficients[t] * shown[static_cast<std::size_t>(row.cells[t])];
    if (sum != 0)
      return broken("the adjusted table does not add up", path);
  }
  std::vector<PlainFinding> findings;
  for (const Levels& need : needs) {
    const auto c = static_cast<std::size_t>(need.cell);
    const double move = shown[c] - table.values[c] * factor, half = need.sliding * factor / 2;
    const bool far =
        move >= std::max(need.upper * factor, half) || -move >= std::max(need.lower * factor, half);
    PlainFinding finding;
    finding.cell = need.cell;
    finding.attacker = need.attacker;
    const bool asks = need.lower + need.upper + need.sliding > 0;
    finding.word = move == 0 || !far ? PlainWord::kExposed
                   : asks            ? PlainWord::kProtected
                                     : PlainWord::kUnasked;
    findings.push_back(finding);
  }
  return findings;
}

}  // namespace

std::string_view to_string(PlainWord word) {
  constexpr std::array<std::string_view, 5> kWords{
      "protected", "exposed", "close", "none", "unasked"};
  return kWords[static_cast<std::size_t>(word)];
}

bool nearly_equal(double a, double b, double value, const PlainOptions& options) {
  if (std::isinf(a) || std::isinf(b))
    return a == b;
  return std::abs(a - b) <=
         options.tolerance * std::max({1.0, std::abs(value), std::abs(a), std::abs(b)});
}

Result<PlainJudgement> judge_plainly(const std::string& table_path,
                                     const std::string& release_path,
                                     const PlainOptions& options,
                                     const RunContext& run) {
  LACUNA_TRY(const Json json, read_json(table_path));
  PlainTable table = table_of(json, options);
  LACUNA_RETURN_IF_ERROR(learn_released(table, options.released));
  LACUNA_TRY(const PlainRelease release, read_release(release_path, table));
  const std::vector<Levels> needs = sample(table.levels, options);
  PlainJudgement judgement;
  judgement.complete = needs.size() == table.levels.size();
  if (release.adjusted) {
    LACUNA_TRY(judgement.findings, look_at_numbers(table, release, needs, release_path));
  } else {
    LACUNA_TRY(const std::vector<Range> shown, said_of_all(release, table, release_path));
    std::map<std::int32_t, PlainProgram> programs;
    for (const Levels& need : needs) {
      auto& program = programs.try_emplace(need.attacker, table, shown, need.attacker, options, run)
                          .first->second;
      judgement.findings.push_back(look(program, table, shown, need, options));
    }
  }
  judgement.word = PlainWord::kUnasked;
  for (const PlainFinding& finding : judgement.findings)
    judgement.word = worse(judgement.word, finding.word);
  return judgement;
}

}  // namespace lacuna::bench
