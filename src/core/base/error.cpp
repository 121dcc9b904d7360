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
    ErrorInfo{Code::kUnknownOption, "unknown-option", Kind::kOption, "an option that is not there"},
    ErrorInfo{Code::kOptionValue, "option-value", Kind::kOption, "a value an option cannot have"},
    ErrorInfo{Code::kOptionMissing, "option-missing", Kind::kOption, "an option that is needed"},
    ErrorInfo{Code::kOptionConflict,
              "option-conflict",
              Kind::kOption,
              "options that do not fit one another or the table"},
    ErrorInfo{Code::kOutputName,
              "output-name",
              Kind::kOption,
              "the name of an output: its ending, its folder, or a file that is in use"},
    ErrorInfo{Code::kJobSyntax, "job-syntax", Kind::kInput, "text that is neither TOML nor JSON"},
    ErrorInfo{Code::kUnknownKey, "unknown-key", Kind::kInput, "a key that a job does not have"},
    ErrorInfo{Code::kMissingKey, "missing-key", Kind::kInput, "a key or section that is needed"},
    ErrorInfo{Code::kRepeatedKey, "repeated-key", Kind::kInput, "a key that is given twice"},
    ErrorInfo{Code::kJobValue, "job-value", Kind::kInput, "a value that a key cannot have"},
    ErrorInfo{Code::kFileMissing, "file-missing", Kind::kFile, "a file that is not there"},
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
    ErrorInfo{Code::kOtherContent,
              "other-content",
              Kind::kInput,
              "a file of another kind than the one that belongs here"},
    ErrorInfo{Code::kUnclearFormat,
              "unclear-format",
              Kind::kInput,
              "a file that could be read in several ways"},
    ErrorInfo{Code::kDamaged, "damaged", Kind::kInput, "a file or stream that is not whole"},
    ErrorInfo{Code::kMissingColumn, "missing-column", Kind::kInput, "a column that is not there"},
    ErrorInfo{Code::kRepeatedColumn, "repeated-column", Kind::kInput, "two columns of one name"},
    ErrorInfo{Code::kNoRows, "no-rows", Kind::kInput, "a file or table without anything in it"},
    ErrorInfo{Code::kBadField,
              "bad-field",
              Kind::kInput,
              "a field whose content does not fit its column or its line"},
    ErrorInfo{Code::kEmptyField, "empty-field", Kind::kInput, "a field that must not be empty"},
    ErrorInfo{Code::kBadNumber, "bad-number", Kind::kInput, "text that is no such number"},
    ErrorInfo{Code::kNumberTooLarge,
              "number-too-large",
              Kind::kInput,
              "a number or a sum that does not fit"},
    ErrorInfo{Code::kUnknownCode, "unknown-code", Kind::kInput, "a code no dimension has"},
    ErrorInfo{Code::kBadHierarchy, "bad-hierarchy", Kind::kInput, "codes that make no tree"},
    ErrorInfo{Code::kRepeatedCell, "repeated-cell", Kind::kInput, "a cell that is given twice"},
    ErrorInfo{Code::kNoSuchCell, "no-such-cell", Kind::kInput, "a cell the table does not have"},
    ErrorInfo{Code::kNotAdditive, "not-additive", Kind::kNotAdditive, "sums that do not hold"},
    ErrorInfo{Code::kNotCounts, "not-counts", Kind::kInput, "numbers that are no counts"},
    ErrorInfo{Code::kContradiction,
              "contradiction",
              Kind::kInput,
              "what is said of a cell in two places does not fit together"},
    ErrorInfo{Code::kFactsMissing,
              "facts-missing",
              Kind::kInput,
              "contributions, frequencies or keys that a rule or method needs"},
    ErrorInfo{Code::kLevelMisfit,
              "level-misfit",
              Kind::kInput,
              "a protection level beyond what is known of the cell anyway"},
    ErrorInfo{Code::kWrongStatus,
              "wrong-status",
              Kind::kInput,
              "something asked of a cell that its status does not allow"},
    ErrorInfo{Code::kTooLarge, "too-large", Kind::kUnsupported, "a table beyond the limits"},
    ErrorInfo{Code::kCannotProtect,
              "cannot-protect",
              Kind::kInput,
              "no release of this kind can protect the cell"},
    ErrorInfo{Code::kBadPtable, "bad-ptable", Kind::kInput, "a perturbation table that is none"},
    ErrorInfo{Code::kNoEngine,
              "no-engine",
              Kind::kUnsupported,
              "a solver, database or library that is not there or cannot do it"},
    ErrorInfo{Code::kUnsupported,
              "unsupported",
              Kind::kUnsupported,
              "understood, and not done for the reason that is given"},
    ErrorInfo{Code::kOtherTable,
              "other-table",
              Kind::kInput,
              "a release, certificate or checkpoint of another table or release"},
    ErrorInfo{Code::kFalseRelease,
              "false-release",
              Kind::kInput,
              "a release that is not whole, or says what is not true of the table"},
    ErrorInfo{Code::kWrongEvidence,
              "wrong-evidence",
              Kind::kInput,
              "evidence that does not show what it should"},
    ErrorInfo{Code::kNotProtected,
              "not-protected",
              Kind::kInput,
              "what has not passed the audit does not go out"},
    ErrorInfo{Code::kNothingAsked,
              "nothing-asked",
              Kind::kInput,
              "nothing was asked of the release, so it does not go out"},
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
              "memory, or another thing that the system does not give"},
    ErrorInfo{Code::kTooMany, "too-many", Kind::kUnsupported, "too many tables or runs are open"},
    ErrorInfo{Code::kNoSuchThing,
              "no-such-thing",
              Kind::kInput,
              "something that is not there, no longer, or not yet"},
    ErrorInfo{Code::kInternal,
              "internal",
              Kind::kUnsupported,
              "a fault of Lacuna's own: please report it"},
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
