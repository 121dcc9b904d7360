// SPDX-License-Identifier: Apache-2.0
// The command line: options in, one job, text to standard output, messages to standard error.
#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <thread>

#include "apps/cli/asked_options.h"
#include "apps/cli/bench_options.h"
#include "apps/cli/generate_options.h"
#include "apps/cli/job_options.h"
#include "apps/cli/number_options.h"
#include "apps/cli/report_options.h"
#include "apps/cli/terminal.h"
#include "base/decimal.h"
#include "base/nearest.h"
#include "job/jobs.h"
#include "job/methods.h"
#include "job/version.h"

namespace {

using lacuna::ExitCode;
using lacuna::JobOutput;
using lacuna::Result;
using lacuna::RunContext;

int code(ExitCode exit_code) {
  return static_cast<int>(exit_code);
}

struct Common {  // options that several commands share
  int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  std::uint64_t seed = 1;
  double time_limit = 0;  // seconds; 0 means none
};

RunContext make_run(const Common& common, std::stop_token stop) {
  RunContext run;
  run.threads = common.threads;
  run.seed = common.seed;
  run.stop = std::move(stop);
  constexpr double kForever = 1e9;  // 30 years; the clock cannot hold much more
  if (common.time_limit > 0 && common.time_limit < kForever) {
    run.deadline = std::chrono::steady_clock::now() +
                   std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                       std::chrono::duration<double>(common.time_limit));
  }
  return run;
}

template <class Job>
int run_and_print(const Job& job, const Common& common) {
  lacuna::Interrupt interrupt;
  lacuna::ProgressBar bar;
  RunContext run = make_run(common, interrupt.token());
  run.on_progress = bar.sink();
  run.log = [](std::string_view note) { std::cerr << "lacuna: note: " << note << '\n'; };
  const Result<JobOutput> result = lacuna::run_job(job, run);
  bar.clear();
  if (!result) {
    std::cerr << "lacuna: " << result.error().text() << '\n';
    return code(ExitCode::kBadInput);
  }
  if (!result->message.empty())
    std::cerr << "lacuna: " << result->message << '\n';
  std::cout << result->text << std::flush;
  return code(std::cout.good() ? result->code : ExitCode::kInternal);
}

void add_threads(CLI::App& command, Common& common) {
  command.add_option("--threads", common.threads, "number of threads")->check(CLI::Range(1, 256));
}

void add_threads_and_seed(CLI::App& command, Common& common) {
  add_threads(command, common);
  command.add_option("--seed", common.seed, "seed of the runs")->capture_default_str();
}

void add_common(CLI::App& command, Common& common) {
  add_threads(command, common);
  command.add_option("--time-limit", common.time_limit, "wall-clock limit in seconds")
      ->check([](const std::string& text) {
        const auto seconds = lacuna::parse_double(text);
        return seconds && *seconds > 0 ? "" : "must be a positive number of seconds, not " + text;
      });
}

bool is_command(const CLI::App* command, const std::string& name) {
  return command->get_name() == name;
}

// One line for a call that cannot be understood, with the name that was probably meant.
std::string parse_error(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  const std::string first = argc > 1 ? argv[1] : "";
  const auto used = std::find_if(commands.begin(), commands.end(), [&](const CLI::App* command) {
    return is_command(command, first);
  });
  std::vector<std::string> names;
  if (used == commands.end() && !first.empty() && first[0] != '-') {
    for (const CLI::App* command : commands)
      names.push_back(command->get_name());
    const std::vector<std::string_view> known(names.begin(), names.end());
    return "there is no command '" + first + "'" + lacuna::did_you_mean(first, known);
  }
  const bool unexpected = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  if (used == commands.end() || !unexpected)
    return error.what();
  const std::vector<std::string> extras = (*used)->remaining();
  const auto option = std::find_if(extras.begin(), extras.end(), [](const std::string& extra) {
    return extra.starts_with("-");
  });
  if (option == extras.end())
    return error.what();
  const std::string& given = *option;
  for (const CLI::Option* known_option : (*used)->get_options()) {
    for (const std::string& name : known_option->get_lnames())
      names.push_back("--" + name);
  }
  const std::vector<std::string_view> known(names.begin(), names.end());
  return given + ": the command '" + first + "' has no such option" +
         lacuna::did_you_mean(given, known);
}

int run_command(int argc, char** argv) {
  CLI::App app{"Lacuna makes statistical tables safe to publish."};
  app.set_version_flag("--version", std::string("lacuna ") + lacuna::kVersion);
  app.require_subcommand(1);
  Common common;

  lacuna::TabulateJob tabulate;
  CLI::App& tabulate_command =
      *app.add_subcommand("tabulate", "make a table from records and find its sensitive cells");
  tabulate_command.add_option("JOB", tabulate.input, "a .toml job over records")->required();
  tabulate_command.add_option("-o,--output",
                              tabulate.output,
                              "write the table problem here: .jj, .json (also .gz) or .toml with "
                              "its .csv");
  tabulate_command.add_option(
      "--table", tabulate.table, "write the cells here as CSV, with counts and shares");
  tabulate_command.add_flag("--json", tabulate.json, "print JSON");
  add_common(tabulate_command, common);

  lacuna::ProtectJob protect;
  CLI::App& protect_command =
      *app.add_subcommand("protect", "make a table safe to publish and prove it");
  protect_command
      .add_option("IN", protect.input, "table: .jj (also .gz, .xz), .json, or a .toml job")
      ->required();
  protect_command
      .add_option(
          "--method",
          protect.method,
          "suppress: withhold cells; interval: publish ranges; combined: few and narrow ranges; "
          "adjust: publish altered numbers; round: publish multiples of a base; perturb: publish "
          "numbers from ranges; mixed: a method per group of cells")
      ->capture_default_str();
  protect_command
      .add_option("--weights",
                  protect.weights,
                  "cost (default), unity, value, log, frequency, inverse (default of adjust) or "
                  "inverse2")
      ->type_name("TEXT");
  protect_command.add_option(
      "-o,--output",
      protect.output,
      "write the result here, .json: the run and the release, for the office "
      "only");
  protect_command.add_option(
      "--public",
      protect.public_file,
      "write what may be published here, .csv or .json: the release and nothing else");
  protect_command.add_option("--certificate", protect.certificate, "write the witnesses here");
  protect_command
      .add_option("--width-weights",
                  protect.width_weights,
                  "combined: price per width, like --weights, which prices the interval itself")
      ->capture_default_str();
  protect_command
      .add_option("--max-intervals", protect.max_intervals, "combined: at most so many intervals")
      ->check(CLI::NonNegativeNumber);
  protect_command
      .add_option("--interval-width",
                  protect.interval_width,
                  "combined: least width of an interval in percent of the value")
      ->check(CLI::NonNegativeNumber);
  protect_command
      .add_option("--interval-level",
                  protect.interval_level,
                  "combined: least width that can be inferred for cells that are not sensitive, "
                  "in percent of the value")
      ->check(CLI::NonNegativeNumber);
  protect_command
      .add_option("--interval-digits",
                  protect.interval_digits,
                  "significant digits of interval ends, rounded outward; 0 keeps all")
      ->check(CLI::Range(0, 18));
  protect_command
      .add_option("--off-center",
                  protect.off_center,
                  "interval, combined, mixed: share of its width that an interval may grow by, so "
                  "that its middle and ends do not tell the truth; 0: leave the ends as found")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 10.0));
  lacuna::add_near_option(protect_command, protect.near);
  protect_command
      .add_option("--gap", protect.gap, "stop once the proven gap is at most this; 0: the default")
      ->check(CLI::Range(0.0, 1.0));
  protect_command.add_option(
      "--prefer",
      protect.prefer,
      "suppress: an earlier release (result JSON or indices) whose withheld cells are kept");
  protect_command.add_option("--checkpoint",
                             protect.checkpoint,
                             "suppress: save progress here, and go on from it if the file exists");
  protect_command.add_option(
      "--trace", protect.trace, "suppress: write incumbent and bound over time here as CSV");
  protect_command.add_option("--effort", protect.effort, "suppress: fast, default or best")
      ->capture_default_str();
  protect_command
      .add_option("--max-withheld",
                  protect.max_withheld,
                  "suppress: at most so many withheld cells, primaries included")
      ->check(CLI::NonNegativeNumber);
  protect_command
      .add_option("--minimum-width",
                  protect.minimum_width,
                  "suppress: least width of the interval of withheld cells, in percent")
      ->check(CLI::Range(0.0, 10000.0));
  protect_command.add_option("--norm", protect.norm, "adjust: l1 or l2")->capture_default_str();
  protect_command
      .add_option("--senses",
                  protect.senses,
                  "adjust, perturb: free, or up to raise all sensitive cells; perturb: also down")
      ->capture_default_str();
  protect_command
      .add_option("--decimals",
                  protect.decimals,
                  "adjust: digits after the point; -1 takes as many as the gap needs")
      ->check(CLI::Range(-1, 18));
  lacuna::add_number_options(protect_command, protect);
  protect_command.add_option("--engine", protect.engine, "LP engine (highs, clp)");
  protect_command.add_option(
      "--seed", common.seed, "seed of the run; where it moves intervals, keep it secret");
  protect_command.add_flag("--json", protect.json, "print JSON");
  add_common(protect_command, common);

  lacuna::AuditJob audit;
  CLI::App& audit_command = *app.add_subcommand(
      "audit", "prove of a release that every requirement holds, or that one does not");
  audit_command.add_option("IN", audit.input, "table: .jj (also .gz, .xz), .json, or a .toml job")
      ->required();
  audit_command.add_option(
      "--pattern",
      audit.pattern,
      "the release: a result JSON, a public file, or a text with one withheld index per line");
  audit_command.add_option(
      "--certificate", audit.certificate, "write the witnesses and proofs here");
  lacuna::add_asked_options(audit_command, audit.asked);
  audit_command.add_option("--engine", audit.engine, "LP engine (highs, clp)");
  audit_command.add_flag(
      "--all", audit.all, "also the interval of every other cell that is not published");
  audit_command.add_flag(
      "--verdicts-only", audit.verdicts_only, "stop at verdicts, without exact intervals");
  audit_command.add_flag("--exposure",
                         audit.exposure,
                         "classify the primaries as initially, consequentially or not exposed");
  audit_command.add_flag("--json", audit.json, "print JSON");
  add_common(audit_command, common);

  lacuna::VerifyJob verify;
  CLI::App& verify_command =
      *app.add_subcommand("verify", "check a certificate without any solver");
  verify_command.add_option("IN", verify.input, "the table that was protected")->required();
  verify_command.add_option("CERTIFICATE", verify.certificate, "the certificate")->required();
  verify_command.add_option(
      "--pattern", verify.pattern, "the release that the certificate must be for");
  lacuna::add_asked_options(verify_command, verify.asked);
  verify_command.add_flag("--json", verify.json, "print JSON");

  lacuna::ConvertJob convert;
  CLI::App& convert_command = *app.add_subcommand("convert", "write a table in another format");
  convert_command
      .add_option("IN", convert.input, "table: .jj (also .gz, .xz), .json, or a .toml job")
      ->required();
  convert_command
      .add_option(
          "OUT,-o,--output", convert.output, "output: .jj, .json (also .gz) or .toml with its .csv")
      ->required();
  lacuna::add_asked_options(convert_command, convert.asked);

  lacuna::GenerateJob generate;
  CLI::App& generate_command =
      *app.add_subcommand("generate", "make a random table of a given shape");
  lacuna::add_generate_options(generate_command, generate.options);
  generate_command
      .add_option("OUT,-o,--output",
                  generate.output,
                  "output: .jj, .json (also .gz) or .toml with its .csv")
      ->required();

  lacuna::ReportJob report;
  CLI::App& report_command =
      *app.add_subcommand("report", "audit a result again and write a page about it");
  lacuna::add_report_options(report_command, report);
  add_common(report_command, common);

  lacuna::ShowJob show;
  std::string color = "auto";
  CLI::App& show_command = *app.add_subcommand("show", "print a small table, or a release of it");
  lacuna::add_show_options(show_command, show, color);

  lacuna::CompareJob compare;
  CLI::App& compare_command =
      *app.add_subcommand("compare", "protect the same table by several methods, side by side");
  lacuna::add_compare_options(compare_command, compare);
  add_threads_and_seed(compare_command, common);

  lacuna::BenchJob bench;
  CLI::App& bench_command =
      *app.add_subcommand("bench", "measure a set of runs beside the numbers of the literature");
  lacuna::add_bench_options(bench_command, bench);
  add_threads_and_seed(bench_command, common);

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    std::cerr << "lacuna: " << parse_error(app, error, argc, argv)
              << " (lacuna --help lists the commands)\n";
    return code(ExitCode::kBadInput);
  }
  const std::pair<CLI::App*, const std::string*> with_jobs[] = {
      {&tabulate_command, &tabulate.input},
      {&protect_command, &protect.input},
      {&audit_command, &audit.input},
      {&verify_command, &verify.input},
      {&convert_command, &convert.input}};
  for (const auto& [command, input] : with_jobs) {
    if (!command->parsed())
      continue;
    if (const auto applied = lacuna::apply_job_options(app, *command, *input); !applied) {
      std::cerr << "lacuna: " << applied.error().text() << '\n';
      return code(ExitCode::kBadInput);
    }
  }
  if (tabulate_command.parsed())
    return run_and_print(tabulate, common);
  if (protect_command.parsed()) {
    protect.given = lacuna::given_options(protect_command);
    return run_and_print(protect, common);
  }
  if (report_command.parsed())
    return run_and_print(report, common);
  if (show_command.parsed()) {
    show.color = lacuna::wants_color(color);
    return run_and_print(show, common);
  }
  if (compare_command.parsed())
    return run_and_print(compare, common);
  if (audit_command.parsed())
    return run_and_print(audit, common);
  if (verify_command.parsed())
    return run_and_print(verify, common);
  if (bench_command.parsed())
    return run_and_print(bench, common);
  if (convert_command.parsed())
    return run_and_print(convert, common);
  return run_and_print(generate, common);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run_command(argc, argv);
  } catch (const std::bad_alloc&) {
    std::cerr << "lacuna: out of memory\n";
  } catch (const std::exception& error) {
    std::cerr << "lacuna: internal error: " << error.what() << '\n';
  }
  return code(ExitCode::kInternal);
}
