# SPDX-License-Identifier: Apache-2.0
# ARD as cards and gtsummary make them, by hand: neither package is needed.

ard_of <- function(data, group, variables, overall = TRUE, shown = NULL) {
  rows <- list()
  add <- function(g, variable, level, name, stat) {
    row <- data.frame(group1 = if (is.na(g)) NA_character_ else group, variable = variable,
                      context = "tabulate", stat_name = name, stat_label = name,
                      stringsAsFactors = FALSE)
    row$group1_level <- list(if (is.na(g)) NULL else g)
    row$variable_level <- list(level)
    row$stat <- list(stat)
    rows[[length(rows) + 1L]] <<- row
  }
  parts <- c(split(data, data[[group]]), if (overall) list(data))
  names(parts)[names(parts) == ""] <- NA
  for (k in seq_along(parts)) {
    g <- names(parts)[k]
    for (variable in variables) {
      levels <- shown[[variable]]
      if (is.null(levels)) levels <- sort(unique(data[[variable]]))
      for (level in levels) {
        n <- sum(parts[[k]][[variable]] == level)
        add(g, variable, level, "n", n)
        add(g, variable, level, "N", nrow(parts[[k]]))
        add(g, variable, level, "p", n / nrow(parts[[k]]))
      }
    }
    add(g, "age", NULL, "mean", mean(parts[[k]]$age))
  }
  do.call(rbind, rows)
}

people <- function(seed, size = 150L) {
  set.seed(seed)
  data.frame(arm = sample(c("A", "B", "C"), size, TRUE, c(0.5, 0.4, 0.1)),
             sex = sample(c("f", "m"), size, TRUE),
             ill = sample(c("no", "yes"), size, TRUE, c(0.92, 0.08)),
             stage = sample(c("I", "II", "III"), size, TRUE, c(0.6, 0.35, 0.05)),
             age = round(stats::runif(size, 20, 80)), stringsAsFactors = FALSE)
}

number <- function(x) vapply(x, function(each) as.numeric(each[[1L]]), 0)

test_that("n, N and p are withheld together, and nothing can be computed", {
  for (seed in 1:6) {
    ard <- ard_of(people(seed), "arm", c("sex", "stage"))
    problem <- from_ard(ard)
    release <- protect(problem, counts = TRUE, threshold = 5, withheld_means = "any")
    expect_equal(release$verdict, "protected")
    made <- as_ard(release, ard)
    expect_equal(names(made), names(ard))
    expect_equal(made[names(made) != "stat"], ard[names(ard) != "stat"])
    hidden <- is.na(number(made$stat))
    expect_true(any(hidden))
    expect_equal(number(made$stat)[!hidden], number(ard$stat)[!hidden])
    small <- ard$stat_name == "n" & number(ard$stat) > 0 & number(ard$stat) < 5
    expect_true(all(hidden[small]))
    # A share goes with its count and with its total.
    key <- paste(vapply(ard$group1_level, function(x) paste(x, collapse = ""), ""), ard$variable,
                 vapply(ard$variable_level, function(x) paste(x, collapse = ""), ""))
    gone <- split(hidden, key)
    names_of <- split(ard$stat_name, key)
    for (k in names(gone)) {
      if ("p" %in% names_of[[k]]) {
        expect_equal(gone[[k]][names_of[[k]] == "p"],
                     any(gone[[k]][names_of[[k]] %in% c("n", "N")]))
      }
    }
    # What the ARD shows, as cells of the problem, passes an audit of its own.
    expect_equal(audit(problem, release, counts = TRUE, threshold = 5)$verdict, "protected")
  }
})

test_that("the level that is not shown counts, too", {
  data <- people(3)
  data$ill[data$arm == "A"] <- c(rep("yes", sum(data$arm == "A") - 2L), "no", "no")
  ard <- ard_of(data, "arm", "ill", shown = list(ill = "yes"))
  release <- protect(from_ard(ard), counts = TRUE, threshold = 5)
  made <- as_ard(release, ard)
  of_a <- vapply(ard$group1_level, function(x) identical(x, "A"), NA)
  n <- number(made$stat)[of_a & ard$stat_name == "n"]
  total <- number(made$stat)[of_a & ard$stat_name == "N"]
  expect_true(is.na(n) || is.na(total)) # else two persons who are not ill
})

test_that("without groups, and without rows for all", {
  data <- people(5)
  alone <- ard_of(data, "arm", "stage")
  alone <- alone[is.na(alone$group1) & alone$variable == "stage", ]
  made <- as_ard(protect(from_ard(alone), counts = TRUE, threshold = 30), alone)
  expect_true(any(is.na(number(made$stat))))
  parts <- ard_of(data, "arm", c("sex", "ill"), overall = FALSE)
  release <- protect(from_ard(parts), counts = TRUE, threshold = 5)
  expect_equal(release$verdict, "protected")
  expect_equal(nrow(as_ard(release, parts)), nrow(parts))
})

test_that("formatted texts are blanked with their numbers, and plain columns work", {
  ard <- ard_of(people(1), "arm", "stage")
  ard$stat_fmt <- lapply(ard$stat, format)
  ard$group1_level <- vapply(ard$group1_level, function(x) if (is.null(x)) NA_character_ else x, "")
  made <- as_ard(protect(from_ard(ard), counts = TRUE, threshold = 5), ard)
  expect_equal(is.na(unlist(made$stat_fmt)), is.na(number(made$stat)))
})

test_that("what is not understood is refused", {
  ard <- ard_of(people(1), "arm", "stage")
  expect_error(from_ard(1), "not a data frame")
  expect_error(from_ard(ard[names(ard) != "stat"]), "has a column 'stat'")
  expect_error(from_ard(ard[ard$stat_name == "mean", ]), "no counts of categories")
  expect_error(from_ard(ard[ard$stat_name != "N", ]), "no N")
  wrong <- ard
  wrong$stat_name[1] <- "n_cum"
  expect_error(from_ard(wrong), "must be n, N or p")
  wrong <- ard
  wrong$stat[[1]] <- 10000L
  expect_error(from_ard(wrong), "more than N|not one whole number")
  expect_error(as_ard(1, ard), "not a release")
  rounded <- protect(from_ard(ard), "round", base = 5, counts = TRUE, threshold = 5)
  expect_error(as_ard(rounded, ard), "suppress")
  expect_error(as_ard(protect(from_ard(ard), counts = TRUE, threshold = 5),
                      ard_of(people(1), "arm", c("stage", "sex"))), "other variables")
})

test_that("tables with totals, tibbles and cross tables are tables", {
  data <- people(2)
  for (table in list(addmargins(table(arm = data$arm, stage = data$stage)),
                     addmargins(xtabs(~ arm + stage, data)))) {
    release <- protect(sdc_problem(table), counts = TRUE, threshold = 5)
    expect_equal(release$verdict, "protected")
  }
  long <- as.data.frame(addmargins(table(arm = data$arm, stage = data$stage)))
  tibble <- structure(long, class = c("tbl_df", "tbl", "data.frame"))
  problem <- sdc_problem(tibble, dimVar = c("arm", "stage"), numVar = "Freq", totcode = "Sum")
  expect_equal(protect(problem, counts = TRUE, threshold = 5)$verdict, "protected")
})
