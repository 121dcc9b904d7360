# SPDX-License-Identifier: Apache-2.0
# Protection: what may be published, proven, or an error.

protect <- function(problem, method = NULL, ..., prefer = NULL, released = NULL, cells = NULL,
                    on_interrupt = c("error", "return"), linked = TRUE, progress = FALSE,
                    threads = getOption("lacuna.threads", 2L)) {
  on_interrupt <- one_of(on_interrupt[1L], c("error", "return"), "on_interrupt")
  if (!isTRUE(linked)) {
    stop_option(paste("tables of one list are protected together, since what one publishes can",
                      "give away what another hides; tables that share nothing are protected one",
                      "by one, by lapply(tables, protect)"), "linked")
  }
  table <- as_problem(problem, threads)
  refuse_peer_method(method)
  texts <- option_texts(list(method = method, threads = check_threads(threads), ...), "protect",
                        names(formals(protect)))
  held <- list()
  for (name in c("prefer", "cells")) {
    given <- if (name == "prefer") prefer else cells
    if (!is.null(given)) {
      file <- named_file(given, name, held, table)
      held <- file$held
      texts[[name]] <- file$path
    }
  }
  with_released <- add_released(texts, released, held, table)
  made <- answer(listening(progress, function(sink) {
    .Call(C_protect, core_of(table), with_released$texts, with_released$held, sink)
  }))
  release_or_error(made, table, with_released, on_interrupt)
}

release_or_error <- function(made, problem, asked, on_interrupt) {
  if (is.null(made$release)) {
    raise_not_protected(made$refused)
  }
  release <- release_of(made$release, problem, asked)
  if (made$interrupted && on_interrupt == "error") {
    raise_interrupted(paste("interrupted: the best release so far is the field `release` of this",
                            "condition, or comes back with on_interrupt = \"return\""), release)
  }
  release
}

raise_not_protected <- function(refused) {
  if (refused$interrupted) {
    raise_interrupted("interrupted before anything was found that is safe", NULL)
  }
  said <- refused$said
  audit <- if (is.null(refused$audit)) NULL else audit_of(refused$audit)
  stop(lacuna_error("lacuna_not_protected", said$message, status = said$status, audit = audit))
}

# `asked`: the options and what they name, with which it can be made again; NULL if it cannot.
release_of <- function(core, problem, asked = NULL) {
  info <- answer(.Call(C_release_info, core))
  again <- NULL
  if (!is.null(asked)) {
    result <- answer(.Call(C_release_text, core))
    again <- again_release(problem, asked$texts, asked$held, result, info$json)
  }
  kept <- kept_of(core, again, run = info$run, is_public = info$is_public)
  told <- info$run[c("method", "verdict", "status", "gap", "cells", "primary", "secondary",
                     "suppressed", "seconds", "reproducible", "threads", "seed", "engine")]
  structure(
    c(list(problem = problem, title = info$title, notes = info$notes), told,
      list(note = in_words_of_r(said_of_run(info$run)), kept = kept)),
    class = "sdc_release"
  )
}

# How its numbers were read, and what else is to be known of the verdict.
said_of_run <- function(run) {
  said <- c(run$read_as, run$note)
  if (length(said)) paste(said[nzchar(said)], collapse = "; ") else NULL
}

# The summary of a run, which is the same for all, names the section of rules in a file.
in_words_of_r <- function(note) {
  if (length(note)) sub(" ([[rule]])", "", note, fixed = TRUE) else note
}

# All that is known of the run. Its costs are sums over hidden cells, so they are neither printed
# nor shown by str().
run_info <- function(release) {
  check_class(release, "sdc_release", "release", "protect()")
  release$kept$run
}

# ---- as data frames

frame_arguments <- c("stringsAsFactors", "make.names", "cut.names", "col.names") # R's own calls

as.data.frame.sdc_release <- function(x, row.names = NULL, optional = FALSE, ...,
                                      confidential = FALSE, status_codes = NULL, table = NULL) {
  check_dots(list(...), c("confidential", "status_codes", "table", frame_arguments),
             "as.data.frame")
  if (!isTRUE(confidential)) {
    if (!is.null(status_codes)) {
      stop_option(paste("they show which cells are sensitive, which readers must not know: ask",
                        "for them with confidential = TRUE"), "status_codes")
    }
    return(published_frame(x, table))
  }
  if (!is.null(table)) {
    stop_option("the confidential cells are those of all tables", "table")
  }
  office_frame(x, status_codes)
}

published_frame <- function(x, table) {
  index <- -1L
  if (!is.null(table)) {
    names <- table_names(x)
    index <- if (is.character(table)) match(table, names) - 1L else as.integer(table) - 1L
    if (length(index) != 1L || is.na(index) || index < 0L || index >= length(names)) {
      stop_input(paste0("the tables are ", words_of(names, 20L)), "table")
    }
  }
  cells <- answer(.Call(C_release_published, core_of(x), index, FALSE))
  cells[[own_name("suppressed", x)]] <- cells[[own_name("state", x)]] == "withheld"
  with_value_name(cells, x$problem)
}

table_names <- function(x) {
  names <- names(x$problem$info$tables)
  if (length(names)) names else x$title
}

office_frame <- function(x, codes) {
  cells <- answer(.Call(C_release_office, core_of(x)))
  status <- cells[[own_name("status", x)]]
  state <- cells[[own_name("state", x)]]
  primary <- status == "primary"
  suppressed <- state == "withheld"
  cells[[own_name("primary", x)]] <- primary
  cells[[own_name("suppressed", x)]] <- suppressed
  if (!is.null(codes)) {
    made <- status_codes(primary, suppressed, state, cells[[own_name("reason", x)]], codes, status)
    if (!is.data.frame(made)) {
      cells[[own_name("status_code", x)]] <- made
    }
  }
  in_published_order(with_value_name(cells, x$problem), x)
}

# Rows in the order of what is published, so that the two stand side by side.
in_published_order <- function(cells, x) {
  codes <- names(x$problem$info$dimensions)
  if (!length(codes)) {
    return(cells)
  }
  shown <- answer(.Call(C_release_published, core_of(x), -1L, TRUE))
  key <- function(frame) do.call(paste, c(unname(frame[codes]), sep = "\r"))
  order <- match(key(shown), key(cells))
  if (anyNA(order) || nrow(shown) != nrow(cells)) {
    return(cells)
  }
  cells <- cells[order, , drop = FALSE]
  rownames(cells) <- NULL
  cells
}

# Linked tables by name, each with its own dimensions; one if there are no others.
tables_of <- function(release) {
  check_class(release, "sdc_release", "release", "protect()")
  names <- table_names(release)
  frames <- lapply(seq_along(names), function(i) as.data.frame(release, table = i))
  stats::setNames(frames, names)
}

# What was published of every cell in earlier periods, and is in this one: a column for each.
periods_of <- function(release) {
  check_class(release, "sdc_release", "release", "protect()")
  answer(.Call(C_release_periods, core_of(release)))
}

# ---- files

# What nothing was asked of is written with unasked = "publish" alone.
write_release <- function(release, file, ..., unasked = NULL) {
  write_as(release, list(paths_of(file), character(), character()), ..., unasked = unasked)
}

write_office <- function(release, file, ...) {
  write_as(release, list(character(), paths_of(file), character()), ...)
}

# Of several all are written or none.
paths_of <- function(file) {
  if (!is.character(file) || !length(file)) {
    stop_input("give the path of a file, or several", "file")
  }
  vapply(unname(file), path_of, "", USE.NAMES = FALSE)
}

path_of <- function(file, argument = "file") {
  if (!is_path(file) || !nzchar(file)) {
    stop_input("give the path of a file", argument)
  }
  path.expand(file)
}

write_as <- function(release, files, ..., unasked = NULL) {
  check_class(release, "sdc_release", "release", "protect()")
  texts <- option_texts(list(...), "write", known = option_names("write"))
  if (!is.null(unasked)) {
    texts$unasked <- one_of(unasked, c("refuse", "publish"), "unasked")
  }
  answer(.Call(C_release_write, core_of(release), files, texts))
  invisible(unlist(files))
}

check_class <- function(x, class, argument, maker) {
  if (!inherits(x, class)) {
    stop_input(paste0(kind_of(x), " is not what ", maker, " makes"), argument)
  }
}
