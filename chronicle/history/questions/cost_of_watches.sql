-- What did each {period} cost?
-- picture: lanes x=watch y=spent by=what
-- none: Nothing was spent yet.
SELECT r.watch, any_value(r.day) AS day, p.role AS what, sum(abs(r.change)) AS spent
FROM resource_changed r JOIN parts p ON p.campaign = r.campaign AND p.whose = r.whose AND p.resource = r.resource
LEFT JOIN things t ON t.campaign = r.campaign AND t.id = r.whose
WHERE p.role <> '' AND (p.role <> 'health' OR t.what = 'character') AND CASE WHEN p.role = 'fatigue' THEN r.change > 0 ELSE r.change < 0 END AND r.why <> 'joined'
GROUP BY r.watch, p.role
UNION ALL
SELECT watch, any_value(day), 'fatigue', count(*) FROM gained WHERE what ILIKE 'fatigue' OR called ILIKE 'fatigue' GROUP BY watch
ORDER BY 1, 3
