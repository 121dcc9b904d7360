// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/program.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <functional>
#include <iostream>
#include <mutex>
#include <optional>

#include "app/argus_run/argus_job.h"
#include "app/argus_run/convert_job.h"
#include "app/check/check_job.h"
#include "app/inference/infer_job.h"
#include "apps/cli/command.h"
#include "apps/cli/completion.h"
#include "apps/cli/job_options.h"
#include "apps/cli/manual.h"
#include "apps/cli/reference.h"
#include "apps/cli/run_bench.h"
#include "apps/cli/terminal.h"
#include "apps/mcp/mcp.h"
#include "core/base/confidential.h"
#include "core/base/nearest.h"
#include "core/platform/file.h"
#include "core/platform/system.h"
#ifdef LACUNA_SERVE
#include "apps/serve/serve.h"
#endif
#include "app/job/explain_job.h"
#include "app/job/file_roles.h"
#include "app/job/jobs.h"
#include "app/job/ptable_jobs.h"
#include "app/job/run_options.h"
#include "app/job/store_job.h"
#include "app/plan/release_job.h"
#include "data/files/error_json.h"
#include "data/sensitivity/attacker_reach.h"
#include "lacuna/version.h"

namespace lacuna {
namespace {

int code(job::ExitCode exit_code) {
  return static_cast<int>(exit_code);
}

// One line for the user; with --json also an object for the program that asked.
int refuse(const Error& error, bool json) {
  std::cerr << "lacuna: " << base::in_full(error.text()) << '\n';
  if (json)
    std::cout << files::error_json(error) << std::endl;
  return code(job::ExitCode::kBadInput);
}

template <class Job>
int run_and_print(const Job& job, const job::RunOptions& options, bool json) {
  Interrupt interrupt;
  ProgressBar bar;
  RunContext run = options.context(interrupt.token());
  if (!options.quiet) {
    run.on_progress = bar.sink();
    run.log = [&bar](std::string_view note) {
      bar.clear();
      std::cerr << "lacuna: note: " << base::in_full(note) << '\n';
    };
  }
  const Result<job::JobOutput> result = run_job(job, run);
  bar.clear();
  if (!result)
    return refuse(result.error(), json);
  if (!result->message.empty())
    std::cerr << "lacuna: " << base::in_full(result->message) << '\n';
  std::ostream& out =
      job::takes_standard_output(job) ? std::cerr : std::cout;  // one thing per stream
  out << base::in_full(result->text) << std::flush;
  return code(out.good() ? result->code : job::ExitCode::kInternal);
}

// The path of this program; empty where it is part of another (Python).
std::string own_program() {
  const std::filesystem::path program = platform::program_path();
  return program.filename() == platform::program_name("lacuna") ? program.string() : "";
}

bool terminal_has_colors() {
  const char* no_color = std::getenv("NO_COLOR");
  return platform::is_terminal(platform::Stream::kOutput) &&
         (no_color == nullptr || *no_color == '\0');
}

// What run_and_print() takes for a job.
struct ExtraJob {
  ExtraCommand* command = nullptr;
  template <class Self, class Visit>
  static void fields(Self&, Visit&&) {}
};

Result<job::JobOutput> run_job(const ExtraJob& job, const RunContext& run) {
  return job.command->run(run);
}

// What each command is asked, as its options fill it.
struct Jobs {
  explicit Jobs(ExtraCommand* of) : extra{of} {}

  job::TabulateJob tabulate;
  job::SqlJob sql;
  job::ProtectJob protect;
  job::AuditJob audit;
  inference::InferJob infer;
  checking::CheckJob check;
  job::VerifyJob verify;
  job::InspectJob inspect;
  job::PoliciesJob policies;
  argus_run::ArgusJob argus;
  argus_run::ConvertJob convert;
  job::GenerateJob generate;
  job::PtableMakeJob ptable_make;
  job::PtableCheckJob ptable_check;
  job::PtableConvertJob ptable_convert;
  job::ReportJob report;
  job::ExplainJob explain;
  job::ShowJob show;
  job::StoreJob store;
  job::CompareJob compare;
  plan::ReleaseJob release;
  ExtraJob extra;
  mcp::McpJob mcp;
#ifdef LACUNA_SERVE
  serve::ServeJob serve;
#endif
};

class Program {
 public:
  explicit Program(ExtraCommand* extra) : jobs_(extra) {
    add_own_options();
    add_tables();
    add_others();
    jobs_.release.program = own_program();
    add_bench(extra);
    add_serve();
    add_mcp();
    jobs_.show.terminal = terminal_has_colors();
  }

  int run(int argc, char** argv) {
    if (argc > 1 && std::string_view(argv[1]) == "--man")  // what follows is no command to run
      return print_manual({argv + 2, argv + argc});
    json_ = std::find(argv, argv + argc, std::string_view("--json")) != argv + argc;
    if (jobs_.extra.command == nullptr && argc > 1 && std::string_view(argv[1]) == "bench") {
      const Result<int> done = run_bench(argc, argv);
      return done ? *done : refuse(done.error(), json_);
    }
    try {
      app_.parse(argc, argv);
    } catch (const CLI::Success& success) {  // --help, --version
      return app_.exit(success);
    } catch (const CLI::ValidationError& error) {  // the message has all there is to say
      return refuse({ErrorCode::kOptionValue, error.what(), ""}, json_);
    } catch (const CLI::ParseError& error) {
      return refuse_call(parse_error(error, argc, argv));
    }
    if (reference_) {
      std::cout << reference_page(all());
      return code(job::ExitCode::kDone);
    }
    if (errors_) {
      std::cout << errors_page();
      return code(job::ExitCode::kDone);
    }
    if (app_.count("--man") > 0)
      return print_manual(manual_of_);
    if (app_.count("--completion") > 0)
      return print_completion();
    for (std::size_t i = 0; i < commands_.size(); ++i) {
      if (commands_[i].parsed())
        return run_command(i);
    }
    return refuse_call({ErrorCode::kOptionMissing, "a command is needed", ""});
  }

 private:
  struct Action {
    std::function<int()> run;
    const std::string* job_file = nullptr;  // of commands that take jobs
  };

  // Commands that make, protect and judge tables.
  void add_tables() {
    add("tabulate",
        "make a table from records and find its sensitive cells",
        jobs_.tabulate,
        {"threads", "time-limit", "quiet"},
        &jobs_.tabulate.input);
    add("sql", "print the SQL text that makes the sums of a job in a database", jobs_.sql, {});
    add("protect",
        "make a table safe to publish and prove it",
        jobs_.protect,
        {"threads", "seed", "work", "time-limit", "quiet"},
        &jobs_.protect.input);
    add("audit",
        "prove of a release that every requirement holds, or that one does not",
        jobs_.audit,
        {"threads", "time-limit", "quiet"},
        &jobs_.audit.input);
    add("infer",
        "say what a reader can infer from published tables alone",
        jobs_.infer,
        {"threads", "time-limit", "quiet"});
    add("check",
        "say what a folder of outputs tells, together with all that was released before",
        jobs_.check,
        {"threads", "time-limit", "quiet"});
    add("verify", "check a certificate without any solver", jobs_.verify, {}, &jobs_.verify.input);
  }

  // All the others that take a table, a job or a result.
  void add_others() {
    add("inspect", "print what is understood of a table file, as a job", jobs_.inspect, {});
    add("policies", "list the published rules of agencies, or print one", jobs_.policies, {});
    add("argus",
        "run a batch job of tau-ARGUS, audited",
        jobs_.argus,
        {"threads", "seed", "work", "time-limit", "quiet"});
    add("convert", "write a table in another format", jobs_.convert, {}, &jobs_.convert.input);
    add("generate", "make a random table of a given shape", jobs_.generate, {});
    add("ptable make",
        "make a perturbation table for cell keys, by maximum entropy",
        jobs_.ptable_make,
        {"quiet"});
    add("ptable check", "say what is found in a perturbation table", jobs_.ptable_check, {});
    add("ptable convert",
        "write a perturbation table in another format",
        jobs_.ptable_convert,
        {"quiet"});
    add("report",
        "audit a result again and write a page about it",
        jobs_.report,
        {"threads", "time-limit", "quiet"});
    add("explain",
        "say why a cell of a release is withheld, and what could be withheld instead",
        jobs_.explain,
        {"threads", "time-limit", "quiet"});
    add("show", "print a small table, or a release of it", jobs_.show, {});
    add("store",
        "list the releases of a store, and check that all of it is as it was written",
        jobs_.store,
        {});
    add("compare",
        "protect the same table with several methods and compare them",
        jobs_.compare,
        {"threads", "seed", "quiet"});
    add("release",
        "protect the tables of a plan, those that share cells together, and continue an earlier "
        "run",
        jobs_.release,
        {"threads", "quiet"});
  }

  void add_own_options() {
    app_.set_version_flag("--version", "lacuna " + std::string(version()), "print the version");
    app_.add_flag("--reference", reference_, "print the reference page of all options");
    app_.add_flag("--errors", errors_, "print the codes of all errors");
    app_.add_option("--man", manual_of_, "print the page of the manual, or that of a command")
        ->type_name("[COMMAND]")
        ->expected(0, 2);
    std::string shells;
    for (const std::string_view shell : kShells)
      shells += (shells.empty() ? "" : "|") + std::string(shell);
    app_.add_option("--completion", shell_, "print the completion script for this shell")
        ->type_name(shells);
    app_.require_subcommand(0, 1);
  }

  template <class Job>
  void add(const char* name,
           const char* help,
           Job& job,
           std::initializer_list<std::string_view> run_options,
           const std::string* job_file = nullptr) {
    Command& command = commands_.emplace_back(app_, name, help);
    command.add_options_of(job);
    command.add_options_of(run_, run_options);
    actions_.push_back({[this, &job] { return run_and_print(job, run_, json_); }, job_file});
  }

  // `bench` is the command of another program, which is run where it lies beside this one.
  void add_bench(ExtraCommand* extra) {
    const std::string help = "measure a set of runs and compare it with published numbers";
    Command& command = extra != nullptr
                           ? commands_.emplace_back(app_, extra->name(), extra->help())
                           : commands_.emplace_back(app_, "bench", help + " (lacuna-bench)");
    if (extra != nullptr) {
      extra->add_options(command);
      command.add_options_of(run_, {"threads", "seed"});
    }
    actions_.push_back({[this] { return run_and_print(jobs_.extra, run_, json_); }});
  }

#ifdef LACUNA_SERVE
  void add_serve() {
    Command& command =
        commands_.emplace_back(app_, "serve", "open the page in a browser on this machine");
    command.add_options_of(jobs_.serve);
    actions_.push_back({[this] {
      const Interrupt interrupt;
      const Status done = serve::run_server(jobs_.serve, std::cout, std::cerr, interrupt.token());
      return done ? code(job::ExitCode::kDone) : refuse(done.error(), json_);
    }});
  }
#else
  void add_serve() {
    Command& command = commands_.emplace_back(app_, "serve", "open the page in a browser");
    command.hide();
    actions_.push_back({[] {
      std::cerr
          << "lacuna: this program was built without the page, which needs Boost 1.81 or later "
             "(scripts/setup installs it)\n";
      return code(job::ExitCode::kBadInput);
    }});
  }
#endif

  // Messages of the protocol go to standard output, and nothing else does.
  void add_mcp() {
    Command& command = commands_.emplace_back(
        app_, "mcp", "answer an assistant on standard input and output, without numbers of tables");
    command.add_options_of(jobs_.mcp);
    actions_.push_back({[this] {
      const Status done = mcp::run_mcp(jobs_.mcp, std::cin, std::cout);
      return done ? code(job::ExitCode::kDone) : refuse(done.error(), false);
    }});
  }

  int run_command(std::size_t which) {
    Command& command = commands_[which];
    const Action& action = actions_[which];
    if (action.job_file != nullptr) {
      if (const auto applied = apply_job_options(all(), command, *action.job_file); !applied)
        return refuse(applied.error(), json_);
      const auto notes = apply_policy_options(all(), command, *action.job_file);
      if (!notes)
        return refuse(notes.error(), json_);
      for (const std::string& note : *notes) {
        if (!run_.quiet)
          std::cerr << "lacuna: note: " << note << '\n';
      }
    }
    jobs_.protect.given = command.given();
    return action.run();
  }

  ProgramOptions described() const {
    ProgramOptions program;
    for (const CLI::Option* option : app_.get_options()) {
      OwnOption own{{},
                    option->get_items_expected_max() == 0 ? "" : option->get_type_name(),
                    option->get_description(),
                    {}};
      for (const std::string& name : option->get_snames())
        own.names.push_back("-" + name);
      for (const std::string& name : option->get_lnames())
        own.names.push_back("--" + name);
      if (own.names.back() == "--completion")
        own.choices.assign(std::begin(kShells), std::end(kShells));
      program.own.push_back(std::move(own));
    }
    for (const Command& command : commands_) {
      if (!command.hidden())
        program.commands.push_back(&command);
    }
    return program;
  }

  // Of the program, or of the command that these words name, with a blank or a hyphen between two.
  int print_manual(const std::vector<std::string>& words) const {
    const ProgramOptions program = described();
    std::string asked;
    for (const std::string& word : words)
      asked += "-" + word;
    std::vector<std::string> names;
    for (const Command* command : program.commands) {
      if (page_name(*command) == "lacuna" + asked) {
        std::cout << command_manual(*command);
        return code(job::ExitCode::kDone);
      }
      names.push_back(page_name(*command).substr(std::string_view("lacuna-").size()));
    }
    if (!asked.empty()) {
      asked.erase(0, 1);
      return refuse(
          {ErrorCode::kOptionValue,
           "there is no command '" + asked + "'" +
               base::did_you_mean(asked, std::vector<std::string_view>(names.begin(), names.end())),
           "--man"},
          json_);
    }
    std::cout << program_manual(program);
    return code(job::ExitCode::kDone);
  }

  int print_completion() const {
    for (std::size_t i = 0; i < std::size(kShells); ++i) {
      if (shell_ == kShells[i]) {
        std::cout << completion(described(), static_cast<Shell>(i));
        return code(job::ExitCode::kDone);
      }
    }
    return refuse({ErrorCode::kOptionValue,
                   "must be bash, zsh or fish, not '" + shell_ + "'",
                   "--completion"},
                  json_);
  }

  std::vector<const Command*> all() const {
    std::vector<const Command*> commands;
    for (const Command& command : commands_)
      commands.push_back(&command);
    return commands;
  }

  int refuse_call(Error error) const {
    error.message += " (lacuna --help lists the commands)";
    return refuse(error, json_);
  }

  // The name of the command that was asked for; of two words where there are such commands.
  std::string command_words(int argc, char** argv) const {
    const std::string first = argc > 1 ? argv[1] : "";
    const bool of_two =
        std::any_of(commands_.begin(), commands_.end(), [&](const Command& command) {
          return !first.empty() && command.name().starts_with(first + " ");
        });
    return of_two && argc > 2 ? first + " " + argv[2] : first;
  }

  // One line for a call that cannot be understood, with the name that was probably meant.
  Error parse_error(const CLI::ParseError& error, int argc, char** argv) const {
    const std::string first = command_words(argc, argv);
    const auto used = std::find_if(commands_.begin(), commands_.end(), [&](const Command& command) {
      return command.name() == first;
    });
    if (used == commands_.end() && !first.empty() && first[0] != '-') {
      std::vector<std::string_view> known;
      for (const Command& command : commands_)
        known.push_back(command.name());
      return {ErrorCode::kUnknownOption,
              "there is no command '" + first + "'" + base::did_you_mean(first, known),
              ""};
    }
    if (used != commands_.end()) {
      if (auto unknown = unknown_option_of(*used, argc, argv))
        return *std::move(unknown);
    }
    return {ErrorCode::kOptionMissing, error.what(), ""};
  }

  // CLI11 may stumble over the value of an option that it does not know; the name is the news.
  static std::optional<Error> unknown_option_of(const Command& command, int argc, char** argv) {
    std::vector<std::string> names{"--help"};
    for (const OptionInfo& option : command.options()) {
      names.push_back("--" + option.name);
      if (!option.alias.empty())
        names.push_back("--" + option.alias);
    }
    const std::vector<std::string_view> known(names.begin(), names.end());
    for (int i = 2; i < argc; ++i) {
      const std::string_view word(argv[i]);
      const std::string given(word.substr(0, word.find('=')));
      if (given.starts_with("--") && std::find(known.begin(), known.end(), given) == known.end())
        return Error{ErrorCode::kUnknownOption,
                     "the command '" + command.name() + "' has no such option" +
                         base::did_you_mean(given, known),
                     given};
    }
    return std::nullopt;
  }

  CLI::App app_{"Lacuna makes statistical tables safe to publish."};
  bool reference_ = false;
  bool errors_ = false;
  std::vector<std::string> manual_of_;
  std::string shell_;
  bool json_ = false;
  job::RunOptions run_;
  Jobs jobs_;
  std::deque<Command> commands_;
  std::vector<Action> actions_;
};

// Whatever happens is an exit code: the caller may be a process that goes on.
int run_safely(int argc, char** argv, ExtraCommand* extra) {
  try {
    return Program(extra).run(argc, argv);
  } catch (const std::bad_alloc&) {
    std::cerr << "lacuna: " << sensitivity::out_of_memory().text() << '\n';
  } catch (const std::exception& error) {
    std::cerr << "lacuna: internal error: " << error.what() << '\n';
  }
  return code(job::ExitCode::kInternal);
}

}  // namespace

int run_command_line(int argc, char** argv, ExtraCommand* extra) {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  const int exit_code = run_safely(argc, argv, extra);
  std::cout.flush();
  std::fflush(stdout);
  return exit_code;
}

}  // namespace lacuna
