// SPDX-License-Identifier: Apache-2.0
// The relaxation of a node of the search. Projected onto z alone, the perspective relaxation of
// Castro, Frangioni and Gentile is separable: a sensitive cell whose sense is open costs f(z), the
// convex hull of w z^2 over z <= -l or z >= u, that is w z^2 outside (-l, u) and the straight line
// w (u - l) z + w u l inside. Its three pieces are three columns with x = z in sum:
//   x1 in [-l, u]       cost w (u - l) x1 + w u l
//   x2 in [0, hi - u]   cost 2 w u x2 + w x2^2
//   x3 in [lo + l, 0]   cost -2 w l x3 + w x3^2
// L1 is the same with straight pieces. A decided cell is one column on its side.
#pragma once

#include <vector>

#include "protect/adjust/kkt.h"
#include "protect/adjust/model.h"

namespace lacuna::adjustment {

struct Column {
  double lower = 0, upper = 0;
  double cost = 0;   // c
  double curve = 0;  // q: c x + q x^2 / 2
};

struct Columns {
  std::vector<std::size_t> start;  // by cell
  std::vector<Column> all;
  double constant = 0;
};

Columns make_columns(const Part& part, AdjustNorm norm, const Senses& senses);
// The columns of one sensitive cell; returns the constant.
double cell_columns(const PartCell& cell, AdjustNorm norm, Sense sense, std::vector<Column>& out);

// The columns of a cell that is not sensitive.
void plain_columns(const PartCell& cell, AdjustNorm norm, std::vector<Column>& out);

// min over the column's bounds of c x + q x^2 / 2 - g x; minus infinity if there is none.
double column_minimum(const Column& column, double g);

// sum of w |z|^p.
double true_cost(const Part& part, AdjustNorm norm, const Vector& z);

}  // namespace lacuna::adjustment
