// SPDX-License-Identifier: Apache-2.0
#include "app/job/certified.h"

#include <cstdlib>
#include <filesystem>
#include <utility>

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

// Standard input is `in`, all that it says goes to `out`. Both are files in memory: evidence is
// confidential, and no disk should keep it. Errors: it cannot be started.
Result<int> run_program(const std::string& program,
                        const platform::MemoryFile& in,
                        const platform::MemoryFile& out) {
  using Kind = platform::Redirection::Kind;
  const platform::Redirection from{Kind::kMemory, "", &in}, to{Kind::kMemory, "", &out};
  const auto checker = platform::Process::start({program, "-"}, {from, to, to});
  const auto ended = checker ? checker->wait() : std::nullopt;
  if (!ended || ended->signal != 0) {
    return Error{ErrorCode::kUnsupported,
                 "the proven checker cannot be run: make proof builds it, and LACUNA_PROVEN may "
                 "name another place (docs/proof.md)",
                 program};
  }
  return ended->code;
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
  const auto in = platform::MemoryFile::make(lines), out = platform::MemoryFile::make({});
  if (!in || !out)
    return Error{ErrorCode::kUnsupported, "there is no memory for the proven checker", certificate};
  const std::string program = proven_program();
  LACUNA_TRY(const int code, run_program(program, *in, *out));
  LACUNA_TRY(std::string said, out->bytes());
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
