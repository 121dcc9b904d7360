# SPDX-License-Identifier: Apache-2.0
# Small generated data for the tests.

no_program <- function() {
  skip_if(Sys.getenv("LACUNA_PROGRAM") == "", "LACUNA_PROGRAM names no program to compare with")
}

source_file <- function(...) {
  skip_if(Sys.getenv("LACUNA_SOURCE_DIR") == "", "LACUNA_SOURCE_DIR names no source tree")
  file.path(Sys.getenv("LACUNA_SOURCE_DIR"), ...)
}

# Firms in activities of two levels and regions of one, some of them large.
records <- function(count = 30, seed = 1) {
  set.seed(seed)
  region <- sample(c("N", "S", "W"), count, TRUE)
  data.frame(
    firm = sprintf("f%d", seq_len(count)),
    group = sample(c("g1", "g2", NA), count, TRUE),
    nace = sample(c("A1", "A2", "B1", "B2"), count, TRUE),
    area = ifelse(region == "N", "north", "south"),
    region = region,
    turnover = floor(10 * runif(count)^(-1 / 0.7)),
    w = sample(1:2, count, TRUE),
    stringsAsFactors = FALSE
  )
}

rules_of_tests <- function() list(freq_rule(3), p_rule(10), nk_rule(1, 85))

records_table <- function(seed = 1, count = 30, ...) {
  sdc_table(records(count, seed), dimVar = c("nace", "region"), numVar = "turnover",
            contributorVar = "firm", hierarchies = list(nace = hier_digits(1, 1)),
            rules = rules_of_tests(), ...)
}

# A ready table of products and regions with one sensitive cell.
sales <- function() {
  values <- rbind(A1 = c(45, 18, 30), A2 = c(22, 41, 17), B = c(50, 36, 29))
  values <- rbind(values, A = values["A1", ] + values["A2", ], Total = colSums(values))
  values <- cbind(values, rowSums(values))
  colnames(values) <- c("East", "West", "North", "All")
  cells <- expand.grid(region = colnames(values), product = rownames(values),
                       stringsAsFactors = FALSE)[2:1]
  cells$turnover <- values[cbind(cells$product, cells$region)]
  secret <- cells$product == "A1" & cells$region == "West"
  cells$status <- ifelse(secret, "u", "s")
  cells$secret <- secret
  cells$lpl <- ifelse(secret, 4, NA)
  cells$upl <- ifelse(secret, 4, NA)
  cells$firms <- ifelse(secret, 2, 12)
  cells
}

products <- list(Total = c("A", "B"), A = c("A1", "A2"))

sales_problem <- function(data = sales(), ...) {
  sdc_problem(data, dimList = list(product = products, region = "All"), numVar = "turnover",
              freqVar = "firms", status = "status", lower_level = "lpl", upper_level = "upl", ...)
}

with_options <- function(new, code) {
  old <- options(new)
  on.exit(options(old))
  force(code)
}
