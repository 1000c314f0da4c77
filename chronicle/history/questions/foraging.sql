-- What did foraging, hunting and searching yield?
-- picture: bars x=what y=found note=tried
-- none: Nobody has foraged, hunted or searched yet.
WITH tries AS (
    SELECT campaign, turn, command, coalesce(json_extract_string(args, '$.purpose'), json_extract_string(args, '$.method'), '') AS aim
    FROM turns WHERE NOT shared AND regexp_matches(command, '^(forage|hunt|fish|supply|search|loot|harvest|scavenge)')
), yields AS (
    SELECT campaign, turn, sum(change) AS found FROM resource_changed
    WHERE change > 0 AND resource NOT IN ('fatigue', 'fragments', 'marks_lit', 'travelled', 'cycle', 'cycles', 'here') GROUP BY ALL
), things_found AS (
    SELECT campaign, turn, count(*) AS found FROM gained g WHERE NOT g.called ILIKE 'fatigue'
        AND NOT EXISTS (SELECT 1 FROM resource_changed r WHERE r.campaign = g.campaign AND r.turn = g.turn AND r.whose = g.id)
    GROUP BY ALL
)
SELECT replace(t.command, '_', ' ') || CASE WHEN aim <> '' THEN ': ' || aim ELSE '' END AS what,
    count(*) AS tries, count(*) FILTER (WHERE coalesce(y.found, 0) + coalesce(f.found, 0) > 0) AS gave_something,
    coalesce(sum(y.found), 0) + coalesce(sum(f.found), 0) AS found,
    round((coalesce(sum(y.found), 0) + coalesce(sum(f.found), 0)) / count(*), 2) AS each_time,
    'in ' || count(*) || CASE WHEN count(*) = 1 THEN ' try' ELSE ' tries' END AS tried
FROM tries t LEFT JOIN yields y USING (campaign, turn) LEFT JOIN things_found f USING (campaign, turn)
GROUP BY what ORDER BY tries DESC, what
