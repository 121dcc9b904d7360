# SPDX-License-Identifier: Apache-2.0
# Tables with what must be protected in them: made of records, given as data frames, or read from
# files. Arguments become a job (job.R), which the core reads as it would read a file.

# Of the core's pointer and what the arguments said, both in an environment, which str() and
# printing leave alone.
problem_of <- function(core, again, job = NULL, value = NULL, class = NULL, parts = NULL) {
  kept <- kept_of(core, again, job = job, parts = parts)
  info <- answer(.Call(C_problem_info, core))
  info$tables <- info$tables[names(info$tables) != ""] # one table has no name
  structure(
    list(info = info, value = value, kept = kept),
    class = c(class, "sdc_problem")
  )
}

# `...` stands before most arguments, so that none of them answers to a part of its name: `n` of
# another package is told what it is called here.
sdc_table <- function(data, dimVar = NULL, numVar = NULL, contributorVar = NULL, ...,
                      holdingVar = NULL, sWeightVar = NULL, hierarchies = NULL, dimList = NULL,
                      totcode = NULL, rules = NULL, maxN = NULL, levels = NULL,
                      attackers = NULL, bounds = NULL, costs = NULL, apriori = NULL,
                      requestVar = NULL, requestCodes = NULL, waiverVar = NULL,
                      waiverCodes = NULL, missingContributor = NULL, uniqueVar = NULL,
                      duplicates = NULL, tables = NULL, decimals = NULL, round = NULL,
                      weight_decimals = NULL, negative = NULL, empty_value = NULL,
                      empty_cells = NULL, largest = NULL, policy = NULL, name = "table",
                      progress = FALSE, threads = getOption("lacuna.threads", 2L)) {
  check_dots(list(...), names(formals(sdc_table)), "sdc_table")
  if (is_path(data) && is.null(dimVar) && is.null(dimList)) {
    choices <- table_choices(policy = policy)
    core <- read_core(data, NULL, TRUE, progress, threads, choices)
    return(problem_of(core, again_read(data, NULL, TRUE, choices), class = "sdc_table"))
  }
  value <- column_name(numVar, "numVar", data)
  job <- new_job()
  job_policy(job, policy)
  job_section(job, "input", list(records = add_data(job, data, "records")), "data")
  inputs <- list(decimals = decimals, round = round, weight_decimals = weight_decimals,
                 negative = negative, empty_value = empty_value, empty_cells = empty_cells,
                 largest = largest,
                 unique = one_or_more(column_names(uniqueVar, "uniqueVar", data)),
                 duplicates = one_text(duplicates, "duplicates"))
  for (key in names(inputs)) {
    job_set(job, "input", key, inputs[[key]])
  }
  job_section(job, "columns", list(), "data")
  columns <- list(
    value = list(value, "numVar"), respondent = list(contributorVar, "contributorVar"),
    holding = list(holdingVar, "holdingVar"), weight = list(sWeightVar, "sWeightVar"),
    request = list(requestVar, "requestVar"), waiver = list(waiverVar, "waiverVar")
  )
  for (key in names(columns)) {
    job_set(job, "columns", key, column_name(columns[[key]][[1L]], columns[[key]][[2L]], data),
            columns[[key]][[2L]])
  }
  job_set(job, "columns", "missing_respondent", one_text(missingContributor, "missingContributor"),
          "missingContributor")
  job_set(job, "columns", "request_codes", one_or_more(requestCodes), "requestCodes")
  job_set(job, "columns", "waiver_codes", one_or_more(waiverCodes), "waiverCodes")
  add_dimensions(job, columns_by_number(dimVar, data), hierarchies, dimList, totcode)
  add_tables(job, tables)
  add_rules(job, as_rules(rules, maxN), levels, attackers)
  job_section_of(job, "bounds", bounds, "bounds")
  job_section_of(job, "weights", list(formula = costs), "costs")
  job_section_of(job, "apriori", list(file = apriori), "apriori")
  core <- read_core(job_name(name), job, TRUE, progress, threads)
  problem_of(core, again_read(job_name(name), job, TRUE), job, value, "sdc_table")
}

sdc_problem <- function(data, dimVar = NULL, numVar = NULL, freqVar = NULL, ..., value = NULL,
                        freq = NULL, secret_var = NULL, status = NULL, cost_var = NULL,
                        hierarchies = NULL, dimList = NULL, totcode = NULL, ip = NULL,
                        rules = NULL, maxN = NULL, levels = NULL, attackers = NULL, lower = NULL,
                        upper = NULL, lower_level = NULL, upper_level = NULL, sliding_level = NULL,
                        largest = NULL, status_words = NULL, defaults = NULL, tables = NULL,
                        decimals = NULL, round = NULL, empty_value = NULL, totals = NULL,
                        round_totals = NULL, sheet = NULL, skip = NULL, rows = NULL, wide = NULL,
                        only = NULL, means = NULL, total = NULL, policy = NULL, derived = NULL,
                        shadows = NULL, known_ratios = NULL, name = "table", progress = FALSE,
                        threads = getOption("lacuna.threads", 2L)) {
  check_dots(list(...), names(formals(sdc_problem)), "sdc_problem")
  if (is.table(data)) {
    if (is.null(totcode) && is.null(totals)) {
      totcode <- sum_of_margins(data)
    }
    dimVar <- names_of_table(data)
    data <- as.data.frame(data, responseName = "Freq", stringsAsFactors = FALSE)
    numVar <- "Freq"
  }
  if (is_path(data) && is.null(dimVar) && is.null(dimList)) {
    choices <- table_choices(
      policy = policy,
      value = either(numVar, value, "numVar", "value"),
      status = either(status, secret_var, "status", "secret_var"), totals = totals, sheet = sheet,
      skip = skip, rows = rows, wide = wide, only = pairs_of(only, "only"),
      means = pairs_of(means, "means"), total = pairs_of(total, "total")
    )
    core <- read_core(data, NULL, FALSE, progress, threads, choices)
    return(problem_of(core, again_read(data, NULL, FALSE, choices)))
  }
  if (!is.null(total)) {
    stop_option("with dimVar the totals are given by totcode", "total")
  }
  parts <- as.list(environment())
  parts[c("...", "progress", "threads", "name", "total")] <- NULL
  read_problem(parts, name, progress, threads)
}

# A contingency table: its dimensions by their names, and its totals as addmargins() calls them.
names_of_table <- function(x) {
  dims <- names(dimnames(x))
  if (is.null(dims) || !all(nzchar(dims)) || anyDuplicated(dims) || "Freq" %in% dims) {
    stop_input("the dimensions of a table need names of their own: table(region = a, kind = b)",
               "data")
  }
  dims
}

sum_of_margins <- function(x) {
  lacking <- !vapply(dimnames(x), function(codes) "Sum" %in% codes, FALSE)
  if (any(lacking)) {
    stop_input(paste0("'", names_of_table(x)[lacking][[1]], "' has no code 'Sum': add the totals, ",
                      "addmargins(data), or name them, totcode = \"All\""), "data")
  }
  "Sum"
}

# The arguments of sdc_problem() as a problem. They are kept, so that problems can be linked.
read_problem <- function(parts, name, progress, threads) {
  linked <- linked_data(parts$data, parts$dimVar, parts$tables)
  columns <- table_columns(parts, linked$first)
  job <- new_job()
  job_policy(job, parts$policy)
  job_section(job, "input", list(table = add_data(job, linked$data, "table")), "data")
  for (key in c("decimals", "round", "empty_value", "totals", "round_totals", "skip", "rows")) {
    job_set(job, "input", key, parts[[key]])
  }
  for (key in c("sheet", "wide")) {
    job_set(job, "input", key, one_or_more(parts[[key]]))
  }
  if (length(parts$only)) {
    job_set(job, "input", "only", lapply(parts$only, one_or_more))
  }
  if (length(parts$means)) {
    job_set(job, "input", "means", as.list(parts$means))
  }
  job_section(job, "columns", list(), "data")
  for (key in names(columns)) {
    job_set(job, "columns", key, columns[[key]]$name, columns[[key]]$argument)
  }
  job_section_of(job, "status_words", parts$status_words, "status_words")
  rules <- as_rules(parts$rules, parts$maxN)
  ip <- if (is.null(parts$ip)) level_by_hand(rules) else parts$ip
  job_section_of(job, "defaults", with_levels(parts$defaults, ip), "defaults")
  add_dimensions(job, columns_by_number(linked$dimVar, linked$first), parts$hierarchies,
                 parts$dimList, parts$totcode)
  add_tables(job, linked$tables)
  add_rules(job, without_level_by_hand(rules), parts$levels, parts$attackers)
  add_together(job, "derived", parts$derived, "derived")
  add_together(job, "shadow", parts$shadows, "shadows")
  add_together(job, "known_ratio", parts$known_ratios, "known_ratios")
  core <- read_core(job_name(name), job, FALSE, progress, threads)
  problem_of(core, again_read(job_name(name), job, FALSE), job, columns$value$name, parts = parts)
}

# What is published together with the table, or known beside it: a list with the keys of a job, or a
# list of such lists.
add_together <- function(job, section, given, argument) {
  if (is.null(given)) {
    return(invisible(job))
  }
  if (!is.list(given)) {
    stop_input("a list with the keys of a job, or a list of these", argument)
  }
  several <- if (is.null(names(given))) given else list(given)
  for (i in seq_along(several)) {
    if (!is.list(several[[i]]) || !has_own_names(several[[i]])) {
      stop_input("give a list in which every entry has a name", argument)
    }
    job_add(job, section, several[[i]], paste0(argument, ": ", i))
  }
  invisible(job)
}

# ---- columns

# Names of columns by the keys of a job, each with the argument that named it.
table_columns <- function(parts, data) {
  value <- either(parts$numVar, parts$value, "numVar", "value")
  count <- either(parts$freqVar, parts$freq, "freqVar", "freq")
  secret <- either(parts$status, parts$secret_var, "status", "secret_var")
  given <- list(
    value = list(value, if (is.null(parts$numVar)) "value" else "numVar"),
    frequency = list(count, if (is.null(parts$freqVar)) "freq" else "freqVar"),
    weight = list(parts$cost_var, "cost_var"),
    status = list(secret, if (is.null(parts$status)) "secret_var" else "status"),
    lower = list(parts$lower, "lower"), upper = list(parts$upper, "upper"),
    lower_level = list(parts$lower_level, "lower_level"),
    upper_level = list(parts$upper_level, "upper_level"),
    sliding_level = list(parts$sliding_level, "sliding_level")
  )
  columns <- lapply(given, function(each) {
    list(name = column_name(each[[1L]], each[[2L]], data), argument = each[[2L]])
  })
  check_secrets(data, columns$status)
  largest <- one_or_more(column_names(parts$largest, "largest", data))
  c(columns, list(largest = list(name = largest, argument = "largest")))
}

# A name that two arguments may give, as users of different packages know it.
either <- function(first, second, first_name, second_name) {
  if (!is.null(first) && !is.null(second)) {
    stop_option(sprintf("%s and %s are the same: give one of them", first_name, second_name))
  }
  if (is.null(first)) second else first
}

# An empty status would be a cell that is free.
check_secrets <- function(data, column) {
  if (column$argument == "secret_var" && is.data.frame(data) && !is.null(column$name) &&
      anyNA(data[[column$name]])) {
    stop_input(sprintf("row %d is neither TRUE nor FALSE", which(is.na(data[[column$name]]))[1L]),
               sprintf("secret_var, column %s", column$name))
  }
}

# Protection levels in percent for all sensitive cells: one number, or one below and one above.
with_levels <- function(defaults, ip) {
  if (is.null(ip)) {
    return(defaults)
  }
  if (!is.numeric(ip) || anyNA(ip) || !length(ip) %in% 1:2 || any(ip < 0)) {
    stop_option("levels in percent: one number, or two, below and above the value", "ip")
  }
  c(as.list(defaults), if (length(ip) == 1L) {
    list(level = paste0(number_text(ip), "%"))
  } else {
    list(lower_level_percent = ip[[1L]], upper_level_percent = ip[[2L]])
  })
}

# Columns by their places, as sdcTable has them.
columns_by_number <- function(dimVar, data) {
  if (is.numeric(dimVar)) column_names(dimVar, "dimVar", data) else dimVar
}

# A list in a job even if there is one.
one_or_more <- function(texts) if (is.null(texts)) NULL else I(as.character(texts))

add_tables <- function(job, tables) {
  if (length(tables) && (is.null(names(tables)) || any(names(tables) == ""))) {
    stop_input("give a list with the names of the tables", "tables")
  }
  for (name in names(tables)) {
    argument <- paste0("tables: ", name)
    dimensions <- one_or_more(column_names(tables[[name]], argument))
    job_add(job, "table", list(name = name, dimensions = dimensions), argument)
  }
}

# ---- data

# What a job calls its data: a file, a frame, or several.
add_data <- function(job, data, name) {
  if (is_path(data)) {
    return(normalizePath(data, mustWork = FALSE))
  }
  if (is.list(data) && !is.data.frame(data)) {
    if (!has_own_names(data)) {
      stop_input("linked tables are a list in which each table has its own name", "data")
    }
    return(unname(Map(function(each, name) add_data(job, each, name), data, names(data))))
  }
  job$held[[name]] <- as_frame(data)
  list(frame = name)
}

# Of a named list of data frames: dimVar may be a list with the dimensions of each, which are then
# the linked tables.
linked_data <- function(data, dimVar, tables) {
  is_linked <- is.list(data) && !is.data.frame(data)
  if (!is_linked) {
    return(list(data = data, first = data, dimVar = dimVar, tables = tables))
  }
  by_table <- is.list(dimVar) && length(dimVar) && setequal(names(dimVar), names(data))
  if (by_table) {
    tables <- dimVar
    dimVar <- unique(unlist(dimVar, use.names = FALSE))
  }
  if (is.null(tables) && is.character(dimVar)) {
    tables <- lapply(data, function(each) intersect(dimVar, names(each)))
  }
  first <- if (length(data) && is.data.frame(data[[1L]])) data[[1L]] else NULL
  list(data = data, first = first, dimVar = dimVar, tables = tables)
}

# How a table lies in its file, as options of the command line.
table_choices <- function(...) {
  given <- Filter(Negate(is.null), list(...))
  Map(texts_of_option, given, names(given))
}

# c(region = "All") as the command line writes it: "region=All".
pairs_of <- function(given, argument) {
  if (is.null(given)) {
    return(NULL)
  }
  if (is.null(names(given)) || !all(nzchar(names(given)))) {
    stop_option("every entry needs a name", argument)
  }
  unlist(Map(function(key, values) paste0(key, "=", values), names(given), given),
         use.names = FALSE)
}

# Of a file, or of a job, which has no path but a name.
read_core <- function(path, job, records, progress, threads, choices = NULL) {
  if (is.null(job)) {
    path <- path.expand(path)
  }
  options <- c(list(threads = texts_of_option(check_threads(threads), "threads")), choices)
  answer(listening(progress, function(sink) {
    .Call(C_read, path, job$value, records, job$held, options, sink)
  }))
}

# The name of a job is the title of what is made of it.
job_name <- function(name) {
  if (!is_path(name) || !nzchar(name) || grepl("[/:.\n]", name)) {
    stop_input("a name must be a text without / : . and line breaks", "name")
  }
  name
}

# The problem itself, that of a file, or that of a named list of linked tables.
as_problem <- function(given, threads = getOption("lacuna.threads", 2L)) {
  if (inherits(given, "sdc_problem")) {
    return(given)
  }
  if (is_path(given)) {
    return(sdc_problem(given, threads = threads))
  }
  if (is.list(given) && !is.data.frame(given) && length(given)) {
    return(linked_problem(given, threads))
  }
  stop_input(paste0(kind_of(given), " is not a problem: make one with sdc_problem() or ",
                    "sdc_table(), or give the path of one"), "problem")
}

# ---- linked tables

# Problems of data frames become one: their cells, dimensions and hierarchies together. What they
# say of one dimension must be the same.
linked_problem <- function(problems, threads) {
  if (!has_own_names(problems)) {
    stop_input("linked tables are a list in which each table has its own name", "problem")
  }
  parts <- lapply(problems, linkable_parts)
  merged <- parts[[1L]]
  merged$data <- lapply(parts, function(each) each$data)
  dimensions <- lapply(parts, dimensions_of_parts)
  merged$tables <- dimensions
  merged$dimVar <- unique(unlist(dimensions, use.names = FALSE))
  merged$hierarchies <- merged_settings(parts, "hierarchies")
  merged$dimList <- merged_settings(parts, "dimList")
  merged$totcode <- merged_totals(parts, dimensions)
  merged$data <- Map(function(data, each) same_names(data, each, parts[[1L]]), merged$data, parts)
  check_same_settings(parts)
  read_problem(merged, "table", FALSE, threads)
}

linkable_parts <- function(problem) {
  parts <- if (inherits(problem, "sdc_problem")) problem$kept$parts else NULL
  if (is.null(parts) || !is.data.frame(parts$data)) {
    stop_input(paste("tables are linked that sdc_problem() made of data frames; tables of records",
                     "are linked by sdc_table(tables = list(a = c(...), b = c(...)))"), "problem")
  }
  parts
}

dimensions_of_parts <- function(parts) {
  given <- columns_by_number(parts$dimVar, parts$data)
  if (is.list(given)) names(given) else if (is.null(given)) names(parts$dimList) else given
}

merged_settings <- function(parts, key) {
  settings <- list()
  for (each in parts) {
    given <- as.list(each[[key]])
    if (key == "hierarchies" && is.list(each$dimVar)) {
      given <- c(given, each$dimVar)
    }
    for (name in names(given)) {
      if (!is.null(settings[[name]]) && !identical(settings[[name]], given[[name]])) {
        stop_input("two of the linked tables have different hierarchies of it", name)
      }
      settings[[name]] <- given[[name]]
    }
  }
  if (length(settings)) settings else NULL
}

merged_totals <- function(parts, dimensions) {
  totals <- list()
  for (i in seq_along(parts)) {
    given <- totals_of(parts[[i]]$totcode, dimensions[[i]])
    for (name in names(given)) {
      if (!is.null(totals[[name]]) && !identical(totals[[name]], given[[name]])) {
        stop_input("two of the linked tables have different codes for its total", name)
      }
      totals[[name]] <- given[[name]]
    }
  }
  if (length(totals)) totals else NULL
}

column_arguments <- c("numVar", "value", "freqVar", "freq", "secret_var", "status", "cost_var",
                      "lower", "upper", "lower_level", "upper_level", "sliding_level", "largest")

# Columns under the names that the first table has for them.
same_names <- function(data, parts, first) {
  for (argument in column_arguments) {
    from <- column_names(parts[[argument]], argument, parts$data)
    to <- column_names(first[[argument]], argument, first$data)
    if (length(from) != length(to)) {
      stop_input("some of the linked tables have such a column, and others not", argument)
    }
    names(data)[match(from, names(data))] <- to
  }
  data
}

check_same_settings <- function(parts) {
  same <- c("rules", "maxN", "levels", "attackers", "ip", "status_words", "defaults", "decimals",
            "round", "empty_value", "totals", "round_totals", "policy")
  for (key in same) {
    if (length(unique(lapply(parts, function(each) each[[key]]))) > 1L) {
      stop_input("the linked tables say different things", key)
    }
  }
}

# ---- what may be had of a problem

dimensions <- function(x) {
  check_class(x, c("sdc_problem", "sdc_release"), "x", "sdc_problem() or protect()")
  info <- problem_info(x)$dimensions
  lapply(info, function(each) {
    list(total = each$total, codes = each$codes, depths = each$depths,
         relations = as.data.frame(each$relations, stringsAsFactors = FALSE))
  })
}

problem_info <- function(x) if (inherits(x, "sdc_release")) x$problem$info else x$info

as.data.frame.sdc_problem <- function(x, row.names = NULL, optional = FALSE, ..., facts = FALSE) {
  check_dots(list(...), c("facts", "confidential", frame_arguments), "as.data.frame")
  if (identical(list(...)$confidential, FALSE)) {
    stop_option("everything in a problem is confidential; protect() makes what is not",
                "confidential")
  }
  core <- core_of(x)
  entry <- if (isTRUE(facts)) .Call(C_problem_facts, core) else .Call(C_problem_cells, core)
  cells <- answer(entry)
  if (is.null(cells)) {
    stop_unsupported("only tables of records have facts: sdc_table() makes them", "facts")
  }
  if (!isTRUE(facts)) {
    cells[[own_name("primary", x)]] <- cells[[own_name("status", x)]] == "primary"
  }
  with_value_name(cells, x)
}

# A column of ours: with an underscore if a dimension has the name.
own_name <- function(name, x) {
  taken <- names(problem_info(x)$dimensions)
  while (name %in% taken) {
    name <- paste0(name, "_")
  }
  name
}

# The value under the name that the data have for it.
with_value_name <- function(cells, problem) {
  place <- match(own_name("value", problem), names(cells))
  if (!is.null(problem$value) && !is.na(place) && !problem$value %in% names(cells)) {
    names(cells)[place] <- problem$value
  }
  cells
}

write_problem <- function(problem, file) {
  problem <- as_problem(problem)
  answer(.Call(C_problem_save, core_of(problem), path_of(file)))
  invisible(file)
}

sdc_generate <- function(...) {
  texts <- option_texts(list(...), "generate")
  problem_of(answer(.Call(C_generate, texts)), again_generated(texts))
}
