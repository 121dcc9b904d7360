# SPDX-License-Identifier: Apache-2.0
# Names of arguments that do not exist: the name that was most likely meant, or what the argument of
# another package is called here.

# Insertions, deletions, replacements and swaps of neighbours (optimal string alignment distance).
edit_distance <- function(a, b) {
  a <- utf8ToInt(a)
  b <- utf8ToInt(b)
  steps <- matrix(0, length(a) + 1L, length(b) + 1L)
  steps[, 1L] <- seq_len(nrow(steps)) - 1
  steps[1L, ] <- seq_len(ncol(steps)) - 1
  for (i in seq_along(a)) {
    for (j in seq_along(b)) {
      best <- min(steps[i, j + 1L] + 1, steps[i + 1L, j] + 1, steps[i, j] + (a[i] != b[j]))
      if (i > 1L && j > 1L && a[i] == b[j - 1L] && a[i - 1L] == b[j])
        best <- min(best, steps[i - 1L, j - 1L] + 1)
      steps[i + 1L, j + 1L] <- best
    }
  }
  steps[length(a) + 1L, length(b) + 1L]
}

# The closest of the names, or NULL if none is close enough to be a plausible slip: at most a third
# of the longer name. Case and the signs between words do not count.
nearest_name <- function(name, known) {
  if (!length(known) || is.na(name) || !nzchar(name) || nchar(name) > 200L)
    return(NULL)
  plain <- function(text) gsub("[._ -]", "", lower_case(text))
  distance <- vapply(plain(known), edit_distance, 0, b = plain(name), USE.NAMES = FALSE)
  allowed <- pmax(1, pmax(nchar(plain(known)), nchar(plain(name))) %/% 3)
  plausible <- distance <= allowed & distance < nchar(known)
  if (!any(plausible))
    return(NULL)
  known[plausible][which.min(distance[plausible])]
}

# "; did you mean 'value'?" or nothing, to be appended to a sentence.
did_you_mean <- function(name, known) {
  nearest <- nearest_name(name, known)
  if (is.null(nearest)) "" else paste0("; did you mean ", in_quotes(nearest), "?")
}

# Whatever the locale: a Turkish one has no i for I.
lower_case <- function(text) {
  chartr("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", text)
}

# Arguments of sdcTable, GaussSuppression, rtauargus and the Python package that are called
# otherwise here; a bar divides names of which a function has one.
called_here <- c(
  dimVarInd = "dimVar", explanatory_vars = "dimVar", list_explanatory_vars = "dimVar",
  freqVarInd = "freqVar", numVarInd = "numVar", numVarName = "numVar", numVars = "numVar",
  response_var = "numVar", resp_var = "numVar", dominanceVar = "numVar", weightInd = "cost_var",
  weightVar = "cost_var", cost = "cost_var", sampWeightInd = "sWeightVar",
  weight_var = "sWeightVar", pond_var = "sWeightVar", holding_var = "holdingVar",
  charVar = "contributorVar", hrc = "hierarchies", totCode = "totcode", total = "totcode",
  secret = "secret_var", primary = "secret_var", safety_rules = "rules", dims = "dimVar",
  unit = "contributorVar", holding = "holdingVar", frequency = "freqVar",
  weight = "sWeightVar|cost_var", weights = "cost_var", maxscore = "largest", tabular = "data",
  microdata = "data", inputdata = "data", object = "problem", list_tables = "data",
  list_hrc = "hierarchies", apriori_file = "apriori"
)

# What is done otherwise here, and how.
several_files <- paste("a list of files gives several hierarchies:",
                       "hierarchies = list(geo = list(\"a.hrc\", \"b.hrc\"))")
advice <- c(
  alt_hrc = several_files,
  list_alt_hrc = several_files,
  alt_totcode = "all hierarchies of a dimension have one total, totcode",
  maxN = "cells of at most maxN contributors: rules = freq_rule(maxN + 1), which is \"fewer than\"",
  pPercent = "rules = p_rule(p)",
  p = "rules = p_rule(p)",
  k = "rules = nk_rule(n, k)",
  n = "rules = nk_rule(n, k)",
  pq = "rules = pq_rule(p, q)",
  type = "the rules are arguments: rules = list(freq_rule(3), p_rule(10))",
  threshold = "rules = freq_rule(n) is \"fewer than n\"",
  allowZeros = "rules = zeros_rule(level) is for contributors of zero; empty cells by secret_var",
  protectZeros = "rules = zeros_rule(level) is for contributors of zero; empty cells by secret_var",
  secondaryZeros = "zeros are like other cells; what must be published has the status \"z\"",
  extend0 = "empty_cells = TRUE lists cells without records",
  timeLimit = "timeLimit of sdcTable is in minutes: time_limit is in seconds",
  suppress = "method = \"suppress\" is optimal; heuristics and time_limit are options of protect()",
  ip_start = "the audit decides which levels hold: give ip, or lower_level and upper_level",
  ip_end = "the audit decides which levels hold: give ip, or lower_level and upper_level",
  secret_no_pl = "status = names a column with a status per cell",
  forced = "a column `status` with \"z\" says which cells must be published",
  hidden = "a column `status` with \"m\" says which cells are withheld already",
  formula = "tables = list(a = c(\"region\", \"size\")) names the dimensions of each table",
  linkedTables = "give a named list of tables",
  linkedGauss = "give a named list of tables: they are protected together",
  linked = "a named list of tables is protected together",
  singleton = "attackers = respondents() protects against those who are alone in a cell",
  singletonMethod = "attackers = respondents() protects against those who are alone in a cell",
  detectSingletons = "attackers = respondents() protects against those who are alone in a cell",
  protectionIntervals = "levels are proven by the audit: as.data.frame(audit, confidential = TRUE)",
  intervalSuppression = "levels are always held: as.data.frame(audit, confidential = TRUE)",
  lpPackage = "the solver is built in",
  solver = "the solver is built in",
  useC = "the core is compiled",
  preAggregate = "sdc_table() adds records up, sdc_problem() takes cells",
  is_microdata = "sdc_table() adds records up, sdc_problem() takes cells",
  structuralEmpty = "cells that are not listed are structural zeros",
  removeEmpty = "cells that are not listed are structural zeros",
  candidates = "costs = or cost_var = say which cells are cheap to withhold",
  printInc = "progress = TRUE shows how far it is",
  verbose = "progress = TRUE shows how far it is",
  show_batch_console = "progress = TRUE shows how far it is",
  output = "as.data.frame() of the result has what is published",
  output_type = "write_release() and write_office() write results",
  output_options = "write_release() and write_office() write results",
  files_name = "no files are written; write_release(release, file) writes one",
  dir_name = "no files are written; write_release(release, file) writes one",
  unif_labels = "codes may have any length",
  split_tab = "tables of any dimension are protected at once",
  nb_tab_option = "tables of any dimension are protected at once",
  limit = "tables of any dimension are protected at once",
  tauargus_exe = "nothing else is needed",
  func_to_call = "protect() takes a named list of tables",
  spec = "give the arguments themselves",
  shadow_var = "rules look at the value; largest = names columns of contributions"
)

# Methods of other packages that protect() knows by another name.
refuse_peer_method <- function(method) {
  if (!is.character(method) || length(method) != 1L || is.na(method))
    return(invisible(NULL))
  plain <- lower_case(sub("[(_].*$", "", method))
  if (plain %in% c("opt", "optimal", "ilp"))
    stop_option("method = \"suppress\" is optimal", "method")
  heuristics <- c("hitas", "hypercube", "gauss", "simpleheuristic", "modular", "mod", "gh", "net")
  if (plain %in% heuristics) {
    stop_option(paste0(in_quotes(method), " is a heuristic of another program: method = ",
                       "\"suppress\" gives the least loss, with effort = \"fast\" the quick one"),
                "method")
  }
  if (plain %in% c("rnd", "rounding"))
    stop_option("controlled rounding is method = \"round\" with base = 5 or the like", "method")
  if (plain == "cta")
    stop_option("controlled tabular adjustment is method = \"adjust\"", "method")
}

# Ends with the right name, or with what to do instead.
unknown_argument <- function(name, known, function_name = NULL) {
  known <- setdiff(known, "...")
  what <- paste0(if (is.null(function_name)) "there is no argument " else
    paste0(function_name, "() has no argument "), in_quotes(name))
  here <- intersect(unlist(strsplit(unname(called_here[name]), "|", fixed = TRUE)), known)
  same <- known[lower_case(gsub("[._]", "", known)) == lower_case(gsub("[._]", "", name))]
  if (length(here))
    end <- paste0(": it is called ", in_quotes(here[1L]), " here")
  else if (name %in% names(advice))
    end <- paste0(": ", advice[[name]])
  else if (length(same))
    end <- paste0("; did you mean ", in_quotes(same[1L]), "?")
  else
    end <- did_you_mean(name, known)
  if (!nzchar(end) && length(known))
    end <- if (length(known) > 12L) paste0("; ?", function_name, " lists those that it has") else
      paste0("; it has ", words_of(known, 12L))
  stop_option(paste0(what, end), "")
}

# All that is left in `...` must be known.
check_dots <- function(dots, known, function_name) {
  if (!length(dots))
    return(invisible(dots))
  names <- names(dots)
  if (is.null(names) || !all(nzchar(names))) {
    stop_option(paste0(function_name, "() was given an argument without a name that it has no ",
                       "place for"), "")
  }
  if (anyDuplicated(names))
    stop_option(paste("the argument", in_quotes(names[duplicated(names)][1L]), "is given twice"))
  for (name in setdiff(names, known))
    unknown_argument(name, known, function_name)
  invisible(dots)
}
