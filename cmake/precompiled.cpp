// SPDX-License-Identifier: Apache-2.0
// What owns a precompiled header needs a source file.
int main() {
  return 0;
}
