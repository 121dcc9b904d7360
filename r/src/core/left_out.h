// SPDX-License-Identifier: Apache-2.0
// Takes the place of the headers of HiGHS' solvers of first order (PDLP), which the R package
// leaves out; the core never asks for them.
#ifndef LACUNA_R_LEFT_OUT_H
#define LACUNA_R_LEFT_OUT_H

#include "lp_data/HighsSolution.h"

HighsStatus solveLpCupdlp(HighsLpSolverObject& solver_object);
HighsStatus solveLpHiPdlp(HighsLpSolverObject& solver_object);

#endif
