-- Of the checks whose odds the dice tell, how many were passed, and how many were to be expected?
-- picture: bars x=what y=passed mark=expected
-- none: No check was made whose odds the dice tell.
SELECT CASE WHEN rule = '' THEN what ELSE what || ' (' || rule || ')' END AS what, count(*) AS checks,
    count(*) FILTER (WHERE passed) AS passed, round(sum(chance), 1) AS expected, round(100 * avg(chance)) AS percent_each
FROM checks WHERE chance IS NOT NULL AND NOT shared GROUP BY 1 ORDER BY checks DESC, 1
