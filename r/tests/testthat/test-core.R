# SPDX-License-Identifier: Apache-2.0
test_that("the core is the one of this package", {
  expect_identical(lacuna:::version_of_core(), as.character(packageVersion("lacuna")))
})
