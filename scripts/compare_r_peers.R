#!/usr/bin/env Rscript
# SPDX-License-Identifier: Apache-2.0
# sdcTable, GaussSuppression and rtauargus beside lacuna, on the same tables with the same sensitive
# cells; every pattern is audited by lacuna.
#
#   R_LIBS=build/r:PEERS Rscript scripts/compare_r_peers.R [--lacuna build/lacuna] [--seconds 60]
#       [--random 40] [--only TABLES] [--methods METHODS] [--record r/inst/extdata/peers]
#
# What is printed is Markdown. Packages that are not there are left out, with a word. rtauargus calls
# a program for the work: TAUARGUS names one that takes a batch file and a logbook, as tau-ARGUS does
# (a script of two lines around `tauargus run` of pytauargus, started in a folder of its own; or
# around `lacuna argus`). The tables of the rtauargus tutorial are those of tests/data/turnover.
# --only and --methods are patterns for names. With --record, what the peers withhold in the examples
# of the vignettes is written as CSV.

here <- dirname(normalizePath(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))))
source(file.path(here, "r_peer_examples.R"))
source(file.path(here, "r_peers.R"))
data_folder <- file.path(here, "..", "r", "inst", "extdata")

asked <- commandArgs(trailingOnly = TRUE)
option <- function(name, default) {
  place <- match(paste0("--", name), asked)
  if (is.na(place)) default else asked[place + 1]
}
lacuna_program <- option("lacuna", file.path(here, "..", "build", "lacuna"))
seconds <- as.numeric(option("seconds", 60))
tauargus <- Sys.getenv("TAUARGUS")
if (nzchar(tauargus)) options(rtauargus.tauargus_exe = tauargus)
engine_version <- Sys.getenv("TAUARGUS_VERSION", "engine not told")

# ---- ours

problem_of_example <- function(example, attackers) {
  one <- length(example$tables) == 1
  arguments <- list(
    if (one) example$tables[[1]] else example$tables,
    dimVar = if (one) dims_of(example$tables[[1]]) else lapply(example$tables, dims_of),
    freqVar = "freq", secret_var = "primary", hierarchies = example$hierarchies, totcode = TOTAL, ip = 10,
    attackers = attackers)
  if (!example$counts) arguments$numVar <- "value"
  do.call(lacuna::sdc_problem, arguments)
}

# What is published by the pattern, as frames of codes, numbers and a flag.
as_published <- function(example, tables) {
  value <- if (example$counts) "freq" else "value"
  frames <- lapply(tables, function(table) {
    out <- table[c(dims_of(table[names(table) != "suppressed"]), value)]
    names(out)[ncol(out)] <- "value"
    out$suppressed <- table$suppressed
    out
  })
  if (length(frames) == 1) frames[[1]] else frames
}

# The number of sensitive cells that the pattern exposes, 0 if all hold.
exposed <- function(problem, published, ...) {
  found <- as.data.frame(lacuna::audit(problem, published, ...))
  stopifnot(nrow(found) > 0, is.character(found$verdict))
  sum(found$verdict != "protected")
}

audits <- function(example, tables) {
  published <- as_published(example, tables)
  outside <- problem_of_example(example, lacuna::outsider())
  within <- problem_of_example(example, lacuna::respondents())
  c(exact = exposed(outside, published, levels = "minimal"), levels = exposed(outside, published),
    sole = exposed(within, published, levels = "minimal"))
}

ours <- function(attackers, ...) {
  more <- list(...)
  function(example) {
    problem <- problem_of_example(example, attackers)
    release <- do.call(lacuna::protect, c(list(problem), more))
    frames <- if (length(example$tables) == 1) list(as.data.frame(release)) else lacuna::tables_of(release)
    Map(function(table, frame) mark(table, frame, frame$suppressed), example$tables, frames)
  }
}

# ---- a line per method

# Cells and their size, each counted once where tables share it.
all_cells <- function(example, tables) {
  dims <- unique(unlist(lapply(example$tables, dims_of)))
  rows <- lapply(tables, function(table) {
    for (dim in setdiff(dims, names(table))) table[[dim]] <- TOTAL
    table[c(dims, "value", "primary", "suppressed")]
  })
  rows <- do.call(rbind, rows)
  rows <- rows[order(!rows$suppressed), ]
  rows[!duplicated(cell_key(rows, dims)), ]
}

run_one <- function(example, label, call, limit = seconds) {
  got <- in_own_process(function() call(example), limit)
  line <- list(example = example$name, label = label, seconds = got$seconds, error = got$error)
  if (!is.null(got$error)) return(line)
  cells <- all_cells(example, got$value)
  c(line, list(tables = got$value, cells = nrow(cells), primary = sum(cells$primary), withheld = sum(cells$suppressed),
               missed = sum(cells$primary & !cells$suppressed), value = sum(abs(cells$value[cells$suppressed])),
               exposed = audits(example, got$value)))
}

verdict <- function(count) if (count == 0) "protected" else sprintf("exposed (%d)", count)

print_line <- function(line) {
  if (!is.null(line$error)) {
    said <- gsub("[|\n]+", " ", substr(line$error, 1, 90))
    cat(sprintf("| %s | %s | | | %.2f | error: %s | | |\n", line$example, line$label, line$seconds, said))
    return(invisible())
  }
  cat(sprintf("| %s | %s | %d%s | %s | %.2f | %s | %s | %s |\n", line$example, line$label, line$withheld,
              if (line$missed) sprintf(" (%d sensitive published)", line$missed) else "",
              format(round(line$value), big.mark = ",", scientific = FALSE), line$seconds,
              verdict(line$exposed[["exact"]]), verdict(line$exposed[["levels"]]), verdict(line$exposed[["sole"]])))
}

print_head <- function() {
  cat("\n| table | method | withheld | value withheld | seconds | not exact | 10% levels | sole contributors |\n",
      "|---|---|---:|---:|---:|---|---|---|\n", sep = "")
}

has <- function(package) !is.na(version_of(package))
with_argus <- function() has("rtauargus") && nzchar(tauargus)

methods_for_one <- function(small = TRUE) {
  c(if (has("sdcTable")) c(
      list("sdcTable SIMPLEHEURISTIC" = sdctable("SIMPLEHEURISTIC"), "sdcTable GAUSS" = sdctable("GAUSS"),
           "sdcTable HYPERCUBE" = sdctable("HYPERCUBE"), "sdcTable SIMPLEHEURISTIC_OLD" = sdctable("SIMPLEHEURISTIC_OLD")),
      if (small) list("sdcTable HITAS" = sdctable("HITAS"), "sdcTable OPT" = sdctable("OPT"),
                      "sdcTable OPT 10% levels" = sdctable("OPT", TRUE))),
    if (has("GaussSuppression")) list("GaussSuppression" = gauss("none"), "GaussSuppression with singletons" = gauss("anySum"),
      "GaussSuppression 20% wide" = gauss("none", lpPackage = "highs", rangePercent = 20)),
    if (with_argus()) list("rtauargus MOD" = rtauargus_one("MOD(1,5,1,0,0)"), "rtauargus OPT" = rtauargus_one("OPT(1,5)")),
    our_methods())
}

our_methods <- function() {
  work <- 2e7  # about twenty seconds of one core
  list("lacuna, not exact" = ours(lacuna::outsider(), levels = "minimal", work = work),
       "lacuna, 10% levels" = ours(lacuna::outsider(), work = work),
       "lacuna, sole contributors" = ours(lacuna::respondents(), levels = "minimal", work = work))
}

methods_for_linked <- function(count) {
  c(if (has("sdcTable") && count == 2) list("sdcTable linked SIMPLEHEURISTIC" = sdctable_linked("SIMPLEHEURISTIC")),
    if (has("GaussSuppression")) list("GaussSuppression consistent" = gauss_linked("consistent"),
                                      "GaussSuppression super-consistent" = gauss_linked("super-consistent")),
    if (with_argus()) list("rtauargus tab_multi_manager MOD" = rtauargus_linked("MOD(1,5,1,0,0)")),
    our_methods())
}

run_all <- function(example, methods, wanted = option("only", "")) {
  if (!grepl(wanted, example$name)) return(list())
  lapply(grep(option("methods", ""), names(methods), value = TRUE), function(label) {
    line <- run_one(example, label, methods[[label]])
    print_line(line)
    line
  })
}

# ---- many random tables, counted

over <- function(lines, label, base) {
  pairs <- lapply(lines, function(table) {
    mine <- Filter(function(line) line$label == label && is.null(line$error), table)
    best <- Filter(function(line) line$label == base && is.null(line$error), table)
    if (length(mine) && length(best)) c(mine[[1]]$value / best[[1]]$value, mine[[1]]$withheld / best[[1]]$withheld)
  })
  colMeans(do.call(rbind, c(pairs, list(NULL))))
}

count_random <- function(number) {
  lines <- lapply(seq_len(number), function(seed) {
    example <- random_table(lacuna_program, seed)
    methods <- methods_for_one()
    methods <- methods[!grepl("sole contributors|singletons", names(methods))]
    lapply(names(methods), function(label) run_one(example, label, methods[[label]], min(seconds, 20)))
  })
  cat("\n| method | results of ", number, " | value, of ours (not exact) | value, of ours (10%) | cells, of ours (not exact) |",
      " exposed exactly | exposed within 10% | seconds, mean |\n|---|---:|---:|---:|---:|---:|---:|---:|\n", sep = "")
  for (label in vapply(lines[[1]], `[[`, "", "label")) {
    mine <- Filter(function(line) line$label == label, do.call(c, lines))
    good <- Filter(function(line) is.null(line$error), mine)
    ratio <- if (length(good)) over(lines, label, "lacuna, not exact") else c(NA, NA)
    cat(sprintf("| %s | %d | %.2f | %.2f | %.2f | %d | %d | %.2f |\n", label, length(good), ratio[1],
                if (length(good)) over(lines, label, "lacuna, 10% levels")[1] else NA, ratio[2],
                sum(vapply(good, function(line) line$exposed[["exact"]] > 0, NA)),
                sum(vapply(good, function(line) line$exposed[["levels"]] > 0, NA)),
                mean(vapply(mine, `[[`, 0, "seconds"))))
  }
}

# Tables of sales like that of the vignette: what firms that know their own numbers find out.
audit_sales <- function(example, table, attackers, ...) {
  tab <- lacuna::sdc_table(example$records, dimVar = c("branch", "town"), numVar = "value", contributorVar = "firm",
                           hierarchies = example$hierarchies, rules = Map(lacuna::nk_rule, seq_along(example$k), example$k),
                           attackers = attackers)
  exposed(tab, as_published(example, list(table)), ...)
}

our_sales <- function(...) {
  function(example) {
    tab <- lacuna::sdc_table(example$records, dimVar = c("branch", "town"), numVar = "value", contributorVar = "firm",
                             hierarchies = example$hierarchies, rules = Map(lacuna::nk_rule, seq_along(example$k), example$k))
    cells <- as.data.frame(lacuna::protect(tab, ...))
    list(mark(example$tables[[1]], cells, cells$suppressed))
  }
}

count_sales <- function(number) {
  maker <- new.env()
  sys.source(file.path(here, "..", "r", "tools", "make_example_data.R"), maker)
  methods <- c(if (has("GaussSuppression")) list(
      "GaussSuppression SuppressDominantCells" = gauss_dominant(),
      "GaussSuppression SuppressDominantCells no singletons" = gauss_dominant(singletonMethod = "none")),
    list("lacuna, firms, not exact" = our_sales(levels = "minimal"), "lacuna, firms" = our_sales()))
  found <- lapply(methods, function(method) NULL)
  for (seed in seq_len(number)) {
    folder <- tempfile("sales")
    dir.create(folder)
    maker$make_sales(folder, seed)
    example <- made_sales(folder)
    for (label in names(methods)) {
      got <- in_own_process(function() methods[[label]](example), seconds)
      if (!is.null(got$error)) next
      table <- got$value[[1]]
      found[[label]] <- rbind(found[[label]], c(
        sum(table$suppressed), sum(table$value[table$suppressed]),
        audit_sales(example, table, lacuna::outsider(), levels = "minimal"), audit_sales(example, table, lacuna::outsider()),
        audit_sales(example, table, lacuna::respondents(), levels = "minimal"),
        audit_sales(example, table, lacuna::respondents())))
    }
  }
  cat("\n| method | results of ", number, " | cells, mean | value, mean | exact, outsider | levels, outsider | exact, firms |",
      " levels, firms |\n|---|---:|---:|---:|---:|---:|---:|---:|\n", sep = "")
  for (label in names(found)) {
    rows <- found[[label]]
    cat(sprintf("| %s | %d | %.1f | %.0f | %d | %d | %d | %d |\n", label, nrow(rows), mean(rows[, 1]), mean(rows[, 2]),
                sum(rows[, 3] > 0), sum(rows[, 4] > 0), sum(rows[, 5] > 0), sum(rows[, 6] > 0)))
  }
}

# ---- what the vignettes show

# A line per pattern; the cells by their codes, "a|b", with a semicolon between two.
record <- function(lines, package, examples, file) {
  rows <- do.call(rbind, lapply(lines, function(line) {
    if (!is.null(line$error) || !startsWith(line$label, package) || !line$example %in% examples) return(NULL)
    do.call(rbind, lapply(names(line$tables), function(name) {
      table <- line$tables[[name]]
      hidden <- table[table$suppressed, ]
      codes <- do.call(paste, c(hidden[dims_of(table[names(table) != "suppressed"])], sep = "|"))
      data.frame(package = package, version = version_of(package),
                 engine = if (package == "rtauargus") engine_version else "",
                 method = method_of(line$label, package), example = line$example, table = name,
                 cells = paste(sort(codes, method = "radix"), collapse = ";"))
    }))
  }))
  if (is.null(rows)) return(invisible())
  utils::write.csv(rows, file, quote = FALSE, row.names = FALSE, eol = "\n")
}

# Figures alone: the tables of others stay where they are.
record_figures <- function(lines, file) {
  rows <- lapply(Filter(function(line) is.null(line$error), lines), function(line) {
    package <- sub("[ ,].*", "", line$label)
    data.frame(package = package, version = version_of(package), engine = if (package == "rtauargus") engine_version else "",
               method = gsub(",", "", line$label), example = line$example, cells = line$cells, sensitive = line$primary,
               withheld = line$withheld, value = format(line$value, digits = 15), exact = line$exposed[["exact"]],
               levels = line$exposed[["levels"]], sole = line$exposed[["sole"]])
  })
  utils::write.csv(do.call(rbind, rows), file, quote = FALSE, row.names = FALSE, eol = "\n")
}

method_of <- function(label, package) {
  method <- trimws(sub(package, "", label))
  if (nzchar(method)) method else "GaussSuppressionFromData"
}

recorded <- list(
  sdcTable = c("persons", "turnover activity by size", "turnover two linked"),
  GaussSuppression = c("small counts", "small sales", "turnover"),
  rtauargus = c("turnover activity by size", "turnover"))

# ---- all of it

said_versions <- function() {
  packages <- c("sdcTable", "sdcHierarchies", "SSBtools", "GaussSuppression", "RegSDC", "highs", "Matrix", "rtauargus", "lacuna")
  versions <- vapply(packages, version_of, "")
  cat("R", as.character(getRversion()), "with",
      paste(packages, ifelse(is.na(versions), "not at hand", versions), collapse = ", "), "\n")
  cat("Engine of rtauargus:", if (nzchar(tauargus)) engine_version else "none (TAUARGUS names none)", "\n")
}

own_functions <- function(example, calls) c(if (has("GaussSuppression")) calls, methods_for_one())

main <- function() {
  said_versions()
  turnover <- made_turnover(data_folder)
  two <- some_tables(turnover, 1:2, "turnover two linked")
  print_head()
  lines <- c(
    run_all(one_table(turnover, "activity_size"), methods_for_one()),
    run_all(two, methods_for_linked(2)), run_all(turnover, methods_for_linked(4)),
    run_all(made_persons(data_folder), methods_for_one()),
    run_all(made_counts(data_folder), own_functions(NULL, list(
      "GaussSuppression SuppressSmallCounts" = gauss_small_counts(),
      "GaussSuppression SuppressSmallCounts no singletons" = gauss_small_counts(singletonMethod = "none")))),
    run_all(made_sales(data_folder), own_functions(NULL, list(
      "GaussSuppression SuppressDominantCells" = gauss_dominant(),
      "GaussSuppression SuppressDominantCells no singletons" = gauss_dominant(singletonMethod = "none")))))
  folder <- option("record", "")
  if (nzchar(folder)) {
    for (package in Filter(has, names(recorded))) {
      record(lines, package, recorded[[package]], file.path(folder, paste0(tolower(package), ".csv")))
    }
  }
  real <- real_turnover(file.path(here, "..", "tests", "data", "turnover"))
  print_head()
  lines <- c(run_all(one_table(real, "activity_size"), methods_for_one(small = FALSE)),
             run_all(some_tables(real, 1:2, "real turnover two linked"), methods_for_linked(2)),
             run_all(real, methods_for_linked(4)))
  if (nzchar(folder)) record_figures(lines, file.path(folder, "real_turnover.csv"))
  number <- as.integer(option("random", 40))
  if (number > 0) {
    count_sales(number)
    count_random(number)
  }
}

main()
