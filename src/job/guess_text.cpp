// SPDX-License-Identifier: Apache-2.0
#include "job/guess_text.h"

#include <fmt/core.h>

#include "base/decimal.h"

namespace lacuna::inline job {

GuessesOfRun guesses_of(const Problem& problem,
                        const ProtectResult& found,
                        const AuditReport& report,
                        double near_percent) {
  GuessesOfRun guesses;
  guesses.now = reader_guesses(problem, found.draft, report, near_percent);
  if (found.centered)
    guesses.before = reader_guesses(problem, *found.centered, AuditReport{}, near_percent);
  return guesses;
}

std::vector<std::pair<std::string, double>> guess_details(const GuessesOfRun& guesses) {
  const auto count = [](std::int64_t number) { return static_cast<double>(number); };
  const Guesses& now = guesses.now;
  std::vector<std::pair<std::string, double>> details{
      {"guess_near_percent", now.near_percent},
      {"guess_cells", count(now.cells)},
      {"guess_known", count(now.guessed)},
      {"guess_near", count(now.near)},
      {"guess_near_share", now.share(now.near) / 100},
      {"guess_exact", count(now.exact)},
      {"guess_exact_share", now.share(now.exact) / 100},
      {"guess_at_end", count(now.at_end)}};
  if (guesses.before) {
    details.emplace_back("guess_near_before", count(guesses.before->near));
    details.emplace_back("guess_exact_before", count(guesses.before->exact));
    details.emplace_back("guess_at_end_before", count(guesses.before->at_end));
  }
  return details;
}

std::string guess_text(const GuessesOfRun& guesses) {
  const Guesses& now = guesses.now;
  if (now.cells == 0)
    return "";
  std::string text = fmt::format(
      "a reader's best guess is within {}% of the truth for {} of {} sensitive cells and equal to "
      "it for {}",
      format_double(now.near_percent),
      now.near,
      now.cells,
      now.exact);
  if (guesses.before) {
    text += fmt::format(" (before the intervals were moved off centre: {} and {})",
                        guesses.before->near,
                        guesses.before->exact);
  }
  return text + "\n";
}

}  // namespace lacuna::inline job
