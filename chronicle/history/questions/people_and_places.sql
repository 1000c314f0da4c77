-- Who and what was met or seen, when first, when last?
-- picture: spans x=first_turn to=last_turn by=called said=what
-- none: Nobody and nothing was named yet.
WITH seen AS (
    SELECT campaign, called, what, turn, day FROM named WHERE what IN ('person', 'place') AND NOT shared
    -- Named again, an encounter is known for what it is: only that is told.
    UNION ALL SELECT b.campaign, arg_max(b.called, b.version), 'encounter', min(b.turn), min(b.day) FROM encounter_began b
        WHERE NOT b.shared AND NOT EXISTS (SELECT 1 FROM encounter_ended e WHERE e.campaign = b.campaign AND e.id = b.id AND e.how LIKE 'it is %')
        GROUP BY b.campaign, b.id
    UNION ALL SELECT campaign, substr(name, 2), CASE WHEN name[1] = '@' THEN 'person' ELSE 'place' END, turn, day
        FROM (SELECT campaign, turn, day, unnest(mentions) AS name FROM noted WHERE NOT shared
              UNION ALL SELECT campaign, turn, day, unnest(mentions) FROM annotated WHERE NOT shared)
    UNION ALL SELECT campaign, destination_name, 'place', turn, day FROM journeys WHERE destination_name <> '' AND NOT shared
)
SELECT arg_min(called, turn) AS called, arg_min(what, turn) AS what, min(turn) AS first_turn, max(turn) AS last_turn, min(day) AS first_day,
    max(day) AS last_day, count(DISTINCT turn) AS times
FROM seen GROUP BY lower(called) ORDER BY first_turn, 1
