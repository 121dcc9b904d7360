// SPDX-License-Identifier: Apache-2.0
// Stands in for the two wrappers of HiGHS' solvers of first order (PDLP), which the R package leaves
// out and the core never asks for.
#ifndef LACUNA_R_NO_PDLP_H
#define LACUNA_R_NO_PDLP_H

#include "lp_data/HighsSolution.h"

inline HighsStatus solveLpCupdlp(HighsLpSolverObject&) {
  return HighsStatus::kError;
}

inline HighsStatus solveLpHiPdlp(HighsLpSolverObject&) {
  return HighsStatus::kError;
}

#endif
