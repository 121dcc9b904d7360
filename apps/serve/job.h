// SPDX-License-Identifier: Apache-2.0
// The job of a table as the page has it: its text (TOML), its value (JSON, the same keys), and the
// lines of both. Forms change the value, an editor changes the text; the readers and writers of the
// program turn one into the other, so that the page has none of its own.
#pragma once

#include <optional>
#include <string>

#include "apps/serve/json.h"
#include "lacuna/result.h"

namespace lacuna::serve {

// {"text":..,"spec":{..},"lines":{"rule[0].n":12},"error":{..}}. `spec` is null if the text is no
// TOML; `error`, what is wrong with either, may be absent.
Json job_json(const std::string& text, const std::string& filename);

// A job that was sent, text or value, as text. Errors: it is neither.
Result<std::string> sent_job(const Json& job);

// A value in the place of that of a text: the new job, with "lost", the comments of what went with
// it. Errors: the text before is no TOML, the value holds null.
Result<Json> edited_job(const Json& spec, const std::string& before);

// All keys that a job may have (app/job/job_keys.h).
Json job_keys_json();

}  // namespace lacuna::serve
