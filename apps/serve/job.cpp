// SPDX-License-Identifier: Apache-2.0
#include "apps/serve/job.h"

#include "app/job/job_keys.h"
#include "data/spec/spec_edit.h"
#include "data/spec/spec_text.h"

namespace lacuna::serve {
namespace {

const std::string kName = "job.toml";

Json keys_json(const std::vector<job::JobKey>& keys) {
  Json list = Json::array();
  for (const job::JobKey& key : keys) {
    Json& told = list.emplace_back(Json{{"name", key.name},
                                        {"help", key.help},
                                        {"kind", key.kind},
                                        {"choices", key.choices},
                                        {"absent", key.absent},
                                        {"of", key.of}});
    if (!key.keys.empty())
      told["keys"] = keys_json(key.keys);
  }
  return list;
}

}  // namespace

Json job_json(const std::string& text, const std::string& filename) {
  Json told{{"text", text}, {"spec", nullptr}, {"lines", Json::object()}};
  auto read = spec::value_from_toml(text, filename);
  if (!read) {
    told["error"] = error_json(read.error())["error"];
    return told;
  }
  const spec::SpecValue value = in_lists(*std::move(read));
  told["spec"] = Json::parse(json_of(value), nullptr, false);
  for (const auto& [path, line] : lines_of(value))
    told["lines"][path] = line;
  if (const auto spec = read_spec(value, filename); !spec)
    told["error"] = error_json(spec.error())["error"];
  return told;
}

Result<std::string> sent_job(const Json& job) {
  if (job.is_string())
    return job.get<std::string>();
  if (!job.is_object())
    return Error{
        ErrorCode::kJobValue, "a job must be a text, or an object with its sections", "job"};
  LACUNA_TRY(const spec::SpecValue value, spec::value_from_json(dump(job), kName));
  return spec::toml_of(spec::in_lists(value));
}

Result<Json> edited_job(const Json& spec, const std::string& before) {
  LACUNA_TRY(const spec::SpecValue now, spec::value_from_json(dump(spec), kName));
  LACUNA_TRY(const spec::EditedText edited, spec::edited_toml(before, now));
  Json told = job_json(edited.text, kName);
  told["lost"] = edited.lost;
  return told;
}

Json job_keys_json() {
  return keys_json(job::job_keys());
}

}  // namespace lacuna::serve
