// SPDX-License-Identifier: Apache-2.0
// <SUPPRESS> METHOD(table, ...): the arguments of every method with their defaults.
#include <array>

#include "core/base/nearest.h"
#include "data/argus/batch_reader.h"

namespace lacuna::argus {
namespace {

constexpr std::array<std::string_view, 7> kMethodNames{
    "GH", "MOD", "OPT", "NET", "RND", "CTA", "CKM"};

// The arguments after the table, one by one; empty ones keep the default.
class MethodArguments {
 public:
  MethodArguments(CommandReader& reader, const std::vector<Word>& parts)
      : reader_(reader), parts_(parts) {}

  const Word* next() {
    const bool given = at_ < parts_.size();
    const Word* const part = given ? &parts_[at_] : nullptr;
    ++at_;
    return given && !part->text.empty() ? part : nullptr;
  }
  Status amount(double& value, const char* what) {
    if (const Word* const part = next()) {
      LACUNA_TRY(value, reader_.amount(*part, what));
    }
    return ok_status();
  }
  Status switch_of(bool& value, const char* what) {
    if (const Word* const part = next()) {
      LACUNA_TRY(value, reader_.on_off(*part, what));
    }
    return ok_status();
  }
  Status count(int& value, const char* what, int highest) {
    if (const Word* const part = next()) {
      LACUNA_TRY(const auto read, reader_.integer(*part, what, 0, highest));
      value = static_cast<int>(read);
    }
    return ok_status();
  }
  void note_rest(std::string_view method) {
    for (; at_ < parts_.size(); ++at_)
      reader_.note(parts_[at_].place,
                   std::string(method) + " has no such argument: " +
                       base::in_quotes(parts_[at_].text) + " is ignored");
  }

 private:
  CommandReader& reader_;
  const std::vector<Word>& parts_;
  std::size_t at_ = 1;
};

Status read_gh(MethodArguments& arguments, Suppress& suppress) {
  LACUNA_RETURN_IF_ERROR(arguments.amount(suppress.bound_percent, "the a-priori bound in percent"));
  LACUNA_RETURN_IF_ERROR(arguments.count(suppress.size, "the size (0 normal, 1 large)", 1));
  return arguments.switch_of(suppress.singletons, "the switch for singletons");
}

Status read_mod(CommandReader& reader, MethodArguments& arguments, Suppress& suppress) {
  LACUNA_RETURN_IF_ERROR(arguments.amount(suppress.minutes, "the time per subtable in minutes"));
  LACUNA_RETURN_IF_ERROR(arguments.switch_of(suppress.single_single, "the switch for singletons"));
  LACUNA_RETURN_IF_ERROR(
      arguments.switch_of(suppress.single_multiple, "the switch for singletons and others"));
  LACUNA_RETURN_IF_ERROR(
      arguments.switch_of(suppress.minimum_frequency, "the switch for the smallest frequency"));
  if (const Word* const part = arguments.next()) {
    LACUNA_TRY(suppress.scaled_cost, reader.amount(*part, "the largest scaled cost"));
    if (suppress.scaled_cost == 0)
      return reader.error(
          *part, "the largest scaled cost must be above 0, not " + base::in_quotes(part->text));
  }
  LACUNA_RETURN_IF_ERROR(arguments.amount(suppress.lower_margin, "the lower margin"));
  return arguments.amount(suppress.upper_margin, "the upper margin");
}

Status read_rnd(CommandReader& reader,
                const Word& method,
                MethodArguments& arguments,
                Suppress& suppress) {
  constexpr int kMostSteps = 1'000'000;
  const Word* const base = arguments.next();
  if (base == nullptr)
    return reader.error(method, "RND(table,base): the base is missing");
  LACUNA_TRY(const mpq_class value, reader.number(*base, "the rounding base"));
  if (value == 0)
    return reader.error(*base,
                        "the rounding base must be above 0, not " + base::in_quotes(base->text));
  suppress.base = *base;
  LACUNA_RETURN_IF_ERROR(arguments.count(suppress.steps, "the number of steps", kMostSteps));
  LACUNA_RETURN_IF_ERROR(arguments.amount(suppress.minutes, "the time in minutes"));
  LACUNA_RETURN_IF_ERROR(arguments.count(suppress.partitions, "the switch for partitions", 1));
  LACUNA_RETURN_IF_ERROR(arguments.count(
      suppress.stop_rule, "the stop rule (1 first feasible, 2 or 3 optimal, 0 the default)", 3));
  return arguments.switch_of(suppress.unit_cost, "the switch for unit costs");
}

// After the bracket: "ptable" of counts, or "ptable" | "ptable of separation" | mu.
Status read_ckm_files(CommandReader& reader, Suppress& suppress) {
  LineReader& line = reader.line();
  suppress.ptable = line.field("|");
  if (line.take('|'))
    suppress.ptable_separation = line.field("|");
  if (line.take('|') && !line.at_end()) {
    const Word mu = line.field("|");
    LACUNA_RETURN_IF_ERROR(reader.amount(mu, "mu"));
    suppress.mu = mu;
  }
  return ok_status();
}

Status read_arguments(CommandReader& reader,
                      const Word& method,
                      MethodArguments& arguments,
                      Suppress& suppress) {
  switch (suppress.method) {
    case SuppressMethod::kGh:
      return read_gh(arguments, suppress);
    case SuppressMethod::kMod:
      return read_mod(reader, arguments, suppress);
    case SuppressMethod::kOpt:
      return arguments.amount(suppress.minutes, "the time in minutes");
    case SuppressMethod::kRnd:
      return read_rnd(reader, method, arguments, suppress);
    case SuppressMethod::kNet:
    case SuppressMethod::kCta:
    case SuppressMethod::kCkm:
      break;
  }
  return ok_status();
}

}  // namespace

std::string_view to_string(SuppressMethod method) {
  return kMethodNames[static_cast<std::size_t>(method)];
}

Result<Action> read_suppress(CommandReader& reader) {
  Suppress suppress;
  const Word method = reader.line().field("(");
  const std::string name = upper_case(method.text);
  std::size_t index = 0;
  while (index < kMethodNames.size() && kMethodNames[index] != name)
    ++index;
  if (index == kMethodNames.size()) {
    return reader.error(method,
                        "expected a method (GH, MOD, OPT, NET, RND, CTA, CKM), not " +
                            (method.text.empty() ? "nothing" : base::in_quotes(method.text)) +
                            base::did_you_mean(name, kMethodNames));
  }
  suppress.method = static_cast<SuppressMethod>(index);
  LACUNA_TRY(const auto parts, reader.bracket("the method " + base::in_quotes(method.text)));
  LACUNA_TRY(suppress.table, reader.table(parts[0], 0));
  MethodArguments arguments(reader, parts);
  LACUNA_RETURN_IF_ERROR(read_arguments(reader, method, arguments, suppress));
  arguments.note_rest(name);
  if (suppress.method == SuppressMethod::kCkm)
    LACUNA_RETURN_IF_ERROR(read_ckm_files(reader, suppress));
  return Action(suppress);
}

}  // namespace lacuna::argus
