// SPDX-License-Identifier: Apache-2.0
// Input for the test of the runner: nothing here is forbidden.
// expect: error
int answer() {
  return 42;
}
