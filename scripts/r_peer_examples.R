# SPDX-License-Identifier: Apache-2.0
# The tables of compare_r_peers.R. An example is
#
#   list(name, tables, hierarchies, counts, records)
#
# tables: named data frames with a row per cell, totals included: the dimensions, value, freq and
# primary; hierarchies: for every dimension a data frame of levels ("@", "@@", ...) and codes, the
# form that sdcTable and SSBtools take; counts: TRUE if the value is the count. Cells that two
# tables share are one cell.

TOTAL <- "Total"

# ---- hierarchies

# A table with a column per level becomes rows of "@" and a code; a code that repeats the one to
# its left is no level of its own.
at_rows <- function(levels, total = TOTAL) {
  out <- data.frame(levels = "@", codes = total)
  visit <- function(rows, depth) {
    column <- levels[[depth]][rows]
    for (code in unique(column)) {
      mine <- rows[column == code]
      repeated <- depth > 1 && levels[[depth - 1]][mine[1]] == code
      if (!repeated) out[nrow(out) + 1, ] <<- list(strrep("@", depth + 1), code)
      if (depth < ncol(levels)) visit(mine, depth + 1)
    }
  }
  visit(seq_len(nrow(levels)), 1)
  out
}

flat_rows <- function(codes, total = TOTAL) at_rows(data.frame(code = setdiff(codes, total)), total)

leaves_of <- function(at) {
  depth <- nchar(at$levels)
  at$codes[c(depth[-1], 0) <= depth]
}

# ---- from files of ours

read_cells <- function(path, dims, value, freq, primary) {
  data <- utils::read.csv(path, colClasses = stats::setNames(rep("character", length(dims)), dims),
                          check.names = FALSE)
  out <- data[dims]
  out$value <- data[[value]]
  out$freq <- data[[freq]]
  out$primary <- data[[primary]]
  out
}

turnover_names <- function(region, legal) {
  list(activity_size = c("ACTIVITY", "SIZE"), activity_legal = c("ACTIVITY", legal),
       region_size = c(region, "SIZE"), region_legal = c(region, legal))
}

turnover_example <- function(name, files, dims, trees) {
  tables <- Map(read_cells, files, dims, "TOT", "N_OBS", "is_secret_prim")
  names(tables) <- names(dims)
  hierarchies <- list()
  for (dim in unique(unlist(dims))) {
    codes <- unique(unlist(lapply(tables, function(table) table[[dim]])))
    hierarchies[[dim]] <- if (dim %in% names(trees)) at_rows(trees[[dim]]) else flat_rows(codes)
  }
  list(name = name, tables = tables, hierarchies = hierarchies, counts = FALSE)
}

levels_file <- function(path) utils::read.csv(path, colClasses = "character")

# The stand-in for the tutorial of rtauargus.
made_turnover <- function(folder) {
  dims <- turnover_names("REGION", "LEGAL")
  turnover_example("turnover", file.path(folder, paste0("turnover_", names(dims), ".csv")), dims,
                   list(ACTIVITY = levels_file(file.path(folder, "activity_levels.csv")),
                        REGION = levels_file(file.path(folder, "region_levels.csv"))))
}

# The tables of that tutorial: tests/data/turnover.
real_turnover <- function(folder) {
  dims <- turnover_names("NUTS", "CJ")
  files <- c("turnover_act_size.csv", "turnover_act_cj.csv", "turnover_nuts_size.csv", "turnover_nuts_cj.csv")
  turnover_example("real turnover", file.path(folder, files), dims,
                   list(ACTIVITY = levels_file(file.path(folder, "activity_corr_table.csv")),
                        NUTS = levels_file(file.path(folder, "nuts23_fr_corr_table.csv"))))
}

# One of the tables of an example by itself.
one_table <- function(example, table) {
  dims <- setdiff(names(example$tables[[table]]), c("value", "freq", "primary"))
  list(name = paste(example$name, gsub("_", " by ", table)), tables = example$tables[table],
       hierarchies = example$hierarchies[dims], counts = example$counts)
}

# Several tables of an example that stay linked.
some_tables <- function(example, which, name) {
  dims <- unique(unlist(lapply(example$tables[which], function(t) setdiff(names(t), c("value", "freq", "primary")))))
  list(name = name, tables = example$tables[which], hierarchies = example$hierarchies[dims],
       counts = example$counts)
}

# ---- records into cells

# All cells of a table over records: every record counts in the cells above its leaf.
spread_records <- function(records, hierarchies) {
  for (dim in names(hierarchies)) {
    at <- hierarchies[[dim]]
    pairs <- do.call(rbind, lapply(leaves_of(at), function(leaf) data.frame(leaf, code = c(leaf, codes_over(at, leaf)))))
    names(pairs) <- c(dim, paste0("code.", dim))
    records <- merge(records, pairs, by = dim)
  }
  records
}

codes_over <- function(at, code) {
  depth <- nchar(at$levels)
  row <- match(code, at$codes)
  over <- character()
  while (depth[row] > 1) {
    row <- max(which(depth[seq_len(row)] < depth[row]))
    over <- c(over, at$codes[row])
  }
  over
}

tabulate_records <- function(records, hierarchies, value = NULL) {
  records$size <- if (is.null(value)) 1 else records[[value]]
  spread <- spread_records(records, hierarchies)
  codes <- spread[paste0("code.", names(hierarchies))]
  names(codes) <- names(hierarchies)
  sums <- stats::aggregate(list(value = spread$size, freq = 1L + 0L * seq_len(nrow(spread))), codes, sum)
  sums$value <- round(sums$value, 6)
  sums
}

# Cells that no record falls into are zeros, as sdcTable and GaussSuppression have them.
with_zeros <- function(cells, hierarchies) {
  grid <- expand.grid(lapply(hierarchies, function(at) at$codes), stringsAsFactors = FALSE)
  out <- merge(grid, cells, by = names(hierarchies), all.x = TRUE)
  out$value[is.na(out$value)] <- 0
  out$freq[is.na(out$freq)] <- 0
  out
}

# The stand-in for the vignette of sdcTable: counts of persons by job, sex and zone.
made_persons <- function(folder, max_n = 3) {
  persons <- utils::read.csv(file.path(folder, "persons.csv"))
  hierarchies <- list(
    job = data.frame(levels = c("@", "@@", "@@", "@@@", "@@@", "@@@", "@@", "@@"),
                     codes = c(TOTAL, "farm", "craft", "wood", "iron", "cloth", "trade", "care")),
    sex = flat_rows(c("f", "m")), zone = flat_rows(paste0("z", 1:5)))
  cells <- with_zeros(tabulate_records(persons, hierarchies), hierarchies)
  cells$primary <- cells$freq >= 1 & cells$freq <= max_n
  list(name = "persons", tables = list(persons = cells), hierarchies = hierarchies, counts = TRUE,
       records = persons, max_n = max_n)
}

# The stand-ins for the vignettes of GaussSuppression: counts, zeros included in the rule.
made_counts <- function(folder, max_n = 2) {
  data <- utils::read.csv(file.path(folder, "small_counts.csv"))
  hierarchies <- list(age = flat_rows(c("young", "old")),
                      town = at_rows(data.frame(shore = c("coast", "coast", "inland"), town = c("Alm", "Cor", "Bek"))),
                      year = flat_rows(c("Y1", "Y2", "Y3")))
  records <- data[rep(seq_len(nrow(data)), data$freq), ]
  cells <- with_zeros(tabulate_records(records, hierarchies), hierarchies)
  cells$primary <- cells$freq <= max_n
  list(name = "small counts", tables = list(counts = cells), hierarchies = hierarchies, counts = TRUE,
       records = data, max_n = max_n)
}

# Sales by branch and town, of four firms; a cell is sensitive by dominance of one or two firms.
made_sales <- function(folder, k = c(80, 99)) {
  sales <- utils::read.csv(file.path(folder, "small_sales.csv"))
  hierarchies <- list(
    branch = at_rows(data.frame(kind = c("Private", "Private", "Private", "Public"),
                                branch = c("Fields", "Crafts", "Shows", "Public"))),
    town = at_rows(data.frame(shore = c("coast", "coast", "inland"), town = c("Alm", "Cor", "Bek"))))
  spread <- spread_records(sales, hierarchies)
  by <- list(branch = spread$code.branch, town = spread$code.town)
  firm <- stats::aggregate(list(value = spread$value), c(by, list(firm = spread$firm)), sum)
  cells <- stats::aggregate(list(value = firm$value), firm[c("branch", "town")], function(x) round(sum(x), 6))
  of_cell <- function(f) stats::aggregate(list(x = firm$value), firm[c("branch", "town")], f)$x
  cells$freq <- of_cell(length)
  cells$primary <- of_cell(function(x) max(x)) > k[1] / 100 * cells$value |
    of_cell(function(x) sum(sort(x, decreasing = TRUE)[1:2], na.rm = TRUE)) > k[2] / 100 * cells$value
  list(name = "small sales", tables = list(sales = cells), hierarchies = hierarchies, counts = FALSE,
       records = sales, k = k)
}

# ---- random tables of `lacuna generate`

tree_of_job <- function(lines) {
  part <- regmatches(lines, regexec('^"(.*)" = \\[(.*)\\]$', lines))
  part <- Filter(length, part)
  below <- stats::setNames(lapply(part, function(p) gsub('^ *"|"$', "", strsplit(p[3], ",")[[1]])),
                           vapply(part, `[`, "", 2))
  rows <- function(code, depth) {
    rbind(data.frame(levels = strrep("@", depth), codes = code),
          do.call(rbind, lapply(below[[code]], rows, depth + 1)))
  }
  rows(names(below)[1], 1)
}

random_table <- function(lacuna, seed) {
  folder <- tempfile("random")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  job <- file.path(folder, "random.toml")
  shape <- list(c("2,1", "4,4"), c("2,2", "3,3"), c("1,1", "8,6"), c("1,1,1", "4,3,3"), c("3,1", "3,4"))[[seed %% 5 + 1]]
  done <- system2(lacuna, c("generate", job, "--kind", "hierarchical", "--seed", seed, "--depths", shape[1], "--fan-most",
                            shape[2], "--sensitive-percent", "12", "--typical-value", "200"))
  stopifnot(done == 0)
  lines <- readLines(job)
  starts <- which(lines == "[dimension.tree]")
  dims <- sub('^name = "(.*)"$', "\\1", grep("^name = ", lines, value = TRUE))
  ends <- c(which(lines == "[[dimension]]")[-1], length(lines) + 1)
  hierarchies <- stats::setNames(Map(function(a, b) tree_of_job(lines[a:(b - 1)]), starts, ends), dims)
  data <- utils::read.csv2(sub("toml$", "csv", job), colClasses = stats::setNames(rep("character", length(dims)), dims))
  cells <- data[dims]
  for (dim in dims) cells[[dim]][cells[[dim]] == hierarchies[[dim]]$codes[1]] <- TOTAL
  for (dim in dims) hierarchies[[dim]]$codes[1] <- TOTAL
  cells$value <- data$value
  # Respondents are no part of these tables: four in every inner cell.
  inner <- Reduce(`&`, lapply(dims, function(dim) cells[[dim]] %in% leaves_of(hierarchies[[dim]])))
  counts <- cells[inner, dims, drop = FALSE]
  counts <- counts[rep(seq_len(nrow(counts)), each = 4), , drop = FALSE]
  cells <- merge(cells, tabulate_records(counts, hierarchies)[c(dims, "freq")], by = dims)
  cells$primary <- data$status[match(do.call(paste, cells[dims]), do.call(paste, rename_totals(data[dims], cells)))] == "u"
  list(name = paste("random", seed), tables = list(random = cells), hierarchies = hierarchies, counts = FALSE)
}

rename_totals <- function(codes, cells) {
  for (dim in names(codes)) codes[[dim]][!codes[[dim]] %in% cells[[dim]]] <- TOTAL
  codes
}
