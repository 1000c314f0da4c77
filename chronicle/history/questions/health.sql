-- How did everybody's health and Fatigue stand at the end of each {period}?
-- picture: line x=watch y=value by=what
-- none: No health or Fatigue is on record in this campaign.
SELECT r.watch, r.day, whose_name || ', ' || replace(resource, '_', ' ') AS what, value
FROM resources_by_watch r JOIN things t ON t.campaign = r.campaign AND t.id = r.whose AND t.what = 'character'
WHERE role IN ('health', 'fatigue') AND r.watch % $every = 0
UNION ALL
SELECT w.watch, w.day, coalesce(t.called, g.holder) || ', Fatigue' AS what,
    count(*) FILTER (WHERE g.version <= w.last AND (l.version IS NULL OR l.version > w.last)) AS value
FROM watches w, (SELECT * FROM gained WHERE what ILIKE 'fatigue' OR called ILIKE 'fatigue') g
LEFT JOIN lost l ON l.campaign = g.campaign AND l.id = g.id AND l.version > g.version
LEFT JOIN things t ON t.campaign = g.campaign AND t.id = g.holder
WHERE w.watch % $every = 0
GROUP BY ALL ORDER BY 1, 3
