// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fstream>
#include <optional>
#include <set>

#include "data/argus/apriori.h"
#include "data/argus/batch.h"
#include "data/argus/code_files.h"
#include "data/argus/metadata.h"
#include "data/argus/microdata.h"
#include "data/argus/recode_file.h"
#include "data/argus/table_data.h"
#include "data/argus/write_table.h"
#include "data/files/temporary_folder.h"
#include "fuzz/bundle.h"
#include "fuzz/target_list.h"
#include "fuzz/targets.h"

namespace lacuna::fuzz {
namespace {

using argus::CodeList;
using argus::DataKind;

constexpr const char* kRecordsJob =
    "<OPENMICRODATA> \"d.asc\"\n<OPENMETADATA> \"m.rda\"\n"
    "<SPECIFYTABLE> \"Size\"\"Region\"|\"Value\"|\"Shadow\"|-3,0.5\n"
    "<SAFETYRULE> NK(2,75.5)|NK(0,0)|NK(1,50)|P(10,2)|FREQ(2,30)|REQ(10,20,1,5)|ZERO(1)|MIS(1)|\n"
    "<SPECIFYTABLE> \"Code\"|<freq>||\n<SAFETYRULE> FREQ(3,10)|MAN(5)\n<READMICRODATA>\n"
    "<RECODE> 1, Size, \"r.grc\"\n<RECODE> 2, Code, 1\n<APRIORI> \"a.hst\",1,\",\",1,1\n"
    "<SUPPRESS> MOD(1,5,1,1,1)\n<SUPPRESS> CKM(1) \"c\"|\"s\"|2.7\n"
    "<WRITETABLE> (1,5,AS+HI+,\"o.csv\")\n<SOLVER> FREE\n<LOGBOOK> l.txt\n"
    "//lacuna: audit \"a b\"\n\\\\ comment\n<GOINTERACTIVE>\n";
constexpr const char* kRecordsMetadata =
    "Size 1 2 99\n<RECODEABLE>\nRegion 3 2 \"99\" \"98\"\n<RECODEABLE>\n<HIERARCHICAL>\n"
    "<HIERCODELIST> \"t.hrc\"\n<HIERLEADSTRING> \"@\"\n<DISTANCE> 2 4\nCode 5 2\n<RECODEABLE>\n"
    "<HIERLEVELS> 1 1\n<CODELIST> l.cdl\nValue 7 4\n<NUMERIC>\n<DECIMALS> 1\nShadow 11 3\n"
    "<NUMERIC>\nWgt 14 2\n<WEIGHT>\nFirm 16 1\n<HOLDING>\nReq 17 1\n<REQUEST> 1 2\n";
constexpr const char* kRecords =
    " 1 111 5.0100 1a1\n 1 212  20 10 1a0\n 2 121 3.5  3 2b2\n1299221000  1 1c0\n";
constexpr const char* kRecode = "<MISSING> XX, 98\n<CODELIST> l.cdl\nA : - 1, \"2\"\nB: 3 - 12,\n";
constexpr const char* kTree = "N\n@ 1\n@ 2\nS\n@ 3\n";
constexpr const char* kLabels = " 1,one\n\"2,3\",\"two, three\"\nN\n";
constexpr const char* kHistory = "A, 1,u\nA, 1,pl,3,4\n,N,C,7\nB,Total,p\n";
constexpr const char* kTableJob =
    "<OPENTABLEDATA> \"t.tab\"\n<OPENMETADATA> \"m.rda\"\n"
    "<SPECIFYTABLE> \"Size\"\"Region\"|\"Value\"|\"Sh\"|\"Co\",1\n<SAFETYRULE> P(20,1)|MAN(10)\n"
    "<READTABLE> 1T\n<APRIORI> \"a.hst\",1,\",\",1,0\n<WRITETABLE> (1,3,AS+SE+FL+QU-,\"o.txt\")\n";
constexpr const char* kTableMetadata =
    "   <SEPARATOR> \";\"\n<SAFE> s <UNSAFE> U <PROTECT> Z\nSize \"99\"\n<RECODEABLE>\n"
    "<TOTCODE> \"Total\"\nRegion\n<RECODEABLE>\n<TOTCODE> T\n<HIERARCHICAL>\n<HIERCODELIST> t.hrc\n"
    "<HIERLEADSTRING> @\nValue\n<NUMERIC>\n<DECIMALS> 1\nF\n<FREQUENCY>\nSh\n<NUMERIC> <SHADOW>\n"
    "Co\n<NUMERIC> <COSTVAR>\nTop1\n<MAXSCORE>\nTop2\n<MAXSCORE>\nSt\n<STATUS>\nLo\n"
    "<NUMERIC> <LOWERPL>\nUp\n<NUMERIC> <UPPERPL>\n";
constexpr const char* kTable =
    "\"A\"; 1;10,5;3;11;4;6;3;S;0;0\nA; 2;4;2;4;4;3;1;U;1;1\nB; 1;7;2;7;7;4;3;Z;0;0\n"
    "B; 3;2;1;2;2;2;0;M;0;0\nB; 2;-;;;;;;E;;\n";

std::string records_bundle() {
  return Bundle::file("job.arb", kRecordsJob) + Bundle::file("m.rda", kRecordsMetadata) +
         Bundle::file("d.asc", kRecords) + Bundle::file("r.grc", kRecode) +
         Bundle::file("t.hrc", kTree) + Bundle::file("l.cdl", kLabels) +
         Bundle::file("a.hst", kHistory);
}

std::string table_bundle() {
  return Bundle::file("job.arb", kTableJob) + Bundle::file("m.rda", kTableMetadata) +
         Bundle::file("t.tab", kTable) + Bundle::file("t.hrc", kTree) +
         Bundle::file("r.grc", "<TREERECODE>\nN\n") + Bundle::file("a.hst", kHistory);
}

bool use_batch(const std::string& text) {
  const auto batch = argus::read_batch(text, "job.arb");
  if (!batch)
    return false;
  std::string again;
  for (const argus::Command& command : batch->commands)
    again += command.line + "\n";
  const auto second = argus::read_batch(again, "job.arb");
  require(second.has_value(), "the lines of the commands of a job are a job");
  require(second->commands.size() == batch->commands.size(), "every line is one command");
  for (std::size_t i = 0; i < batch->commands.size(); ++i) {
    const argus::Command& command = batch->commands[i];
    require(command.keyword == second->commands[i].keyword, "a line is the same command again");
    require(command.place.column <= command.line.size() + 1, "a command stands in its line");
  }
  return true;
}

bool use_metadata(const std::string& text) {
  bool accepted = argus::read_metadata(text, "m.rda", DataKind::kMicrodata).has_value();
  if (const auto table = argus::read_metadata(text, "m.rda", DataKind::kTable)) {
    const std::string written = argus::write_table_metadata(*table);
    const auto again = argus::read_metadata(written, "own.rda", DataKind::kTable);
    require(again.has_value(), "metadata that were written can be read");
    require(argus::write_table_metadata(*again) == written, "metadata read back the same");
    accepted = true;
  }
  return accepted;
}

void require_recoded(const CodeList& before, const argus::RecodedCodes& after) {
  require(after.new_of.size() == before.codes.size(), "every code has a new one");
  require(after.new_of[0] == 0, "the total stays the total");
  for (const std::int32_t code : after.new_of)
    require(code >= 0 && code < after.list.size(), "a new code is in the new list");
  const std::set<std::string> unique(after.list.codes.begin() + 1, after.list.codes.end());
  require(unique.size() + 1 == after.list.codes.size(), "no new code is listed twice");
}

CodeList small_list(bool hierarchical) {
  CodeList list;
  list.variable = "V";
  list.codes = {"Total", " N", " 1", " 2", " S", "12", "99"};
  list.parents = {-1, 0, 0, 0, 0, 0, 0};
  if (hierarchical)
    list.parents = {-1, 0, 1, 1, 0, 4, 0};
  list.missing = {false, false, false, false, false, false, true};
  list.hierarchical = hierarchical;
  return list;
}

bool use_recode(const std::string& text) {
  const auto recode = argus::read_recode(text, "r.grc");
  if (!recode)
    return false;
  const CodeList list = small_list(recode->tree);
  if (const auto recoded = argus::apply_recode(*recode, list))
    require_recoded(list, *recoded);
  return true;
}

bool use_tree(const std::string& text) {
  const auto tree = argus::read_tree(text, "t.hrc", "@", "Total");
  if (!tree)
    return false;
  const std::set<std::string> unique(tree->codes.begin(), tree->codes.end());
  require(unique.size() == tree->codes.size(), "no code of a tree is listed twice");
  for (std::size_t i = 1; i < tree->codes.size(); ++i)
    require(tree->parents[i] >= 0 && tree->parents[i] < static_cast<std::int32_t>(i),
            "a parent stands before its children");
  CodeList list{"V", tree->codes, tree->parents, {}, true, {}};
  list.missing.assign(list.codes.size(), false);
  for (const int level : {0, 1, 2}) {
    const auto folded = argus::fold_below(list, level);
    require_recoded(list, folded);
    for (std::int32_t code = 0; code < folded.list.size(); ++code)
      require(folded.list.level(code) <= level, "nothing is left below the level");
  }
  return true;
}

// One job of a bundle, its files in a folder; names in the files lead nowhere else.
class ArgusJob {
 public:
  explicit ArgusJob(const Bundle& files) : files_(files) {}

  bool run() {
    const auto text = files_.load("job.arb");
    const auto batch =
        text ? argus::read_batch(*text, "job.arb") : Result<argus::Batch>(text.error());
    if (!batch)
      return false;
    for (const char* const name : {"d.asc", "t.tab", "t.hrc", "r.grc"})
      save(name);
    bool any = false;
    const bool records = std::any_of(
        batch->commands.begin(), batch->commands.end(), [](const argus::Command& command) {
          return std::holds_alternative<argus::OpenMicrodata>(command.action);
        });
    const auto metadata = read_metadata(records ? DataKind::kMicrodata : DataKind::kTable);
    if (!metadata)
      return false;
    for (std::size_t i = 0; i < batch->commands.size(); ++i) {
      if (const auto* spec = std::get_if<argus::SpecifyTable>(&batch->commands[i].action))
        any = run_table(*batch, i, *spec, *metadata, records) || any;
    }
    return any;
  }

 private:
  void save(const char* name) const {
    if (const auto text = files_.load(name))
      std::ofstream(folder_.file(name), std::ios::binary) << *text;
  }

  std::optional<argus::Metadata> read_metadata(DataKind kind) const {
    const auto text = files_.load("m.rda");
    if (!text)
      return std::nullopt;
    auto read = argus::read_metadata(*text, "m.rda", kind);
    if (!read)
      return std::nullopt;
    argus::Metadata metadata = std::move(read).value();
    for (argus::Variable& variable : metadata.variables) {
      if (!variable.hierarchy_file.text.empty())
        variable.hierarchy_file.text = "t.hrc";
      variable.code_list.text.clear();
    }
    return metadata;
  }

  Result<argus::Table> make(const argus::Batch& batch,
                            const argus::SpecifyTable& spec,
                            const argus::SafetyRule& rules,
                            const argus::Metadata& metadata,
                            bool records) {
    argus::FileFinder finder(folder_.file("job.arb"));
    argus::ReadTable how;
    std::vector<argus::AppliedRecode> recodes;
    for (const argus::Command& command : batch.commands) {
      if (const auto* read = std::get_if<argus::ReadTable>(&command.action))
        how = *read;
      if (const auto* recode = std::get_if<argus::Recode>(&command.action))
        recodes.push_back({*recode, recode->level > 0 ? "" : folder_.file("r.grc")});
    }
    if (!records)
      return argus::read_table_data(metadata, folder_.file("t.tab"), spec, rules, how, finder);
    LACUNA_TRY(const auto data,
               argus::read_microdata(metadata, folder_.file("d.asc"), {spec}, finder, {}));
    auto table = argus::make_table(data, spec, rules, recodes, {});
    return table ? std::move(table) : argus::make_table(data, spec, rules, {}, {});
  }

  bool run_table(const argus::Batch& batch,
                 std::size_t at,
                 const argus::SpecifyTable& spec,
                 const argus::Metadata& metadata,
                 bool records) {
    constexpr std::size_t kMostDimensions = 3;
    constexpr std::size_t kMostUsed = 20'000;  // cells
    argus::SafetyRule rules;
    if (at + 1 < batch.commands.size()) {
      if (const auto* given = std::get_if<argus::SafetyRule>(&batch.commands[at + 1].action))
        rules = *given;
    }
    if (spec.explanatory.size() > kMostDimensions)
      return false;
    auto table = make(batch, spec, rules, metadata, records);
    if (!table || table->cells.size() > kMostUsed)
      return false;
    use_table(std::move(table).value(), batch, metadata);
    return true;
  }

  void use_table(argus::Table table, const argus::Batch& batch, const argus::Metadata& metadata) {
    std::size_t cells = 1;
    for (const CodeList& list : table.variables) {
      cells *= list.codes.size();
      require(list.parents.size() == list.codes.size() && list.missing.size() == list.codes.size(),
              "every code has a parent and a mark");
    }
    require(cells == table.cells.size(), "a table has all combinations of its codes");
    const auto history = files_.load("a.hst");
    for (const argus::Command& command : batch.commands) {
      const auto* apriori = std::get_if<argus::Apriori>(&command.action);
      if (apriori != nullptr && history)
        (void)argus::apply_apriori(table, *apriori, *history, "a.hst");
    }
    for (int type = 1; type <= 6; ++type) {
      argus::WriteTable write;
      write.type = type;
      (void)argus::write_table(table, write, "o.txt", metadata);
    }
  }

  const Bundle& files_;
  files::TemporaryFolder folder_{"fuzz_argus"};
};

}  // namespace

bool run_argus(std::string_view bytes) {
  const Bundle files(bytes);
  bool accepted = true;
  const auto use = [&](const char* name, bool (*with)(const std::string&)) {
    if (const auto text = files.load(name))
      accepted = with(*text) && accepted;
  };
  use("job.arb", use_batch);
  use("m.rda", use_metadata);
  use("r.grc", use_recode);
  use("t.hrc", use_tree);
  use("l.cdl",
      [](const std::string& text) { return argus::read_code_labels(text, "l.cdl").has_value(); });
  return accepted;
}

Seeds seeds_argus() {
  return {records_bundle(), table_bundle()};
}

bool run_argus_tables(std::string_view bytes) {
  const Bundle files(bytes);
  return ArgusJob(files).run();
}

Seeds seeds_argus_tables() {
  return {records_bundle(), table_bundle()};
}

}  // namespace lacuna::fuzz
