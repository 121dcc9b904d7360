// SPDX-License-Identifier: Apache-2.0
#include "data/publish/sdmx_json.h"

#include <set>

#include "core/base/json_writer.h"
#include "data/publish/cross_cells.h"
#include "data/publish/meaning.h"
#include "data/publish/public_table.h"
#include "data/publish/sdmx_id.h"

namespace lacuna::publish {
namespace {

constexpr std::string_view kEnding = ".sdmx.json";

void write_codes(base::JsonWriter& json, const Dimension& dimension) {
  std::vector<std::int32_t> parents(static_cast<std::size_t>(dimension.num_codes()), -1);
  for (const auto& [parent, children] : first_sums(dimension)) {
    for (const std::int32_t child : children) {
      std::int32_t& known = parents[static_cast<std::size_t>(child)];
      known = known < 0 ? parent : known;
    }
  }
  json.key("values").list([&] {
    for (std::int32_t code = 0; code < dimension.num_codes(); ++code) {
      json.object([&] {
        json.member("id", dimension.code(code)).member("name", dimension.code(code));
        if (const std::int32_t parent = parents[static_cast<std::size_t>(code)]; parent >= 0)
          json.member("parent", dimension.code(parent));
      });
    }
  });
}

void write_dimensions(base::JsonWriter& json, const PublicRelease& release) {
  const Table& table = release.release.problem().table();
  std::set<std::string> taken{"OBS_VALUE", "OBS_STATUS", "CONF_STATUS"};
  std::int32_t position = 0;
  json.line().key("dimensions").object([&] {
    json.key("observation").list(release.tables.front().dimensions, [&](std::size_t d) {
      const Dimension& dimension = table.dimensions()[d];
      std::string id = sdmx_id(dimension.name());
      while (!taken.insert(id).second)
        id += '_';
      json.line().object([&] {
        json.member("id", id).member("name", dimension.name()).member("keyPosition", position++);
        write_codes(json, dimension);
      });
    });
  });
}

void write_attribute(base::JsonWriter& json,
                     std::string_view id,
                     std::string_view name,
                     const std::vector<std::pair<std::string_view, std::string_view>>& values) {
  json.line().object([&] {
    json.member("id", id).member("name", name);
    json.key("values").list(values, [&](const auto& value) {
      json.object([&] { json.member("id", value.first).member("name", value.second); });
    });
  });
}

void write_structure(base::JsonWriter& json, const PublicRelease& release, bool conf_status) {
  json.object([&] {
    json.member("name", shown_title(release)).key("dataSets").list([&] { json.value(0); });
    write_dimensions(json, release);
    json.line().key("measures").object([&] {
      json.key("observation").list([&] {
        json.object([&] { json.member("id", "OBS_VALUE").member("name", "Observation value"); });
      });
    });
    json.line().key("attributes").object([&] {
      json.key("observation").list([&] {
        write_attribute(json,
                        "OBS_STATUS",
                        "Observation status",
                        {{"A", "Normal value"}, {"Q", "Missing value; suppressed"}});
        if (conf_status)
          write_attribute(json,
                          "CONF_STATUS",
                          "Confidentiality status",
                          {{"F", "Free"}, {"C", "Confidential statistical information"}});
      });
    });
    json.line().key("annotations").list(notes_with_meaning(release), [&](const std::string& note) {
      json.object([&] { json.member("type", "NOTE").member("text", note); });
    });
  });
}

Status write_observations(base::JsonWriter& json,
                          const PublicRelease& release,
                          const Cross& cross,
                          bool conf_status) {
  Status status = ok_status();
  json.line().key("observations").object([&] {
    for (const CrossCell& cell : cross.cells) {
      const auto shown = public_cell(release, cell.cell);
      if (!shown) {
        status = shown.error();
        return;
      }
      std::string key;
      for (const std::int32_t code : cell.codes)
        key += (key.empty() ? "" : ":") + std::to_string(code);
      const std::optional<std::string>& value = shown->numbers[0];
      json.line().key(key).list([&] {
        if (value)
          json.raw(*value);
        else
          json.null();
        json.value(value ? 0 : 1);
        if (conf_status)
          json.value(value ? 0 : 1);
      });
    }
  });
  return status;
}

}  // namespace

Result<std::string> public_sdmx_json(const PublicRelease& release) {
  LACUNA_TRY(const Cross cross, cross_of(release, kEnding));
  const bool conf_status = release.options.flags != files::FlagChoice::kNone;
  const std::string flow = dataflow_of(release);
  Status status = ok_status();
  std::string text = base::json_object([&](base::JsonWriter& json) {
    json.key("meta").object([&] {
      json.member("id", flow).member("test", false);
      if (!release.facts.date.empty())
        json.member("prepared", release.facts.date + "T00:00:00Z");
      json.key("sender").object([&] { json.member("id", flow.substr(0, flow.find(':'))); });
    });
    json.line().key("data").object([&] {
      json.key("structures").list([&] { write_structure(json, release, conf_status); });
      json.line().key("dataSets").list([&] {
        json.object([&] {
          json.member("structure", 0).member("action", "Information");
          if (const auto notes = notes_with_meaning(release); !notes.empty()) {
            std::int32_t note = 0;
            json.key("annotations").list(notes, [&](const std::string&) { json.value(note++); });
          }
          status = write_observations(json, release, cross, conf_status);
        });
      });
    });
  });
  if (!status)
    return status.error();
  return text + "\n";
}

}  // namespace lacuna::publish
