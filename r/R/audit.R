# SPDX-License-Identifier: Apache-2.0
# Audits: what is proven of a release, whoever made it.

audit <- function(problem, release = NULL, ..., released = NULL, progress = FALSE,
                  threads = getOption("lacuna.threads", 2L)) {
  if (inherits(problem, "sdc_release") && is.null(release)) {
    again <- again_audit_of(problem)
    return(audit_of(again(), again))
  }
  table <- as_problem(problem, threads)
  pattern <- named_file(release, "release", list(), table)
  texts <- option_texts(list(threads = check_threads(threads), ...), "audit",
                        names(formals(audit)))
  with_released <- add_released(texts, released, pattern$held, table)
  core <- answer(listening(progress, function(sink) {
    .Call(C_audit, core_of(table), pattern$path, with_released$texts, with_released$held, sink)
  }))
  audit_of(core, again_audit(table, pattern$path, with_released$texts, with_released$held))
}

audit_of <- function(core, again = NULL) {
  info <- answer(.Call(C_audit_info, core))
  structure(list(verdict = info$verdict, kinds = kinds_of(info), info = info,
                 kept = kept_of(core, again)), class = "sdc_audit")
}

# Of a table of counts: kinds of disclosure as rows, verdicts as columns; NULL of other tables.
kinds_of <- function(info) {
  if (!length(info$kinds)) {
    return(NULL)
  }
  verdicts <- c("protected", "exposed", "undecided", "waived")
  numbers <- lapply(verdicts, function(verdict) vapply(info$kinds, `[[`, 1, verdict,
                                                       USE.NAMES = FALSE))
  data.frame(kind = names(info$kinds), stats::setNames(numbers, verdicts),
             stringsAsFactors = FALSE)
}

as.data.frame.sdc_audit <- function(x, row.names = NULL, optional = FALSE, ...,
                                    confidential = FALSE, counts = FALSE) {
  check_dots(list(...), c("confidential", "counts", frame_arguments), "as.data.frame")
  if (isTRUE(counts)) {
    if (!isTRUE(confidential)) {
      stop_option(paste("what can be inferred of counts is for the office: say confidential = TRUE",
                        "too; $kinds has the verdicts alone"), "counts")
    }
    return(answer(.Call(C_audit_counts, core_of(x))))
  }
  if (isTRUE(confidential)) {
    return(answer(.Call(C_audit_findings, core_of(x))))
  }
  answer(.Call(C_audit_verdicts, core_of(x)))
}

verify <- function(problem, certificate, release = NULL, ..., released = NULL) {
  table <- as_problem(problem)
  proof <- named_file(certificate, "certificate", list())
  pattern <- named_file(release, "release", proof$held, table)
  texts <- option_texts(list(...), "verify", names(formals(verify)))
  with_released <- add_released(texts, released, pattern$held, table)
  checked <- answer(.Call(C_verify, core_of(table), proof$path, pattern$path, with_released$texts,
                          with_released$held))
  checked$kinds <- kinds_of(checked)
  structure(checked, class = "sdc_verification")
}

certificate <- function(x, ...) UseMethod("certificate")

certificate.default <- function(x, ...) {
  stop_input(paste(kind_of(x), "has no certificate: protect() and audit() make what has one"), "x")
}

certificate.sdc_release <- function(x, ...) {
  certificate_of(answer(.Call(C_release_certificate, core_of(x))))
}

certificate.sdc_audit <- function(x, ...) {
  certificate_of(answer(.Call(C_audit_certificate, core_of(x))))
}

certificate_of <- function(text) structure(list(text = text), class = "sdc_certificate")

write_certificate <- function(x, file) {
  if (!inherits(x, "sdc_certificate")) {
    x <- certificate(x)
  }
  connection <- base::file(path_of(file), "wb")
  on.exit(close(connection))
  writeBin(charToRaw(x$text), connection)
  invisible(file)
}
