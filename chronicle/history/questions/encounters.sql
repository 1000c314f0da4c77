-- How many encounters did the dice bring on each table, against what was to be expected of the dice thrown?
-- picture: bars x=table_name y=came mark=expected
-- none: No table was thrown on that has an encounter on it.
WITH ways AS (
    SELECT odds, sum(chance) FILTER (WHERE regexp_matches(row_key, 'encounter', 'i')) AS chance FROM row_odds GROUP BY odds
)
SELECT r.table_name, count(*) AS thrown, count(*) FILTER (WHERE regexp_matches(r."row", 'encounter', 'i')) AS came,
    round(sum(w.chance), 1) AS expected
FROM readings r JOIN ways w USING (odds) WHERE w.chance IS NOT NULL AND NOT r.shared
GROUP BY r.table_name ORDER BY thrown DESC, r.table_name
