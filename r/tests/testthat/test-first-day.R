# SPDX-License-Identifier: Apache-2.0
# What somebody types on the first day, coming from another package, with data as they are: it
# works, or one sentence says what to do.

refused <- function(expression, words, class = "lacuna_error") {
  expect_error(expression, words, fixed = TRUE, class = class)
}

firms <- records(40, 7)
make <- function(data = firms, dimVar = c("nace", "region"), ...) {
  sdc_table(data, dimVar = dimVar, numVar = "turnover", contributorVar = "firm",
            rules = rules_of_tests(), ...)
}
plain <- as.data.frame(make())
with_column <- function(name, values) {
  firms[[name]] <- values
  firms
}

test_that("frames of all kinds make the same table", {
  factors <- firms
  factors[] <- lapply(firms, function(column) if (is.character(column)) factor(column) else column)
  expect_identical(as.data.frame(make(factors)), plain)
  skip_if_not_installed("tibble")
  expect_identical(as.data.frame(make(tibble::as_tibble(firms))), plain)
})

test_that("a data.table is a data frame", {
  table <- structure(firms, class = c("data.table", "data.frame"))
  expect_identical(as.data.frame(make(table)), plain)
})

test_that("numbers come as integers, texts, factors and rows of a matrix", {
  for (as_kind in list(as.integer, as.character, factor))
    expect_identical(as.data.frame(make(with_column("turnover", as_kind(firms$turnover)))), plain)
  expect_identical(as.data.frame(make(as.matrix(firms))), plain)
})

test_that("columns may be given by their numbers", {
  expect_identical(as.data.frame(make(dimVar = match(c("nace", "region"), names(firms)))), plain)
})

test_that("codes may be dates, numbers and truth values", {
  codes <- function(values) dimensions(make(with_column("region", values)))$region$codes
  count <- seq_len(nrow(firms))
  expect_identical(codes(as.Date("2024-02-28") + count %% 3),
                   c("Total", "2024-02-28", "2024-02-29", "2024-03-01"))
  expect_identical(codes(count %% 3 * 1e5), c("Total", "0", "100000", "200000"))
  expect_identical(codes(count %% 2 == 0), c("Total", "FALSE", "TRUE"))
  with_options(list(scipen = -10, digits = 3, OutDec = ","), {
    expect_identical(codes(count %% 2 + 0.5), c("Total", "0.5", "1.5"))
    expect_identical(codes(as.integer(count %% 2 * 1e5)), c("Total", "0", "100000"))
  })
})

test_that("texts keep their meaning whatever their encoding is", {
  latin <- "K\xf6ln"
  Encoding(latin) <- "latin1"
  codes <- function(text) {
    dimensions(make(with_column("region", ifelse(firms$region == "N", text, "S"))))$region$codes
  }
  expect_identical(codes(latin), c("Total", "K\u00f6ln", "S"))
  expect_identical(codes("K\u00f6ln"), c("Total", "K\u00f6ln", "S"))
  skip_if(l10n_info()[["Latin-1"]])
  refused(codes("K\xf6ln"), "data, column region: a text (number", "lacuna_input_error")
})

test_that("what is missing is named with its row, and how to allow it", {
  holed <- function(name, value = NA) {
    firms[[name]][3] <- value
    firms
  }
  refused(make(holed("region")), "row 3, column region")
  refused(make(holed("region")), "hier_missing()")
  refused(make(holed("turnover")), "row 3, column turnover: the value is empty: say empty_value = ")
  refused(make(holed("turnover", NaN)), "row 3, column turnover")
  refused(make(holed("turnover", Inf)), "row 3, column turnover")
  refused(make(holed("firm")), "row 3, column firm")
  expect_s3_class(make(holed("turnover"), empty_value = "drop"), "sdc_table")
  long <- with_column("turnover", c(1 / 3, 1e6 * firms$turnover[-1]))
  refused(make(long), "say decimals = <number> and round = TRUE")
  expect_s3_class(make(long, decimals = 2, round = TRUE), "sdc_table")
})

test_that("data that are none are told so", {
  refused(make(firms[0, ]), "no record is left")
  refused(make(NULL), "data: NULL is not a data frame")
  refused(make(as.list(firms)), "is not a data frame")
  refused(make(mean), "data: a function is not a data frame")
  refused(make("nowhere.csv"), "does not exist", "lacuna_file_error")
  refused(make(with_column("region", as.list(firms$region))), "column region", "lacuna_input_error")
  refused(make(stats::setNames(firms, c("firm", "group", "nace", "area", "nace", "turnover", "w"))),
          "there are two columns 'nace'")
  refused(make(dimVar = c("nace", "regoin")), "did you mean 'region'?")
  refused(make(dimVar = NULL), "name the columns of the codes")
  refused(make(dimVar = 99), "the columns have the numbers 1 to 7")
  refused(make(dimVar = ~ nace * region), "a column must have a name, not a formula")
})

test_that("dimensions may have the names of our columns", {
  renamed <- function(names) {
    stats::setNames(firms[c("nace", "region", "turnover", "firm")], c(names, "turnover", "firm"))
  }
  expected <- protect(make())
  published <- as.data.frame(expected)
  office <- as.data.frame(expected, confidential = TRUE, status_codes = "sbs")
  for (names in list(c("state", "value"), c("suppressed", "verdict"), c("primary", "reason"),
                     c("status", "status_code"), c("attacker", "attackers"))) {
    problem <- make(renamed(names), dimVar = names)
    release <- protect(problem)
    expect_identical(unname(as.list(as.data.frame(release))), unname(as.list(published)))
    expect_identical(unname(as.list(as.data.frame(release, confidential = TRUE,
                                                  status_codes = "sbs"))), unname(as.list(office)))
    expect_identical(audit(problem, as.data.frame(release))$info$verdict, "protected")
    expect_output(print(summary(audit(problem))), "exposed: ")
    grDevices::pdf(NULL)
    expect_identical(nrow(plot(release)), nrow(published))
    expect_gt(nrow(plot(audit(problem))), 0)
    grDevices::dev.off()
  }
})

test_that("names of columns may be anything", {
  for (name in c("R\u00e9gion \u00e9conomique", "a b\"c", "../x:y.z", "[[dimension]]", "=", "1")) {
    data <- firms
    names(data)[names(data) == "region"] <- name
    rows <- data.frame(levels = c("@", "@@", "@@", "@@"), codes = c("Total", "N", "S", "W"))
    problem <- make(data, dimVar = c("nace", name), hierarchies = stats::setNames(list(rows), name))
    expect_identical(names(dimensions(problem)), c("nace", name))
  }
})

test_that("settings of a session do not matter", {
  expected <- as.data.frame(protect(make()))
  with_options(list(OutDec = ",", scipen = 100, digits = 3, warn = 2), {
    release <- protect(make(), timeLimit = 59.5)
    expect_identical(as.data.frame(release), expected)
    expect_output(print(release), "withheld")
    expect_output(print(summary(release)), "states")
    expect_output(print(summary(audit(make()))), "exposed")
  })
  collation <- Sys.getlocale("LC_COLLATE")
  on.exit(Sys.setlocale("LC_COLLATE", collation))
  Sys.setlocale("LC_COLLATE", "C")
  expect_identical(as.data.frame(protect(make())), expected)
})

test_that("objects are kept in files of R", {
  file <- tempfile(fileext = ".rds")
  on.exit(unlink(file))
  release <- protect(make())
  saveRDS(list(release, make(), audit(release)), file)
  again <- readRDS(file)
  expect_output(print(again[[1]]), "withheld")
  expect_identical(as.data.frame(again[[1]]), as.data.frame(release))
  expect_identical(as.data.frame(protect(again[[2]])), as.data.frame(release))
  expect_identical(as.data.frame(again[[3]]), as.data.frame(audit(release)))
})

test_that("forked processes work on their own", {
  skip_on_os("windows")
  problem <- make()
  expected <- as.data.frame(protect(problem))
  made <- parallel::mclapply(1:2, function(i) as.data.frame(protect(problem)), mc.cores = 2)
  expect_identical(made, list(expected, expected))
})

# ---- ready tables

test_that("results of other packages are audited as they come", {
  problem <- sales_problem()
  release <- protect(problem)
  cells <- as.data.frame(release, confidential = TRUE)
  letters_of <- function(set) {
    as.data.frame(release, confidential = TRUE, status_codes = set)$status_code
  }
  codes <- cells[c("product", "region", "turnover")]
  results <- list(
    as.data.frame(release), cbind(codes, suppressed = cells$suppressed),
    cbind(codes, primary = cells$primary, suppressed = cells$suppressed),
    cbind(codes, sdcStatus = letters_of("sdcTable")), cbind(codes, Status = letters_of("argus")),
    cbind(codes, is_secret = cells$suppressed)
  )
  for (result in results)
    expect_identical(audit(problem, result)$info$verdict, "protected")
  flags <- cbind(codes, suppressed = cells$primary)
  expect_identical(audit(problem, flags)$info$verdict, "exposed")
  refused(audit(problem, cells$suppressed), "a logical is not a release")
  refused(audit(problem, which(cells$suppressed)), "is not a release")
})

test_that("a release that write.csv() has written is audited", {
  problem <- sales_problem()
  file <- tempfile(fileext = ".csv")
  on.exit(unlink(file))
  utils::write.csv(as.data.frame(protect(problem)), file, row.names = FALSE)
  expect_identical(audit(problem, file)$info$verdict, "protected")
  open <- within(as.data.frame(protect(problem)), {
    turnover[is.na(turnover)] <- sales()$turnover[match(paste(product, region)[is.na(turnover)],
                                                        paste(sales()$product, sales()$region))]
    state <- "published"
    suppressed <- FALSE
  })
  utils::write.csv(open, file, row.names = FALSE)
  expect_identical(audit(problem, file)$info$verdict, "exposed")
})

test_that("hierarchies of records are none of ready tables", {
  ready <- function(product) {
    sdc_problem(sales(), dimList = list(product = product, region = "All"), value = "turnover")
  }
  refused(ready(hier_digits(1, 1)), "hier_digits() is for records", "lacuna_unsupported")
  refused(ready(c("group", "product")), "a column per level is for records", "lacuna_unsupported")
  refused(ready(hier_missing(products)), "hier_missing() is for records", "lacuna_unsupported")
})

test_that("tables that are not tables yet are told what is missing", {
  cells <- sales()
  inner <- cells[!cells$product %in% c("A", "Total") & cells$region != "All", ]
  ready <- function(data, ...) {
    sdc_problem(data, dimList = list(product = products, region = "All"), value = "turnover",
                secret_var = "secret", ...)
  }
  refused(ready(inner), "totals = \"computed\"", "lacuna_not_additive")
  expect_s3_class(ready(inner, totals = "computed"), "sdc_problem")
  refused(ready(rbind(cells, cells[3, ])), "row 21, column product: the cell is given twice")
  cells$product[1] <- "QQ"
  refused(ready(cells), "dimension product has no code 'QQ'")
  cells <- sales()
  cells$secret[2] <- NA
  refused(ready(cells), "row 2 is neither TRUE nor FALSE")
  wide <- stats::reshape(sales()[c("product", "region", "turnover")], idvar = "product",
                         timevar = "region", direction = "wide")
  refused(sdc_problem(wide, dimVar = "product", value = "turnover"),
          "there is no column 'turnover'")
})

test_that("one dimension is enough", {
  cells <- data.frame(size = c("Total", "s", "m", "l"), n = c(60, 10, 20, 30),
                      secret = c(FALSE, TRUE, FALSE, FALSE))
  release <- protect(sdc_problem(cells, dimVar = "size", value = "n", secret_var = "secret"))
  expect_identical(sum(as.data.frame(release)$suppressed), 2L)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(nrow(plot(release)), 4L)
})

# ---- names of arguments

test_that("every function that takes names of options knows the nearest", {
  problem <- sales_problem()
  release <- protect(problem)
  file <- tempfile(fileext = ".csv")
  option <- "lacuna_option_error"
  refused(sdc_table(firms, dimVr = "nace"), "did you mean 'dimVar'?", option)
  refused(sdc_problem(sales(), hierarchy = "x"), "did you mean 'hierarchies'?", option)
  refused(protect(problem, timeLimt = 3), "did you mean 'time_limit'?", option)
  refused(audit(problem, relese = release), "did you mean 'release'?", option)
  refused(verify(problem, certificate(release), relase = release), "did you mean 'release'?",
          option)
  refused(compare(problem, "suppress", efort = "fast"), "did you mean 'effort'?", option)
  refused(compare(problem, "suppres"), "did you mean 'suppress'?", option)
  refused(report(release, titel = "x"), "did you mean 'title'?", option)
  refused(run_arb("x.arb", wirte = FALSE), "run_arb() has no argument 'wirte'; did you mean",
          option)
  refused(sdc_generate(kid = "x"), "sdc_generate() has no argument 'kid'; did you mean", option)
  refused(write_release(release, file, separator = ";"), "did you mean 'csv_separator'?", option)
  refused(write_office(release, file, zzz = 1), "it has ", option)
  refused(as.data.frame(release, status_code = "argus"), "did you mean 'status_codes'?", option)
  refused(as.data.frame(problem, fact = TRUE), "did you mean 'facts'?", option)
  refused(as.data.frame(audit(problem), confidental = TRUE), "did you mean 'confidential'?", option)
  refused(hier_hrc("x.hrc", leed = "@"), "did you mean 'lead'?", option)
  expect_false(file.exists(file))
})

test_that("arguments of other packages are told what they are called here", {
  wrong <- function(...) sdc_problem(sales(), dimVar = c("product", "region"), ...)
  refused(sdc_problem(tabular = sales()), "it is called 'data' here")
  refused(sdc_problem(sales(), explanatory_vars = "product"), "it is called 'dimVar' here")
  refused(wrong(freqVarInd = 8), "it is called 'freqVar' here")
  refused(wrong(weightInd = 8), "it is called 'cost_var' here")
  refused(wrong(hrc = "x.hrc"), "it is called 'hierarchies' here")
  refused(wrong(primary = "secret"), "it is called 'secret_var' here")
  refused(wrong(n = 1, k = 85), "rules = nk_rule(n, k)")
  refused(wrong(safety_rules = "NK(1,85)"), "it is called 'rules' here")
  refused(protect(sales_problem(), verbose = TRUE), "progress = TRUE")
  refused(protect(sales_problem(), "HITAS"), "method = \"suppress\"")
  refused(protect(sales_problem(), "MOD(1,5,1,0,0)"), "method = \"suppress\"")
})

test_that("values of options are checked", {
  problem <- sales_problem()
  refused(protect(problem, time_limit = "five"), "time_limit: must be a number")
  refused(protect(problem, time_limit = NA), "time_limit: NA says nothing")
  refused(protect(problem, time_limit = c(1, 2)), "time_limit: it takes one value, not 2")
  refused(protect(problem, threads = 0), "threads: it must be a whole number")
  refused(protect(problem, output = "x.csv"), "write_release()")
  refused(protect(sales()), "a data frame is not a problem: make one with sdc_problem()")
  refused(protect(list(problem, problem)), "its own name")
  refused(write_release(protect(problem), NULL), "give the path of a file")
  refused(write_release(problem, "x.csv"), "is not what protect() makes")
  refused(notes(3), "is not what sdc_problem()")
  refused(dimensions(3), "is not what sdc_problem()")
  refused(tables_of(problem), "is not what protect() makes")
  refused(certificate(problem), "has no certificate")
  refused(as.data.frame(problem, confidential = FALSE), "everything in a problem is confidential")
})

test_that("messages are about arguments, not about a job that nobody has written", {
  calls <- list(
    list(rules = list("frequency")), list(name = "x:y"), list(name = ""), list(numVar = 3.5),
    list(levels = list(p = "ten")), list(rules = request_rule(10)), list(rules = p_rule(-1)),
    list(tables = list(a = character())), list(bounds = list(lowr = 3)), list(decimals = "two"),
    list(hierarchies = list(nace = list(T = "A1", U = "A2"))), list(costs = "nonsense*3"),
    list(attackers = attacker("x", data.frame(nace = "Z"))), list(largest = "many"),
    list(hierarchies = list(nace = hier_digits(9, 9))), list(apriori = "nowhere.csv"),
    list(attackers = respondents(coalition = 0)), list(round = "yes")
  )
  for (arguments in calls) {
    call <- utils::modifyList(list(data = firms, dimVar = "nace", numVar = "turnover"), arguments)
    condition <- tryCatch(do.call(sdc_table, call), error = identity)
    expect_s3_class(condition, "lacuna_error")
    expect_no_match(conditionMessage(condition),
                    "memory:|[.]toml|\\[\\[?[a-z]+\\]|--[a-z]|in quotes", info = names(arguments))
  }
})
