// SPDX-License-Identifier: Apache-2.0
// minimize sum p ln p  such that  A p = b in the first rows,  A p <= b in the others,
// p >= l.
#pragma once

#include <Eigen/Dense>

namespace lacuna::ptable {

struct EntropyProgram {
  Eigen::MatrixXd rows;         // A
  Eigen::VectorXd sides;        // b
  Eigen::VectorXd least;        // l, above 0
  Eigen::Index equalities = 0;  // so many rows at the beginning
};

struct EntropyAnswer {
  Eigen::VectorXd p;
  double residual = 0;  // largest violation of a row
  bool solved = false;  // else the rows contradict each other
};

EntropyAnswer most_entropy(const EntropyProgram& program);

}  // namespace lacuna::ptable
