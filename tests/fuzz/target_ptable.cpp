// SPDX-License-Identifier: Apache-2.0
// Perturbation tables. What was read is written in every format that can say it and read again: the
// noise of every count and key is the same.
#include <array>

#include "data/ptable_files/ptable_file.h"
#include "fuzz/target_list.h"
#include "fuzz/targets.h"

namespace lacuna::fuzz {
namespace {

// Keys at both ends and in between; counts beyond the last row of tables that have few.
void require_same_noise(const Ptable& table, const Ptable& again, std::uint64_t modulus) {
  constexpr std::uint64_t kDraws = 7;
  for (const std::int64_t count : {0, 1, 2, 3}) {
    for (std::uint64_t draw = 0; draw < kDraws; ++draw) {
      const std::uint64_t key = (modulus - 1) / (kDraws - 1) * draw;
      require(table.noise(count, key, modulus) == again.noise(count, key, modulus),
              "a table that is written and read again gives the same noise");
    }
  }
}

void write_and_read(const Ptable& table,
                    ptable_files::PtableFormat format,
                    const std::string& name) {
  const Result<std::string> text = ptable_files::ptable_text(table, format);
  if (!text)
    return;
  const Result<Ptable> again = ptable_files::read_ptable(*text, name);
  require(again.has_value(), "a table that is written can be read again");
  if (!table.check_counts())
    return;
  require(again->check_counts().has_value(), "a table for counts stays one");
  const std::uint64_t own = table.own_modulus();
  require_same_noise(table, *again, own == 0 ? 100'000'000 : own);
}

}  // namespace

bool run_ptable(std::string_view bytes) {
  const bool yaml = bytes.starts_with("params:");
  const Result<Ptable> table =
      ptable_files::read_ptable(std::string(bytes), yaml ? "p.yaml" : "p.csv");
  if (!table)
    return false;
  ptable_facts(*table);
  write_and_read(*table, ptable_files::PtableFormat::kArgus, "p.csv");
  write_and_read(*table, ptable_files::PtableFormat::kSas, "p.csv");
  write_and_read(*table, ptable_files::PtableFormat::kCellKey, "p.yaml");
  return true;
}

Seeds seeds_ptable() {
  const std::string lines = "0;0;1;0;1\n1;0;.25;-1;.25\n1;1;5E-1; 0;.75\n1;2;.25;1;1\n";
  const Ptable table = ptable_files::read_ptable("i;j;p;v;p_ub\n" + lines, "p.csv").value();
  return {"i;j;p;v;p_ub\n" + lines,
          ptable_files::ptable_text(table, ptable_files::PtableFormat::kSas).value(),
          ptable_files::ptable_text(table, ptable_files::PtableFormat::kCellKey).value(),
          "i;j;p;v;p_ub;type\n0;0.0;1;0.0;1;even\n5;4.5;1;-0.5;1;even\n",
          "pcv,ckey,pvalue\n1,0,-1\n1,3,1\n501,2,4\n"};
}

}  // namespace lacuna::fuzz
