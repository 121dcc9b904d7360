// SPDX-License-Identifier: Apache-2.0
// Input for the test of the runner: does not even compile as it stands.
// expect: some reason
static_assert(false, "some reason");
