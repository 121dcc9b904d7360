# SPDX-License-Identifier: Apache-2.0
# The small data sets of the vignettes, in the shapes of those that the tutorials of rtauargus,
# sdcTable and GaussSuppression use, with codes and numbers of our own: drawn here, from one seed.
#
#   Rscript r/tools/make_example_data.R [FOLDER]
#
# writes CSV files into FOLDER (r/inst/extdata of this tree if not given). What each file holds is
# in the help page `example_data`. Running it again gives the same bytes; a test says so.

draw_from <- function(seed) {
  set.seed(seed, kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection")
}

write_data <- function(data, folder, name) {
  # Numbers are written as digits, never as 1e+05.
  shown <- as.data.frame(lapply(data, function(x) if (is.numeric(x)) format_number(x) else x),
                         check.names = FALSE)
  utils::write.table(shown, file.path(folder, paste0(name, ".csv")), sep = ",", quote = FALSE,
                     row.names = FALSE, eol = "\n", fileEncoding = "UTF-8")
}

format_number <- function(x) {
  out <- rep("", length(x))
  known <- !is.na(x)
  is_whole <- all(x[known] == round(x[known]))
  out[known] <- format(x[known], scientific = FALSE, trim = TRUE, nsmall = if (is_whole) 0 else 1)
  out
}

# ---- four linked turnover tables, as in the tutorial of rtauargus

activity_levels <- function() {
  divisions <- list(Food = c("Bread", "Dairy", "Drinks"), Metal = c("Tools", "Parts"),
                    Trade = c("Shops", "Stalls", "Stores"), Travel = c("Inns", "Rails"),
                    Care = c("Baths", "Homes"))
  groups <- c(Bread = 3, Dairy = 2, Drinks = 2, Tools = 3, Parts = 4, Shops = 4, Stalls = 2,
              Stores = 2, Inns = 2, Rails = 1, Baths = 1, Homes = 3)
  rows <- lapply(names(divisions), function(section) {
    do.call(rbind, lapply(divisions[[section]], function(division) {
      # A division of one group is written three times over, as office tables have it.
      count <- groups[[division]]
      numbered <- paste0(substr(division, 1, 3), seq_len(count))
      data.frame(SECTION = section, DIVISION = division,
                 GROUP = if (count == 1) division else numbered)
    }))
  })
  do.call(rbind, rows)
}

region_levels <- function() {
  sizes <- c(North = 5, Lakes = 4, Coast = 6, Hills = 3, City = 1, Plain = 4)
  do.call(rbind, lapply(names(sizes), function(area) {
    numbered <- paste0(substr(area, 1, 1), "-", seq_len(sizes[[area]]))
    data.frame(AREA = area, REGION = if (sizes[[area]] == 1) area else numbered)
  }))
}

make_firms <- function(count) {
  activity <- activity_levels()$GROUP
  region <- region_levels()$REGION
  size <- sample(c("small", "medium", "large"), count, replace = TRUE, prob = c(0.72, 0.22, 0.06))
  tenths <- round(exp(stats::rnorm(count, c(small = 6, medium = 7.6, large = 9.6)[size], 0.9)))
  uneven <- function(codes) {
    sample(codes, count, replace = TRUE, prob = stats::rexp(length(codes))^2 + 0.02)
  }
  data.frame(
    ACTIVITY = uneven(activity), REGION = uneven(region), SIZE = size,
    LEGAL = sample(c("person", "company", "society"), count, replace = TRUE,
                   prob = c(0.3, 0.62, 0.08)),
    tenths = tenths)
}

# Every code of a dimension with the leaves below it; the total last.
codes_above <- function(levels, total = "Total") {
  leaf <- levels[[ncol(levels)]]
  pairs <- do.call(rbind, lapply(levels, function(column) data.frame(leaf = leaf, code = column)))
  unique(rbind(pairs, data.frame(leaf = leaf, code = total)))
}

flat_codes <- function(codes, total = "Total") codes_above(data.frame(code = codes), total)

tabulate_firms <- function(firms, first, second, above) {
  spread <- merge(firms, stats::setNames(above[[first]], c(first, "row")), by = first)
  spread <- merge(spread, stats::setNames(above[[second]], c(second, "column")), by = second)
  cell <- paste(spread$row, spread$column, sep = "\r")
  codes <- do.call(rbind, strsplit(unique(cell), "\r", fixed = TRUE))
  by_cell <- function(f) as.vector(tapply(spread$tenths, cell, f)[unique(cell)])
  out <- data.frame(codes, N_OBS = by_cell(length), TOT = by_cell(sum) / 10,
                    MAX = by_cell(max) / 10)
  names(out)[1:2] <- c(first, second)
  place <- function(name) {
    match(out[[name]], c("Total", unique(setdiff(above[[name]]$code, "Total"))))
  }
  out <- out[order(place(second), place(first)), ]
  secret_columns(out)
}

# The rules of the tutorial, found beforehand: fewer than three firms, or one with more than 85%.
secret_columns <- function(table) {
  table$is_secret_freq <- table$N_OBS > 0 & table$N_OBS < 3
  table$is_secret_dom <- table$MAX > 0.85 * table$TOT
  table$is_secret_prim <- table$is_secret_freq | table$is_secret_dom
  table
}

make_turnover <- function(folder) {
  draw_from(2101)
  firms <- make_firms(900)
  above <- list(ACTIVITY = codes_above(activity_levels()), REGION = codes_above(region_levels()),
                SIZE = flat_codes(c("small", "medium", "large")),
                LEGAL = flat_codes(c("person", "company", "society")))
  for (first in c("ACTIVITY", "REGION")) for (second in c("SIZE", "LEGAL")) {
    name <- tolower(paste("turnover", first, second, sep = "_"))
    write_data(tabulate_firms(firms, first, second, above), folder, name)
  }
  write_data(activity_levels(), folder, "activity_levels")
  write_data(region_levels(), folder, "region_levels")
}

# ---- persons in a table of three dimensions, as in the vignette of sdcTable

make_persons <- function(folder) {
  draw_from(2102)
  count <- 240
  job <- sample(c("farm", "wood", "iron", "cloth", "trade", "care"), count, replace = TRUE,
                prob = c(0.2, 0.12, 0.1, 0.06, 0.3, 0.22))
  level <- c(farm = 3, wood = 3.2, iron = 3.5, cloth = 3, trade = 3.3, care = 3.4)
  persons <- data.frame(
    job = job, sex = sample(c("f", "m"), count, replace = TRUE, prob = c(0.53, 0.47)),
    zone = sample(paste0("z", 1:5), count, replace = TRUE, prob = c(0.3, 0.25, 0.2, 0.15, 0.1)),
    income = round(exp(stats::rnorm(count, level[job], 0.7)) * 10),
    weight = sample(1:4, count, replace = TRUE))
  write_data(persons, folder, "persons")
}

# ---- a small table of counts and one of sales, as in the vignettes of GaussSuppression

# Seeds for which singletons matter: without them the tables would show no difference.
shore_of <- function(town) ifelse(town == "Bek", "inland", "coast")

make_counts <- function(folder, seed = 2023) {
  draw_from(seed)
  counts <- expand.grid(age = c("young", "old"), town = c("Alm", "Bek", "Cor"),
                        year = c("Y1", "Y2", "Y3"), stringsAsFactors = FALSE)
  counts$shore <- shore_of(counts$town)
  counts$freq <- stats::rpois(nrow(counts), ifelse(counts$town == "Cor", 1.5, 4.5))
  write_data(counts[c("age", "town", "shore", "year", "freq")], folder, "small_counts")
}

make_sales <- function(folder, seed = 2033) {
  draw_from(seed)
  cells <- expand.grid(branch = c("Fields", "Crafts", "Public", "Shows"),
                       town = c("Alm", "Bek", "Cor"), stringsAsFactors = FALSE)
  sales <- cells[c(seq_len(nrow(cells)), sample(nrow(cells), 36, replace = TRUE)), ]
  sales$kind <- ifelse(sales$branch == "Public", "Public", "Private")
  sales$shore <- shore_of(sales$town)
  sales$firm <- sample(LETTERS[1:6], nrow(sales), replace = TRUE)
  sales$value <- round(exp(stats::rnorm(nrow(sales), 3, 1)), 1)
  sales <- sales[order(sales$branch, sales$town, sales$firm), ]
  write_data(sales[c("branch", "kind", "town", "shore", "firm", "value")], folder, "small_sales")
}

make_example_data <- function(folder) {
  dir.create(folder, showWarnings = FALSE, recursive = TRUE)
  make_turnover(folder)
  make_persons(folder)
  make_counts(folder)
  make_sales(folder)
}

if (sys.nframe() == 0) {
  asked <- commandArgs(trailingOnly = TRUE)
  script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
  ours <- file.path(dirname(script), "..", "inst", "extdata")
  make_example_data(if (length(asked)) asked[1] else ours)
}
