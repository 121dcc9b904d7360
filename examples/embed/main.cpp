// SPDX-License-Identifier: Apache-2.0
// A table in memory, protected and audited: three products in three regions, one cell sensitive.
// Prints what may be published, x for a withheld cell.
#include <lacuna/lacuna.h>

#include <cstdio>
#include <memory>
#include <string>

using namespace lacuna;

int main() {
  const Units values[4][4] = {
      {20, 50, 10, 80}, {8, 19, 22, 49}, {17, 32, 12, 61}, {45, 101, 44, 190}};
  TableBuilder builder(0);
  CellId id[4][4];
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      Cell cell{.value = values[i][j], .weight = static_cast<double>(values[i][j])};
      cell.status = i == 1 && j == 2 ? CellStatus::kPrimary : CellStatus::kFree;
      id[i][j] = builder.add_cell(cell).value();
    }
  }
  for (int k = 0; k < 4; ++k) {  // every row and every column adds up to its total
    const Term row[] = {{id[k][0], 1}, {id[k][1], 1}, {id[k][2], 1}, {id[k][3], -1}};
    const Term column[] = {{id[0][k], 1}, {id[1][k], 1}, {id[2][k], 1}, {id[3][k], -1}};
    builder.add_equation(row).value();
    builder.add_equation(column).value();
  }
  const Requirement five_each_way{.cell = id[1][2], .lower = 5, .upper = 5};
  const auto problem = std::make_shared<const Problem>(
      make_problem(std::move(builder).build().value(), {outsider()}, {five_each_way}).value());

  ProtectOptions options;
  options.method = Method::kSuppress;
  const ProtectResult found = protect(problem, options, {}).value();
  const ReleaseDecision decision = decide_release(problem, found, {}, {}).value();
  if (!decision.release) {
    std::fprintf(stderr, "%s\n", refusal_text(decision.refusal).c_str());
    return 2;
  }
  for (const auto& row : id) {
    for (const CellId cell : row) {
      const bool shown = decision.release->content().state(cell) == StatementKind::kExact;
      const std::string text = shown ? std::to_string(problem->table().value(cell)) : "x";
      std::printf("%6s", text.c_str());
    }
    std::printf("\n");
  }
  std::printf("withheld: %g, proven: at least %g, audited\n", found.cost, found.bound);
}
