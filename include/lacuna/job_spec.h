// SPDX-License-Identifier: Apache-2.0
// Everything that a run can be asked, as one value: where the data are, dimensions and hierarchies,
// columns, rules, attackers and what they know, what is judged, the method with its options, and
// outputs. No file stands behind it. Job files (TOML), JSON, keywords of Python, arguments of R and
// the forms of the page are ways to write it down; all of them are read and written by the one list
// of keys that each part has here (fields(), as of options: fields.h).
//
// What is absent stays at its default, and is not written. `methods` of a key says for which kind
// of job it is, "table" or "records"; of a key of a rule, for which types. Numbers are exact: they
// are kept as they were written.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lacuna/counts.h"
#include "lacuna/export.h"
#include "lacuna/fields.h"
#include "lacuna/tabulate_options.h"

namespace LACUNA_API lacuna {

// A number as it is written, or a word in its place ("unbounded", "value", "10%").
struct SpecNumber {
  std::string text;  // empty: absent
  bool operator==(const SpecNumber&) const = default;
};

// A number, a word or a truth value, for whoever knows which of them is meant.
struct SpecScalar {
  std::string text;  // empty: absent
  bool operator==(const SpecScalar&) const = default;
};

// Where the bytes or rows of an input are.
struct SpecSource {
  enum class Kind : std::uint8_t {
    kFile,   // a name, from the folder of the job
    kFrame,  // columns that the caller holds under this name
  };
  Kind kind = Kind::kFile;
  std::string name;
  bool operator==(const SpecSource&) const = default;
};

// Words with words, in their order: children of a code, codes of a dimension.
using SpecLists = std::vector<std::pair<std::string, std::vector<std::string>>>;
using SpecWords = std::vector<std::pair<std::string, std::string>>;
using SpecOptions = std::vector<std::pair<std::string, SpecScalar>>;

enum class SpecEncoding : std::uint8_t { kUtf8, kLatin1, kWindows1252, kUtf16 };
enum class SpecMark : std::uint8_t { kPoint, kComma };
enum class SpecThousands : std::uint8_t { kNone, kComma, kPoint, kBlank, kApostrophe };
enum class SpecTotals : std::uint8_t { kGiven, kComputed, kRecomputed };
enum class SpecEngine : std::uint8_t { kLacuna, kDuckdb, kPostgresql, kSpark };
enum class SpecPlan : std::uint8_t { kA, kB };
std::span<const std::string_view> enum_names(SpecEncoding encoding);
std::span<const std::string_view> enum_names(SpecMark mark);
std::span<const std::string_view> enum_names(SpecThousands thousands);
std::span<const std::string_view> enum_names(SpecTotals totals);
std::span<const std::string_view> enum_names(SpecEngine engine);
std::span<const std::string_view> enum_names(SpecPlan plan);
std::span<const std::string_view> enum_names(EmptyValue rule);
std::span<const std::string_view> enum_names(MissingPolicy policy);
std::span<const std::string_view> enum_names(UnknownPolicy policy);
std::span<const std::string_view> enum_names(LongerPolicy policy);
std::span<const std::string_view> enum_names(RespondentPolicy policy);
std::span<const std::string_view> enum_names(DuplicatePolicy policy);

struct JobSpec {
  struct FixedColumn {  // of records without separators
    std::string name;
    std::int32_t start = 0;  // from 1
    std::int32_t length = 0;
    bool operator==(const FixedColumn&) const = default;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
      visit(FieldInfo{.name = "name", .help = "name of the column"}, self.name);
      visit(FieldInfo{.name = "start",
                      .help = "position of its first character, counted from 1",
                      .least = 0,
                      .most = 1e6},
            self.start);
      visit(FieldInfo{.name = "length", .help = "number of characters", .least = 0, .most = 1e6},
            self.length);
    }
  };

  struct Input {
    std::vector<SpecSource> table;
    std::vector<SpecSource> records;
    std::optional<SpecEngine> engine;
    std::string from_table, from_query, aggregates, salt, memory, temporary;
    std::optional<SpecPlan> plan;
    std::string separator;  // empty: as the file has it
    std::optional<SpecEncoding> encoding;
    std::vector<std::string> header;
    std::vector<std::string> sheet;  // of a workbook; empty: the one that holds a table
    std::int32_t skip = -1;          // rows above the table; -1: as found
    std::string rows;                // with its cells, "16-22"; empty: as found
    std::vector<std::string> wide;   // names of dimensions whose codes stand in the heading
    SpecLists only;                  // columns with codes: other rows are no part of the table
    SpecWords means;                 // signs and flags of the file, and what they mean
    std::vector<FixedColumn> fixed;
    std::optional<bool> trim;  // absent: of fixed columns
    std::optional<SpecMark> decimal_mark;
    std::optional<SpecThousands> thousands;
    std::int32_t decimals = -1;  // as many as the numbers need
    bool round = false;
    std::int32_t weight_decimals = -1;
    bool negative = false;
    EmptyValue empty_value = EmptyValue::kError;
    bool empty_cells = false;
    std::int32_t largest = 3;
    std::vector<std::string> unique;
    DuplicatePolicy duplicates = DuplicatePolicy::kError;
    SpecTotals totals = SpecTotals::kGiven;
    SpecNumber round_totals;
    bool operator==(const Input&) const = default;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
      place_fields(self, visit);
      text_fields(self, visit);
      shape_fields(self, visit);
      number_fields(self, visit);
    }

   private:
    template <class Self, class Visit>
    static void shape_fields(Self& self, Visit&& visit) {
      visit(FieldInfo{.name = "sheet",
                      .help = "sheet of a workbook; several sheets are several tables",
                      .absent = "the one that holds a table"},
            self.sheet);
      visit(FieldInfo{.name = "skip",
                      .help = "number of rows above the heading",
                      .least = 0,
                      .most = 1e6,
                      .absent = "all rows of titles"},
            self.skip);
      visit(FieldInfo{.name = "rows",
                      .help = "rows of the file that hold the cells, such as \"16-22\"",
                      .absent = "all rows below the heading, without footnotes"},
            self.rows);
      visit(FieldInfo{.name = "wide",
                      .help = "name of the dimension whose codes stand in the heading; one name "
                              "per row if the heading has several",
                      .absent = "recognised by names and sums",
                      .methods = "table"},
            self.wide);
      visit(FieldInfo{.name = "only",
                      .help = "rows to read: columns with the codes to keep; \"AT*\" keeps all "
                              "codes that begin with AT",
                      .methods = "table",
                      .shown_as = "{ <column> = [\"<code>\", ...] }"},
            self.only);
      visit(
          FieldInfo{
              .name = "means",
              .help =
                  "what the signs and flags of the file mean: withheld, absent, zero, or a status",
              .methods = "table",
              .shown_as = "{ <sign> = \"<meaning>\" }"},
          self.means);
    }
    template <class Self, class Visit>
    static void place_fields(Self& self, Visit&& visit) {
      visit(FieldInfo{.name = "table", .help = "files that hold the cells of a table"}, self.table);
      visit(
          FieldInfo{.name = "records", .help = "files with the records from which tables are made"},
          self.records);
      visit(FieldInfo{.name = "engine",
                      .help = "program that adds up the records",
                      .absent = "lacuna, or duckdb for several files of Parquet",
                      .methods = "records"},
            self.engine);
      visit(
          FieldInfo{
              .name = "from_table", .help = "table in the engine's database", .methods = "records"},
          self.from_table);
      visit(
          FieldInfo{
              .name = "from_query", .help = "query that returns the records", .methods = "records"},
          self.from_query);
      visit(FieldInfo{.name = "aggregates",
                      .help = "folder with the sums that an engine has computed",
                      .methods = "records"},
            self.aggregates);
      visit(
          FieldInfo{
              .name = "salt",
              .help = "file with a secret; identities leave the engine only as hashes made with it",
              .methods = "records"},
          self.salt);
      visit(FieldInfo{.name = "memory",
                      .help = "memory that DuckDB may use, such as \"6GB\"",
                      .methods = "records"},
            self.memory);
      visit(FieldInfo{.name = "temporary",
                      .help = "folder for data that do not fit into memory",
                      .methods = "records"},
            self.temporary);
      visit(FieldInfo{.name = "plan",
                      .help = "how the engine computes the sums (docs/tabulate.md)",
                      .methods = "records"},
            self.plan);
    }

    template <class Self, class Visit>
    static void text_fields(Self& self, Visit&& visit) {
      visit(FieldInfo{.name = "separator",
                      .help = "character between the fields of a line",
                      .absent = "as the file has it; ';' for records"},
            self.separator);
      visit(FieldInfo{.name = "encoding",
                      .help = "encoding of the text",
                      .absent = "recognised from the bytes",
                      .methods = "table"},
            self.encoding);
      visit(FieldInfo{.name = "header",
                      .help = "names of the columns, if the file has no header line"},
            self.header);
      visit(FieldInfo{.name = "fixed",
                      .help = "columns of fixed width, by their place in the line",
                      .methods = "records",
                      .shown_as = "fixed"},
            self.fixed);
      visit(FieldInfo{.name = "trim",
                      .help = "remove blanks around fields",
                      .absent = "yes for fixed columns, otherwise no",
                      .methods = "records"},
            self.trim);
    }

    template <class Self, class Visit>
    static void number_fields(Self& self, Visit&& visit) {
      visit(FieldInfo{.name = "decimal_mark",
                      .help = "decimal mark of numbers",
                      .absent = "recognised from the numbers of a table; a point in records"},
            self.decimal_mark);
      visit(FieldInfo{.name = "thousands",
                      .help = "character between groups of digits",
                      .absent = "recognised from the numbers",
                      .methods = "table"},
            self.thousands);
      visit(FieldInfo{.name = "decimals",
                      .help = "number of digits after the decimal mark",
                      .least = 0,
                      .most = 18,
                      .absent = "as many as the numbers have"},
            self.decimals);
      visit(FieldInfo{.name = "round", .help = "round values to these decimals"}, self.round);
      visit(FieldInfo{.name = "weight_decimals",
                      .help = "number of decimals of sampling weights",
                      .least = 0,
                      .most = 18,
                      .absent = "as many as the weights have",
                      .methods = "records"},
            self.weight_decimals);
      visit(FieldInfo{.name = "negative", .help = "allow values below zero", .methods = "records"},
            self.negative);
      visit(FieldInfo{.name = "empty_value", .help = "what to do with an empty value"},
            self.empty_value);
      visit(FieldInfo{.name = "empty_cells",
                      .help = "list empty cells; a missing row then says nothing about its cell"},
            self.empty_cells);
      visit(FieldInfo{.name = "largest",
                      .help = "number of largest contributions to keep per cell",
                      .least = 0,
                      .most = 100,
                      .methods = "records"},
            self.largest);
      visit(FieldInfo{.name = "unique",
                      .help = "columns that together identify a record",
                      .absent = "duplicates are not looked for",
                      .methods = "records"},
            self.unique);
      visit(FieldInfo{.name = "duplicates",
                      .help = "what to do with a record that repeats an earlier one",
                      .methods = "records"},
            self.duplicates);
      visit(FieldInfo{.name = "totals",
                      .help = "what to do with the totals of the input",
                      .methods = "table"},
            self.totals);
      visit(FieldInfo{.name = "round_totals",
                      .help = "totals that differ from the sum of their parts by at most this are "
                              "set to the sum",
                      .methods = "table"},
            self.round_totals);
    }
  };

  struct Columns {
    std::string value, frequency, weight, status;
    std::string lower, upper, lower_level, upper_level, sliding_level, key;
    std::vector<std::string> largest;
    std::string respondent, holding, request, waiver;
    std::vector<std::string> request_codes{"1"}, waiver_codes{"1"};
    RespondentPolicy missing_respondent = RespondentPolicy::kError;
    bool operator==(const Columns&) const = default;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
      visit(FieldInfo{.name = "value",
                      .help = "column with the values; without it records are counted"},
            self.value);
      visit(FieldInfo{.name = "frequency",
                      .help = "number of contributors of a cell; in tables of counts, the count"},
            self.frequency);
      visit(FieldInfo{.name = "weight",
                      .help = "cost of withholding the cell; in records, the sampling weight"},
            self.weight);
      visit(FieldInfo{.name = "key", .help = "key for the cell key method"}, self.key);
      table_fields(self, visit);
      record_fields(self, visit);
    }

   private:
    template <class Self, class Visit>
    static void table_fields(Self& self, Visit&& visit) {
      visit(FieldInfo{.name = "status", .help = "status of the cell", .methods = "table"},
            self.status);
      visit(
          FieldInfo{.name = "lower", .help = "lower bound that everyone knows", .methods = "table"},
          self.lower);
      visit(
          FieldInfo{.name = "upper", .help = "upper bound that everyone knows", .methods = "table"},
          self.upper);
      visit(FieldInfo{.name = "lower_level", .help = "lower protection level", .methods = "table"},
            self.lower_level);
      visit(FieldInfo{.name = "upper_level", .help = "upper protection level", .methods = "table"},
            self.upper_level);
      visit(
          FieldInfo{
              .name = "sliding_level", .help = "sliding protection level", .methods = "table"},
          self.sliding_level);
      visit(FieldInfo{.name = "largest",
                      .help = "columns with the largest contributions, the largest first",
                      .methods = "table"},
            self.largest);
    }

    template <class Self, class Visit>
    static void record_fields(Self& self, Visit&& visit) {
      visit(FieldInfo{.name = "respondent",
                      .help = "respondent to whom the record belongs",
                      .methods = "records"},
            self.respondent);
      visit(FieldInfo{.name = "missing_respondent",
                      .help = "what to do with a record without a respondent",
                      .methods = "records"},
            self.missing_respondent);
      visit(FieldInfo{.name = "holding",
                      .help = "holding to which the respondent belongs",
                      .methods = "records"},
            self.holding);
      visit(FieldInfo{.name = "request",
                      .help = "whether the respondent has asked for protection",
                      .methods = "records"},
            self.request);
      visit(FieldInfo{.name = "waiver",
                      .help = "whether the respondent has agreed to disclosure",
                      .methods = "records"},
            self.waiver);
      visit(
          FieldInfo{
              .name = "request_codes", .help = "texts that mean a request", .methods = "records"},
          self.request_codes);
      visit(
          FieldInfo{
              .name = "waiver_codes", .help = "texts that mean an agreement", .methods = "records"},
          self.waiver_codes);
    }
  };

  struct Defaults {  // of a table, where its columns say nothing
    SpecNumber lower, upper, lower_percent, upper_percent;
    SpecNumber level, lower_level_percent, upper_level_percent, sliding_level_percent;
    SpecNumber weight;
    bool operator==(const Defaults&) const = default;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
      visit(FieldInfo{.name = "lower", .help = "lower bound: a number, or unbounded"}, self.lower);
      visit(FieldInfo{.name = "upper", .help = "upper bound: a number, or unbounded"}, self.upper);
      visit(FieldInfo{.name = "level", .help = "both levels: a number, or \"10%\" of the value"},
            self.level);
      visit(FieldInfo{.name = "lower_percent",
                      .help = "how far the lower bound lies below the value"},
            self.lower_percent);
      visit(FieldInfo{.name = "upper_percent",
                      .help = "how far the upper bound lies above the value"},
            self.upper_percent);
      visit(FieldInfo{.name = "weight", .help = "weight: a number, value or frequency"},
            self.weight);
      visit(
          FieldInfo{.name = "lower_level_percent", .help = "lower level, in percent of the value"},
          self.lower_level_percent);
      visit(
          FieldInfo{.name = "upper_level_percent", .help = "upper level, in percent of the value"},
          self.upper_level_percent);
      visit(FieldInfo{.name = "sliding_level_percent",
                      .help = "sliding level, in percent of the value"},
            self.sliding_level_percent);
    }
  };

  struct Dimension {
    std::string name, column, total;
    std::vector<std::string> hierarchy, parents, correspondence;  // files
    std::string lead;
    std::vector<SpecLists> tree;  // parents with their children; several over the same leaves
    std::vector<std::string> unlisted, codes;
    std::vector<std::vector<std::string>> columns;  // from coarse to fine
    std::vector<std::int32_t> digits;
    MissingPolicy missing = MissingPolicy::kError;
    std::string missing_code;
    std::vector<std::string> missing_values;
    UnknownPolicy unknown = UnknownPolicy::kError;
    LongerPolicy longer = LongerPolicy::kAuto;
    bool operator==(const Dimension&) const = default;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
      visit(FieldInfo{.name = "name", .help = "name of the dimension"}, self.name);
      visit(FieldInfo{.name = "column", .help = "column with its codes", .absent = "its name"},
            self.column);
      visit(FieldInfo{.name = "total", .help = "code of the total", .absent = "Total"}, self.total);
      visit(FieldInfo{.name = "hierarchy", .help = "files with indented codes (.hrc)"},
            self.hierarchy);
      visit(
          FieldInfo{
              .name = "lead", .help = "character that marks a level in these files", .absent = "@"},
          self.lead);
      visit(FieldInfo{.name = "parents", .help = "files with codes and their parents"},
            self.parents);
      visit(FieldInfo{.name = "correspondence", .help = "files with a column for each level"},
            self.correspondence);
      visit(FieldInfo{.name = "tree", .help = "parents with their children"}, self.tree);
      visit(FieldInfo{.name = "unlisted", .help = "codes that are in no hierarchy"}, self.unlisted);
      visit(FieldInfo{.name = "codes", .help = "all codes, in their order"}, self.codes);
      record_fields(self, visit);
    }

   private:
    template <class Self, class Visit>
    static void record_fields(Self& self, Visit&& visit) {
      visit(FieldInfo{.name = "columns",
                      .help = "a column for each level, from coarse to fine",
                      .methods = "records"},
            self.columns);
      visit(FieldInfo{.name = "digits",
                      .help = "number of characters of each level",
                      .least = 1,
                      .most = 1000,
                      .methods = "records",
                      .shown_as = "a list of whole numbers from 1, such as [3, 1, 1]"},
            self.digits);
      visit(FieldInfo{.name = "missing",
                      .help = "what to do with a record without a code",
                      .methods = "records"},
            self.missing);
      visit(FieldInfo{.name = "missing_code",
                      .help = "code under which such records are counted",
                      .methods = "records"},
            self.missing_code);
      visit(FieldInfo{.name = "missing_values",
                      .help = "texts that mean that there is no code",
                      .methods = "records"},
            self.missing_values);
      visit(FieldInfo{.name = "unknown",
                      .help = "what to do with a record whose code does not exist; missing treats "
                              "it as a record without a code",
                      .methods = "records"},
            self.unknown);
      visit(
          FieldInfo{
              .name = "longer",
              .help =
                  "codes that are longer than digits: auto cuts them if all have the same length",
              .methods = "records"},
          self.longer);
    }
  };

  struct Table {  // one of several that are linked
    std::string name;
    std::vector<std::string> dimensions;
    bool open = false;  // its innermost cells are not those of the system
    bool operator==(const Table&) const = default;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
      visit(FieldInfo{.name = "name", .help = "name of the table"}, self.name);
      visit(FieldInfo{.name = "dimensions", .help = "dimensions that it crosses"}, self.dimensions);
      visit(
          FieldInfo{.name = "open",
                    .help = "its innermost cells are not the innermost cells of the linked tables",
                    .methods = "table"},
          self.open);
    }
  };

  struct Rule {
    std::string type;
    SpecNumber n, k, p, q, percent, minimum, level;
    SpecScalar counts, range, coalition;
    bool operator==(const Rule&) const = default;
    static std::span<const std::string_view> types();

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
      visit(FieldInfo{.name = "type", .help = "type of the rule"}, self.type);
      visit(FieldInfo{.name = "n",
                      .help = "frequency: smallest safe number of contributors; dominance: how "
                              "many of the largest contributors",
                      .methods = "frequency dominance"},
            self.n);
      visit(FieldInfo{.name = "k",
                      .help = "largest percentage that they may hold together",
                      .methods = "dominance"},
            self.k);
      visit(FieldInfo{.name = "p",
                      .help = "nobody may know a contribution to within this percentage",
                      .methods = "p-percent prior-posterior"},
            self.p);
      visit(FieldInfo{.name = "q",
                      .help = "percentage to within which contributions are known beforehand",
                      .methods = "prior-posterior"},
            self.q);
      visit(
          FieldInfo{.name = "percent",
                    .help = "largest percentage of the cell that a contributor who asked may hold",
                    .methods = "request"},
          self.percent);
      visit(
          FieldInfo{
              .name = "minimum",
              .help =
                  "a cell with fewer contributors is sensitive if one of them asked for protection",
              .methods = "request"},
          self.minimum);
      visit(FieldInfo{.name = "level", .help = "upper level of zeros", .methods = "zeros"},
            self.level);
      visit(FieldInfo{.name = "counts",
                      .help = "what is counted: contributors, records or weighted records",
                      .methods = "frequency"},
            self.counts);
      visit(FieldInfo{.name = "range",
                      .help = "protection level, in percent of the value",
                      .methods = "frequency request"},
            self.range);
      visit(FieldInfo{.name = "coalition",
                      .help = "number of contributors who may share their knowledge",
                      .methods = "p-percent prior-posterior"},
            self.coalition);
    }
  };

  struct Levels {
    SpecScalar formula, frequency_range, request_range, manual_range;
    SpecScalar ratio, sliding_percent, sliding_only;
    bool operator==(const Levels&) const = default;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
      visit(FieldInfo{.name = "formula", .help = "formula of the levels: thesis or argus"},
            self.formula);
      visit(
          FieldInfo{
              .name = "frequency_range",
              .help = "level of cells made sensitive by a frequency rule, in percent of the value"},
          self.frequency_range);
      visit(
          FieldInfo{.name = "request_range",
                    .help = "level of cells made sensitive by a request, in percent of the value"},
          self.request_range);
      visit(FieldInfo{.name = "manual_range",
                      .help = "level of cells set by hand, in percent of the value"},
            self.manual_range);
      visit(FieldInfo{.name = "ratio", .help = "upper level divided by the lower one"}, self.ratio);
      visit(FieldInfo{.name = "sliding_percent",
                      .help = "sliding level, in percent of lower + upper"},
            self.sliding_percent);
      visit(FieldInfo{.name = "sliding_only",
                      .help = "use sliding levels instead of lower and upper ones"},
            self.sliding_only);
    }
  };

  struct Weights {
    SpecScalar formula;
    bool operator==(const Weights&) const = default;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
      visit(FieldInfo{.name = "formula", .help = "cost of withholding a cell"}, self.formula);
    }
  };

  struct BoundRules {  // that everyone knows
    SpecScalar lower, upper, misfit;
    SpecNumber lower_percent, upper_percent;
    bool operator==(const BoundRules&) const = default;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
      visit(FieldInfo{.name = "lower", .help = "lower bound: auto, unbounded or a number"},
            self.lower);
      visit(FieldInfo{.name = "upper", .help = "upper bound: auto, unbounded or a number"},
            self.upper);
      visit(FieldInfo{.name = "lower_percent",
                      .help = "how far the lower bound lies below the value"},
            self.lower_percent);
      visit(FieldInfo{.name = "upper_percent",
                      .help = "how far the upper bound lies above the value"},
            self.upper_percent);
      visit(FieldInfo{.name = "misfit",
                      .help = "a level that does not fit into the bounds: error, widen (the "
                              "bounds) or cut (the level)"},
            self.misfit);
    }
  };

  struct Attackers {  // besides the outsider
    std::optional<bool> respondents;
    SpecScalar singletons_know, coalition, knowledge, reach, waivers;
    bool operator==(const Attackers&) const = default;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
      visit(FieldInfo{.name = "respondents", .help = "contributors are attackers"},
            self.respondents);
      visit(FieldInfo{.name = "singletons_know",
                      .help = "a sole contributor knows that nobody else contributes"},
            self.singletons_know);
      visit(FieldInfo{.name = "coalition",
                      .help = "number of contributors who may share their knowledge"},
            self.coalition);
      visit(
          FieldInfo{
              .name = "knowledge",
              .help =
                  "own cells of which an attacker knows its contribution: all or sensitive-only"},
          self.knowledge);
      visit(FieldInfo{.name = "reach",
                      .help = "cells to protect from each attacker: table (all) or equation (those "
                              "that share an equation with its own cells)"},
            self.reach);
      visit(FieldInfo{.name = "waivers", .help = "take an agreement to disclosure into account"},
            self.waivers);
    }
  };

  struct CellFact {                 // known of a cell, or asked of it
    std::vector<std::string> cell;  // a code for each dimension
    SpecNumber lower, upper, sliding;
    bool operator==(const CellFact&) const = default;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
      visit(FieldInfo{.name = "cell", .help = "a code for each dimension"}, self.cell);
      visit(FieldInfo{.name = "lower", .help = "lower bound or level"}, self.lower);
      visit(FieldInfo{.name = "upper", .help = "upper bound or level"}, self.upper);
      visit(FieldInfo{.name = "sliding", .help = "sliding level", .methods = "levels"},
            self.sliding);
    }
  };

  struct Attacker {
    std::string name;
    std::vector<CellFact> known;
    std::optional<std::vector<CellFact>> levels;  // absent: those of the outsider
    bool operator==(const Attacker&) const = default;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
      visit(FieldInfo{.name = "name", .help = "name of the attacker"}, self.name);
      visit(FieldInfo{.name = "known",
                      .help = "cells that it knows, exactly or within bounds",
                      .shown_as = "known"},
            self.known);
      visit(FieldInfo{.name = "levels",
                      .help = "cells that are protected from it, with levels",
                      .shown_as = "levels"},
            self.levels);
    }
  };

  struct Counts {
    std::optional<std::int64_t> threshold;  // absent: that of a frequency rule, else 3
    bool whole = true;                      // false: judged as real numbers all the same
    Zeros zeros = Zeros::kPublished;
    WithheldMeans withheld_means = WithheldMeans::kAny;
    std::vector<CountKind> kinds;
    SpecLists sensitive;            // dimensions with codes
    std::vector<SpecLists> groups;  // one dimension each
    std::int64_t coalition = 0;
    std::int64_t ambiguity = 1;
    bool operator==(const Counts&) const = default;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
      constexpr double kMost = 2147483647;
      visit(FieldInfo{.name = "threshold",
                      .help = "counts below this are sensitive",
                      .least = 0,
                      .most = kMost,
                      .absent = "that of a frequency rule, else 3"},
            self.threshold);
      visit(FieldInfo{.name = "whole", .help = "the audit judges counts as whole numbers"},
            self.whole);
      visit(FieldInfo{.name = "zeros", .help = "what an empty cell means"}, self.zeros);
      visit(FieldInfo{.name = "withheld_means", .help = "what readers conclude from a blank"},
            self.withheld_means);
      visit(FieldInfo{.name = "kinds", .help = "kinds of disclosure that are not allowed"},
            self.kinds);
      visit(FieldInfo{.name = "sensitive",
                      .help = "categories whose disclosure matters",
                      .shown_as = "{ <dimension> = [\"<code>\", ...] }"},
            self.sensitive);
      visit(FieldInfo{.name = "groups",
                      .help = "groups of categories, each judged as one",
                      .shown_as = "{ <dimension> = [\"<code>\", ...] }"},
            self.groups);
      visit(FieldInfo{.name = "coalition",
                      .help = "number of persons of a group who attack together",
                      .least = 0,
                      .most = kMost},
            self.coalition);
      visit(FieldInfo{.name = "ambiguity",
                      .help = "number of other values that must remain possible",
                      .least = 0,
                      .most = kMost},
            self.ambiguity);
    }
  };

  struct Differencing {
    std::vector<std::string> areas;
    bool operator==(const Differencing&) const = default;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
      visit(FieldInfo{.name = "areas", .help = "dimensions that divide the same units into areas"},
            self.areas);
    }
  };

  struct Derived {  // a column of ratios of cells, published beside them
    std::string name, type;
    std::vector<std::string> of;
    std::string to, dimension, numerator, denominator, population, period, counts;
    SpecNumber per, weight;
    std::int32_t decimals = 1;
    std::string rounding, published;
    bool operator==(const Derived&) const = default;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
      visit(FieldInfo{.name = "name", .help = "name of its column in the public file"}, self.name);
      visit(FieldInfo{.name = "type",
                      .help = "percentage, ratio, mean, rate, growth or index (docs/derived.md)"},
            self.type);
      parts(self, visit);
      visit(FieldInfo{.name = "per",
                      .help = "number by which the quotient is multiplied, of percentages in place "
                              "of 100",
                      .absent = "1"},
            self.per);
      visit(FieldInfo{.name = "decimals",
                      .help = "number of decimals with which it is published",
                      .least = 0,
                      .most = 12},
            self.decimals);
      visit(
          FieldInfo{
              .name = "rounding", .help = "half-up, half-even, down or up", .absent = "half-up"},
          self.rounding);
      visit(
          FieldInfo{.name = "published",
                    .help = "with-parts: only where both numbers of the quotient are; everywhere; "
                            "cheapest: also where the audit finds it safe",
                    .absent = "with-parts"},
          self.published);
      visit(FieldInfo{.name = "weight",
                      .help = "cheapest: cost of leaving out one number of this column",
                      .absent = "1"},
            self.weight);
    }

   private:
    template <class Self, class Visit>
    static void parts(Self& self, Visit&& visit) {
      visit(FieldInfo{.name = "of",
                      .help = "percentage: dimensions whose total is the whole",
                      .absent = "all dimensions"},
            self.of);
      visit(FieldInfo{.name = "to",
                      .help = "percentage: the whole is the total, or the parent, of the dimension",
                      .absent = "total"},
            self.to);
      visit(FieldInfo{.name = "dimension",
                      .help = "ratio: dimension of which one code is divided by another"},
            self.dimension);
      visit(FieldInfo{.name = "numerator", .help = "ratio: code above the line"}, self.numerator);
      visit(FieldInfo{.name = "denominator", .help = "ratio: code below the line"},
            self.denominator);
      visit(FieldInfo{.name = "population",
                      .help = "rate: file with the public number by which each cell is divided"},
            self.population);
      visit(FieldInfo{.name = "period",
                      .help = "growth and index: name of the [[before]] that is compared",
                      .absent = "the last one"},
            self.period);
      visit(FieldInfo{.name = "counts",
                      .help = "mean: whether readers have the numbers of contributors: everywhere "
                              "or never",
                      .absent = "everywhere"},
            self.counts);
    }
  };

  struct Shadow {  // another variable of the same units, withheld with the table's own
    std::string name, sensitive;
    SpecNumber level;
    bool operator==(const Shadow&) const = default;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
      visit(FieldInfo{.name = "name",
                      .help = "its column, in the table or records and in the public file"},
            self.name);
      visit(FieldInfo{.name = "sensitive",
                      .help = "where it must be protected: same: where the table's own value is; "
                              "rules: where the job's rules say so of it, of records; none",
                      .absent = "rules for records, otherwise same"},
            self.sensitive);
      visit(FieldInfo{.name = "level",
                      .help = "same: how far readers must be kept from it, in percent of it",
                      .absent = "as far, in proportion, as from the table's own value"},
            self.level);
    }
  };

  struct KnownRatio {  // of two numbers of every cell, as readers know
    std::string above, below;
    SpecNumber least, most;
    std::string counts;
    bool operator==(const KnownRatio&) const = default;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
      visit(FieldInfo{.name = "above",
                      .help = "number above the line: value, frequency or the name of a [[shadow]]"},
            self.above);
      visit(FieldInfo{.name = "below", .help = "number below the line, likewise"}, self.below);
      visit(FieldInfo{.name = "least",
                      .help = "what the quotient is at least, in every cell",
                      .absent = "no lower end is known"},
            self.least);
      visit(FieldInfo{.name = "most",
                      .help = "what it is at most",
                      .absent = "no upper end is known"},
            self.most);
      visit(FieldInfo{.name = "counts",
                      .help = "frequency: whether readers have it: everywhere or never",
                      .absent = "everywhere"},
            self.counts);
    }
  };

  // Cells whose changes readers know closer, or less close, than others.
  struct ChangeClass {
    std::string dimension;
    std::vector<std::string> codes;
    std::string change;
    bool operator==(const ChangeClass&) const = default;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
      visit(FieldInfo{.name = "dimension", .help = "dimension of the codes"}, self.dimension);
      visit(FieldInfo{.name = "codes", .help = "codes of this class"}, self.codes);
      visit(FieldInfo{.name = "change",
                      .help = "how far a cell of this class can have changed, such as \"50%\", or "
                              "\"unbounded\""},
            self.change);
    }
  };

  // What readers know of the changes since an earlier period, and what they may not.
  struct Changes {
    std::string change;
    std::vector<ChangeClass> classes;
    std::string change_file;
    bool cumulated = false;
    std::string differences;
    SpecNumber level;
    bool operator==(const Changes&) const = default;

   protected:
    template <class Self, class Visit>
    static void change_fields(Self& self, Visit&& visit) {
      visit(FieldInfo{.name = "change",
                      .help = "how far every cell can have changed, as readers know, such as "
                              "\"20%\" of its earlier value",
                      .absent = "unbounded"},
            self.change);
      visit(FieldInfo{.name = "class",
                      .help = "codes with a bound of change of their own, in place of change; where "
                              "several hold of a cell, the narrowest",
                      .shown_as = "[[class]]"},
            self.classes);
      visit(FieldInfo{.name = "change_file",
                      .help = "CSV file with columns of dimensions and one of bounds of change, for "
                              "single cells, in place of change and class"},
            self.change_file);
      visit(FieldInfo{.name = "cumulated",
                      .help = "the new table has all that the earlier one has, so no cell falls"},
            self.cumulated);
      visit(FieldInfo{.name = "differences",
                      .help = "rules: changes that the job's rules call sensitive are protected; "
                              "none: only the cells of both periods are",
                      .absent = "rules"},
            self.differences);
      visit(FieldInfo{.name = "level",
                      .help = "tables: how far readers must be kept from a sensitive change, in "
                              "percent of it",
                      .absent = "it must not be exactly computable"},
            self.level);
    }
  };

  struct Before : Changes {  // an earlier period, with what readers have of it
    std::string name, input, release, revised_by;
    bool operator==(const Before&) const = default;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
      visit(FieldInfo{.name = "name", .help = "name of the period"}, self.name);
      visit(FieldInfo{.name = "input",
                      .help = "its table or records, in the columns of this job's input"},
            self.input);
      visit(FieldInfo{.name = "release", .help = "what readers have of it: its public file"},
            self.release);
      visit(FieldInfo{.name = "revised_by",
                      .help = "name of the [[before]] that corrects this one: what readers know of "
                              "changes is known since the correction",
                      .absent = "it was not corrected"},
            self.revised_by);
      Changes::change_fields(self, visit);
    }
  };

  struct Store : Changes {  // where the releases of all periods are kept
    std::string folder, period;
    bool revision = false;
    std::int64_t last = 0;
    bool keep = true;
    bool operator==(const Store&) const = default;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
      constexpr double kMost = 100000;
      visit(FieldInfo{.name = "folder", .help = "folder with the releases of earlier periods"},
            self.folder);
      visit(FieldInfo{.name = "period",
                      .help = "name of the period of this table",
                      .absent = "the name of the input without its ending"},
            self.period);
      visit(FieldInfo{.name = "revision",
                      .help = "this table corrects a period that is in the store already"},
            self.revision);
      visit(FieldInfo{.name = "last",
                      .help = "number of latest periods that readers compare this one with",
                      .least = 1,
                      .most = kMost,
                      .absent = "all of the store"},
            self.last);
      visit(FieldInfo{.name = "keep",
                      .help = "the cells withheld in the period before are preferred"},
            self.keep);
      Changes::change_fields(self, visit);
    }
  };

  struct Keys {
    std::optional<std::int32_t> digits;
    std::optional<std::int64_t> modulus;
    std::string from, secret;
    std::optional<std::int64_t> seed;
    bool operator==(const Keys&) const = default;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
      visit(FieldInfo{.name = "digits",
                      .help = "number of decimals of decimal keys",
                      .least = 0,
                      .most = 18},
            self.digits);
      visit(FieldInfo{.name = "modulus",
                      .help = "modulus of whole keys",
                      .least = 2,
                      .most = 1e18,
                      .shown_as = "a whole number from 2 to 10^18"},
            self.modulus);
      visit(FieldInfo{.name = "from", .help = "column from which keys are made"}, self.from);
      visit(FieldInfo{.name = "secret", .help = "file with the secret that these keys need"},
            self.secret);
      visit(FieldInfo{.name = "seed",
                      .help = "number from which keys are made, together with the place of each "
                              "record in its file",
                      .least = 0,
                      .most = 1e18,
                      .shown_as = "a whole number from 0 to 10^18"},
            self.seed);
    }
  };

  struct Apriori {
    std::string file, separator;
    bool ignore_errors = false, expand_trivial = false;
    bool operator==(const Apriori&) const = default;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
      visit(FieldInfo{.name = "file", .help = "file with the settings of single cells"}, self.file);
      visit(FieldInfo{.name = "separator", .help = "separator of that file", .absent = ";"},
            self.separator);
      visit(FieldInfo{.name = "ignore_errors", .help = "skip lines that match no cell"},
            self.ignore_errors);
      visit(FieldInfo{.name = "expand_trivial",
                      .help = "apply each line also to the cells that must equal its cell"},
            self.expand_trivial);
    }
  };

  struct Output {
    std::string problem, table, result, certificate, public_file;
    bool operator==(const Output&) const = default;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
      visit(FieldInfo{.name = "problem", .help = "the table and what must be protected"},
            self.problem);
      visit(FieldInfo{.name = "table", .help = "the table with its sensitive cells"}, self.table);
      visit(FieldInfo{.name = "result", .help = "the release, for the office"}, self.result);
      visit(FieldInfo{.name = "certificate", .help = "the evidence"}, self.certificate);
      visit(FieldInfo{.name = "public", .help = "the files that readers get"}, self.public_file);
    }
  };

  std::string policy;  // published rules: their name, or a file
  Input input;
  std::optional<Columns> columns;
  SpecWords status_words;
  Defaults defaults;
  std::vector<Dimension> dimensions;
  std::vector<Table> tables;
  std::vector<Rule> rules;
  Levels levels;
  Weights weights;
  BoundRules bounds;
  Attackers attackers;
  std::vector<Attacker> named_attackers;
  std::optional<Counts> counts;
  std::optional<Differencing> differencing;
  std::vector<Derived> derived;
  std::vector<Shadow> shadows;
  std::vector<KnownRatio> known_ratios;
  std::vector<Before> before;
  std::optional<Store> store;
  std::optional<Keys> keys;
  std::optional<Apriori> apriori;
  SpecOptions options;  // of the run, by the names of the command line
  Output output;
  bool operator==(const JobSpec&) const = default;

  // Whether tables are made of records, or one is given.
  bool over_records() const;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "policy",
                    .help = "published rules to apply where the job says nothing itself: a name "
                            "that `lacuna policies` lists, or a file"},
          self.policy);
    visit(
        FieldInfo{
            .name = "input", .help = "the input files and how to read them", .shown_as = "[input]"},
        self.input);
    visit(FieldInfo{.name = "columns", .help = "what the columns hold", .shown_as = "[columns]"},
          self.columns);
    visit(FieldInfo{.name = "status_words",
                    .help = "the office's own words for the status of a cell",
                    .methods = "table",
                    .shown_as = "[status_words]"},
          self.status_words);
    visit(FieldInfo{.name = "defaults",
                    .help = "what holds for cells about which the columns say nothing",
                    .methods = "table",
                    .shown_as = "[defaults]"},
          self.defaults);
    visit(FieldInfo{.name = "dimension",
                    .help = "the dimensions of the table",
                    .shown_as = "[[dimension]]"},
          self.dimensions);
    visit(FieldInfo{.name = "table", .help = "linked tables", .shown_as = "[[table]]"},
          self.tables);
    rule_fields(self, visit);
    visit(FieldInfo{.name = "options", .help = "options of the run", .shown_as = "[options]"},
          self.options);
    visit(FieldInfo{.name = "output", .help = "files to write", .shown_as = "[output]"},
          self.output);
  }

 private:
  template <class Self, class Visit>
  static void rule_fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "rule", .help = "what makes a cell sensitive", .shown_as = "[[rule]]"},
          self.rules);
    visit(
        FieldInfo{
            .name = "levels", .help = "how wide the protection must be", .shown_as = "[levels]"},
        self.levels);
    visit(FieldInfo{.name = "weights",
                    .help = "the cost of withholding a cell",
                    .methods = "records",
                    .shown_as = "[weights]"},
          self.weights);
    visit(FieldInfo{.name = "bounds",
                    .help = "the bounds that everyone knows",
                    .methods = "records",
                    .shown_as = "[bounds]"},
          self.bounds);
    visit(FieldInfo{.name = "attackers",
                    .help = "what contributors know as attackers",
                    .shown_as = "[attackers]"},
          self.attackers);
    visit(FieldInfo{.name = "attacker",
                    .help = "attackers with a name",
                    .methods = "table",
                    .shown_as = "[[attacker]]"},
          self.named_attackers);
    visit(
        FieldInfo{
            .name = "counts", .help = "requirements for tables of counts", .shown_as = "[counts]"},
        self.counts);
    together_fields(self, visit);
    visit(FieldInfo{.name = "keys", .help = "keys of the cell key method", .shown_as = "[keys]"},
          self.keys);
    visit(FieldInfo{.name = "apriori",
                    .help = "settings of single cells",
                    .methods = "records",
                    .shown_as = "[apriori]"},
          self.apriori);
  }

  // What is judged with the table.
  template <class Self, class Visit>
  static void together_fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "differencing",
                    .help = "areas that overlap, and their differences",
                    .shown_as = "[differencing]"},
          self.differencing);
    visit(
        FieldInfo{.name = "derived",
                  .help = "percentages, means, rates and growth that are published with the table",
                  .shown_as = "[[derived]]"},
        self.derived);
    visit(FieldInfo{.name = "shadow",
                    .help = "other variables of the same units, withheld where the table's own is",
                    .shown_as = "[[shadow]]"},
          self.shadows);
    visit(FieldInfo{.name = "known_ratio",
                    .help = "bounds of the quotient of two variables that readers know",
                    .shown_as = "[[known_ratio]]"},
          self.known_ratios);
    visit(FieldInfo{.name = "before",
                    .help = "earlier periods that readers can compare with",
                    .shown_as = "[[before]]"},
          self.before);
    visit(FieldInfo{.name = "store",
                    .help = "the releases of earlier periods, kept in a folder",
                    .shown_as = "[store]"},
          self.store);
  }
};

}  // namespace lacuna
