# SPDX-License-Identifier: Apache-2.0

refused <- function(expression, words, class = "lacuna_input_error") {
  expect_error(expression, words, fixed = TRUE, class = class)
}

rules_text <- function(rules, ...) {
  job <- lacuna:::new_job()
  lacuna:::add_rules(job, rules, ...)
  lacuna:::job_text(job)
}

test_that("rules are sections of a job", {
  expect_identical(
    rules_text(list(freq_rule(3, range = 12.5), nk_rule(1, 85), p_rule(10, coalition = 2),
                    pq_rule(10, 50), request_rule(5, 3), zeros_rule(20))),
    paste0(
      "[[rule]]\ntype = \"frequency\"\nn = 3\nrange = 12.5\n\n",
      "[[rule]]\ntype = \"dominance\"\nn = 1\nk = 85\n\n",
      "[[rule]]\ntype = \"p-percent\"\np = 10\ncoalition = 2\n\n",
      "[[rule]]\ntype = \"prior-posterior\"\np = 10\nq = 50\n\n",
      "[[rule]]\ntype = \"request\"\npercent = 5\nminimum = 3\n\n",
      "[[rule]]\ntype = \"zeros\"\nlevel = 20\n"
    )
  )
})

test_that("texts of tau-ARGUS are the same rules", {
  expect_identical(rules_text("NK(1,85)|P(10)|FREQ(3,10)"),
                   rules_text(list(nk_rule(1, 85), p_rule(10), freq_rule(3, range = 10))))
  expect_identical(rules_text("nk( 2 , 90 ) | freq(3, 10) |"),
                   rules_text(list(nk_rule(2, 90), freq_rule(3, range = 10))))
  expect_identical(rules_text("P(10,2)"), rules_text(p_rule(10, coalition = 2)))
  expect_identical(rules_text("P(10,1)"), rules_text(p_rule(10)))
  expect_identical(rules_text("P(10,50,1)"),
                   rules_text(pq_rule(10, 50), levels = list(formula = "argus")))
  expect_identical(rules_text("P(10,100,2)"), rules_text(pq_rule(10, 100, coalition = 2)))
  expect_identical(rules_text("PQ(10,50)"), rules_text(pq_rule(10, 50)))
  expect_identical(rules_text("REQ(10,10,3,5)"), rules_text(request_rule(10, 3, 5)))
  expect_identical(rules_text("REQ(10,0,5)"), rules_text(request_rule(10, range = 5)))
  expect_identical(rules_text("ZERO(20)|MIS(0)|WGT(0)"), rules_text(zeros_rule(20)))
  expect_identical(rules_text(c("NK(1,85)", "P(10)")), rules_text("NK(1,85)|P(10)"))
  expect_identical(rules_text("NK(1,85),P(10)"), rules_text("NK(1,85)|P(10)"))
})

test_that("levels of texts are levels of the job unless it has its own", {
  expect_match(rules_text("P(10)|MAN(15)"), "[levels]\nmanual_range = 15\n", fixed = TRUE)
  expect_match(rules_text("P(10)|MAN(15)", levels = list(manual_range = 20)),
               "[levels]\nmanual_range = 20\n", fixed = TRUE)
  expect_no_match(rules_text("P(10)|MAN(15)", levels = list(manual_range = 20)), "15")
})

test_that("places of tau-ARGUS that are not filled say nothing", {
  expect_identical(rules_text("NK(0,0)|NK(0,0)|NK(1,85)"), rules_text(nk_rule(1, 85)))
  expect_identical(rules_text("P(10)|FREQ(0,0)|FREQ(4,10)"),
                   rules_text(list(p_rule(10), freq_rule(4, range = 10))))
  refused(rules_text("NK(1,85)|NK(2,90)|NK(1,80)"), "give a rule once", "lacuna_unsupported")
  refused(rules_text("FREQ(3,10)|FREQ(4,10)"), "give a rule once", "lacuna_unsupported")
  refused(rules_text(strrep("NK(1,85)|", 5)), "at most 4 rules 'NK'")
})

test_that("what a job cannot say is refused with what to do", {
  refused(rules_text("MIS(1)"), "say which cells must be published", "lacuna_unsupported")
  refused(rules_text("WGT(1)"), "sWeightVar", "lacuna_unsupported")
  refused(rules_text("REQ(10,20,5)"), "request_rule(10)", "lacuna_unsupported")
})

test_that("texts that are no rules are refused", {
  refused(as_rules("KN(1,85)"), "not 'KN'; did you mean 'NK'?")
  refused(as_rules("NK(1)"), "expected NK(n,k), not 1 argument")
  refused(as_rules("NK(1,x)"), "'x' is not a number")
  refused(as_rules("NK(1,85) P(10)"), "expected '|' before 'P(10)'")
  refused(as_rules("hello"), "expected rules such as")
  refused(as_rules(""), "names no rule")
  refused(as_rules(NA_character_), "NA is not a rule")
  refused(as_rules("P(10,0,1)"), "q must be a number above 0")
  refused(as_rules(3), "a numeric is not a rule: make one with freq_rule()")
})

test_that("maxN is the largest count that is sensitive", {
  expect_identical(rules_text(as_rules(NULL, maxN = 3)), rules_text(freq_rule(4)))
  expect_identical(rules_text(as_rules("P(10)", maxN = 3)),
                   rules_text(list(p_rule(10), freq_rule(4))))
  expect_identical(rules_text(list(maxN = 3, k = c(80, 90))),
                   rules_text(list(freq_rule(4), nk_rule(1, 80), nk_rule(2, 90))))
  expect_identical(rules_text(list(pq = c(10, 50))), rules_text(pq_rule(10, 50)))
  expect_identical(rules_text(list(pPercent = 10)), rules_text(p_rule(10)))
  refused(as_rules(list(maxN = 3, pPercnt = 5)), "did you mean 'pPercent'?", "lacuna_option_error")
  refused(as_rules(list(n = 1:2, k = 5)), "n and k must be given together")
})

test_that("values of rules are checked where they are given", {
  refused(freq_rule("three"), "n: give one whole number")
  refused(freq_rule(2.5), "n: give one whole number")
  refused(freq_rule(3, counts = "record"), "did you mean 'records'?", "lacuna_option_error")
  refused(nk_rule(1, NA_real_), "k: give one number")
  refused(p_rule(c(1, 2)), "p: give one number")
})

test_that("attackers are sections of a job", {
  expect_identical(rules_text(NULL, attackers = outsider()), "[attackers]\nrespondents = false\n")
  expect_identical(rules_text(NULL, attackers = respondents(coalition = 2, waivers = FALSE)),
                   "[attackers]\ncoalition = 2\nwaivers = false\n")
  expect_identical(rules_text(NULL, attackers = respondents()), "")
  refused(rules_text(NULL, attackers = "everyone"), "give respondents(), outsider()")
  refused(respondents(reach = "tables"), "did you mean 'table'?", "lacuna_option_error")
})

test_that("cells of attackers go by the names of the dimensions", {
  job <- lacuna:::new_job()
  job$dims <- c("region", "size")
  known <- data.frame(size = c("s", "l"), region = c("A", NA), lower = c(NA, 10.5),
                      upper = c(NA, 30))
  levels <- data.frame(size = "l", region = "A", lower = 4, upper = 4, sliding = 0)
  lacuna:::add_rules(job, NULL, NULL, attacker("firm 17", known, levels))
  expect_identical(lacuna:::job_text(job), paste(c(
    "[[attacker]]", "name = \"firm 17\"", "known = [", "  { cell = [\"A\", \"s\"] },",
    "  { cell = [\"\", \"l\"], lower = 10.5, upper = 30 },", "]", "levels = [",
    "  { cell = [\"A\", \"l\"], lower = 4, upper = 4, sliding = 0 },", "]", ""
  ), collapse = "\n"))
  refused(lacuna:::add_rules(job, NULL, NULL, attacker("x", data.frame(region = "A"))),
          "attackers: x: a cell has 2 codes, of region and size, not 1")
  refused(attacker("x", 3), "attackers: x: cells must be a data frame")
})

test_that("rules and attackers show what they are", {
  expect_output(print(freq_rule(3)), "<rule: fewer than 3 contributors>", fixed = TRUE)
  expect_output(print(nk_rule(2, 90)), "the 2 largest contributors have more than 90%")
  expect_output(print(as_rules("P(10)|ZERO(5)")), "known to within 10%\n  all contributors")
  expect_output(print(as_rules(NULL)), "<no rule>", fixed = TRUE)
  expect_output(print(respondents(coalition = 2)), "contributors, coalition = 2", fixed = TRUE)
  expect_output(print(outsider()), "readers")
  shown <- capture.output(print(attacker("x", data.frame(a = "A", lower = 4711))))
  expect_identical(shown, "<attacker x: knows 1 cell>")
})
