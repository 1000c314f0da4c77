-- What did foraging, hunting and searching yield?
-- picture: bars x=what y=found
-- none: Nobody has foraged, hunted or searched yet.
WITH tries AS (
    SELECT campaign, turn, command, coalesce(json_extract_string(args, '$.what'), command) AS aim FROM turns
    WHERE regexp_matches(command, 'forage|hunt|fish|suppl|search|loot|harvest|scavenge')
), yields AS (
    SELECT campaign, turn, resource, sum(change) AS found FROM resource_changed
    WHERE change > 0 AND resource NOT IN ('fatigue', 'fragments', 'marks_lit', 'travelled', 'cycle', 'cycles', 'here') GROUP BY ALL
)
SELECT replace(t.command, '_', ' ') || CASE WHEN aim <> command THEN ', ' || aim ELSE '' END AS what,
    count(DISTINCT t.turn) AS tries, count(DISTINCT y.turn) AS gave_something,
    coalesce(sum(y.found), 0) AS found, round(coalesce(sum(y.found), 0) / count(DISTINCT t.turn), 2) AS each_time
FROM tries t LEFT JOIN yields y USING (campaign, turn)
GROUP BY what ORDER BY tries DESC, what
