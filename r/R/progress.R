# SPDX-License-Identifier: Apache-2.0
# How far a run is: for a function of the caller, a line in the terminal, or nobody. The core calls
# on R's own thread, twenty times a second at most.

# Runs `call(sink)`, where `sink` is what the core takes for `progress`.
listening <- function(progress, call) {
  if (is.null(progress) || identical(progress, FALSE)) {
    return(call(NULL))
  }
  if (is.function(progress)) {
    return(call(guarded(function(news) progress(told(news)))))
  }
  if (!identical(progress, TRUE)) {
    stop_option("it must be TRUE, FALSE or a function", "progress")
  }
  bar <- progress_bar()
  on.exit(bar$done())
  call(guarded(bar$show))
}

# An error of the function is told to the core, which ends the run.
guarded <- function(listen) {
  function(news) {
    tryCatch({
      listen(news)
      NULL
    }, error = function(problem) conditionMessage(problem))
  }
}

# The gap in place of cost and bound, which are sums over hidden cells: logs keep what is printed.
told <- function(news) {
  gap <- NA_real_
  if (!is.na(news$incumbent) && !is.na(news$bound) && news$incumbent > 0) {
    gap <- min(1, max(0, 1 - news$bound / news$incumbent))
  }
  c(news, gap = gap)
}

progress_text <- function(news) {
  news <- told(news)
  text <- sprintf("%s %.0f%%", news$phase, 100 * news$share)
  if (is.na(news$gap)) text else sprintf("%s, gap %.2f%%", text, 100 * news$gap)
}

progress_bar <- function() {
  if (requireNamespace("cli", quietly = TRUE) && interactive()) {
    return(cli_bar())
  }
  last <- ""
  show <- function(news) {
    text <- progress_text(news)
    if (text != last) {
      last <<- text
      message(text)
    }
  }
  list(show = show, done = function() NULL)
}

cli_bar <- function() {
  frame <- new.env(parent = emptyenv())
  frame$id <- cli::cli_progress_bar(total = 100, .envir = frame, .auto_close = FALSE,
                                    format = "{cli::pb_bar} {cli::pb_status}")
  list(
    show = function(news) {
      cli::cli_progress_update(set = 100 * news$share, status = progress_text(news),
                               id = frame$id)
    },
    done = function() cli::cli_progress_done(id = frame$id)
  )
}
