# SPDX-License-Identifier: Apache-2.0
# Calls of the core. What the core refuses comes back as a list of class "lacuna_refusal" and is
# raised here, in the words of the caller, so that no error ever jumps over C++.

version_of_core <- function() .Call(C_version)

# The value of an entry point, or its error. `held` is what the call has handed in by names of its
# own; `of_job` says that the arguments are the job, so that sections of a file mean nothing.
answer <- function(value, held = list(), of_job = FALSE) {
  if (!inherits(value, "lacuna_refusal")) {
    return(value)
  }
  if (identical(value$where, "interrupt")) {
    raise_interrupted("interrupted before there was a result", NULL)
  }
  # The core marks what is confidential in a message, and no marked text gets to R.
  message <- as_arguments(in_words(value$message, held))
  if (of_job) {
    message <- without_sections(message)
  }
  where <- as_arguments(in_words(value$where, held))
  where <- sub("^(-o|public) (?=\\S*[/.])", "", where, perl = TRUE)
  stop(lacuna_error(value$class, message, where, code = value$code, path = value$path))
}

raise_interrupted <- function(message, release) {
  stop(lacuna_error("lacuna_interrupted", message, release = release))
}

# ---- words of the caller

# What was handed in, by the names that held_name() made: "cells.arrow:18:2" is row 17 of `cells`,
# and the one table of a call needs no name.
in_words <- function(text, held) {
  for (name in names(held)) {
    place <- paste0("\\Q", name, "\\E(:[0-9]+:[0-9]+|, (?=row|column))?")
    places <- gregexpr(place, text, perl = TRUE)
    regmatches(text, places) <- lapply(regmatches(text, places), place_in_words, name = name)
  }
  text
}

place_in_words <- function(found, name) {
  title <- held_title(name)
  line <- suppressWarnings(as.integer(sub(":[0-9]+$", "", substring(found, nchar(name) + 2L))))
  lines <- if (endsWith(name, ".json")) paste("line", line)
           else ifelse(line > 1L, paste("row", line - 1L), "names of columns")
  rest <- paste0(title, substring(found, nchar(name) + 1L))
  ifelse(!is.na(line), paste0(title, ", ", lines),
         if (title %in% c("table", "records")) "" else rest)
}

# Options of the command line, --time-limit, as the arguments that they are here.
as_arguments <- function(text) {
  places <- gregexpr("--[a-z][a-z-]*[a-z]", text)
  regmatches(text, places) <- lapply(regmatches(text, places), function(found) {
    gsub("-", "_", sub("^--", "", found), fixed = TRUE)
  })
  text <- gsub("unasked publish", "unasked = \"publish\"", text, fixed = TRUE)
  gsub("\\b(round_totals|totals) = (\\S+)( in \\[input\\])?", "\\1 = \\2", text)
}

# Columns of a job over records by the arguments that name them.
column_arguments_of <- c(value = "numVar", respondent = "contributorVar", holding = "holdingVar",
                         weight = "sWeightVar", request = "requestVar", waiver = "waiverVar")

# Sentences of the core speak to who writes a job file, and name its sections; of a call they are
# arguments. Each entry is a text of the core and what it is here.
words_here <- c(
  "[columns] with request = \"<column>\"" = "the argument requestVar",
  " in [input]" = "", " in [columns]" = "", " in its [[dimension]]" = "",
  " in [levels]" = "", " in [bounds]" = "", " in [weights]" = "", " in [defaults]" = "",
  "[[dimension]]" = "dimVar", "[[rule]]" = "rules", "[[attacker]]" = "attackers",
  "[[table]]" = "tables", "[columns]" = "the call", "[input]" = "the call", "[weights]" = "costs",
  "[levels]" = "levels", "[bounds]" = "bounds", "[defaults]" = "defaults",
  "[status_words] of the job" = "status_words", "[apriori]" = "apriori",
  "[attackers]" = "attackers",
  "= true" = "= TRUE", "[\"MAX\"]" = "\"MAX\"",
  "expected a string in quotes" = "expected a text",
  "the file has no column" = "there is no column",
  "which must be allowed expressly" = "which must be allowed expressly: negative = TRUE does",
  "the value is empty" = "the value is empty: empty_value = \"zero\" or \"drop\" allows that",
  "use fewer decimals or a larger unit" =
    "use fewer decimals or a larger unit: decimals = 2, round = TRUE rounds them",
  "say whether such records are dropped or get a code of their own" =
    "say whether such records are dropped or get a code of their own: hier_missing() does"
)

without_sections <- function(text) {
  for (words in names(words_here)) {
    text <- gsub(words, words_here[[words]], text, fixed = TRUE)
  }
  text
}
