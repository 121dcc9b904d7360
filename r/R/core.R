# SPDX-License-Identifier: Apache-2.0
# Calls of the core. What the core refuses comes back as a list of class "lacuna_refusal" and is
# raised here, in the words of the caller, so that no error ever jumps over C++.

version_of_core <- function() .Call(C_version)

# The value of an entry point, or its error.
answer <- function(value) {
  if (!inherits(value, "lacuna_refusal")) {
    return(value)
  }
  if (identical(value$where, "interrupt")) {
    raise_interrupted("interrupted before there was a result", NULL)
  }
  # The core marks what is confidential in a message, and no marked text gets to R; it has put
  # arguments in the place of what it marks as keys and options (r/src/words.cpp).
  stop(lacuna_error(value$class, value$message, value$where, code = value$code,
                    path = value$path))
}

raise_interrupted <- function(message, release) {
  stop(lacuna_error("lacuna_interrupted", message, release = release))
}
