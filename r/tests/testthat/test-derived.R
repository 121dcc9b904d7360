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

test_that("derived columns stand in the data frame, and the release can be made again", {
  causes <- data.frame(cause = c("all", "A", "B", "C", "D"), n = c(4000, 3, 1900, 2057, 40))
  problem <- sdc_problem(causes, dimVar = "cause", freqVar = "n", totcode = "all",
                         rules = freq_rule(5),
                         derived = list(name = "pct", type = "percentage", decimals = 0,
                                        published = "cheapest"))
  release <- protect(problem)
  frame <- as.data.frame(release)
  expect_equal(frame$pct[match(c("A", "B", "C", "D"), frame$cause)], c(0, 48, 51, 1))
  again <- unserialize(serialize(release, NULL))
  expect_equal(as.data.frame(again)$pct, frame$pct)
})

test_that("periods stand side by side", {
  folder <- tempfile("periods")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  writeLines(c("branch;n;status", "all;400;", "a;100;", "b;130;u", "c;170;"),
             file.path(folder, "then.csv"))
  writeLines(c("branch;value;state", "all;400;published", "a;100;published", "b;;withheld",
               "c;;withheld"), file.path(folder, "then_pub.csv"))
  writeLines(c("branch;n;status", "all;420;", "a;110;", "b;150;u", "c;160;"),
             file.path(folder, "now.csv"))
  job <- file.path(folder, "now.toml")
  writeLines(c("[input]", "table = \"now.csv\"", "[columns]", "value = \"n\"",
               "status = \"status\"", "[[dimension]]", "name = \"branch\"", "total = \"all\"",
               "[[before]]", "name = \"then\"", "input = \"then.csv\"",
               "release = \"then_pub.csv\"", "differences = \"none\""), job)
  release <- protect(job)
  frame <- periods_of(release)
  expect_equal(names(frame), c("branch", "then", "this period"))
  expect_equal(frame$then[match(c("all", "a", "b"), frame$branch)], c(400, 100, NA))
  expect_true(is.na(frame[["this period"]][match("b", frame$branch)]))
})

test_that("what is no list is an error", {
  expect_error(sdc_problem(firms, dimVar = "branch", numVar = "turnover", totcode = "all",
                           derived = "mean"), "a list with the keys of a job")
})
