-- How many encounters came, against what the dice promised?
-- picture: bars x=table_name y=came mark=expected
-- none: No table was read that has an encounter on it.
SELECT r.table_name, count(*) AS read, count(*) FILTER (WHERE regexp_matches(r."row", 'encounter', 'i')) AS came,
    round(count(*) * any_value(t.chance), 1) AS expected
FROM table_read r
JOIN (SELECT campaign, table_name, sum(chance) AS chance FROM table_rows
      WHERE regexp_matches(row_key, 'encounter', 'i') GROUP BY ALL) t USING (campaign, table_name)
GROUP BY r.table_name ORDER BY read DESC, r.table_name
