# SPDX-License-Identifier: Apache-2.0

codes <- lacuna:::status_codes
primary <- c(TRUE, TRUE, TRUE, TRUE, FALSE, FALSE)
suppressed <- c(TRUE, TRUE, TRUE, TRUE, TRUE, FALSE)
reason <- c("unsafe: 2 contributors, fewer than 3",
            "unsafe: 2 contributors, fewer than 3; unsafe: p% rule, largest contributor known",
            "unsafe: the 2 largest contributors hold 97.0% of the value, more than 90%",
            "unsafe: by its status", "", NA)

test_that("letters are those of the other packages", {
  expect_identical(codes(primary, suppressed, reason = reason, set = "sdcTable"),
                   c("u", "u", "u", "u", "x", "s"))
  expect_identical(codes(primary, suppressed, reason = reason, set = "argus"),
                   c("A", "B", "B", "B", "D", "V"))
  expect_identical(codes(primary, suppressed, reason = reason, set = "sbs"),
                   c("A", "F", "C", "B", "D", "V"))
  expect_identical(codes(primary, suppressed, set = "GaussSuppression"),
                   data.frame(primary = primary, suppressed = suppressed))
})

test_that("what must be published and what stays unpublished have letters of sdcTable", {
  status <- c("published", "known", "withheld", "free")
  expect_identical(codes(rep(FALSE, 4), c(FALSE, FALSE, TRUE, TRUE), status = status),
                   c("z", "z", "w", "x"))
})

test_that("the state tells what is suppressed", {
  expect_identical(codes(c(TRUE, FALSE, FALSE), NULL, c("withheld", "withheld", "rounded")),
                   c("u", "x", "s"))
})

test_that("another set is refused with the nearest", {
  expect_error(codes(TRUE, TRUE, set = "sdctable"), "did you mean 'sdcTable'?", fixed = TRUE,
               class = "lacuna_option_error")
})
