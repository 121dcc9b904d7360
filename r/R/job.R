# SPDX-License-Identifier: Apache-2.0
# Arguments as a job file (TOML): the same text that the command line would read, in memory.
# Whatever an argument says goes through the reader of jobs, with its checks and its messages; the
# lines remember the arguments they were made of, so that errors can name them.

memory_path <- "memory:/"  # names of what is not a file begin so

# lines: the text; arguments: of each line; inputs: texts and data frames by the names that the job
# gives them; dims: the names of the dimensions, once they are written.
new_job <- function() {
  job <- new.env(parent = emptyenv())
  job$lines <- character()
  job$arguments <- character()
  job$inputs <- list()
  job$dims <- character()
  class(job) <- "lacuna_job"
  job
}

job_section <- function(job, header, argument) {
  job_line(job, paste0("[", header, "]"), argument)
}

# A line, unless the value is NULL.
job_set <- function(job, key, value, argument = key) {
  if (!is.null(value))
    job_line(job, paste(toml_key(key), "=", toml_text(value, argument)), argument)
  invisible(job)
}

# A section with several lines, all of one argument; nothing if there are none.
job_section_of <- function(job, header, entries, argument) {
  entries <- Filter(Negate(is.null), as.list(entries))
  if (!length(entries))
    return(invisible(job))
  keys <- names(entries)
  if (is.null(keys) || anyNA(keys) || !all(nzchar(keys)))
    stop_input("give a list in which every entry has a name", argument)
  job_section(job, header, argument)
  for (i in seq_along(entries))
    job_set(job, keys[i], entries[[i]], argument)
  invisible(job)
}

job_text <- function(job) paste0(paste(job$lines, collapse = "\n"), "\n")

job_line <- function(job, line, argument) {
  job$lines <- c(job$lines, line)
  job$arguments <- c(job$arguments, argument)
  invisible(job)
}

# A small table as separated text.
job_add_csv <- function(job, name, data) {
  file <- paste0(memory_path, name, ".csv")
  job$inputs[[file]] <- csv_text(data)
  file
}

print.lacuna_job <- function(x, ...) {
  cat("<a job of ", length(x$lines), " lines: job_text() has them>\n", sep = "")
  invisible(x)
}

# A value as TOML has it: one text, number or truth value; a vector of another length or a list
# without names is an array, a list with names is a table.
toml_text <- function(value, argument = "") {
  if (is.factor(value))
    value <- as.character(value)
  if (is.list(value))
    return(toml_list(value, argument))
  if (!is.character(value) && !is.logical(value) && !is.numeric(value))
    stop_input(paste(kind_of(value), "is neither text, number, truth value nor list"), argument)
  if (anyNA(value))
    stop_input("NA says nothing: leave it out, or give a value", argument)
  texts <- if (is.logical(value))
    ifelse(value, "true", "false")
  else if (is.character(value))
    vapply(value, toml_string, "", argument = argument, USE.NAMES = FALSE)
  else
    vapply(value, number_text, "", argument = argument, USE.NAMES = FALSE)
  if (length(texts) == 1L && !inherits(value, "AsIs"))
    return(texts)
  paste0("[", paste(texts, collapse = ", "), "]")
}

toml_list <- function(value, argument) {
  value <- Filter(Negate(is.null), value)
  texts <- vapply(value, toml_text, "", argument = argument, USE.NAMES = FALSE)
  if (is.null(names(value)))
    return(paste0("[", paste(texts, collapse = ", "), "]"))
  paste0("{ ", paste(toml_key(names(value)), "=", texts, collapse = ", "), " }")
}

# Bare where TOML allows it.
toml_key <- function(key) {
  bare <- grepl("^[A-Za-z0-9_-]+$", key, perl = TRUE)
  ifelse(bare, key, vapply(key, toml_string, "", USE.NAMES = FALSE))
}

toml_string <- function(text, argument = "") {
  text <- utf8_text(text, argument)
  text <- gsub("\\", "\\\\", text, fixed = TRUE)
  text <- gsub("\"", "\\\"", text, fixed = TRUE)
  text <- gsub("\n", "\\n", text, fixed = TRUE)
  text <- gsub("\r", "\\r", text, fixed = TRUE)
  text <- gsub("\t", "\\t", text, fixed = TRUE)
  code <- utf8ToInt(text)
  control <- code < 0x20 | code == 0x7f
  if (any(control)) {
    signs <- intToUtf8(code, multiple = TRUE)
    signs[control] <- sprintf("\\u%04X", code[control])
    text <- paste(signs, collapse = "")
  }
  paste0("\"", text, "\"")
}

# In UTF-8, whatever encoding a text is marked with. Text without a mark is UTF-8 if it can be, else
# what the locale says; where that is nothing, it has lost its meaning, and a guess would make two
# codes of one.
utf8_text <- function(text, where = "") {
  if (is.character(text) && .Call(C_is_ascii, text))
    return(text)  # as nearly all are
  unmarked <- which(Encoding(text) == "unknown" & !is.na(text))
  plain <- unmarked[validUTF8(text[unmarked])]
  Encoding(text[plain]) <- "UTF-8"
  broken <- setdiff(unmarked, plain)
  if (length(broken) && !l10n_info()[["Latin-1"]]) {
    stop_input(paste0("a text (number ", broken[1L], ") is not UTF-8: read the file with its ",
                      "encoding, as in fileEncoding = \"latin1\", or use iconv()"), where)
  }
  enc2utf8(text)
}

# The shortest digits that give the same number again, without an exponent, which a job does not
# take, and whatever options(OutDec =) says.
number_text <- function(value, argument = "") {
  if (inherits(value, "integer64"))
    stop_input("of class integer64: as.numeric() makes a number of it that can be used", argument)
  if (is.na(value) || is.infinite(value))
    stop_input("a number is finite", argument)
  if (is.integer(value))
    return(sprintf("%d", value))
  for (digits in 15:17) {
    text <- sprintf("%.*e", digits - 1L, value)
    if (as.numeric(text) == value)
      break
  }
  without_exponent(text)
}

without_exponent <- function(text) {
  parts <- regmatches(text, regexec("^(-?)([0-9])\\.?([0-9]*)e([+-][0-9]+)$", text))[[1L]]
  digits <- sub("0+$", "", paste0(parts[3L], parts[4L]))
  point <- as.integer(parts[5L]) + 1L  # digits before the point
  if (!nzchar(digits))
    return("0")
  if (point <= 0L)
    fixed <- paste0("0.", strrep("0", -point), digits)
  else if (point >= nchar(digits))
    fixed <- paste0(digits, strrep("0", point - nchar(digits)))
  else
    fixed <- paste0(substr(digits, 1L, point), ".", substr(digits, point + 1L, nchar(digits)))
  paste0(parts[2L], fixed)
}

# Codes as text: factors by their labels, numbers as they are written (1e5 is "100000"), NA as NA.
code_text <- function(x, where = "") {
  if (inherits(x, "integer64") && !isNamespaceLoaded("bit64"))
    stop_input("a column of class integer64 needs the package bit64 to be loaded", where)
  if (is.factor(x) || is.character(x))
    return(utf8_text(as.character(x), where))
  if (is.object(x) || is.logical(x) || is.integer(x))
    return(utf8_text(as.character(x), where))
  if (!is.numeric(x))
    stop_input(paste(kind_of(x), "is no column of codes"), where)
  known <- !is.na(x)
  texts <- rep(NA_character_, length(x))
  values <- unique(x[known])
  shown <- vapply(values, number_text, "", argument = where)
  texts[known] <- shown[match(x[known], values)]
  texts
}

# Separated text with every field in quotes; NA is empty.
csv_text <- function(data) {
  quoted <- function(field) {
    field[is.na(field)] <- ""
    paste0("\"", gsub("\"", "\"\"", field, fixed = TRUE), "\"")
  }
  columns <- lapply(data, function(column) quoted(code_text(column)))
  rows <- if (nrow(data)) do.call(paste, c(unname(columns), sep = ",")) else character()
  header <- paste(quoted(utf8_text(names(data))), collapse = ",")
  paste0(paste(c(header, rows), collapse = "\n"), "\n")
}

# Names of columns: NULL, or texts. Numbers are columns by their place, as sdcTable has them.
column_names <- function(given, argument, data = NULL) {
  if (is.null(given))
    return(NULL)
  if (is.numeric(given) && is.data.frame(data)) {
    whole <- !anyNA(given) && all(given == round(given))
    if (!whole || any(given < 1 | given > ncol(data)))
      stop_input(paste("the columns have the numbers 1 to", ncol(data)), argument)
    return(names(data)[given])
  }
  if (is.factor(given))
    given <- as.character(given)
  if (is.list(given) && all(vapply(given, is.character, NA)))
    given <- unlist(given)
  if (!is.character(given) || anyNA(given) || !all(nzchar(given)))
    stop_input(paste("a column has a name, not", kind_of(given)), argument)
  utf8_text(unname(given), argument)
}

column_name <- function(name, argument, data = NULL) {
  name <- column_names(name, argument, data)
  if (length(name) > 1L)
    stop_input(paste("one column, not", length(name)), argument)
  name
}

# Whether every entry of a list has a name of its own.
has_own_names <- function(x) {
  names <- names(x)
  length(x) > 0L && !is.null(names) && !anyDuplicated(names) && !"" %in% names
}
