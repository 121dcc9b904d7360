// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/completion.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace lacuna {
namespace {

enum class Value : std::uint8_t { kNone, kAny, kWords, kFile, kFolder };

// An option or an argument of a command, as a shell sees it.
struct Part {
  std::vector<std::string> names;  // none: by its position
  Value value = Value::kNone;
  std::vector<std::string> words;
  std::string help;
};

// A command with what may follow it. The name is empty for the program itself.
struct Section {
  std::string name, help;
  std::vector<Part> parts;
};

std::string joined(const std::vector<std::string>& words, const std::string& between) {
  std::string text;
  for (const std::string& word : words)
    text += (text.empty() ? "" : between) + word;
  return text;
}

Value value_of(const OptionInfo& option) {
  constexpr std::array<std::string_view, 9> kFiles{
      "FILE", "OUT", "IN", "JOB", "TABLE", "RESULT", "CERTIFICATE", "PLAN", "PROGRAM"};
  if (option.is_flag())
    return Value::kNone;
  if (!option.choices.empty())
    return Value::kWords;
  if (option.shown_as == "FOLDER" || option.shown_as == "PATH")
    return Value::kFolder;
  const bool file = std::find(kFiles.begin(), kFiles.end(), option.shown_as) != kFiles.end();
  return file ? Value::kFile : Value::kAny;
}

// One line at most, up to the first thing that is said besides.
std::string short_help(const std::string& help) {
  return help.substr(0, help.find_first_of(";("));
}

Section section_of(const Command& command) {
  Section section{command.name(), command.help(), {}};
  for (const OptionInfo& option : command.options()) {
    Part part{{}, value_of(option), option.choices, short_help(option.help)};
    if (stands_by_place(option))
      section.parts.push_back(part);
    if (option.place == FieldPlace::kArgument)
      continue;
    if (option.letter != '\0')
      part.names.push_back(std::string("-") + option.letter);
    part.names.push_back("--" + option.name);
    if (!option.alias.empty())
      part.names.push_back("--" + option.alias);
    section.parts.push_back(part);
  }
  section.parts.push_back({{"-h", "--help"}, Value::kNone, {}, "print the options and exit"});
  return section;
}

std::vector<Section> sections_of(const ProgramOptions& program) {
  std::vector<Section> sections{{"", "", {}}};
  for (const OwnOption& option : program.own) {
    const Value value = option.value.empty()     ? Value::kNone
                        : option.choices.empty() ? Value::kAny
                                                 : Value::kWords;
    sections[0].parts.push_back({option.names, value, option.choices, short_help(option.help)});
  }
  for (const Command* command : program.commands)
    sections.push_back(section_of(*command));
  return sections;
}

// The words that may follow `first` ("" or "ptable") in the name of a command.
std::vector<std::pair<std::string, std::string>> next_words(const std::vector<Section>& sections,
                                                            const std::string& first) {
  const std::string before = first.empty() ? "" : first + " ";
  std::vector<std::pair<std::string, std::string>> words;
  for (const Section& section : sections) {
    if (section.name.empty() || !section.name.starts_with(before))
      continue;
    const std::string rest = section.name.substr(before.size());
    const std::string word = rest.substr(0, rest.find(' '));
    if (words.empty() || words.back().first != word)
      words.emplace_back(word, word == rest ? section.help : "commands of its own");
  }
  return words;
}

// First words of commands of two words.
std::vector<std::string> groups_of(const std::vector<Section>& sections) {
  std::vector<std::string> groups;
  for (const Section& section : sections) {
    const std::size_t blank = section.name.find(' ');
    if (blank != std::string::npos &&
        (groups.empty() || groups.back() != section.name.substr(0, blank)))
      groups.push_back(section.name.substr(0, blank));
  }
  return groups;
}

std::string words_text(const std::vector<std::pair<std::string, std::string>>& words) {
  std::string text;
  for (const auto& [word, help] : words)
    text += (text.empty() ? "" : " ") + word;
  return text;
}

// ---- bash

// Words are letters, digits and hyphens, so nothing is quoted inside.
std::string bash_value(const Part& part) {
  switch (part.value) {
    case Value::kWords:
      return "words='" + joined(part.words, " ") + "'";
    case Value::kFile:
      return "kind=file";
    case Value::kFolder:
      return "kind=directory";
    case Value::kNone:
    case Value::kAny:
      break;
  }
  return "kind=none";
}

std::string bash_section(const Section& section) {
  std::vector<std::string> options;
  std::string values;
  std::string place = "kind=none";
  for (const Part& part : section.parts) {
    if (part.names.empty())
      place = bash_value(part);
    options.insert(options.end(), part.names.begin(), part.names.end());
    if (part.value != Value::kNone && !part.names.empty())
      values += "        " + joined(part.names, "|") + ") " + bash_value(part) + "; return ;;\n";
  }
  return "    '" + section.name + "')\n      case $previous in\n" + values +
         "      esac\n      if [[ $word == -* ]]; then words='" + joined(options, " ") +
         "'; else " + place + "; fi ;;\n";
}

std::string bash_completion(const std::vector<Section>& sections) {
  std::string text =
      "# bash completion of lacuna, made by `lacuna --completion bash`.\n\n"
      "# Says what may stand at the word: `words`, or a kind of file.\n"
      "_lacuna_options() {\n  case $command in\n";
  for (const Section& section : sections) {
    if (!section.name.empty())
      text += bash_section(section);
  }
  for (const std::string& group : groups_of(sections))
    text += "    '" + group + "') words='" + words_text(next_words(sections, group)) +
            " -h --help' ;;\n";
  std::vector<std::string> own;
  std::string values;
  for (const Part& part : sections[0].parts) {
    own.insert(own.end(), part.names.begin(), part.names.end());
    if (part.value == Value::kWords)
      values += "        " + joined(part.names, "|") + ") " + bash_value(part) + "; return ;;\n";
  }
  const std::string commands = words_text(next_words(sections, ""));
  text += "    '')\n      case $previous in\n" + values + "        --man) words='" + commands +
          "'; return ;;\n      esac\n      if [[ $word == -* ]]; then words='" + joined(own, " ") +
          "'; else words='" + commands + "'; fi ;;\n  esac\n}\n\n";
  std::string two;
  for (const std::string& group : groups_of(sections))
    two += (two.empty() ? "" : "|") + group;
  return text +
         "_lacuna() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
         "  local command='' words='' kind=''\n"
         "  COMPREPLY=()\n"
         "  if [[ $word == '=' ]]; then  # --method=\n"
         "    word=''\n"
         "  elif [[ $previous == '=' ]]; then  # --method=ro\n"
         "    previous=${COMP_WORDS[COMP_CWORD - 2]}\n"
         "  fi\n"
         "  if ((COMP_CWORD > 1)) && [[ ${COMP_WORDS[1]} != -* ]]; then\n"
         "    command=${COMP_WORDS[1]}\n"
         "    case $command in\n"
         "      " +
         (two.empty() ? "''" : two) +
         ") if ((COMP_CWORD > 2)); then command+=\" ${COMP_WORDS[2]}\"; fi ;;\n"
         "    esac\n"
         "  fi\n"
         "  _lacuna_options\n"
         "  case $kind in\n"
         "    none) ;;\n"
         "    file | directory)\n"
         "      compopt -o filenames 2>/dev/null || :\n"
         "      mapfile -t COMPREPLY < <(compgen -A \"$kind\" -- \"$word\") ;;\n"
         "    *) mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\") ;;\n"
         "  esac\n"
         "}\n\ncomplete -F _lacuna lacuna\n";
}

// ---- zsh

// Inside of '...', with brackets and colons as text.
std::string zsh_text(const std::string& text) {
  std::string out;
  for (const char letter : text) {
    if (letter == '\'')
      out += "'\\''";
    else if (std::string_view("[]:\\").find(letter) != std::string_view::npos)
      out += std::string("\\") + letter;
    else
      out += letter;
  }
  return out;
}

std::string zsh_value(const Part& part) {
  switch (part.value) {
    case Value::kNone:
      return "";
    case Value::kAny:
      return "': : '";
    case Value::kWords:
      return "':word:(" + joined(part.words, " ") + ")'";
    case Value::kFile:
      return "':file:_files'";
    case Value::kFolder:
      return "':folder:_files -/'";
  }
  return "";
}

std::string zsh_arguments(const Section& section) {
  std::string text = "_arguments";
  std::size_t place = 1;
  for (const Part& part : section.parts) {
    if (part.names.empty())
      text += " \\\n        " + std::to_string(place++) + zsh_value(part);
    for (const std::string& name : part.names) {
      const bool by_sign = part.value != Value::kNone && name.starts_with("--");
      text += " \\\n        '*" + name + (by_sign ? "=" : "") + "[" + zsh_text(part.help) + "]'" +
              zsh_value(part);
    }
  }
  return text;
}

std::string zsh_commands(const std::vector<std::pair<std::string, std::string>>& words) {
  std::string text = "words_with_help=(";
  for (const auto& [word, help] : words)
    text += "\n        '" + zsh_text(word) + ":" + zsh_text(help) + "'";
  return text + ")\n      _describe command words_with_help";
}

std::string zsh_completion(const std::vector<Section>& sections) {
  std::string text =
      "#compdef lacuna\n# zsh completion of lacuna, made by `lacuna --completion zsh`.\n\n"
      "_lacuna() {\n  local -a words_with_help\n  local command=''\n"
      "  if ((CURRENT > 2)) && [[ $words[2] != -* ]]; then\n"
      "    command=$words[2]\n    shift words; ((CURRENT--))\n  fi\n";
  for (const std::string& group : groups_of(sections))
    text += "  if [[ $command == " + group +
            " ]] && ((CURRENT > 2)); then\n"
            "    command+=\" $words[2]\"\n    shift words; ((CURRENT--))\n  fi\n";
  text +=
      "  case $command in\n    '')\n      if [[ $words[CURRENT] != -* && $words[CURRENT-1] != "
      "-* ]]; then\n      " +
      zsh_commands(next_words(sections, "")) + "\n      else\n      " + zsh_arguments(sections[0]) +
      "\n      fi ;;\n";
  for (const std::string& group : groups_of(sections))
    text += "    " + group + ")\n      " + zsh_commands(next_words(sections, group)) + " ;;\n";
  for (const Section& section : sections) {
    if (!section.name.empty())
      text += "    '" + section.name + "')\n      " + zsh_arguments(section) + " ;;\n";
  }
  return text +
         "  esac\n}\n\n"
         "if [[ $funcstack[1] == _lacuna ]]; then\n  _lacuna \"$@\"\nelse\n"
         "  compdef _lacuna lacuna\nfi\n";
}

// ---- fish

std::string fish_quoted(const std::string& text) {
  std::string out = "'";
  for (const char letter : text) {
    if (letter == '\'' || letter == '\\')
      out += '\\';
    out += letter;
  }
  return out + "'";
}

std::string fish_part(const Part& part, const std::string& condition) {
  std::string text = "complete -c lacuna -n '" + condition + "'";
  for (const std::string& name : part.names)
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  switch (part.value) {
    case Value::kNone:
      break;
    case Value::kAny:
      text += " -x";
      break;
    case Value::kWords:
      text += " -x -a '" + joined(part.words, " ") + "'";
      break;
    case Value::kFile:
      text += " -r -F";
      break;
    case Value::kFolder:
      text += " -x -a '(__fish_complete_directories)'";
      break;
  }
  return text + " -d " + fish_quoted(part.help) + "\n";
}

std::string fish_completion(const std::vector<Section>& sections) {
  std::string text =
      "# fish completion of lacuna, made by `lacuna --completion fish`.\n\n"
      "# Whether the command is this one: one word, two words, or none yet.\n"
      "function __lacuna_command\n    set -l words (commandline -opc)\n    set -e words[1]\n"
      "    test (count $words) -ge (count $argv); or return 1\n"
      "    if test (count $argv) -eq 0\n"
      "        test (count $words) -eq 0; or string match -q -- '-*' $words[1]\n        return\n   "
      " end\n"
      "    for i in (seq (count $argv))\n        test $words[$i] = $argv[$i]; or return 1\n    "
      "end\nend\n\n"
      "complete -c lacuna -f\n";
  const auto add_words = [&](const std::string& first) {
    for (const auto& [word, help] : next_words(sections, first))
      text += "complete -c lacuna -n '__lacuna_command" + (first.empty() ? "" : " " + first) +
              "' -a " + word + " -d " + fish_quoted(help) + "\n";
  };
  add_words("");
  for (const std::string& group : groups_of(sections))
    add_words(group);
  for (const Section& section : sections) {
    const std::string condition =
        "__lacuna_command" + (section.name.empty() ? "" : " " + section.name);
    for (const Part& part : section.parts) {
      if (!part.names.empty())
        text += fish_part(part, condition);
      else if (part.value == Value::kFile || part.value == Value::kFolder)
        text += "complete -c lacuna -n '" + condition + "' -F\n";
    }
  }
  return text;
}

}  // namespace

std::string completion(const ProgramOptions& program, Shell shell) {
  const std::vector<Section> sections = sections_of(program);
  switch (shell) {
    case Shell::kBash:
      return bash_completion(sections);
    case Shell::kZsh:
      return zsh_completion(sections);
    case Shell::kFish:
      return fish_completion(sections);
  }
  return "";
}

}  // namespace lacuna
