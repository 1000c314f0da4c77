-- How did everybody's health and Fatigue stand at the end of each {period}?
-- picture: line x=watch y=value by=who panel=what
-- none: No health or Fatigue is on record in this campaign.
SELECT r.watch, r.day, whose_name AS who, replace(resource, '_', ' ') AS what, value
FROM resources_by_watch r JOIN things t ON t.campaign = r.campaign AND t.id = r.whose AND t.what = 'character'
WHERE r.watch % $every = 0 AND (role = 'health' OR (role = 'fatigue' AND EXISTS (
    SELECT 1 FROM resource_changed c
    WHERE c.campaign = r.campaign AND c.whose = r.whose AND c.resource = r.resource AND c.now > 0)))
UNION ALL
-- Where Fatigue is a thing that is carried: of everybody who ever had one, from when they joined.
SELECT w.watch, w.day, coalesce(t.name, g.holder) AS who, 'Fatigue' AS what,
    count(*) FILTER (WHERE g.version <= w.last AND NOT EXISTS (
        SELECT 1 FROM lost l WHERE l.campaign = g.campaign AND l.id = g.id AND l.version > g.version AND l.version <= w.last)) AS value
FROM (SELECT * FROM watch_ends WHERE watch % $every = 0) w
JOIN (SELECT * FROM gained WHERE what ILIKE 'fatigue' OR called ILIKE 'fatigue') g USING (campaign)
ASOF JOIN comings p ON p.campaign = w.campaign AND p.id = g.holder AND w.last >= p.version
LEFT JOIN things t ON t.campaign = g.campaign AND t.id = g.holder
WHERE p.here
GROUP BY ALL ORDER BY what, 1, 3
