// SPDX-License-Identifier: Apache-2.0
// Numbers of the literature that the sets print beside ours. Each file of papers/ is CSV with its
// source in comment lines on top; the build puts their texts into the program. All readers return
// an error that names file, line and column if a file is not as they expect it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/result.h"

namespace lacuna::bench {

struct PaperText {
  std::string_view name;  // of the file, without its ending
  std::string_view text;
};
std::span<const PaperText> paper_texts();
PaperText paper_text(std::string_view name);  // one that there is

struct CastroViaRow {
  std::string name;
  std::int32_t cells = 0, sensitive = 0, equations = 0;
  std::string benders_cpu, benders_iterations, benders_objective;
  std::string monolithic_cpu;  // "a": aborted
  // Of a generated table of that size; 0 columns: not generated.
  std::int32_t columns = 0, depth = 0, open_least = 0, open_most = 0, rows = 0;
};
Result<std::vector<CastroViaRow>> read_castro_via(const PaperText& paper);

struct CtaRow {
  std::int32_t table = 0;  // 4 to 13
  std::string instance;
  std::string printed;  // the columns, separated by blanks
};
Result<std::vector<CtaRow>> read_cta(const PaperText& paper);

struct SerpellRow {
  std::int32_t rows = 0, columns = 0, zeros = 0, primaries = 0, exposed = 0;  // Table 3
  std::int32_t classical_variables = 0, classical_constraints = 0;            // Table 4
  double classical_seconds = 0;
  std::int32_t modified_variables = 0, modified_constraints = 0;
  double modified_seconds = 0;
};
Result<std::vector<SerpellRow>> read_serpell(const PaperText& paper);

struct ThesisPaper {
  using Cells = std::vector<std::vector<std::string>>;  // by variant and instance
  std::vector<std::string> instances, variants;
  std::vector<Cells> tables;  // B.1 to B.5
};
Result<ThesisPaper> read_thesis(const PaperText& paper);

struct TurnoverRow {
  std::string table, first_dimension, second_dimension;
  std::int32_t modular = 0;  // secondaries recorded
};
Result<std::vector<TurnoverRow>> read_turnover(const PaperText& paper);

struct ArgusRow {
  std::string job;  // folder and file
  std::int32_t secondary = 0;
  double cost = 0;
};
Result<std::vector<ArgusRow>> read_argus(const PaperText& paper);

}  // namespace lacuna::bench
