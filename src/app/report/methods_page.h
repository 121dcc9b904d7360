// SPDX-License-Identifier: Apache-2.0
// Methods side by side in a picture: what each release loses against what it still tells. Across
// stands the risk, the share of the sensitive cells whose best guess is near the truth (guesses in
// lacuna/report.h); upward the loss, the mean deviation of what a reader would take for a value
// (utility there). Both are percentages that mean the same for every method; near the lower left
// corner is where one wants to be. For the office: both are computed from true values.
#pragma once

#include <string>
#include <vector>

namespace lacuna::report {

struct MethodPoint {
  std::string name;
  double risk = 0;    // percent
  double loss = 0;    // percent
  bool drawn = true;  // false: one of the two was not computed
};

struct MethodsPage {
  std::string title;
  double near_percent = 1;
  std::vector<MethodPoint> methods;
  std::vector<std::vector<std::string>> measures;  // a name, then a text for each method
  std::string failures;                            // lines about methods that have no release
};

std::string methods_svg(const MethodsPage& page);   // a file of its own
std::string methods_page(const MethodsPage& page);  // with the measures in a table
}  // namespace lacuna::report
