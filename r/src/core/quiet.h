// SPDX-License-Identifier: Apache-2.0
// What the solver inside the R package calls instead of the functions that R forbids: output goes
// nowhere, and where the solver would end the process it throws. scripts/r_package puts these names
// into the sources of HiGHS in place of those of the C library; every file includes this one first.
#ifndef LACUNA_R_QUIET_H
#define LACUNA_R_QUIET_H

#include <stdio.h>

#ifdef __cplusplus
#include <ostream>
extern "C" {
#endif

FILE* lacuna_quiet_file(void);
int lacuna_quiet_printf(const char* format, ...);
int lacuna_quiet_puts(const char* text);
int lacuna_quiet_putchar(int character);

#ifdef __cplusplus
}
std::ostream& lacuna_quiet_stream();
[[noreturn]] void lacuna_quiet_end();
#endif

#endif
