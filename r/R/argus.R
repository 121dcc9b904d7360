# SPDX-License-Identifier: Apache-2.0
# Batch jobs of tau-ARGUS (.arb), run as they are.

run_arb <- function(path, write = TRUE, data = NULL, ..., progress = FALSE,
                    threads = getOption("lacuna.threads", 2L)) {
  if (!is_path(path)) {
    stop_input("give the path of a job", "path")
  }
  options <- list(data = if (is.null(data)) NULL else path.expand(data),
                  threads = check_threads(threads), ...)
  texts <- option_texts(options, "argus", names(formals(run_arb)))
  made <- answer(listening(progress, function(sink) {
    .Call(C_run_arb, path.expand(path), isTRUE(write), texts, sink)
  }))
  run <- arb_of(made)
  if (made$interrupted) {
    raise_interrupted("interrupted: the job has not done all of its work", NULL)
  }
  if (!is.null(made$refused)) {
    stop(lacuna_error("lacuna_refused", made$refused$message, made$refused$where, run = run))
  }
  run
}

arb_of <- function(made) {
  tables <- lapply(made$tables, function(table) {
    release <- if (is.null(table$release)) NULL else release_of_arb(table$release)
    structure(list(name = table$name, part = table$part, response = table$response,
                   is_public = table$is_public, counts = table$counts, release = release,
                   kept = kept_of(table$pointer, NULL)), class = "sdc_arb_table")
  })
  notes <- as.data.frame(made$notes, stringsAsFactors = FALSE)
  structure(list(tables = tables, notes = notes, log = gsub("\r\n", "\n", made$log),
                 written = made$written), class = "sdc_arb")
}

release_of_arb <- function(core) {
  release_of(core, problem_of(answer(.Call(C_release_problem, core)), NULL))
}

# What readers may see; for the office the status of every cell, or the true values.
as.data.frame.sdc_arb_table <- function(x, row.names = NULL, optional = FALSE, ...,
                                        what = c("safe", "status", "unsafe")) {
  check_dots(list(...), "what", "as.data.frame")
  what <- one_of(what[1L], c("safe", "status", "unsafe"), "what")
  answer(.Call(C_argus_table, core_of(x), what))
}
