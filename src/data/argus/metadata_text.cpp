// SPDX-License-Identifier: Apache-2.0
// The metadata of a table as text, in the layout that tau-ARGUS 4.2 writes and reads.
#include "data/argus/metadata.h"

namespace lacuna::argus {
namespace {

constexpr std::string_view kMetadataLineEnd = "\r\n";

class MetadataText {
 public:
  std::string of(const Metadata& metadata) {
    add("   <SEPARATOR> \"" + std::string(1, metadata.separator) + "\"");
    add_letter("<SAFE>", metadata.safe, "S");
    add_letter("<UNSAFE>", metadata.unsafe, "U");
    add_letter("<PROTECT>", metadata.protect, "P");
    for (const Variable& variable : metadata.variables)
      add_variable(variable);
    return std::move(text_);
  }

 private:
  // A text that has a quote in it cannot stand in quotes: there is no escape.
  static std::string quoted(const std::string& text) {
    return text.find('"') == std::string::npos ? "\"" + text + "\"" : text;
  }

  // In quotes only where a reader would take it for something else.
  static std::string name_text(const std::string& name) {
    const bool plain = !name.empty() && name.find_first_of(" \t") == std::string::npos &&
                       std::string_view(",|()<").find(name[0]) == std::string_view::npos &&
                       !name.starts_with("//");
    return plain ? name : quoted(name);
  }

  void add(const std::string& line) {
    text_ += line;
    text_ += kMetadataLineEnd;
  }
  void add_word(const std::string& words) { add("    " + words); }
  void add_letter(const char* keyword, const std::string& letter, const char* usual) {
    if (letter != usual)
      add("   " + std::string(keyword) + " " + quoted(letter));
  }
  void add_numbers(std::string words, const std::vector<int>& numbers) {
    for (const int number : numbers)
      words += " " + std::to_string(number);
    add_word(words);
  }

  void add_variable(const Variable& variable) {
    std::string head = name_text(variable.name);
    for (const std::string& code : variable.missing)
      head += " " + quoted(code);
    add(head);
    if (variable.recodeable)
      add_explanatory(variable);
    add_roles(variable);
    if (variable.decimals && *variable.decimals > 0)
      add_word("<DECIMALS> " + std::to_string(*variable.decimals));
  }

  void add_explanatory(const Variable& variable) {
    add_word("<RECODEABLE>");
    add_word("<TOTCODE> " + quoted(variable.total_code));
    if (!variable.distance.empty())
      add_numbers("<DISTANCE>", variable.distance);
    if (!variable.code_list.text.empty())
      add_word("<CODELIST> " + quoted(variable.code_list.text));
    if (!variable.has_tree())
      return;
    add_word("<HIERARCHICAL>");
    if (!variable.levels.empty()) {
      add_numbers("<HIERLEVELS>", variable.levels);
    } else {
      add_word("<HIERCODELIST> " + quoted(variable.hierarchy_file.text));
      add_word("<HIERLEADSTRING> " + quoted(variable.lead));
    }
  }

  void add_roles(const Variable& variable) {
    const std::string numeric = variable.numeric ? "<NUMERIC>" : "";
    const char* const role = variable.shadow        ? " <SHADOW>"
                             : variable.cost        ? " <COSTVAR>"
                             : variable.lower_level ? " <LOWERPL>"
                             : variable.upper_level ? " <UPPERPL>"
                                                    : "";
    if (!numeric.empty())
      add_word(numeric + role);
    if (variable.frequency)
      add_word("<FREQUENCY>");
    if (variable.max_score)
      add_word("<MAXSCORE>");
    if (variable.status)
      add_word("<STATUS>");
  }

  std::string text_;
};

}  // namespace

std::string write_table_metadata(const Metadata& metadata) {
  return MetadataText().of(metadata);
}

}  // namespace lacuna::argus
