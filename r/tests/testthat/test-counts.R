# SPDX-License-Identifier: Apache-2.0
# Tables of counts: kinds, findings as a data frame, pages, and perturbation tables.

# Two blanks of a sum that is 2 are 1 and 1 to readers who know that zeros are never withheld.
line_of_counts <- function() {
  sdc_problem(data.frame(part = c("T", "a", "b", "c", "d"), n = c(15, 10, 3, 1, 1)),
              dimList = list(part = "T"), numVar = "n")
}

audit_counts <- function(release, ...) {
  audit(line_of_counts(), release, counts = TRUE, threshold = 2, withheld_means = "nonzero",
        kinds = "exact", ...)
}

blanks <- function(which) {
  data.frame(part = c("T", "a", "b", "c", "d"),
             n = replace(c(15, 10, 3, 1, 1), which, NA))
}

test_that("kinds and findings of counts are told", {
  a <- audit_counts(blanks(4:5), values = TRUE)
  expect_identical(a$verdict, "exposed")
  expect_identical(a$kinds, data.frame(kind = "exact", protected = 0, exposed = 2, undecided = 0,
                                       waived = 0))
  expect_match(format(a), "counts, exact: 0 protected, 2 exposed, 0 undecided", all = FALSE)
  found <- as.data.frame(a, confidential = TRUE, counts = TRUE)
  expect_identical(as.character(found$part), c("c", "d"))
  expect_equal(as.numeric(found$lower), c(1, 1))
  expect_equal(as.numeric(found$upper), c(1, 1))
  expect_identical(as.character(found$values), c("1", "1"))
  expect_true(all(found$verdict == "exposed"))
  expect_identical(unique(as.character(found$told_by)), "at most total - (part a + part b)")
  expect_error(as.data.frame(a, counts = TRUE), "confidential = TRUE")
  proof <- certificate(a)
  checked <- verify(line_of_counts(), proof, counts = TRUE, threshold = 2,
                    withheld_means = "nonzero", kinds = "exact")
  expect_identical(checked$kinds, a$kinds)
})

test_that("a protected release of counts has kinds, and its page shows them", {
  rel <- protect(line_of_counts(), counts = TRUE, threshold = 2, withheld_means = "nonzero",
                 kinds = "exact")
  a <- audit(rel)
  expect_identical(a$kinds$exposed, 0)
  expect_identical(a$kinds$protected, 2)
  expect_match(as.character(report(rel)), "id=\"kinds\"", fixed = TRUE)
})

test_that("other tables have no kinds", {
  a <- audit(sales_problem())
  expect_null(a$kinds)
  expect_identical(nrow(as.data.frame(a, confidential = TRUE, counts = TRUE)), 0L)
})

test_that("perturbation tables are made, checked and converted", {
  folder <- tempfile()
  dir.create(folder)
  file <- file.path(folder, "p.csv")
  made <- make_ptable(file, 5, 3, js = 2)
  expect_identical(made$faults, character())
  expect_equal(made$largest_noise, 5)
  expect_equal(check_ptable(file)$rows, made$rows)
  expect_lt(max(abs(made$rows$mean)), 1e-7)
  other <- file.path(folder, "p.yaml")
  expect_identical(convert_ptable(file, other, format = "cellkey"), character())
  expect_equal(check_ptable(other)$rows$variance, made$rows$variance, tolerance = 1e-9)
  expect_error(make_ptable(file.path(folder, "q.csv"), 5, 3, js = 3), "row")
  expect_false(file.exists(file.path(folder, "q.csv")))
  expect_error(make_ptable(file.path(folder, "q.csv"), 5, 3, jss = 3), "did you mean 'js'")
})
