# SPDX-License-Identifier: Apache-2.0
# Releases as frames: ours, one per linked table, and those of other packages with their flags.

linked_sales <- function() {
  cells <- sales()[c("product", "region", "turnover", "secret")]
  sizes <- data.frame(product = rep(c("A1", "A2", "B", "A", "Total"), each = 3),
                      size = rep(c("small", "large", "All"), 5),
                      turnover = c(33, 60, 93, 40, 40, 80, 55, 60, 115, 73, 100, 173, 128, 160,
                                   288),
                      secret = FALSE)
  list(by_region = cells, "by size/class" = sizes)
}

linked_problem_of_sales <- function() {
  sdc_problem(linked_sales(), dimVar = list(by_region = c("product", "region"),
                                            "by size/class" = c("product", "size")),
              numVar = "turnover", secret_var = "secret",
              totcode = c(product = "Total", region = "All", size = "All"),
              hierarchies = list(product = products))
}

test_that("a frame of a release is a release", {
  problem <- sales_problem()
  release <- protect(problem)
  expect_identical(audit(problem, as.data.frame(release))$info$verdict, "protected")
})

test_that("linked tables are audited by a frame each", {
  problem <- linked_problem_of_sales()
  release <- protect(problem)
  frames <- tables_of(release)
  expect_identical(names(frames), names(linked_sales()))
  expect_identical(audit(problem, frames)$info$verdict, "protected")
  expect_identical(audit(problem, rev(frames))$info$verdict, "protected")
  alone <- lapply(linked_sales(), function(cells) {
    cells$turnover[cells$secret] <- NA
    cells[names(cells) != "secret"]
  })
  expect_identical(audit(problem, alone)$info$verdict, "exposed")
  expect_error(audit(problem, unname(frames)), class = "lacuna_input_error")
  expect_error(audit(problem, frames[1]), class = "lacuna_error")
})

test_that("flags of the packages of the field tell what is withheld", {
  problem <- sales_problem()
  office <- as.data.frame(protect(problem), confidential = TRUE)
  cells <- office[c("product", "region", "turnover")]
  hidden <- office$suppressed
  expect_gt(sum(hidden), 1)
  theirs <- list(
    GaussSuppression = data.frame(cells, primary = FALSE, suppressed = hidden),
    sdcTable = data.frame(cells, sdcStatus = ifelse(hidden, "x", "s")),
    rtauargus = data.frame(cells, Status = ifelse(hidden, "D", "V"))
  )
  for (package in names(theirs))
    expect_identical(audit(problem, theirs[[package]])$info$verdict, "protected", info = package)
})
