# SPDX-License-Identifier: Apache-2.0
# Pictures in base graphics. Colours are those of Okabe and Ito, in an order that also steps from
# dark to light; what two greys could confuse has another sign or is hatched. par() is put back.

verdict_looks <- list(
  protected = list(colour = "#56B4E9", sign = 1L),
  undecided = list(colour = "#E69F00", sign = 2L),
  exposed = list(colour = "#A11D00", sign = 4L)
)

state_looks <- list(
  published = list(colour = "#EFEFEF", density = NULL),
  withheld = list(colour = "#222222", density = NULL),
  interval = list(colour = "#D55E00", density = 25),
  rounded = list(colour = "#56B4E9", density = NULL),
  altered = list(colour = "#00795A", density = NULL),
  adjusted = list(colour = "#CC79A7", density = 40)
)

# Required against inferred widths, a point per requirement; a point below the line is exposed.
# `findings` has one row per requirement: levels, what can be inferred, verdict.
plot_widths <- function(findings, main = "Required and inferred widths", ...) {
  needed <- c("lower_level", "upper_level", "sliding_level", "lower", "upper", "verdict")
  if (!is.data.frame(findings) || !all(needed %in% names(findings)))
    stop_input(paste("expected the columns", words_of(needed, 10L)), "plot")
  required <- pmax(findings$lower_level + findings$upper_level, findings$sliding_level)
  inferred <- findings$upper - findings$lower  # NA: without an end
  words <- c("required width", "width that can be inferred")
  if (is_adjusted(findings$verdict, required, inferred)) {
    required <- ifelse(findings$upper > findings$value, findings$upper_level, findings$lower_level)
    words <- c("required distance", "distance of what is published")
  }
  shown <- widths_in_range(required, inferred)
  before <- graphics::par(mar = c(4.6, 4.6, 3.1, 1.1))
  on.exit(graphics::par(before))
  if (!nrow(findings)) {
    empty_picture(main, "no requirement: no cell is marked as sensitive")
    return(invisible(shown))
  }
  looks <- verdict_looks[as.character(findings$verdict)]
  graphics::plot(shown$required, shown$inferred, log = "xy", xlim = wide_range(shown$required),
                 ylim = wide_range(c(shown$required, shown$inferred)), lwd = 2, main = main,
                 xlab = words[1L], ylab = words[2L],
                 col = look_of(looks, "colour"), pch = unlist(look_of(looks, "sign")), ...)
  graphics::abline(0, 1, lty = 2L)
  open <- sum(is.na(inferred))
  if (open)
    graphics::mtext(paste(open, "without an end: at the upper edge"), side = 3L, line = 0.2,
                    cex = 0.8)
  present <- verdict_looks[names(verdict_looks) %in% findings$verdict]
  graphics::legend("bottomright", legend = names(present), bty = "n", pt.lwd = 2,
                   col = look_of(present, "colour"), pch = unlist(look_of(present, "sign")))
  invisible(shown)
}

# An adjusted cell is protected by one number on either side that is far enough: a width that falls
# short and protects all the same can be nothing else.
is_adjusted <- function(verdict, required, inferred) {
  short <- !is.na(inferred) & inferred < required * (1 - 1e-9)
  any(short & verdict == "protected")
}

# On log scales: what is zero stands at half the smallest width, what has no end at twice the
# largest.
widths_in_range <- function(required, inferred) {
  positive <- c(required, inferred)
  positive <- positive[is.finite(positive) & positive > 0]
  least <- if (length(positive)) min(positive) / 2 else 0.5
  most <- if (length(positive)) max(positive) * 2 else 2
  required[is.na(required) | required <= 0] <- least
  inferred[is.na(inferred) | !is.finite(inferred)] <- most
  inferred[inferred <= 0] <- least
  data.frame(required = required, inferred = inferred)
}

wide_range <- function(values) {
  ends <- range(values)
  if (ends[1L] == ends[2L]) ends * c(0.5, 2) else ends
}

# A map of a table: one dimension down, one across, the others at their totals. `cells` has the
# codes and `state`; `dimensions` has codes in their order, depths and total by name.
plot_map <- function(cells, dimensions, rows = NULL, columns = NULL, state = "state",
                     main = "What is published", ...) {
  names <- names(dimensions)
  if (!length(names))
    stop_unsupported("the table has no dimensions with names", "plot")
  rows <- if (is.null(rows)) names[1L] else one_of(rows, names, "rows")
  others <- setdiff(names, rows)
  columns <- if (is.null(columns)) others[1L] else one_of(columns, names, "columns")
  if (identical(rows, columns))
    stop_input("name two dimensions", "columns")
  others <- setdiff(others, columns)
  for (name in others)
    cells <- cells[cells[[name]] == dimensions[[name]]$total, , drop = FALSE]
  down <- trimmed_codes(dimensions[[rows]], 60L)
  across <- if (is.na(columns)) "" else trimmed_codes(dimensions[[columns]], 40L)
  row <- match(cells[[rows]], down)
  column <- if (is.na(columns)) rep(1L, nrow(cells)) else match(cells[[columns]], across)
  at <- !is.na(row) & !is.na(column)
  states <- as.character(cells[[state]])[at]
  states[states == "exact"] <- "published"  # as the office calls it
  shown <- data.frame(row = row[at], column = column[at], state = states,
                      stringsAsFactors = FALSE)
  notes <- c(if (length(others)) paste(others, "at its total"),
             left_out(rows, dimensions[[rows]], down),
             if (!is.na(columns)) left_out(columns, dimensions[[columns]], across))
  draw_map(shown, down, across, c(rows, if (!is.na(columns)) columns), main, notes)
  invisible(shown)
}

draw_map <- function(shown, down, across, titles, main, notes) {
  widest <- max(nchar(down), 4L)
  before <- graphics::par(mar = c(2.1, min(1 + 0.5 * widest, 12), 5.1, 7.1), xpd = NA)
  on.exit(graphics::par(before))
  graphics::plot(NULL, xlim = c(0, length(across)), ylim = c(length(down), 0), axes = FALSE,
                 xlab = "", ylab = "", xaxs = "i", yaxs = "i")
  graphics::title(main = main, line = 3.4)
  for (name in unique(shown$state)) {
    here <- shown[shown$state == name, , drop = FALSE]
    look <- state_looks[[name]]
    graphics::rect(here$column - 1, here$row, here$column, here$row - 1, col = look$colour,
                   density = look$density, border = "white", lwd = 1.5)
  }
  graphics::axis(2L, at = seq_along(down) - 0.5, labels = down, las = 1L, tick = FALSE,
                 line = -0.8, cex.axis = if (length(down) > 30L) 0.5 else 0.8)
  graphics::axis(3L, at = seq_along(across) - 0.5, labels = across, las = 2L, tick = FALSE,
                 line = -0.8, cex.axis = if (length(across) > 20L) 0.5 else 0.8)
  graphics::mtext(paste(titles, collapse = " by "), side = 3L, line = 2.4, cex = 0.8)
  if (length(notes))
    graphics::mtext(paste(notes, collapse = "; "), side = 1L, line = 0.5, cex = 0.7)
  present <- state_looks[names(state_looks) %in% shown$state]
  if (length(present))
    graphics::legend(length(across) * 1.02, 0, legend = names(present), bty = "n", cex = 0.8,
                     fill = look_of(present, "colour"),
                     density = vapply(present, function(look) {
                       if (is.null(look$density)) -1 else look$density
                     }, 0))
}

# The codes in their order; if there are too many, those of the upper levels.
trimmed_codes <- function(dimension, most) {
  codes <- dimension$codes
  depths <- dimension$depths
  if (length(codes) <= most || is.null(depths))
    return(utils::head(codes, most))
  for (deepest in max(depths):0) {
    if (sum(depths <= deepest) <= most)
      return(codes[depths <= deepest])
  }
  utils::head(codes, most)
}

left_out <- function(name, dimension, shown) {
  missing <- length(dimension$codes) - length(shown)
  if (missing > 0L) paste(missing, "codes of", name, "are not shown")
}

# A point per method: how many cells are not published as they are, and how far the least
# protected requirement is from its edge (1: at the edge).
plot_methods <- function(rows, x = "information_loss_cells", y = "risk_least_ratio",
                         main = "Methods", ...) {
  labels <- c(information_loss_cells = "cells that are not published as they are",
              risk_least_ratio = "least inferred width divided by the required one",
              utility_mean_percent = "mean change in percent", seconds = "seconds",
              objective = "cost")
  for (name in c(x, y))
    one_of(name, names(rows), "plot")
  has <- !is.na(rows[[x]]) & !is.na(rows[[y]])
  before <- graphics::par(mar = c(4.6, 4.6, 3.1, 1.1))
  on.exit(graphics::par(before))
  if (!any(has)) {
    empty_picture(main, "no method has found a release")
    return(invisible(rows[has, , drop = FALSE]))
  }
  points <- rows[has, , drop = FALSE]
  label <- function(name) if (name %in% names(labels)) labels[[name]] else name
  spread <- function(values) {
    ends <- range(values)
    margin <- if (ends[1L] == ends[2L]) max(abs(ends[1L]), 1) * 0.2 else diff(ends) * 0.2
    ends + c(-margin, margin)
  }
  signs <- seq_len(nrow(points)) %% 15L
  graphics::plot(points[[x]], points[[y]], pch = signs, xlim = spread(points[[x]]),
                 ylim = spread(points[[y]]), xlab = label(x), ylab = label(y), main = main,
                 col = ifelse(points$verdict == "protected", "#0072B2", "#A11D00"), ...)
  graphics::text(points[[x]], points[[y]], labels = points$method, pos = 3L, cex = 0.8)
  failed <- rows$method[!has]
  if (length(failed))
    graphics::mtext(paste("without a release:", words_of(failed)), side = 3L, line = 0.2, cex = 0.8)
  invisible(points)
}

empty_picture <- function(main, text) {
  graphics::plot.new()
  graphics::title(main = main)
  graphics::text(0.5, 0.5, text)
}

look_of <- function(looks, part) {
  values <- lapply(looks, function(look) look[[part]])
  if (all(vapply(values, is.character, NA))) unlist(values, use.names = FALSE) else values
}
