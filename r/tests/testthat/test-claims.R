# SPDX-License-Identifier: Apache-2.0
# Nothing is called safe that nobody asked about, and no figure stands for what was not computed.

unasked_problem <- function() {
  sdc_problem(sales()[c("product", "region", "turnover")],
              dimList = list(product = products, region = "All"), numVar = "turnover")
}

before_scripts <- function(page) sub("<script.*", "", unclass(page))

test_that("nothing asked is unasked, and is published on an explicit word alone", {
  release <- protect(unasked_problem())
  expect_identical(release$verdict, "unasked")
  expect_match(format(release)[1L], "unasked")
  expect_false(any(grepl("protected", format(release))))
  expect_match(format(audit(release))[2L], "nothing was asked")
  shown <- tempfile(fileext = ".csv")
  expect_error(write_release(release, shown), "unasked = \"publish\"", fixed = TRUE)
  expect_false(file.exists(shown))
  write_release(release, shown, unasked = "publish")
  expect_true(file.exists(shown))
  expect_error(report(release, public = TRUE), class = "lacuna_not_protected")
  for (page in list(report(release), report(release, public = TRUE, unasked = "publish"))) {
    expect_false(grepl("\u2713|card protected|Safe, and checked", before_scripts(page)))
  }
})

test_that("figures that were not computed are none", {
  run <- run_info(protect(sales_problem()))
  expect_identical(run$guess_state, "not computed")
  expect_true(is.null(run$guess_near) || is.na(run$guess_near))
  page <- before_scripts(report(protect(sales_problem()), verdicts_only = TRUE))
  expect_false(grepl("could work out at best", page))
})
