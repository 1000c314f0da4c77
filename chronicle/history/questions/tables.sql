-- Which rows did the dice find on each table, against what was to be expected of the dice thrown?
-- picture: bars x=found y=thrown mark=expected
-- none: No table was read yet.
-- What somebody chose, or worked out, is counted apart; where the odds of a throw cannot be told, nothing is expected.
WITH throws AS (
    SELECT campaign, table_name, odds, count(*) AS times FROM readings WHERE thrown AND NOT shared GROUP BY ALL
), promised AS (
    SELECT t.campaign, t.table_name, x.row_key AS "row", sum(t.times * x.chance) AS expected
    FROM throws t JOIN row_odds x USING (odds)
    WHERE NOT EXISTS (SELECT 1 FROM throws u WHERE u.campaign = t.campaign AND u.table_name = t.table_name AND u.odds IS NULL)
    GROUP BY ALL
)
SELECT r.table_name || ': ' || r."row" AS found, count(*) FILTER (WHERE r.thrown) AS thrown,
    round(any_value(p.expected), 1) AS expected, count(*) FILTER (WHERE NOT r.thrown) AS chosen
FROM readings r LEFT JOIN promised p ON p.campaign = r.campaign AND p.table_name = r.table_name AND p."row" = r."row"
WHERE NOT r.shared
GROUP BY r.table_name, r."row" ORDER BY thrown DESC, found
