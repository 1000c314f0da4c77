-- How did everybody's health and Fatigue stand at the end of each {period}?
-- picture: line x=watch y=value by=who panel=what
-- none: No health or Fatigue is on record in this campaign.
SELECT r.watch, r.day, whose_name AS who, replace(resource, '_', ' ') AS what, value
FROM resources_by_watch r JOIN things t ON t.campaign = r.campaign AND t.id = r.whose AND t.what = 'character'
WHERE role IN ('health', 'fatigue') AND r.watch % $every = 0
QUALIFY role = 'health' OR max(value) OVER (PARTITION BY r.campaign, whose, resource) > 0
UNION ALL
SELECT w.watch, w.day, coalesce(t.called, g.holder) AS who, 'Fatigue' AS what,
    count(*) FILTER (WHERE g.version <= w.last AND NOT EXISTS (
        SELECT 1 FROM lost l WHERE l.campaign = g.campaign AND l.id = g.id AND l.version > g.version AND l.version <= w.last)) AS value
FROM (SELECT campaign, watch, any_value(day) AS day, max(last) AS last FROM watches GROUP BY campaign, watch) w
JOIN (SELECT * FROM gained WHERE what ILIKE 'fatigue' OR called ILIKE 'fatigue') g USING (campaign)
LEFT JOIN things t ON t.campaign = g.campaign AND t.id = g.holder
WHERE w.watch % $every = 0
GROUP BY ALL ORDER BY what, 1, 3
