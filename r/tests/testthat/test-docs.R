# SPDX-License-Identifier: Apache-2.0
# The blocks of docs/r.md, one after the other.

blocks_of <- function(path) {
  lines <- readLines(path, encoding = "UTF-8")
  starts <- which(lines == "```r")
  ends <- which(lines == "```")
  lapply(starts, function(start) lines[(start + 1L):(min(ends[ends > start]) - 1L)])
}

test_that("the page runs", {
  blocks <- blocks_of(source_file("docs", "r.md"))
  expect_gt(length(blocks), 7L)
  folder <- tempfile()
  dir.create(folder)
  old <- setwd(folder)
  on.exit(setwd(old))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off(), add = TRUE)
  scope <- new.env()
  for (block in blocks) {
    utils::capture.output(eval(parse(text = block, encoding = "UTF-8"), scope))
  }
  expect_true(all(file.exists(c("turnover.csv", "office.html", "proof.json"))))
})
