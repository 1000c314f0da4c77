-- Who and what was met or seen, when first, when last?
-- picture: spans x=first_turn to=last_turn by=called said=what
-- none: Nobody and nothing was named yet.
WITH noted_names AS (
    SELECT campaign, version, turn, day, name[1] AS sign, substr(name, 2) AS name
    FROM (SELECT campaign, version, turn, day, unnest(mentions) AS name FROM noted WHERE NOT shared
          UNION ALL SELECT campaign, version, turn, day, unnest(mentions) FROM annotated WHERE NOT shared)
),
-- Whoever bore the name when it was written is meant, by the name they bear now.
known AS (
    SELECT m.campaign, m.turn, m.day, m.sign, m.name,
        coalesce(arg_max(t.called, n.version) FILTER (n.version <= m.version), arg_min(t.called, n.version)) AS called
    FROM noted_names m
    LEFT JOIN names n ON n.campaign = m.campaign AND lower(n.called) = lower(m.name)
    LEFT JOIN things t ON t.campaign = n.campaign AND t.id = n.id
        AND (m.sign = '@') = (t.what NOT IN ('place', 'item', 'counter', 'table', 'leg', 'region'))
    GROUP BY ALL
),
seen AS (
    SELECT n.campaign, t.called, n.what, n.turn, n.day FROM named n
        JOIN things t ON t.campaign = n.campaign AND t.id = n.id WHERE n.what IN ('person', 'place') AND NOT n.shared
    -- Named again, an encounter is known for what it is: only that is told.
    UNION ALL SELECT b.campaign, arg_max(t.called, b.version), 'encounter', min(b.turn), min(b.day) FROM encounter_began b
        JOIN things t ON t.campaign = b.campaign AND t.id = b.id
        WHERE NOT b.shared AND NOT EXISTS (SELECT 1 FROM encounter_ended e WHERE e.campaign = b.campaign AND e.id = b.id AND e.how LIKE 'it is %')
        GROUP BY b.campaign, b.id
    UNION ALL SELECT campaign, coalesce(called, name), CASE WHEN sign = '@' THEN 'person' ELSE 'place' END, turn, day FROM known
    UNION ALL SELECT campaign, destination_name, 'place', turn, day FROM journeys WHERE destination_name <> '' AND NOT shared
)
SELECT arg_min(called, turn) AS called, arg_min(what, turn) AS what, min(turn) AS first_turn, max(turn) AS last_turn, min(day) AS first_day,
    max(day) AS last_day, count(DISTINCT turn) AS times
FROM seen GROUP BY lower(called) ORDER BY first_turn, 1
