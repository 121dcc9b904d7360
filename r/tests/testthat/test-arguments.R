# SPDX-License-Identifier: Apache-2.0

refused <- function(expression, words) {
  expect_error(expression, words, fixed = TRUE, class = "lacuna_option_error")
}

test_that("distances count swaps of neighbours as one", {
  expect_equal(lacuna:::edit_distance("value", "vlaue"), 1)
  expect_equal(lacuna:::edit_distance("", "abc"), 3)
  expect_equal(lacuna:::edit_distance("kitten", "sitting"), 3)
})

test_that("the nearest name is a plausible slip or none", {
  known <- c("dimVar", "numVar", "time_limit", "rules")
  expect_identical(lacuna:::nearest_name("dimvar", known), "dimVar")
  expect_identical(lacuna:::nearest_name("timelimit", known), "time_limit")
  expect_identical(lacuna:::nearest_name("ruels", known), "rules")
  expect_null(lacuna:::nearest_name("colour", known))
  expect_null(lacuna:::nearest_name("", known))
  expect_null(lacuna:::nearest_name("x", character()))
})

test_that("names of other packages are told the name here", {
  known <- c("data", "dimVar", "hierarchies", "cost_var", "rules", "sWeightVar", "secret_var")
  refused(lacuna:::unknown_argument("explanatory_vars", known, "sdc_problem"),
          "sdc_problem() has no argument 'explanatory_vars': it is called 'dimVar' here")
  refused(lacuna:::unknown_argument("hrc", known, "f"), "it is called 'hierarchies' here")
  refused(lacuna:::unknown_argument("weightInd", known, "f"), "it is called 'cost_var' here")
  refused(lacuna:::unknown_argument("sampWeightInd", known, "f"), "it is called 'sWeightVar' here")
  refused(lacuna:::unknown_argument("safety_rules", known, "f"), "it is called 'rules' here")
  refused(lacuna:::unknown_argument("maxN", known, "f"), "freq_rule(maxN + 1)")
  refused(lacuna:::unknown_argument("timeLimit", c("time_limit"), "protect"),
          "timeLimit of sdcTable is in minutes: time_limit is in seconds")
  refused(lacuna:::unknown_argument("zzz", known, "f"), "it has data, dimVar, hierarchies")
})

test_that("advice is about arguments that exist in no function here", {
  said <- c(names(lacuna:::called_here), names(lacuna:::advice))
  expect_false(anyDuplicated(said) > 0)
  expect_true(all(nzchar(lacuna:::advice)))
})

test_that("all that is left in dots is known and named", {
  known <- c("time_limit", "threads")
  expect_silent(lacuna:::check_dots(list(threads = 2), known, "protect"))
  expect_silent(lacuna:::check_dots(list(), known, "protect"))
  refused(lacuna:::check_dots(list(thread = 2), known, "protect"), "did you mean 'threads'?")
  refused(lacuna:::check_dots(list(2), known, "protect"), "without a name")
  refused(lacuna:::check_dots(list(threads = 1, threads = 2), known, "protect"), "is given twice")
})

test_that("methods of other packages are told the method here", {
  refused(lacuna:::refuse_peer_method("HITAS"), "effort = \"fast\"")
  refused(lacuna:::refuse_peer_method("MOD(1,5,1,0,0)"), "'MOD(1,5,1,0,0)' is a heuristic")
  refused(lacuna:::refuse_peer_method("OPT"), "is optimal")
  refused(lacuna:::refuse_peer_method("RND"), "\"round\"")
  refused(lacuna:::refuse_peer_method("CTA"), "\"adjust\"")
  expect_null(lacuna:::refuse_peer_method("suppress"))
  expect_null(lacuna:::refuse_peer_method(NULL))
})

test_that("conditions have a place, a sentence and a class", {
  condition <- tryCatch(lacuna:::stop_input("no such code", "row 3"), error = identity)
  expect_s3_class(condition, c("lacuna_input_error", "lacuna_error", "error"))
  expect_identical(conditionMessage(condition), "row 3: no such code")
  expect_identical(condition$where, "row 3")
  expect_identical(condition$what, "no such code")
  expect_null(conditionCall(condition))
})
