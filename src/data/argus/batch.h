// SPDX-License-Identifier: Apache-2.0
// Batch jobs of tau-ARGUS (.arb): the text as commands. Reading is lenient where files of offices
// are (docs/argus.md): quoted separators, a bar or a comma before lambda, a list of rules that ends
// with a bar, options as "1" or as "AS+SE+". What the commands do is said by whoever runs them.
#pragma once

#include <gmpxx.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "data/argus/word.h"
#include "lacuna/result.h"

namespace lacuna::argus {

// Which variable prices a cell that is withheld.
enum class CostKind : std::uint8_t { kResponse, kFrequency, kUnity, kDistance, kVariable };

struct OpenMicrodata {
  Word file;
};
struct OpenTableData {
  Word file;
};
struct OpenMetadata {
  Word file;
};

struct SpecifyTable {
  std::vector<Word> explanatory;
  Word response;  // "<freq>", in any case: counts
  Word shadow;    // empty text: the response
  CostKind cost_kind = CostKind::kResponse;
  Word cost;  // of kVariable
  std::optional<double> lambda;
  bool counts() const;
};

struct Dominance {  // the n largest hold more than k percent
  int n = 0;
  mpq_class k;
};
struct PriorPosterior {  // p% of the largest is known, q% is known before; n intruders
  mpq_class p;
  mpq_class q = 100;
  int n = 1;
};
struct Frequency {
  std::int64_t minimum = 0;
  mpq_class range;  // percent
};
struct Request {
  mpq_class first, second;  // percent
  std::int64_t minimum = 0;
  mpq_class range;
};

// Empty places stand for "(0,0)". Dominance and prior-posterior: two for records, two for holdings;
// the others one and one.
struct SafetyRule {
  std::array<std::optional<Dominance>, 4> dominance;
  std::array<std::optional<PriorPosterior>, 4> prior_posterior;
  std::array<std::optional<Frequency>, 2> frequency;
  std::array<std::optional<Request>, 2> request;
  std::optional<mpq_class> zero;
  mpq_class manual = 20;      // percent
  bool missing_safe = false;  // MIS
  bool weights = false;       // WGT
  bool rules_given = false;   // something but MAN was said, be it a place holder
  files::Position place;

  bool any_rule() const;  // rules_given; else the status of the table counts
  bool holdings() const;  // some rule is about holdings
  // The largest contributions that the rules look at, of records and of holdings.
  int records_needed() const;
  int holdings_needed() const;
};

struct ReadMicrodata {};
struct ReadTable {
  int mode = 0;              // 0 additive, 1 totals recomputed, 2 not additive allowed
  bool keep_status = false;  // "1T"
};
struct Apriori {
  Word file;
  int table = 1;
  char separator = ',';
  bool ignore_errors = false;
  bool expand_trivial = false;
};
struct Recode {
  int table = 1;
  Word variable;
  Word file;      // empty text: by level
  int level = 0;  // 1 to 9
};

enum class SuppressMethod : std::uint8_t { kGh, kMod, kOpt, kNet, kRnd, kCta, kCkm };
std::string_view to_string(SuppressMethod method);  // "GH", ...

struct Suppress {
  SuppressMethod method = SuppressMethod::kOpt;
  int table = 1;  // 0: all tables, linked
  // Of GH; percent and switch.
  double bound_percent = 100;
  int size = 0;
  bool singletons = true;
  // Of MOD.
  bool single_single = true, single_multiple = true, minimum_frequency = true;
  double scaled_cost = 20000, lower_margin = 0.99, upper_margin = 1.01;
  // Of RND.
  Word base;  // a number of the table
  int steps = 0;
  int partitions = 0, stop_rule = 2;
  bool unit_cost = true;
  // Of MOD (per subtable), OPT and RND.
  double minutes = 0;  // 0: the method's own
  // Of CKM.
  Word ptable, ptable_separation;
  std::optional<Word> mu;
};

struct WriteOptions {           // pairs of letters, as in the file
  bool status = false;          // AS
  bool skip_empty = false;      // SE
  bool first_line = false;      // FL; of type 2 always
  bool quotes = true;           // QU
  bool levels = false;          // HL
  bool status_only = false;     // SO
  bool audit = false;           // AR
  bool holdings = false;        // HI
  bool remove_trivial = false;  // TR
  bool original = false;        // AO
  bool difference = false;      // AD
  bool cell_key = false;        // AC
  bool for_office() const { return original || difference || cell_key; }  // of type 7
};
struct WriteTable {
  int table = 1;
  int type = 1;  // 1 to 7
  WriteOptions options;
  Word file;
};

struct Solver {
  Word name, licence;
};
struct Logbook {
  Word file;
};
struct VersionInfo {
  Word file;
};
struct Clear {};
struct GoInteractive {};
struct Comment {};  // <COMMENT>, <JJ>, <COVER>, <ANCO>: nothing is done; the log says so
// "//lacuna: NAME rest": what tau-ARGUS takes for a comment; also "<LACUNA> NAME rest".
struct Own {
  Word name;                 // audit, interval, report, attackers, effort, ... (docs/argus.md)
  std::vector<Word> values;  // what follows, split at blanks, quotes taken off
};

using Action = std::variant<Comment,
                            OpenMicrodata,
                            OpenTableData,
                            OpenMetadata,
                            SpecifyTable,
                            SafetyRule,
                            ReadMicrodata,
                            ReadTable,
                            Apriori,
                            Recode,
                            Suppress,
                            WriteTable,
                            Solver,
                            Logbook,
                            VersionInfo,
                            Clear,
                            GoInteractive,
                            Own>;

struct Command {
  std::string keyword;  // "<OPENMICRODATA>", upper case
  std::string line;     // as it stands in the file, without the line end
  files::Position place;
  Action action;
  std::size_t notes_end = 0;  // its notes in the batch: from where those before it end up to here
};

struct Batch {
  std::string filename;  // as the messages call it
  std::vector<Command> commands;
  std::vector<std::string> notes;  // what was read differently from what tau-ARGUS would
};

// The text as it is on disk: UTF-8, Latin-1, CRLF, tabs, a byte order mark, no last line end.
// Errors: file:line:column, the word, what was expected.
Result<Batch> read_batch(std::string bytes, const std::string& filename);

}  // namespace lacuna::argus
