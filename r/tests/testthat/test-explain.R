# SPDX-License-Identifier: Apache-2.0
# Why cells are withheld, and several files of one release.

secondary_of <- function(release) {
  cells <- as.data.frame(release, confidential = TRUE)
  row <- cells[cells$suppressed & !cells$primary, ][1L, ]
  c(product = as.character(row$product), region = as.character(row$region))
}

test_that("a secondary keeps a sensitive cell safe", {
  release <- protect(sales_problem())
  cell <- secondary_of(release)
  told <- explain(release, cell)
  expect_s3_class(told, "sdc_explanation")
  expect_identical(told$cells[[1]]$role, "secondary")
  expect_identical(told$cells[[1]]$if_published$keeps_safe[[1]]$codes$product, "A1")
  expect_match(told$text, "for the sake of others")
  expect_output(print(told), "An explanation of 1 cell, for the office")
})

test_that("cells are named in every form", {
  release <- protect(sales_problem())
  cell <- secondary_of(release)
  text <- paste(names(cell), cell, sep = "=", collapse = ",")
  index <- explain(release, text, no_exchange = TRUE)$cells[[1]]$cell
  several <- explain(release, list(cell, text, index), no_exchange = TRUE)$cells
  expect_identical(vapply(several, function(each) each$cell, 1), rep(as.numeric(index), 3L))
  expect_error(explain(release, c(product = "Z")), "has no code", class = "lacuna_option_error")
  expect_error(explain(release, TRUE), "by its codes", class = "lacuna_input_error")
})

test_that("several files are written or none", {
  release <- protect(sales_problem())
  files <- c(tempfile(fileext = ".csv"), tempfile(fileext = ".json"))
  write_release(release, files)
  expect_true(all(file.exists(files)))
  bad <- c(tempfile(fileext = ".csv"), file.path(tempfile(), "nowhere.json"))
  expect_error(write_release(release, bad))
  expect_false(any(file.exists(bad)))
})
