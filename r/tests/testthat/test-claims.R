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

test_that("frames of what nobody asked about need the word", {
  release <- protect(unasked_problem())
  expect_error(as.data.frame(release), "unasked = \"publish\"", fixed = TRUE)
  expect_error(tables_of(release), "unasked = \"publish\"", fixed = TRUE)
  expect_false(any(grepl("states", summary(release)$lines)))
  expect_gt(nrow(as.data.frame(release, confidential = TRUE)), 0L)
  told <- protect(unasked_problem(), unasked = "publish")
  expect_gt(nrow(as.data.frame(told)), 0L)
  expect_match(summary(told)$lines, "states", all = FALSE)
})

test_that("counts that were not judged as counts say so", {
  people <- data.frame(part = rep(c("a", "c", "d"), c(10L, 2L, 2L)))
  table <- sdc_table(people, dimVar = "part", rules = freq_rule(4))
  release <- protect(table, reals = TRUE)
  expect_match(format(release), "read as real numbers", all = FALSE)
  expect_match(format(audit(release)), "read as real numbers", all = FALSE)
  expect_match(format(audit(table, release, reals = TRUE)), "read as real numbers", all = FALSE)
  page <- before_scripts(report(release, public = TRUE))
  expect_match(page, "Checked in part")
  expect_false(grepl("\u2713|card protected", page))
  expect_match(format(protect(table, method = "adjust")), "read as numbers alone", all = FALSE)
})

test_that("figures that were not computed are none", {
  run <- run_info(protect(sales_problem()))
  expect_identical(run$guess_state, "not computed")
  expect_true(is.null(run$guess_near) || is.na(run$guess_near))
  page <- before_scripts(report(protect(sales_problem()), verdicts_only = TRUE))
  expect_false(grepl("could work out at best", page))
})
