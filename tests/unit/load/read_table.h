// SPDX-License-Identifier: Apache-2.0
// Small tables with codes, as a job would read them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "data/jobfile/job_file.h"
#include "lacuna/problem.h"

namespace lacuna::testing {

// `columns` is the section of that name; every other column of the heading is a dimension whose
// total is "all".
inline Problem read_table(const std::string& csv,
                          const std::vector<std::string>& dimensions,
                          const std::string& columns,
                          const std::string& rest = "") {
  std::string job = "[input]\ntable = \"t.csv\"\n[columns]\n" + columns + "\n";
  for (const std::string& name : dimensions)
    job += "[[dimension]]\nname = \"" + name + "\"\ntotal = \"all\"\n";
  auto read = jobfile::read_job_text(
      job + rest, "t.toml", [csv](const std::string&) { return Result<std::string>(csv); });
  EXPECT_TRUE(read) << read.error().text();
  return std::move(read->problem);
}

inline Problem branches(const std::vector<Units>& values) {
  std::string csv = "branch;n\n";
  const std::vector<std::string> codes{"all", "a", "b", "c"};
  for (std::size_t i = 0; i < codes.size(); ++i)
    csv += codes[i] + ";" + std::to_string(values[i]) + "\n";
  return read_table(csv, {"branch"}, "value = \"n\"");
}

inline CellId cell_at(const Table& table, const std::string& code) {
  for (std::int32_t c = 0; c < table.num_cells(); ++c) {
    if (table.dimensions()[0].code(table.codes(CellId{c})[0]) == code)
      return CellId{c};
  }
  ADD_FAILURE() << "no cell " << code;
  return CellId{0};
}

}  // namespace lacuna::testing
