# SPDX-License-Identifier: Apache-2.0
# Errors of the core are data: a code of docs/errors.md, and the key of the job that they are about.

firms <- records(40, 7)
refusal <- function(expression) {
  tryCatch({
    expression
    NULL
  }, lacuna_error = function(error) error)
}
make <- function(data = firms, ...) {
  sdc_table(data, dimVar = "region", numVar = "turnover", contributorVar = "firm",
            rules = rules_of_tests(), ...)
}

test_that("errors have a code", {
  broken <- firms
  broken$turnover <- as.character(broken$turnover)
  broken$turnover[2] <- "many"
  error <- refusal(make(broken))
  expect_identical(error$code, "bad-number")
  expect_identical(error$where, "row 2, column turnover")
  expect_identical(refusal(protect(make(), method = "round"))$code, "option-missing")
})

test_that("errors have the path in the job", {
  error <- refusal(make(decimals = 99))
  expect_identical(error$path, "input.decimals")
  expect_identical(error$where, "decimals")
  expect_identical(refusal(protect(make(), method = "round"))$path, "")
})

test_that("options are named as arguments", {
  error <- refusal(protect(make(), method = "round"))
  expect_identical(error$where, "base")
  expect_match(refusal(sdc_generate(fan_most = 1))$what, "must not be less than fan_least")
})

test_that("columns of other shapes are refused", {
  doubled <- firms
  doubled$region <- I(cbind(firms$region, firms$region))
  error <- refusal(make(doubled))
  expect_identical(error$where, "data, column region")
  expect_match(conditionMessage(error), "a matrix is not a column")
  ragged <- as.list(firms)
  ragged$turnover <- ragged$turnover[1]
  class(ragged) <- "data.frame"
  attr(ragged, "row.names") <- seq_len(nrow(firms))
  error <- refusal(make(ragged))
  expect_identical(error$where, "data, column turnover")
  expect_match(conditionMessage(error), "has 1 rows")
})
