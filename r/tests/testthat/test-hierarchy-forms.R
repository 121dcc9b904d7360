# SPDX-License-Identifier: Apache-2.0
# One table with the same hierarchy in every form that users have: the problems are the same, and so
# are the releases.

pairs <- data.frame(code = c("Total", "A", "A1", "A2", "B"),
                    parent = c("", "Total", "A", "A", "Total"))
rows_of_at <- data.frame(levels = c("@", "@@", "@@@", "@@@", "@@"), codes = pairs$code)

written <- function(lines, ending) {
  file <- tempfile(fileext = ending)
  writeLines(lines, file)
  file
}

hrc_lines <- c("A", "@A1", "@A2", "B")

forms <- list(
  "a tree in a list" = list(Total = c("A", "B"), A = c("A1", "A2")),
  "rows of @" = rows_of_at,
  "rows of @ in factors" = data.frame(lapply(rows_of_at, factor)),
  "rows of @ in a tibble" = if (requireNamespace("tibble", quietly = TRUE))
    tibble::as_tibble(rows_of_at),
  "codes and parents" = pairs,
  "parents and children" = data.frame(parent = pairs$parent[-1], child = pairs$code[-1]),
  "maps" = data.frame(mapsFrom = pairs$code[-1], mapsTo = pairs$parent[-1], sign = 1L, level = 1),
  "a tree of sdcHierarchies" = structure(
    data.frame(root = c("Total", pairs$parent[-1]), leaf = pairs$code, level = c(1, 2, 3, 3, 2)),
    class = c("sdc_hierarchy", "data.frame")
  ),
  "a column per level" = data.frame(group = c("A", "A", "B"), product = c("A1", "A2", "B")),
  "a column per level with gaps" =
    data.frame(group = c("A", "A", "B"), product = c("A1", "A2", NA)),
  "a column per level and one of the total" =
    data.frame(all = "Total", group = c("A", "A", "B"), product = c("A1", "A2", "B")),
  "lines" = hrc_lines,
  "a file .hrc" = written(hrc_lines, ".hrc"),
  "a file .hrc with another lead" =
    hier_hrc(written(chartr("@", "*", hrc_lines), ".hrc"), lead = "*"),
  "a file of codes and parents" = written(c("code;parent", "Total;", "A;Total", "A1;A", "A2;A",
                                            "B;Total"), ".csv"),
  "a file of @ and codes" = written(paste(rows_of_at$levels, rows_of_at$codes, sep = ";"), ".csv"),
  "a file with a column per level" = hier_levels(written(c("g,p", "A,A1", "A,A2", "B,B"), ".csv"))
)
forms <- Filter(Negate(is.null), forms)

of_form <- function(form) {
  sdc_problem(sales(), dimVar = c("product", "region"), numVar = "turnover",
              hierarchies = list(product = form), totcode = c(region = "All"), status = "status",
              lower_level = "lpl", upper_level = "upl")
}

relations <- function(problem) {
  sums <- dimensions(problem)$product$relations
  sort(paste(sums$parent, sums$code))
}

first <- of_form(forms[[1]])
published <- as.data.frame(protect(first))
by_codes <- function(cells) {
  cells <- cells[order(cells$product, cells$region), ]
  rownames(cells) <- NULL
  cells
}

for (name in names(forms)) {
  test_that(paste("the same table and the same release:", name), {
    problem <- of_form(forms[[name]])
    expect_identical(dimensions(problem)$product$total, "Total")
    expect_identical(relations(problem), relations(first))
    expect_identical(by_codes(as.data.frame(protect(problem))), by_codes(published))
  })
}

test_that("dimVar with hierarchies and dimList are the same", {
  named <- sdc_problem(sales(), dimVar = list(product = rows_of_at, region = "All"),
                       numVar = "turnover", status = "status", lower_level = "lpl",
                       upper_level = "upl")
  listed <- sdc_problem(sales(), dimList = list(product = rows_of_at, region = "All"),
                        numVar = "turnover", status = "status", lower_level = "lpl",
                        upper_level = "upl")
  expect_identical(as.data.frame(named), as.data.frame(listed))
})

test_that("two hierarchies of one dimension hold at once, in all forms", {
  cells <- data.frame(
    geo = c("All", "N", "S", "EU", "n1", "n2", "s1", "s2"),
    value = c(100, 30, 70, 90, 10, 20, 30, 40), secret = FALSE
  )
  cells$value[4] <- 10 + 30 + 40
  cells$secret[5] <- TRUE
  north_south <- data.frame(code = c("N", "S", "n1", "n2", "s1", "s2"),
                            parent = c("All", "All", "N", "N", "S", "S"))
  union <- data.frame(code = c("EU", "n2", "n1", "s1", "s2"),
                      parent = c("All", "All", "EU", "EU", "EU"))
  together <- list(
    list(north_south, union),
    data.frame(mapsFrom = c(north_south$code, "n1", "s1", "s2"),
               mapsTo = c(north_south$parent, "EU", "EU", "EU"), sign = 1),
    list(written(c("N", "@n1", "@n2", "S", "@s1", "@s2"), ".hrc"),
         written(c("EU", "@n1", "@s1", "@s2", "n2"), ".hrc"))
  )
  releases <- lapply(together, function(hierarchies) {
    problem <- sdc_problem(cells, dimVar = "geo", value = "value", secret_var = "secret",
                           hierarchies = list(geo = hierarchies), totcode = "All")
    frame <- as.data.frame(protect(problem))
    frame <- frame[order(frame$geo), ]
    rownames(frame) <- NULL
    frame
  })
  expect_true(releases[[1]]$suppressed[releases[[1]]$geo == "n1"])
  expect_gt(sum(releases[[1]]$suppressed), 2)
  expect_identical(releases[[2]], releases[[1]])
  expect_identical(releases[[3]], releases[[1]])
})

test_that("of records: columns, digits and a hierarchy of their own make the same table", {
  firms <- records(40, 3)
  firms$group <- substr(firms$nace, 1, 1)
  make <- function(nace) {
    sdc_table(firms, dimVar = c("nace", "region"), numVar = "turnover", contributorVar = "firm",
              hierarchies = list(nace = nace), rules = "FREQ(3,10)|P(10)")
  }
  tables <- list(make(hier_digits(1, 1)), make(c("group", "nace")),
                 make(hier_nested("group", "nace")),
                 make(list(Total = c("A", "B"), A = c("A1", "A2"), B = c("B1", "B2"))),
                 make(unique(firms[c("group", "nace")])))
  cells <- lapply(tables, function(table) {
    frame <- as.data.frame(table)
    frame <- frame[order(frame$nace, frame$region), ]
    rownames(frame) <- NULL
    frame
  })
  for (other in cells[-1])
    expect_equal(other, cells[[1]])
})

test_that("records without a code are dropped or get one", {
  firms <- records(40, 3)
  firms$region[c(2, 5)] <- NA
  make <- function(region) {
    sdc_table(firms, dimVar = c("nace", "region"), numVar = "turnover", contributorVar = "firm",
              hierarchies = list(region = region))
  }
  expect_error(make("Total"), "hier_missing()", class = "lacuna_input_error")
  coded <- make(hier_missing("Total", "code", "unknown"))
  expect_true("unknown" %in% dimensions(coded)$region$codes)
  dropped <- as.data.frame(make(hier_missing("Total")), facts = TRUE)
  expect_equal(max(dropped$records), 38)
})
