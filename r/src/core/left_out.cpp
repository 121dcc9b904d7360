// SPDX-License-Identifier: Apache-2.0
// The solvers of HiGHS that the R package leaves out because the core never asks for them: those of
// first order (PDLP), HiPO, and that for quadratic costs. Whoever did would get an error.
#include "left_out.h"

#include "HighsExtrasApi.h"
#include "ipm/IpxWrapper.h"
#include "qpsolver/a_quass.hpp"

HighsStatus solveLpCupdlp(HighsLpSolverObject&) {
  return HighsStatus::kError;
}

HighsStatus solveLpHiPdlp(HighsLpSolverObject&) {
  return HighsStatus::kError;
}

HighsStatus solveLpHipo(HighsLpSolverObject&) {
  return HighsStatus::kError;
}

HighsStatus solveHipo(const HighsOptions&,
                      HighsTimer&,
                      const HighsLp&,
                      const HighsHessian&,
                      HighsBasis&,
                      HighsSolution&,
                      HighsModelStatus&,
                      HighsInfo&,
                      HighsCallback&) {
  return HighsStatus::kError;
}

QpAsmStatus solveqp(Instance&,
                    Settings&,
                    Statistics&,
                    HighsModelStatus&,
                    HighsBasis&,
                    HighsSolution&,
                    HighsTimer&) {
  return QpAsmStatus::kError;
}

std::string qpModelStatusToString(const QpModelStatus) {
  return "left out";
}

extern "C" const HighsExtrasFeatureInfo* HighsExtras_getFeatureInfo() {
  return nullptr;
}

extern "C" bool HighsExtras_getApi(HighsExtras::HighsExtrasApi*) {
  return false;
}
