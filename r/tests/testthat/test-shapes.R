# SPDX-License-Identifier: Apache-2.0
# How a table lies in its file, and records that are not in order: arguments of R's own. What the
# core makes of them is tested with the command line.

file_of <- function(lines, name) {
  path <- file.path(withr_free_folder(), name)
  writeLines(lines, path)
  path
}

withr_free_folder <- function() {
  folder <- tempfile("shapes")
  dir.create(folder)
  folder
}

wide <- c("Turnover by region", "region,food,wood,all", "All,30,12,42", "North,10,7,17",
          "South,20,5,25", "", "Source: a survey")

test_that("a wide table with a title is read, and named by arguments", {
  path <- file_of(wide, "wide.csv")
  problem <- sdc_problem(path, wide = "product", skip = 1,
                         total = c(product = "all", region = "All"))
  frame <- as.data.frame(problem)
  expect_equal(nrow(frame), 9L)
  expect_setequal(names(dimensions(problem)), c("region", "product"))
  again <- unserialize(serialize(problem, NULL))
  expect_equal(as.data.frame(again), frame)
})

test_that("what a table does not have is refused with the name of the argument", {
  path <- file_of(wide, "wide.csv")
  expect_error(sdc_problem(path, only = "North"), "only", class = "lacuna_option_error")
  expect_error(sdc_problem(path, rows = "x"), "rows", class = "lacuna_error")
  frame <- data.frame(a = c("T", "x", "y"), v = c(3, 1, 2))
  expect_error(sdc_problem(frame, "a", "v", total = c(a = "T")), "totcode",
               class = "lacuna_option_error")
})

records <- data.frame(region = c("N", "N", "S", "S", "X"), firm = c("a", "", "b", "b", "c"),
                      turnover = c(5, 7, 4, 4, 1))

test_that("records without a contributor, twice and with unknown codes follow rules", {
  regions <- hier_unknown(list(Total = c("N", "S")), "drop")
  expect_error(
    sdc_table(records, "region", "turnover", "firm", hierarchies = list(region = regions)),
    class = "lacuna_error"
  )
  made <- sdc_table(records, "region", "turnover", "firm", hierarchies = list(region = regions),
                    missingContributor = "drop", uniqueVar = c("region", "firm"),
                    duplicates = "drop")
  values <- as.data.frame(made)
  expect_equal(values$turnover[match(c("Total", "N", "S"), values$region)], c(9, 5, 4))
})
