-- Sums for lacuna tabulate --aggregates; sql, plan B, 3 largest contributors.
-- d1: dimension region
-- d2: dimension activity
\set ON_ERROR_STOP on

-- Records that must not be tabulated; a statement fails if there are any.
CREATE TEMPORARY TABLE lacuna_checked AS
  SELECT COALESCE(SUM(CASE WHEN NOT (COALESCE(TRIM(CAST("region" AS TEXT)), '') IN ('', 'NA')) AND COALESCE(TRIM(CAST("region" AS TEXT)), '') NOT IN ('South', 'n/a', 'Val d''Isère', 'Upland') THEN 1 ELSE 0 END), 0) AS k1,
    COALESCE(SUM(CASE WHEN (COALESCE(TRIM(CAST("nace ""2""" AS TEXT)), '') IN ('')) THEN 1 ELSE 0 END), 0) AS k2,
    COALESCE(SUM(CASE WHEN NOT (COALESCE(TRIM(CAST("nace ""2""" AS TEXT)), '') IN ('')) AND (COALESCE(TRIM(CAST("nace ""2""" AS TEXT)), '') = 'Total') THEN 1 ELSE 0 END), 0) AS k3,
    COALESCE(SUM(CASE WHEN NOT (COALESCE(TRIM(CAST("nace ""2""" AS TEXT)), '') IN ('')) AND LENGTH(COALESCE(TRIM(CAST("nace ""2""" AS TEXT)), '')) <> 2 THEN 1 ELSE 0 END), 0) AS k4,
    COALESCE(SUM(CASE WHEN NULLIF(REPLACE(TRIM(COALESCE(TRIM(CAST("turnover, net" AS TEXT)), '')), ',', '.'), '') IS NULL THEN 1 ELSE 0 END), 0) AS k5,
    COALESCE(SUM(CASE WHEN CAST(NULLIF(REPLACE(TRIM(COALESCE(TRIM(CAST("turnover, net" AS TEXT)), '')), ',', '.'), '') AS NUMERIC) <> CAST(NULLIF(REPLACE(TRIM(COALESCE(TRIM(CAST("turnover, net" AS TEXT)), '')), ',', '.'), '') AS DECIMAL(18,1)) THEN 1 ELSE 0 END), 0) AS k6,
    COALESCE(SUM(CASE WHEN CAST(NULLIF(REPLACE(TRIM(COALESCE(TRIM(CAST("turnover, net" AS TEXT)), '')), ',', '.'), '') AS NUMERIC) < 0 THEN 1 ELSE 0 END), 0) AS k7,
    COALESCE(SUM(CASE WHEN NULLIF(REPLACE(TRIM(COALESCE(TRIM(CAST("w" AS TEXT)), '')), ',', '.'), '') IS NULL OR CAST(NULLIF(REPLACE(TRIM(COALESCE(TRIM(CAST("w" AS TEXT)), '')), ',', '.'), '') AS NUMERIC) < 0 THEN 1 ELSE 0 END), 0) AS k8,
    COALESCE(SUM(CASE WHEN CAST(NULLIF(REPLACE(TRIM(COALESCE(TRIM(CAST("w" AS TEXT)), '')), ',', '.'), '') AS NUMERIC) <> CAST(NULLIF(REPLACE(TRIM(COALESCE(TRIM(CAST("w" AS TEXT)), '')), ',', '.'), '') AS DECIMAL(18,2)) THEN 1 ELSE 0 END), 0) AS k9,
    COALESCE(SUM(CASE WHEN COALESCE(TRIM(CAST("firm" AS TEXT)), '') = '' THEN 1 ELSE 0 END), 0) AS k10
  FROM "survey"."firms" AS lacuna_source;
SELECT CAST('dimension region: codes that are not of the lowest level: ' || CAST(k1 AS TEXT) AS INTEGER) AS trouble FROM lacuna_checked WHERE k1 > 0;
SELECT CAST('dimension activity: records without a code: ' || CAST(k2 AS TEXT) AS INTEGER) AS trouble FROM lacuna_checked WHERE k2 > 0;
SELECT CAST('dimension activity: codes with the name of the total: ' || CAST(k3 AS TEXT) AS INTEGER) AS trouble FROM lacuna_checked WHERE k3 > 0;
SELECT CAST('dimension activity: codes of another length: ' || CAST(k4 AS TEXT) AS INTEGER) AS trouble FROM lacuna_checked WHERE k4 > 0;
SELECT CAST('values that are empty: ' || CAST(k5 AS TEXT) AS INTEGER) AS trouble FROM lacuna_checked WHERE k5 > 0;
SELECT CAST('values with more than 1 decimals: ' || CAST(k6 AS TEXT) AS INTEGER) AS trouble FROM lacuna_checked WHERE k6 > 0;
SELECT CAST('values below zero: ' || CAST(k7 AS TEXT) AS INTEGER) AS trouble FROM lacuna_checked WHERE k7 > 0;
SELECT CAST('weights that are empty or below zero: ' || CAST(k8 AS TEXT) AS INTEGER) AS trouble FROM lacuna_checked WHERE k8 > 0;
SELECT CAST('weights with more than 2 decimals: ' || CAST(k9 AS TEXT) AS INTEGER) AS trouble FROM lacuna_checked WHERE k9 > 0;
SELECT CAST('records without a respondent: ' || CAST(k10 AS TEXT) AS INTEGER) AS trouble FROM lacuna_checked WHERE k10 > 0;

-- Sums.
CREATE TEMPORARY VIEW lacuna_records AS
  SELECT CASE WHEN (COALESCE(TRIM(CAST("region" AS TEXT)), '') IN ('', 'NA')) THEN '' ELSE COALESCE(TRIM(CAST("region" AS TEXT)), '') END AS d1,
    COALESCE(TRIM(CAST("nace ""2""" AS TEXT)), '') AS d2,
    COALESCE(TRIM(CAST("firm" AS TEXT)), '') AS who,
    CAST(CAST(NULLIF(REPLACE(TRIM(COALESCE(TRIM(CAST("turnover, net" AS TEXT)), '')), ',', '.'), '') AS DECIMAL(18,1)) * 10 AS BIGINT) AS x,
    CAST(CAST(NULLIF(REPLACE(TRIM(COALESCE(TRIM(CAST("w" AS TEXT)), '')), ',', '.'), '') AS DECIMAL(18,2)) * 100 AS BIGINT) AS w,
    CASE WHEN TRIM(COALESCE(TRIM(CAST("asked" AS TEXT)), '')) IN ('1', 'yes') THEN 1 ELSE 0 END AS req,
    CASE WHEN TRIM(COALESCE(TRIM(CAST("agreed" AS TEXT)), '')) IN ('1') THEN 1 ELSE 0 END AS waive
  FROM "survey"."firms" AS lacuna_source;
CREATE TEMPORARY TABLE lacuna_pair AS
  SELECT t.*, COUNT(*) OVER (PARTITION BY who) AS leaves FROM (
    SELECT d1, d2, who, CAST(SUM(x * w) AS BIGINT) AS c,
      COUNT(*) AS n, CAST(SUM(w) AS BIGINT) AS w, MAX(req) AS req, MIN(waive) AS waive
    FROM lacuna_records r GROUP BY d1, d2, who) t;
CREATE TEMPORARY TABLE lacuna_leaf AS
  SELECT d1, d2, CAST(SUM(c) AS BIGINT) AS value,
    CAST(SUM(n) AS BIGINT) AS records, CAST(SUM(w) AS BIGINT) AS weight,
    CAST(SUM(CASE WHEN leaves = 1 THEN 1 ELSE 0 END) AS BIGINT) AS settled,
    CAST(SUM(CASE WHEN leaves = 1 THEN ABS(c) ELSE 0 END) AS BIGINT) AS settled_abs,
    CAST(SUM(CASE WHEN leaves = 1 THEN 0 ELSE 1 END) AS BIGINT) AS spread
  FROM lacuna_pair GROUP BY d1, d2;
CREATE TEMPORARY TABLE lacuna_top_leaf AS
  SELECT d1, d2, who, c, req, waive FROM (
    SELECT p.*, ROW_NUMBER() OVER (PARTITION BY d1, d2 ORDER BY ABS(c) DESC, who COLLATE "C") AS rk
    FROM lacuna_pair p WHERE leaves = 1) t WHERE rk <= 3;
CREATE TEMPORARY TABLE lacuna_anc AS
  SELECT dim, code, anc FROM (
    SELECT DISTINCT 1 AS dim, code, anc FROM (VALUES ('South', 'South'), ('South', 'All'), ('n/a', 'n/a'), ('n/a', 'All'), ('Val d''Isère', 'Val d''Isère'), ('Val d''Isère', 'North'), ('Val d''Isère', 'All'), ('Upland', 'Upland'), ('Upland', 'North'), ('Upland', 'All'), ('', 'n/a'), ('', 'All')) AS v(code, anc)
    UNION SELECT DISTINCT 2 AS dim, d2 AS code, 'Total' AS anc FROM lacuna_leaf
    UNION SELECT DISTINCT 2 AS dim, d2 AS code, SUBSTR(d2, 1, 1) AS anc FROM lacuna_leaf WHERE d2 <> ''
    UNION SELECT DISTINCT 2 AS dim, d2 AS code, SUBSTR(d2, 1, 2) AS anc FROM lacuna_leaf WHERE d2 <> '') a;
CREATE TEMPORARY TABLE lacuna_sc AS
    SELECT 0 AS tab, a1.anc AS c1, a2.anc AS c2, p.who, CAST(SUM(p.c) AS BIGINT) AS c, MAX(p.req) AS req, MIN(p.waive) AS waive
    FROM lacuna_pair p JOIN lacuna_anc a1 ON a1.dim = 1 AND a1.code = p.d1 JOIN lacuna_anc a2 ON a2.dim = 2 AND a2.code = p.d2
    WHERE p.leaves > 1 GROUP BY a1.anc, a2.anc, p.who;
CREATE TEMPORARY TABLE lacuna_celltop AS
  SELECT tab, c1, c2, who, c, req, waive FROM (
    SELECT u.*, ROW_NUMBER() OVER (PARTITION BY tab, c1, c2 ORDER BY ABS(c) DESC, who COLLATE "C") AS rk FROM (
    SELECT tab, c1, c2, who, c, req, waive FROM lacuna_sc
    UNION ALL
    SELECT 0 AS tab, a1.anc AS c1, a2.anc AS c2, p.who, p.c, p.req, p.waive
    FROM lacuna_top_leaf p JOIN lacuna_anc a1 ON a1.dim = 1 AND a1.code = p.d1 JOIN lacuna_anc a2 ON a2.dim = 2 AND a2.code = p.d2) u) t WHERE rk <= 3;
CREATE TEMPORARY TABLE lacuna_cellnum AS
  SELECT tab, c1, c2, CAST(SUM(value) AS BIGINT) AS value,
    CAST(SUM(records) AS BIGINT) AS records,
    CAST(SUM(contributors) AS BIGINT) AS contributors,
    CAST(SUM(absolute) AS BIGINT) AS absolute FROM (
    SELECT 0 AS tab, a1.anc AS c1, a2.anc AS c2, p.value, p.records, p.settled AS contributors, p.settled_abs AS absolute
    FROM lacuna_leaf p JOIN lacuna_anc a1 ON a1.dim = 1 AND a1.code = p.d1 JOIN lacuna_anc a2 ON a2.dim = 2 AND a2.code = p.d2
    UNION ALL
    SELECT tab, c1, c2, 0, 0, 1, ABS(c) FROM lacuna_sc) u GROUP BY tab, c1, c2;

-- What leaves.
\copy (SELECT * FROM lacuna_leaf) TO 'leaf.csv' WITH (FORMAT csv, HEADER)
\copy (SELECT * FROM lacuna_celltop) TO 'celltop.csv' WITH (FORMAT csv, HEADER)
\copy (SELECT * FROM lacuna_cellnum) TO 'cellnum.csv' WITH (FORMAT csv, HEADER)
