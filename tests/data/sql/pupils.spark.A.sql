-- Sums for lacuna tabulate --aggregates; sql, plan A, 3 largest contributors.
-- d1: dimension area
-- d2: dimension age
-- d3: dimension track
SET spark.sql.ansi.enabled=true;

-- Records that must not be tabulated; a statement fails if there are any.
CACHE TABLE lacuna_checked AS
  SELECT COALESCE(SUM(CASE WHEN NOT (COALESCE(CAST(`county` AS STRING), '') IN ('') OR COALESCE(CAST(`district` AS STRING), '') IN ('')) AND (COALESCE(CAST(`county` AS STRING), '') = 'Total' OR COALESCE(CAST(`district` AS STRING), '') = 'Total') THEN 1 ELSE 0 END), 0) AS k1,
    COALESCE(SUM(CASE WHEN (COALESCE(CAST(`age` AS STRING), '') IN ('')) THEN 1 ELSE 0 END), 0) AS k2,
    COALESCE(SUM(CASE WHEN NOT (COALESCE(CAST(`age` AS STRING), '') IN ('')) AND (COALESCE(CAST(`age` AS STRING), '') = 'any age') THEN 1 ELSE 0 END), 0) AS k3,
    COALESCE(SUM(CASE WHEN (COALESCE(CAST(`track` AS STRING), '') IN ('')) THEN 1 ELSE 0 END), 0) AS k4,
    COALESCE(SUM(CASE WHEN NOT (COALESCE(CAST(`track` AS STRING), '') IN ('')) AND (COALESCE(CAST(`track` AS STRING), '') = 'Total') THEN 1 ELSE 0 END), 0) AS k5,
    COALESCE(SUM(CASE WHEN CAST(NULLIF(TRIM(COALESCE(CAST(`hours` AS STRING), '')), '') AS DECIMAL(38,18)) < 0 THEN 1 ELSE 0 END), 0) AS k6,
    COALESCE(SUM(CASE WHEN COALESCE(CAST(`trust` AS STRING), '') = '' AND COALESCE(CAST(`school` AS STRING), '') = '' THEN 1 ELSE 0 END), 0) AS k7
  FROM (SELECT * FROM pupils WHERE year = 2026) AS lacuna_source;
SELECT CAST('dimension area: codes with the name of the total: ' || CAST(k1 AS STRING) AS INTEGER) AS trouble FROM lacuna_checked WHERE k1 > 0;
SELECT CAST('dimension age: records without a code: ' || CAST(k2 AS STRING) AS INTEGER) AS trouble FROM lacuna_checked WHERE k2 > 0;
SELECT CAST('dimension age: codes with the name of the total: ' || CAST(k3 AS STRING) AS INTEGER) AS trouble FROM lacuna_checked WHERE k3 > 0;
SELECT CAST('dimension track: records without a code: ' || CAST(k4 AS STRING) AS INTEGER) AS trouble FROM lacuna_checked WHERE k4 > 0;
SELECT CAST('dimension track: codes with the name of the total: ' || CAST(k5 AS STRING) AS INTEGER) AS trouble FROM lacuna_checked WHERE k5 > 0;
SELECT CAST('values below zero: ' || CAST(k6 AS STRING) AS INTEGER) AS trouble FROM lacuna_checked WHERE k6 > 0;
SELECT CAST('records without a respondent: ' || CAST(k7 AS STRING) AS INTEGER) AS trouble FROM lacuna_checked WHERE k7 > 0;

-- Sums.
CREATE TEMPORARY VIEW lacuna_records AS
  SELECT COALESCE(CAST(`county` AS STRING), '') AS d1_1,
    COALESCE(CAST(`district` AS STRING), '') AS d1_2,
    COALESCE(CAST(`age` AS STRING), '') AS d2,
    COALESCE(CAST(`track` AS STRING), '') AS d3,
    SHA2('the-same-salt-in-every-engine' || (CASE WHEN COALESCE(CAST(`trust` AS STRING), '') <> '' THEN 'H' || COALESCE(CAST(`trust` AS STRING), '') ELSE 'R' || COALESCE(CAST(`school` AS STRING), '') END), 256) AS who,
    CAST(CAST(NULLIF(TRIM(COALESCE(CAST(`hours` AS STRING), '')), '') AS DECIMAL(18,0)) * 1 AS BIGINT) AS x,
    CAST(1 AS BIGINT) AS w,
    0 AS req,
    0 AS waive
  FROM (SELECT * FROM pupils WHERE year = 2026) AS lacuna_source
  WHERE NOT (COALESCE(CAST(`county` AS STRING), '') IN ('') OR COALESCE(CAST(`district` AS STRING), '') IN (''))
    AND NULLIF(TRIM(COALESCE(CAST(`hours` AS STRING), '')), '') IS NOT NULL;
CACHE TABLE lacuna_pair AS
  SELECT t.*, COUNT(*) OVER (PARTITION BY who) AS leaves FROM (
    SELECT d1_1, d1_2, d2, d3, who, CAST(SUM(x * w) AS BIGINT) AS c,
      COUNT(*) AS n, CAST(SUM(w) AS BIGINT) AS w, MAX(req) AS req, MIN(waive) AS waive
    FROM (SELECT * FROM lacuna_records DISTRIBUTE BY who) r GROUP BY d1_1, d1_2, d2, d3, who) t;
CACHE TABLE lacuna_leaf AS
  SELECT d1_1, d1_2, d2, d3, CAST(SUM(c) AS BIGINT) AS value,
    CAST(SUM(n) AS BIGINT) AS records, CAST(SUM(w) AS BIGINT) AS weight,
    CAST(SUM(CASE WHEN leaves = 1 THEN 1 ELSE 0 END) AS BIGINT) AS settled,
    CAST(SUM(CASE WHEN leaves = 1 THEN ABS(c) ELSE 0 END) AS BIGINT) AS settled_abs,
    CAST(SUM(CASE WHEN leaves = 1 THEN 0 ELSE 1 END) AS BIGINT) AS spread
  FROM lacuna_pair GROUP BY d1_1, d1_2, d2, d3;
CACHE TABLE lacuna_top_leaf AS
  SELECT d1_1, d1_2, d2, d3, who, c, req, waive FROM (
    SELECT p.*, ROW_NUMBER() OVER (PARTITION BY d1_1, d1_2, d2, d3 ORDER BY ABS(c) DESC, who) AS rk
    FROM lacuna_pair p WHERE leaves = 1) t WHERE rk <= 3;
CREATE TEMPORARY VIEW lacuna_spread AS
  SELECT d1_1, d1_2, d2, d3, who, c, req, waive FROM lacuna_pair WHERE leaves > 1;

-- What leaves.
INSERT OVERWRITE DIRECTORY 'leaf' USING parquet
  SELECT * FROM lacuna_leaf;
INSERT OVERWRITE DIRECTORY 'top_leaf' USING parquet
  SELECT * FROM lacuna_top_leaf;
INSERT OVERWRITE DIRECTORY 'spread' USING parquet
  SELECT * FROM lacuna_spread;
