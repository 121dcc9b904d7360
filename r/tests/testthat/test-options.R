# SPDX-License-Identifier: Apache-2.0
test_that("the page of options is what the core says", {
  maker <- new.env()
  sys.source(source_file("r", "tools", "make_options.R"), maker)
  written <- readLines(source_file("r", "man", "lacuna_options.Rd"), encoding = "UTF-8")
  expect_identical(maker$options_page(), written)
})

test_that("every option of the page is taken under both spellings", {
  problem <- sales_problem()
  expect_identical(as.data.frame(protect(problem, max_withheld = 9, interval_digits = NULL)),
                   as.data.frame(protect(problem, maxWithheld = 9)))
  expect_error(protect(problem, "suppress", 3), "by name", class = "lacuna_option_error")
  expect_error(protect(problem, output = "x.csv"), "write_release", class = "lacuna_option_error")
  expect_error(protect(problem, gap = NA), class = "lacuna_option_error")
  expect_error(protect(problem, gap = list(1)), class = "lacuna_option_error")
})
