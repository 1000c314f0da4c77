-- Which rows were found on each table, against what its dice promise?
-- picture: bars x=found y=times mark=expected
-- none: No table was read yet.
SELECT r.table_name || ': ' || r."row" AS found, count(*) AS times,
    round(any_value(x.chance) * any_value(n.total), 1) AS expected
FROM table_read r
LEFT JOIN table_rows x ON x.campaign = r.campaign AND x.table_name = r.table_name AND x.row_key = r."row"
JOIN (SELECT campaign, table_name, count(*) AS total FROM table_read GROUP BY ALL) n
    ON n.campaign = r.campaign AND n.table_name = r.table_name
GROUP BY found ORDER BY times DESC, found
