# SPDX-License-Identifier: Apache-2.0
# Pictures are drawn without a fault on a device that keeps nothing, and put par() back; what they
# show is what the functions return.

with_device <- function(code) {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  before <- graphics::par(no.readonly = TRUE)
  force(code)
  expect_identical(graphics::par("mar", "xpd", "mfrow"), before[c("mar", "xpd", "mfrow")])
}

findings <- data.frame(
  lower_level = c(10, 5, 0), upper_level = c(10, 5, 0), sliding_level = c(0, 30, 0),
  lower = c(0, 10, 7), upper = c(50, NA, 7), verdict = c("protected", "undecided", "exposed")
)

test_that("widths are drawn on log scales, also those that are zero or have no end", {
  with_device({
    shown <- lacuna:::plot_widths(findings)
    expect_identical(shown$required, c(20, 30, 10))
    expect_identical(shown$inferred, c(50, 100, 10))
    expect_invisible(lacuna:::plot_widths(findings[0, ]))
    expect_invisible(lacuna:::plot_widths(findings[1, ]))
  })
  expect_error(lacuna:::plot_widths(data.frame(x = 1)), "expected the columns",
               class = "lacuna_input_error")
})

test_that("distances of adjusted cells are those of the side that was taken", {
  adjusted <- data.frame(value = c(18, 20), lower_level = c(4, 5), upper_level = c(4, 6),
                         sliding_level = 0, lower = c(14, 20), upper = c(18, 26),
                         verdict = "protected")
  with_device(shown <- lacuna:::plot_widths(adjusted))
  expect_identical(shown, data.frame(required = c(4, 6), inferred = c(4, 6)))
})

dimension <- function(codes, depths) list(codes = codes, depths = depths, total = codes[1])
crossed <- list(a = dimension(c("T", "A", "A1", "A2"), c(0, 1, 2, 2)),
                b = dimension(c("T", "x"), 0:1), c = dimension(c("All", "1"), 0:1))
cells <- expand.grid(a = c("T", "A", "A1", "A2"), b = c("T", "x"), c = c("All", "1"),
                     stringsAsFactors = FALSE)
cells$state <- rep(names(lacuna:::state_looks), length.out = nrow(cells))

test_that("a map has a field per cell at the totals of the other dimensions", {
  with_device({
    shown <- lacuna:::plot_map(cells, crossed)
    expect_identical(nrow(shown), 8L)
    expect_identical(shown$state[shown$row == 3 & shown$column == 2],
                     cells$state[cells$a == "A1" & cells$b == "x" & cells$c == "All"])
    turned <- lacuna:::plot_map(cells, crossed, rows = "c", columns = "a")
    expect_identical(max(turned$row), 2L)
    lacuna:::plot_map(cells[cells$b == "T" & cells$c == "All", c("a", "state")], crossed[1])
  })
  expect_error(lacuna:::plot_map(cells, crossed, rows = "d"), class = "lacuna_option_error")
  expect_error(lacuna:::plot_map(cells, crossed, rows = "a", columns = "a"), "two dimensions")
})

test_that("a large dimension is cut to its upper levels", {
  large <- dimension(c("T", "A", paste0("A", 1:99)), c(0, 1, rep(2, 99)))
  expect_identical(lacuna:::trimmed_codes(large, 60L), c("T", "A"))
  expect_length(lacuna:::trimmed_codes(dimension(c("T", 1:99), c(0, rep(1, 99))), 60L), 1L)
})

test_that("methods are points, and those without a release are named", {
  rows <- data.frame(method = c("suppress", "round"), verdict = c("protected", NA),
                     information_loss_cells = c(4, NA), risk_least_ratio = c(1.5, NA))
  with_device({
    expect_identical(lacuna:::plot_methods(rows)$method, "suppress")
    expect_identical(nrow(lacuna:::plot_methods(rows[2, ])), 0L)
  })
  expect_error(lacuna:::plot_methods(rows, x = "cost"), class = "lacuna_option_error")
})
