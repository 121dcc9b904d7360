# SPDX-License-Identifier: Apache-2.0

cells <- data.frame(
  area = rep(c("Total", "A", "B", "C"), each = 3),
  sex = rep(c("Total", "m", "f"), 4),
  n = c(90, 47, 43, 46, 24, 22, 31, 17, 14, 13, 6, 7)
)

test_that("published rules are applied by their name", {
  problem <- sdc_problem(cells, dimVar = c("area", "sex"), freqVar = "n", policy = "cms-cell-size")
  expect_equal(problem$info$counts$sensitive, 2)
  expect_true(any(startsWith(notes(problem), "policy cms-cell-size: CMS Cell")))
  release <- protect(problem)
  expect_match(release$kept$run$policy, "^policy cms-cell-size: ")
})

test_that("records take them, too", {
  records <- data.frame(area = c("A", "A", "B", "B", "B", "B"), sex = "m")
  table <- sdc_table(records, dimVar = c("area", "sex"), policy = "ine-portugal")
  expect_gt(table$info$counts$sensitive, 0)
})

test_that("a policy that does not apply or is not there is an error", {
  expect_error(sdc_problem(cells, dimVar = c("area", "sex"), freqVar = "n",
                           policy = "statistics-finland-business"), "has no rule for counts")
  expect_error(sdc_problem(cells, dimVar = c("area", "sex"), freqVar = "n",
                           policy = "cms-cel-size"), "did you mean 'cms-cell-size'")
})
