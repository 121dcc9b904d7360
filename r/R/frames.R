# SPDX-License-Identifier: Apache-2.0
# Data frames on their way to the core, which takes texts, factors, numbers and truth values.

is_frame <- function(x) is.data.frame(x) || is.matrix(x)

as_frame <- function(data, argument = "data") {
  if (is.matrix(data)) {
    data <- as.data.frame(data, stringsAsFactors = FALSE)
  }
  if (!is.data.frame(data)) {
    stop_input(paste(kind_of(data), "is not a data frame"), argument)
  }
  repeated <- names(data)[duplicated(names(data))]
  if (length(repeated)) {
    stop_input(sprintf("there are two columns '%s'", repeated[1L]), argument)
  }
  check_shapes(data, argument)
  columns <- Map(plain_column, unclass(data), names(data), argument)
  attributes(columns) <- list(names = names(data))
  columns
}

# A data frame may hold matrices, and one that was put together by hand columns of any length.
check_shapes <- function(data, argument) {
  rows <- .row_names_info(data, 2L)
  for (name in names(data)) {
    column <- .subset2(data, name)
    where <- sprintf("%s, column %s", argument, name)
    if (length(dim(column)) > 1L && !is.list(column)) {
      stop_input(paste("a matrix is not a column; make each of its columns a column of the",
                       "data frame"), where)
    }
    if (length(column) != rows && !is.list(column)) {
      stop_input(sprintf("the column has %d rows, the data frame has %d", length(column), rows),
                 where)
    }
  }
}

plain_column <- function(column, name, argument) {
  if (is.factor(column)) {
    levels(column) <- utf8_text(levels(column), sprintf("%s, column %s, levels", argument, name))
    return(column)
  }
  if (is.character(column)) {
    return(utf8_text(as.character(column), sprintf("%s, column %s", argument, name)))
  }
  if (inherits(column, "Date")) {
    return(format(column, "%Y-%m-%d"))
  }
  if (inherits(column, "integer64")) {
    return(integer64_text(column))
  }
  if (is.list(column) || is.complex(column) || is.raw(column) || inherits(column, "POSIXt")) {
    stop_input(sprintf("a column of class %s has neither texts nor numbers", class(column)[1L]),
                 sprintf("%s, column %s", argument, name))
  }
  column <- unclass(column)
  attributes(column) <- NULL
  column
}

# Whole numbers of 64 bits, as readers of databases and of big CSV files give them: their own
# package knows how to write them.
integer64_text <- function(column) {
  if (!requireNamespace("bit64", quietly = TRUE)) {
    stop_input("a column of class integer64 needs the package bit64: as.numeric() makes it plain",
                 "data")
  }
  text <- as.character(column)
  text[is.na(column)] <- NA
  text
}
