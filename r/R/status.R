# SPDX-License-Identifier: Apache-2.0
# Letters for the state of a cell, as the packages of the field have them.
#   sdcTable: u primary, x secondary, s published, z published because it must be; w are cells that
#     stay unpublished from the start.
#   argus, as rtauargus reads them: A frequency, B any other rule or by hand, D secondary, V
#     published.
#   sbs, the flags of tau-ARGUS' output for structural business statistics: A frequency, B the
#     largest dominates (or request, zero, by hand), C several dominate, F p% and prior-posterior
#     rule, D secondary, V published. Where several rules hold, those over contributions go first.

status_sets <- c("sdcTable", "argus", "sbs", "GaussSuppression")

# `primary`, `suppressed`: truth values; `reason`: why a cell is sensitive, as the core tells it;
# `status`: what a cell was before (free, primary, withheld, published, known).
status_codes <- function(primary, suppressed, state = NULL, reason = NULL, set = "sdcTable",
                         status = NULL) {
  set <- one_of(set, status_sets, "status_codes")
  suppressed <- if (is.null(suppressed)) state == "withheld" else suppressed
  if (set == "GaussSuppression")
    return(data.frame(primary = primary, suppressed = suppressed))
  if (set == "sdcTable")
    return(sdctable_codes(primary, suppressed, status))
  why <- if (is.null(reason)) rep("B", length(primary)) else primary_flags(reason, set)
  ifelse(!suppressed, "V", ifelse(primary, why, "D"))
}

sdctable_codes <- function(primary, suppressed, status) {
  codes <- ifelse(suppressed, ifelse(primary, "u", "x"), "s")
  if (!is.null(status)) {
    codes[!suppressed & status %in% c("published", "known")] <- "z"
    codes[suppressed & status == "withheld"] <- "w"
  }
  codes
}

primary_flags <- function(reason, set) {
  reason[is.na(reason)] <- ""
  # A request's reason may count contributors, too: only the start of a reason tells.
  has <- function(pattern) grepl(paste0("(^|[;,] )unsafe: ", pattern), reason, perl = TRUE)
  frequency <- has("[0-9]+ (contributors?|records?), fewer than")
  one <- has("the largest contributor holds")
  several <- has("the [0-9]+ largest contributors hold")
  estimated <- has("(p%|prior-posterior) rule")
  flags <- ifelse(frequency & !one & !several & !estimated, "A", "B")
  if (set == "sbs")
    flags <- ifelse(estimated, "F", ifelse(several, "C", flags))
  flags
}
