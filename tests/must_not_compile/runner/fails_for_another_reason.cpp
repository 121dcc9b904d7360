// SPDX-License-Identifier: Apache-2.0
// Input for the test of the runner: fails, but not as expected.
// expect: is private within this context
#ifdef LACUNA_FORBIDDEN
static_assert(false, "some other reason");
#endif
