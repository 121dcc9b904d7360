// SPDX-License-Identifier: Apache-2.0
// Metadata of tau-ARGUS (.rda): the variables of microdata (fixed or free format) or of a ready
// table, with every keyword; and the writer of the one beside an intermediate table.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/argus/batch.h"
#include "lacuna/result.h"

namespace lacuna::argus {

struct CellKeyOptions {  // <CKM> and what may follow it
  char type = 'N';       // N, M, D, V, T
  int top = 0;           // of T(k)
  bool include_zeros = false, parity = false, separation = false;
  std::string scaling;  // as it stands: "F(...)" or "N(...)"
};

struct Variable {
  std::string name;
  files::Position place;
  std::size_t start = 0;             // of fixed format, from 1
  std::size_t length = 0;            // of microdata
  std::vector<std::string> missing;  // at most two, as given
  bool recodeable = false;
  bool numeric = false;
  bool weight = false, holding = false, request = false, record_key = false, truncable = false;
  bool shadow = false, cost = false, lower_level = false, upper_level = false;
  bool frequency = false, max_score = false, status = false;
  std::vector<std::string> request_codes;
  std::optional<int> decimals;
  std::string total_code = "Total";
  bool total_given = false;
  Word code_list;  // files; empty text: none
  bool hierarchical = false;
  bool tree_from_file = false;  // <HIERARCHICAL> stands after <HIERLEVELS>
  Word hierarchy_file;
  std::string lead = ".";
  std::vector<int> levels;  // of digits
  std::vector<int> distance;
  std::optional<CellKeyOptions> cell_key;
  Word ptable, ptable_continuous, ptable_separation;

  bool has_tree() const { return !hierarchy_file.text.empty() || !levels.empty(); }
};

enum class DataKind : std::uint8_t { kMicrodata, kTable };

struct Metadata {
  std::string filename;
  bool fixed = false;  // microdata without a separator
  char separator = ';';
  std::string safe = "S", unsafe = "U", protect = "P";  // of tables
  std::vector<Variable> variables;                      // in the order of the columns
  std::vector<std::string> notes;

  const Variable* find(std::string_view name) const;  // ignoring case
};

Result<Metadata> read_metadata(std::string bytes, const std::string& filename, DataKind kind);

// As tau-ARGUS writes it beside an intermediate table; line ends CRLF.
std::string write_table_metadata(const Metadata& metadata);

}  // namespace lacuna::argus
