// SPDX-License-Identifier: Apache-2.0
#include "data/argus/batch.h"

#include <gtest/gtest.h>

#include "core/base/confidential.h"

namespace lacuna::argus {
namespace {

std::string batch_fault(const std::string& text) {
  const auto batch = read_batch(text, "j.arb");
  return batch ? "no error" : base::in_full(batch.error().text());
}

// The only command of a job, and what was noted about it.
template <class T>
struct One {
  T action;
  std::vector<std::string> notes;
};

template <class T>
One<T> one(const std::string& text) {
  const auto batch = read_batch(text, "j.arb");
  if (!batch) {
    ADD_FAILURE() << batch.error().text();
    return {};
  }
  EXPECT_EQ(batch->commands.size(), 1U);
  const T* const action = std::get_if<T>(&batch->commands[0].action);
  if (action == nullptr) {
    ADD_FAILURE() << "another action: " << text;
    return {};
  }
  return {*action, batch->notes};
}

std::vector<std::string> texts(const std::vector<Word>& words) {
  std::vector<std::string> result;
  for (const Word& word : words)
    result.push_back(word.text);
  return result;
}

using Texts = std::vector<std::string>;

TEST(Batch, LinesOfAnyKind) {
  const auto batch = read_batch(
      "\xEF\xBB\xBF// a comment\r\n\\\\ another\r\n\r\n  <openMicroData>\t\"a b.asc\" // data\r\n"
      "<CLEAR>\r\n<CoMMENT> anything (\r\n<GOINTERACTIVE>",
      "j.arb");
  ASSERT_TRUE(batch) << batch.error().text();
  ASSERT_EQ(batch->commands.size(), 4U);
  const Command& open = batch->commands[0];
  EXPECT_EQ(open.keyword, "<OPENMICRODATA>");
  EXPECT_EQ(open.line, "  <openMicroData>\t\"a b.asc\" // data");
  EXPECT_EQ(open.place.line, 4U);
  EXPECT_EQ(open.place.column, 3U);
  EXPECT_EQ(std::get<OpenMicrodata>(open.action).file.text, "a b.asc");
  EXPECT_EQ(std::get<OpenMicrodata>(open.action).file.place.column, 19U);
  EXPECT_TRUE(std::holds_alternative<Clear>(batch->commands[1].action));
  EXPECT_TRUE(std::holds_alternative<Comment>(batch->commands[2].action));
  EXPECT_TRUE(std::holds_alternative<GoInteractive>(batch->commands[3].action));
  EXPECT_TRUE(batch->notes.empty());
}

TEST(Batch, Latin1AndColumnsInCharacters) {
  EXPECT_EQ(one<OpenTableData>("<OPENTABLEDATA> \"r\xE9gion.tab\"").action.file.text, "région.tab");
  EXPECT_EQ(batch_fault("<RECODE> 1, \"r\xE9gion\" \"x\""),
            "j.arb:1:22: expected ',' after 'région', not '\"x\"'");
  EXPECT_EQ(batch_fault("<RECODE> 1, \"région\" \"x\""),
            "j.arb:1:22: expected ',' after 'région', not '\"x\"'");
}

TEST(Batch, TypographicQuotesAndBlanks) {
  const auto letter = one<OpenTableData>("<OPENTABLEDATA>\u00A0\u201Ca b.tab\u201D");
  EXPECT_EQ(letter.action.file.text, "a b.tab");
  EXPECT_EQ(letter.action.file.place.column, 17U);
  EXPECT_EQ(letter.notes,
            (Texts{"j.arb:1:1: typographic quotes and blanks are read as plain ones"}));
  EXPECT_EQ(one<OpenTableData>("<OPENTABLEDATA> \x93"
                               "a.tab\x94")
                .action.file.text,
            "a.tab");
}

TEST(Batch, CommandsThatAreUnknown) {
  EXPECT_EQ(batch_fault("\n<SUPRESS> OPT(1)"),
            "j.arb:2:1: unknown command '<SUPRESS>'; did you mean '<SUPPRESS>'?");
  EXPECT_EQ(batch_fault("<FOO>"), "j.arb:1:1: unknown command '<FOO>'");
  EXPECT_EQ(batch_fault("SUPPRESS OPT(1)"),
            "j.arb:1:1: expected a command in angle brackets, not 'SUPPRESS'; did you mean "
            "'<SUPPRESS>'?");
  EXPECT_EQ(batch_fault("// nothing\n"), "j.arb: the job has no command");
  EXPECT_EQ(batch_fault(""), "j.arb: the job has no command");
}

TEST(Batch, FilesWithAndWithoutQuotes) {
  EXPECT_EQ(one<Logbook>("<LOGBOOK> \"\\\\S\\x y.log\"").action.file.text, "\\\\S\\x y.log");
  EXPECT_EQ(one<Logbook>("<LOGBOOK> //server/my log.txt // here").action.file.text,
            "//server/my log.txt");
  EXPECT_EQ(one<VersionInfo>("<VERSIONINFO> C:\\a\\v.txt").action.file.text, "C:\\a\\v.txt");
  EXPECT_EQ(one<OpenMetadata>("<OPENMETADATA>\"m.rda\"").action.file.text, "m.rda");
  const auto open = one<OpenMetadata>("<OPENMETADATA> \"m.rda ");
  EXPECT_EQ(open.action.file.text, "m.rda");
  EXPECT_EQ(open.notes, (Texts{"j.arb:1:1: a quote is not closed: read to the end of the line"}));
  EXPECT_EQ(one<OpenMetadata>("<OPENMETADATA> \"m.rda\" x y").notes,
            (Texts{"j.arb:1:24: ignored: 'x y'"}));
  const auto half = one<OpenMetadata>("<OPENMETADATA>  E:\\a b\\m.RDA\"");
  EXPECT_EQ(half.action.file.text, "E:\\a b\\m.RDA");
  EXPECT_EQ(
      half.notes,
      (Texts{"j.arb:1:17: a quote stands at the end of the name of the file alone: ignored"}));
  EXPECT_EQ(batch_fault("<OPENMETADATA>"), "j.arb:1:15: expected the name of a file");
  EXPECT_EQ(batch_fault("<LOGBOOK> \"\""), "j.arb:1:11: expected the name of a file");
}

TEST(Batch, WordsThatDoNothing) {
  for (const char* const text : {"<COMMENT>", "<COVER>", "<ANCO>", "<JJ> x"})
    EXPECT_TRUE(one<Comment>(text).notes.empty());
  EXPECT_EQ(one<Comment>("<SILENT>").notes,
            (Texts{"j.arb:1:9: <SILENT> is ignored; tau-ARGUS stops there"}));
}

TEST(Batch, OwnCommands) {
  const auto own = one<Own>("  // Lacuna: Effort fast \"a b\" 3 // why").action;
  EXPECT_EQ(own.name.text, "effort");
  EXPECT_EQ(own.name.place.column, 14U);
  EXPECT_EQ(texts(own.values), (Texts{"fast", "a b", "3"}));
  EXPECT_EQ(one<Own>("<lacuna> audit").action.name.text, "audit");
  EXPECT_EQ(one<Own>("//lacuna:audit").action.name.text, "audit");
  EXPECT_EQ(batch_fault("//lacuna:"),
            "j.arb:1:10: expected a task for Lacuna: audit, interval, report, ...");
}

TEST(SpecifyTable, AllParts) {
  const auto table =
      one<SpecifyTable>("<SPECIFYTABLE> \"Si,ze\"\"Re|gion\"|\"Var2\"|\"Sh\"|\"Co\",0.5").action;
  EXPECT_EQ(texts(table.explanatory), (Texts{"Si,ze", "Re|gion"}));
  EXPECT_EQ(table.response.text, "Var2");
  EXPECT_EQ(table.shadow.text, "Sh");
  EXPECT_EQ(table.cost_kind, CostKind::kVariable);
  EXPECT_EQ(table.cost.text, "Co");
  EXPECT_EQ(table.lambda, 0.5);
  EXPECT_FALSE(table.counts());
}

TEST(SpecifyTable, EmptyAndMissingParts) {
  for (const char* const tail : {"", "|", "||", "|\"\"|\"\"", " | | ", "||,", "|||"}) {
    const auto table = one<SpecifyTable>(std::string("<SPECIFYTABLE> \"A\"|<FREQ>") + tail);
    EXPECT_TRUE(table.action.counts()) << tail;
    EXPECT_EQ(table.action.shadow.text, "");
    EXPECT_EQ(table.action.cost_kind, CostKind::kResponse);
    EXPECT_FALSE(table.action.lambda.has_value());
    EXPECT_TRUE(table.notes.empty());
  }
}

TEST(SpecifyTable, Costs) {
  const auto kind = [](const std::string& cost) {
    return one<SpecifyTable>("<SPECIFYTABLE> \"A\"|\"R\"||" + cost).action.cost_kind;
  };
  EXPECT_EQ(kind("-1"), CostKind::kFrequency);
  EXPECT_EQ(kind("\"-2\""), CostKind::kUnity);
  EXPECT_EQ(kind("-3,1"), CostKind::kDistance);
  EXPECT_EQ(kind("Var 4,1"), CostKind::kVariable);
}

TEST(SpecifyTable, LenientForms) {
  const auto bar = one<SpecifyTable>("<SPECIFYTABLE> \"A\"|\"R\"|\"R\"|\"R\"|0");
  EXPECT_EQ(bar.action.lambda, 0.0);
  EXPECT_EQ(bar.notes, (Texts{"j.arb:1:31: '|' before lambda is read as ','"}));
  const auto comma = one<SpecifyTable>("<SPECIFYTABLE> A B,\"C\"|R||,0,5");
  EXPECT_EQ(texts(comma.action.explanatory), (Texts{"A", "B", "C"}));
  EXPECT_EQ(comma.action.lambda, 0.5);
  EXPECT_EQ(comma.notes,
            (Texts{"j.arb:1:19: a comma between two explanatory variables is ignored"}));
}

TEST(SpecifyTable, Errors) {
  EXPECT_EQ(batch_fault("<SPECIFYTABLE>"),
            "j.arb:1:15: expected the name of an explanatory variable");
  EXPECT_EQ(batch_fault("<SPECIFYTABLE> \"A\"\"\"|R"),
            "j.arb:1:19: expected the name of an explanatory variable, not \"\"");
  EXPECT_EQ(batch_fault("<SPECIFYTABLE> \"A\""),
            "j.arb:1:19: expected '|' after the explanatory variables, not the end of the line");
  EXPECT_EQ(batch_fault("<SPECIFYTABLE> \"A\"||"),
            "j.arb:1:20: expected the response variable or <freq>");
  EXPECT_EQ(batch_fault("<SPECIFYTABLE> \"A\"|\"R\" \"S\""),
            "j.arb:1:24: expected '|' after the response 'R', not '\"S\"'");
  EXPECT_EQ(batch_fault("<SPECIFYTABLE> \"A\"|R||-1,x"),
            "j.arb:1:26: lambda must be a number of at least 0, not 'x'");
  EXPECT_EQ(batch_fault("<SPECIFYTABLE> \"A\"|R||\"C\" 1"),
            "j.arb:1:27: expected ',' after the cost variable 'C', not '1'");
}

TEST(SafetyRule, AllRules) {
  const auto rules =
      one<SafetyRule>(
          "<SAFETYRULE> NK(1, 50.5)|NK(3,80)|P(20,1)|p (15,110,2)|FREQ(3,30)|REQ(10,20,3,30)|"
          "ZERO(1.25)|MIS(1)|WGT(1)|MAN(15)|")
          .action;
  ASSERT_TRUE(rules.dominance[0] && rules.dominance[1] && rules.prior_posterior[1]);
  EXPECT_EQ(rules.dominance[0]->k, mpq_class(101, 2));
  EXPECT_EQ(rules.dominance[1]->n, 3);
  EXPECT_EQ(rules.prior_posterior[0]->p, 20);
  EXPECT_EQ(rules.prior_posterior[0]->q, 100);
  EXPECT_EQ(rules.prior_posterior[0]->n, 1);
  EXPECT_EQ(rules.prior_posterior[1]->q, 110);
  EXPECT_EQ(rules.prior_posterior[1]->n, 2);
  EXPECT_EQ(rules.frequency[0]->minimum, 3);
  EXPECT_EQ(rules.frequency[0]->range, 30);
  EXPECT_EQ(rules.request[0]->second, 20);
  EXPECT_EQ(rules.request[0]->minimum, 3);
  EXPECT_EQ(*rules.zero, mpq_class(5, 4));
  EXPECT_TRUE(rules.missing_safe && rules.weights && rules.any_rule());
  EXPECT_EQ(rules.manual, 15);
  EXPECT_FALSE(rules.holdings());
  EXPECT_EQ(rules.records_needed(), 3);
  EXPECT_EQ(rules.holdings_needed(), 0);
}

TEST(SafetyRule, PlaceHoldersAndHoldings) {
  const auto rules = one<SafetyRule>(
                         "<SAFETYRULE> NK(0,0)|NK(0,0)|NK(2,75)||P(0,100,0)|P(0)|P(5)|FREQ(0,0)|"
                         "FREQ(4,10)|REQ(0,0,0,0)|REQ(5,0,0,0)")
                         .action;
  EXPECT_FALSE(rules.dominance[0] || rules.dominance[1] || rules.prior_posterior[0]);
  EXPECT_TRUE(rules.dominance[2] && rules.prior_posterior[2] && rules.frequency[1]);
  EXPECT_TRUE(rules.request[1].has_value());
  EXPECT_TRUE(rules.holdings());
  EXPECT_EQ(rules.records_needed(), 0);
  EXPECT_EQ(rules.holdings_needed(), 2);
}

TEST(SafetyRule, OnlyTheStatusCounts) {
  EXPECT_FALSE(one<SafetyRule>("<SAFETYRULE>").action.any_rule());
  EXPECT_FALSE(one<SafetyRule>("<SAFETYRULE> MAN(20)|").action.any_rule());
  EXPECT_EQ(one<SafetyRule>("<SAFETYRULE>").action.manual, 20);
  EXPECT_TRUE(one<SafetyRule>("<SAFETYRULE> NK(0,0)").action.any_rule());
}

TEST(SafetyRule, LenientForms) {
  const auto three = one<SafetyRule>("<SAFETYRULE> REQ(10,20,30), MAN(10)");
  EXPECT_EQ(three.action.request[0]->minimum, 0);
  EXPECT_EQ(three.action.request[0]->range, 30);
  EXPECT_EQ(three.notes,
            (Texts{"j.arb:1:14: REQ with three arguments: no smallest frequency",
                   "j.arb:1:27: ',' between two rules is read as '|'"}));
}

TEST(SafetyRule, Errors) {
  EXPECT_EQ(batch_fault("<SAFETYRULE> FREK(3,30)"),
            "j.arb:1:14: expected a rule (P, NK, FREQ, REQ, ZERO, MIS, WGT, MAN), not 'FREK'; did "
            "you mean 'FREQ'?");
  EXPECT_EQ(batch_fault("<SAFETYRULE> P 20"),
            "j.arb:1:18: expected '(' after the rule 'P 20', not the end of the line");
  EXPECT_EQ(batch_fault("<SAFETYRULE> P(20"),
            "j.arb:1:18: expected ')' after '20', not the end of the line");
  EXPECT_EQ(batch_fault("<SAFETYRULE> P(20) FREQ(3,1)"),
            "j.arb:1:20: expected '|' after the rule 'P', not 'FREQ(3,1)'");
  EXPECT_EQ(batch_fault("<SAFETYRULE> FREQ(3)"),
            "j.arb:1:14: expected FREQ(minimum,range), not 1 argument");
  EXPECT_EQ(batch_fault("<SAFETYRULE> P(1,2,3,4)"),
            "j.arb:1:14: expected P(p), P(p,n) or P(p,q,n), not 4 arguments");
  EXPECT_EQ(batch_fault("<SAFETYRULE> NK(1.5,50)"),
            "j.arb:1:17: n, the number of contributors, must be a whole number from 0 to 1000, not "
            "'1.5'");
  EXPECT_EQ(batch_fault("<SAFETYRULE> NK(1,-5)"),
            "j.arb:1:19: k must be a number of at least 0, not '-5'");
  EXPECT_EQ(batch_fault("<SAFETYRULE> P()"),
            "j.arb:1:16: p must be a number of at least 0, not nothing");
  EXPECT_EQ(batch_fault("<SAFETYRULE> P(10,0,1)"),
            "j.arb:1:19: q must be a number above 0, not '0'");
  EXPECT_EQ(batch_fault("<SAFETYRULE> MIS(2)"), "j.arb:1:18: MIS must be 0 or 1, not '2'");
  EXPECT_EQ(batch_fault("<SAFETYRULE> FREQ(1,1)|FREQ(1,1)|FREQ(1,1)"),
            "j.arb:1:34: at most 2 rules 'FREQ': half of them for records, then half for holdings");
}

TEST(Batch, ReadTable) {
  const auto read = [](const std::string& mode) {
    const ReadTable table = one<ReadTable>("<READTABLE> " + mode).action;
    return std::to_string(table.mode) + (table.keep_status ? "T" : "");
  };
  EXPECT_EQ(read(""), "0");
  EXPECT_EQ(read("0"), "0");
  EXPECT_EQ(read("1"), "1");
  EXPECT_EQ(read("1T"), "1T");
  EXPECT_EQ(read("1 t // keep"), "1T");
  EXPECT_EQ(read("1F"), "1");
  EXPECT_EQ(read("2"), "2");
  EXPECT_EQ(one<ReadTable>("<READTABLE> 2T").notes,
            (Texts{"j.arb:1:13: T and F are about mode 1: ignored in '2T'"}));
  EXPECT_EQ(
      batch_fault("<READTABLE> 3"),
      "j.arb:1:13: expected 0 (additive), 1 (totals are computed), 1T (the same, statuses are "
      "kept) or 2 (need not be additive), not '3'");
  EXPECT_TRUE(one<ReadMicrodata>("<READMICRODATA>").notes.empty());
}

TEST(Batch, Apriori) {
  const auto full = one<Apriori>("<APRIORY> \"a,b.hst\", 2, \";\", 1, 0");
  EXPECT_EQ(full.action.file.text, "a,b.hst");
  EXPECT_EQ(full.action.table, 2);
  EXPECT_EQ(full.action.separator, ';');
  EXPECT_TRUE(full.action.ignore_errors);
  EXPECT_FALSE(full.action.expand_trivial);
  EXPECT_TRUE(full.notes.empty());
  EXPECT_TRUE(one<Apriori>("<APRIORI> \"a.hst\",1,\",\",0,1").action.expand_trivial);
  const auto half = one<Apriori>("<APRIORI> \"a.hst\",1,\",\"");
  EXPECT_EQ(half.action.separator, ',');
  EXPECT_TRUE(half.action.ignore_errors);
  EXPECT_TRUE(one<Apriori>("<APRIORI> \"a.hst\",1,\",\",,").action.ignore_errors);
  EXPECT_EQ(half.notes,
            (Texts{"j.arb:1:20: no switches for errors and trivial levels, without which tau-ARGUS "
                   "stops: lines with errors are skipped, trivial levels are not expanded"}));
  EXPECT_EQ(one<Apriori>("<APRIORI> a.hst").notes.size(), 1U);
}

TEST(Batch, AprioriErrors) {
  EXPECT_EQ(batch_fault("<APRIORI>"), "j.arb:1:10: expected the name of a file");
  EXPECT_EQ(batch_fault("<APRIORI> \"a\" 1"),
            "j.arb:1:15: expected ',' after the name of the file, not '1'");
  EXPECT_EQ(batch_fault("<APRIORI> \"a\",0"),
            "j.arb:1:15: the number of a table must be a whole number from 1 to 10000, not '0'");
  EXPECT_EQ(batch_fault("<APRIORI> \"a\",1,\";;\""),
            "j.arb:1:17: the separator must be one character in quotes, not ';;'");
  EXPECT_EQ(batch_fault("<APRIORI> \"a\",1,\";\",yes"),
            "j.arb:1:21: the switch to ignore errors must be 0 or 1, not 'yes'");
}

TEST(Batch, Recode) {
  const Recode file = one<Recode>("<RECODE> 2, Size class, \"a,b (1).grc\"").action;
  EXPECT_EQ(file.table, 2);
  EXPECT_EQ(file.variable.text, "Size class");
  EXPECT_EQ(file.file.text, "a,b (1).grc");
  EXPECT_EQ(file.level, 0);
  const Recode level = one<Recode>("<RECODE> 1,\"Region\",3").action;
  EXPECT_EQ(level.level, 3);
  EXPECT_TRUE(level.file.text.empty());
  EXPECT_EQ(batch_fault("<RECODE> 1,Region"),
            "j.arb:1:18: expected ',' after 'Region', not the end of the line");
  EXPECT_EQ(batch_fault("<RECODE> 1,Region,"),
            "j.arb:1:19: expected the name of a recode file or a level from 1 to 9");
  EXPECT_EQ(batch_fault("<RECODE> 1,,x"), "j.arb:1:12: expected the name of a variable");
  EXPECT_EQ(batch_fault("<RECODE> x,A,1"),
            "j.arb:1:10: the number of a table must be a whole number from 1 to 10000, not 'x'");
}

TEST(Batch, SolverAndLicence) {
  const Solver solver = one<Solver>("<SOLVER> cplex , \"C:\\l.lic\"").action;
  EXPECT_EQ(solver.name.text, "cplex");
  EXPECT_EQ(solver.licence.text, "C:\\l.lic");
  EXPECT_TRUE(one<Solver>("<SOLVER> FREE").notes.empty());
  EXPECT_EQ(one<Solver>("<SOLVER> SCIP").notes,
            (Texts{"j.arb:1:10: tau-ARGUS knows XPRESS, CPLEX and FREE, not 'SCIP'"}));
}

TEST(Suppress, Defaults) {
  const Suppress gh = one<Suppress>("<SUPPRESS> gh(0)").action;
  EXPECT_EQ(gh.method, SuppressMethod::kGh);
  EXPECT_EQ(gh.table, 0);
  EXPECT_EQ(gh.bound_percent, 100);
  EXPECT_TRUE(gh.singletons);
  const Suppress mod = one<Suppress>("<SUPPRESS> MOD (1)").action;
  EXPECT_TRUE(mod.single_single && mod.single_multiple && mod.minimum_frequency);
  EXPECT_EQ(mod.minutes, 0);
  EXPECT_EQ(one<Suppress>("<SUPPRESS> NET(1)").action.method, SuppressMethod::kNet);
  EXPECT_EQ(one<Suppress>("<SUPPRESS> CTA(1)").action.method, SuppressMethod::kCta);
  const Suppress round = one<Suppress>("<SUPPRESS> RND(1,5)").action;
  EXPECT_EQ(round.base.text, "5");
  EXPECT_EQ(round.stop_rule, 2);
  EXPECT_TRUE(round.unit_cost);
}

TEST(Suppress, Arguments) {
  const Suppress gh = one<Suppress>("<SUPPRESS> GH(1, 40,1,0)").action;
  EXPECT_EQ(gh.bound_percent, 40);
  EXPECT_EQ(gh.size, 1);
  EXPECT_FALSE(gh.singletons);
  const Suppress mod = one<Suppress>("<SUPPRESS> MOD(2,5,0,0,0,100,0.9,1.1)").action;
  EXPECT_EQ(mod.minutes, 5);
  EXPECT_FALSE(mod.single_single || mod.single_multiple || mod.minimum_frequency);
  EXPECT_EQ(mod.scaled_cost, 100);
  EXPECT_EQ(mod.lower_margin, 0.9);
  EXPECT_EQ(mod.upper_margin, 1.1);
  EXPECT_EQ(one<Suppress>("<SUPPRESS> MOD(2,,1,,0,,,1.2)").action.upper_margin, 1.2);
  EXPECT_EQ(one<Suppress>("<SUPPRESS> OPT(1,0.5)").action.minutes, 0.5);
  for (int rule = 0; rule <= 3; ++rule) {
    const Suppress round =
        one<Suppress>("<SUPPRESS> RND(1,10,2,3,1," + std::to_string(rule) + ",0)").action;
    EXPECT_EQ(round.steps, 2);
    EXPECT_EQ(round.minutes, 3);
    EXPECT_EQ(round.partitions, 1);
    EXPECT_EQ(round.stop_rule, rule);
    EXPECT_FALSE(round.unit_cost);
  }
  EXPECT_EQ(
      one<Suppress>("<SUPPRESS> OPT(1,5,7) x").notes,
      (Texts{"j.arb:1:20: OPT has no such argument: '7' is ignored", "j.arb:1:23: ignored: 'x'"}));
}

TEST(Suppress, CellKeys) {
  EXPECT_EQ(one<Suppress>("<SUPPRESS> CKM(1)").action.ptable.text, "");
  EXPECT_EQ(one<Suppress>("<SUPPRESS> CKM(1) \"p t.txt\"").action.ptable.text, "p t.txt");
  const Suppress all = one<Suppress>("<SUPPRESS> CKM(1) \"c\" | \"s\" | 2.7").action;
  EXPECT_EQ(all.ptable.text, "c");
  EXPECT_EQ(all.ptable_separation.text, "s");
  ASSERT_TRUE(all.mu.has_value());
  EXPECT_EQ(all.mu->text, "2.7");
  EXPECT_EQ(one<Suppress>("<SUPPRESS> CKM(1) ||2.7").action.mu->text, "2.7");
  EXPECT_FALSE(one<Suppress>("<SUPPRESS> CKM(1) \"c\"||").action.mu.has_value());
  EXPECT_EQ(batch_fault("<SUPPRESS> CKM(1) ||x"),
            "j.arb:1:21: mu must be a number of at least 0, not 'x'");
}

TEST(Suppress, Errors) {
  EXPECT_EQ(batch_fault("<SUPPRESS> OPTI(1)"),
            "j.arb:1:12: expected a method (GH, MOD, OPT, NET, RND, CTA, CKM), not 'OPTI'; did you "
            "mean 'OPT'?");
  EXPECT_EQ(batch_fault("<SUPPRESS>"),
            "j.arb:1:11: expected a method (GH, MOD, OPT, NET, RND, CTA, CKM), not nothing");
  EXPECT_EQ(batch_fault("<SUPPRESS> OPT"),
            "j.arb:1:15: expected '(' after the method 'OPT', not the end of the line");
  EXPECT_EQ(
      batch_fault("<SUPPRESS> OPT()"),
      "j.arb:1:16: the number of a table must be a whole number from 0 to 10000, not nothing");
  EXPECT_EQ(batch_fault("<SUPPRESS> OPT(1,x)"),
            "j.arb:1:18: the time in minutes must be a number of at least 0, not 'x'");
  EXPECT_EQ(batch_fault("<SUPPRESS> GH(1,100,2)"),
            "j.arb:1:21: the size (0 normal, 1 large) must be a whole number from 0 to 1, not '2'");
  EXPECT_EQ(batch_fault("<SUPPRESS> MOD(1,1,2)"),
            "j.arb:1:20: the switch for singletons must be 0 or 1, not '2'");
  EXPECT_EQ(batch_fault("<SUPPRESS> MOD(1,1,1,1,1,0)"),
            "j.arb:1:26: the largest scaled cost must be above 0, not '0'");
  EXPECT_EQ(batch_fault("<SUPPRESS> RND(1)"), "j.arb:1:12: RND(table,base): the base is missing");
  EXPECT_EQ(batch_fault("<SUPPRESS> RND(1,0)"),
            "j.arb:1:18: the rounding base must be above 0, not '0'");
  EXPECT_EQ(batch_fault("<SUPPRESS> RND(1,5,0,1,0,4)"),
            "j.arb:1:26: the stop rule (1 first feasible, 2 or 3 optimal, 0 the default) must be a "
            "whole number from 0 to 3, not '4'");
}

TEST(WriteTable, Options) {
  const WriteTable write =
      one<WriteTable>("<WRITETABLE> (2, 3, AS+SE+FL+QU-HL+SO+AR+HI+TR+AO+AD+AC+, \"a,b(1).txt\")")
          .action;
  EXPECT_EQ(write.table, 2);
  EXPECT_EQ(write.type, 3);
  EXPECT_EQ(write.file.text, "a,b(1).txt");
  const WriteOptions& options = write.options;
  EXPECT_TRUE(options.status && options.skip_empty && options.first_line && options.levels);
  EXPECT_TRUE(options.status_only && options.audit && options.holdings && options.remove_trivial);
  EXPECT_TRUE(options.original && options.difference && options.cell_key);
  EXPECT_FALSE(options.quotes);
}

TEST(WriteTable, LenientForms) {
  const auto status = [](const std::string& middle) {
    const WriteOptions options =
        one<WriteTable>("<WRITETABLE> (1,3," + middle + "\"f\")").action.options;
    return std::string(options.status ? "A" : "-") + (options.skip_empty ? "S" : "-");
  };
  EXPECT_EQ(status(","), "--");
  EXPECT_EQ(status("as+se+,"), "AS");
  EXPECT_EQ(status("AS+,SE-,"), "A-");
  EXPECT_EQ(status(" AS+ SE+ ,"), "AS");
  EXPECT_EQ(status("AS+SE+"), "AS");
  EXPECT_EQ(status("\"AS+SE+\","), "AS");
  EXPECT_EQ(status("\"AS+\""), "A-");
  EXPECT_EQ(status("+AS-SE,"), "A-");
  EXPECT_EQ(status("0,"), "--");
  EXPECT_EQ(status("1,"), "A-");
  EXPECT_EQ(status("3,"), "AS");
  EXPECT_EQ(status(""), "--");
}

TEST(WriteTable, OldDigits) {
  EXPECT_FALSE(one<WriteTable>("<WRITETABLE> (1,5,1,\"f\")").action.options.status_only);
  const auto zero = one<WriteTable>("<WRITETABLE> (1,5,0,\"f\")");
  EXPECT_TRUE(zero.action.options.status_only);
  EXPECT_EQ(zero.notes, (Texts{"j.arb:1:19: the option '0' of older versions is read as SO+"}));
  EXPECT_TRUE(one<WriteTable>("<WRITETABLE> (1,4,1,\"f\")").action.options.levels);
  EXPECT_TRUE(one<WriteTable>("<WRITETABLE> (1,2,,f.csv)").action.options.first_line);
  EXPECT_EQ(one<WriteTable>("<WRITETABLE> 1,1,,f.csv").notes,
            (Texts{"j.arb:1:14: the arguments of <WRITETABLE> stand without brackets"}));
}

TEST(WriteTable, Errors) {
  EXPECT_EQ(batch_fault("<WRITETABLE> (1,3,AX+,\"f\")"),
            "j.arb:1:19: expected options such as AS+SE-, made of AS, SE, FL, QU, HL, SO, AR, HI, "
            "TR, AO, AD, AC, not 'AX'; did you mean 'AS'?");
  EXPECT_EQ(batch_fault("<WRITETABLE> (1,3,AS,\"f\")"),
            "j.arb:1:19: expected '+' or '-' after the option 'AS'");
  EXPECT_EQ(batch_fault("<WRITETABLE> (1,3,9,\"f\")"),
            "j.arb:1:19: an option given as a digit must be 0 to 3, not '9'");
  EXPECT_EQ(batch_fault("<WRITETABLE> (0,3,,\"f\")"),
            "j.arb:1:15: the number of a table must be a whole number from 1 to 10000, not '0'");
  EXPECT_EQ(batch_fault("<WRITETABLE> (1,8,,\"f\")"),
            "j.arb:1:17: the type of the output must be a whole number from 1 to 7, not '8'");
  EXPECT_EQ(batch_fault("<WRITETABLE> (1,3,AS+,)"),
            "j.arb:1:23: expected the name of the file to write");
  EXPECT_EQ(batch_fault("<WRITETABLE> (1,3,AS+,\"f\""),
            "j.arb:1:26: expected ')' after the name of the file, not the end of the line");
  EXPECT_EQ(batch_fault("<WRITETABLE> (1)"),
            "j.arb:1:16: expected ',' after the number of the table, not ')'");
}

}  // namespace
}  // namespace lacuna::argus
