-- How did everybody's health and Fatigue stand at the end of each {period}?
-- picture: line x=watch y=value by=who panel=what
-- none: No health or Fatigue is on record in this campaign.
SELECT r.watch, r.day, whose_name AS who, replace(resource, '_', ' ') AS what, value
FROM resources_by_watch r JOIN things t ON t.campaign = r.campaign AND t.id = r.whose AND t.what = 'character'
WHERE r.watch % $every = 0 AND (role = 'health' OR (role = 'fatigue' AND EXISTS (
    SELECT 1 FROM resource_changed c
    WHERE c.campaign = r.campaign AND c.whose = r.whose AND c.resource = r.resource AND c.now > 0)))
UNION ALL
SELECT w.watch, w.day, coalesce(t.called, g.holder) AS who, 'Fatigue' AS what,
    count(*) FILTER (WHERE g.version <= w.last AND NOT EXISTS (
        SELECT 1 FROM lost l WHERE l.campaign = g.campaign AND l.id = g.id AND l.version > g.version AND l.version <= w.last)) AS value
FROM (SELECT campaign, b.watch, any_value(b.day) AS day, max(coalesce(e.version, 4611686018427387904)) AS last
      FROM watch_began b LEFT JOIN watch_ended e USING (campaign, group_id, watch)
      WHERE b.watch % $every = 0 GROUP BY campaign, b.watch) w
JOIN (SELECT * FROM gained WHERE what ILIKE 'fatigue' OR called ILIKE 'fatigue') g USING (campaign)
LEFT JOIN things t ON t.campaign = g.campaign AND t.id = g.holder
GROUP BY ALL ORDER BY what, 1, 3
