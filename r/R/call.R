# SPDX-License-Identifier: Apache-2.0
# What every call does with its arguments before the core sees them.

# ---- options: named as on the command line, time_limit or timeLimit for --time-limit

described <- new.env(parent = emptyenv()) # options by command, as the core tells them

options_known <- function(command) {
  if (is.null(described[[command]])) {
    described[[command]] <- answer(.Call(C_describe, command))
  }
  described[[command]]
}

# Options of the command line that write or print: here the results have functions for it.
instead <- c(
  output = "write_release() and write_office() write what comes back",
  public = "write_release() writes it",
  certificate = "certificate() of a release gives it, and verify() takes it",
  json = "summary() of a release tells it",
  quiet = "nothing is printed unless progress = TRUE",
  plot = "plot() does it",
  markdown = "as.data.frame() of what comes back is the table"
)

dashed <- function(names) {
  gsub("_", "-", lower_case(gsub("([a-z0-9])([A-Z])", "\\1_\\2", names)), fixed = TRUE)
}

# Options as the command line would have them; `own` are the other arguments of the call, for hints.
option_texts <- function(options, command, own = character(), known = NULL) {
  if (length(options) && (is.null(names(options)) || any(names(options) == ""))) {
    stop_option("all options are given by name", command)
  }
  options <- options[!vapply(options, is.null, logical(1L))]
  if (is.null(known)) {
    known <- c(option_names(command), option_names("run"))
  }
  for (name in names(options)) {
    check_option(name, known, c(own, gsub("-", "_", known, fixed = TRUE)), command)
  }
  for (name in names(options)[!dashed(names(options)) %in% lists_among(command)]) {
    check_single(options[[name]], name)
  }
  texts <- Map(function(value, name) texts_of_option(value, name), options, names(options))
  stats::setNames(texts, dashed(names(options)))
}

option_names <- function(command) {
  vapply(options_known(command), function(option) option$name, character(1L))
}

# Options that take several values.
lists_among <- function(command) {
  known <- options_known(command)
  types <- vapply(known, function(option) option$type, character(1L))
  option_names(command)[types == "list"]
}

check_single <- function(value, name) {
  if (length(value) != 1L) {
    stop_option(sprintf("it takes one value, not %d", length(value)), name)
  }
  if (is.atomic(value) && is.na(value)) {
    stop_option("NA says nothing: leave it out, or give a value", name)
  }
}

# Commands of the program as functions.
function_of <- c(protect = "protect", audit = "audit", verify = "verify", compare = "compare",
                 report = "report", explain = "explain", infer = "infer", argus = "run_arb",
                 generate = "sdc_generate",
                 write = "write_release", make_ptable = "make_ptable",
                 check_ptable = "check_ptable", convert_ptable = "convert_ptable")

check_option <- function(name, known, hints, command) {
  if (name %in% names(instead)) {
    stop_option(paste("there is no such option here:", instead[[name]]), name)
  }
  if (!dashed(name) %in% known) {
    unknown_argument(name, setdiff(hints, c(names(instead), "input")), function_of[[command]])
  }
}

texts_of_option <- function(value, name) {
  if (is.factor(value)) {
    value <- as.character(value)
  }
  if (!is.atomic(value) || anyNA(value)) {
    stop_option(paste(kind_of(value), "is neither text nor a number"), name)
  }
  if (is.logical(value)) {
    return(ifelse(value, "true", "false"))
  }
  if (is.numeric(value)) {
    return(vapply(value, number_text, "", argument = name, USE.NAMES = FALSE))
  }
  as.character(value)
}

check_threads <- function(threads) {
  is_whole <- is.numeric(threads) && length(threads) == 1L && !is.na(threads) && threads >= 1
  if (!is_whole) {
    stop_option("it must be a whole number of at least 1", "threads")
  }
  threads
}

# ---- releases and the like, in whatever form they are at hand

# The path of a file, or the name under which `held` has what was given instead. Returns both.
named_file <- function(given, name, held, problem = NULL) {
  if (is.null(given)) {
    return(list(path = "", held = held))
  }
  if (is_path(given) && !is_own_frame(given, problem)) {
    return(list(path = path.expand(given), held = held))
  }
  if (is_path(given)) {
    given <- utils::read.csv(given, colClasses = "character", check.names = FALSE,
                             encoding = "UTF-8")
  }
  if (is.list(given) && !is.object(given)) {
    return(linked_files(given, name, held, problem))
  }
  held[[name]] <- held_as(given, name, problem)
  list(path = name, held = held)
}

# Whether a file is what write.csv() makes of as.data.frame() of a release.
is_own_frame <- function(path, problem) {
  if (is.null(problem$value) || !endsWith(lower_case(path), ".csv") || !file.exists(path)) {
    return(FALSE)
  }
  header <- readLines(path, n = 1L, warn = FALSE, encoding = "UTF-8")
  names <- gsub("^\"|\"$", "", unlist(strsplit(header, ",", fixed = TRUE)))
  all(c(problem$value, own_name("state", problem), own_name("suppressed", problem)) %in% names)
}

# One frame per linked table, as tables_of() gives them: files that differ in the name of the table.
linked_files <- function(given, name, held, problem) {
  if (!has_own_names(given) || !all(vapply(given, is_frame, NA))) {
    stop_input("for linked tables, give a list of data frames in which each has its table's name",
               name)
  }
  path <- paste0(name, "_{table}")
  for (table in names(given)) {
    file <- sub("{table}", gsub("[/\\\\]", "_", table), path, fixed = TRUE) # as the core has it
    held[[file]] <- as_frame(released_frame(given[[table]], problem), name)
  }
  list(path = path, held = held)
}

# A frame that as.data.frame() made of a release, under the names that the core has: the value is
# called `value`, and `state` says what `suppressed` says beside it.
released_frame <- function(frame, problem) {
  suppressed <- if (is.null(problem)) "" else own_name("suppressed", problem)
  if (is.null(problem) || !all(c(own_name("state", problem), suppressed) %in% names(frame))) {
    return(frame)
  }
  value <- own_name("value", problem)
  if (!is.null(problem$value) && !value %in% names(frame)) {
    names(frame)[names(frame) == problem$value] <- value
  }
  frame[names(frame) != suppressed]
}

held_as <- function(given, name, problem) {
  if (inherits(given, "sdc_release")) {
    return(answer(.Call(C_release_text, core_of(given))))
  }
  if (inherits(given, "sdc_certificate")) {
    return(given$text)
  }
  if (is_frame(given)) {
    return(as_frame(released_frame(given, problem), name))
  }
  # Numbers of cells would be rows of a data frame, and those have their orders.
  stop_input(paste(kind_of(given), "is not a release: give what protect() made, a file, or a data",
                   "frame of a published table with its codes"), name)
}

# Earlier releases of the same table, as the option that names them.
add_released <- function(texts, released, held, problem = NULL) {
  if (is.null(released)) {
    return(list(texts = texts, held = held))
  }
  several <- if (is.list(released) && !is_frame(released) && !inherits(released, "sdc_release")) {
    released
  } else {
    list(released)
  }
  for (i in seq_along(several)) {
    file <- named_file(several[[i]], paste0("released", i), held, problem)
    held <- file$held
    texts$released <- c(texts$released, file$path)
  }
  list(texts = texts, held = held)
}
