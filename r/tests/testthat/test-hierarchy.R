# SPDX-License-Identifier: Apache-2.0
# The same hierarchy in all forms: the job that it makes. What the core does with it is tested with
# the tables of test-hierarchy-forms.R.

refused <- function(expression, words, class = "lacuna_input_error") {
  expect_error(expression, words, fixed = TRUE, class = class)
}

at <- data.frame(levels = c("@", "@@", "@@@", "@@@", "@@"),
                 codes = c("Total", "A", "A1", "A2", "B"))
pairs <- data.frame(code = c("Total", "A", "A1", "A2", "B"),
                    parent = c("", "Total", "A", "A", "Total"))

tree_of <- function(x, ...) as_hierarchy(x, "d", ...)$data[[1]]

test_that("rows of @ are codes and parents", {
  expect_equal(tree_of(at), pairs)
  expect_equal(tree_of(at[2:1]), pairs)
  expect_equal(tree_of(data.frame(a = factor(at$levels), b = factor(at$codes))), pairs)
  expect_identical(as_hierarchy(at)$keys, list(total = "Total"))
})

test_that("rows of @ that are no tree are refused", {
  refused(as_hierarchy(at[-1, ], "d"), "hierarchies: d: the first row 'A' is the total")
  refused(as_hierarchy(at[c(1, 3), ], "d"), "'A1' (row 2) stands 2 levels below the row before it")
  refused(as_hierarchy(rbind(at, at[1, ]), "d"), "'Total' (row 6) has one @, too")
})

test_that("codes and parents are known by their names", {
  for (names in list(c("code", "parent"), c("child", "parent"), c("Code", "parentCode"),
                     c("mapsFrom", "mapsTo"), c("leaf", "root"), c("from", "to"))) {
    frame <- stats::setNames(pairs[-1, ], names)
    expect_equal(tree_of(frame), pairs)
    expect_equal(tree_of(frame[2:1]), pairs)
  }
})

test_that("a tree of sdcHierarchies is a table of root, leaf and level", {
  tree <- structure(
    data.frame(root = c("Total", "Total", "Total", "A", "A"),
               leaf = c("Total", "A", "B", "A1", "A2"), level = c(1, 2, 2, 3, 3)),
    class = c("sdc_hierarchy", "data.table", "data.frame")
  )
  expect_setequal(tree_of(tree)$code, pairs$code)
  expect_identical(as_hierarchy(tree)$keys$total, "Total")
})

test_that("the list that sdcTable works with is read", {
  list <- structure(
    list(codes = list(orig = c("Total", "A", "A1", "A2", "B"), level = c(1, 2, 3, 3, 2)),
         bogus = list(bogus_codes = "B1", bogus_parents = "B")),
    hier_format = "sdc"
  )
  expect_equal(tree_of(list), rbind(pairs, data.frame(code = "B1", parent = "B")))
})

test_that("differences are refused", {
  frame <- data.frame(mapsFrom = c("a", "b"), mapsTo = "T", sign = c(1, -1), level = 1)
  refused(as_hierarchy(frame, "d"), "hierarchies: d: the code 'b' has another sign than 1")
  frame$sign <- 1
  expect_equal(tree_of(frame)$code, c("T", "a", "b"))
})

test_that("codes in several sums make several trees", {
  frame <- data.frame(mapsFrom = c("a", "b", "c", "a", "b", "b", "c"),
                      mapsTo = c("All", "All", "All", "EU", "EU", "South", "South"), sign = 1)
  made <- as_hierarchy(frame, "geo")
  expect_identical(made$keys$total, "All")
  expect_length(made$data, 3)
  expect_setequal(made$data[[1]]$code, c("All", "a", "b", "c"))
  expect_setequal(made$data[[2]]$code, c("All", "EU", "a", "b"))
  expect_setequal(made$data[[3]]$code, c("All", "South", "b", "c"))
  job <- lacuna:::new_job()
  lacuna:::add_dimensions(job, "geo", list(geo = frame))
  expect_identical(lacuna:::job_text(job), paste(c(
    "[[dimension]]", "name = \"geo\"", "total = \"All\"",
    "codes = [\"All\", \"a\", \"b\", \"c\", \"EU\", \"South\"]",
    "[[dimension.tree]]", "\"All\" = [\"a\", \"b\", \"c\"]",
    "[[dimension.tree]]", "\"All\" = [\"EU\", \"c\"]", "\"EU\" = [\"a\", \"b\"]",
    "[[dimension.tree]]", "\"All\" = [\"South\", \"a\"]", "\"South\" = [\"b\", \"c\"]", ""
  ), collapse = "\n"))
})

test_that("two decompositions of a total in one table are refused", {
  frame <- data.frame(code = c("a", "b", "x", "y", "a", "b"),
                      parent = c("x", "y", "T", "T", "T", "T"))
  refused(as_hierarchy(frame, "d"), "the parts of 'T' have the code 'a' twice")
})

test_that("a hierarchy that goes round is refused", {
  refused(as_hierarchy(data.frame(code = c("a", "b"), parent = c("b", "a")), "d"), "goes round")
  round <- data.frame(code = c("a", "b", "c", "c"), parent = c("b", "a", "T", "a"))
  refused(as_hierarchy(round, "d"), "goes round through code 'b'")
  cells <- data.frame(d = c("T", "c"), v = 1)
  refused(sdc_problem(cells, dimList = list(d = round[1:3, ]), value = "v"), "a cycle through code")
})

test_that("large hierarchies with codes in several sums are divided", {
  count <- 3000
  codes <- sprintf("c%d", seq_len(count))
  frame <- data.frame(
    code = c(codes, sprintf("p%d", seq_len(count / 3)), codes),
    parent = c(sprintf("p%d", rep(seq_len(count / 3), each = 3)), rep("T", count / 3),
               sprintf("q%d", rep(seq_len(count / 10), 10)))
  )
  made <- as_hierarchy(frame, "d")
  expect_identical(made$keys$total, "T")
  expect_length(made$data, 2)
  expect_identical(nrow(made$data[[2]]), as.integer(1 + count / 10 + count))
})

test_that("several codes at the top need a total", {
  frame <- data.frame(code = c("a", "b"), parent = c("X", "Y"))
  refused(as_hierarchy(frame, "d"),
          "the codes 'X' and 'Y' stand below no other code: name the total")
  expect_equal(tree_of(frame, total = "All")$parent, c("", "All", "All", "X", "Y"))
})

test_that("a column per level is a correspondence table", {
  frame <- data.frame(A10 = c("AZ", "BE", "BE", "BE"), A21 = c("A", "B", "C", "C"),
                      A88 = c("01", "06", "10", NA))
  made <- as_hierarchy(frame, "d", "Ensemble")
  expect_identical(made$form, "correspondence")
  expect_identical(made$keys, list(total = "Ensemble"))
  expect_identical(made$data[[1]]$A88, c("01", "06", "10", ""))
  refused(as_hierarchy(frame[3:1], "d"), "the columns stand from fine to coarse")
  expect_identical(as_hierarchy(cbind(all = "France", frame), "d")$keys$total, "France")
})

test_that("two columns without names that tell are not guessed", {
  frame <- data.frame(x = c("A", "A1"), y = c("T", "A"))
  refused(as_hierarchy(frame, "d"), "name the columns 'code' and 'parent'")
})

test_that("texts are files, columns, lines or the total", {
  expect_identical(as_hierarchy("a.hrc")$keys, list(hierarchy = "a.hrc"))
  expect_identical(as_hierarchy(list("a.hrc", "b.hrc"))$keys$hierarchy, c("a.hrc", "b.hrc"))
  expect_identical(as_hierarchy(c("area", "region"))$keys, list(columns = I(c("area", "region"))))
  expect_identical(as_hierarchy("All")$keys, list(total = "All"))
  expect_equal(tree_of(c("A", "@A1", "@A2", "B")), pairs)
  refused(as_hierarchy("", "d"), "an empty text is neither")
  refused(as_hierarchy("Total = A + B", "d"), "formulas are not read")
})

test_that("files of two columns are read", {
  file <- tempfile(fileext = ".csv")
  on.exit(unlink(file))
  writeLines(c("@;Total", "@@;A", "@@@;A1", "@@@;A2", "@@;B"), file)  # as sdcTable has them
  expect_equal(tree_of(file), pairs)
  utils::write.csv(pairs, file, row.names = FALSE)
  expect_equal(tree_of(file), pairs)
  refused(as_hierarchy("nowhere.csv", "d"), "there is no file 'nowhere.csv'", "lacuna_file_error")
})

test_that("several hierarchies have one form and one total", {
  other <- data.frame(levels = c("@", "@@", "@@"), codes = c("Total", "X", "B"))
  made <- as_hierarchy(list(at, other), "d")
  expect_length(made$data, 2)
  refused(as_hierarchy(list(at, "a.hrc"), "d"), "are all .hrc files, or all data frames")
  other$codes[1] <- "All"
  refused(as_hierarchy(list(at, other), "d"), "have one total, not 'Total' and 'All'")
})

test_that("what is no hierarchy is said to be none", {
  refused(as_hierarchy(3, "d"), "hierarchies: d: a numeric is not a hierarchy")
  refused(as_hierarchy(data.frame(), "d"), "is empty")
  refused(hier_tree(list("a")), "list(Total = c(\"A\", \"B\"))")
  refused(hier_digits(0), "numbers of characters")
  refused(hier_hrc(), "name a file")
  refused(hier_flat(NA), "give one text")
})

test_that("dimensions become sections of a job", {
  job <- lacuna:::new_job()
  names <- lacuna:::add_dimensions(job, NULL, dimList = list(d = at, region = "All"),
                                   hierarchies = list(size = list(Total = c("s", "l"))))
  expect_identical(names, c("d", "region", "size"))
  expect_identical(job$dims, names)
  expect_identical(strsplit(lacuna:::job_text(job), "\n+")[[1]], c(
    "[[dimension]]", "name = \"d\"", "total = \"Total\"",
    "codes = [\"Total\", \"A\", \"A1\", \"A2\", \"B\"]",
    "[dimension.tree]", "\"Total\" = [\"A\", \"B\"]", "\"A\" = [\"A1\", \"A2\"]",
    "[[dimension]]", "name = \"region\"", "total = \"All\"",
    "[[dimension]]", "name = \"size\"", "[dimension.tree]", "\"Total\" = [\"s\", \"l\"]"
  ))
  expect_length(job$held, 0)
})

test_that("a column per level is a tree whose codes keep the order of the rows", {
  dimension <- function(frame, ...) {
    job <- lacuna:::new_job()
    lacuna:::add_dimensions(job, "d", list(d = hier_levels(frame, ...)))
    job$value$dimension[[1]]
  }
  frame <- data.frame(section = c("A", "A", "B", "C"), class = c("A1", "A2", "", "C"))
  made <- dimension(frame, total = "All")
  expect_identical(as.character(made$codes), c("All", "A", "A1", "A2", "B", "C"))
  expect_identical(lapply(made$tree[[1]], as.character),
                   list(All = c("A", "B", "C"), A = c("A1", "A2")), ignore_attr = TRUE)
  refused(dimension(data.frame(a = c("A", "A", "B"), b = c("x", "y", "x")), total = "T"),
          "hierarchies: d: the code 'x' stands below 'A' and 'B'")
  refused(dimension(data.frame(a = c("A", ""), b = c("x", "")), total = "T"), "row 2 has no code")
  refused(dimension(data.frame(a = "A", b = "T"), total = "T"), "the total 'T' stands below")
})

test_that("names of dimensions are checked", {
  add <- function(...) lacuna:::add_dimensions(lacuna:::new_job(), ...)
  refused(add(NULL), "dimVar: name the columns of the codes")
  refused(add(c("a", "a")), "'a' is named twice")
  refused(add("region", list(regoin = "All")), "did you mean 'region'?")
  refused(add("region", totcode = c(regin = "All")), "did you mean 'region'?")
  refused(add("region", at), "list(region = ...)")
  refused(add("region", totcode = c("A", "B")), "give one code for all dimensions")
})

test_that("codes of totals count for all, in their order, or by name", {
  totals <- function(totcode) {
    job <- lacuna:::new_job()
    lacuna:::add_dimensions(job, c("a", "b"), totcode = totcode)
    unlist(lapply(job$value$dimension, `[[`, "total"))
  }
  expect_identical(totals("T"), c("T", "T"))
  expect_identical(totals(c("T", "U")), c("T", "U"))
  expect_identical(totals(c(b = "U")), "U")
})

test_that("numbers and texts are kept as they are", {
  number <- lacuna:::number_text
  expect_identical(number(1e5), "100000")
  expect_identical(number(1e-7), "0.0000001")
  expect_identical(number(0.1), "0.1")
  expect_identical(number(-12.5), "-12.5")
  expect_identical(number(1e22), "10000000000000000000000")
  expect_identical(as.numeric(number(1 / 3)), 1 / 3)
  refused(number(Inf), "a number must be finite")
  with_options(list(OutDec = ","), expect_identical(number(2.5), "2.5"))
  value <- function(x) lacuna:::job_value(x, "bounds")
  refused(value(NA), "bounds: NA says nothing")
  refused(value(Inf), "bounds: a number must be finite")
  refused(value("K\xf6ln"), "is not UTF-8")
  refused(value(mean), "bounds: a function is neither text, number, truth value nor list")
})

# What the core has understood, as it writes it.
written <- function(section, ...) {
  job <- lacuna:::new_job()
  lacuna:::job_section(job, section, list(...), section)
  lacuna:::job_text(job)
}

test_that("values of R are values of a job", {
  expect_identical(written("levels", formula = "argus", ratio = 1.5, sliding_only = TRUE),
                   "[levels]\nformula = \"argus\"\nratio = 1.5\nsliding_only = true\n")
  odd <- "a\"b\\c\n\001"
  expect_match(written("status_words", x = odd), "a\\\"b\\\\c\\u000A\\u0001", fixed = TRUE)
  latin <- "K\xf6ln"
  Encoding(latin) <- "latin1"
  expect_identical(written("status_words", k = latin),
                   "[status_words]\nk = \"K\u00f6ln\"\n")
  expect_identical(written("columns", value = "v", largest = I("a")),
                   "[columns]\nvalue = \"v\"\nlargest = [\"a\"]\n")
})

test_that("the place of an error is the argument that gave the value", {
  place <- function(section, ...) {
    tryCatch(written(section, ...), lacuna_error = function(error) error$where)
  }
  expect_identical(place("levels", p = 3), "levels")
  expect_identical(place("status_words", u = 3), "status_words")
  job <- lacuna:::new_job()
  lacuna:::job_section(job, "input", list(table = "x.csv"), "data")
  lacuna:::job_set(job, "input", "round_totals", TRUE, "an argument")
  expect_error(lacuna:::job_text(job), "^an argument: ", class = "lacuna_input_error")
  rules <- lacuna:::new_job()
  lacuna:::job_add(rules, "rule", list(type = "dominance", n = 1, k = 85), "rules: dominance")
  lacuna:::job_add(rules, "rule", list(type = "dominance", n = list(1)), "rules: second")
  expect_error(lacuna:::job_text(rules), "^rules: second: ", class = "lacuna_input_error")
})

test_that("codes are written as they are read", {
  text <- lacuna:::code_text
  expect_identical(text(c(1e5, 2, NA)), c("100000", "2", NA))
  expect_identical(text(factor(c("b", "a"))), c("b", "a"))
  expect_identical(text(as.Date("2026-01-31")), "2026-01-31")
  refused(text(list(1)), "is not a column of codes")
})

test_that("records without a code are dropped, get one, or are an error", {
  expect_identical(hier_missing("All")$keys, list(total = "All", missing = "drop"))
  made <- hier_missing(at, "code", code = "unknown", values = "NA")
  expect_identical(made$keys, list(total = "Total", missing = "code", missing_code = "unknown",
                                   missing_values = I("NA")))
  refused(hier_missing("All", "code"), "policy \"code\" needs a code")
  refused(hier_missing("All", "forget"), "give one of", "lacuna_option_error")
})

test_that("hierarchies show what they are, in one line", {
  expect_output(print(as_hierarchy(at)), "<hierarchy with 5 codes, total 'Total'>", fixed = TRUE)
  expect_output(print(hier_hrc("x/a.hrc")), "<hierarchy of a.hrc>", fixed = TRUE)
  expect_output(print(hier_digits(2, 1)), "by 2 and 1 characters")
  expect_output(print(hier_flat("All", c("a", "b"))), "of 3 codes, total 'All'")
})
