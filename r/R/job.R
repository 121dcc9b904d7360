# SPDX-License-Identifier: Apache-2.0
# Arguments as a job: sections of keys as lists of R, which the core takes as they are and reads
# with the checks that a job file gets. Every value carries the argument that it was given by, as
# its attribute "argument": that is the place which errors name.

# value: the sections; held: data frames and texts by the names that the job has for them; dims: the
# names of the dimensions, once they are added.
new_job <- function() {
  job <- new.env(parent = emptyenv())
  job$value <- job_table(list(), "data")
  job$held <- list()
  job$dims <- character()
  class(job) <- "lacuna_job"
  job
}

# Sections, each once, and those that may stand several times, such as rules.
job_section <- function(job, section, entries, argument) {
  job$value[[section]] <- job_table(entries, argument)
  invisible(job)
}

job_add <- function(job, section, entries, argument) {
  all <- c(job$value[[section]], list(job_table(entries, argument)))
  job$value[[section]] <- structure(all, argument = sub(": .*", "", argument))
  invisible(job)
}

# A key of a section, unless the value is NULL.
job_set <- function(job, section, key, value, argument = key) {
  if (!is.null(value))
    job$value[[section]][[key]] <- job_value(value, argument)
  invisible(job)
}

# The published rules that the job names, unless NULL: a name, or a file.
job_policy <- function(job, policy) {
  if (!is.null(policy)) {
    if (!is_path(policy))
      stop_input("the name of a policy, or the path of its file", "policy")
    job$value[["policy"]] <- job_value(policy, "policy")
  }
  invisible(job)
}

# A section that one argument gives; none without entries.
job_section_of <- function(job, section, entries, argument) {
  entries <- Filter(Negate(is.null), as.list(entries))
  if (!length(entries))
    return(invisible(job))
  keys <- names(entries)
  if (is.null(keys) || anyNA(keys) || !all(nzchar(keys)))
    stop_input("give a list in which every entry has a name", argument)
  job_section(job, section, entries, argument)
}

# The job as a file would have it (TOML).
job_text <- function(job) answer(.Call(C_job_text, job$value))

print.lacuna_job <- function(x, ...) {
  cat("<a job of ", length(x$value), " sections: job_text() has them>\n", sep = "")
  invisible(x)
}

job_table <- function(entries, argument) {
  entries <- lapply(Filter(Negate(is.null), entries), job_value, argument = argument)
  names(entries) <- if (length(entries)) utf8_text(names(entries), argument) else character()
  structure(entries, argument = argument)
}

# A value as the core takes it (r/src/job.cpp): a list with names is a table of keys, one without is
# a list, and so is a vector of another length than one, or in I(). Numbers are exact texts.
job_value <- function(value, argument) {
  if (is.factor(value))
    value <- as.character(value)
  if (is.list(value) && !is.null(names(value)))
    return(job_table(value, argument))
  if (is.list(value))
    return(structure(lapply(value, job_value, argument = argument), argument = argument))
  if (!is.character(value) && !is.logical(value) && !is.numeric(value))
    stop_input(paste(kind_of(value), "is neither text, number, truth value nor list"), argument)
  if (anyNA(value))
    stop_input("NA says nothing: leave it out, or give a value", argument)
  structure(
    if (is.character(value)) utf8_text(as.vector(unclass(value)), argument)
    else if (is.logical(value)) as.vector(unclass(value))
    else vapply(value, number_text, "", argument = argument, USE.NAMES = FALSE),
    is_number = is.numeric(value), is_list = length(value) != 1L || inherits(value, "AsIs"),
    argument = argument
  )
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
    stop_input("a number must be finite", argument)
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
    stop_input(paste(kind_of(x), "is not a column of codes"), where)
  known <- !is.na(x)
  texts <- rep(NA_character_, length(x))
  values <- unique(x[known])
  shown <- vapply(values, number_text, "", argument = where)
  texts[known] <- shown[match(x[known], values)]
  texts
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
    stop_input(paste("a column must have a name, not", kind_of(given)), argument)
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
