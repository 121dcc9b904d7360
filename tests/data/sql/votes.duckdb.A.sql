-- Sums for lacuna tabulate --aggregates; sql, plan A, 3 largest contributors.
-- d1: dimension ward
-- d2: dimension party

-- Records that must not be tabulated; a statement fails if there are any.
CREATE TEMPORARY TABLE lacuna_checked AS
  SELECT COALESCE(SUM(CASE WHEN NOT (COALESCE(CAST("ward" AS VARCHAR), '') IN ('')) AND (COALESCE(CAST("ward" AS VARCHAR), '') = 'Total') THEN 1 ELSE 0 END), 0) AS k1,
    COALESCE(SUM(CASE WHEN (COALESCE(CAST("party" AS VARCHAR), '') IN ('')) THEN 1 ELSE 0 END), 0) AS k2,
    COALESCE(SUM(CASE WHEN NOT (COALESCE(CAST("party" AS VARCHAR), '') IN ('')) AND (COALESCE(CAST("party" AS VARCHAR), '') = 'Total') THEN 1 ELSE 0 END), 0) AS k3
  FROM "votes" AS lacuna_source;
SELECT CAST('dimension ward: codes with the name of the total: ' || CAST(k1 AS VARCHAR) AS INTEGER) AS trouble FROM lacuna_checked WHERE k1 > 0;
SELECT CAST('dimension party: records without a code: ' || CAST(k2 AS VARCHAR) AS INTEGER) AS trouble FROM lacuna_checked WHERE k2 > 0;
SELECT CAST('dimension party: codes with the name of the total: ' || CAST(k3 AS VARCHAR) AS INTEGER) AS trouble FROM lacuna_checked WHERE k3 > 0;

-- Sums.
CREATE TEMPORARY VIEW lacuna_records AS
  SELECT CASE WHEN (COALESCE(CAST("ward" AS VARCHAR), '') IN ('')) THEN '' ELSE COALESCE(CAST("ward" AS VARCHAR), '') END AS d1,
    COALESCE(CAST("party" AS VARCHAR), '') AS d2,
    CAST(1 AS BIGINT) AS x,
    CAST(1 AS BIGINT) AS w,
    0 AS req,
    0 AS waive
  FROM "votes" AS lacuna_source;
CREATE TEMPORARY TABLE lacuna_leaf AS
  SELECT d1, d2, CAST(SUM(x * w) AS BIGINT) AS value,
    COUNT(*) AS records, CAST(SUM(w) AS BIGINT) AS weight,
    COUNT(*) AS settled, CAST(SUM(ABS(x * w)) AS BIGINT) AS settled_abs,
    0 AS spread
  FROM lacuna_records GROUP BY d1, d2;
CREATE TEMPORARY TABLE lacuna_top_leaf AS
  SELECT d1, d2, c, req, waive FROM (
    SELECT p.*, ROW_NUMBER() OVER (PARTITION BY d1, d2 ORDER BY ABS(c) DESC, c DESC, req + 2 * (1 - waive) DESC) AS rk
    FROM (SELECT d1, d2, x * w AS c, req, waive FROM lacuna_records) p) t
  WHERE rk <= 3;

-- What leaves.
COPY (SELECT * FROM lacuna_leaf) TO 'leaf.parquet' (FORMAT PARQUET);
COPY (SELECT * FROM lacuna_top_leaf) TO 'top_leaf.parquet' (FORMAT PARQUET);
