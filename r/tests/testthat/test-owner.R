# SPDX-License-Identifier: Apache-2.0
# Readers who own the program: public widths, and tables that replay (docs/owner.md).

test_that("a width is kept against the owner of the program, and tables replay", {
  release <- protect(sales_problem(), against = "owner", public_width = "8", replay = TRUE)
  expect_match(release$note, "1 of 1 sensitive cells keep their public width", fixed = TRUE)
  cell <- run_info(release)$replay$cells[[1]]
  expect_true(cell$as_asked)
  again <- audit(sales_problem(), release, against = "owner", public_width = "8", replay = TRUE)
  row <- as.data.frame(again, confidential = TRUE)
  expect_equal(nrow(row), 1)
  expect_true(row$owner_lower <= 18 && 18 <= row$owner_upper)
  expect_true(row$owner_upper - row$owner_lower >= 8)
})

test_that("to run the program again the run is needed", {
  expect_error(audit(sales_problem(), replay = TRUE),
               "to run the program again its options are needed", fixed = TRUE)
})
