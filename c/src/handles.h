// SPDX-License-Identifier: Apache-2.0
// What is behind the opaque types of lacuna.h. Each begins with a mark of its type, as other
// languages hold all of them as plain addresses and may well confuse two.
#pragma once

#include <lacuna.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "app/inference/inference.h"
#include "app/session/session.h"

namespace lacuna::c {

enum class Mark : std::uint32_t {
  kError = 0x4c434501,
  kInputs,
  kRun,
  kProblem,
  kRelease,
  kAudit,
  kInference,
};

}  // namespace lacuna::c

extern "C" {

struct lacuna_error {
  static constexpr lacuna::c::Mark kMark = lacuna::c::Mark::kError;
  lacuna::c::Mark mark = kMark;
  lacuna_status status = LACUNA_OK;
  std::string code, shown, in_full, where, path;
  std::shared_ptr<const lacuna::session::SessionAudit> refused_by;  // may be null
};

struct lacuna_inputs {
  static constexpr lacuna::c::Mark kMark = lacuna::c::Mark::kInputs;
  lacuna::c::Mark mark = kMark;
  lacuna::load::Inputs held;  // by the names of the caller
};

struct lacuna_run {
  static constexpr lacuna::c::Mark kMark = lacuna::c::Mark::kRun;
  lacuna::c::Mark mark = kMark;
  std::atomic<bool> cancelled = false;
  lacuna_progress_function function = nullptr;
  void* user = nullptr;
};

struct lacuna_problem {
  static constexpr lacuna::c::Mark kMark = lacuna::c::Mark::kProblem;
  lacuna::c::Mark mark = kMark;
  lacuna::session::SessionProblem held;
};

struct lacuna_release {
  static constexpr lacuna::c::Mark kMark = lacuna::c::Mark::kRelease;
  lacuna::c::Mark mark = kMark;
  lacuna::session::SessionRelease held;
};

struct lacuna_audit {
  static constexpr lacuna::c::Mark kMark = lacuna::c::Mark::kAudit;
  lacuna::c::Mark mark = kMark;
  lacuna::session::SessionAudit held;
};

struct lacuna_inference {
  static constexpr lacuna::c::Mark kMark = lacuna::c::Mark::kInference;
  lacuna::c::Mark mark = kMark;
  lacuna::inference::Inference held;
};

}  // extern "C"
