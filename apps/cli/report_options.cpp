// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/report_options.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "apps/cli/asked_options.h"

namespace lacuna {

void add_near_option(CLI::App& command, double& near) {
  command.add_option("--near", near, "a guess within so many percent of the truth counts as near")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 100.0));
}

void add_report_options(CLI::App& command, ReportJob& job) {
  command.add_option("RESULT", job.result, "result JSON of lacuna protect -o")->required();
  command.add_option("-o,--output", job.output, "the page to write, .html")->required();
  command.add_option("--input", job.input, "the table; default: the one that the result names");
  command.add_option(
      "--certificate", job.certificate, "check this certificate, too, and use its evidence");
  command.add_option("--title", job.title, "title of the page; default: the name of the table");
  add_asked_options(command, job.asked);
  add_near_option(command, job.near);
  command.add_flag("--public", job.public_view, "only what is published: no confidential number");
  command.add_flag("--verdicts-only", job.verdicts_only, "without exact intervals");
  command.add_flag("--json", job.json, "print JSON");
  command.add_option("--engine", job.engine, "LP engine (highs, clp)");
}

void add_show_options(CLI::App& command, ShowJob& job, std::string& color) {
  command.add_option("IN", job.path, "a table, or the result JSON of lacuna protect -o")
      ->required();
  command.add_option(
      "--input", job.input, "of a result: the table; default: the one that the result names");
  command.add_option("--color", color, "auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str();
}

bool wants_color(const std::string& color) {
  if (color != "auto")
    return color == "always";
  const char* no_color = std::getenv("NO_COLOR");
  return isatty(STDOUT_FILENO) != 0 && (no_color == nullptr || *no_color == '\0');
}

void add_compare_options(CLI::App& command, CompareJob& job) {
  command.add_option("TABLE", job.input, "table: .jj (also .gz, .xz), .json, or a .toml job")
      ->required();
  command.add_option("--methods", job.methods, "methods of lacuna protect, separated by commas")
      ->capture_default_str();
  command.add_option("--weights", job.options.weights, "as in lacuna protect");
  command.add_option("--effort", job.options.effort, "as in lacuna protect")->capture_default_str();
  command.add_option("--norm", job.options.norm, "as in lacuna protect")->capture_default_str();
  command.add_option("--gap", job.options.gap, "as in lacuna protect")->check(CLI::Range(0.0, 1.0));
  command.add_option("--base", job.options.base, "round: the base; default: by the levels");
  command.add_option("--range", job.options.range, "perturb, mixed: as in lacuna protect")
      ->capture_default_str();
  add_asked_options(command, job.options.asked);
  command.add_option("--off-center", job.options.off_center, "interval, combined: as in protect")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 10.0));
  add_near_option(command, job.options.near);
  command.add_option("--engine", job.options.engine, "LP engine (highs, clp)");
  command.add_option("--time-limit", job.seconds, "limit of each method in seconds")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command.add_flag_callback(
      "--json", [&job] { job.format = "json"; }, "print JSON");
  command.add_flag_callback(
      "--markdown", [&job] { job.format = "markdown"; }, "print a Markdown table");
}

std::string given_options(const CLI::App& command) {
  constexpr std::array<std::string_view, 4> kOutputs{"output", "certificate", "trace", "json"};
  std::string text;
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0 || option->get_lnames().empty())
      continue;
    const std::string& name = option->get_lnames().front();
    if (std::find(kOutputs.begin(), kOutputs.end(), name) != kOutputs.end())
      continue;
    text += (text.empty() ? "--" : " --") + name;
    if (option->get_type_size() == 0)
      continue;
    for (const std::string& value : option->results())
      text += " " + value;
  }
  return text;
}

}  // namespace lacuna
