// SPDX-License-Identifier: Apache-2.0
// Parts of jobs for the tests of data: variables, rules, files in a folder of their own.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "core/base/confidential.h"
#include "data/argus/found_file.h"
#include "data/argus/metadata.h"
#include "data/argus/microdata.h"
#include "data/argus/table_data.h"
#include "data/files/file.h"
#include "data/files/temporary_folder.h"

namespace lacuna::argus {

inline Variable code_variable(std::string name, std::size_t start, std::size_t length) {
  Variable variable;
  variable.name = std::move(name);
  variable.start = start;
  variable.length = length;
  variable.recodeable = true;
  return variable;
}

inline Variable number_variable(std::string name, std::size_t start, std::size_t length) {
  Variable variable;
  variable.name = std::move(name);
  variable.start = start;
  variable.length = length;
  variable.numeric = true;
  return variable;
}

inline SpecifyTable table_spec(const std::vector<std::string>& explanatory,
                               const std::string& response) {
  SpecifyTable spec;
  for (const std::string& name : explanatory)
    spec.explanatory.push_back({name, {}});
  spec.response.text = response;
  return spec;
}

inline SafetyRule given_rules() {
  SafetyRule rules;
  rules.rules_given = true;
  return rules;
}

// A job with its files; they are gone with it.
class JobFolder {
 public:
  explicit JobFolder(const std::string& name) : folder_(name), finder_(folder_.file("job.arb")) {}

  std::string write(const std::string& name, const std::string& text) const {
    const std::string path = folder_.file(name);
    EXPECT_TRUE(files::write_file_atomically(path, text));
    return path;
  }
  FileFinder& finder() { return finder_; }

  Result<Microdata> records(const Metadata& metadata,
                            const std::string& text,
                            const SpecifyTable& spec) {
    return read_microdata(metadata, write("records.asc", text), {spec}, finder_, RunContext{});
  }
  Result<Table> table(const Metadata& metadata,
                      const std::string& text,
                      const SpecifyTable& spec,
                      const SafetyRule& rules) {
    LACUNA_TRY(const Microdata data, records(metadata, text, spec));
    return make_table(data, spec, rules, {}, RunContext{});
  }
  Result<Table> ready_table(const Metadata& metadata,
                            const std::string& text,
                            const SpecifyTable& spec,
                            const SafetyRule& rules,
                            const ReadTable& how) {
    return read_table_data(metadata, write("cells.tab", text), spec, rules, how, finder_);
  }
  // A message without the name of the folder.
  std::string plain(const Error& error) const {
    std::string text = base::in_full(error.text());
    const std::string folder = folder_.file("");
    for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder))
      text.erase(at, folder.size());
    return text;
  }

 private:
  files::TemporaryFolder folder_;
  FileFinder finder_;
};

inline const Cell& cell_at(const Table& table, const std::vector<std::string>& codes) {
  std::vector<std::int32_t> places;
  for (std::size_t v = 0; v < codes.size(); ++v) {
    places.push_back(table.variables[v].find(codes[v]));
    EXPECT_GE(places.back(), 0) << codes[v];
  }
  return table.cells[table.index_of(places)];
}

}  // namespace lacuna::argus
