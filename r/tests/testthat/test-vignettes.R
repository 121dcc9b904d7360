# SPDX-License-Identifier: Apache-2.0
# The vignettes run, and what they say of the numbers they show is true. The data are what the
# script draws, and the figures of the peers on the real tables are beaten.

# The text of a vignette with the output of its code; an error that it does not announce ends it.
knitted <- function(name) {
  skip_if_not_installed("knitr")
  path <- source_file("r", "vignettes", paste0(name, ".Rmd"))
  skip_if(!file.exists(path), "the vignettes are not in the source tree")
  folder <- tempfile()
  dir.create(folder)
  before <- knitr::opts_chunk$get()
  old <- c(options(width = 80L), list(dir = setwd(folder)))
  on.exit({
    setwd(old$dir)
    options(old[names(old) != "dir"])
    knitr::opts_chunk$restore(before)
  })
  knitr::opts_chunk$set(error = FALSE)
  out <- file.path(folder, "out.md")
  knitr::knit(path, out, quiet = TRUE, envir = new.env(parent = globalenv()))
  readLines(out, encoding = "UTF-8")
}

# The rows of a printed table that begin with a number and hold the words.
row_of <- function(lines, words) {
  row <- grep(paste0("^#> +[0-9]+ +", words, " +[0-9]"), lines, value = TRUE)
  expect_length(row, 1)
  as.numeric(grep("^[0-9.]+$", strsplit(sub(words, "", row, fixed = TRUE), " +")[[1]][-(1:2)],
                  value = TRUE))
}

test_that("the vignette for users of rtauargus runs", {
  lines <- knitted("from-rtauargus")
  expect_true(any(grepl("it is called 'dimVar' here", lines, fixed = TRUE)))
  theirs <- row_of(lines, "rtauargus MOD")
  ours <- row_of(lines, "lacuna")
  expect_gt(theirs[3], 0)
  expect_identical(ours[3], 0)
  expect_lte(ours[2], theirs[2])
  expect_lte(ours[2], row_of(lines, "rtauargus OPT")[2])
  expect_true(any(grepl("linked tables: activity_size", lines)))
  expect_true(any(grepl("A job of tau-ARGUS: 1 table", lines)))
})

test_that("the vignette for users of sdcTable runs", {
  lines <- knitted("from-sdctable")
  expect_true(any(grepl("^#> \\[1\\] TRUE", lines)))
  ours <- row_of(lines, "lacuna, not exactly")
  expect_identical(ours[3], 0)
  for (method in c("GAUSS", "HYPERCUBE", "SIMPLEHEURISTIC"))
    expect_lte(ours[2], row_of(lines, paste("sdcTable", method))[2])
  expect_identical(row_of(lines, "lacuna, 10%")[4], 0)
  expect_true(any(grepl("checked without a solver: protected", lines)))
})

test_that("the vignette for users of GaussSuppression runs", {
  lines <- knitted("from-gausssuppression")
  expect_identical(row_of(lines, "SuppressSmallCounts")[3], 0)
  expect_gt(row_of(lines, "SuppressSmallCounts no singletons")[3], 0)
  expect_identical(row_of(lines, "lacuna, 10%")[4], 0)
  theirs <- row_of(lines, "SuppressDominantCells")
  ours <- row_of(lines, "lacuna, firms, not exactly")
  expect_identical(c(theirs[3], ours[3]), c(0, 0))
  expect_lte(ours[2], theirs[2])
  expect_identical(row_of(lines, "lacuna, firms")[4], 0)
})

test_that("the data of the vignettes are what the script draws", {
  script <- source_file("r", "tools", "make_example_data.R")
  maker <- new.env()
  sys.source(script, maker)
  folder <- tempfile()
  kind <- RNGkind()
  maker$make_example_data(folder)
  RNGkind(kind[1], kind[2], kind[3])
  made <- list.files(folder)
  expect_gt(length(made), 8)
  for (name in made) {
    expect_identical(readLines(file.path(folder, name)),
                     readLines(system.file("extdata", name, package = "lacuna")), info = name)
  }
})

test_that("records of the peers name cells of the tables", {
  names <- paste0(c("rtauargus", "sdctable", "gausssuppression"), ".csv")
  files <- system.file("extdata", "peers", names, package = "lacuna")
  expect_length(files, 3)
  turnover <- read.csv(system.file("extdata", "turnover_activity_size.csv", package = "lacuna"))
  known <- paste(turnover$ACTIVITY, turnover$SIZE, sep = "|")
  secret <- known[turnover$is_secret_prim]
  for (file in files) {
    rows <- read.csv(file)
    expect_true(all(nzchar(rows$version)), info = basename(file))
    for (cells in strsplit(rows$cells[rows$table == "activity_size"], ";", fixed = TRUE)) {
      expect_true(all(cells %in% known), info = basename(file))
      expect_true(all(secret %in% cells), info = basename(file))
    }
  }
})

# ---- the tables of the tutorial of rtauargus

real_tables <- function() {
  folder <- source_file("tests", "data", "turnover")
  files <- c(activity_size = "turnover_act_size.csv", activity_legal = "turnover_act_cj.csv",
             region_size = "turnover_nuts_size.csv", region_legal = "turnover_nuts_cj.csv")
  tables <- lapply(files, function(name) read.csv(file.path(folder, name)))
  trees <- lapply(c(ACTIVITY = "activity_corr_table.csv", NUTS = "nuts23_fr_corr_table.csv"),
                  function(name) read.csv(file.path(folder, name), colClasses = "character"))
  list(tables = tables, trees = trees)
}

figures <- function(which) {
  rows <- read.csv(system.file("extdata", "peers", "real_turnover.csv", package = "lacuna"))
  rows[rows$example == which, ]
}

withheld_value <- function(release) {
  cells <- as.data.frame(release, confidential = TRUE)
  sum(abs(cells$TOT[cells$suppressed]))
}

test_that("one real table costs what was recorded, and no more than the peers with that promise", {
  real <- real_tables()
  problem <- sdc_problem(real$tables$activity_size, dimVar = c("ACTIVITY", "SIZE"), numVar = "TOT",
                         freqVar = "N_OBS", secret_var = "is_secret_prim", totcode = "Total",
                         hierarchies = real$trees["ACTIVITY"], attackers = outsider())
  recorded <- figures("real turnover activity by size")
  release <- protect(problem)
  expect_identical(release$status, "optimal")
  expect_equal(withheld_value(release), recorded$value[recorded$method == "lacuna 10% levels"],
               tolerance = 1e-9)
  minimal <- protect(problem, levels = "minimal")
  expect_identical(minimal$status, "optimal")
  peers <- recorded[recorded$package != "lacuna" & recorded$exact == 0, ]
  expect_gt(nrow(peers), 3)
  expect_true(all(withheld_value(minimal) <= peers$value + 1))
})

test_that("the four real tables are protected together at less than the peers withhold", {
  real <- real_tables()
  dims <- lapply(real$tables, function(table) names(table)[1:2])
  problem <- sdc_problem(real$tables, dimVar = dims, numVar = "TOT", freqVar = "N_OBS",
                         secret_var = "is_secret_prim", totcode = "Total",
                         hierarchies = real$trees, attackers = outsider())
  recorded <- figures("real turnover")
  expect_identical(problem$info$counts$cells, as.numeric(recorded$cells[1]))
  expect_identical(problem$info$counts$sensitive, as.numeric(recorded$sensitive[1]))
  release <- protect(problem, levels = "minimal", work = 2e7)
  expect_identical(release$verdict, "protected")
  peers <- recorded[recorded$package == "GaussSuppression", ]
  expect_true(all(withheld_value(release) < peers$value))
})
