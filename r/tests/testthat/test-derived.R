# SPDX-License-Identifier: Apache-2.0

firms <- data.frame(
  branch = c("all", "food", "steel", "wood", "toys"),
  turnover = c(1000, 300, 420, 180, 100),
  wages = c(310, 90, 135, 55, 30),
  firms = c(30, 10, 12, 6, 2)
)

test_that("derived columns, other variables and known ratios are arguments", {
  problem <- sdc_problem(firms, dimVar = "branch", numVar = "turnover", freqVar = "firms",
                         totcode = "all", rules = freq_rule(3, range = 10),
                         derived = list(name = "mean", type = "mean", decimals = 2),
                         shadows = list(name = "wages"),
                         known_ratios = list(list(above = "wages", below = "value",
                                                  least = "0.2", most = "0.4")))
  release <- protect(problem)
  file <- tempfile(fileext = ".csv")
  on.exit(unlink(file))
  write_release(release, file)
  published <- strsplit(readLines(file, n = 1L), ";", fixed = TRUE)[[1]]
  expect_true(all(c("mean", "wages") %in% published))
})

test_that("what is no list is an error", {
  expect_error(sdc_problem(firms, dimVar = "branch", numVar = "turnover", totcode = "all",
                           derived = "mean"), "a list with the keys of a job")
})
