-- Who rolled most, and how did it go?
-- picture: bars x=who y=rolls note=how
-- none: No dice have fallen yet.
WITH r AS (
    SELECT CASE WHEN r.who = '' THEN CASE roller WHEN 'gm' THEN 'the GM' ELSE 'the table' END ELSE coalesce(t.called, r.who) END AS who,
        count(*) AS rolls, sum(len(faces)) AS dice, round(avg(total - modifier - x.mean), 2) AS above_average
    FROM rolled r LEFT JOIN things t ON t.campaign = r.campaign AND t.id = r.who LEFT JOIN expressions x USING (dice)
    GROUP BY 1
), c AS (
    SELECT who_name AS who, count(*) AS checks, count(*) FILTER (WHERE passed) AS passed, round(sum(chance), 1) AS expected
    FROM checks GROUP BY 1
)
SELECT r.who, rolls, dice, coalesce(checks, 0) AS checks, coalesce(passed, 0) AS passed, expected, above_average,
    CASE WHEN checks > 0 THEN passed || ' of ' || checks || ' checks passed' ELSE '' END AS how
FROM r LEFT JOIN c USING (who) ORDER BY rolls DESC, r.who
