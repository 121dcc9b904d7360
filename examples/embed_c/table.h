/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TABLE_H
#define TABLE_H

#include <lacuna.h>

/* A table of nine cells as a stream of one batch, made by hand. One at a time. */
void make_table(struct ArrowArrayStream* stream);

#endif
