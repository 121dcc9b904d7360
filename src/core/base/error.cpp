// SPDX-License-Identifier: Apache-2.0
#include "lacuna/error.h"

#include <array>

#include "core/base/confidential.h"
#include "core/base/spelling.h"

namespace lacuna {
namespace {

using Code = ErrorCode;
using Kind = ErrorKind;

constexpr std::array kCodes{
    ErrorInfo{
        Code::kUnknownOption, "unknown-option", Kind::kOption, "an option that does not exist"},
    ErrorInfo{
        Code::kOptionValue, "option-value", Kind::kOption, "a value that an option cannot have"},
    ErrorInfo{
        Code::kOptionMissing, "option-missing", Kind::kOption, "a required option that is missing"},
    ErrorInfo{Code::kOptionConflict,
              "option-conflict",
              Kind::kOption,
              "options that do not fit each other or the table"},
    ErrorInfo{
        Code::kOutputName,
        "output-name",
        Kind::kOption,
        "a name that an output cannot have: its ending, its folder, or a file that the run uses"},
    ErrorInfo{Code::kJobSyntax, "job-syntax", Kind::kInput, "text that is not valid TOML or JSON"},
    ErrorInfo{Code::kUnknownKey, "unknown-key", Kind::kInput, "a key that does not exist in a job"},
    ErrorInfo{Code::kMissingKey,
              "missing-key",
              Kind::kInput,
              "a required key or section that is missing"},
    ErrorInfo{Code::kRepeatedKey, "repeated-key", Kind::kInput, "a key that is given twice"},
    ErrorInfo{Code::kJobValue, "job-value", Kind::kInput, "a value that a key cannot have"},
    ErrorInfo{Code::kFileMissing, "file-missing", Kind::kFile, "a file that does not exist"},
    ErrorInfo{Code::kFileUnreadable, "file-unreadable", Kind::kFile, "a file that cannot be read"},
    ErrorInfo{Code::kFileUnwritable,
              "file-unwritable",
              Kind::kFile,
              "a file or folder that cannot be written"},
    ErrorInfo{Code::kOutOfReach,
              "out-of-reach",
              Kind::kFile,
              "a file that this run may not read or write"},
    ErrorInfo{Code::kOtherFormat,
              "other-format",
              Kind::kUnsupported,
              "a format, or a type of column, that is not read"},
    ErrorInfo{
        Code::kOtherContent, "other-content", Kind::kInput, "a file of another kind than expected"},
    ErrorInfo{Code::kUnclearFormat,
              "unclear-format",
              Kind::kInput,
              "a file that could be read in several ways"},
    ErrorInfo{
        Code::kDamaged, "damaged", Kind::kInput, "a file or stream that is damaged or incomplete"},
    ErrorInfo{Code::kMissingColumn, "missing-column", Kind::kInput, "a column that does not exist"},
    ErrorInfo{
        Code::kRepeatedColumn, "repeated-column", Kind::kInput, "two columns with the same name"},
    ErrorInfo{Code::kNoRows, "no-rows", Kind::kInput, "a file or table without rows"},
    ErrorInfo{Code::kBadField,
              "bad-field",
              Kind::kInput,
              "a field whose content does not fit its column or its line"},
    ErrorInfo{Code::kEmptyField, "empty-field", Kind::kInput, "a field that must not be empty"},
    ErrorInfo{Code::kBadNumber,
              "bad-number",
              Kind::kInput,
              "text that is not a number, or not one of the kind expected"},
    ErrorInfo{Code::kNumberTooLarge,
              "number-too-large",
              Kind::kInput,
              "a number or a sum that is too large"},
    ErrorInfo{Code::kUnknownCode,
              "unknown-code",
              Kind::kInput,
              "a code that the dimension does not have"},
    ErrorInfo{Code::kBadHierarchy, "bad-hierarchy", Kind::kInput, "codes that do not form a tree"},
    ErrorInfo{Code::kRepeatedCell, "repeated-cell", Kind::kInput, "a cell that is given twice"},
    ErrorInfo{
        Code::kNoSuchCell, "no-such-cell", Kind::kInput, "a cell that the table does not have"},
    ErrorInfo{Code::kNotAdditive, "not-additive", Kind::kNotAdditive, "sums that do not hold"},
    ErrorInfo{Code::kNotCounts, "not-counts", Kind::kInput, "numbers that are not counts"},
    ErrorInfo{Code::kContradiction,
              "contradiction",
              Kind::kInput,
              "two statements about a cell that contradict each other"},
    ErrorInfo{Code::kFactsMissing,
              "facts-missing",
              Kind::kInput,
              "contributions, frequencies or keys that a rule or method needs"},
    ErrorInfo{Code::kLevelMisfit,
              "level-misfit",
              Kind::kInput,
              "a protection level that goes beyond what everyone knows of the cell"},
    ErrorInfo{Code::kWrongStatus,
              "wrong-status",
              Kind::kInput,
              "a setting that the status of the cell does not allow"},
    ErrorInfo{Code::kTooLarge, "too-large", Kind::kUnsupported, "a table beyond the limits"},
    ErrorInfo{Code::kCannotProtect,
              "cannot-protect",
              Kind::kInput,
              "no release of this kind can protect the cell"},
    ErrorInfo{Code::kBadPtable,
              "bad-ptable",
              Kind::kInput,
              "a file that is not a valid perturbation table"},
    ErrorInfo{Code::kNoEngine,
              "no-engine",
              Kind::kUnsupported,
              "a solver, database or library that is missing or cannot do this"},
    ErrorInfo{Code::kUnsupported,
              "unsupported",
              Kind::kUnsupported,
              "a request that is understood but cannot be done, for the reason given"},
    ErrorInfo{Code::kOtherTable,
              "other-table",
              Kind::kInput,
              "a release, certificate or checkpoint of another table or release"},
    ErrorInfo{Code::kFalseRelease,
              "false-release",
              Kind::kInput,
              "a release that is incomplete or contradicts the table"},
    ErrorInfo{Code::kWrongEvidence,
              "wrong-evidence",
              Kind::kInput,
              "evidence that does not prove what it should"},
    ErrorInfo{Code::kNotProtected,
              "not-protected",
              Kind::kInput,
              "a release that has not passed the audit is not given out"},
    ErrorInfo{Code::kNothingAsked,
              "nothing-asked",
              Kind::kInput,
              "nothing was asked of the release, so it is not given out"},
    ErrorInfo{Code::kCannotHold,
              "cannot-hold",
              Kind::kUnsupported,
              "a format that cannot hold what is to be written"},
    ErrorInfo{Code::kArgusCommand,
              "argus-command",
              Kind::kInput,
              "a command or description of a tau-ARGUS job"},
    ErrorInfo{Code::kStopped, "stopped", Kind::kUnsupported, "a run that was stopped too early"},
    ErrorInfo{Code::kNoMemory,
              "no-memory",
              Kind::kUnsupported,
              "memory or another resource that the system refuses"},
    ErrorInfo{Code::kTooMany, "too-many", Kind::kUnsupported, "too many tables or runs are open"},
    ErrorInfo{Code::kNoSuchThing,
              "no-such-thing",
              Kind::kInput,
              "something that does not exist, no longer exists, or does not exist yet"},
    ErrorInfo{Code::kInternal,
              "internal",
              Kind::kUnsupported,
              "a fault of Lacuna itself; please report it"},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kCodes.size(); ++i) {
    if (static_cast<std::size_t>(kCodes[i].code) != i)
      return false;
  }
  return kCodes.back().code == Code::kInternal;  // the last: none is missing
}
static_assert(in_order());

}  // namespace

std::span<const std::string_view> enum_names(ErrorKind) {
  static constexpr std::array<std::string_view, 5> kNames{
      "input", "option", "not-additive", "unsupported", "file"};
  return kNames;
}

std::span<const ErrorInfo> error_codes() {
  return kCodes;
}

const ErrorInfo& info_of(ErrorCode code) {
  return kCodes[static_cast<std::size_t>(code)];
}

std::vector<MessagePart> Error::parts() const {
  return base::parts_of(base::as_in_files(message));
}

}  // namespace lacuna
