// SPDX-License-Identifier: Apache-2.0
// A problem as it was read, before anyone has said what is asked of it: it can be looked at,
// counted and saved, but no method and no auditor takes it. prepare() (prepare.h) is the one way
// from here to a Problem that is judged.
#pragma once

#include <utility>

#include "lacuna/problem.h"

namespace lacuna::load {

class ReadProblem {
 public:
  ReadProblem() = default;
  ReadProblem(Problem problem) : problem_(std::move(problem)) {}  // NOLINT: whoever reads makes one

  const Table& table() const { return problem_.table(); }
  // To be shown, counted or saved; a verdict on it would be one on less than is asked.
  const Problem& as_read() const { return problem_; }
  Problem take() && { return std::move(problem_); }  // by those who read on

 private:
  Problem problem_;
};

}  // namespace lacuna::load
