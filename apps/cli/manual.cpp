// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/manual.h"

#include <algorithm>
#include <cstdint>

#include "lacuna/version.h"

namespace lacuna {
namespace {

struct Entry {
  std::string_view name;
  std::string_view text;
};

constexpr Entry kExitCodes[] = {
    {"0", "done; a release has also passed the audit"},
    {"1", "wrong usage or input"},
    {"2", "the audit says exposed or undecided"},
    {"3", "a limit was reached without a complete result"},
    {"4", "internal error"},
    {"5", "nothing was asked of the release, so nothing is known about it"},
    {"6", "released although some of it is exposed, because the run was told to"},
};

constexpr Entry kVariables[] = {
    {"LACUNA_THREADS", "number of threads if --threads is not given"},
    {"LACUNA_DUCKDB", "DuckDB's library, which reads and writes Parquet files"},
    {"LACUNA_CACHE", "the folder in which lacuna looks for duckdb/libduckdb.so"},
    {"NO_COLOR", "if set and not empty, `lacuna show` prints without colors"},
};

// One character of a text; returns how many bytes it takes. roff knows others than those of ASCII
// by their number.
std::size_t append_character(std::string& out, std::string_view text, bool literal) {
  const auto byte = static_cast<unsigned char>(text[0]);
  if (byte < 0x80) {
    switch (text[0]) {
      case '\\':
        out += "\\e";
        break;
      case '-':
        out += literal ? "\\-" : "-";
        break;
      case '\'':
        out += "\\(aq";
        break;
      case '^':
        out += "\\(ha";
        break;
      case '~':
        out += "\\(ti";
        break;
      case '|':
        out += "|\\:";
        break;  // a line may be broken here
      default:
        out += text[0];
    }
    return 1;
  }
  const std::size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2;
  std::uint32_t number = byte & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < std::min(length, text.size()); ++i)
    number = number << 6U | (static_cast<unsigned char>(text[i]) & 0x3FU);
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string digits;
  for (; number > 0 || digits.size() < 4; number >>= 4U)
    digits.insert(digits.begin(), kDigits[number & 0xFU]);
  out += "\\[u" + digits + "]";
  return std::min(length, text.size());
}

// A text as a line of roff: `words` in bold, and the hyphens of options as they are typed.
std::string roff(std::string_view text) {
  std::string out = "\\&";  // a point at the start would be a request
  bool bold = false, word_is_option = false, at_start = true;
  while (!text.empty()) {
    const char next = text[0];
    if (next == '`') {
      bold = !bold;
      out += bold ? "\\fB" : "\\fR";
      text.remove_prefix(1);
      continue;
    }
    if (next == ' ')
      at_start = true;
    else if (at_start && std::string_view("([{<'\"").find(next) == std::string_view::npos) {
      word_is_option = next == '-';
      at_start = false;
    }
    text.remove_prefix(append_character(out, text, bold || word_is_option));
  }
  return out;
}

std::string literal(std::string_view text) {
  std::string out;
  while (!text.empty())
    text.remove_prefix(append_character(out, text, true));
  return out;
}

std::string bold(std::string_view text) {
  return "\\fB" + literal(text) + "\\fR";
}

std::string italic(std::string_view text) {
  return "\\fI" + literal(text) + "\\fR";
}

std::string entry(const std::string& tag, std::string_view text) {
  return ".TP\n" + tag + "\n" + roff(text) + "\n";
}

std::string head(const std::string& name, std::string_view help) {
  std::string upper;
  for (const char letter : name)
    upper += letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
  return ".\\\" Made by lacuna --man.\n.TH " + upper + " 1 \"\" \"lacuna " +
         std::string(version()) + "\" \"Lacuna\"\n.nh\n.ad l\n.SH NAME\n" + literal(name) +
         " \\- " + roff(help).substr(2) + "\n";
}

std::string tail() {
  std::string text = ".SH EXIT STATUS\n";
  for (const Entry& code : kExitCodes)
    text += entry(bold(code.name), code.text);
  text += ".SH ENVIRONMENT\n";
  for (const Entry& variable : kVariables)
    text += entry(bold(variable.name), variable.text);
  return text;
}

std::string reference(const std::string& page) {
  return bold(page) + "(1)";
}

// The first word of a sentence; a name before a colon stays as it is.
std::string capitalized(std::string text) {
  if (text.substr(0, text.find(' ')).ends_with(':'))
    return text;
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

// "-o, --output FILE"
std::string tag_of(const OptionInfo& option) {
  std::string tag;
  const auto add = [&](const std::string& name) { tag += (tag.empty() ? "" : ", ") + name; };
  if (stands_by_place(option))
    add(italic(option.shown_as));
  if (option.place == FieldPlace::kArgument)
    return tag;
  if (option.letter != '\0')
    add(bold(std::string("-") + option.letter));
  add(bold("--" + option.name));
  if (!option.alias.empty())
    add(bold("--" + option.alias));
  return option.is_flag() || stands_by_place(option) ? tag : tag + " " + italic(value_word(option));
}

std::string help_and_default(const OptionInfo& option) {
  const bool said = !option.absent.empty() || option.is_flag() || option.default_text.empty() ||
                    option.place != FieldPlace::kOption;
  const std::string help = full_help(option);
  return said ? help + "." : help + ". Default: " + option.default_text + ".";
}

std::string synopsis(const Command& command, const std::vector<OptionInfo>& options) {
  std::string text = bold("lacuna " + command.name()) + " [" + italic("OPTION") + "]...";
  for (const OptionInfo& option : options) {
    if (option.place == FieldPlace::kOption)
      continue;
    std::string part = italic(option.shown_as);
    if (option.place == FieldPlace::kNeeded)
      part = bold("--" + option.name) + " " + italic(value_word(option));
    text += option.absent.empty() ? " " + part : " [" + part + "]";
  }
  return text;
}

}  // namespace

std::string page_name(const Command& command) {
  std::string name = "lacuna-" + command.name();
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string program_manual(const ProgramOptions& program) {
  std::string text = head("lacuna", "make statistical tables safe to publish");
  text +=
      ".SH SYNOPSIS\n" + bold("lacuna") + " " + italic("COMMAND") + " [" + italic("OPTION") +
      "]... [" + italic("FILE") + "]...\n.SH DESCRIPTION\n" +
      roff(
          "Lacuna finds the sensitive cells of statistical tables, protects them by withholding, "
          "intervals, rounding, perturbation or adjustment, and audits every release in exact "
          "arithmetic. Every command has a page of its own. Options that `[options]` of a job "
          "file sets have the same names; what stands on the command line wins.") +
      "\n.SH COMMANDS\n";
  for (const Command* command : program.commands)
    text += entry(bold("lacuna " + command->name()), capitalized(command->help()) + ".");
  text += ".SH OPTIONS\n";
  for (const OwnOption& option : program.own) {
    std::string tag;
    for (const std::string& name : option.names)
      tag += (tag.empty() ? "" : ", ") + bold(name);
    text += entry(option.value.empty() ? tag : tag + " " + italic(option.value),
                  capitalized(option.help) + ".");
  }
  text += tail() + ".SH SEE ALSO\n";
  for (std::size_t i = 0; i < program.commands.size(); ++i)
    text += reference(page_name(*program.commands[i])) +
            (i + 1 < program.commands.size() ? ",\n" : "\n");
  return text;
}

std::string command_manual(const Command& command) {
  const std::vector<OptionInfo> options = command.options();
  std::string text = head(page_name(command), command.help());
  text += ".SH SYNOPSIS\n" + synopsis(command, options) + "\n.SH DESCRIPTION\n" +
          roff(capitalized(command.help()) + ".") + "\n.SH OPTIONS\n";
  std::vector<std::string> groups{""};  // what is needed comes first
  const auto group_of = [](const OptionInfo& option) {
    return option.place == FieldPlace::kOption ? option_group(option) : std::string();
  };
  for (const OptionInfo& option : options) {
    if (std::find(groups.begin(), groups.end(), group_of(option)) == groups.end())
      groups.push_back(group_of(option));
  }
  for (const std::string& group : groups) {
    if (group.find(" of ") != std::string::npos)
      text += ".SS " + literal(group) + "\n";
    for (const OptionInfo& option : options) {
      if (group_of(option) == group)
        text += entry(tag_of(option), capitalized(help_and_default(option)));
    }
  }
  text += ".SS Help\n" + entry(bold("-h") + ", " + bold("--help"), "Print the options and exit.");
  return text + tail() + ".SH SEE ALSO\n" + reference("lacuna") + "\n";
}

}  // namespace lacuna
