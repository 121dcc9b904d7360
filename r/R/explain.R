# SPDX-License-Identifier: Apache-2.0
# Why cells of a release are withheld: for the office.

explain <- function(release, cell, ..., problem = NULL, released = NULL, progress = FALSE,
                    threads = getOption("lacuna.threads", 2L)) {
  texts <- option_texts(list(threads = check_threads(threads), ...), "explain",
                        names(formals(explain)))
  cells <- cell_texts(cell)
  if (inherits(release, "sdc_release") && is.null(problem)) {
    if (!is.null(released)) {
      stop_option("a release has all that its explanation needs: give it alone", "released")
    }
    made <- answer(listening(progress, function(sink) {
      .Call(C_explain_release, core_of(release), cells, texts, sink)
    }))
  } else {
    table <- as_problem(problem)
    result <- named_file(release, "release", list(), table)
    with_released <- add_released(texts, released, result$held, table)
    made <- answer(listening(progress, function(sink) {
      .Call(C_explain, core_of(table), result$path, cells, with_released$texts,
            with_released$held, sink)
    }))
  }
  structure(list(text = made$text, cells = made$told$cells), class = "sdc_explanation")
}

# "region=N,branch=A" of c(region = "N", branch = "A"); texts and indices are cells each.
cell_texts <- function(cell) {
  if (is.list(cell) && is.null(names(cell))) {
    return(vapply(cell, cell_texts, "", USE.NAMES = FALSE))
  }
  if (length(names(cell))) {
    return(paste(names(cell), vapply(cell, as.character, ""), sep = "=", collapse = ","))
  }
  if (is.numeric(cell)) {
    return(format(cell, scientific = FALSE, trim = TRUE))
  }
  if (!is.character(cell) || !length(cell)) {
    stop_input("name a cell by its codes, as in c(region = \"N\"), or by its index", "cell")
  }
  cell
}

format.sdc_explanation <- function(x, ...) {
  sprintf("An explanation of %s, for the office: cat(x$text) shows it",
          counted(length(x$cells), "cell"))
}

print.sdc_explanation <- function(x, ...) print_lines(x)
