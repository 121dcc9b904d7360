# SPDX-License-Identifier: Apache-2.0
# Analysis results data (ARD), the data frames of the packages cards and gtsummary: a row per
# statistic, with group1, group1_level, ..., variable, variable_level, stat_name and stat (CDISC's
# analysis results standard; the columns are those of cards 0.5 and later). Neither package is
# needed. Of categorical variables n, N and p are understood: n are the cells of tables by group and
# variable, linked by their groups; N are their totals; p is withheld with its n or its N. Where the
# levels do not add up to N, as where one level of two is shown, the rest is a cell of its own that
# nobody prints and a reader can compute.

from_ard <- function(ard, ..., name = "ard") {
  read <- read_ard(ard)
  frames <- lapply(read$variables, ard_frame, read = read)
  dims <- lapply(read$variables, function(variable) c(read$dimension, variable))
  names(frames) <- names(dims) <- read$variables
  single <- length(frames) == 1L
  sdc_problem(if (single) frames[[1L]] else frames, dimVar = if (single) dims[[1L]] else dims,
              numVar = "n", totcode = ARD_ALL, ..., name = name)
}

as_ard <- function(release, ard) {
  if (!inherits(release, "sdc_release")) {
    stop_input(paste(kind_of(release), "is not a release: protect(from_ard(ard), ...) makes one"),
               "release")
  }
  read <- read_ard(ard)
  cells <- as.data.frame(release, stringsAsFactors = FALSE)
  dims <- c(read$dimension, read$variables)
  if (!all(dims %in% names(cells))) {
    stop_input("the release is of other variables than the ARD", "release")
  }
  if (!all(cells[[length(dims) + 2L]] %in% c("published", "withheld"))) {
    stop_input("an ARD has numbers or none: protect with method = \"suppress\"", "release")
  }
  hidden <- cells[is.na(cells[[length(dims) + 1L]]), dims, drop = FALSE]
  keys <- do.call(paste, c(unname(as.list(hidden)), sep = "\r"))
  withheld <- vapply(seq_along(read$role), function(i) ard_is_withheld(i, read, dims, keys), NA)
  for (i in which(withheld)) {
    ard <- blank_stat(ard, i)
  }
  ard
}

ARD_ALL <- "(all)"
ARD_REST <- "(other)"
ARD_TOTAL <- "..ard_total_n.."
ARD_CELLS <- c("n", "p")

# ---- what an ARD says

# A column of a list, or of plain values, as text; NA where there is none.
ard_text <- function(column) {
  vapply(seq_along(column), function(i) {
    value <- column[[i]]
    if (is.null(value) || !length(value) || is.na(value[[1L]])) NA_character_
    else as.character(value[[1L]])
  }, "")
}

read_ard <- function(ard) {
  if (!is.data.frame(ard)) {
    stop_input(paste(kind_of(ard), "is not a data frame"), "ard")
  }
  needed <- c("variable", "variable_level", "stat_name", "stat")
  lacking <- setdiff(needed, names(ard))
  if (length(lacking)) {
    stop_input(sprintf("an ARD has a column '%s': cards::ard_tabulate() makes one", lacking[1L]),
               "ard")
  }
  read <- list(variable = as.character(ard$variable), level = ard_text(ard$variable_level),
               stat = as.character(ard$stat_name), value = ard$stat)
  read <- c(read, ard_groups(ard))
  read$role <- ard_roles(read)
  read$variables <- unique(read$variable[read$role == "cell"])
  if (!length(read$variables)) {
    stop_input("the ARD has no counts of categories: no row with a variable_level and n", "ard")
  }
  read$groups <- unique(read$group[read$group != ARD_ALL])
  read$dimension <- if (length(read$groups)) ".group" else NULL
  read$totals <- ard_totals(read)
  read
}

# One text for all groups of a row; those of a row without any are "(all)".
ard_groups <- function(ard) {
  names <- grep("^group[0-9]+$", names(ard), value = TRUE)
  levels <- lapply(paste0(names, "_level"), function(name) ard_text(ard[[name]]))
  group <- vapply(seq_len(nrow(ard)), function(i) {
    given <- vapply(levels, function(each) each[[i]], "")
    if (all(is.na(given))) ARD_ALL else paste(given[!is.na(given)], collapse = " / ")
  }, "")
  variables <- unique(unlist(lapply(ard[names], as.character), use.names = FALSE))
  list(group = group, group_variables = variables[!is.na(variables)])
}

# cell: n and p of a level; total: N of a variable; header: of a group or of all; other: a statistic
# of a group, such as a mean.
ard_roles <- function(read) {
  role <- rep("other", length(read$stat))
  of_level <- !is.na(read$level)
  of_group <- read$variable %in% c(read$group_variables, ARD_TOTAL)
  unknown <- of_level & !read$stat %in% c(ARD_CELLS, "N")
  if (any(unknown)) {
    i <- which(unknown)[1L]
    stop_input(sprintf(paste("the statistic of a category must be n, N or p, not '%s': leave it",
                             "out, since it may give counts away"), read$stat[i]),
               sprintf("ard, row %d", i))
  }
  role[of_level & read$stat %in% ARD_CELLS] <- "cell"
  role[of_level & read$stat == "N"] <- "total"
  role[of_group & (of_level | read$variable == ARD_TOTAL)] <- "header"
  role
}

ard_number <- function(read, rows, what) {
  found <- unique(vapply(read$value[rows], function(value) as.numeric(value[[1L]]), 0))
  if (length(found) > 1L || anyNA(found) || any(found < 0 | found != round(found))) {
    stop_input(sprintf("%s is not one whole number", what), "ard")
  }
  found
}

# N by group. It must be the same for all variables, or records are missing in some.
ard_totals <- function(read) {
  totals <- c()
  for (group in c(read$groups, ARD_ALL)) {
    rows <- which(read$role == "total" & read$group == group)
    if (length(rows)) {
      totals[[group]] <- ard_number(read, rows, sprintf(
        "N of the group '%s', which must be the same for all variables,", group))
    }
  }
  totals <- unlist(totals)
  if (!length(totals)) {
    stop_input("the ARD has no N: ask for n, N and p", "ard")
  }
  if (length(read$groups)) {
    lacking <- setdiff(read$groups, names(totals))
    if (length(lacking)) {
      stop_input(sprintf("the group '%s' has no N", lacking[1L]), "ard")
    }
    sum <- sum(totals[read$groups])
    if (ARD_ALL %in% names(totals) && totals[[ARD_ALL]] != sum) {
      stop_input("N of all is not the sum of N of the groups", "ard")
    }
    totals[[ARD_ALL]] <- sum
  }
  totals
}

# The cells of one variable, with what is left of N.
ard_frame <- function(variable, read) {
  mine <- read$role == "cell" & read$variable == variable & read$stat == "n"
  levels <- unique(read$level[mine])
  groups <- if (length(read$groups)) read$groups else ARD_ALL
  counts <- vapply(groups, function(group) vapply(levels, function(level) {
    rows <- which(mine & read$level == level & read$group == group)
    if (!length(rows)) 0 else ard_number(read, rows, sprintf("n of '%s' in '%s'", level, group))
  }, 0), numeric(length(levels)))
  counts <- matrix(counts, nrow = length(levels), dimnames = list(levels, groups))
  rest <- read$totals[groups] - colSums(counts)
  if (any(rest < 0)) {
    stop_input(sprintf(paste("the counts of '%s' add up to more than N: a person may be in one",
                             "level only"), variable), "ard")
  }
  if (any(rest > 0)) {
    counts <- rbind(counts, rest)
    rownames(counts)[nrow(counts)] <- ARD_REST
  }
  counts <- rbind(counts, colSums(counts))
  rownames(counts)[nrow(counts)] <- ARD_ALL
  if (length(read$groups)) {
    counts <- cbind(counts, rowSums(counts))
    colnames(counts)[ncol(counts)] <- ARD_ALL
  }
  frame <- data.frame(group = rep(colnames(counts), each = nrow(counts)),
                      level = rep(rownames(counts), times = ncol(counts)), n = c(counts),
                      stringsAsFactors = FALSE)
  names(frame)[1:2] <- c(".group", variable)
  if (length(read$groups)) frame else frame[names(frame) != ".group"]
}

# ---- an ARD of a release

# Whether the number of this row, or one that it is made of, is not published.
ard_is_withheld <- function(i, read, dims, keys) {
  group <- read$group[i]
  if (read$role[i] == "header" && !is.na(read$level[i])) {
    group <- read$level[i]
  }
  total <- stats::setNames(rep(ARD_ALL, length(dims)), dims)
  if (!is.null(read$dimension)) {
    total[[read$dimension]] <- group
  }
  hidden <- function(codes) paste(codes, collapse = "\r") %in% keys
  if (read$role[i] != "cell") {
    return(hidden(total))
  }
  cell <- total
  cell[[read$variable[i]]] <- read$level[i]
  hidden(cell) || (read$stat[i] == "p" && hidden(total))
}

blank_stat <- function(ard, i) {
  for (name in intersect(c("stat", "stat_fmt"), names(ard))) {
    if (is.list(ard[[name]])) {
      value <- ard[[name]][[i]]
      ard[[name]][[i]] <- if (is.character(value)) NA_character_ else value[NA_integer_][1L]
    } else {
      ard[[name]][i] <- NA
    }
  }
  ard
}
