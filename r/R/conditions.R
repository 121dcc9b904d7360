# SPDX-License-Identifier: Apache-2.0
# What can go wrong, as conditions. Messages hold codes, names and counts, never a respondent or a
# value. The message that R shows is "where: what"; both parts are fields of their own.

lacuna_error <- function(class, message, where = "", ...) {
  where <- if (is.null(where)) "" else as.character(where)
  shown <- if (nzchar(where)) paste0(where, ": ", message) else message
  structure(
    class = unique(c(class, "lacuna_error", "error", "condition")),
    list(message = shown, call = NULL, what = message, where = where, ...)
  )
}

# Data that cannot be used.
stop_input <- function(message, where = "") {
  stop(lacuna_error("lacuna_input_error", message, where))
}

# An argument that does not exist, or a value that it cannot have.
stop_option <- function(message, where = "") {
  stop(lacuna_error("lacuna_option_error", message, where))
}

# Something that is understood and cannot be done.
stop_unsupported <- function(message, where = "") {
  stop(lacuna_error("lacuna_unsupported", message, where))
}

# "A, B and C", at most so many of them.
words_of <- function(words, most = 5L) {
  words <- as.character(words)
  if (length(words) > most)
    words <- c(words[seq_len(most)], paste(length(words) - most, "more"))
  if (length(words) < 2L)
    return(words)
  last <- length(words)
  paste(paste(words[-last], collapse = ", "), "and", words[last])
}

in_quotes <- function(text) paste0("'", text, "'", recycle0 = TRUE)

# What an object is, for sentences: never what it holds.
kind_of <- function(x) {
  if (is.null(x))
    return("NULL")
  if (is.data.frame(x))
    return("a data frame")
  kind <- class(x)[1L]
  paste(if (grepl("^([aeio]|sdc_)", kind)) "an" else "a", kind)
}
