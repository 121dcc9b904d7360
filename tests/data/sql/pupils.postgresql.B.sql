-- Sums for lacuna tabulate --aggregates; sql, plan B, 3 largest contributors.
-- d1: dimension area
-- d2: dimension age
-- d3: dimension track
\set ON_ERROR_STOP on

-- Records that must not be tabulated; a statement fails if there are any.
CREATE TEMPORARY TABLE lacuna_checked AS
  SELECT COALESCE(SUM(CASE WHEN NOT (COALESCE(CAST("county" AS TEXT), '') IN ('') OR COALESCE(CAST("district" AS TEXT), '') IN ('')) AND (COALESCE(CAST("county" AS TEXT), '') = 'Total' OR COALESCE(CAST("district" AS TEXT), '') = 'Total') THEN 1 ELSE 0 END), 0) AS k1,
    COALESCE(SUM(CASE WHEN (COALESCE(CAST("age" AS TEXT), '') IN ('')) THEN 1 ELSE 0 END), 0) AS k2,
    COALESCE(SUM(CASE WHEN NOT (COALESCE(CAST("age" AS TEXT), '') IN ('')) AND (COALESCE(CAST("age" AS TEXT), '') = 'any age') THEN 1 ELSE 0 END), 0) AS k3,
    COALESCE(SUM(CASE WHEN (COALESCE(CAST("track" AS TEXT), '') IN ('')) THEN 1 ELSE 0 END), 0) AS k4,
    COALESCE(SUM(CASE WHEN NOT (COALESCE(CAST("track" AS TEXT), '') IN ('')) AND (COALESCE(CAST("track" AS TEXT), '') = 'Total') THEN 1 ELSE 0 END), 0) AS k5,
    COALESCE(SUM(CASE WHEN CAST(NULLIF(TRIM(COALESCE(CAST("hours" AS TEXT), '')), '') AS NUMERIC) < 0 THEN 1 ELSE 0 END), 0) AS k6,
    COALESCE(SUM(CASE WHEN COALESCE(CAST("trust" AS TEXT), '') = '' AND COALESCE(CAST("school" AS TEXT), '') = '' THEN 1 ELSE 0 END), 0) AS k7
  FROM (SELECT * FROM pupils WHERE year = 2026) AS lacuna_source;
SELECT CAST('dimension area: codes with the name of the total: ' || CAST(k1 AS TEXT) AS INTEGER) AS trouble FROM lacuna_checked WHERE k1 > 0;
SELECT CAST('dimension age: records without a code: ' || CAST(k2 AS TEXT) AS INTEGER) AS trouble FROM lacuna_checked WHERE k2 > 0;
SELECT CAST('dimension age: codes with the name of the total: ' || CAST(k3 AS TEXT) AS INTEGER) AS trouble FROM lacuna_checked WHERE k3 > 0;
SELECT CAST('dimension track: records without a code: ' || CAST(k4 AS TEXT) AS INTEGER) AS trouble FROM lacuna_checked WHERE k4 > 0;
SELECT CAST('dimension track: codes with the name of the total: ' || CAST(k5 AS TEXT) AS INTEGER) AS trouble FROM lacuna_checked WHERE k5 > 0;
SELECT CAST('values below zero: ' || CAST(k6 AS TEXT) AS INTEGER) AS trouble FROM lacuna_checked WHERE k6 > 0;
SELECT CAST('records without a respondent: ' || CAST(k7 AS TEXT) AS INTEGER) AS trouble FROM lacuna_checked WHERE k7 > 0;

-- Sums.
CREATE TEMPORARY VIEW lacuna_records AS
  SELECT COALESCE(CAST("county" AS TEXT), '') AS d1_1,
    COALESCE(CAST("district" AS TEXT), '') AS d1_2,
    COALESCE(CAST("age" AS TEXT), '') AS d2,
    COALESCE(CAST("track" AS TEXT), '') AS d3,
    ENCODE(SHA256(CONVERT_TO('the-same-salt-in-every-engine' || (CASE WHEN COALESCE(CAST("trust" AS TEXT), '') <> '' THEN 'H' || COALESCE(CAST("trust" AS TEXT), '') ELSE 'R' || COALESCE(CAST("school" AS TEXT), '') END), 'UTF8')), 'hex') AS who,
    CAST(CAST(NULLIF(TRIM(COALESCE(CAST("hours" AS TEXT), '')), '') AS DECIMAL(18,0)) * 1 AS BIGINT) AS x,
    CAST(1 AS BIGINT) AS w,
    0 AS req,
    0 AS waive
  FROM (SELECT * FROM pupils WHERE year = 2026) AS lacuna_source
  WHERE NOT (COALESCE(CAST("county" AS TEXT), '') IN ('') OR COALESCE(CAST("district" AS TEXT), '') IN (''))
    AND NULLIF(TRIM(COALESCE(CAST("hours" AS TEXT), '')), '') IS NOT NULL;
CREATE TEMPORARY TABLE lacuna_pair AS
  SELECT t.*, COUNT(*) OVER (PARTITION BY who) AS leaves FROM (
    SELECT d1_1, d1_2, d2, d3, who, CAST(SUM(x * w) AS BIGINT) AS c,
      COUNT(*) AS n, CAST(SUM(w) AS BIGINT) AS w, MAX(req) AS req, MIN(waive) AS waive
    FROM lacuna_records r GROUP BY d1_1, d1_2, d2, d3, who) t;
CREATE TEMPORARY TABLE lacuna_leaf AS
  SELECT d1_1, d1_2, d2, d3, CAST(SUM(c) AS BIGINT) AS value,
    CAST(SUM(n) AS BIGINT) AS records, CAST(SUM(w) AS BIGINT) AS weight,
    CAST(SUM(CASE WHEN leaves = 1 THEN 1 ELSE 0 END) AS BIGINT) AS settled,
    CAST(SUM(CASE WHEN leaves = 1 THEN ABS(c) ELSE 0 END) AS BIGINT) AS settled_abs,
    CAST(SUM(CASE WHEN leaves = 1 THEN 0 ELSE 1 END) AS BIGINT) AS spread
  FROM lacuna_pair GROUP BY d1_1, d1_2, d2, d3;
CREATE TEMPORARY TABLE lacuna_top_leaf AS
  SELECT d1_1, d1_2, d2, d3, who, c, req, waive FROM (
    SELECT p.*, ROW_NUMBER() OVER (PARTITION BY d1_1, d1_2, d2, d3 ORDER BY ABS(c) DESC, who COLLATE "C") AS rk
    FROM lacuna_pair p WHERE leaves = 1) t WHERE rk <= 3;
CREATE TEMPORARY TABLE lacuna_anc AS
  SELECT dim, code, anc FROM (
    SELECT DISTINCT 1 AS dim, d1_2 AS code, 'Total' AS anc FROM lacuna_leaf
    UNION SELECT DISTINCT 1 AS dim, d1_2 AS code, d1_1 AS anc FROM lacuna_leaf WHERE d1_2 <> ''
    UNION SELECT DISTINCT 1 AS dim, d1_2 AS code, d1_2 AS anc FROM lacuna_leaf WHERE d1_2 <> ''
    UNION SELECT DISTINCT 2 AS dim, d2 AS code, 'any age' AS anc FROM lacuna_leaf
    UNION SELECT DISTINCT 2 AS dim, d2 AS code, d2 AS anc FROM lacuna_leaf WHERE d2 <> ''
    UNION SELECT DISTINCT 3 AS dim, d3 AS code, 'Total' AS anc FROM lacuna_leaf
    UNION SELECT DISTINCT 3 AS dim, d3 AS code, d3 AS anc FROM lacuna_leaf WHERE d3 <> '') a;
CREATE TEMPORARY TABLE lacuna_sc AS
    SELECT 0 AS tab, a1.anc AS c1, a2.anc AS c2, 'Total' AS c3, p.who, CAST(SUM(p.c) AS BIGINT) AS c, MAX(p.req) AS req, MIN(p.waive) AS waive
    FROM lacuna_pair p JOIN lacuna_anc a1 ON a1.dim = 1 AND a1.code = p.d1_2 JOIN lacuna_anc a2 ON a2.dim = 2 AND a2.code = p.d2
    WHERE p.leaves > 1 GROUP BY a1.anc, a2.anc, p.who
    UNION ALL
    SELECT 1 AS tab, a1.anc AS c1, 'any age' AS c2, a3.anc AS c3, p.who, CAST(SUM(p.c) AS BIGINT) AS c, MAX(p.req) AS req, MIN(p.waive) AS waive
    FROM lacuna_pair p JOIN lacuna_anc a1 ON a1.dim = 1 AND a1.code = p.d1_2 JOIN lacuna_anc a3 ON a3.dim = 3 AND a3.code = p.d3
    WHERE p.leaves > 1 GROUP BY a1.anc, a3.anc, p.who;
CREATE TEMPORARY TABLE lacuna_celltop AS
  SELECT tab, c1, c2, c3, who, c, req, waive FROM (
    SELECT u.*, ROW_NUMBER() OVER (PARTITION BY tab, c1, c2, c3 ORDER BY ABS(c) DESC, who COLLATE "C") AS rk FROM (
    SELECT tab, c1, c2, c3, who, c, req, waive FROM lacuna_sc
    UNION ALL
    SELECT 0 AS tab, a1.anc AS c1, a2.anc AS c2, 'Total' AS c3, p.who, p.c, p.req, p.waive
    FROM lacuna_top_leaf p JOIN lacuna_anc a1 ON a1.dim = 1 AND a1.code = p.d1_2 JOIN lacuna_anc a2 ON a2.dim = 2 AND a2.code = p.d2
    UNION ALL
    SELECT 1 AS tab, a1.anc AS c1, 'any age' AS c2, a3.anc AS c3, p.who, p.c, p.req, p.waive
    FROM lacuna_top_leaf p JOIN lacuna_anc a1 ON a1.dim = 1 AND a1.code = p.d1_2 JOIN lacuna_anc a3 ON a3.dim = 3 AND a3.code = p.d3) u) t WHERE rk <= 3;
CREATE TEMPORARY TABLE lacuna_cellnum AS
  SELECT tab, c1, c2, c3, CAST(SUM(value) AS BIGINT) AS value,
    CAST(SUM(records) AS BIGINT) AS records,
    CAST(SUM(contributors) AS BIGINT) AS contributors,
    CAST(SUM(absolute) AS BIGINT) AS absolute FROM (
    SELECT 0 AS tab, a1.anc AS c1, a2.anc AS c2, 'Total' AS c3, p.value, p.records, p.settled AS contributors, p.settled_abs AS absolute
    FROM lacuna_leaf p JOIN lacuna_anc a1 ON a1.dim = 1 AND a1.code = p.d1_2 JOIN lacuna_anc a2 ON a2.dim = 2 AND a2.code = p.d2
    UNION ALL
    SELECT 1 AS tab, a1.anc AS c1, 'any age' AS c2, a3.anc AS c3, p.value, p.records, p.settled AS contributors, p.settled_abs AS absolute
    FROM lacuna_leaf p JOIN lacuna_anc a1 ON a1.dim = 1 AND a1.code = p.d1_2 JOIN lacuna_anc a3 ON a3.dim = 3 AND a3.code = p.d3
    UNION ALL
    SELECT tab, c1, c2, c3, 0, 0, 1, ABS(c) FROM lacuna_sc) u GROUP BY tab, c1, c2, c3;

-- What leaves.
\copy (SELECT * FROM lacuna_leaf) TO 'leaf.csv' WITH (FORMAT csv, HEADER)
\copy (SELECT * FROM lacuna_celltop) TO 'celltop.csv' WITH (FORMAT csv, HEADER)
\copy (SELECT * FROM lacuna_cellnum) TO 'cellnum.csv' WITH (FORMAT csv, HEADER)
