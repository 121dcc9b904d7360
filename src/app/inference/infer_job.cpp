// SPDX-License-Identifier: Apache-2.0
#include "app/inference/infer_job.h"

#include "app/inference/output.h"
#include "app/job/file_roles.h"
#include "app/report/verifier_part.h"
#include "data/files/file.h"

namespace lacuna::inference {

Result<Inference> run_infer(const InferJob& job, const RunContext& given) {
  LACUNA_RETURN_IF_ERROR(job::check_files(job));
  if (job.files.empty())
    return Error{ErrorCode::kOptionMissing, "name at least one published table", "PUBLIC"};
  if (!job.report.empty() && !job.report.ends_with(".html"))
    return Error{ErrorCode::kOutputName, "the page must end in .html", "--report " + job.report};
  if (job.verifier && job.report.empty())
    return Error{ErrorCode::kOptionMissing,
                 "the program that checks the proofs is part of a page: name it with --report",
                 "--verifier"};
  const RunContext run = with_helpers(with_progress(given));
  LACUNA_TRY(Inference made, infer(job.files, job.inputs, job.options, run));
  if (!job.certificate.empty())
    LACUNA_RETURN_IF_ERROR(
        files::write_file_atomically(job.certificate, inference_certificate(made)));
  if (!job.report.empty()) {
    std::string page = inference_page(made);
    if (job.verifier)
      page = report::with_verifier(std::move(page), inference_certificate(made));
    LACUNA_RETURN_IF_ERROR(files::write_file_atomically(job.report, page));
  }
  return made;
}

Result<job::JobOutput> run_job(const InferJob& job, const RunContext& run) {
  LACUNA_TRY(const Inference made, run_infer(job, run));
  const job::ExitCode code =
      made.is_too_narrow() ? job::ExitCode::kNotProtected : job::ExitCode::kDone;
  return job::JobOutput{code,
                        job.json
                            ? inference_json(made)
                            : inference_text(made, static_cast<std::size_t>(job.most), job.proofs)};
}

}  // namespace lacuna::inference
