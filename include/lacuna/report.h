// SPDX-License-Identifier: Apache-2.0
// What a release is worth and what it looks like: information loss, utility, risk, guesses of
// readers, a grid for the terminal and pages for office and public.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lacuna/audit.h"
#include "lacuna/draft.h"
#include "lacuna/evidence.h"
#include "lacuna/export.h"
#include "lacuna/linked_tables.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace LACUNA_API lacuna {

// ---- figures
//
// What a run did not compute is not 0. A figure has a state, and words are made from it in one
// place (src/app/report/assurance.h).

enum class FigureState : std::uint8_t {
  kComputed,
  kBounded,      // a bound of it is known: "at least", or "at most" where that is said
  kNotComputed,  // it would take what this run left out
  kNotAsked,     // there is nothing that it could be about
};
std::string_view to_string(FigureState state);  // computed, bounded, not computed, not asked

// ---- information loss
//
// How much a release does not say, in the four measures of section 3.4.1 of the thesis:
//   I   the number of cells that are not published as they are,
//   II  the sum of their values,
//   III the sum of the widths of what can be inferred for them (suppression intervals),
//   IV  the number of contributions to them.

struct InformationLoss {
  std::int64_t cells = 0;          // I
  Wide value = 0;                  // II, in units
  bool has_width = true;           // false: an interval has no end, or none that is known
  bool endless = false;            // proven: an interval has no end
  bool exact_width = true;         // every width is proven; else published ends or priors bound it
  Fraction width = 0;              // III, in units; for the outsider
  bool has_contributions = true;   // false: frequencies are not known
  std::int64_t contributions = 0;  // IV

  FigureState width_state() const;  // computed if it is endless; bounded: at most
};

// Widths come from the exact ends of the report where it has them, else from what is published and
// known anyway, which is an upper bound.
InformationLoss information_loss(const Problem& problem,
                                 const Draft& draft,
                                 const AuditReport& report);

// {"cells":..,"value":..,"width":..,"width_exact":..,"width_state":..,"contributions":..}; null
// where there is none.
std::string information_loss_json(const InformationLoss& loss, int decimals);

// ---- utility risk
//
// What a release is still good for, and how far it is from giving something away, in numbers that
// compare methods of any kind.
//
// Utility: the percentage deviation 100 |x_i - a_i| / |a_i| of what a reader would take for the
// value: the number that is published, or the middle of what can be inferred of a cell that is
// withheld or an interval (Tables 11 to 13 of Castro, Frangioni and Gentile for adjusted tables).
// Risk: the width of what an attacker can infer, divided by the width that the levels ask for, for
// each requirement; 1 is just enough. Of an adjusted table: how far the published number is from
// the true one, divided by the level on that side.

struct Utility {
  std::int64_t cells = 0;    // with a value other than 0 and an estimate; exact ones included
  std::int64_t without = 0;  // with a value other than 0 and no estimate: there is an end missing
  std::int64_t not_computed = 0;  // ... of which nobody has computed the ends
  std::int64_t changed = 0;       // cells with a deviation other than 0
  double mean_percent = 0;        // over `cells`
  double max_percent = 0;

  FigureState state() const;  // of both percentages
};

struct Risk {
  std::int64_t requirements = 0;  // that ask for a width
  std::int64_t unbounded = 0;     // whose attacker knows no end on some side
  std::int64_t tight = 0;         // ratio exactly 1
  std::int64_t not_computed = 0;  // whose ends are not exact: the width is at least the one shown
  double least_ratio = 0;         // over the bounded ones; 0 if there is none
  double mean_ratio = 0;

  FigureState state() const;  // of both ratios; bounded: at least
};

// Midpoints and widths come from the ends that the audit has confirmed (AuditOptions::intervals and
// all_withheld give exact ones).
Utility release_utility(const Problem& problem, const Draft& draft, const AuditReport& report);
Risk release_risk(const Problem& problem, const Draft& draft, const AuditReport& report);

// The width that a requirement asks for, and the one that its finding has shown, in units.
Units required_width(const Question& question);
struct ShownWidth {
  bool unbounded = false;
  double units = 0;
};
ShownWidth shown_width(const Finding& finding);

// ---- counts
//
// How far published counts x' are from the true x, over the cells that carry a number (the measures
// of Giessing and of cellKey, "ck_cnt_measures"):
//   d1 = |x' - x|,  d2 = |x' - x| / x (0 where both are 0; a false non-zero has none),
//   d3 = |sqrt x' - sqrt x|;
// noise x' - x; zeros that are none and non-zeros that are none; the utility
// 1 - sqrt(sum (sqrt x - sqrt x')^2 / 2) / sqrt(sum x) of Hellinger; and by how much the published
// parts of a sum miss it at most. For the office: the true counts are in all of them.

struct CountDistances {
  std::int64_t cells = 0;
  double least = 0, mean = 0, most = 0;
  std::array<double, 9> deciles{};  // quantiles of type 7
  double q95 = 0, q99 = 0;
  std::vector<std::pair<double, std::int64_t>> within;  // a distance, and the cells up to it

  double median() const { return deciles[4]; }
};

struct CountMeasures {
  static constexpr double kMostPoints = 20;  // of d1, so that a report stays short

  CountDistances d1, d2, d3;
  std::vector<std::pair<Units, std::int64_t>> noise;  // published - true, and cells; ascending
  std::int64_t without = 0;                           // cells that carry no number
  std::int64_t false_zeros = 0, false_nonzeros = 0;
  double hellinger_utility = 1;
  Units largest_gap = 0;  // over the equations all of whose cells carry a number

  bool any_changed() const { return noise.size() > 1 || (!noise.empty() && noise[0].first != 0); }
};

// None for a table that is not one of counts: decimals, negative numbers.
std::optional<CountMeasures> count_measures(const Table& table, const Draft& draft);
std::string count_measures_json(const CountMeasures& measures);

// ---- guesses
//
// What a reader would guess of the sensitive cells, and how near the guesses are. The levels say
// how much uncertainty must remain; they do not say where in it the truth lies, and a reader who
// takes the middle, or knows how the method works, has more than the levels give away:
//   interval, withheld: the middle of the published interval, cut to what everyone knows, and of
//       what the outsider can infer where the audit has both ends of it;
//   rounded: the published number;
//   altered, adjusted: the published number v, and v - UPL and v + LPL, because sensitive cells
//       mostly stand at an end of their range or at a level (Castro 2012, "On assessing the
//       disclosure risk of controlled adjustment methods").
// The best guess is the one nearest to the truth: readers do not know which one that is, the office
// does. All of this is for the office.

struct Guesses {
  double near_percent = 1;
  std::int64_t cells = 0;    // sensitive
  std::int64_t guessed = 0;  // ... of which a reader has a guess at all
  std::int64_t near = 0;     // ... whose best guess lies within near_percent of the truth
  std::int64_t exact = 0;    // ... whose best guess is the truth
  std::int64_t at_end = 0;   // intervals with the truth at an end that is news
  // Withheld or intervals whose ends nobody has computed; of the `unguessed` not even a middle is
  // published, so that nothing at all can be said of them.
  std::int64_t not_computed = 0, unguessed = 0;

  FigureState state() const;  // of guessed, near and exact; bounded: by what is published alone
  double share(std::int64_t count) const;  // of `cells`, in percent
};

// The ends of the report are used where they are exact (AuditOptions::intervals).
Guesses reader_guesses(const Problem& problem,
                       const Draft& draft,
                       const AuditReport& report,
                       double near_percent);

// ---- text grid
//
// A small table as text for a terminal: rows are the tree of the first dimension, columns that of
// the second, one grid for each combination of the others; a table without codes is a list.

struct TextGridOptions {
  bool color = false;                 // with the colours of a terminal
  bool sensitive = false;             // mark primaries with *
  std::int64_t most = 2000;           // cells; more is an error that names the report
  std::vector<LinkedTable> tables{};  // of a job with several: one grid after the other, by name
};

// What is published of each cell: × withheld, [10, 20] interval, ≈ rounded, ~ altered. An empty
// draft shows the true table.
Result<std::string> text_grid(const Table& table,
                              const Draft& draft,
                              const TextGridOptions& options);

// ---- page
//
// The report: one page that works without a network, for the office or for the public. The public
// page is made from an audited release alone and has no place for anything that is not published:
// no true value, level, count, cost, nor a hash of confidential files, with which guesses could be
// confirmed.

using Facts = std::vector<std::pair<std::string, std::string>>;  // name and value, as shown

Facts count_measures_text(const CountMeasures& measures);

// Periods of one table side by side: cells that are withheld in one of them, or that a reader may
// not compare.
struct PeriodColumns {
  struct Row {
    CellId cell;
    std::vector<std::string> texts;  // by period, as they are shown
    std::string note;                // for the office: since when it stays withheld, and why
  };
  std::vector<std::string> periods;  // the last one is that of the table
  std::vector<Row> rows;
  std::int64_t left_out = 0;  // cells that are published in all periods, or beyond what is listed
};

// Numbers that are published beside the cells, by cell; empty: none.
struct PageColumn {
  std::string name;
  std::vector<std::string> texts;
};

// A certificate that three programs have checked, each for itself, one of them proven correct
// (docs/proof.md); nobody else may say so.
struct CheckedByThree {
  std::string said;   // what all of them say: the verdict with its counts
  std::string bound;  // what the log of the bound shows to all of them; empty: there is none
};

struct OfficePage {
  std::string title;
  Facts summary;                      // beside what the release and its audit say themselves
  Facts provenance;                   // input, hashes, options, version, engine, seed, time
  std::vector<std::string> reasons;   // per cell, why it is sensitive; empty: not known
  double near_percent = 1;            // what counts as a near guess, as below
  Facts guesses;                      // beside those of the release itself
  std::vector<LinkedTable> tables;    // of a job with several: shown one at a time, by name
  std::string unit;                   // of the numbers, as shown; empty: not known
  std::optional<double> cost, bound;  // of the run, in its own measure
  std::string rules;                  // that decided which cells are sensitive; empty: none
  bool counts_left_out = false;       // they are counts, and were not judged as counts
  PeriodColumns periods{};            // empty: no other period is known
  std::vector<PageColumn> columns{};  // derived numbers and other variables
  std::optional<CheckedByThree> checked{};
};
std::string office_page(const Problem& problem,
                        const Draft& draft,
                        const AuditReport& report,
                        const OfficePage& page);

struct PublicPage {
  std::string title;
  std::string method;
  std::string version;
  std::string date;
  std::vector<LinkedTable> tables{};  // as for the office
  std::string unit{};
  bool by_rules = false;         // rules were applied, whatever they found
  bool counts_left_out = false;  // as for the office
  PeriodColumns periods{};       // as for the office, without notes
  std::vector<PageColumn> columns{};
};
std::string public_page(const AuditedRelease& release, const PublicPage& page);

}  // namespace lacuna
