# SPDX-License-Identifier: Apache-2.0
# What a reader can infer from published tables alone.

infer <- function(tables, ..., progress = FALSE, threads = getOption("lacuna.threads", 2L)) {
  texts <- option_texts(list(threads = check_threads(threads), ...), "infer",
                        names(formals(infer)))
  several <- if (is.list(tables) && !is.data.frame(tables)) tables else list(tables)
  if (!length(several)) {
    stop_input("give at least one published table", "tables")
  }
  held <- list()
  files <- character()
  for (i in seq_along(several)) {
    file <- if (is.matrix(several[[i]])) as.data.frame(several[[i]]) else several[[i]]
    file <- named_file(file, paste0("table", i, ".arrow"), held)
    held <- file$held
    files <- c(files, file$path)
  }
  made <- answer(listening(progress, function(sink) {
    .Call(C_infer, files, texts, held, sink)
  }))
  structure(list(text = made$text, told = made$told, page = made$page,
                 certificate = made$certificate), class = "sdc_inference")
}

as.data.frame.sdc_inference <- function(x, row.names = NULL, optional = FALSE, ...) {
  check_dots(list(...), frame_arguments, "as.data.frame")
  end <- function(value) if (is.null(value)) NA_real_ else as.numeric(value)
  rows <- lapply(x$told$cells, function(cell) {
    c(cell$codes, list(sign = cell$sign, sensitive = cell$sensitive, lower = end(cell$lower),
                       upper = end(cell$upper), exact = cell$exact, narrowness = cell$narrowness))
  })
  names <- unique(unlist(lapply(rows, names)))
  columns <- lapply(names, function(name) {
    unlist(lapply(rows, function(row) if (is.null(row[[name]])) NA else row[[name]]))
  })
  as.data.frame(stats::setNames(columns, names), stringsAsFactors = FALSE, optional = TRUE)
}

format.sdc_inference <- function(x, ...) strsplit(x$text, "\n", fixed = TRUE)[[1L]][1L]

print.sdc_inference <- function(x, ...) print_lines(x)
