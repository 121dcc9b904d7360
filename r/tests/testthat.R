# SPDX-License-Identifier: Apache-2.0
# R CMD check: needs neither the program nor files beside the package; tests that do are skipped.
library(testthat)
library(lacuna)

test_check("lacuna")
