// SPDX-License-Identifier: Apache-2.0
// A job that is written and read again is the same job, as TOML and as JSON, whatever it says. The
// jobs are drawn by the lists of keys that readers and writers go by, so a new key is drawn, too.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/random.h"
#include "data/spec/parts.h"
#include "data/spec/spec_edit.h"
#include "data/spec/spec_text.h"
#include "property/seeds.h"

namespace lacuna {
namespace {

class Drawer {
 public:
  Drawer(std::uint64_t seed, std::string_view kind) : random_(seed), kind_(kind) {}

  JobSpec job() {
    JobSpec job;
    draw(FieldInfo{}, job);
    if (kind_ == "records" && job.input.records.empty())
      job.input.records = {{SpecSource::Kind::kFile, "records.csv"}};
    if (kind_ == "table") {
      job.input.records.clear();
      job.input.table.push_back({SpecSource::Kind::kFrame, text()});
    }
    return job;
  }

 private:
  bool chance(int one_in) { return random_.chance(1, one_in); }
  int below(int most) { return static_cast<int>(random_.between(0, most - 1)); }

  std::string text() {
    static const std::vector<std::string> pieces{"a",
                                                 "B",
                                                 "7",
                                                 " ",
                                                 "\"",
                                                 "\\",
                                                 "'",
                                                 "\n",
                                                 "\t",
                                                 "\x7f",
                                                 "ß",
                                                 "€",
                                                 "𝛼",
                                                 "#",
                                                 "=",
                                                 "[",
                                                 "%",
                                                 ".",
                                                 "-"};
    std::string drawn;
    for (int i = below(6) + 1; i > 0; --i)
      drawn += pieces[static_cast<std::size_t>(below(static_cast<int>(pieces.size())))];
    return drawn;
  }

  std::string number() {
    static const std::vector<std::string> numbers{"0",
                                                  "-1",
                                                  "0.1",
                                                  "12345678901234567",
                                                  "123456789012345678901",
                                                  "1e3",
                                                  "007",
                                                  "+5",
                                                  "10%",
                                                  "unbounded",
                                                  "3.140",
                                                  "-0.50",
                                                  ".5",
                                                  "nan"};
    return numbers[static_cast<std::size_t>(below(static_cast<int>(numbers.size())))];
  }

  template <spec::IsPart Part>
  void draw(const FieldInfo& around, Part& part) {
    std::string_view kind = kind_;
    if constexpr (std::is_same_v<Part, JobSpec::Rule>) {
      const auto types = JobSpec::Rule::types();
      part.type = types[static_cast<std::size_t>(below(static_cast<int>(types.size())))];
      kind = part.type;
    } else if constexpr (std::is_same_v<Part, JobSpec::CellFact>) {
      kind = around.name;
    }
    Part::fields(part, [&](const FieldInfo& info, auto& field) {
      const bool is_type = std::is_same_v<Part, JobSpec::Rule> && info.name == "type";
      if (spec::belongs_to(info, kind) && !is_type && chance(2))
        draw(info, field);
    });
  }

  template <class Item>
  void draw(const FieldInfo& info, std::optional<Item>& field) {
    draw(info, field.emplace());
  }
  void draw(const FieldInfo&, bool& flag) { flag = chance(2); }
  template <std::integral Whole>
  void draw(const FieldInfo& info, Whole& field) {
    const auto least = static_cast<std::int64_t>(info.least);
    const auto most = std::min(static_cast<std::int64_t>(info.most), least + 20);
    field = static_cast<Whole>(least + below(static_cast<int>(most - least) + 1));
  }
  template <class Word>
  requires std::is_enum_v<Word>
  void draw(const FieldInfo&, Word& word) {
    word = static_cast<Word>(below(static_cast<int>(enum_names(word).size())));
  }
  void draw(const FieldInfo&, std::string& field) { field = text(); }
  void draw(const FieldInfo&, SpecNumber& field) { field.text = number(); }
  void draw(const FieldInfo&, SpecScalar& field) { field.text = chance(3) ? "true" : number(); }
  void draw(const FieldInfo&, SpecSource& source) {
    source.kind = chance(2) ? SpecSource::Kind::kFile : SpecSource::Kind::kFrame;
    source.name = text();
  }
  template <class Item>
  void draw(const FieldInfo& info, std::vector<Item>& list) {
    list.resize(static_cast<std::size_t>(below(3) + 1));
    for (Item& item : list)
      draw(info, item);
  }
  // Keys of a table differ.
  template <class Item>
  void draw(const FieldInfo& info, std::vector<std::pair<std::string, Item>>& list) {
    for (int i = below(3) + 1; i > 0; --i) {
      list.emplace_back(text() + std::to_string(i), Item{});
      draw(info, list.back().second);
    }
  }

  base::Random random_;
  std::string_view kind_;
};

TEST(JobSpec, IsTheSameAfterWritingAndReading) {
  std::ptrdiff_t keys = 0;
  testing::for_each_seed(1, 400, [&](std::uint64_t seed) {
    for (const std::string_view kind : {"table", "records"}) {
      const JobSpec job = Drawer(seed, kind).job();
      const std::string toml = spec::spec_toml(job);
      const auto from_toml = spec::read_spec_toml(toml, "job.toml");
      ASSERT_TRUE(from_toml) << from_toml.error().text() << "\n" << toml;
      EXPECT_TRUE(from_toml->job == job) << toml;
      const std::string json = spec::spec_json(job);
      const auto from_json = spec::read_spec_json(json, "job.json");
      ASSERT_TRUE(from_json) << from_json.error().text() << "\n" << json;
      EXPECT_TRUE(from_json->job == job) << json;
      EXPECT_EQ(spec::spec_toml(from_json->job), toml);
      keys += std::count(toml.begin(), toml.end(), '=');
    }
  });
  EXPECT_GT(keys, 40);
}

// What a form makes of a text is what was asked, whatever the text said before.
TEST(JobSpec, IsWhatWasAskedAfterAChangeOfAnyText) {
  testing::for_each_seed(1, 200, [&](std::uint64_t seed) {
    for (const std::string_view kind : {"table", "records"}) {
      const std::string before = spec::spec_toml(Drawer(seed, "records").job());
      const JobSpec job = Drawer(seed + 1000, kind).job();
      const auto edited = spec::edited_toml(before, spec::write_spec(job));
      ASSERT_TRUE(edited) << edited.error().text() << "\n" << before;
      const auto read = spec::read_spec_toml(edited->text, "job.toml");
      ASSERT_TRUE(read) << read.error().text() << "\n" << edited->text;
      EXPECT_EQ(spec::spec_toml(job).size(), spec::spec_toml(read->job).size()) << edited->text;
    }
  });
}

}  // namespace
}  // namespace lacuna
