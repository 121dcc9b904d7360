// SPDX-License-Identifier: Apache-2.0
#include "inputs.h"

#include <filesystem>
#include <memory>

#include "data/columns/arrow_c_reader.h"
#include "data/columns/shared_source.h"
#include "errors.h"

namespace lacuna::c {
namespace {

std::string name_of(const char* given, const lacuna_inputs& inputs) {
  std::string name = text_of(given, "name");
  if (name.empty())
    misuse("name is empty");
  if (inputs.held.is_held(name))
    misuse("there is an input " + name + " already");
  return name;
}

void find_frames(const std::vector<SpecSource>& sources, const lacuna_inputs* given) {
  for (const SpecSource& source : sources) {
    if (source.kind != SpecSource::Kind::kFrame)
      continue;
    if (given == nullptr || !given->held.frames.contains(source.name))
      fail({ErrorCode::kMissingKey,
            "the spec names a frame that is not among the inputs; lacuna_inputs_add_stream() adds "
            "it",
            source.name});
  }
}

}  // namespace

load::Inputs inputs_for(const lacuna_inputs* given, const std::string& folder) {
  load::Inputs inputs;
  if (given == nullptr)
    return inputs;
  const load::Inputs& held = needed(given, "inputs").held;
  const auto placed = [&](const std::string& name) {
    return (std::filesystem::path(folder) / name).string();
  };
  for (const auto& [name, text] : held.texts)
    inputs.texts[placed(name)] = text;
  for (const auto& [name, open] : held.frames)
    inputs.frames[name] = open;
  return inputs;
}

load::Inputs files_for(const lacuna_inputs* given) {
  load::Inputs inputs = inputs_for(given, "");
  for (const auto& [name, open] : inputs.frames)
    inputs.texts[name] = value_or_fail(inputs.read(name));
  inputs.frames.clear();
  return inputs;
}

void find_frames(spec::ReadSpec& spec, const lacuna_inputs* given) {
  find_frames(spec.job.input.table, given);
  find_frames(spec.job.input.records, given);
}

}  // namespace lacuna::c

extern "C" {

using namespace lacuna;
using namespace lacuna::c;

lacuna_status lacuna_inputs_new(lacuna_inputs** out, lacuna_error** error) {
  return guarded(error, [&] { place_of(out, "out") = new lacuna_inputs; });
}

lacuna_status lacuna_inputs_add_stream(lacuna_inputs* inputs,
                                       const char* name,
                                       ArrowArrayStream* stream,
                                       lacuna_error** error) {
  return guarded(error, [&] {
    if (stream == nullptr || stream->release == nullptr)
      misuse(stream == nullptr ? "stream is NULL" : "the stream was released already");
    // Taken over before anything can fail.
    const std::shared_ptr<columns::ColumnSource> columns =
        value_or_fail(columns::columns_of_stream(*stream));
    const std::string held = name_of(name, needed(inputs, "inputs"));
    inputs->held.frames[held] = [columns]() -> Result<std::unique_ptr<columns::ColumnSource>> {
      return columns::shared_source(columns);
    };
  });
}

lacuna_status lacuna_inputs_add_text(lacuna_inputs* inputs,
                                     const char* name,
                                     const char* bytes,
                                     std::size_t size,
                                     lacuna_error** error) {
  return guarded(error, [&] {
    const std::string held = name_of(name, needed(inputs, "inputs"));
    if (bytes == nullptr && size > 0)
      misuse("bytes is NULL");
    inputs->held.texts[held] = size > 0 ? std::string(bytes, size) : std::string();
  });
}

void lacuna_inputs_free(lacuna_inputs* inputs) {
  delete inputs;
}

}  // extern "C"
