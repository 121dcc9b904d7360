// SPDX-License-Identifier: Apache-2.0
// What a run has to prove of a table: which levels, what zero levels mean, whether its numbers are
// counts, and which releases of the same table readers have already.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/load/inputs.h"
#include "lacuna/count_rules.h"
#include "lacuna/counts.h"
#include "lacuna/fields.h"
#include "lacuna/problem.h"
#include "lacuna/result.h"

namespace lacuna::load {

// What is said of the counts of a table, before what its job says. What is absent: as there, or as
// by default.
struct CountAssessment {
  bool counts = false;
  bool reals = false;
  std::optional<std::int64_t> threshold;
  std::optional<Zeros> zeros;
  std::optional<WithheldMeans> withheld_means;
  std::vector<CountKind> kinds;
  std::optional<std::int64_t> coalition, ambiguity;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "counts",
                    .help = "the numbers are counts: judge what readers can work out in whole "
                            "numbers (docs/counts.md)",
                    .in_jobs = false},
          self.counts);
    visit(FieldInfo{.name = "reals",
                    .help =
                        "judge counts as if they could have decimals, which asks less of a release",
                    .in_jobs = false},
          self.reals);
    visit(FieldInfo{.name = "threshold",
                    .help = "counts below this are sensitive",
                    .absent = "that of the frequency rule, else 3",
                    .shown_as = "NUMBER",
                    .in_jobs = false},
          self.threshold);
    visit(
        FieldInfo{.name = "zeros",
                  .help = "counts only: what an empty cell is: published, sensitive or structural",
                  .absent = "published",
                  .in_jobs = false},
        self.zeros);
    visit(FieldInfo{.name = "withheld-means",
                    .help = "what readers conclude from a withheld count: any, nonzero (zeros are "
                            "never withheld) or rule (and primaries are marked)",
                    .absent = "any",
                    .in_jobs = false},
          self.withheld_means);
    visit(FieldInfo{.name = "kinds",
                    .help = "kinds of disclosure that are not allowed for counts, separated by "
                            "commas: exact, small, zero, all, group, implied, levels",
                    .absent = "exact,small,all, and zero if zeros are sensitive",
                    .in_jobs = false},
          self.kinds);
    visit(FieldInfo{.name = "coalition",
                    .help =
                        "counts only: number of members of a group who attack the others together",
                    .absent = "0",
                    .shown_as = "NUMBER",
                    .in_jobs = false},
          self.coalition);
    visit(FieldInfo{.name = "ambiguity",
                    .help = "counts only: number of other values that must remain possible",
                    .absent = "1",
                    .shown_as = "NUMBER",
                    .in_jobs = false},
          self.ambiguity);
  }
  bool any() const {
    return threshold || zeros || withheld_means || !kinds.empty() || coalition || ambiguity;
  }
};

enum class LevelChoice : std::uint8_t {
  kFile,  // as given
  // The least that protection can mean, that no attacker can tell the value of a sensitive cell
  // exactly: a sliding level of one unit instead of all levels.
  kMinimal,
  kNone,  // an older word for it
};
std::span<const std::string_view> enum_names(LevelChoice levels);

// Levels that are all zero.
enum class ZeroLevels : std::uint8_t {
  kRaised,  // the cell must not be exactly computable
  kStated,  // they are meant, and the cell only has to be hidden
};
std::span<const std::string_view> enum_names(ZeroLevels levels);

// Whom a release has to withstand.
enum class Against : std::uint8_t {
  kReaders,  // those of the problem, who have the release alone
  kOwner,    // who has the program, too, and runs it on every table that fits (docs/owner.md)
};
std::span<const std::string_view> enum_names(Against against);

// Against the owner of the program everything that it goes by has to be public. public_parts.h
// makes the problem of it.
struct OwnerAssessment {
  Against against = Against::kReaders;
  std::string weights_from;  // last period's public file; empty: all cells weigh the same
  std::string public_width;  // "20%" of the public size, a number, or "file"
  double owner_reserve = 2;  // of the first choice, times the width
  std::optional<std::int64_t> guard_band;  // counts: 0 to this is sensitive

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "against",
                    .help = "owner: also withstand a reader who has this program and runs it on "
                            "every table that fits; what is kept is a public width "
                            "(docs/owner.md)"},
          self.against);
    visit(FieldInfo{.name = "weights-from",
                    .help = "against the owner: the public file of last period, from which the "
                            "weights and sizes of cells are taken; .csv or .json",
                    .absent = "all cells weigh the same",
                    .shown_as = "FILE"},
          self.weights_from);
    visit(FieldInfo{.name = "public-width",
                    .help = "against the owner: the width that every sensitive cell keeps: 20% of "
                            "its public size, one number for all cells, or file for the levels of "
                            "the input, which you thereby call public",
                    .absent = "20% with --weights-from; counts: threshold - 1",
                    .shown_as = "WIDTH"},
          self.public_width);
    visit(FieldInfo{.name = "owner-reserve",
                    .help = "against the owner: how many times the width the first choice leaves "
                            "on the public sizes, so that it stands for the true table",
                    .least = 1,
                    .most = 100},
          self.owner_reserve);
    visit(FieldInfo{.name = "guard-band",
                    .help = "against the owner, counts only: counts from 0 to this are sensitive",
                    .least = 1,
                    .absent = "2 (threshold - 1)",
                    .shown_as = "NUMBER"},
          self.guard_band);
  }
};

// What the cell key method needs of records whose job says nothing of it.
struct KeyNeeds {
  std::uint64_t modulus = 0;  // for which the table of noise was made; 0: for any
  std::uint64_t seed = 1;     // of keys that are made because there are none
};

struct Assessment : OwnerAssessment {
  LevelChoice levels = LevelChoice::kFile;
  ZeroLevels zero_levels = ZeroLevels::kRaised;
  Waiver waiver = Waiver::kNothing;
  CountAssessment counts;
  std::vector<std::string> released;  // files of earlier releases of this very table
  std::vector<std::string> known;     // ... of other tables over the same units
  std::vector<std::string> apriori;   // files with what is said of single cells by hand
  std::vector<std::string> collapse;  // "dimension=code": nothing below is published
  std::optional<KeyNeeds> keys;       // of a method that needs keys
  std::string preferred;  // an earlier release; it counts as known if it is of this very table
  std::string derived;    // the release that is judged, which may have derived columns

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "levels",
                    .help = "protection levels: file uses those of the input; minimal (formerly "
                            "none) asks only that no value can be computed exactly"},
          self.levels);
    visit(
        FieldInfo{
            .name = "zero-levels",
            .help =
                "sensitive cells without levels: raised asks that they cannot be computed exactly; "
                "stated takes the zeros as meant, so that the cells only have to be hidden"},
        self.zero_levels);
    visit(FieldInfo{.name = "waive",
                    .help = "exposed: publish the release even if requirements are exposed, and "
                            "call them waived",
                    .in_jobs = false},
          self.waiver);
    OwnerAssessment::fields(self, visit);
    CountAssessment::fields(self.counts, visit);
    visit(FieldInfo{.name = "released",
                    .help = "earlier releases of this very table; readers know what they say",
                    .shown_as = "FILE",
                    .in_jobs = false},
          self.released);
    visit(FieldInfo{.name = "known",
                    .help = "releases of other tables about the same units that readers have: "
                            "published tables (.csv) or public files of lacuna",
                    .shown_as = "FILE",
                    .in_jobs = false},
          self.known);
    visit(FieldInfo{.name = "apriori",
                    .help = "file that sets status, cost, levels and bounds of single cells, .csv "
                            "or .hst (docs/sensitivity.md)",
                    .shown_as = "FILE",
                    .in_jobs = false},
          self.apriori);
    visit(FieldInfo{.name = "collapse",
                    .help = "publish nothing below this code: DIMENSION=CODE",
                    .shown_as = "CODE",
                    .in_jobs = false},
          self.collapse);
  }
};

// What reading found out about the numbers of a table.
struct CountReading {
  bool settled = false;  // what was asked of counts went into the [counts] of the job already
  bool reals = false;    // the job says that its counts are to be read as real numbers
  // The numbers are counts, though nobody said so: records without a value, a table of frequencies.
  // What is asked of them then, in whole numbers; kinds are named where no rule gives a threshold.
  std::optional<CountOptions> by_nature{};
  // Of each cell what the rows tell of it if it is a count (least_by_rows()); empty: nothing.
  std::vector<Units> least{};
};

// The sentence with which a summary begins if counts are read as real numbers; else empty.
std::string read_as_text(const CountAssessment& asked, const CountReading& read);

// What the command line says of counts goes before what the table or its job says; the rest stays.
CountOptions with_assessment(CountOptions options, const CountAssessment& asked);

// Errors: a release that cannot be read or does not fit the table.
Result<Problem> with_assessment(Problem problem,
                                const Assessment& asked,
                                const Inputs& inputs = {},
                                const CountReading& read = {});

// Who lets out what is exposed: the option, or who wrote the problem file.
std::string waived_by(const Assessment& asked);

// Sensitive cells of which nothing but hiding is asked, and of these how many an attacker knows in
// advance; and those of which less is asked than by their other level, as it ends where what
// everyone knows of the cell ends. A verdict that rests on them says so.
struct HiddenOnly {
  std::int64_t cells = 0, known = 0, cut = 0;
};
HiddenOnly hidden_only(const Problem& problem);
std::string hidden_only_text(const HiddenOnly& count);  // one clause; empty if there are none

}  // namespace lacuna::load
