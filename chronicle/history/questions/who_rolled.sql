-- Who rolled most, and how did it go?
-- picture: bars x=who y=rolls note=how
-- none: No dice have fallen yet.
-- What was passed stands beside what was to be expected of the very same checks: those whose odds the dice tell.
WITH r AS (
    SELECT rolled_by AS who, count(*) AS rolls, sum(len(faces)) AS dice, round(avg(above), 2) AS above_average
    FROM throws WHERE NOT shared GROUP BY 1
), c AS (
    SELECT rolled_by AS who, count(*) AS checks, count(*) FILTER (WHERE passed) AS passed, count(chance) AS with_odds,
        count(*) FILTER (WHERE passed AND chance IS NOT NULL) AS passed_of_these, round(sum(chance), 1) AS expected_of_these
    FROM checks WHERE NOT shared GROUP BY 1
)
SELECT who, coalesce(rolls, 0) AS rolls, coalesce(dice, 0) AS dice, coalesce(checks, 0) AS checks,
    coalesce(passed, 0) AS passed, coalesce(with_odds, 0) AS with_odds, coalesce(passed_of_these, 0) AS passed_of_these,
    expected_of_these, above_average,
    CASE WHEN checks > 0 THEN passed || '/' || checks || ' passed' ELSE '' END
        || CASE WHEN with_odds = checks THEN ', expected ' || expected_of_these
            WHEN with_odds > 0 THEN '; with odds ' || passed_of_these || '/' || with_odds || ', expected '
                || expected_of_these ELSE '' END AS how
FROM r FULL JOIN c USING (who) ORDER BY rolls DESC, who
