// SPDX-License-Identifier: Apache-2.0
#include "app/job/certified.h"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/load/load.h"
#include "core/platform/memory_file.h"
#include "core/platform/process.h"
#include "core/platform/system.h"
#include "data/certificate/certificate_lines.h"
#include "data/files/file.h"

namespace lacuna::job {
namespace {

std::string proven_program() {
  const char* given =
      std::getenv("LACUNA_PROVEN");  // NOLINT(concurrency-mt-unsafe): nobody sets it
  if (given != nullptr && *given != '\0')
    return given;
  return platform::program_path()
      .replace_filename(platform::program_name("lacuna-proven"))
      .string();
}

struct Answer {
  int code = 0;
  std::string said;
};

// What a program says, of which the first of the words is the name. What it reads and says are
// files in memory: evidence is confidential, and no disk should keep it. Nothing: it cannot be started.
std::optional<Answer> answer_of(const std::vector<std::string>& words,
                                const platform::Redirection& input,
                                const std::vector<const platform::MemoryFile*>& handed) {
  const auto out = platform::MemoryFile::make({});
  if (!out)
    return std::nullopt;
  const platform::Redirection to{platform::Redirection::Kind::kMemory, "", &*out};
  const auto program = platform::Process::start(words, {input, to, to, handed});
  const auto ended = program ? program->wait() : std::nullopt;
  const Result<std::string> bytes = out->bytes();
  if (!ended || ended->signal != 0 || !bytes)
    return std::nullopt;
  std::string said = *bytes;
  while (said.ends_with('\n'))
    said.pop_back();
  return Answer{ended->code, std::move(said)};
}

std::string verifier_script() {
  const char* given =
      std::getenv("LACUNA_VERIFIER");  // NOLINT(concurrency-mt-unsafe): nobody sets it
  if (given != nullptr && *given != '\0')
    return given;
  const std::filesystem::path folder = platform::program_path().parent_path();
  std::error_code trouble;
  for (const std::filesystem::path place : {"verify_certificate.py", "../scripts/verify_certificate.py"}) {
    if (std::filesystem::exists(folder / place, trouble))
      return (folder / place).string();
  }
  return "";
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
  const auto in = platform::MemoryFile::make(lines);
  if (!in)
    return Error{ErrorCode::kUnsupported, "there is no memory for the proven checker", certificate};
  const std::string program = proven_program();
  const platform::Redirection from{platform::Redirection::Kind::kMemory, "", &*in};
  const auto answer = answer_of({program, "-"}, from, {});
  if (!answer) {
    return Error{ErrorCode::kUnsupported,
                 "the proven checker cannot be run: make proof builds it, and LACUNA_PROVEN may "
                 "name another place (docs/proof.md)",
                 program};
  }
  if (answer->code == kRefused)
    return refused("the proven checker", answer->said, certificate);
  return answer->said;
}

Result<std::string> verifier_answer(const std::string& problem_json,
                                    const std::string& certificate_json,
                                    bool zeros_are_stated,
                                    const std::string& certificate) {
  const auto table = platform::MemoryFile::make(problem_json);
  const auto evidence = platform::MemoryFile::make(certificate_json);
  if (!table || !evidence)
    return Error{ErrorCode::kUnsupported, "there is no memory for the verifier", certificate};
  const std::string script = verifier_script();
  std::optional<Answer> answer;
  std::error_code trouble;
  if (std::filesystem::exists(script, trouble)) {
    answer = answer_of({"python3",
                        script,
                        platform::handed_path(*table, 0),
                        platform::handed_path(*evidence, 1),
                        "--zero-levels",
                        zeros_are_stated ? "stated" : "raised"},
                       {},
                       {&*table, &*evidence});
  }
  if (!answer) {
    return Error{ErrorCode::kUnsupported,
                 "the verifier in Python cannot be run: it needs python3 and "
                 "scripts/verify_certificate.py, for which LACUNA_VERIFIER may name another place",
                 script};
  }
  if (answer->code == kRefused)
    return refused("the verifier in Python", answer->said, certificate);
  return answer->said;
}

}  // namespace lacuna::job
