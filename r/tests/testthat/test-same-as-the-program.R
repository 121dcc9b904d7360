# SPDX-License-Identifier: Apache-2.0
# The same job by the command line and by R gives the same bytes, on twenty tables and more.

cases <- c(
  lapply(0:5, function(seed) list(name = seed, method = "suppress")),
  list(
    list(name = 6, method = "suppress", options = list(effort = "fast", weights = "unity")),
    list(name = 7, method = "suppress", options = list(gap = 0.1, minimum_width = 5)),
    list(name = 8, method = "interval"),
    list(name = 9, method = "interval", options = list(interval_digits = 2, seed = 7)),
    list(name = 10, method = "combined"),
    list(name = 12, method = "adjust", options = list(norm = "l1")),
    list(name = "sales", method = "perturb", options = list(range = 30)),
    list(name = "sales", method = "suppress"),
    list(name = "sales", method = "round", options = list(base = 10)),
    list(name = "sales", method = "round", options = list(base = 10, unbiased = TRUE, seed = 3)),
    list(name = "sales", method = "mixed", options = list(base = 10)),
    list(name = "sales.toml", method = "suppress"),
    list(name = "business.toml", method = "suppress"),
    list(name = "linked.toml", method = "suppress", options = list(effort = "fast")),
    list(name = "people.toml", method = "small-counts", options = list(base = 5))
  )
)

# The job that the arguments make, as files for the command line.
written_job <- function(problem, data, folder) {
  write.csv2(data, file.path(folder, "data.csv"), row.names = FALSE, na = "", quote = FALSE)
  job <- gsub("\\{ frame = \"[^\"]*\" \\}", "\"data.csv\"", lacuna:::job_text(problem$kept$job))
  writeLines(job, file.path(folder, "table.toml"), sep = "")
  file.path(folder, "table.toml")
}

read_bytes <- function(path) readBin(path, "raw", file.size(path))

# The result without what tells when and where it was made.
without_time <- function(path) {
  text <- paste(readLines(path, warn = FALSE), collapse = "\n")
  gsub("\"([a-z_]*seconds|finished|input|options)\": *(\"[^\"]*\"|[0-9.e+-]+)", "", text)
}

arguments_of <- function(options) {
  out <- character()
  for (name in names(options)) {
    out <- c(out, paste0("--", gsub("_", "-", name)),
             if (!isTRUE(options[[name]])) format(options[[name]]))
  }
  out
}

for (case in cases) {
  what <- sprintf("%s by %s", case$name, case$method)
  test_that(paste("the bytes are the same:", what), {
    no_program()
    folder <- tempfile()
    dir.create(folder)
    path <- function(name) file.path(folder, name)
    if (grepl("toml", case$name)) {
      job <- source_file("examples", case$name)
      problem <- sdc_problem(job)
    } else if (case$name == "sales") {
      problem <- sales_problem()
      job <- written_job(problem, sales(), folder)
    } else {
      problem <- records_table(case$name, 40)
      job <- written_job(problem, records(40, case$name), folder)
    }
    arguments <- c("protect", job, "--method", case$method, "--quiet", "--threads", "2",
                   arguments_of(case$options), "--public", path("theirs.csv"),
                   "-o", path("theirs.json"), "--certificate", path("theirs.cert"))
    done <- system2(Sys.getenv("LACUNA_PROGRAM"), shQuote(arguments), stdout = TRUE, stderr = TRUE)
    expect_null(attr(done, "status"), info = paste(done, collapse = "\n"))

    release <- do.call(protect, c(list(problem, method = case$method), case$options))
    write_release(release, path("ours.csv"))
    write_office(release, path("ours.json"))
    write_certificate(release, path("ours.cert"))
    expect_identical(read_bytes(path("ours.csv")), read_bytes(path("theirs.csv")))
    expect_identical(read_bytes(path("ours.cert")), read_bytes(path("theirs.cert")))
    expect_identical(without_time(path("ours.json")), without_time(path("theirs.json")))
  })
}
