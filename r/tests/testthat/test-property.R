# SPDX-License-Identifier: Apache-2.0
# Random tables by random methods: what is published is read back from the disk and audited, by R
# and by the program; and a sensitive cell that is put back by hand is noticed.

random_table <- function(seed) {
  set.seed(1000 + seed)
  rules <- list(freq_rule(3), "P(10)|FREQ(2,20)", list(nk_rule(1, 75), freq_rule(3)),
                list(pq_rule(20, 80), freq_rule(2)))[[sample(4L, 1L)]]
  tree <- list(Total = c("A", "B"), A = c("A1", "A2"), B = c("B1", "B2"))
  hierarchy <- list(NULL, hier_digits(1, 1), tree)[[sample(3L, 1L)]]
  who <- list(outsider(), respondents(), respondents(coalition = 2))[[sample(3L, 1L)]]
  sdc_table(records(sample(20:60, 1L), seed), dimVar = c("nace", "region"), numVar = "turnover",
            contributorVar = "firm", hierarchies = if (is.null(hierarchy)) NULL else
              list(nace = hierarchy), rules = rules, attackers = who)
}

method_of <- function(seed) {
  methods <- list(list("suppress"), list("suppress", weights = "unity"), list("interval"),
                  list("combined"), list("suppress", effort = "fast"))
  methods[[seed %% length(methods) + 1L]]
}

for (seed in 1:15) {
  test_that(paste("what is on the disk is safe, table", seed), {
    table <- random_table(seed)
    method <- method_of(seed)
    release <- do.call(protect, c(list(table, method = method[[1L]]), method[-1L]))
    file <- tempfile(fileext = ".csv")
    write_release(release, file)
    expect_identical(audit(table, file)$verdict, "protected")

    office <- as.data.frame(release, confidential = TRUE)
    shown <- as.data.frame(release)
    expect_true(all(is.na(shown$turnover[office$primary])))
    given <- !is.na(shown$turnover)
    expect_identical(shown$turnover[given], office$turnover[given])
    if (any(office$primary) && method[[1L]] == "suppress") {
      shown$turnover[office$primary] <- office$turnover[office$primary]
      shown$suppressed <- is.na(shown$turnover)
      shown$state <- ifelse(shown$suppressed, "withheld", "published")
      expect_identical(audit(table, shown)$verdict, "exposed")
    }

    no_program()
    problem <- tempfile(fileext = ".json")
    write_problem(table, problem)
    told <- system2(Sys.getenv("LACUNA_PROGRAM"),
                    c("audit", problem, "--pattern", file, "--quiet"), stdout = TRUE, stderr = TRUE)
    expect_null(attr(told, "status"), info = paste(told, collapse = "\n"))
  })
}
