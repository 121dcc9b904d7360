// SPDX-License-Identifier: Apache-2.0
// The statements of aggregate_sql.h as text with holes (sql_template.h). Holes that they share:
//
//   {codes}           columns of a leaf: d1, d2_1, d2_2, ...
//   {cells}           columns of a cell: tab, c1, c2, ...
//   {from}            where the records are
//   {top}             how many contributors are listed of a leaf or cell
//   {keep_table} {records_by_who} {who_by_bytes}   as the dialect says it (sql_dialect.h)
//
// tests/data/sql/ has what becomes of them for whole jobs.
#pragma once

#include <string_view>

namespace lacuna::tabulation {

// One row per record: codes of its leaf, whose it is, value x and weight w in units, and whether
// its owner asks for protection (req) or waives it (waive).
inline constexpr std::string_view kRecordsSql = R"sql(CREATE TEMPORARY VIEW lacuna_records AS
  SELECT {columns}
  FROM {from} AS lacuna_source{where})sql";

// One row: how many records have each trouble.
inline constexpr std::string_view kCheckedSql = R"sql({keep_table} lacuna_checked AS
  SELECT {counts}
  FROM {from} AS lacuna_source)sql";
inline constexpr std::string_view kCountSql =
    "COALESCE(SUM(CASE WHEN {condition} THEN 1 ELSE 0 END), 0) AS {column}";

// ---- plan A

// c(l, i) per leaf and contributor, and in how many leaves the contributor is.
inline constexpr std::string_view kPairSql = R"sql({keep_table} lacuna_pair AS
  SELECT t.*, COUNT(*) OVER (PARTITION BY who) AS leaves FROM (
    SELECT {codes}, who, CAST(SUM(x * w) AS BIGINT) AS c,
      COUNT(*) AS n, CAST(SUM(w) AS BIGINT) AS w, MAX(req) AS req, MIN(waive) AS waive
    FROM {records_by_who} r GROUP BY {codes}, who) t)sql";

inline constexpr std::string_view kLeafSql = R"sql({keep_table} lacuna_leaf AS
  SELECT {codes}, CAST(SUM(c) AS BIGINT) AS value,
    CAST(SUM(n) AS BIGINT) AS records, CAST(SUM(w) AS BIGINT) AS weight,
    CAST(SUM(CASE WHEN leaves = 1 THEN 1 ELSE 0 END) AS BIGINT) AS settled,
    CAST(SUM(CASE WHEN leaves = 1 THEN ABS(c) ELSE 0 END) AS BIGINT) AS settled_abs,
    CAST(SUM(CASE WHEN leaves = 1 THEN 0 ELSE 1 END) AS BIGINT) AS spread
  FROM lacuna_pair GROUP BY {codes})sql";

// The largest of those who are in one leaf alone.
inline constexpr std::string_view kTopLeafSql = R"sql({keep_table} lacuna_top_leaf AS
  SELECT {codes}, who, c, req, waive FROM (
    SELECT p.*, ROW_NUMBER() OVER (PARTITION BY {codes} ORDER BY ABS(c) DESC, {who_by_bytes}) AS rk
    FROM lacuna_pair p WHERE leaves = 1) t WHERE rk <= {top})sql";

// Those who are in several leaves, with all their sums.
inline constexpr std::string_view kSpreadSql = R"sql(CREATE TEMPORARY VIEW lacuna_spread AS
  SELECT {codes}, who, c, req, waive FROM lacuna_pair WHERE leaves > 1)sql";

// ---- records that do not say whose they are: each is a contributor of its own

inline constexpr std::string_view kAnonymousLeafSql = R"sql({keep_table} lacuna_leaf AS
  SELECT {codes}, CAST(SUM(x * w) AS BIGINT) AS value,
    COUNT(*) AS records, CAST(SUM(w) AS BIGINT) AS weight,
    COUNT(*) AS settled, CAST(SUM(ABS(x * w)) AS BIGINT) AS settled_abs,
    0 AS spread
  FROM lacuna_records GROUP BY {codes})sql";

inline constexpr std::string_view kAnonymousTopSql = R"sql({keep_table} lacuna_top_leaf AS
  SELECT {codes}, c, req, waive FROM (
    SELECT p.*, ROW_NUMBER() OVER (PARTITION BY {codes} ORDER BY {largest_first}) AS rk
    FROM (SELECT {codes}, x * w AS c, req, waive FROM lacuna_records) p) t
  WHERE rk <= {top})sql";
inline constexpr std::string_view kLargestFirstSql =
    "ABS(c) DESC, c DESC, req + 2 * (1 - waive) DESC";

// ---- plan B

// Every code of the lowest level with itself and all codes above it, once each.
inline constexpr std::string_view kAncestorsSql = R"sql({keep_table} lacuna_anc AS
  SELECT dim, code, anc FROM (
    {ancestors}) a)sql";
// {where} is empty or a clause.
inline constexpr std::string_view kAncestorOfLeavesSql =
    "SELECT DISTINCT {dim} AS dim, {leaf} AS code, {anc} AS anc FROM lacuna_leaf{where}";
inline constexpr std::string_view kGivenAncestorsSql =
    "SELECT DISTINCT {dim} AS dim, code, anc FROM (VALUES {rows}) AS v(code, anc)";

// In the following, {tables} is a select per table of the job, and of one of these:
//
//   {cell}    the number of the table and a column per dimension: 0 AS tab, a1.anc AS c1, ...
//   {joins}   from the leaf p to its ancestors a1, a2, ... in the dimensions of the table
//   {groups}  the columns of {cell} that are not constant, each with a comma behind it
inline constexpr std::string_view kJoinSql =
    " JOIN lacuna_anc {alias} ON {alias}.dim = {dim} AND {alias}.code = p.{leaf}";

// What contributors of several leaves have in each cell.
inline constexpr std::string_view kSpreadCellsSql = R"sql({keep_table} lacuna_sc AS
    {tables})sql";
inline constexpr std::string_view kSpreadCellsOfTableSql =
    R"sql(SELECT {cell}, p.who, CAST(SUM(p.c) AS BIGINT) AS c, MAX(p.req) AS req, MIN(p.waive) AS waive
    FROM lacuna_pair p{joins}
    WHERE p.leaves > 1 GROUP BY {groups}p.who)sql";

inline constexpr std::string_view kCelltopSql = R"sql({keep_table} lacuna_celltop AS
  SELECT {cells}, who, c, req, waive FROM (
    SELECT u.*, ROW_NUMBER() OVER (PARTITION BY {cells} ORDER BY ABS(c) DESC, {who_by_bytes}) AS rk FROM (
    SELECT {cells}, who, c, req, waive FROM lacuna_sc
    UNION ALL
    {tables}) u) t WHERE rk <= {top})sql";
inline constexpr std::string_view kCelltopOfTableSql =
    R"sql(SELECT {cell}, p.who, p.c, p.req, p.waive
    FROM lacuna_top_leaf p{joins})sql";

inline constexpr std::string_view kCellnumSql = R"sql({keep_table} lacuna_cellnum AS
  SELECT {cells}, CAST(SUM(value) AS BIGINT) AS value,
    CAST(SUM(records) AS BIGINT) AS records,
    CAST(SUM(contributors) AS BIGINT) AS contributors,
    CAST(SUM(absolute) AS BIGINT) AS absolute FROM (
    {tables}
    UNION ALL
    SELECT {cells}, 0, 0, 1, ABS(c) FROM lacuna_sc) u GROUP BY {cells})sql";
inline constexpr std::string_view kCellnumOfTableSql =
    R"sql(SELECT {cell}, p.value, p.records, p.settled AS contributors, p.settled_abs AS absolute
    FROM lacuna_leaf p{joins})sql";

// ---- the script for the engine's own shell

inline constexpr std::string_view kScriptSql =
    R"sql(-- Sums for lacuna tabulate --aggregates; sql, plan {plan}, {top} largest contributors.
{dimensions}{begin_script}
-- Records that must not be tabulated; a statement fails if there are any.
{checks}
-- Sums.
{sums}
-- What leaves.
{saves})sql";
inline constexpr std::string_view kFailSql =
    "SELECT CAST({trouble} || CAST({column} AS {text_type}) AS INTEGER) AS trouble "
    "FROM lacuna_checked WHERE {column} > 0;\n";

}  // namespace lacuna::tabulation
