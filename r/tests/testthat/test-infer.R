# SPDX-License-Identifier: Apache-2.0
# What a reader can infer from published tables alone.

published <- data.frame(
  branch = rep(c("All", "A", "B"), each = 3), region = rep(c("All", "N", "S"), 3),
  value = c(100, 60, 40, 70, NA, NA, 30, NA, NA), stringsAsFactors = FALSE)

test_that("intervals of the blanks of a frame", {
  made <- infer(published)
  rows <- as.data.frame(made)
  expect_equal(nrow(rows), 4L)
  north <- rows[rows$branch == "A" & rows$region == "N", ]
  expect_equal(c(north$lower, north$upper), c(30, 60))
  expect_match(format(made), "0 of 4 withheld numbers")
  expect_match(made$certificate, "lacuna-inference-1", fixed = TRUE)
})

test_that("several tables are one system, and options are known", {
  other <- data.frame(branch = "A", region = c("All", "N", "S"), value = c(70, 45, 25))
  made <- infer(list(published, other))
  expect_true(all(as.data.frame(made)$lower == 15))
  expect_true(made$told$too_narrow)
  expect_false(infer(published, protection = "10%")$told$too_narrow)
  expect_error(infer(published, protektion = "10%"), "protection")
  expect_error(infer(list()), "published table")
})
