# SPDX-License-Identifier: Apache-2.0
# Perturbation tables of the cell key method: made, checked, written in another format.

make_ptable <- function(output, max_noise, variance, ...) {
  texts <- option_texts(list(max_noise = max_noise, variance = variance, ...), "make_ptable",
                        names(formals(make_ptable)))
  texts$output <- path_of(output)
  ptable_facts("make_ptable", texts)
}

check_ptable <- function(file, ...) {
  texts <- option_texts(list(...), "check_ptable", names(formals(check_ptable)))
  texts$input <- path_of(file)
  ptable_facts("check_ptable", texts)
}

convert_ptable <- function(file, output, ...) {
  texts <- option_texts(list(...), "convert_ptable", names(formals(convert_ptable)))
  texts$input <- path_of(file)
  texts$output <- path_of(output)
  made <- answer(.Call(C_ptable, "convert_ptable", texts))
  as.character(unlist(made$notes))
}

# Rows as a data frame, notes and faults as texts.
ptable_facts <- function(call, texts) {
  made <- answer(.Call(C_ptable, call, texts))
  rows <- lapply(made$rows, function(row) as.data.frame(row, stringsAsFactors = FALSE))
  made$rows <- do.call(rbind, rows)
  made$notes <- as.character(unlist(made$notes))
  made$faults <- as.character(unlist(made$faults))
  made
}
