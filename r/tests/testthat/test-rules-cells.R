# SPDX-License-Identifier: Apache-2.0
# Texts and functions of rules find the cells that the formulas of docs/sensitivity.md say, worked
# out here from the records; the same rules over a ready table with the largest contributions find
# the same cells.

firms <- local({
  set.seed(42)
  count <- 90
  frame <- data.frame(firm = sprintf("f%d", seq_len(count)),
                      a = sample(c("x", "y", "z"), count, TRUE),
                      b = sample(c("1", "2", "3", "4"), count, TRUE),
                      value = floor(10 * runif(count)^(-1 / 0.6)))
  frame <- frame[!(frame$a == "z" & frame$b == "4"), ]
  zeros <- data.frame(firm = c("q1", "q2", "q3", "q4"), a = "z", b = "4", value = 0)
  frame <- rbind(frame, zeros)
  frame$asked <- ifelse(frame$firm %in% sprintf("f%d", seq(1, 90, 7)), "yes", "no")
  frame
})

# Contributions to every cell, the largest first, with whether they asked.
contributions <- local({
  cells <- expand.grid(a = c("Total", "x", "y", "z"), b = c("Total", 1:4), stringsAsFactors = FALSE)
  Map(function(a, b) {
    inside <- firms[(a == "Total" | firms$a == a) & (b == "Total" | firms$b == b), ]
    inside[order(-inside$value), ]
  }, cells$a, cells$b) |> stats::setNames(paste(cells$a, cells$b))
})

top <- function(x, n) sum(utils::head(x, n))
says <- list(
  frequency = function(n) function(cell) nrow(cell) > 0 && nrow(cell) < n,
  dominance = function(n, k) function(cell) 100 * top(cell$value, n) > k * sum(cell$value),
  # q * (what the attackers do not have) < p * (the largest)
  posterior = function(p, q, r = 1) function(cell) {
    sum(cell$value) > 0 && q * (sum(cell$value) - top(cell$value, r + 1)) < p * cell$value[1]
  },
  zeros = function() function(cell) nrow(cell) > 0 && sum(cell$value) == 0,
  request = function(percent, minimum) function(cell) {
    any(cell$asked == "yes" & 100 * cell$value > percent * sum(cell$value)) ||
      (any(cell$asked == "yes") && nrow(cell) < minimum)
  }
)
any_of <- function(...) function(cell) any(vapply(list(...), function(rule) rule(cell), NA))

cases <- list(
  list("FREQ(6,10)", freq_rule(6, range = 10), says$frequency(6)),
  list("NK(1,50)", nk_rule(1, 50), says$dominance(1, 50)),
  list("NK(2,80)", nk_rule(2, 80), says$dominance(2, 80)),
  list("NK(1,50)|NK(2,75)", list(nk_rule(1, 50), nk_rule(2, 75)),
       any_of(says$dominance(1, 50), says$dominance(2, 75))),
  list("P(30)", p_rule(30), says$posterior(30, 100)),
  list("P(40,2)", p_rule(40, coalition = 2), says$posterior(40, 100, 2)),
  list("P(20,50,1)", pq_rule(20, 50), says$posterior(20, 50)),
  list("PQ(20,50)", pq_rule(20, 50), says$posterior(20, 50)),
  list("ZERO(20)", zeros_rule(20), says$zeros()),
  list("NK(1,60)|P(15)|FREQ(5,10)|ZERO(7)|MIS(0)|WGT(0)",
       list(nk_rule(1, 60), p_rule(15), freq_rule(5, range = 10), zeros_rule(7)),
       any_of(says$dominance(1, 60), says$posterior(15, 100), says$frequency(5), says$zeros()))
)

tabulated <- function(rules, ...) {
  sdc_table(firms, dimVar = c("a", "b"), numVar = "value", contributorVar = "firm", rules = rules,
            ...)
}

sensitive <- function(problem) {
  cells <- as.data.frame(problem)
  sort(paste(cells$a, cells$b)[cells$primary])
}

for (case in cases) {
  test_that(paste("the sensitive cells are those of the formula:", case[[1]]), {
    expected <- sort(names(contributions)[vapply(contributions, case[[3]], NA)])
    expect_true(length(expected) > 0 && length(expected) < length(contributions))
    expect_identical(sensitive(tabulated(case[[1]])), expected)
    expect_identical(sensitive(tabulated(case[[2]])), expected)
  })
}

test_that("maxN counts up to and with its number", {
  expected <- sort(names(contributions)[vapply(contributions, function(cell) nrow(cell) <= 5, NA)])
  expect_identical(sensitive(tabulated(NULL, maxN = 5)), expected)
  expect_identical(sensitive(tabulated(list(maxN = 5))), expected)
})

test_that("requests are those of the codes", {
  asked <- function(rules) {
    # Of those who are not among the largest nobody knows whether they asked.
    sensitive(tabulated(rules, requestVar = "asked", requestCodes = "yes", largest = 100))
  }
  expected <- sort(names(contributions)[vapply(contributions, says$request(10, 7), NA)])
  expect_true(length(expected) > 0 && length(expected) < length(contributions))
  expect_identical(asked("REQ(10,10,7,5)"), expected)
  expect_identical(asked(request_rule(10, minimum = 7, range = 5)), expected)
})

test_that("a ready table with enough contributions has the same sensitive cells", {
  ready <- do.call(rbind, lapply(names(contributions), function(name) {
    cell <- contributions[[name]]
    codes <- strsplit(name, " ")[[1]]
    largest <- c(cell$value, 0, 0, 0)[1:3]
    data.frame(a = codes[1], b = codes[2], value = sum(cell$value), n = nrow(cell),
               top1 = largest[1], top2 = largest[2], top3 = largest[3])
  }))
  for (rules in list("P(30)", "NK(2,80)", "FREQ(6,10)|P(15)")) {
    problem <- sdc_problem(ready, dimVar = c("a", "b"), numVar = "value", freqVar = "n",
                           largest = c("top1", "top2", "top3"), rules = rules)
    expect_identical(sensitive(problem), sensitive(tabulated(rules)))
  }
})

test_that("ranges of texts are levels", {
  cells <- as.data.frame(tabulated("FREQ(6,25)"))
  cells <- cells[cells$primary & cells$value > 0, ]
  expect_equal(cells$upper_level, ceiling(0.25 * cells$value))
})

test_that("levels of (p,q) texts are those of tau-ARGUS", {
  theirs <- as.data.frame(tabulated("P(20,50,1)"))
  ours <- as.data.frame(tabulated(pq_rule(20, 50), levels = list(formula = "argus")))
  expect_identical(theirs, ours)
  thesis <- as.data.frame(tabulated(pq_rule(20, 50)))
  expect_true(all(theirs$upper_level[theirs$primary] >= thesis$upper_level[theirs$primary]))
})

test_that("a text of MAN alone is the level of what is sensitive by hand", {
  made <- function(...) {
    sdc_problem(sales(), dimList = list(product = products, region = "All"), numVar = "turnover",
                status = "status", ...)
  }
  level <- function(problem) {
    cells <- as.data.frame(problem)
    cells$upper_level[cells$primary]
  }
  expect_equal(level(made(rules = "MAN(50)")), 9)
  expect_equal(level(made(ip = 50)), 9)
  expect_equal(level(made(rules = "MAN(50)", ip = 100)), 18)
})
