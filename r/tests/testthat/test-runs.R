# SPDX-License-Identifier: Apache-2.0
# Runs: methods, audits, certificates, progress, interrupts, files.

test_that("a release is published and nothing else", {
  release <- protect(sales_problem())
  shown <- as.data.frame(release)
  expect_s3_class(shown, "data.frame")
  expect_identical(names(shown), c("product", "region", "turnover", "state", "suppressed"))
  expect_identical(is.na(shown$turnover), shown$suppressed)
  hidden <- shown[shown$product == "A1" & shown$region == "West", ]
  expect_true(hidden$suppressed)
  truth <- as.data.frame(release, confidential = TRUE)
  expect_identical(sum(truth$primary), 1L)
  expect_identical(truth$suppressed, shown$suppressed)
  expect_false(anyNA(truth$turnover))
})

test_that("status codes are those of other packages, and for the office", {
  release <- protect(sales_problem())
  expect_error(as.data.frame(release, status_codes = "argus"), "confidential = TRUE",
               class = "lacuna_option_error")
  argus <- as.data.frame(release, confidential = TRUE, status_codes = "argus")
  expect_setequal(argus$status_code, c("B", "D", "V"))
  theirs <- as.data.frame(release, confidential = TRUE, status_codes = "sdcTable")
  expect_setequal(theirs$status_code, c("u", "x", "s"))
  expect_identical(theirs$status_code == "u", theirs$primary)
})

test_that("every method makes a release that its own audit and certificate confirm", {
  problem <- sales_problem()
  methods <- list(suppress = list(), interval = list(), combined = list(), round = list(base = 10),
                  perturb = list(range = 30), adjust = list(), mixed = list(base = 10))
  for (method in names(methods)) {
    release <- do.call(protect, c(list(problem, method = method), methods[[method]]))
    expect_identical(release$verdict, "protected")
    expect_identical(audit(problem, release)$info$verdict, "protected")
    expect_identical(verify(problem, certificate(release), release)$verdict, "protected")
    file <- tempfile(fileext = ".csv")
    write_release(release, file)
    expect_identical(audit(problem, file)$info$verdict, "protected")
  }
})

test_that("the audit says no to what can be subtracted, in every form of a release", {
  problem <- sales_problem()
  theirs <- sales()[c("product", "region", "turnover")]
  theirs$turnover[theirs$product == "A1" & theirs$region == "West"] <- NA
  expect_identical(audit(problem, theirs)$info$verdict, "exposed")
  expect_identical(audit(problem)$info$verdict, "exposed")
  shown <- as.data.frame(audit(problem, theirs))
  expect_identical(shown$verdict, "exposed")
  expect_false(any(c("value", "lower", "upper") %in% names(shown)))
  all <- as.data.frame(audit(problem, theirs), confidential = TRUE)
  expect_identical(c(all$lower, all$upper), c(18, 18))
  release <- protect(problem)
  expect_identical(audit(problem, as.data.frame(release)[1:3])$info$verdict, "protected")
})

test_that("a certificate of another release is refused", {
  problem <- sales_problem()
  proof <- certificate(protect(problem))
  other <- protect(problem, method = "round", base = 10)
  expect_error(verify(problem, proof, other), class = "lacuna_error")
  expect_error(verify(records_table(), proof), class = "lacuna_error")
})

test_that("linked tables are a named list", {
  by_size <- data.frame(
    activity = rep(c("A", "B", "Total"), each = 3), size = rep(c("small", "large", "Total"), 3),
    turnover = c(10, 20, 30, 25, 15, 40, 35, 35, 70), secret = FALSE
  )
  by_form <- data.frame(
    activity = rep(c("A", "B", "Total"), each = 3), form = rep(c("inc", "coop", "Total"), 3),
    turnover = c(18, 12, 30, 22, 18, 40, 40, 30, 70), secret = FALSE
  )
  by_form$secret[1] <- TRUE
  one <- sdc_problem(by_size, dimVar = c("activity", "size"), totcode = "Total",
                     numVar = "turnover", secret_var = "secret", ip = 10)
  two <- sdc_problem(by_form, dimVar = c("activity", "form"), totcode = "Total",
                     numVar = "turnover", secret_var = "secret", ip = 10)
  release <- protect(list(act_size = one, act_form = two), linked = TRUE)
  expect_identical(names(tables_of(release)), c("act_size", "act_form"))
  shown <- tables_of(release)$act_form
  expect_identical(names(shown)[1:2], c("activity", "form"))
  expect_true(shown$suppressed[shown$activity == "A" & shown$form == "inc"])
  together <- sdc_problem(list(act_size = by_size, act_form = by_form),
                          dimVar = list(act_size = c("activity", "size"),
                                        act_form = c("activity", "form")),
                          totcode = "Total", numVar = "turnover", secret_var = "secret", ip = 10)
  expect_identical(as.data.frame(protect(together)), as.data.frame(release))
  expect_error(protect(list(one, two)), "own name", class = "lacuna_input_error")
  expect_error(protect(list(a = one, b = two), linked = FALSE), "lapply",
               class = "lacuna_option_error")
})

test_that("what readers have already counts", {
  problem <- sales_problem()
  earlier <- protect(problem)
  later <- protect(problem, released = earlier)
  expect_identical(later$verdict, "protected")
  kept <- protect(problem, prefer = earlier)
  expect_identical(as.data.frame(kept), as.data.frame(earlier))
})

# Long enough to hear of, to stop and to interrupt.
hard_problem <- function() {
  sdc_generate(kind = "hierarchical", depths = c(4, 4), sensitive_percent = 5, seed = 2)
}

test_that("progress is told on the way, and an error of the listener ends the run", {
  problem <- hard_problem()
  heard <- list()
  release <- protect(problem, effort = "best", timeLimit = 1, accept_all_withheld = TRUE,
                     progress = function(news) heard[[length(heard) + 1L]] <<- news)
  expect_identical(release$verdict, "protected")
  expect_gt(length(heard), 0L)
  expect_setequal(names(heard[[1L]]),
                  c("phase", "share", "seconds", "seconds_left", "incumbent", "bound", "gap"))
  expect_error(protect(problem, effort = "best", progress = function(news) stop("enough")),
               "enough", class = "lacuna_option_error")
  expect_error(protect(problem, progress = "yes"), class = "lacuna_option_error")
})

# What Ctrl-C does, as soon as there is something to return.
interrupting <- function(news) {
  if (!is.na(news$incumbent)) {
    tools::pskill(Sys.getpid(), tools::SIGINT)
  }
}

test_that("an interrupt returns with the best safe release, or an error that has it", {
  problem <- hard_problem()
  release <- protect(problem, effort = "best", on_interrupt = "return", progress = interrupting)
  expect_identical(release$status, "cancelled")
  expect_identical(audit(problem, release)$info$verdict, "protected")
  caught <- tryCatch(protect(problem, effort = "best", progress = interrupting),
                     lacuna_interrupted = identity)
  expect_s3_class(caught, "lacuna_interrupted")
  expect_match(conditionMessage(caught), "interrupted")
  expect_identical(audit(problem, caught$release)$info$verdict, "protected")
})

test_that("an interrupt from outside ends a run that says nothing", {
  skip_on_os("windows")
  problem <- hard_problem()
  system(sprintf("(sleep 1; kill -INT %d)", Sys.getpid()), wait = FALSE)
  caught <- tryCatch(protect(problem, effort = "best", time_limit = 120),
                     lacuna_interrupted = identity, interrupt = identity)
  # Before the run begins, or after it has ended, the signal is R's own.
  expect_true(inherits(caught, "lacuna_interrupted") || inherits(caught, "interrupt") ||
                inherits(caught, "sdc_release"))
})

test_that("what cannot be protected is an error with the reason", {
  everything <- sales()[c("product", "region", "turnover")]
  caught <- tryCatch(protect(sales_problem(), released = everything),
                     lacuna_not_protected = identity)
  expect_s3_class(caught, "lacuna_not_protected")
  expect_identical(caught$status, "infeasible")
})

test_that("files are written where told, and read back", {
  folder <- tempfile()
  dir.create(folder)
  release <- protect(sales_problem())
  for (ending in c("csv", "json", "xlsx", "px", "sdmx.csv", "arrow")) {
    file <- file.path(folder, paste0("public.", ending))
    write_release(release, file)
    expect_gt(file.size(file), 0)
  }
  write_office(release, file.path(folder, "office.json"))
  expect_identical(audit(sales_problem(), file.path(folder, "office.json"))$info$verdict,
                   "protected")
  write_problem(sales_problem(), file.path(folder, "problem.json"))
  again <- protect(sdc_problem(file.path(folder, "problem.json")))
  expect_identical(as.data.frame(again)$suppressed, as.data.frame(release)$suppressed)
  page <- report(release, file = file.path(folder, "page.html"))
  expect_match(page, "<html", fixed = TRUE)
  expect_true(file.exists(file.path(folder, "page.html")))
  hidden <- as.data.frame(release, confidential = TRUE)
  shown <- report(release, public = TRUE)
  expect_false(grepl(">18<", shown, fixed = TRUE))
  expect_error(write_release(release, file.path(folder, "none", "x.csv")),
               "make it first", class = "lacuna_error")
})

test_that("a report about a release of others is one of its audit", {
  problem <- sales_problem()
  theirs <- sales()[c("product", "region", "turnover")]
  theirs$turnover[theirs$product == "A1" & theirs$region == "West"] <- NA
  expect_match(report(problem, theirs), "exposed")
  expect_error(report(problem, theirs, public = TRUE), "no public report",
               class = "lacuna_not_protected")
})

test_that("methods are compared", {
  made <- compare(sales_problem(), c("suppress", "round"), base = 10)
  rows <- as.data.frame(made)
  expect_identical(rows$method, c("suppress", "round"))
  expect_identical(rows$verdict, c("protected", "protected"))
})

# As in another session: pointers come back empty.
stored <- function(x) unserialize(serialize(x, NULL))

test_that("objects outlive their session", {
  problem <- sales_problem()
  release <- protect(problem)
  expect_identical(as.data.frame(stored(problem)), as.data.frame(problem))
  expect_identical(as.data.frame(protect(stored(problem))), as.data.frame(release))
  again <- stored(release)
  expect_identical(as.data.frame(again), as.data.frame(release))
  expect_identical(certificate(again)$text, certificate(release)$text)
  expect_identical(run_info(again), run_info(release))
  expect_identical(audit(stored(problem), again)$info$verdict, "protected")
  seen <- audit(problem)
  expect_identical(as.data.frame(stored(seen), confidential = TRUE),
                   as.data.frame(seen, confidential = TRUE))
  expect_identical(as.data.frame(stored(audit(release))), as.data.frame(audit(release)))
  table <- records_table()
  expect_identical(as.data.frame(stored(table), facts = TRUE), as.data.frame(table, facts = TRUE))
  made <- sdc_generate(kind = "hierarchical", depths = c(2, 1), sensitive_percent = 10, seed = 2)
  for (method in c("interval", "round", "adjust")) {
    release <- protect(made, method = method, base = if (method == "round") 200)
    expect_identical(as.data.frame(stored(release)), as.data.frame(release))
  }
})

test_that("a release that was changed where it was stored is refused", {
  release <- protect(sales_problem())
  forged <- stored(release)
  inside <- environment(forged$kept$again)
  inside$kept[1L] <- gsub("\"state\": *\"withheld\"", "\"state\":\"rounded\"", inside$kept[1L])
  expect_error(as.data.frame(forged), class = "lacuna_error")
  forged <- stored(release)
  inside <- environment(forged$kept$again)
  inside$kept[1L] <- sub("\"release\":.*", "\"release\":[]}\n", inside$kept[1L])
  expect_error(as.data.frame(forged), class = "lacuna_error")
})

test_that("a file that has changed since is not read again", {
  file <- tempfile(fileext = ".json")
  write_problem(sales_problem(), file)
  problem <- sdc_problem(file)
  expect_identical(as.data.frame(stored(problem)), as.data.frame(problem))
  cat("\n", file = file, append = TRUE)
  expect_error(as.data.frame(stored(problem)), "has changed since the table was read",
               class = "lacuna_input_error")
})

test_that("threads are two unless told otherwise", {
  expect_identical(protect(sales_problem())$threads, 2)
  old <- options(lacuna.threads = 1)
  on.exit(options(old))
  expect_identical(protect(sales_problem())$threads, 1)
  expect_error(protect(sales_problem(), threads = 0), class = "lacuna_option_error")
})

test_that("a job of tau-ARGUS runs as it is", {
  folder <- tempfile()
  dir.create(folder)
  path <- function(name) file.path(folder, name)
  cells <- sales()
  lines <- sprintf("%s;%s;%d;%d", cells$product, cells$region, cells$turnover, cells$firms)
  writeLines(lines, path("t.csv"))
  writeLines(c("A", "@A1", "@A2", "B"), path("p.hrc"))
  writeLines(c(
    "<SEPARATOR> ;", "product", " <RECODEABLE>", " <TOTCODE> Total", " <HIERARCHICAL>",
    " <HIERCODELIST> \"p.hrc\"", " <HIERLEADSTRING> \"@\"", "region", " <RECODEABLE>",
    " <TOTCODE> All", "turnover", " <NUMERIC>", "firms", " <FREQUENCY>"
  ), path("t.rda"))
  writeLines(c(
    "<OPENTABLEDATA> \"t.csv\"", "<OPENMETADATA> \"t.rda\"",
    "<SPECIFYTABLE> \"product\"\"region\"|\"turnover\"||", "<SAFETYRULE> FREQ(3,20)",
    "<READTABLE>", "<SUPPRESS> MOD(1,5,1,1,1)", "<WRITETABLE> (1,1,,\"out.csv\")"
  ), path("job.arb"))
  run <- run_arb(path("job.arb"), write = FALSE)
  expect_length(run$tables, 1L)
  expect_false(file.exists(path("out.csv")))
  expect_identical(run$tables[[1]]$release$verdict, "protected")
  safe <- as.data.frame(run$tables[[1]])
  status <- as.data.frame(run$tables[[1]], what = "status")
  expect_identical(sum(safe$state == "withheld"), sum(status[[3]] %in% c("U", "M")))
  written <- run_arb(path("job.arb"))
  expect_true(file.exists(path("out.csv")))
  expect_error(run_arb(path("none.arb")), class = "lacuna_error")
})
