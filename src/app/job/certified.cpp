// SPDX-License-Identifier: Apache-2.0
#include "app/job/certified.h"

#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "app/load/load.h"
#include "data/certificate/certificate_lines.h"
#include "data/files/file.h"

namespace lacuna::job {
namespace {

// A file in memory: evidence is confidential, and no disk should keep it.
class MemoryFile {
 public:
  MemoryFile() : file_(memfd_create("lacuna", MFD_CLOEXEC)) {}
  ~MemoryFile() {
    if (file_ >= 0)
      close(file_);
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int descriptor() const { return file_; }

  bool write(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t done = ::write(file_, text.data(), text.size());
      if (done < 0 && errno != EINTR)
        return false;
      text.remove_prefix(done < 0 ? 0 : static_cast<std::size_t>(done));
    }
    return lseek(file_, 0, SEEK_SET) == 0;
  }

  std::string read() const {  // all of it
    std::string text;
    std::array<char, 4096> some{};
    lseek(file_, 0, SEEK_SET);
    for (ssize_t got = 1; got > 0;) {
      got = ::read(file_, some.data(), some.size());
      text.append(some.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
    }
    return text;
  }

 private:
  int file_;
};

std::string proven_program() {
  const char* given =
      std::getenv("LACUNA_PROVEN");  // NOLINT(concurrency-mt-unsafe): nobody sets it
  if (given != nullptr && *given != '\0')
    return given;
  std::error_code trouble;
  return std::filesystem::read_symlink("/proc/self/exe", trouble)
      .replace_filename("lacuna-proven")
      .string();
}

// Standard input is `in`, all that it says goes to `out`. Errors: it cannot be started.
Result<int> run_program(std::string program, const MemoryFile& in, const MemoryFile& out) {
  std::string from = "-";
  const std::array<char*, 3> words{program.data(), from.data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.descriptor(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.descriptor(), STDERR_FILENO);
  pid_t child = 0;
  const int failed = posix_spawn(&child, program.c_str(), &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (failed != 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) {
    return Error{ErrorCode::kUnsupported,
                 "the proven checker cannot be run: make proof builds it, and LACUNA_PROVEN may "
                 "name another place (docs/proof.md)",
                 program};
  }
  return WEXITSTATUS(status);
}

}  // namespace

Result<Certified> load_certified(const CertifiedFiles& files,
                                 const load::Assessment& asked,
                                 const load::Inputs& inputs,
                                 const RunContext& run) {
  Certified found;
  load::Assessment what = asked;
  what.derived = files.pattern;
  LACUNA_TRY(found.ready, load::load_prepared(files.table, run, inputs, what));
  Problem& problem = found.ready.problem;
  LACUNA_TRY(found.certificate,
             load::load_certificate(files.certificate, problem, inputs, &found.withheld));
  if (!files.pattern.empty()) {
    LACUNA_TRY(
        const Draft wanted,
        load::load_release(
            files.pattern, problem, {}, {}, found.ready.together ? found.ready.inputs : inputs));
    if (!same_release(problem.table(), wanted, found.certificate.draft)) {
      return Error{ErrorCode::kOtherTable,
                   "the certificate is for another release than " + files.pattern,
                   files.certificate};
    }
  }
  return found;
}

Status write_certified_lines(const CertifiedFiles& given,
                             const load::Assessment& asked,
                             const load::Inputs& inputs,
                             const std::string& output,
                             const RunContext& run) {
  LACUNA_TRY(const Certified opened, load_certified(given, asked, inputs, run));
  return files::write_file_atomically(
      output, certificate::certificate_lines(opened.ready.problem, opened.certificate));
}

Result<std::string> proven_answer(const std::string& lines, const std::string& certificate) {
  const MemoryFile in, out;
  if (in.descriptor() < 0 || out.descriptor() < 0 || !in.write(lines))
    return Error{ErrorCode::kUnsupported, "there is no memory for the proven checker", certificate};
  const std::string program = proven_program();
  LACUNA_TRY(const int code, run_program(program, in, out));
  std::string said = out.read();
  while (said.ends_with('\n'))
    said.pop_back();
  constexpr int kRefused = 1;
  if (code == kRefused)
    return Error{ErrorCode::kWrongEvidence,
                 "the proven checker refuses it: " + said.substr(0, said.find('\n')),
                 certificate};
  return said;
}

}  // namespace lacuna::job
