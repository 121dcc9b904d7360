// SPDX-License-Identifier: Apache-2.0
// What a program that links with the shared library can see: the library is compiled with hidden
// symbols, and every public header opens its namespace with this mark,
//
//   namespace LACUNA_API lacuna {
//
// which makes all that is declared between the braces visible, and nothing else. Definitions in
// .cpp files need no mark. scripts/check_style.py asks every public header for it.
#pragma once

#define LACUNA_API [[gnu::visibility("default")]]
