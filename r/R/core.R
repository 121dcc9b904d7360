# SPDX-License-Identifier: Apache-2.0
# Calls of the core. What the core refuses comes back as a list of class "lacuna_refusal" and is
# raised here, in the words of the caller, so that no error ever jumps over C++.

version_of_core <- function() .Call(C_version)

# The value of an entry point, or its error. `arguments` says which argument each line of a job in
# memory was made of.
answer <- function(value, arguments = character()) {
  if (!inherits(value, "lacuna_refusal")) {
    return(value)
  }
  if (identical(value$where, "interrupt")) {
    raise_interrupted("interrupted before there was a result", NULL)
  }
  # The core marks what is confidential in a message, and no marked text gets to R.
  message <- in_words(value$message, arguments)
  stop(lacuna_error(value$class, message, in_words(value$where, arguments)))
}

raise_interrupted <- function(message, release) {
  stop(lacuna_error("lacuna_interrupted", message, release = release))
}

# ---- words: places in a job that nobody has written are arguments of the call

in_words <- function(text, arguments) {
  text <- in_arguments(text, arguments)
  text <- in_rows(text)
  text <- as_arguments(text)
  if (length(arguments)) {
    text <- without_sections(text)
  }
  text <- gsub("memory:/certificate.json", "certificate", text, fixed = TRUE)
  sub("^(-o|public) (?=\\S*[/.])", "", gsub("memory:/", "", text, fixed = TRUE), perl = TRUE)
}

# "memory:/table.toml:12:3" is the argument that line 12 was made of.
in_arguments <- function(text, arguments) {
  places <- gregexpr("memory:/[^:]*\\.toml:[0-9]+:[0-9]+", text)
  regmatches(text, places) <- lapply(regmatches(text, places), function(found) {
    lines <- as.integer(sub(".*\\.toml:([0-9]+):[0-9]+$", "\\1", found))
    named <- arguments[lines]
    ifelse(is.na(named), "the job", named)
  })
  text
}

# "memory:/cells.arrow:18:2" is row 17 of what was handed in as `cells`.
in_rows <- function(text) {
  places <- gregexpr("memory:/[^,:]*\\.(arrow|txt|csv|json):[0-9]+:[0-9]+", text)
  regmatches(text, places) <- lapply(regmatches(text, places), function(found) {
    name <- sub("^memory:/(.*)\\.[a-z]+:[0-9]+:[0-9]+$", "\\1", found)
    kind <- sub("^memory:/.*\\.([a-z]+):[0-9]+:[0-9]+$", "\\1", found)
    line <- as.integer(sub(".*:([0-9]+):[0-9]+$", "\\1", found))
    row <- ifelse(line > 1L, paste0(", row ", line - 1L), ", names of columns")
    ifelse(kind == "json", paste0(name, ", line ", line),
           ifelse(kind == "txt", paste0(name, ", number ", line), paste0(name, row)))
  })
  text <- gsub("memory:/(table|records)\\.arrow(, )?", "", text)
  gsub("memory:/([^,:]*)\\.arrow", "\\1", text)
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

sections <- c(
  "[[dimension]]" = "dimVar", "[[rule]]" = "rules", "[[attacker]]" = "attackers",
  "[[table]]" = "tables", "[columns]" = "the call", "[input]" = "the call", "[weights]" = "costs"
)

remedies <- c(
  "which must be allowed expressly" = "negative = TRUE does",
  "the value is empty" = "empty_value = \"zero\" or \"drop\" allows that",
  "use fewer decimals or a larger unit" = "decimals = 2, round = TRUE rounds them",
  "say whether such records are dropped or get a code of their own" =
    "hier_missing() of a hierarchy does"
)

# Columns of a job over records by the arguments that name them.
column_arguments_of <- c(value = "numVar", respondent = "contributorVar", holding = "holdingVar",
                         weight = "sWeightVar", request = "requestVar", waiver = "waiverVar")

without_sections <- function(text) {
  text <- gsub(" in \\[\\[?\\w+\\]\\]?", "", text)
  text <- gsub("= true\\b", "= TRUE", text)
  for (section in names(sections)) {
    text <- gsub(section, sections[[section]], text, fixed = TRUE)
  }
  text <- gsub("\\[(levels|bounds|defaults|status_words|apriori|attackers)\\]", "\\1", text)
  text <- gsub("expected a string in quotes", "expected a text", text, fixed = TRUE)
  for (column in names(column_arguments_of)) {
    text <- gsub(paste0("the call with ", column, " = \"<column>\""),
                 paste("the argument", column_arguments_of[[column]]), text, fixed = TRUE)
  }
  text <- gsub("the file has no column", "there is no column", text, fixed = TRUE)
  text <- gsub("= \\[(\"[^]]*\")\\]", "= \\1", text) # one name of a list is a text
  for (words in names(remedies)) {
    text <- gsub(words, paste0(words, ": ", remedies[[words]]), text, fixed = TRUE)
  }
  text
}
