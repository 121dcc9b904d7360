# SPDX-License-Identifier: Apache-2.0
# What objects hold in the core is gone in another session, on a worker of a cluster, or in a cached
# chunk: saveRDS() keeps a pointer that points to nothing. So every object also keeps, in an
# environment that all its copies share, how it is made again: a table from its data or its file, a
# release from its result, which is audited again, and an audit by auditing. That takes place when
# it is first asked for something.

# An environment with the pointer and `again`, a function that makes it.
kept_of <- function(core, again, ...) {
  kept <- list2env(list(...), parent = emptyenv())
  kept$core <- core
  kept$again <- again
  kept
}

core_of <- function(x) {
  kept <- x$kept
  if (!.Call(C_is_held, kept$core)) {
    if (is.null(kept$again)) {
      stop_input(paste("the object was made in another session, and its contents are gone: make it",
                       "again"))
    }
    kept$core <- kept$again()
  }
  kept$core
}

# Each of these keeps its arguments and nothing else of the call.

again_read <- function(path, job, records, choices = NULL) {
  force(job)
  force(records)
  force(choices)
  if (!is.null(job)) {
    force(path)
    return(function() read_core(path, job, records, FALSE, getOption("lacuna.threads", 2L)))
  }
  path <- normalizePath(path, mustWork = FALSE)
  was <- file.info(path)[c("size", "mtime")]
  function() {
    if (!identical(file.info(path)[c("size", "mtime")], was)) {
      stop_input("the file has changed since the table was read: read it again", path)
    }
    read_core(path, NULL, records, FALSE, getOption("lacuna.threads", 2L), choices)
  }
}

again_generated <- function(texts) {
  force(texts)
  function() answer(.Call(C_generate, texts))
}

again_release <- function(problem, texts, held, result, run) {
  force(problem)
  force(texts)
  force(held)
  kept <- c(result, run)
  function() answer(.Call(C_restore, core_of(problem), texts, held, kept))
}

again_audit <- function(problem, pattern, texts, held) {
  force(problem)
  force(pattern)
  force(texts)
  force(held)
  function() answer(.Call(C_audit, core_of(problem), pattern, texts, held, NULL))
}

again_audit_of <- function(release) {
  force(release)
  function() answer(.Call(C_release_audit, core_of(release)))
}
