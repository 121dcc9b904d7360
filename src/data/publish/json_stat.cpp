// SPDX-License-Identifier: Apache-2.0
#include "data/publish/json_stat.h"

#include "core/base/json_writer.h"
#include "data/publish/cross_cells.h"
#include "data/publish/meaning.h"
#include "data/publish/public_table.h"

namespace lacuna::publish {
namespace {

constexpr std::string_view kEnding = ".jsonstat.json";

struct Cells {
  std::vector<std::size_t> places;
  std::vector<std::optional<std::string>> values;
};

void write_dimension(base::JsonWriter& json, const Dimension& dimension) {
  const auto code = [&](std::int32_t index) { return std::string_view(dimension.code(index)); };
  json.line().key(dimension.name()).object([&] {
    json.member("label", dimension.name());
    json.key("category").object([&] {
      json.key("index").values(dimension.codes());
      json.key("child").object([&] {
        for (const auto& [parent, children] : first_sums(dimension))
          json.key(code(parent)).list(children, [&](std::int32_t child) {
            json.value(code(child));
          });
      });
    });
  });
}

void write_values(base::JsonWriter& json, const Cells& cells, bool dense) {
  const auto one = [&](std::size_t i) {
    if (cells.values[i])
      json.raw(*cells.values[i]);
    else
      json.null();
  };
  json.line().key("value");
  if (dense) {
    json.list([&] {
      for (std::size_t i = 0; i < cells.places.size(); ++i)
        one(i);
    });
    return;
  }
  json.object([&] {
    for (std::size_t i = 0; i < cells.places.size(); ++i) {
      json.key(std::to_string(cells.places[i]));
      one(i);
    }
  });
}

std::string status_word(files::FlagChoice flags) {
  PublicCell withheld;
  return public_flag(withheld, flags == files::FlagChoice::kAuto ? files::FlagChoice::kC : flags);
}

void write_statuses(base::JsonWriter& json, const Cells& cells, const std::string& word) {
  json.line().key("status").object([&] {
    for (std::size_t i = 0; i < cells.places.size(); ++i) {
      if (!cells.values[i])
        json.member(std::to_string(cells.places[i]), word);
    }
  });
}

void write_extension(base::JsonWriter& json,
                     const PublicRelease& release,
                     const std::string& word) {
  const std::string meaning = meaning_json(release);
  if (word.empty() && meaning.empty())
    return;
  json.line().key("extension").object([&] {
    if (!word.empty())
      json.key("status").object([&] {
        json.key("label").object([&] { json.member(word, "withheld for confidentiality"); });
      });
    if (!meaning.empty())
      json.key("meaning").raw(meaning);
  });
}

}  // namespace

Result<std::string> public_json_stat(const PublicRelease& release) {
  LACUNA_TRY(const Cross cross, cross_of(release, kEnding));
  Cells cells;
  bool any_withheld = false;
  for (const CrossCell& cell : cross.cells) {
    LACUNA_TRY(const PublicCell shown, public_cell(release, cell.cell));
    cells.places.push_back(cell.place);
    cells.values.push_back(shown.numbers[0]);
    any_withheld = any_withheld || !shown.numbers[0];
  }
  const Table& table = release.release.problem().table();
  const files::TableView& view = release.tables.front();
  const std::string word = status_word(release.options.flags);
  std::string text = base::json_object([&](base::JsonWriter& json) {
    json.member("version", "2.0").member("class", "dataset").member("label", shown_title(release));
    if (!release.facts.date.empty())
      json.member("updated", release.facts.date);
    if (const auto notes = notes_with_meaning(release); !notes.empty())
      json.line().key("note").values(notes);
    json.line().key("id").list(view.dimensions,
                               [&](std::size_t d) { json.value(table.dimensions()[d].name()); });
    json.key("size").list(view.dimensions,
                          [&](std::size_t d) { json.value(table.dimensions()[d].num_codes()); });
    json.line().key("dimension").object([&] {
      for (const std::size_t d : view.dimensions)
        write_dimension(json, table.dimensions()[d]);
    });
    write_values(json, cells, cross.cells.size() == cross.places);
    const bool has_statuses = any_withheld && !word.empty();
    if (has_statuses)
      write_statuses(json, cells, word);
    write_extension(json, release, has_statuses ? word : "");
  });
  return text + "\n";
}

}  // namespace lacuna::publish
