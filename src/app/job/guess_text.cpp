// SPDX-License-Identifier: Apache-2.0
#include "app/job/guess_text.h"

#include "app/report/assurance.h"

namespace lacuna::job {

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
  const auto figure = [&](double value) { return report::figure_value(now.state(), value); };
  std::vector<std::pair<std::string, double>> details{
      {"guess_near_percent", now.near_percent},
      {"guess_cells", count(now.cells)},
      {"guess_known", figure(count(now.guessed))},
      {"guess_near", figure(count(now.near))},
      {"guess_near_share", figure(now.share(now.near) / 100)},
      {"guess_exact", figure(count(now.exact))},
      {"guess_exact_share", figure(now.share(now.exact) / 100)},
      {"guess_at_end", count(now.at_end)}};
  if (guesses.before) {
    details.emplace_back("guess_near_before", count(guesses.before->near));
    details.emplace_back("guess_exact_before", count(guesses.before->exact));
    details.emplace_back("guess_at_end_before", count(guesses.before->at_end));
  }
  return details;
}

std::string guess_text(const GuessesOfRun& guesses) {
  return report::guess_sentence(guesses.now, guesses.before);
}

}  // namespace lacuna::job
