// SPDX-License-Identifier: Apache-2.0
// What was wrong, as data: a code that programs can tell apart (docs/errors.md has all of them with
// an example each), a sentence whose confidential parts are marked, and the place: in a file, in
// the data, or by its path in the job.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/export.h"

namespace LACUNA_API lacuna {

enum class ErrorCode : std::uint8_t {
  // options and names of outputs
  kUnknownOption,
  kOptionValue,
  kOptionMissing,
  kOptionConflict,
  kOutputName,
  // jobs
  kJobSyntax,
  kUnknownKey,
  kMissingKey,
  kRepeatedKey,
  kJobValue,
  // files
  kFileMissing,
  kFileUnreadable,
  kFileUnwritable,
  kOutOfReach,
  kOtherFormat,
  kOtherContent,
  kUnclearFormat,
  kDamaged,
  // rows, columns and fields
  kMissingColumn,
  kRepeatedColumn,
  kNoRows,
  kBadField,
  kEmptyField,
  kBadNumber,
  kNumberTooLarge,
  kUnknownCode,
  kBadHierarchy,
  kRepeatedCell,
  kNoSuchCell,
  // tables and what is asked of them
  kNotAdditive,
  kNotCounts,
  kContradiction,
  kFactsMissing,
  kLevelMisfit,
  kWrongStatus,
  kTooLarge,
  // methods
  kCannotProtect,
  kBadPtable,
  kNoEngine,
  kUnsupported,
  // releases and evidence
  kOtherTable,
  kFalseRelease,
  kWrongEvidence,
  kNotProtected,
  kNothingAsked,
  kCannotHold,
  // jobs of tau-ARGUS
  kArgusCommand,
  // runs
  kStopped,
  kNoMemory,
  kTooMany,
  kNoSuchThing,
  kInternal,
};

// What a caller can do about it: give other data, give other options, mend the sums, do something
// else, look at the file.
enum class ErrorKind : std::uint8_t { kInput, kOption, kNotAdditive, kUnsupported, kFile };
std::span<const std::string_view> enum_names(ErrorKind kind);

struct ErrorInfo {
  ErrorCode code;
  std::string_view name;  // "missing-column"
  ErrorKind kind;
  std::string_view when;  // for docs/errors.md
};
std::span<const ErrorInfo> error_codes();  // all, in the order of the enumeration
const ErrorInfo& info_of(ErrorCode code);

struct MessagePart {
  std::string text;
  bool confidential = false;  // a value, a level, a contribution, a respondent
};

struct Error {
  ErrorCode code = ErrorCode::kBadField;
  std::string message;  // one sentence; what is confidential in it is marked
  std::string where;    // "sales.csv:17:3", "--time-limit", "NACE=21|REG=4"; may be empty
  std::string path{};   // in the job: "dimension[1].name"; may be empty

  // "where: message", the one line a user sees.
  std::string text() const { return where.empty() ? message : where + ": " + message; }
  ErrorKind kind() const { return info_of(code).kind; }
  // The sentence in its parts. Joined, they are what the office may read; without the confidential
  // ones they are for everybody.
  std::vector<MessagePart> parts() const;
};

}  // namespace lacuna
