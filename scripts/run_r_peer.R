#!/usr/bin/env Rscript
# SPDX-License-Identifier: Apache-2.0
# One R package on one table of ours, for scripts/run_peer.
#
#   run_r_peer.R --versions
#   run_r_peer.R PEER PROBLEM.json PATTERN.txt SECONDS
#
# The packages are those that this R finds (R_LIBS says where besides); nothing is installed. With --versions the answer
# is a line of JSON: the version of each package, null if it is not there. PEER is gausssuppression, -singletons or
# -intervals, or sdctable- and a method. Ends with 5, and a line that says why, if the peer is not for such tables.

here <- dirname(normalizePath(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))))
asked <- commandArgs(trailingOnly = TRUE)

cannot <- function(why) {
  message(why)
  quit(status = 5)
}

version_if_there <- function(package) {
  if (requireNamespace(package, quietly = TRUE)) as.character(utils::packageVersion(package)) else NA
}

lp_package <- function() {
  Filter(function(package) requireNamespace(package, quietly = TRUE), c("highs", "Rglpk", "lpSolve"))[1]
}

if (identical(asked, "--versions")) {
  if (!requireNamespace("jsonlite", quietly = TRUE)) cannot("jsonlite is not there")
  packages <- c("GaussSuppression", "SSBtools", "sdcTable")
  found <- lapply(stats::setNames(packages, packages), version_if_there)
  found$lp <- lp_package()
  cat(jsonlite::toJSON(found, auto_unbox = TRUE, null = "null", na = "null"), "\n", sep = "")
  quit(status = 0)
}

# ---- the problem in their terms

# Of every cell its value, weight and status; the outsider's levels, NA where nothing is asked.
cells_of <- function(problem) {
  field <- function(name, default) {
    vapply(problem$cells, function(cell) if (is.null(cell[[name]])) default else cell[[name]], default)
  }
  unit <- 10^(if (is.null(problem$decimals)) 0 else problem$decimals)  # files of ours have whole units
  cells <- data.frame(value = field("value", 0) / unit, status = field("status", "free"),
                      freq = field("frequency", NA_real_))
  cells$low <- cells$up <- NA_real_
  for (need in problem$requirements) {
    if (is.null(need$attacker) || need$attacker == 0) {
      low <- max(0, need$lower) / unit
      up <- max(0, need$upper) / unit
      sliding <- max(0, need$sliding) / unit
      # As in run_peer: a cell that only must not be computed.
      small <- low == 0 && up == 0 && sliding < 1
      cells$low[need$cell + 1] <- if (small) 0 else max(low, sliding / 2)
      cells$up[need$cell + 1] <- if (small) 1 else max(up, sliding / 2)
    }
  }
  cells
}

# Contributors, of which every cell with a value has some, whether the table counts them or not.
known_counts <- function(cells) {
  ifelse(is.na(cells$freq) | (cells$freq == 0 & cells$value != 0), as.numeric(cells$value != 0), cells$freq)
}

# Which cells are sums of which inner ones: a matrix of inner cells by cells.
model_matrix <- function(problem, count) {
  parts <- vector("list", count)
  sums <- list()
  for (equation in problem$equations) {
    signs <- unlist(equation$coefficients)
    members <- unlist(equation$cells) + 1L
    if (sum(signs == -1) != 1) signs <- -signs
    if (sum(signs == -1) != 1 || any(abs(signs) != 1) || !(is.null(equation$rhs) || equation$rhs == 0)) {
      cannot("only equations 'total = sum' can be had")
    }
    total <- members[signs == -1]
    sums[[length(sums) + 1]] <- list(total = total, parts = members[signs == 1])
    if (is.null(parts[[total]])) parts[[total]] <- members[signs == 1]
  }
  inner <- which(vapply(parts, is.null, TRUE))
  below <- vector("list", count)  # per cell the numbers of its inner cells
  below[inner] <- as.list(seq_along(inner))
  open <- integer(count)
  expand <- function(cell) {
    if (!is.null(below[[cell]])) return(below[[cell]])
    if (open[cell] == 1L) cannot("the equations go around in a circle")
    open[cell] <<- 1L
    below[[cell]] <<- unlist(lapply(parts[[cell]], expand))
    below[[cell]]
  }
  for (cell in seq_len(count)) expand(cell)
  x <- Matrix::sparseMatrix(i = unlist(below), j = rep(seq_len(count), lengths(below)), x = 1,
                            dims = c(length(inner), count))
  for (sum in sums) {
    if (any(x[, sum$total] != Matrix::rowSums(x[, sum$parts, drop = FALSE]))) {
      cannot("tables without common inner cells are no model matrix")
    }
  }
  list(x = x, inner = inner)
}

# Frames of levels and codes, one per dimension, as both packages take them.
frame_of <- function(dimension) {
  children <- list()
  for (relation in dimension$relations) {
    key <- as.character(relation$parent)
    if (!is.null(children[[key]])) cannot("a dimension has two hierarchies")
    children[[key]] <- unlist(relation$children)
  }
  below <- unlist(children)
  if (anyDuplicated(below)) cannot("a dimension has two hierarchies")
  top <- setdiff(seq_along(dimension$codes) - 1L, below)
  if (length(top) != 1) cannot("a dimension has no single total")
  levels <- codes <- character()
  visit <- function(code, depth) {
    levels <<- c(levels, strrep("@", depth))
    codes <<- c(codes, dimension$codes[[code + 1]])
    for (child in children[[as.character(code)]]) visit(child, depth + 1)
  }
  visit(top, 1)
  data.frame(levels = levels, codes = codes)
}

# The table as the functions of r_peers.R take it.
example_of <- function(problem, cells) {
  if (!length(problem$dimensions)) cannot("the table has no codes and hierarchies")
  names <- vapply(problem$dimensions, function(dimension) dimension$name, "")
  codes <- do.call(rbind, lapply(problem$cells, function(cell) unlist(cell$codes)))
  table <- data.frame(lapply(seq_along(names), function(d) unlist(problem$dimensions[[d]]$codes)[codes[, d] + 1]))
  # Their own columns have such names, too.
  dims <- paste0("dim_", seq_along(names))
  names(table) <- dims
  table$value <- cells$value
  table$freq <- known_counts(cells)
  table$primary <- cells$status %in% c("primary", "withheld")
  list(tables = list(table = table), counts = FALSE,
       hierarchies = stats::setNames(lapply(problem$dimensions, frame_of), dims))
}

# Seconds since then, and CPU seconds, of processes that it started besides.
spent_since <- function(start) {
  spent <- proc.time() - start
  list(seconds = spent[[3]], cpu = sum(spent[c(1, 2, 4, 5)], na.rm = TRUE))
}

# ---- the runs; each gives which cells are withheld

by_gauss <- function(problem, cells, kind) {
  model <- model_matrix(problem, nrow(cells))
  inner <- cells[model$inner, ]
  data <- data.frame(value = inner$value, freq = known_counts(inner))
  hidden <- cells$status %in% c("primary", "withheld")
  forced <- cells$status %in% c("published", "known")
  primary <- function(...) hidden
  more <- list(singletonMethod = "none")
  if (kind == "singletons") {
    if (all(is.na(cells$freq) | cells$freq == 0)) cannot("the table has no counts of contributors")
    more <- list(singletonMethod = "anySum", singleton = function(data, freqVar, ...) data[[freqVar]] == 1)
  }
  if (kind == "intervals") {
    package <- lp_package()
    if (is.na(package)) cannot("there is no package for linear programs")
    if (any(forced)) cannot("cells that must be published cannot be had beside intervals")
    needs <- hidden & !is.na(cells$low)
    limits <- data.frame(lomax_value = ifelse(needs, pmax(0, cells$value - cells$low), NA),
                         upmin_value = ifelse(needs, cells$value + cells$up, NA))
    primary <- function(...) list(primary = hidden, numExtra = limits)
    more <- c(more, list(lpPackage = package))
  }
  started <- proc.time()
  utils::capture.output(out <- suppressWarnings(do.call(GaussSuppression::GaussSuppressionFromData, c(list(
    data = data, freqVar = "freq", numVar = "value", x = model$x, crossTable = data.frame(cell = seq_len(nrow(cells))),
    primary = primary, forced = if (any(forced)) which(forced), candidates = GaussSuppression::CandidatesNum,
    protectZeros = FALSE, secondaryZeros = FALSE, extend0 = FALSE, structuralEmpty = TRUE, preAggregate = FALSE,
    printInc = FALSE), more))))
  list(withheld = out$cell[out$suppressed] - 1L, spent = spent_since(started))
}

# Levels of the outsider, as whole numbers: so their methods take them.
with_given_levels <- function(done, example, cells) {
  table <- example$tables$table
  keys <- cell_key(table, dims_of(table))
  theirs <- as.data.frame(sdcTable::sdcProb2df(done, addDups = FALSE, dimCodes = "original"))
  ours <- match(cell_key(theirs, dims_of(table)), keys)
  primary <- which(sdcTable::getInfo(done, type = "sdcStatus") == "u")
  whole <- function(level) pmax(1, ceiling(ifelse(is.na(level), 0, level)))
  done <- sdcTable::setInfo(done, type = "LPL", index = primary, input = whole(cells$low[ours[primary]]))
  done <- sdcTable::setInfo(done, type = "UPL", index = primary, input = whole(cells$up[ours[primary]]))
  sdcTable::setInfo(done, type = "SPL", index = primary, input = rep(0, length(primary)))
}

by_sdctable <- function(problem, cells, method) {
  suppressMessages({
    source(file.path(here, "r_peer_examples.R"), local = globalenv())
    source(file.path(here, "r_peers.R"), local = globalenv())
  })
  example <- example_of(problem, cells)
  exact <- method %in% c("OPT", "HITAS")
  by_value <- exact || method == "HYPERCUBE"  # their cost is the count, whatever the weight
  started <- proc.time()
  made <- sdctable_problem(example$tables$table, example, values = by_value)
  if (exact) made <- with_given_levels(made, example, cells)
  utils::capture.output(done <- sdcTable::protectTable(made, method = method))
  spent <- spent_since(started)
  list(withheld = which(sdctable_marked(example$tables$table, done)$suppressed) - 1L, spent = spent)
}

main <- function(peer, input, output) {
  problem <- jsonlite::fromJSON(input, simplifyVector = FALSE)
  cells <- cells_of(problem)
  kind <- sub("^[a-z]*-?", "", peer)
  if (startsWith(peer, "gausssuppression")) {
    package <- "GaussSuppression"
    answer <- by_gauss(problem, cells, kind)
  } else {
    package <- "sdcTable"
    answer <- by_sdctable(problem, cells, toupper(kind))
  }
  writeLines(format(sort(answer$withheld), scientific = FALSE, trim = TRUE), output)
  writeLines(jsonlite::toJSON(c(answer$spent, version = version_if_there(package)), auto_unbox = TRUE, digits = 6), paste0(output, ".said"))
}

# One line of what R says, for the note of the row.
tryCatch(main(asked[1], asked[2], asked[3]), error = function(e) {
  message(gsub("\\s+", " ", conditionMessage(e)))
  quit(status = 1)
})
