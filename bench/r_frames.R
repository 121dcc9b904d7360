#!/usr/bin/env Rscript
# SPDX-License-Identifier: Apache-2.0
# Data frames against files: the same records tabulated by the command line and by the package.
#
#   R_LIBS=build/r bench/r_frames.R build/lacuna [records [repeats]]
#
# Prints one row per way: seconds (median, in rounds that take turns), the ratio to the command line,
# and the memory that the call adds at its peak, beside that of the frame.

job <- '[input]
records = "records.csv"
separator = ","
[columns]
value = "turnover"
respondent = "firm"
[[dimension]]
name = "nace"
[[dimension]]
name = "region"
[[rule]]
type = "frequency"
n = 3
[[rule]]
type = "p-percent"
p = 10
'

make_records <- function(count) {
  set.seed(1)
  data.frame(
    firm = paste("firm", sample.int(count %/% 5L, count, TRUE)),
    nace = paste0("N", sample(100:159, count, TRUE)),
    region = paste("region", sample(10:39, count, TRUE)),
    year = 2026L,
    turnover = round(1000 * (runif(count)^(-1 / 1.5) - 1), 2),
    employees = sample.int(499L, count, TRUE)
  )
}

peak <- function() {
  lines <- readLines("/proc/self/status")
  as.numeric(sub("\\D*(\\d+).*", "\\1", grep("^VmHWM", lines, value = TRUE))) / 1e3
}

reset_peak <- function() {
  file <- file("/proc/self/clear_refs", "w")
  on.exit(close(file))
  writeLines("5", file)
}

# In a process of its own.
once <- function(folder, way) {
  records <- readRDS(file.path(folder, "records.rds"))
  if (way == "factors") {
    records[c("firm", "nace", "region")] <- lapply(records[c("firm", "nace", "region")], factor)
  }
  size <- as.numeric(object.size(records)) / 1e6
  loadNamespace("lacuna")
  gc()
  reset_peak()
  before <- peak()
  seconds <- system.time(lacuna::sdc_table(
    records, dimVar = c("nace", "region"), numVar = "turnover", contributorVar = "firm",
    rules = list(lacuna::freq_rule(3), lacuna::p_rule(10))
  ))[["elapsed"]]
  cat(seconds, size, peak() - before, "\n")
}

by_program <- function(program, folder) {
  system.time(system2(program, c("tabulate", file.path(folder, "job.toml"), "--quiet"),
                      stdout = FALSE))[["elapsed"]]
}

by_r <- function(folder, way) {
  script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
  told <- system2(file.path(R.home("bin"), "Rscript"), c(script, "--once", folder, way),
                  stdout = TRUE)
  scan(text = tail(told, 1L), quiet = TRUE)
}

compare_ways <- function(program, count = 1e6, repeats = 5) {
  folder <- tempfile()
  dir.create(folder)
  records <- make_records(as.integer(count))
  write.csv(records, file.path(folder, "records.csv"), row.names = FALSE, quote = FALSE)
  saveRDS(records, file.path(folder, "records.rds"), compress = FALSE)
  writeLines(job, file.path(folder, "job.toml"))
  theirs <- numeric()
  ways <- list(characters = NULL, factors = NULL)
  for (i in seq_len(as.integer(repeats))) {
    theirs <- c(theirs, by_program(program, folder))
    for (way in names(ways)) ways[[way]] <- rbind(ways[[way]], by_r(folder, way))
  }
  cat("| way | seconds | of the program's time | frame, MB | added at the peak, MB |\n")
  cat(sprintf("| program, CSV | %.2f | 1 | | |\n", median(theirs)))
  for (way in names(ways)) {
    told <- apply(ways[[way]], 2L, median)
    cat(sprintf("| data frame of %s | %.2f | %.2f | %.0f | %.0f |\n", way, told[1L],
                told[1L] / median(theirs), told[2L], told[3L]))
  }
}

given <- commandArgs(trailingOnly = TRUE)
if (given[1L] == "--once") once(given[2L], given[3L]) else do.call(compare_ways, as.list(given))
