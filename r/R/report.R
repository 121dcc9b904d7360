# SPDX-License-Identifier: Apache-2.0
# Pages about releases, methods side by side, and tables as text.

report <- function(problem, release = NULL, file = NULL, ..., public = FALSE, certificate = NULL,
                   released = NULL, progress = FALSE, threads = getOption("lacuna.threads", 2L)) {
  texts <- option_texts(list(threads = check_threads(threads), ...), "report",
                        names(formals(report)))
  texts$public <- texts_of_option(isTRUE(public), "public")
  path <- if (is.null(file)) "" else path_of(file)
  if (inherits(problem, "sdc_release")) {
    if (!is.null(release) || !is.null(certificate) || !is.null(released)) {
      stop_option("a release has all that its report needs: give it alone", "report")
    }
    made <- answer(listening(progress, function(sink) {
      .Call(C_report_release, core_of(problem), path, texts, sink)
    }))
  } else {
    made <- report_on(problem, release, path, certificate, released, texts, progress)
  }
  if (!nzchar(made$html)) {
    stop(lacuna_error("lacuna_not_protected", no_public_page(made$verdict), status = made$verdict))
  }
  invisible(structure(made$html, class = c("sdc_report", "character")))
}

no_public_page <- function(verdict) {
  if (verdict == "unasked") {
    return(paste("no cell is marked as sensitive, or nothing is asked of those: there is no public",
                 "report of it unless unasked = \"publish\" asks for one"))
  }
  sprintf("the release is %s: there is no public report of it", verdict)
}

report_on <- function(problem, release, path, certificate, released, texts, progress) {
  table <- as_problem(problem)
  result <- named_file(release, "release", list(), table)
  held <- result$held
  if (!is.null(certificate)) {
    proof <- named_file(certificate, "certificate", held)
    held <- proof$held
    texts$certificate <- proof$path
  }
  with_released <- add_released(texts, released, held, table)
  answer(listening(progress, function(sink) {
    .Call(C_report, core_of(table), result$path, path, with_released$texts, with_released$held,
          sink)
  }))
}

compare <- function(problem, methods = NULL, ..., released = NULL, progress = FALSE,
                    threads = getOption("lacuna.threads", 2L)) {
  table <- as_problem(problem, threads)
  for (method in methods) {
    refuse_peer_method(method)
    one_of(method, method_names(), "methods")
  }
  methods <- if (is.null(methods)) NULL else paste(methods, collapse = ",")
  texts <- option_texts(list(methods = methods, threads = check_threads(threads), ...), "compare",
                        names(formals(compare)))
  with_released <- add_released(texts, released, list(), table)
  made <- answer(listening(progress, function(sink) {
    .Call(C_compare, core_of(table), with_released$texts, with_released$held, sink)
  }))
  comparison_of(made$methods)
}

method_names <- function() {
  known <- options_known("protect")
  known[[match("method", option_names("protect"))]]$choices
}

# Costs and losses are sums over hidden cells: in an environment, which str() leaves alone.
comparison_of <- function(methods) {
  kept <- new.env(parent = emptyenv())
  kept$methods <- methods
  structure(list(names = vapply(methods, function(entry) entry$method, ""), kept = kept),
            class = "sdc_comparison")
}

as.data.frame.sdc_comparison <- function(x, row.names = NULL, optional = FALSE, ...) {
  check_dots(list(...), frame_arguments, "as.data.frame")
  rows <- lapply(x$kept$methods, flat_row)
  names <- unique(unlist(lapply(rows, names)))
  columns <- lapply(names, function(name) {
    unlist(lapply(rows, function(row) if (is.null(row[[name]])) NA else row[[name]]))
  })
  as.data.frame(stats::setNames(columns, names), stringsAsFactors = FALSE)
}

# Nested entries under the names of both: information_loss_cells.
flat_row <- function(entry, prefix = "") {
  row <- list()
  for (name in names(entry)) {
    value <- entry[[name]]
    if (is.list(value)) {
      row <- c(row, flat_row(value, paste0(prefix, name, "_")))
    } else if (length(value) == 1L) {
      row[[paste0(prefix, name)]] <- value
    }
  }
  row
}
