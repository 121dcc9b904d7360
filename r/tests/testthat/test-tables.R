# SPDX-License-Identifier: Apache-2.0
# Contingency tables of base R as problems.

people <- data.frame(
  region = rep(c("N", "S", "W"), c(20, 14, 9)),
  kind = rep_len(c("a", "b", "b", "c", "a"), 43)
)

test_that("a table with margins is a problem", {
  counted <- addmargins(table(region = people$region, kind = people$kind))
  problem <- sdc_problem(counted)
  cells <- as.data.frame(problem)
  expect_equal(nrow(cells), length(counted))
  expect_equal(sum(cells$Freq), sum(counted))
  release <- protect(problem, counts = TRUE, threshold = 4)
  expect_equal(release$verdict, "protected")
  by_formula <- sdc_problem(addmargins(xtabs(~ region + kind, people)))
  expect_equal(as.data.frame(by_formula), cells)
})

test_that("what a table lacks is said", {
  expect_error(sdc_problem(table(region = people$region, kind = people$kind)), "addmargins",
               class = "lacuna_error")
  expect_error(sdc_problem(addmargins(table(people$region, people$kind))), "names of their own",
               class = "lacuna_error")
})
