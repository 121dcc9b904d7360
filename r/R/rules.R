# SPDX-License-Identifier: Apache-2.0
# What makes a cell sensitive, how much is asked for it, and against whom. A rule is a list of class
# "sdc_rule" with its `type` and `keys`, as a rule of a job has them. Texts of tau-ARGUS are read
# as its manual (chapter 4, SAFETYRULE) has them; what they say about levels is kept beside the
# rules, in the attribute "levels".

freq_rule <- function(n, counts = NULL, range = NULL) {
  counts <- if (!is.null(counts)) one_of(counts, c("contributors", "records", "weighted"), "counts")
  rule_of("frequency", n = whole_number(n, "n"), counts = counts, range = a_number(range, "range"))
}

nk_rule <- function(n, k) {
  rule_of("dominance", n = whole_number(n, "n"), k = a_number(k, "k"))
}

p_rule <- function(p, coalition = NULL) {
  rule_of("p-percent", p = a_number(p, "p"), coalition = whole_number(coalition, "coalition"))
}

pq_rule <- function(p, q, coalition = NULL) {
  rule_of("prior-posterior", p = a_number(p, "p"), q = a_number(q, "q"),
          coalition = whole_number(coalition, "coalition"))
}

request_rule <- function(percent, minimum = NULL, range = NULL) {
  rule_of("request", percent = a_number(percent, "percent"),
          minimum = whole_number(minimum, "minimum"), range = a_number(range, "range"))
}

zeros_rule <- function(level) rule_of("zeros", level = a_number(level, "level"))

rule_of <- function(type, ...) {
  structure(list(type = type, keys = Filter(Negate(is.null), list(...))), class = "sdc_rule")
}

respondents <- function(coalition = NULL, singletons_know = NULL, knowledge = NULL, reach = NULL,
                        waivers = NULL) {
  if (!is.null(knowledge))
    knowledge <- one_of(knowledge, c("all", "sensitive-only"), "knowledge")
  if (!is.null(reach))
    reach <- one_of(reach, c("table", "equation"), "reach")
  structure(
    list(keys = list(
      coalition = whole_number(coalition, "coalition"),
      singletons_know = a_truth(singletons_know, "singletons_know"),
      knowledge = knowledge, reach = reach, waivers = a_truth(waivers, "waivers")
    )),
    class = "sdc_respondents"
  )
}

outsider <- function() structure(list(keys = list(respondents = FALSE)), class = "sdc_respondents")

attacker <- function(name, known, levels = NULL) {
  name <- one_text(name, "attacker")
  where <- paste0("attackers: ", name)
  structure(
    list(name = name, known = cells_frame(known, where),
         levels = if (!is.null(levels)) cells_frame(levels, where)),
    class = "sdc_attacker"
  )
}

# Cells by their codes: a data frame with a column per dimension, or the codes of one cell.
cells_frame <- function(x, where) {
  if (is.data.frame(x) && nrow(x))
    return(as.data.frame(x, stringsAsFactors = FALSE))
  if (is.character(x) && length(x) && !anyNA(x)) {
    names <- if (is.null(names(x))) paste0("V", seq_along(x)) else names(x)
    return(as.data.frame(stats::setNames(as.list(x), names), stringsAsFactors = FALSE,
                         optional = TRUE))
  }
  stop_input(paste("cells must be a data frame with a column of codes per dimension, and the",
                   "columns lower and upper if they are known within bounds"), where)
}

# A list of rules; `maxN` of sdcTable and GaussSuppression is the largest count that is sensitive.
as_rules <- function(x, maxN = NULL) {
  rules <- rules_in(x)
  if (is.null(maxN))
    return(rules)
  more <- freq_rule(whole_number(maxN, "maxN") + 1)
  structure(c(unclass(rules), list(more)), class = "sdc_rules", levels = attr(rules, "levels"))
}

rules_in <- function(x) {
  if (is.null(x))
    return(rules_list())
  if (inherits(x, "sdc_rules"))
    return(x)
  if (inherits(x, "sdc_rule"))
    return(rules_list(list(x)))
  if (is.character(x))
    return(rules_of_texts(x))
  if (!is.list(x))
    stop_input(paste0(kind_of(x), " is not a rule: make one with freq_rule(), nk_rule(), p_rule() ",
                      "and the like, or give a text such as \"NK(1,85)|P(10)\""), "rules")
  named <- !is.null(names(x)) && any(nzchar(names(x)) & names(x) %in% peer_rule_names)
  parts <- if (named) rules_by_name(x) else lapply(unclass(x), rules_in)
  levels <- do.call(c, lapply(parts, attr, "levels"))
  rules_list(do.call(c, lapply(parts, unclass)), levels)
}

rules_list <- function(rules = list(), levels = NULL) {
  attributes(rules) <- NULL
  structure(rules, class = "sdc_rules", levels = levels[!duplicated(names(levels))])
}

# Rules by the arguments of sdcTable and GaussSuppression: list(maxN = 3, n = 1:2, k = c(80, 90)).
peer_rule_names <- c("maxN", "k", "n", "p", "pq", "pPercent")

rules_by_name <- function(x) {
  unknown <- names(x)[!names(x) %in% peer_rule_names]
  if (length(unknown))
    stop_option(paste0(in_quotes(unknown[1L]), " is not a rule",
                       did_you_mean(unknown[1L], peer_rule_names)), "rules")
  rules <- list()
  if (!is.null(x[["maxN"]]))
    rules <- c(rules, list(freq_rule(whole_number(x[["maxN"]], "maxN") + 1)))
  if (!is.null(x[["k"]])) {
    n <- if (is.null(x[["n"]])) seq_along(x[["k"]]) else x[["n"]]
    if (length(n) != length(x[["k"]]))
      stop_input("n and k must be given together: as many of the one as of the other", "rules")
    rules <- c(rules, Map(nk_rule, n, x[["k"]]))
  } else if (!is.null(x[["n"]])) {
    stop_input("n of a dominance rule needs k", "rules")
  }
  percent <- c(x[["p"]], x[["pPercent"]])
  rules <- c(rules, lapply(percent, p_rule))
  if (!is.null(x[["pq"]])) {
    if (length(x[["pq"]]) != 2L)
      stop_input("pq has two numbers, p and q", "rules")
    rules <- c(rules, list(pq_rule(x[["pq"]][1L], x[["pq"]][2L])))
  }
  lapply(rules, function(rule) rules_list(list(rule)))
}

# --- texts of tau-ARGUS

rules_of_texts <- function(texts) {
  if (anyNA(texts))
    stop_input("NA is not a rule", "rules")
  parts <- lapply(texts, rules_of_text)
  rules_list(do.call(c, lapply(parts, unclass)), do.call(c, lapply(parts, attr, "levels")))
}

# name, fewest and most arguments, and how it is written.
argus_forms <- list(
  P = list(1L, 3L, "P(p), P(p,n) or P(p,q,n)"),
  PQ = list(2L, 3L, "PQ(p,q) or PQ(p,q,n)"),
  NK = list(2L, 2L, "NK(n,k)"),
  FREQ = list(1L, 2L, "FREQ(minimum,range)"),
  REQ = list(3L, 4L, "REQ(percent,percent,minimum,range)"),
  ZERO = list(1L, 1L, "ZERO(range)"),
  MIS = list(1L, 1L, "MIS(0) or MIS(1)"),
  WGT = list(1L, 1L, "WGT(0) or WGT(1)"),
  MAN = list(1L, 1L, "MAN(range)")
)

rules_of_text <- function(text) {
  calls <- argus_calls(text)
  names <- vapply(calls, function(call) call$name, "")
  rules <- list()
  levels <- list()
  for (name in c("NK", "P", "FREQ", "REQ"))
    rules <- c(rules, placed_rules(name, calls[names == name]))
  for (call in calls[names == "PQ"])
    rules <- c(rules, list(argus_rule(call)))
  for (call in calls[names == "ZERO"])
    rules <- c(rules, list(zeros_rule(call$numbers[1L])))
  for (call in calls[names %in% c("MIS", "WGT")])
    refuse_switch(call)
  for (call in calls[names == "MAN"])
    levels$manual_range <- call$numbers[1L]
  # Levels of (p,q) as tau-ARGUS has them; for q = 100 there is one formula.
  inexact <- vapply(rules, function(rule) rule$type == "prior-posterior" && rule$keys$q != 100, NA)
  if (any(inexact) && any(names == "P"))
    levels$formula <- "argus"
  rules_list(rules, levels)
}

# "NK(1,85)|P(10)" as a list of names and numbers.
argus_calls <- function(text) {
  pattern <- "^[ |,]*([A-Za-z]+) *\\(([^()]*)\\) *(.*)$"
  calls <- list()
  rest <- sub("[ |,]+$", "", text)
  while (nzchar(rest)) {
    parts <- regmatches(rest, regexec(pattern, rest))[[1L]]
    if (!length(parts)) {
      stop_input(paste0("expected rules such as \"NK(1,85)|P(10)|FREQ(3,10)\", not ",
                        in_quotes(rest)), "rules")
    }
    calls <- c(calls, list(argus_call(parts[2L], parts[3L])))
    rest <- parts[4L]
    if (nzchar(rest) && !grepl("^[|,]", rest))
      stop_input(paste0("expected '|' before ", in_quotes(rest)), "rules")
  }
  if (!length(calls))
    stop_input("the text names no rule", "rules")
  calls
}

argus_call <- function(name, inside) {
  known <- names(argus_forms)
  upper <- chartr("abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", name)
  form <- argus_forms[[upper]]
  if (is.null(form)) {
    stop_input(paste0("expected a rule (", paste(known, collapse = ", "), "), not ",
                      in_quotes(name), did_you_mean(upper, known)), "rules")
  }
  words <- trimws(strsplit(inside, "[,;]")[[1L]])
  if (length(words) < form[[1L]] || length(words) > form[[2L]]) {
    stop_input(paste0("expected ", form[[3L]], ", not ", length(words),
                      if (length(words) == 1L) " argument" else " arguments"), "rules")
  }
  written <- grepl("^[0-9]*\\.?[0-9]+$", words)
  if (!all(written))
    stop_input(paste0(in_quotes(words[!written][1L]), " is not a number from 0 (", form[[3L]], ")"),
               "rules")
  list(name = upper, numbers = as.numeric(words), form = form[[3L]])
}

# Places of tau-ARGUS: of NK and P the first two rules are for records and two more for holdings, of
# FREQ and REQ one each. A rule with zeros holds a place and says nothing.
placed_rules <- function(name, calls) {
  if (!length(calls))
    return(list())
  own <- if (name %in% c("NK", "P")) 2L else 1L
  if (length(calls) > 2L * own) {
    stop_input(paste0("at most ", 2L * own, " rules ", in_quotes(name), ": half of them for ",
                      "records, then half for holdings"), "rules")
  }
  filled <- vapply(calls, is_filled, NA)
  holdings <- seq_along(calls) > own
  if (any(filled & holdings) && any(filled & !holdings)) {
    stop_unsupported(paste0("the rules ", name, " for records and for holdings in one text: here ",
                            "every rule looks at holdings where holdingVar names one, else at ",
                            "contributors; give a rule once"), "rules")
  }
  lapply(calls[filled], argus_rule)
}

is_filled <- function(call) {
  numbers <- call$numbers
  switch(call$name,
    NK = all(numbers > 0),
    P = numbers[1L] > 0 && (length(numbers) == 1L || numbers[length(numbers)] > 0),
    FREQ = numbers[1L] > 0,
    REQ = any(numbers[-length(numbers)] > 0),
    TRUE
  )
}

argus_rule <- function(call) {
  numbers <- call$numbers
  with_coalition <- function(n) if (n != 1) n
  switch(call$name,
    NK = nk_rule(numbers[1L], numbers[2L]),
    P = if (length(numbers) < 3L)
      p_rule(numbers[1L], if (length(numbers) == 2L) with_coalition(numbers[2L]))
    else
      pq_rule(numbers[1L], positive_q(numbers[2L], call$form), with_coalition(numbers[3L])),
    PQ = pq_rule(numbers[1L], positive_q(numbers[2L], call$form),
                 if (length(numbers) == 3L) with_coalition(numbers[3L])),
    FREQ = freq_rule(numbers[1L], range = if (length(numbers) == 2L) numbers[2L]),
    REQ = argus_request(numbers)
  )
}

positive_q <- function(q, form) {
  if (q <= 0)
    stop_input(paste0("q must be a number above 0 (", form, ")"), "rules")
  q
}

argus_request <- function(numbers) {
  if (numbers[2L] > 0 && numbers[1L] != numbers[2L]) {
    stop_unsupported(paste0("REQ with two percentages, for two kinds of requests: here there is ",
                            "one kind; request_rule(", number_text(min(numbers[1:2])),
                            ") with the smaller one is the safe choice for all"), "rules")
  }
  request_rule(numbers[1L], minimum = if (length(numbers) == 4L) numbers[3L],
               range = numbers[length(numbers)])
}

# MIS(0) and WGT(0) are how things are.
refuse_switch <- function(call) {
  if (call$numbers == 0)
    return(invisible(NULL))
  if (call$numbers != 1)
    stop_input(paste("expected", call$form), "rules")
  remedy <- switch(call$name,
    MIS = paste("MIS(1) makes all cells with a missing code safe: say which cells must be",
                "published by a column `status` with \"z\", or leave the records out"),
    WGT = paste("WGT(1) counts weights in rules: name the weights by sWeightVar, and use",
                "freq_rule(n, counts = \"weighted\") to count them")
  )
  stop_unsupported(remedy, "rules")
}

# --- the sections of a job

# Rules, levels, and contributors or others as attackers.
add_rules <- function(job, rules = NULL, levels = NULL, attackers = NULL) {
  rules <- as_rules(rules)
  for (i in seq_along(rules)) {
    rule <- rules[[i]]
    job_add(job, "rule", c(list(type = rule$type), rule$keys),
            paste0("rules: ", rule$type, " (number ", i, ")"))
  }
  levels <- as.list(levels)
  job_section_of(job, "levels", c(levels, of_rules(rules, levels)), "levels")
  add_attackers(job, attackers)
  invisible(job)
}

# What texts of rules say about levels, unless the caller does.
of_rules <- function(rules, levels) {
  said <- attr(rules, "levels")
  said[!names(said) %in% names(levels)]
}

# MAN(10) as the level in percent of cells that are sensitive by hand, or NULL; and the rules
# without it. A job over a ready table has it among its defaults.
level_by_hand <- function(rules) attr(rules, "levels")$manual_range

without_level_by_hand <- function(rules) {
  attr(rules, "levels")$manual_range <- NULL
  rules
}

add_attackers <- function(job, attackers) {
  if (is.null(attackers))
    return(invisible(job))
  if (inherits(attackers, "sdc_respondents"))
    return(job_section_of(job, "attackers", attackers$keys, "attackers"))
  if (inherits(attackers, "sdc_attacker"))
    attackers <- list(attackers)
  if (!is.list(attackers) || !all(vapply(attackers, inherits, NA, "sdc_attacker")))
    stop_input("give respondents(), outsider(), or a list of attacker()", "attackers")
  if (!is.null(job$value[["input"]][["records"]]))
    stop_unsupported(paste("for records, the attackers are those who are in them: respondents() or",
                           "outsider(); attacker() is for ready tables"), "attackers")
  for (each in attackers)
    add_attacker(job, each)
  invisible(job)
}

add_attacker <- function(job, each) {
  argument <- paste0("attackers: ", each$name)
  entries <- function(cells, numbers) cell_entries(cells, numbers, job$dims, argument)
  levels <- if (!is.null(each$levels)) entries(each$levels, c("lower", "upper", "sliding"))
  job_add(job, "attacker", list(name = each$name, known = entries(each$known, c("lower", "upper")),
                                levels = levels), argument)
}

# Codes by the names of the dimensions, or in their order; the other columns are numbers.
cell_entries <- function(cells, numbers, dims, where) {
  named <- length(dims) && all(dims %in% names(cells))
  codes <- if (named) dims else setdiff(names(cells), numbers)
  if (length(dims) && length(codes) != length(dims)) {
    stop_input(paste0("a cell has ", length(dims), " codes, of ", words_of(dims, 10L), ", not ",
                      length(codes)), where)
  }
  texts <- lapply(cells[codes], code_text, where = where)
  texts <- lapply(texts, function(text) ifelse(is.na(text), "", text))
  numbers <- setdiff(intersect(numbers, names(cells)), codes)
  lapply(seq_len(nrow(cells)), function(i) {
    given <- Filter(Negate(is.na), lapply(cells[numbers], `[[`, i))
    c(list(cell = I(vapply(texts, `[[`, "", i, USE.NAMES = FALSE))), given)
  })
}

# --- values of arguments

a_number <- function(x, argument) {
  if (is.null(x))
    return(NULL)
  if (is.character(x) && length(x) == 1L && grepl("^[0-9]*\\.?[0-9]+$", x))
    return(x)  # as it is written
  if (!is.numeric(x) || length(x) != 1L || !is.finite(x))
    stop_input("give one number", argument)
  unname(x)
}

whole_number <- function(x, argument) {
  if (is.null(x))
    return(NULL)
  if (!is.numeric(x) || length(x) != 1L || !is.finite(x) || x != round(x) || x < 0)
    stop_input("give one whole number", argument)
  unname(x)
}

a_truth <- function(x, argument) {
  if (!is.null(x) && !(is.logical(x) && length(x) == 1L && !is.na(x)))
    stop_input("give TRUE or FALSE", argument)
  x
}

one_of <- function(x, choices, argument) {
  if (is.character(x) && length(x) == 1L && x %in% choices)
    return(x)
  given <- if (is.character(x) && length(x) == 1L && !is.na(x)) x else ""
  stop_option(paste0("give one of ", words_of(paste0("\"", choices, "\"")),
                     did_you_mean(given, choices)), argument)
}

# --- how they show themselves

format.sdc_rule <- function(x, ...) {
  keys <- x$keys
  words <- switch(x$type,
    frequency = paste("fewer than", number_text(keys$n), if (is.null(keys$counts)) "contributors"
                      else switch(keys$counts, weighted = "contributors, weighted", keys$counts)),
    dominance = paste0("the ", if (keys$n == 1) "largest contributor has" else
      paste(number_text(keys$n), "largest contributors have"), " more than ", keys$k, "%"),
    `p-percent` = paste0("the largest contributor is known to within ", keys$p, "%"),
    `prior-posterior` = paste0("the largest contributor is known to within ", keys$p,
                               "% to an attacker who knew all to within ", keys$q, "%"),
    request = paste0("a contributor who asked for protection has more than ", keys$percent, "%"),
    zeros = "all contributors have zero"
  )
  more <- c(if (!is.null(keys$coalition)) paste("coalitions of", keys$coalition),
            if (!is.null(keys$minimum)) paste("fewer than", keys$minimum, "contributors"),
            if (!is.null(keys$range)) paste0("range ", keys$range, "%"))
  paste0(words, if (length(more)) paste0(" (", paste(more, collapse = ", "), ")"))
}

print.sdc_rule <- function(x, ...) {
  cat("<rule: ", format(x), ">\n", sep = "")
  invisible(x)
}

format.sdc_rules <- function(x, ...) vapply(unclass(x), format, "")

print.sdc_rules <- function(x, ...) {
  if (length(x))
    cat("a cell is sensitive if\n", paste0("  ", format(x), "\n"), sep = "")
  else
    cat("<no rule>\n")
  invisible(x)
}

format.sdc_respondents <- function(x, ...) {
  if (identical(x$keys$respondents, FALSE))
    return("<attackers: readers who know what is published>")
  keys <- Filter(Negate(is.null), x$keys)
  shown <- vapply(keys, function(x) if (is.character(x)) dQuote(x, FALSE) else format(x), "")
  said <- paste0(names(keys), " = ", shown, recycle0 = TRUE)
  paste0("<attackers: contributors", if (length(said)) paste0(", ", paste(said, collapse = ", ")),
         ">")
}

print.sdc_respondents <- function(x, ...) {
  cat(format(x), "\n", sep = "")
  invisible(x)
}

# What an attacker knows is confidential: the number of cells alone is shown.
format.sdc_attacker <- function(x, ...) {
  cells <- nrow(x$known)
  paste0("<attacker ", x$name, ": knows ", cells, if (cells == 1L) " cell" else " cells", ">")
}

print.sdc_attacker <- function(x, ...) {
  cat(format(x), "\n", sep = "")
  invisible(x)
}
