// SPDX-License-Identifier: Apache-2.0
// Explain: why cells of a release are withheld (app/explain), for the office.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/explain/cell_explanation.h"
#include "app/job/jobs.h"
#include "app/load/verdict_basis.h"
#include "lacuna/draft.h"
#include "lacuna/problem.h"

namespace lacuna::job {

struct ExplainJob {
  std::string result;              // JSON written by protect; with `input` any release
  std::vector<std::string> cells;  // as find_cell() reads them
  std::string input;               // the table; empty: the one that the result names
  std::string weights;             // of the costs of an exchange; empty: those of the run
  load::Assessment asked;
  load::Inputs inputs;
  std::string engine;
  bool no_exchange = false;
  std::int64_t exchange_work = explain::ExchangeOptions().work;
  bool json = false;

  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit(FieldInfo{.name = "result",
                    .help = "result JSON of lacuna protect -o; with --input, any release",
                    .shown_as = "RESULT",
                    .place = FieldPlace::kArgument,
                    .in_jobs = false},
          self.result);
    visit(FieldInfo{.name = "cell",
                    .help = "a cell: dimension=code,dimension=code or its index; dimensions that "
                            "you do not name are at their totals; may be given several times",
                    .shown_as = "CELL",
                    .place = FieldPlace::kNeeded,
                    .in_jobs = false},
          self.cells);
    visit(FieldInfo{.name = "input",
                    .help = "the table",
                    .absent = "the table that the result names",
                    .shown_as = "FILE",
                    .in_jobs = false},
          self.input);
    visit(FieldInfo{.name = "no-exchange",
                    .help = "do not search for cells that could be withheld instead of this one",
                    .in_jobs = false},
          self.no_exchange);
    visit(FieldInfo{.name = "exchange-work",
                    .help = "work that this search may do for each cell; a unit is about a "
                            "microsecond of one core",
                    .unit = "units",
                    .least = 1,
                    .in_jobs = false},
          self.exchange_work);
    visit(FieldInfo{.name = "weights",
                    .help = "what a cell costs, as for protect",
                    .absent = "as in the run of the result"},
          self.weights);
    load::Assessment::fields(self.asked, visit);
    visit(load::kPolicyField, self.inputs.choices.policy);
    visit(kEngine, self.engine);
    visit(kJsonFlag, self.json);
  }
};

struct ExplainOutcome {
  std::shared_ptr<const Problem> problem;
  Draft draft;
  std::vector<std::string> reasons;
  std::vector<explain::CellExplanation> cells;
  load::VerdictBasis basis;
  ExitCode code = ExitCode::kDone;

  std::string text() const;
  std::string json() const;  // one object
};
Result<ExplainOutcome> run_explain(const ExplainJob& job, const RunContext& run);
Result<JobOutput> run_job(const ExplainJob& job, const RunContext& run);

// "region=N,branch=C" or, as messages write it, "region=N|branch=C"; a code may hold either
// separator. Or the index of the cell. Errors, with the names that come near: a dimension, a code
// or a cell that the table does not have.
Result<CellId> find_cell(const Table& table, const std::string& text);

}  // namespace lacuna::job
