# SPDX-License-Identifier: Apache-2.0
# What objects show of themselves: of releases what is published, of all else counts. No cost, which
# is a sum over hidden cells and can give one of them away. What is printed is kept in logs,
# notebooks and mails; true values come from as.data.frame() alone, where they are asked for.

count <- function(n) {
  format(n, big.mark = ",", decimal.mark = ".", scientific = FALSE, trim = TRUE)
}

# "1 cell", "1,200 cells"
counted <- function(n, one, many = paste0(one, "s")) paste(count(n), ifelse(n == 1, one, many))

print_lines <- function(x) {
  cat(paste0(format(x), "\n"), sep = "")
  invisible(x)
}

# ---- problems

format.sdc_problem <- function(x, ...) {
  info <- x$info
  what <- if (inherits(x, "sdc_table")) "A table of records" else "A table"
  sizes <- vapply(info$dimensions, function(each) length(each$codes), 1L)
  c(
    sprintf("%s: %s, %s", what, counted(info$counts$cells, "cell"),
            counted(info$counts$equations, "equation")),
    paste0("  dimensions: ", if (length(sizes)) {
      words_of(sprintf("%s (%s)", names(sizes), counted(sizes, "code")), 8L)
    } else {
      "not named"
    }),
    if (length(info$tables)) paste0("  linked tables: ", words_of(names(info$tables), 6L)),
    sprintf("  %s, %s", counted(info$counts$sensitive, "sensitive cell"),
            counted(info$counts$requirements, "requirement")),
    paste0("  attackers: ", info$attackers),
    if (length(info$notes)) {
      paste0("  ", counted(length(info$notes), "note"), ": see notes()")
    }
  )
}

print.sdc_problem <- function(x, ...) print_lines(x)

summary.sdc_problem <- function(object, ...) {
  structure(list(lines = c(format(object), paste0("  note: ", object$info$notes, recycle0 = TRUE))),
            class = "sdc_summary")
}

# ---- releases

format.sdc_release <- function(x, ...) {
  c(
    sprintf("A release: %s by %s", x$verdict, x$method),
    sprintf("  %s of %s withheld; %s sensitive", count(x$suppressed), counted(x$cells, "cell"),
            counted(x$primary, "is", "are")),
    sprintf("  %s, %s, %.2f s", gap_text(x$gap), x$status, x$seconds),
    if (length(x$note) && nzchar(x$note)) paste0("  ", x$note),
    "  as.data.frame() has what is published"
  )
}

# A cost without end has no gap.
gap_text <- function(gap) if (length(gap) && is.finite(gap)) sprintf("gap %.2f%%", 100 * gap) else
  "no gap known"

print.sdc_release <- function(x, ...) print_lines(x)

summary.sdc_release <- function(object, ...) {
  lines <- c(
    format(object),
    states_line(object),
    paste0("  attackers: ", object$problem$info$attackers),
    sprintf("  %s, seed %s, engine %s, %s", counted(object$threads, "thread"),
            format(object$seed, scientific = FALSE), object$engine,
            if (isTRUE(object$reproducible)) "reproducible" else "not reproducible"),
    paste0("  note: ", object$notes, recycle0 = TRUE)
  )
  structure(list(lines = lines), class = "sdc_summary")
}

# Nothing of what readers would see, unless it may go to them.
states_line <- function(release) {
  if (!isTRUE(release$kept$is_public)) {
    return(NULL)
  }
  states <- table(as.data.frame(release)[[own_name("state", release)]])
  paste0("  states: ", paste(count(states), names(states), collapse = ", "))
}

# ---- audits

format.sdc_audit <- function(x, ...) {
  counts <- x$info$counts
  c(
    paste0("An audit: ", x$info$verdict),
    asked_line(x$info$verdict, counts),
    kind_lines(x$kinds),
    paste0("  note: ", x$info$limits, recycle0 = TRUE),
    sprintf("  %.2f s, engine %s", x$info$seconds, x$info$engine)
  )
}

asked_line <- function(verdict, counts) {
  if (verdict == "unasked") {
    return(if (counts$unasked > 0)
      paste("  nothing was asked except that sensitive numbers are not printed: readers may know",
            "them") else
      "  no cell is marked as sensitive: nothing was asked, and it is not known what it discloses")
  }
  sprintf("  %s of %s proven, %s refuted, %s open%s%s", count(counts$protected),
          counted(counts$requirements - counts$unasked, "requirement"), count(counts$exposed),
          count(counts$undecided),
          if (counts$waived > 0) paste0(", ", count(counts$waived), " waived") else "",
          if (counts$unasked > 0) paste0("; ", count(counts$unasked), " ask for nothing") else "")
}

kind_lines <- function(kinds) {
  if (is.null(kinds)) {
    return(NULL)
  }
  sprintf("  counts, %s: %s protected, %s exposed, %s undecided%s", kinds$kind,
          count(kinds$protected), count(kinds$exposed), count(kinds$undecided),
          ifelse(kinds$waived > 0, paste0(", ", count(kinds$waived), " waived"), ""))
}

print.sdc_audit <- function(x, ...) print_lines(x)

summary.sdc_audit <- function(object, ...) {
  cells <- with_our_names(as.data.frame(object), c("verdict", "attackers"))
  bad <- cells[!cells[["verdict"]] %in% c("protected", "unasked"), , drop = FALSE]
  shown <- utils::head(bad, 5L)
  listed <- apply(as.matrix(shown[seq_len(ncol(shown) - 2L)]), 1L, paste, collapse = " x ")
  lines <- c(
    format(object),
    paste0("  ", shown[["verdict"]], ": ", listed, recycle0 = TRUE),
    if (nrow(bad) > 5L) paste("  and", counted(nrow(bad) - 5L, "more cell")),
    paste0("  note: ", object$info$notes, recycle0 = TRUE)
  )
  structure(list(lines = lines), class = "sdc_summary")
}

format.sdc_verification <- function(x, ...) {
  said <- if (x$verdict == "unasked") "nothing was asked" else
    sprintf("%s of %s proven", count(x$counts$protected),
            counted(x$counts$requirements - x$counts$unasked, "requirement"))
  sprintf("A certificate, checked without a solver: %s; %s", x$verdict, said)
}

print.sdc_verification <- function(x, ...) print_lines(x)

format.sdc_certificate <- function(x, ...) {
  sprintf("A certificate of %s characters: write_certificate() writes it, verify() checks it",
          count(nchar(x$text, "bytes")))
}

# A page of the office has all values: printing it would leave them in logs.
format.sdc_report <- function(x, ...) {
  sprintf("A report of %s characters in HTML: report(file = \"page.html\") writes it",
          count(nchar(x, "bytes")))
}

print.sdc_report <- function(x, ...) print_lines(x)

print.sdc_certificate <- function(x, ...) print_lines(x)

# ---- comparisons

format.sdc_comparison <- function(x, ...) {
  rows <- lapply(x$kept$methods, flat_row)
  c("Methods side by side (as.data.frame() has losses and risks):",
    vapply(rows, comparison_line, ""))
}

comparison_line <- function(row) {
  if (is.null(row$verdict)) {
    return(sprintf("  %-9s %s", row$method, row$message))
  }
  gap <- if (is.null(row$objective) || is.null(row$bound) || row$objective <= 0) 0 else
    1 - row$bound / row$objective
  sprintf("  %-9s %s, %s cells changed or withheld, gap %.2f%%", row$method, row$verdict,
          count(row$information_loss_cells), 100 * gap)
}

print.sdc_comparison <- function(x, ...) print_lines(x)

summary.sdc_comparison <- function(object, ...) {
  structure(list(lines = format(object)), class = "sdc_summary")
}

# ---- jobs of tau-ARGUS

format.sdc_arb <- function(x, ...) {
  done <- table(x$notes$done)
  c(
    sprintf("A job of tau-ARGUS: %s, %s written", counted(length(x$tables), "table"),
            counted(length(x$written), "file")),
    paste0("  commands: ", paste(count(done), names(done), collapse = ", ")),
    utils::head(vapply(x$tables, function(table) paste0("  ", format(table)), ""), 7L)
  )
}

print.sdc_arb <- function(x, ...) print_lines(x)

summary.sdc_arb <- function(object, ...) {
  notes <- object$notes[object$notes$done != "done" | nzchar(object$notes$note), , drop = FALSE]
  lines <- c(format(object), sprintf("  line %d %s: %s%s", notes$line, trimws(notes$command),
                                     notes$done, ifelse(nzchar(notes$note),
                                                        paste0(": ", notes$note), "")))
  structure(list(lines = lines), class = "sdc_summary")
}

format.sdc_arb_table <- function(x, ...) {
  counts <- unlist(x$counts)
  sprintf("%s: %s; %s", x$name, if (x$is_public) "public" else "not protected",
          paste(count(counts), tolower(names(counts)), collapse = ", "))
}

print.sdc_arb_table <- function(x, ...) print_lines(x)

# ---- common

print.sdc_summary <- function(x, ...) {
  cat(paste0(x$lines, "\n"), sep = "")
  invisible(x)
}

notes <- function(x) {
  check_class(x, c("sdc_problem", "sdc_release", "sdc_audit", "sdc_arb"), "x",
              "sdc_problem(), protect(), audit() or run_arb()")
  if (inherits(x, "sdc_release") || inherits(x, "sdc_arb")) x$notes else x$info$notes
}

# ---- plots

plot.sdc_audit <- function(x, ...) {
  findings <- with_our_names(
    as.data.frame(x, confidential = TRUE),
    c("attacker", "value", "lower_level", "upper_level", "sliding_level", "lower", "upper",
      "verdict", "reason")
  )
  invisible(plot_widths(findings, ...))
}

# Our columns are the last ones; dimensions of the same names get others.
with_our_names <- function(frame, ours) {
  last <- seq_along(ours) + ncol(frame) - length(ours)
  names(frame) <- make.unique(c(names(frame)[-last], ours))
  names(frame)[-last] <- paste("dimension", names(frame)[-last])
  names(frame)[last] <- ours
  frame
}

plot.sdc_release <- function(x, ...) {
  invisible(plot_map(as.data.frame(x), dimensions(x), state = own_name("state", x), ...))
}

plot.sdc_comparison <- function(x, ...) {
  invisible(plot_methods(as.data.frame(x), ...))
}
