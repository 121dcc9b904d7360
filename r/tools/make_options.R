# SPDX-License-Identifier: Apache-2.0
# Writes man/lacuna_options.Rd: the options of the calls, from the lists of the core (fields() of
# the jobs). A test compares.
#
#   R_LIBS=build/r Rscript r/tools/make_options.R r/man/lacuna_options.Rd

# Arguments with names of their own, and what only a terminal has.
apart <- list(
  protect = c("method", "cells", "prefer", "policy", "released"),
  audit = c("pattern", "policy", "released"),
  verify = c("pattern", "certificate", "policy", "released"),
  report = c("result", "input", "certificate", "public", "policy", "released"),
  explain = c("result", "cell", "input", "policy", "released"),
  infer = c("files", "verifier"), compare = c("methods", "policy", "released"), run_arb = "data",
  sdc_generate = character(),
  write_release = character(), make_ptable = character(), check_ptable = character(),
  convert_ptable = character()
)
commands <- c(run_arb = "argus", sdc_generate = "generate", write_release = "write")
runs <- list(protect = c("seed", "work", "time-limit"), audit = "time-limit",
             report = "time-limit", explain = "time-limit", infer = "time-limit",
             compare = "seed",
             run_arb = c("seed", "work", "time-limit"))

rd_text <- function(text) gsub("([%{}\\\\])", "\\\\\\1", text)

kind_of_option <- function(option) {
  if (length(option$choices)) {
    return(paste0("\"", option$choices, "\"", collapse = ", "))
  }
  switch(option$type, flag = "TRUE or FALSE", "whole number" = "a whole number",
         number = "a number", "exact number" = "a number", list = "a vector", "a text or a number")
}

item <- function(option) {
  default <- if (nzchar(option$absent)) option$absent else option$default
  about <- paste0(
    gsub("--([a-z][a-z-]*)", "\\1", option$help),
    if (nzchar(option$unit)) paste0(", in ", option$unit),
    "; ", kind_of_option(option),
    if (nzchar(default) && option$type != "flag") paste0(" (default: ", default, ")"),
    if (length(option$methods)) paste0("; for ", paste(option$methods, collapse = ", "))
  )
  sprintf("\\item{\\code{%s}}{%s.}", gsub("-", "_", option$name), rd_text(about))
}

options_of <- function(name) {
  command <- if (name %in% names(commands)) commands[[name]] else name
  known <- lacuna:::options_known(command)
  own <- Filter(function(option) {
    !option$is_argument && !option$name %in% c(apart[[name]], names(lacuna:::instead))
  }, known)
  of_runs <- Filter(function(option) option$name %in% runs[[name]], lacuna:::options_known("run"))
  names_of <- function(options) vapply(options, function(option) option$name, "")
  c(own, of_runs[!names_of(of_runs) %in% names_of(own)])
}

section <- function(name) {
  options <- options_of(name)
  if (!length(options)) {
    return(NULL)
  }
  c(sprintf("\\section{Options of %s()}{", name), "\\describe{", vapply(options, item, ""), "}",
    "}")
}

options_page <- function() {
  c("% Made by tools/make_options.R from the options of the core; do not edit.",
    "\\name{lacuna_options}", "\\alias{lacuna_options}",
    "\\title{Options of the calls}",
    "\\description{",
    "Options are given by name, as the command line has them, with underscores: \\code{time_limit}",
    "(or \\code{timeLimit}) for \\code{--time-limit}. One that does not exist is an error with the",
    "nearest name.", "}",
    unlist(lapply(names(apart), section)),
    "\\keyword{internal}")
}

target <- commandArgs(trailingOnly = TRUE)
if (length(target) == 1L) {
  writeLines(options_page(), target)
}
