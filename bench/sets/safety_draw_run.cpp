// SPDX-License-Identifier: Apache-2.0
// Runs: every method and every option of `lacuna protect`, in combinations that its pages allow. A
// combination may ask for what no release can give; it may not be one that is refused unread.
#include <algorithm>
#include <array>
#include <string_view>

#include "app/job/base_choice.h"
#include "bench/sets/safety_draw.h"
#include "core/base/check.h"
#include "core/base/decimal.h"
#include "data/files/file.h"
#include "lacuna/lp.h"

namespace lacuna::bench {
namespace {

std::string text_of(const std::string& value) {
  return value;
}
std::string text_of(double value) {
  return base::format_double(value);
}
template <class Whole>
std::string text_of(Whole value) requires std::is_integral_v<Whole> {
  return std::to_string(value);
}

class RunDraw {
 public:
  RunDraw(const Problem& problem,
          const std::vector<EarlierRun>& earlier,
          const std::string& folder,
          base::Random& random)
      : problem_(problem), earlier_(earlier), folder_(folder), random_(random) {}

  Result<DrawnRun> draw() {
    set("--method", std::string(draw_method()));
    draw_common();
    if (job().method == Method::kSuppress)
      draw_suppress();
    else if (job().method == Method::kInterval)
      draw_digits();
    else if (job().method == Method::kCombined)
      draw_combined();
    else if (job().method == Method::kAdjust)
      draw_adjust();
    else
      LACUNA_RETURN_IF_ERROR(draw_numbers());
    draw_limit();
    return std::move(run_);
  }

 private:
  job::ProtectJob& job() { return run_.job; }
  bool chance(std::int64_t numerator, std::int64_t denominator) {
    return random_.chance(numerator, denominator);
  }
  template <class T, std::size_t n>
  T one_of(const T (&choices)[n]) {
    return choices[random_.between(0, static_cast<std::int64_t>(n) - 1)];
  }

  template <class V>
  void set(const char* name, const V& value) {
    const std::string text = text_of(value);
    const Status done = set_option(job(), name + 2, text);  // without the dashes
    LACUNA_CHECK(done.has_value());
    run_.words.insert(run_.words.end(), {name, text});
    run_.options.emplace_back(name);
  }
  void flag(const char* name, bool& field) {
    field = true;
    run_.words.emplace_back(name);
    run_.options.emplace_back(name);
  }
  std::string path(const char* name) const { return folder_ + "/" + name; }

  std::string_view draw_method() {
    constexpr std::string_view kMethods[] = {"suppress",
                                             "suppress",
                                             "suppress",
                                             "interval",
                                             "interval",
                                             "combined",
                                             "combined",
                                             "adjust",
                                             "adjust",
                                             "round",
                                             "round",
                                             "perturb",
                                             "perturb",
                                             "mixed",
                                             "mixed",
                                             "mixed"};
    return one_of(kMethods);
  }

  void draw_common() {
    run_.threads = chance(1, 3) ? 2 : 1;
    run_.seed = static_cast<std::uint64_t>(random_.between(1, 1'000'000));
    run_.words.insert(run_.words.end(),
                      {"--threads", text_of(run_.threads), "--seed", text_of(run_.seed)});
    if (chance(1, 2))
      draw_engine();
    if (chance(1, 2)) {
      const std::string weights[] = {
          "cost", "unity", "value", "log", "inverse", "inverse2", "0.5*value+1*unity"};
      set("--weights", one_of(weights));
    }
    if (chance(1, 3))
      set("--gap", one_of({0.01, 0.05, 0.2}));
    if (chance(1, 8))
      set("--levels", std::string("minimal"));
    if (chance(1, 8))
      set("--zero-levels", std::string("stated"));
    if (!earlier_.empty() && chance(1, 2)) {
      const EarlierRun& before = earlier_.back();
      job().asked.released = {chance(1, 2) ? before.result : before.shown};
      run_.words.insert(run_.words.end(), {"--released", job().asked.released.front()});
      run_.options.emplace_back("--released");
    }
    if (chance(1, 3))
      flag("--json", job().json);
  }

  // Numbers are found by integer programs, which not every engine takes.
  void draw_engine() {
    const bool whole = job().method == Method::kRound || job().method == Method::kPerturb ||
                       job().method == Method::kMixed;
    std::vector<std::string> engines;
    for (const std::string& name : lp_engines()) {
      const auto engine = make_lp_solver(name);
      if (engine && (!whole || (*engine)->supports_integers()))
        engines.push_back(name);
    }
    if (!engines.empty())
      set("--engine",
          engines[static_cast<std::size_t>(random_.between(0, std::ssize(engines) - 1))]);
  }

  std::int64_t sensitive() const {
    std::int64_t count = 0;
    CellId last;
    for (const Requirement& need : problem_.requirements()) {
      count += need.cell == last ? 0 : 1;
      last = need.cell;
    }
    return count;
  }

  void draw_suppress() {
    if (chance(2, 3))
      set("--effort", one_of({"fast", "default", "best"}));
    if (chance(1, 4))
      set("--checkpoint", path("checkpoint"));
    if (chance(1, 8))
      set("--trace", path("trace.csv"));
    if (!earlier_.empty() && chance(1, 3)) {
      set("--prefer", earlier_.back().result);
      return;  // goes with no limit and no width
    }
    if (chance(1, 6))
      set("--max-withheld",
          sensitive() + random_.between(1, std::max(4, problem_.table().num_cells() / 3)));
    if (chance(1, 6))
      set("--minimum-width", one_of({1.0, 5.0, 20.0, 60.0}));
  }

  void draw_digits() {
    if (chance(1, 3))
      set("--interval-digits", one_of({1, 2, 3}));
    draw_off_center();
  }

  void draw_off_center() {
    if (chance(1, 2))
      set("--off-center", one_of({0.0, 0.1, 0.5, 1.0}));
  }

  void draw_combined() {
    draw_digits();
    if (chance(1, 2))
      set("--width-weights", std::string(one_of({"unity", "value", "log", "inverse"})));
    if (chance(1, 6))
      set("--max-intervals",
          sensitive() + random_.between(1, std::max(4, problem_.table().num_cells() / 3)));
    if (chance(1, 6))
      set("--interval-width", one_of({1.0, 5.0, 20.0}));
    if (chance(1, 6))
      set("--interval-level", one_of({1.0, 5.0, 10.0}));
  }

  void draw_adjust() {
    if (chance(1, 2))
      set("--norm", std::string(one_of({"l1", "l2"})));
    if (chance(1, 3))
      set("--senses", std::string(one_of({"free", "up"})));
    if (chance(1, 3))
      set("--decimals", problem_.table().decimals() + static_cast<int>(random_.between(0, 2)));
  }

  void draw_base() {
    constexpr std::int64_t kTimes[] = {1, 1, 2, 5};
    const auto suggested =
        base::parse_units(job::suggested_base(problem_).text(), problem_.table().decimals());
    const Units base = chance(1, 5) ? random_.between(2, 20) : *suggested * one_of(kTimes);
    set("--base", base::format_units(base, problem_.table().decimals()));
  }

  void draw_changes() {
    if (chance(1, 8))
      set("--max-changed",
          random_.between(problem_.table().num_cells() / 3, problem_.table().num_cells()));
  }

  void draw_steps() {
    if (chance(1, 2))
      set("--steps", static_cast<std::int32_t>(random_.between(1, 3)));
    if (chance(1, 6))
      set("--step-price", one_of({0.0, 0.5, 3.0}));
  }

  void draw_round() {
    draw_base();
    draw_steps();
    draw_changes();
    if (chance(1, 3))
      set("--effort", one_of({"fast", "default", "best"}));
    if (chance(1, 4))
      flag("--unbiased", job().round.unbiased);
    if (job().round.unbiased && chance(1, 2))
      set("--unbiased-cost", one_of({0.0, 0.2, 1.0}));
    if (chance(1, 5))
      flag("--no-small-counts", job().round.no_small_counts);
    if (chance(1, 5))
      flag("--exact-multiples", job().round.exact_multiples);
  }

  void draw_ranges() {
    if (chance(2, 3))
      set("--range", one_of({5.0, 50.0, 100.0, 200.0}));
    if (chance(1, 3))
      set("--senses", std::string(one_of({"free", "up", "down"})));
    if (chance(1, 5))
      set("--change-price", one_of({0.5, 2.0}));
    draw_changes();
  }

  // How other cells are published; a cell that must be published shows a number.
  std::string draw_group() {
    constexpr const char* kAny[] = {"exact", "perturbed", "rounded", "withheld", "interval"};
    const auto cells = problem_.table().cells();
    const bool numbers = std::any_of(cells.begin(), cells.end(), [](const Cell& cell) {
      return cell.status == CellStatus::kMustPublish;
    });
    return kAny[random_.between(0, numbers ? 2 : 4)];
  }

  void draw_mixed() {
    constexpr const char* kSensitive[] = {"withheld", "interval", "perturbed", "rounded"};
    if (chance(4, 5))
      set("--sensitive-as", one_of(kSensitive));
    if (chance(4, 5))
      set("--totals-as", draw_group());
    if (chance(4, 5))
      set("--others-as", draw_group());
    draw_base();
    draw_ranges();
    draw_steps();
    draw_off_center();
  }

  Status draw_numbers() {
    if (job().method == Method::kRound) {
      draw_round();
    } else if (job().method == Method::kPerturb) {
      draw_ranges();
      if (chance(1, 4))
        flag("--range-unknown", job().perturb.range_unknown);
      if (job().perturb.range_unknown && chance(1, 2))
        set("--grid", base::format_units(random_.between(1, 3), problem_.table().decimals()));
    } else {
      draw_mixed();
    }
    return chance(1, 5) ? draw_cells() : ok_status();
  }

  // Settings of single cells that are not sensitive.
  Status draw_cells() {
    const bool round = job().method == Method::kRound, mixed = job().method == Method::kMixed;
    const int decimals = problem_.table().decimals();
    std::string text = round ? "cell;base\n" : mixed ? "cell;method\n" : "cell;lower;upper\n";
    for (std::int32_t c = 0; c < problem_.table().num_cells(); ++c) {
      const Cell& cell = problem_.table().cell(CellId{c});
      if (cell.status != CellStatus::kFree || !chance(1, 6))
        continue;
      const Units away = random_.between(0, std::max<Units>(2, std::abs(cell.value) / 2));
      text += std::to_string(c) + ";";
      if (round)
        text += job().round.base ? job().round.base->text() : "";
      else if (mixed)
        text += one_of({"exact", "withheld", "interval", "perturbed", "rounded"});
      else
        text += base::format_units(cell.value - away, decimals) + ";" +
                base::format_units(cell.value + away, decimals);
      text += "\n";
    }
    set("--cells", path("cells.csv"));
    return files::write_file_atomically(job().cell_file, text);
  }

  // Mostly enough for any table of this size; at times so short that it strikes anywhere.
  void draw_limit() {
    constexpr double kUsual = 2, kThousandth = 0.001;
    constexpr std::int64_t kShortest = 1, kShort = 60;
    run_.seconds = kUsual;
    if (chance(1, 12)) {
      run_.seconds = kThousandth * static_cast<double>(random_.between(kShortest, kShort));
      run_.options.emplace_back("--time-limit");
      run_.hasty = true;
    }
    run_.words.insert(run_.words.end(), {"--time-limit", base::format_double(run_.seconds)});
  }

  const Problem& problem_;
  const std::vector<EarlierRun>& earlier_;
  const std::string& folder_;
  base::Random& random_;
  DrawnRun run_;
};

}  // namespace

Result<DrawnRun> draw_run(const Problem& problem,
                          const std::vector<EarlierRun>& earlier,
                          const std::string& folder,
                          base::Random& random) {
  return RunDraw(problem, earlier, folder, random).draw();
}

}  // namespace lacuna::bench
