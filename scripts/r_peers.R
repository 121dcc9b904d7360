# SPDX-License-Identifier: Apache-2.0
# How compare_r_peers.R calls sdcTable, GaussSuppression and rtauargus. Every function takes an
# example (r_peer_examples.R) and gives, for every table, its cells with `suppressed`. A call runs in
# a process of its own with a limit, so that one that crashes or does not end is a line of the table.

suppressMessages({
  for (package in c("sdcTable", "GaussSuppression", "rtauargus")) requireNamespace(package, quietly = TRUE)
})

dims_of <- function(table) setdiff(names(table), c("value", "freq", "primary"))
cell_key <- function(table, dims) do.call(paste, c(table[dims], sep = "\r"))

# Codes that have no other code beside them below the same one.
only_codes <- function(at) {
  over <- vapply(at$codes, function(code) c(codes_over(at, code), "")[1], "")
  at$codes[over %in% over[!(duplicated(over) | duplicated(over, fromLast = TRUE))] & over != ""]
}

inner_rows <- function(table, hierarchies) {
  Reduce(`&`, lapply(dims_of(table), function(dim) table[[dim]] %in% leaves_of(hierarchies[[dim]])))
}

# Which cells of `table` are among the rows of `theirs` where `hidden` holds.
mark <- function(table, theirs, hidden) {
  dims <- dims_of(table)
  table$suppressed <- cell_key(table, dims) %in% cell_key(theirs[hidden, ], dims)
  table
}

# ---- running with a limit

in_own_process <- function(call, seconds) {
  started <- proc.time()[[3]]
  job <- parallel::mcparallel(tryCatch(list(value = call()), error = function(e) list(error = conditionMessage(e))),
                              silent = TRUE)
  got <- parallel::mccollect(job, wait = FALSE, timeout = seconds)
  spent <- proc.time()[[3]] - started
  if (is.null(got)) {
    tools::pskill(-job$pid, tools::SIGKILL)
    tools::pskill(job$pid, tools::SIGKILL)
    suppressWarnings(parallel::mccollect(job, wait = FALSE, timeout = 1))
    return(list(error = sprintf("no result in %g s", seconds), seconds = spent))
  }
  got <- got[[1]]
  if (!is.list(got)) got <- list(error = "the process crashed")
  got$seconds <- spent
  got
}

# ---- sdcTable

sdctable_problem <- function(table, example, values) {
  dims <- dims_of(table)
  inner <- table[inner_rows(table, example$hierarchies), ]
  inner$freq <- as.numeric(if (values) inner$value else inner$freq)
  inner$cost <- inner$value
  problem <- sdcTable::makeProblem(
    data = inner, dimList = example$hierarchies[dims], freqVarInd = "freq",
    weightInd = if (example$counts) NULL else "cost")
  # A code that is alone below another one is no cell of its own for sdcTable.
  alone <- Reduce(`|`, lapply(dims, function(dim) table[[dim]] %in% only_codes(example$hierarchies[[dim]])))
  primary <- table[table$primary & !alone, dims, drop = FALSE]
  if (nrow(primary)) {
    problem <- sdcTable::change_cellstatus(problem, specs = primary, rule = "u", verbose = FALSE)
  }
  problem
}

# The statuses of all cells; codes that repeat their parent are among them.
sdctable_cells <- function(problem) {
  as.data.frame(sdcTable::sdcProb2df(problem, addDups = TRUE, dimCodes = "original"))
}

sdctable_marked <- function(table, problem) {
  cells <- sdctable_cells(problem)
  mark(table, cells, cells$sdcStatus %in% c("u", "x"))
}

# Levels of 10% on both sides, where the method knows levels; they are of the column `freq`.
with_levels <- function(problem) {
  status <- sdcTable::getInfo(problem, type = "sdcStatus")
  primary <- which(status == "u")
  level <- ceiling(sdcTable::getInfo(problem, type = "freq") / 10)
  for (kind in c("LPL", "UPL")) problem <- sdcTable::setInfo(problem, type = kind, index = primary, input = level[primary])
  sdcTable::setInfo(problem, type = "SPL", index = primary, input = rep(0, length(primary)))
}

sdctable <- function(method, levels = FALSE) {
  function(example) {
    stopifnot(length(example$tables) == 1)
    table <- example$tables[[1]]
    problem <- sdctable_problem(table, example, values = levels)
    if (levels) problem <- with_levels(problem)
    utils::capture.output(done <- sdcTable::protectTable(problem, method = method))
    stats::setNames(list(sdctable_marked(table, done)), names(example$tables))
  }
}

# Two tables that share all codes of one dimension, as in its help page.
sdctable_linked <- function(method) {
  function(example) {
    stopifnot(length(example$tables) == 2)
    problems <- lapply(example$tables, sdctable_problem, example, values = FALSE)
    shared <- intersect(dims_of(example$tables[[1]]), dims_of(example$tables[[2]]))
    common <- lapply(shared, function(dim) list(dim, dim, "ALL"))
    utils::capture.output(done <- sdcTable::protect_linked_tables(problems[[1]], problems[[2]], common, method = method))
    Map(sdctable_marked, example$tables, done[1:2])
  }
}

# ---- GaussSuppression

# The primaries as they are given; cells of theirs that are no cells of ours are not primary.
given_primary <- function(table) {
  dims <- dims_of(table)
  wanted <- cell_key(table[table$primary, ], dims)
  function(crossTable, ...) cell_key(as.data.frame(lapply(crossTable[dims], as.character), check.names = FALSE), dims) %in% wanted
}

gauss_arguments <- function(table, example) {
  inner <- table[inner_rows(table, example$hierarchies), ]
  list(data = inner, hierarchies = example$hierarchies[dims_of(table)], freqVar = "freq", numVar = "value",
       primary = given_primary(table))
}

gauss_common <- function(...) {
  list(candidates = GaussSuppression::CandidatesNum, protectZeros = FALSE, extend0 = FALSE, structuralEmpty = TRUE,
       printInc = FALSE, ...)
}

gauss <- function(singleton_method, ...) {
  more <- list(...)
  function(example) {
    stopifnot(length(example$tables) == 1)
    table <- example$tables[[1]]
    arguments <- c(gauss_arguments(table, example), gauss_common(singletonMethod = singleton_method), more)
    if (singleton_method != "none") {
      arguments$singleton <- function(data, freqVar, ...) data[[freqVar]] == 1
    }
    utils::capture.output(out <- suppressWarnings(do.call(GaussSuppression::GaussSuppressionFromData, arguments)))
    stats::setNames(list(mark(table, out, out$suppressed)), names(example$tables))
  }
}

gauss_linked <- function(way) {
  function(example) {
    # Each table has inner cells of its own, so common cells are found by their codes.
    within <- lapply(example$tables, gauss_arguments, example)
    common <- gauss_common(singletonMethod = "none", linkedGauss = way, recordAware = FALSE)
    arguments <- c(list(data = NULL, fun = GaussSuppression::GaussSuppressionFromData, withinArg = within), common)
    utils::capture.output(out <- suppressWarnings(do.call(GaussSuppression::SuppressLinkedTables, arguments)))
    Map(function(table, theirs) mark(table, theirs, theirs$suppressed), example$tables, out)
  }
}

# Their own functions over counts and over records.
gauss_small_counts <- function(...) {
  function(example) {
    utils::capture.output(out <- GaussSuppression::SuppressSmallCounts(
      data = example$records, hierarchies = example$hierarchies, freqVar = "freq", maxN = example$max_n, ...))
    stats::setNames(list(mark(example$tables[[1]], out, out$suppressed)), names(example$tables))
  }
}

gauss_dominant <- function(...) {
  function(example) {
    utils::capture.output(out <- GaussSuppression::SuppressDominantCells(
      data = example$records, hierarchies = example$hierarchies, numVar = "value", contributorVar = "firm",
      n = seq_along(example$k), k = example$k, printInc = FALSE, ...))
    stats::setNames(list(mark(example$tables[[1]], out, out$suppressed)), names(example$tables))
  }
}

# ---- rtauargus, with the engine that `TAUARGUS` names

hrc_files <- function(example, folder) {
  deep <- Filter(function(at) any(nchar(at$levels) > 2), example$hierarchies)
  vapply(names(deep), function(dim) {
    at <- deep[[dim]][-1, ]
    file <- file.path(folder, paste0(dim, ".hrc"))
    writeLines(paste0(strrep("@", nchar(at$levels) - 2), at$codes), file)
    file
  }, "")
}

rtauargus_folder <- function() {
  folder <- tempfile("argus")
  dir.create(folder)
  folder
}

# rtauargus says only that there is no result; the logbook says why.
with_logbook <- function(folder, call) {
  tryCatch(call, error = function(e) {
    logs <- list.files(folder, "[.]txt$", full.names = TRUE)
    logs <- logs[basename(logs) != "journal.txt"]
    last <- logs[which.max(file.mtime(logs))]
    said <- if (length(last)) paste(readLines(last, warn = FALSE), collapse = " ") else conditionMessage(e)
    stop("engine: ", if (nzchar(said)) said else "ended without a word (a crash)", call. = FALSE)
  })
}

rtauargus_one <- function(suppress) {
  function(example) {
    stopifnot(length(example$tables) == 1)
    folder <- rtauargus_folder()
    table <- example$tables[[1]]
    dims <- dims_of(table)
    hrc <- hrc_files(example, folder)
    out <- with_logbook(folder, suppressMessages(suppressWarnings(rtauargus::tab_rtauargus(
      table, dir_name = folder, files_name = "table", explanatory_vars = dims, value = "value", freq = "freq",
      secret_var = "primary", hrc = if (length(hrc)) hrc, totcode = stats::setNames(rep(TOTAL, length(dims)), dims),
      suppress = suppress, verbose = FALSE))))
    stats::setNames(list(mark(table, out, out$Status != "V")), names(example$tables))
  }
}

rtauargus_linked <- function(suppress) {
  function(example) {
    folder <- rtauargus_folder()
    hrc <- hrc_files(example, folder)
    # A part of it knows the column of primaries by this name alone.
    tables <- lapply(example$tables, function(table) {
      names(table)[names(table) == "primary"] <- "is_secret_prim"
      table
    })
    utils::capture.output(out <- with_logbook(folder, suppressMessages(suppressWarnings(rtauargus::tab_multi_manager(
      list_tables = tables, list_explanatory_vars = lapply(example$tables, dims_of), dir_name = folder, hrc = hrc,
      totcode = TOTAL, value = "value", freq = "freq", secret_var = "is_secret_prim", suppress = suppress)))))
    Map(function(table, theirs) {
      steps <- grep("^is_secret_[0-9]+$", names(theirs), value = TRUE)
      mark(table, theirs, theirs[[steps[length(steps)]]])
    }, example$tables, out[names(example$tables)])
  }
}

version_of <- function(package) {
  if (requireNamespace(package, quietly = TRUE)) as.character(utils::packageVersion(package)) else NA_character_
}
