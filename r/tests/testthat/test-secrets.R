# SPDX-License-Identifier: Apache-2.0
# What somebody would try who wants a secret: whatever shows itself, and whatever is said, holds no
# confidential value, no cost (a sum over hidden cells) and no respondent.

# Values that nothing else in a text could be.
secret_sales <- function() {
  cells <- sales()
  cells$turnover <- cells$turnover * 7919
  cells$lpl <- cells$lpl * 7919
  cells$upl <- cells$upl * 7919
  cells
}

secret_problem <- function(...) sales_problem(secret_sales(), ...)

secret_firms <- function() {
  firms <- records(60, 5)
  firms$turnover <- firms$turnover * 7919
  firms$firm <- paste0("secret", firms$firm, "name")
  firms
}

secret_table <- function() {
  sdc_table(secret_firms(), dimVar = c("nace", "region"), numVar = "turnover",
            contributorVar = "firm", hierarchies = list(nace = hier_digits(1, 1)),
            rules = rules_of_tests())
}

# Everything that a session prints of an object.
shown <- function(x) {
  ways <- list(
    function() print(x), function() cat(format(x)), function() print(summary(x)),
    function() utils::str(x), function() utils::str(unclass(x), max.level = 9),
    function() print(unclass(x)), function() dput(x),
    function() print(list(x)), function() cat(toString(x))
  )
  paste(unlist(lapply(ways, function(way) {
    tryCatch(utils::capture.output(way(), type = "output"), error = conditionMessage)
  })), collapse = "\n")
}

numbers_in <- function(text) {
  text <- gsub("(?<=[0-9]),(?=[0-9]{3})", "", text, perl = TRUE)
  found <- unlist(regmatches(text, gregexpr("[0-9]+(\\.[0-9]+)?(e[+-]?[0-9]+)?", text)))
  unique(as.numeric(found))
}

# Numbers that are secret as long as nobody publishes them.
expect_no_secret <- function(text, secrets) {
  secrets <- unique(as.numeric(secrets))
  secrets <- secrets[!is.na(secrets) & secrets > 1000]
  expect_gt(length(secrets), 0)
  rounded <- signif(numbers_in(text), 4)
  expect_identical(intersect(rounded, signif(secrets, 4)), numeric())
  expect_no_match(text, "secretf", fixed = TRUE)
}

test_that("problems, audits and what refuses show counts", {
  for (problem in list(secret_problem(), secret_table())) {
    cells <- as.data.frame(problem)
    secrets <- c(cells$turnover, cells$lower_level, cells$upper_level)
    expect_no_secret(shown(problem), secrets)
    found <- audit(problem)
    expect_no_secret(shown(found), secrets)
    expect_no_secret(shown(certificate(found)), secrets)
    expect_no_secret(shown(verify(problem, certificate(found))), secrets)
    expect_no_secret(paste(notes(problem), collapse = " "), secrets)
    published <- utils::capture.output(as.data.frame(found))
    expect_no_secret(paste(published, collapse = "\n"), secrets)
  }
})

for (method in c("suppress", "interval", "combined", "round", "mixed", "adjust")) {
  test_that(paste("releases show what is published:", method), {
    problem <- secret_problem()
    release <- protect(problem, method = method,
                       base = if (method %in% c("round", "mixed")) 50000)
    cells <- as.data.frame(release, confidential = TRUE)
    hidden <- cells$turnover[is.na(cells$published) | cells$published != cells$turnover]
    told <- run_info(release)
    sums <- c(told$objective, told$bound)
    published <- c(cells$published, unlist(Filter(is.numeric, as.data.frame(release))))
    secrets <- setdiff(c(hidden, sums), published)
    expect_no_secret(shown(release), secrets)
    text <- paste(utils::capture.output(as.data.frame(release)), collapse = "\n")
    expect_no_secret(text, secrets)
    expect_no_secret(paste(notes(release), collapse = "\n"), secrets)
  })
}

test_that("comparisons show no cost", {
  made <- compare(secret_problem(), c("suppress", "interval"))
  rows <- as.data.frame(made)
  secrets <- c(rows$objective, rows$bound, rows$information_loss_value)
  text <- paste(utils::capture.output({
    print(made)
    print(summary(made))
    cat(format(made))
  }), collapse = "\n")
  expect_no_secret(text, secrets)
  expect_no_secret(paste(utils::capture.output(utils::str(made)), collapse = "\n"), secrets)
})

test_that("what is said while it works has the gap in place of cost and bound", {
  news <- list(phase = "suppress", share = 0.5, seconds = 2, incumbent = 839414, bound = 629560.5)
  expect_identical(lacuna:::progress_text(news), "suppress 50%, gap 25.00%")
})

test_that("attackers show no cell", {
  known <- data.frame(product = "A1", region = "East", lower = 4711, upper = 94711)
  someone <- attacker("x", known)
  text <- paste(utils::capture.output({
    print(someone)
    cat(format(someone))
  }), collapse = "\n")
  expect_no_secret(text, c(4711, 94711))
})

message_of <- function(expression) {
  condition <- tryCatch({
    expression
    NULL
  }, error = identity)
  expect_s3_class(condition, "lacuna_error")
  paste(c(conditionMessage(condition), utils::capture.output(print(condition)),
          utils::capture.output(utils::str(condition))), collapse = "\n")
}

test_that("messages hold no value", {
  for (value in c("4.711,08", "4711x", "4711e300", paste0("4711", strrep("0", 30)))) {
    firms <- secret_firms()
    firms$turnover <- sprintf("%.0f", firms$turnover)
    firms$turnover[3] <- value
    text <- message_of(sdc_table(firms, dimVar = "nace", numVar = "turnover"))
    expect_no_match(text, "711")
    expect_match(text, "row 3, column turnover", fixed = TRUE)
  }
  firms <- secret_firms()
  firms$turnover[3] <- 1 / 3
  expect_no_secret(message_of(sdc_table(firms, dimVar = "nace", numVar = "turnover")),
                   firms$turnover)
  firms$turnover[3] <- -4711
  text <- message_of(sdc_table(firms, dimVar = "nace", numVar = "turnover"))
  expect_no_match(text, "4711")
  expect_match(text, "negative = TRUE", fixed = TRUE)
})

test_that("sums that do not hold tell no value", {
  cells <- secret_sales()
  total <- cells$product == "Total" & cells$region == "All"
  cells$turnover[total] <- cells$turnover[total] + 4711
  text <- message_of(sales_problem(cells))
  expect_no_secret(text, c(cells$turnover, 4711))
  expect_match(text, "Total", fixed = TRUE)
})

test_that("bounds and levels that do not fit tell no value", {
  cells <- secret_sales()
  cells$low <- cells$turnover + 1
  make <- function(...) {
    sdc_problem(cells, dimList = list(product = products, region = "All"), numVar = "turnover",
                status = "status", ...)
  }
  expect_no_secret(message_of(make(lower = "low")), c(cells$turnover, cells$low))
  cells$low <- 0
  cells$high <- cells$turnover + 10
  expect_no_secret(message_of(make(lower = "low", upper = "high", lower_level = "lpl",
                                   upper_level = "upl")),
                   c(cells$turnover, cells$high, cells$lpl))
})

test_that("what could not be protected tells no value", {
  cells <- secret_sales()
  cells$status <- ifelse(cells$status == "u", "u", "z")
  text <- message_of(protect(sales_problem(cells)))
  expect_no_secret(text, c(cells$turnover, cells$lpl))
  expect_match(text, "protection level (not shown) against 'outsider'", fixed = TRUE)
})

test_that("refused jobs of tau-ARGUS tell no value", {
  folder <- tempfile("argus")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  write <- function(name, lines) writeLines(lines, file.path(folder, name))
  write("t.rda", c("<SEPARATOR> \";\"", "Row", "<RECODEABLE>", "<TOTCODE> T", "V", "<NUMERIC>",
                   "N", "<FREQUENCY>", "St", "<STATUS>"))
  write("job.arb", c("<OPENTABLEDATA> \"t.csv\"", "<OPENMETADATA> \"t.rda\"",
                     "<SPECIFYTABLE> \"Row\"|\"V\"||,1", "<SAFETYRULE> MAN(25)", "<READTABLE> 0",
                     "<WRITETABLE> (1,5,,\"o.csv\")"))
  for (total in c("4611953", "4611954x")) {
    write("t.csv", c(paste0("T;", total, ";20;S"), "A;2305843;7;S", "B;2306111;9;U"))
    text <- message_of(run_arb(file.path(folder, "job.arb"), write = FALSE))
    expect_no_match(text, "46119|23058|23061")
  }
})

test_that("codes of sensitive cells come only with confidential = TRUE", {
  release <- protect(secret_problem())
  office <- c("primary", "status", "reason", "lower_level")
  expect_false(any(office %in% names(as.data.frame(release))))
  expect_error(as.data.frame(release, status_codes = "argus"), "confidential = TRUE",
               class = "lacuna_option_error")
})

test_that("pictures of releases show states and no numbers", {
  release <- protect(secret_problem())
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(names(plot(release)), c("row", "column", "state"))
})
