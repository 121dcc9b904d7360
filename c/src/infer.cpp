// SPDX-License-Identifier: Apache-2.0
// What readers can infer from published tables alone. Nothing confidential is known here: what
// comes out are intervals and sums of what is published.
#include "app/inference/infer_job.h"
#include "app/inference/output.h"
#include "inputs.h"
#include "run.h"
#include "texts.h"

extern "C" {

using namespace lacuna;
using namespace lacuna::c;

lacuna_status lacuna_infer(const char* const* files,
                           std::size_t count,
                           const char* options,
                           const lacuna_inputs* inputs,
                           lacuna_run* run,
                           lacuna_inference** out,
                           lacuna_error** error) {
  return guarded(error, [&] {
    lacuna_inference*& target = place_of(out, "out");
    if (files == nullptr || count == 0)
      misuse("files is empty: name at least one published table");
    const session::GivenOptions given = given_options(options);
    refuse_options(given, {"files", "certificate", "report", "verifier", "json", "proofs", "most"});
    job::RunOptions limits;
    inference::InferJob job;
    ok_or_fail(session::set_options(job, limits, given, {}));
    for (std::size_t i = 0; i < count; ++i)
      job.files.push_back(lacuna::c::text_of(files[i], "files"));
    job.inputs.texts = files_for(inputs).texts;
    auto done = wait_for<inference::Inference>(
        run, limits, [&](const RunContext& context) { return inference::run_infer(job, context); });
    target = new lacuna_inference{Mark::kInference, std::move(done.value)};
  });
}

lacuna_status lacuna_inference_too_narrow(const lacuna_inference* inference,
                                          std::int32_t* too_narrow,
                                          lacuna_error** error) {
  return guarded(error, [&] {
    if (too_narrow == nullptr)
      misuse("too_narrow is NULL");
    *too_narrow = needed(inference, "inference").held.is_too_narrow() ? 1 : 0;
  });
}

lacuna_status lacuna_inference_report(const lacuna_inference* inference,
                                      char** json,
                                      lacuna_error** error) {
  return guarded(error, [&] {
    char*& target = place_of(json, "json");
    target = copy_of(inference_json(needed(inference, "inference").held));
  });
}

lacuna_status lacuna_inference_certificate(const lacuna_inference* inference,
                                           char** json,
                                           lacuna_error** error) {
  return guarded(error, [&] {
    char*& target = place_of(json, "json");
    target = copy_of(inference_certificate(needed(inference, "inference").held));
  });
}

lacuna_status lacuna_inference_page(const lacuna_inference* inference,
                                    char** html,
                                    lacuna_error** error) {
  return guarded(error, [&] {
    char*& target = place_of(html, "html");
    target = copy_of(inference_page(needed(inference, "inference").held));
  });
}

void lacuna_inference_free(lacuna_inference* inference) {
  delete inference;
}

}  // extern "C"
