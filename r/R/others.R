# SPDX-License-Identifier: Apache-2.0
# The same frames for tibble and data.table, known to those packages once they are loaded.

as_tibble.sdc_audit <- function(x, ...) tibble::as_tibble(as.data.frame(x, ...))
as_tibble.sdc_comparison <- function(x, ...) tibble::as_tibble(as.data.frame(x, ...))
as_tibble.sdc_problem <- function(x, ...) tibble::as_tibble(as.data.frame(x, ...))
as_tibble.sdc_release <- function(x, ...) tibble::as_tibble(as.data.frame(x, ...))

as.data.table.sdc_audit <- function(x, ...) data.table::as.data.table(as.data.frame(x, ...))
as.data.table.sdc_comparison <- function(x, ...) data.table::as.data.table(as.data.frame(x, ...))
as.data.table.sdc_problem <- function(x, ...) data.table::as.data.table(as.data.frame(x, ...))
as.data.table.sdc_release <- function(x, ...) data.table::as.data.table(as.data.frame(x, ...))
