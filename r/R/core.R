# SPDX-License-Identifier: Apache-2.0
# Calls of the core. What the core refuses comes back as a list of class "lacuna_refusal" and is
# raised here, in the words of the caller, so that no error ever jumps over C++.

version_of_core <- function() .Call(C_version)

# The value of an entry point, or its error; `of_job` says that the arguments are the job, so that
# sections of a file mean nothing.
answer <- function(value, of_job = FALSE) {
  if (!inherits(value, "lacuna_refusal")) {
    return(value)
  }
  if (identical(value$where, "interrupt")) {
    raise_interrupted("interrupted before there was a result", NULL)
  }
  # The core marks what is confidential in a message, and no marked text gets to R.
  message <- as_arguments(value$message)
  if (of_job) {
    message <- without_sections(message)
  }
  where <- sub("^(-o|public) (?=\\S*[/.])", "", as_arguments(value$where), perl = TRUE)
  stop(lacuna_error(value$class, message, where, code = value$code, path = value$path))
}

raise_interrupted <- function(message, release) {
  stop(lacuna_error("lacuna_interrupted", message, release = release))
}

# ---- words of the caller

# Options of the command line, --time-limit, as the arguments that they are here.
as_arguments <- function(text) {
  places <- gregexpr("--[a-z][a-z-]*[a-z]", text)
  regmatches(text, places) <- lapply(regmatches(text, places), function(found) {
    gsub("-", "_", sub("^--", "", found), fixed = TRUE)
  })
  text
}

# Sentences of the core speak to who writes a job file, and name its sections; of a call they are
# arguments. Each entry is a text of the core and what it is here.
words_here <- c(
  "[[dimension]]" = "dimVar", "[[rule]]" = "rules", "[[attacker]]" = "attackers",
  "[[table]]" = "tables", "[columns]" = "the call", "[input]" = "the call", "[weights]" = "costs",
  "[levels]" = "levels", "[bounds]" = "bounds", "[defaults]" = "defaults",
  "[attackers]" = "attackers",
  "the file has no column" = "there is no column",
  "use fewer decimals or a larger unit" =
    "use fewer decimals or a larger unit: decimals = 2, round = TRUE rounds them"
)

without_sections <- function(text) {
  for (words in names(words_here)) {
    text <- gsub(words, words_here[[words]], text, fixed = TRUE)
  }
  text
}
