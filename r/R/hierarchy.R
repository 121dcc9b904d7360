# SPDX-License-Identifier: Apache-2.0
# Hierarchies of codes, in the forms in which users of R have them. A hierarchy is a list of class
# "sdc_hierarchy_job": `keys` of a dimension in a job, `data` (one data frame per tree) of a
# hierarchy that is a table, and `form`, what that table is: codes with their "parents", or a column
# per level ("correspondence").
#
# Whatever says "this code is part of that one" becomes pairs of code and parent: rows with signs of
# @, two columns, SSBtools' mapsFrom and mapsTo, sdcHierarchies' root and leaf. Where a code is part
# of two sums that are not parts of each other, the pairs are divided among several trees, since in
# one tree of a job a code has one parent.

hierarchy_of <- function(keys = list(), data = NULL, form = NULL) {
  structure(
    list(keys = Filter(Negate(is.null), keys), data = data, form = form),
    class = "sdc_hierarchy_job"
  )
}

hier_flat <- function(total = "Total", codes = NULL) {
  total <- one_text(total, "total")
  if (!is.null(codes))
    codes <- I(unique(c(total, code_text(codes, "codes"))))
  hierarchy_of(list(total = total, codes = codes))
}

hier_hrc <- function(..., lead = "@", total = NULL) {
  paths <- unnamed(list(...), c("lead", "total"), "hier_hrc")
  if (!is.character(paths) || !length(paths) || anyNA(paths))
    stop_input("name a file", "hier_hrc")
  lead <- one_text(lead, "lead")
  hierarchy_of(list(hierarchy = path.expand(paths), lead = if (lead != "@") lead,
                    total = one_text(total, "total")))
}

hier_parents <- function(x, total = NULL) {
  if (is_path(x))
    return(hierarchy_of(list(parents = path.expand(x), total = one_text(total, "total"))))
  columns <- edge_columns(x)
  if (is.null(columns)) {
    stop_input(paste("name two columns 'code' and 'parent' (or 'child' and 'parent', 'mapsFrom'",
                     "and 'mapsTo', 'leaf' and 'root')"), "hier_parents")
  }
  refuse_signs(x)
  of_edges(x[[columns[["code"]]]], x[[columns[["parent"]]]], total, "hier_parents")
}

hier_levels <- function(x, total = NULL) {
  total <- one_text(total, "total")
  if (is_path(x))
    return(hierarchy_of(list(correspondence = path.expand(x), total = total)))
  if (!is.data.frame(x) || !ncol(x) || !nrow(x))
    stop_input("give a data frame with a column per level, the coarsest first", "hier_levels")
  levels <- levels_table(x)
  heads <- levels[[1L]][nzchar(levels[[1L]])]
  if (is.null(total) && ncol(levels) > 1L && nrow(levels) > 1L && length(unique(heads)) == 1L)
    total <- heads[1L]  # a column of the total
  hierarchy_of(list(total = total), list(levels), "correspondence")
}

hier_tree <- function(x, total = NULL) {
  if (!is.list(x) || is.null(names(x)) || !all(nzchar(names(x))))
    stop_input("give a list of codes by the code above them: list(Total = c(\"A\", \"B\"))",
               "hier_tree")
  below <- lapply(x, function(codes) {
    if (is.list(codes))
      stop_input("the codes below a code are a vector; say what is below them by their own names",
                 "hier_tree")
    code_text(codes, "hier_tree")
  })
  hierarchy_of(list(tree = below, total = one_text(total, "total")))
}

hier_at <- function(x, total = NULL) {
  at <- at_columns(x)
  if (is.null(at))
    stop_input("give a data frame with a column of @, @@, ... and a column of codes", "hier_at")
  of_levels(nchar(at$levels), at$codes, total, "hier_at")
}

hier_nested <- function(..., total = NULL) {
  columns <- column_names(unnamed(list(...), "total", "hier_nested"), "hier_nested")
  if (!length(columns))
    stop_input("name the columns, from coarse to fine", "hier_nested")
  hierarchy_of(list(columns = I(columns), total = one_text(total, "total")))
}

hier_digits <- function(..., total = NULL) {
  lengths <- unnamed(list(...), "total", "hier_digits")
  if (!is.numeric(lengths) || anyNA(lengths) || any(lengths < 1 | lengths != round(lengths)))
    stop_input("give the numbers of characters of each level: hier_digits(3, 1, 1)", "hier_digits")
  hierarchy_of(list(digits = I(as.integer(lengths)), total = one_text(total, "total")))
}

# One vector of all that was given; a name is an argument that does not exist.
unnamed <- function(dots, known, function_name) {
  wrong <- names(dots)[nzchar(names(dots))]
  if (length(wrong))
    unknown_argument(wrong[1L], known, function_name)
  unlist(dots)
}

# Of records: what becomes of those without a code.
hier_missing <- function(x, policy = c("drop", "code", "error"), code = NULL, values = NULL) {
  made <- as_hierarchy(x)
  policy <- one_of(policy[1L], c("drop", "code", "error"), "policy")
  if ((policy == "code") != !is.null(code))
    stop_input("policy \"code\" needs a code, and no other policy takes one", "code")
  made$keys$missing <- policy
  made$keys$missing_code <- one_text(code, "code")
  if (!is.null(values))
    made$keys$missing_values <- I(code_text(values, "values"))
  made
}

# Of records: what becomes of those with a code that is not there, and, of hier_digits(), with a
# longer one.
hier_unknown <- function(x, policy = c("error", "drop", "missing"),
                         longer = c("auto", "cut", "error")) {
  made <- as_hierarchy(x)
  made$keys$unknown <- one_of(policy[1L], c("error", "drop", "missing"), "policy")
  if (!missing(longer))
    made$keys$longer <- one_of(longer[1L], c("auto", "cut", "error"), "longer")
  made
}

# By its look; `name` is that of the dimension, for messages.
as_hierarchy <- function(x, name = NULL, total = NULL) {
  where <- if (is.null(name)) "hierarchies" else paste0("hierarchies: ", name)
  made <- withCallingHandlers(
    recognised(x, total, where),
    lacuna_input_error = function(error) {
      if (!identical(error$where, where))
        stop_input(error$what, where)
    }
  )
  if (!is.null(total) && is.null(made$keys$total))
    made$keys$total <- one_text(total, "totcode")
  made
}

recognised <- function(x, total, where) {
  if (inherits(x, "sdc_hierarchy_job"))
    return(x)
  if (is.null(x))
    return(hierarchy_of())
  if (is.data.frame(x))
    return(of_frame(x, total, where))
  if (is.factor(x))
    x <- as.character(x)
  if (is.character(x))
    return(of_texts(x, total, where))
  if (is.list(x) && identical(attr(x, "hier_format"), "sdc"))
    return(of_sdc_list(x, total))
  if (is.list(x) && length(x) && !is.null(names(x)) && all(nzchar(names(x))))
    return(hier_tree(x, total))
  if (is.list(x) && length(x))
    return(of_several(x, total, where))
  if (is.matrix(x))
    return(of_frame(as.data.frame(x, stringsAsFactors = FALSE), total, where))
  stop_input(paste0(kind_of(x), " is not a hierarchy: give a data frame, a .hrc file, a list of ",
                    "codes by the code above them, columns, or the code of the total"), where)
}

of_frame <- function(x, total, where) {
  if (!ncol(x) || !nrow(x))
    stop_input("the data frame of the hierarchy is empty", where)
  if (!is.null(at_columns(x)))
    return(hier_at(x, total))
  if (!is.null(edge_columns(x)))
    return(hier_parents(x, total))
  if (ncol(x) == 2L && is_chained(x)) {
    stop_input(paste0("codes of column ", in_quotes(names(x)[1L]), " stand in column ",
                      in_quotes(names(x)[2L]), " of other rows: name the columns 'code' and ",
                      "'parent'"), where)
  }
  hier_levels(x, total)
}

of_texts <- function(x, total, where) {
  if (!length(x) || anyNA(x) || !all(nzchar(x)))
    stop_input("an empty text is neither a file, a column nor the code of a total", where)
  if (any(startsWith(x, "@")))  # the lines of a .hrc file
    return(of_levels(nchar(x) - nchar(sub("^@+", "", x)) + 1L, sub("^@+", "", x),
                     if (is.null(total)) "Total" else total, where))
  ending <- lower_case(sub("^.*(\\.[A-Za-z]+(\\.gz)?)$", "\\1", x))
  if (all(ending == ".hrc"))
    return(hier_hrc(x, total = total))
  if (length(x) == 1L && ending %in% c(".csv", ".tsv", ".txt", ".csv.gz"))
    return(of_table_file(x, total, where))
  if (any(grepl("=", x, fixed = TRUE)))
    stop_input(paste("formulas are not read: say the same by a list,",
                     "list(Total = c(\"A\", \"B\"), A = c(\"A1\", \"A2\"))"), where)
  if (length(x) > 1L)
    return(hier_nested(x, total = total))
  hier_flat(x)
}

# A .csv file of codes and parents, of @ and codes, or with a column per level.
of_table_file <- function(path, total, where) {
  if (!file.exists(path))
    stop(lacuna_error("lacuna_file_error", paste("there is no file", in_quotes(path)), where))
  if (endsWith(path, ".gz"))
    return(hier_parents(path, total))
  lines <- readLines(path, n = 2L, warn = FALSE, encoding = "UTF-8")
  if (!length(lines))
    stop_input(paste("the file", in_quotes(path), "is empty"), where)
  first <- sub("^\ufeff", "", lines[1L])
  headed <- !grepl("^\"?@", first)  # sdcTable's files of @ and codes have no names
  separators <- c(";", ",", "\t")
  counts <- nchar(first) - nchar(vapply(separators, gsub, "", replacement = "", x = first))
  read <- utils::read.table(path, header = headed, sep = separators[which.max(counts)],
                            quote = "\"", colClasses = "character", na.strings = "",
                            comment.char = "", check.names = FALSE, fileEncoding = "UTF-8-BOM",
                            stringsAsFactors = FALSE)
  of_frame(read, total, where)
}

# Several hierarchies over the same codes: .hrc files, or tables.
of_several <- function(x, total, where) {
  parts <- lapply(x, recognised, total = total, where = where)
  forms <- vapply(parts, form_of, "")
  if (length(unique(forms)) > 1L || !forms[1L] %in% c("hierarchy", "parents", "correspondence")) {
    stop_input(paste("several hierarchies of one dimension are all .hrc files, or all data frames",
                     "of one form"), where)
  }
  totals <- unique(unlist(lapply(parts, function(part) part$keys$total)))
  if (length(totals) > 1L)
    stop_input(paste("the hierarchies of one dimension have one total, not",
                     words_of(in_quotes(totals))), where)
  first <- parts[[1L]]
  key <- forms[1L]
  tables <- unlist(lapply(parts, function(part) part$data), recursive = FALSE)
  paths <- unlist(lapply(parts, function(part) part$keys[[key]]))
  if (length(tables) && length(paths))
    stop_input("several hierarchies of one dimension are all files, or all data frames", where)
  first$keys[[key]] <- paths
  first$keys$total <- totals
  first$data <- tables
  first
}

form_of <- function(hierarchy) {
  if (!is.null(hierarchy$form))
    return(hierarchy$form)
  found <- intersect(names(hierarchy$keys),
                     c("hierarchy", "parents", "correspondence", "tree", "columns", "digits"))
  if (length(found)) found[1L] else "flat"
}

# hier_convert(as = "sdc"): codes with their levels; what it calls bogus are codes that are alone
# below another one.
of_sdc_list <- function(x, total) {
  made <- of_levels(x$codes$level, code_text(x$codes$orig), total, "sdc")
  alone <- x$bogus$bogus_codes
  if (!length(alone))
    return(made)
  pairs <- made$data[[1L]]
  of_edges(c(pairs$code[-1L], alone), c(pairs$parent[-1L], x$bogus$bogus_parents), total, "sdc")
}

# --- tables of codes and parents

at_columns <- function(x) {
  if (!is.data.frame(x) || ncol(x) < 2L || !nrow(x))
    return(NULL)
  is_at <- vapply(x, function(column) {
    column <- if (is.factor(column)) as.character(column) else column
    is.character(column) && !anyNA(column) && all(grepl("^@+$", column))
  }, NA)
  if (sum(is_at) != 1L || ncol(x) != 2L)
    return(NULL)
  list(levels = as.character(x[[which(is_at)]]), codes = code_text(x[[which(!is_at)]]))
}

# Names that columns of codes and of their parents have in the packages of the field.
edge_columns <- function(x) {
  if (!is.data.frame(x))
    return(NULL)
  pairs <- list(c("mapsfrom", "mapsto"), c("leaf", "root"), c("code", "parent"),
                c("child", "parent"), c("code", "parentcode"), c("from", "to"),
                c("name", "parent"), c("node", "parent"), c("id", "parent"))
  names <- lower_case(gsub("[._ ]", "", names(x)))
  for (pair in pairs) {
    at <- match(pair, names)
    if (!anyNA(at))
      return(c(code = at[1L], parent = at[2L]))
  }
  NULL
}

refuse_signs <- function(x) {
  at <- match("sign", lower_case(names(x)))
  if (is.na(at))
    return(invisible(NULL))
  refused <- is.na(x[[at]]) | x[[at]] != 1
  if (!any(refused))
    return(invisible(NULL))
  code <- code_text(x[[edge_columns(x)[["code"]]]])[which(refused)[1L]]
  stop_input(paste0("the code ", in_quotes(code), " has another sign than 1: a hierarchy is made ",
                    "of sums; write the difference as the sum that it comes from"), "hierarchies")
}

# Codes of a column stand in the other one of another row.
is_chained <- function(x) {
  first <- code_text(x[[1L]])
  second <- code_text(x[[2L]])
  apart <- !is.na(first) & !is.na(second) & first != second
  any(first[apart] %in% second[apart])
}

# A row per code in the order of the table, `level` 1 being the total.
of_levels <- function(level, codes, total, where) {
  if (anyNA(codes) || !all(nzchar(codes)))
    stop_input("a code is empty", where)
  heads <- which(level == 1L)
  if (level[1L] != 1L)
    stop_input(paste("the first row", in_quotes(codes[1L]), "is the total and has one @"), where)
  if (any(diff(level) > 1L)) {
    row <- which(diff(level) > 1L)[1L] + 1L
    stop_input(paste0("the code ", in_quotes(codes[row]), " (row ", row, ") stands ",
                      level[row] - level[row - 1L], " levels below the row before it; one is ",
                      "allowed"), where)
  }
  if (length(heads) > 1L && is.null(total)) {
    stop_input(paste0("the first row with one @ is the total, and ", in_quotes(codes[heads[2L]]),
                      " (row ", heads[2L], ") has one @, too"), where)
  }
  open <- character(max(level))
  parents <- character(length(codes))
  for (i in seq_along(codes)) {
    parents[i] <- if (level[i] == 1L) "" else open[level[i] - 1L]
    open[level[i]] <- codes[i]
  }
  of_edges(codes, parents, total, where)
}

# Pairs of code and parent; a code without a parent, or that is its own, heads a tree.
of_edges <- function(codes, parents, total, where) {
  total <- one_text(total, "total")
  codes <- code_text(codes, where)
  parents <- code_text(parents, where)
  if (anyNA(codes) || !all(nzchar(codes)))
    stop_input("a code is empty", where)
  parents[is.na(parents) | parents == codes] <- ""
  heads <- setdiff(c(parents[nzchar(parents)], codes), codes[nzchar(parents)])
  if (!length(heads))
    stop_input("every code stands below another one: the hierarchy goes round", where)
  if (is.null(total))
    total <- total_of(edges(codes, parents), heads, where)
  else if (total %in% codes[nzchar(parents)])
    stop_input(paste("the total", in_quotes(total), "stands below another code"), where)
  else if (!total %in% parents) {  # the heads are its parts
    parents[!nzchar(parents) & codes != total] <- total
    alone <- setdiff(heads, c(total, codes))
    codes <- c(alone, codes)
    parents <- c(rep(total, length(alone)), parents)
  }
  hierarchy_of(list(total = total), trees_of(edges(codes, parents), total, where), "parents")
}

# Each once, without the heads.
edges <- function(codes, parents) {
  pairs <- data.frame(code = codes, parent = parents, stringsAsFactors = FALSE)
  as.list(unique(pairs[nzchar(parents), , drop = FALSE]))
}

# The code that heads everything.
total_of <- function(pairs, heads, where) {
  if (length(heads) == 1L)
    return(heads)
  if (anyDuplicated(pairs$code)) {
    count <- lengths(leaf_sets(pairs, where)[heads])
    everything <- length(setdiff(pairs$code, pairs$parent))
    if (sum(count == everything) == 1L)
      return(heads[count == everything])
  }
  stop_input(paste0("the codes ", words_of(in_quotes(heads)), " stand below no other code: name ",
                    "the total that they are parts of with totcode"), where)
}

# The leaves below every code that has some, from the lowest upward.
leaf_sets <- function(pairs, where) {
  children <- split(pairs$code, factor(pairs$parent, unique(pairs$parent)))
  sums <- names(children)
  inner <- pairs$code %in% sums
  waits_for <- as.vector(table(factor(pairs$parent[inner], sums)))
  above <- split(match(pairs$parent[inner], sums), factor(pairs$code[inner], sums))
  found <- stats::setNames(vector("list", length(sums)), sums)
  ready <- which(waits_for == 0)
  done <- 0L
  while (length(ready)) {
    for (at in ready)
      found[[at]] <- leaves_of(sums[at], children[[at]], found, where)
    done <- done + length(ready)
    freed <- table(factor(unlist(above[ready], use.names = FALSE), seq_along(sums)))
    waits_for <- waits_for - as.vector(freed)
    ready <- which(waits_for == 0 & freed > 0)
  }
  if (done < length(sums)) {
    stop_input(paste("the hierarchy goes round through code", in_quotes(sums[waits_for > 0][1L])),
               where)
  }
  found
}

leaves_of <- function(code, below, found, where) {
  leaves <- c(setdiff(below, names(found)),
              unlist(found[intersect(below, names(found))], use.names = FALSE))
  twice <- leaves[duplicated(leaves)]
  if (length(twice)) {
    stop_input(paste0("the parts of ", in_quotes(code), " have the code ", in_quotes(twice[1L]),
                      " twice: give two hierarchies as a list of two data frames"), where)
  }
  leaves
}

# One tree if every code has one parent. Else the first tree has the sums that the total is made of;
# the others are written with their leaves, as many to a tree as have none in common.
trees_of <- function(pairs, total, where) {
  if (!anyDuplicated(pairs$code))
    return(list(tree_frame(pairs$code, pairs$parent, total)))
  leaves <- leaf_sets(pairs, where)
  children <- split(pairs$code, factor(pairs$parent, unique(pairs$parent)))
  kept <- character()
  ready <- total
  while (length(ready)) {
    kept <- c(kept, intersect(ready, names(children)))
    ready <- unlist(children[intersect(ready, names(children))], use.names = FALSE)
  }
  trees <- list(tree_frame(unlist(children[kept], use.names = FALSE),
                           rep(kept, lengths(children[kept])), total))
  rest <- setdiff(names(children), kept)
  while (length(rest)) {
    now <- disjoint(leaves[rest])
    trees <- c(trees, list(tree_frame(
      c(now, unlist(leaves[now], use.names = FALSE)),
      c(rep(total, length(now)), rep(now, lengths(leaves[now]))), total
    )))
    rest <- setdiff(rest, now)
  }
  trees
}

# Names of sets that have nothing in common, the first ones first.
disjoint <- function(sets) {
  used <- character()
  chosen <- character()
  for (name in names(sets)) {
    if (!any(sets[[name]] %in% used)) {
      chosen <- c(chosen, name)
      used <- c(used, sets[[name]])
    }
  }
  chosen
}

tree_frame <- function(codes, parents, total) {
  data.frame(code = c(total, codes), parent = c("", parents), stringsAsFactors = FALSE)
}

# --- a column per level

levels_table <- function(x) {
  texts <- lapply(seq_along(x), function(i) {
    column <- code_text(x[[i]], paste("column", names(x)[i]))
    column[is.na(column)] <- ""
    column
  })
  if (!is_nested(texts) && is_nested(rev(texts)))
    stop_input(paste0("the columns stand from fine to coarse: give them from coarse to fine, ",
                      "x[rev(names(x))]"), "hier_levels")
  names(texts) <- make.unique(utf8_text(names(x)))
  unique(as.data.frame(texts, stringsAsFactors = FALSE, optional = TRUE))
}

# Every code stands below one code of the column before it.
is_nested <- function(columns) {
  for (i in seq_along(columns)[-1L]) {
    filled <- nzchar(columns[[i]]) & nzchar(columns[[i - 1L]])
    pairs <- unique(cbind(columns[[i - 1L]], columns[[i]])[filled, , drop = FALSE])
    if (anyDuplicated(pairs[, 2L]))
      return(FALSE)
  }
  TRUE
}

# --- the dimensions of a job

# Adds them and returns their names. `dimList` has names and hierarchies in one.
add_dimensions <- function(job, dimVar, hierarchies = NULL, dimList = NULL, totcode = NULL) {
  found <- c(named_list(dimList, "dimList"), named_list(hierarchies, "hierarchies"))
  if (is.list(dimVar) && !is.null(names(dimVar))) {  # names with hierarchies
    found <- c(named_list(dimVar, "dimVar"), found)
    dimVar <- names(dimVar)
  }
  names <- if (is.null(dimVar)) unique(names(found)) else column_names(dimVar, "dimVar")
  if (!length(names))
    stop_input("name the columns of the codes", "dimVar")
  if (anyDuplicated(names))
    stop_input(paste(in_quotes(names[duplicated(names)][1L]), "is named twice"), "dimVar")
  for (name in setdiff(names(found), names)) {
    argument <- if (name %in% names(dimList)) "dimList" else "hierarchies"
    stop_input(paste0(in_quotes(name), " is not one of the dimensions ", words_of(names, 10L),
                      did_you_mean(name, names)), argument)
  }
  totals <- totals_of(totcode, names)
  for (name in names)
    add_dimension(job, name, found[names(found) == name], totals[[name]])
  job$dims <- names
  names
}

add_dimension <- function(job, name, given, total) {
  argument <- paste0("hierarchies: ", name)
  names(given) <- NULL
  hierarchy <- as_hierarchy(if (length(given) > 1L) given else if (length(given)) given[[1L]],
                            name, total)
  if (!is.null(job$value[["input"]][["table"]]))
    refuse_record_forms(hierarchy, argument)
  job_add(job, "dimension", c(list(name = name), with_trees(hierarchy, argument)), argument)
}

# The keys of a dimension: of a hierarchy that is a table its trees, and all codes in their order.
with_trees <- function(hierarchy, where) {
  keys <- hierarchy$keys
  if (is.list(keys$tree))
    keys$tree <- lapply(keys$tree, I)
  if (!length(hierarchy$data))
    return(keys)
  tables <- hierarchy$data
  if (hierarchy$form == "correspondence") {
    total <- if (is.null(keys$total)) "Total" else keys$total
    tables <- lapply(tables, pairs_of_levels, total = total, where = where)
  }
  tables[-1L] <- lapply(tables[-1L], with_leaves, first = tables[[1L]])
  keys$tree <- lapply(tables, children_by_parent)
  keys$codes <- I(unique(unlist(lapply(tables, `[[`, "code"), use.names = FALSE)))
  keys
}

# Leaves of the first tree that another one leaves out stand beside it, below the total, in the
# order in which the first one has them.
with_leaves <- function(tree, first) {
  all <- setdiff(first$code, first$parent)
  leaves <- setdiff(tree$code, tree$parent)
  if (!all(leaves %in% all))
    return(tree)
  rest <- setdiff(all, leaves)
  data.frame(code = c(tree$code, rest),
             parent = c(tree$parent, rep(tree$code[!nzchar(tree$parent)][1L], length(rest))))
}

children_by_parent <- function(tree) {
  below <- tree[nzchar(tree$parent), ]
  parents <- factor(below$parent, intersect(c(tree$code, below$parent), below$parent))
  lapply(split(below$code, parents), I)
}

# Of a column per level: in every row a code stands below the one before it, the first one below the
# total; empty fields and repeated codes are steps that the row leaves out.
pairs_of_levels <- function(levels, total, where) {
  above <- rep(total, nrow(levels))
  pairs <- NULL
  for (i in seq_along(levels)) {
    code <- levels[[i]]
    below <- which(nzchar(code) & code != above)
    if (any(code[below] == total))
      stop_input(paste("the total", in_quotes(total), "stands below another code"), where)
    pairs <- rbind(pairs, data.frame(row = below, code = code[below], parent = above[below]))
    above[below] <- code[below]
  }
  if (any(above == total))
    stop_input(paste("row", rownames(levels)[above == total][1L], "has no code"), where)
  pairs <- unique(pairs[order(pairs$row), c("code", "parent")])
  twice <- pairs[pairs$code %in% pairs$code[duplicated(pairs$code)][1L], ]
  if (nrow(twice)) {
    stop_input(paste0("the code ", in_quotes(twice$code[1L]), " stands below ",
                      words_of(in_quotes(twice$parent))), where)
  }
  tree_frame(pairs$code, pairs$parent, total)
}

# Ready tables list their totals, so that neither columns nor characters tell the levels.
refuse_record_forms <- function(hierarchy, argument) {
  only <- c(columns = "a column per level", digits = "hier_digits()", missing = "hier_missing()",
            unknown = "hier_unknown()")
  for (key in intersect(names(only), names(hierarchy$keys)))
    stop_unsupported(paste0(only[[key]], " is for records, that is for sdc_table(); of a ready ",
                            "table give the hierarchy as a data frame, a file or a list"), argument)
}

named_list <- function(x, argument) {
  if (is.null(x))
    return(list())
  if (is.data.frame(x) || inherits(x, "sdc_hierarchy_job"))
    stop_input("give a list with the names of the dimensions: list(region = ...)", argument)
  x <- as.list(x)
  if (length(x) && (is.null(names(x)) || anyNA(names(x)) || !all(nzchar(names(x)))))
    stop_input("every hierarchy needs the name of its dimension: list(region = ...)", argument)
  x
}

# Codes of totals by dimension: one for all, one each in their order, or by name.
totals_of <- function(totcode, names) {
  if (is.null(totcode))
    return(list())
  totcode <- unlist(totcode)
  if (!is.character(totcode) || anyNA(totcode))
    stop_input("the codes of totals are texts", "totcode")
  if (!is.null(names(totcode))) {
    for (name in setdiff(names(totcode), names))
      stop_input(paste0(in_quotes(name), " is not one of the dimensions ", words_of(names, 10L),
                        did_you_mean(name, names)), "totcode")
    return(as.list(totcode))
  }
  if (length(totcode) == 1L)
    totcode <- rep(totcode, length(names))
  if (length(totcode) != length(names))
    stop_input(paste("give one code for all dimensions, or", length(names), "in their order"),
               "totcode")
  stats::setNames(as.list(totcode), names)
}

is_path <- function(x) is.character(x) && length(x) == 1L && !is.na(x)

one_text <- function(x, argument) {
  if (is.null(x))
    return(NULL)
  if (is.factor(x) || is.numeric(x))
    x <- code_text(x, argument)
  if (!is.character(x) || length(x) != 1L || is.na(x) || !nzchar(x))
    stop_input("give one text", argument)
  utf8_text(unname(x), argument)
}

format.sdc_hierarchy_job <- function(x, ...) {
  what <- switch(form_of(x),
    hierarchy = paste("of", words_of(basename(x$keys$hierarchy))),
    parents = ,
    correspondence = if (length(x$data)) table_words(x) else
      paste("of", words_of(basename(x$keys[[form_of(x)]]))),
    tree = paste("with", length(unique(c(names(x$keys$tree), unlist(x$keys$tree)))), "codes"),
    columns = paste("of the columns", words_of(x$keys$columns)),
    digits = paste("by", words_of(x$keys$digits), "characters"),
    flat = if (length(x$keys$codes)) paste("of", length(x$keys$codes), "codes") else
      "of the codes that occur"
  )
  total <- if (is.null(x$keys$total)) "" else paste0(", total ", in_quotes(x$keys$total))
  paste0("<hierarchy ", what, total, ">")
}

table_words <- function(x) {
  codes <- unique(unlist(lapply(x$data, function(tree) {
    if (x$form == "parents") tree$code else unlist(tree, use.names = FALSE)
  })))
  codes <- union(codes[nzchar(codes)], x$keys$total)
  paste0("with ", length(codes), " codes",
         if (length(x$data) > 1L) paste(" in", length(x$data), "trees"))
}

print.sdc_hierarchy_job <- function(x, ...) {
  cat(format(x), "\n", sep = "")
  invisible(x)
}
