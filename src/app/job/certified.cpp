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
#include <span>
#include <utility>
#include <vector>

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

std::string program_folder() {
  std::error_code trouble;
  return std::filesystem::read_symlink("/proc/self/exe", trouble).parent_path().string();
}

std::string proven_program() {
  const char* given =
      std::getenv("LACUNA_PROVEN");  // NOLINT(concurrency-mt-unsafe): nobody sets it
  if (given != nullptr && *given != '\0')
    return given;
  return program_folder() + "/lacuna-proven";
}

// Where a program finds what stands in memory, if that is not its standard input: under numbers that
// nothing else has.
constexpr int kFirstInput = 100;

// The first word is the program; all that it says goes to `out`. -1: it cannot be started.
int run_program(std::vector<std::string> words,
                std::span<const MemoryFile* const> inputs,
                int first_input,
                const MemoryFile& out) {
  std::vector<char*> pointers;
  for (std::string& word : words)
    pointers.push_back(word.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (std::size_t k = 0; k < inputs.size(); ++k)
    posix_spawn_file_actions_adddup2(
        &actions, inputs[k]->descriptor(), first_input + static_cast<int>(k));
  posix_spawn_file_actions_adddup2(&actions, out.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.descriptor(), STDERR_FILENO);
  pid_t child = 0;
  const int failed =
      posix_spawnp(&child, pointers.front(), &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (failed != 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
    return -1;
  return WEXITSTATUS(status);
}

std::string verifier_script() {
  const char* given =
      std::getenv("LACUNA_VERIFIER");  // NOLINT(concurrency-mt-unsafe): nobody sets it
  if (given != nullptr && *given != '\0')
    return given;
  const std::string beside = program_folder() + "/verify_certificate.py";
  std::error_code trouble;
  if (std::filesystem::exists(beside, trouble))
    return beside;
  return program_folder() + "/../scripts/verify_certificate.py";
}

std::string without_last_break(std::string said) {
  while (said.ends_with('\n'))
    said.pop_back();
  return said;
}

Error refused(const std::string& who, const std::string& said, const std::string& certificate) {
  return {ErrorCode::kWrongEvidence,
          who + " refuses it: " + said.substr(0, said.find('\n')),
          certificate};
}

constexpr int kRefused = 1;

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
  const MemoryFile* const inputs[] = {&in};
  const int code = run_program({program, "-"}, inputs, STDIN_FILENO, out);
  if (code < 0) {
    return Error{ErrorCode::kUnsupported,
                 "the proven checker cannot be run: make proof builds it, and LACUNA_PROVEN may "
                 "name another place (docs/proof.md)",
                 program};
  }
  const std::string said = without_last_break(out.read());
  if (code == kRefused)
    return refused("the proven checker", said, certificate);
  return said;
}

Result<std::string> verifier_answer(const std::string& problem_json,
                                    const std::string& certificate_json,
                                    bool zeros_are_stated,
                                    const std::string& certificate) {
  const MemoryFile table, evidence, out;
  if (table.descriptor() < 0 || evidence.descriptor() < 0 || out.descriptor() < 0 ||
      !table.write(problem_json) || !evidence.write(certificate_json))
    return Error{ErrorCode::kUnsupported, "there is no memory for the verifier", certificate};
  const std::string script = verifier_script();
  const auto input = [](int k) { return "/dev/fd/" + std::to_string(kFirstInput + k); };
  const MemoryFile* const inputs[] = {&table, &evidence};
  std::error_code trouble;
  const int code = !std::filesystem::exists(script, trouble)
                       ? -1
                       : run_program({"python3",
                                      script,
                                      input(0),
                                      input(1),
                                      "--zero-levels",
                                      zeros_are_stated ? "stated" : "raised"},
                                     inputs,
                                     kFirstInput,
                                     out);
  if (code < 0) {
    return Error{ErrorCode::kUnsupported,
                 "the verifier in Python cannot be run: it needs python3 and "
                 "scripts/verify_certificate.py, for which LACUNA_VERIFIER may name another place",
                 script};
  }
  const std::string said = without_last_break(out.read());
  if (code == kRefused)
    return refused("the verifier in Python", said, certificate);
  return said;
}

}  // namespace lacuna::job
