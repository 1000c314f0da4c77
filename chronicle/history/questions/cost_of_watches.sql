-- What did each {period} cost?
-- picture: line x=watch y=spent by=what
-- none: Nothing was spent yet.
SELECT r.watch, any_value(r.day) AS day, o.role AS what, -sum(r.change) AS spent
FROM resource_changed r JOIN roles o ON o.resource = lower(r.resource)
WHERE r.change < 0 AND o.role <> 'fatigue' GROUP BY r.watch, o.role
UNION ALL
SELECT r.watch, any_value(r.day), 'fatigue', sum(r.change)
FROM resource_changed r JOIN roles o ON o.resource = lower(r.resource)
WHERE r.change > 0 AND o.role = 'fatigue' GROUP BY r.watch
ORDER BY 1, 3
