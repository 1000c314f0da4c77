-- What did each {period} cost?
-- picture: lanes x=watch y=spent by=what
-- none: Nothing was spent yet.
WITH costs AS (
    SELECT r.watch, r.day, p.role AS what, abs(r.change) AS spent
    FROM resource_changed r JOIN parts p ON p.campaign = r.campaign AND p.whose = r.whose AND p.resource = r.resource
    LEFT JOIN things t ON t.campaign = r.campaign AND t.id = r.whose
    WHERE p.role <> '' AND (p.role <> 'health' OR t.what = 'character')
        AND CASE WHEN p.role = 'fatigue' THEN r.change > 0 ELSE r.change < 0 END AND r.why <> 'joined' AND NOT r.shared
    UNION ALL
    SELECT watch, day, 'fatigue', 1 FROM gained WHERE (what ILIKE 'fatigue' OR called ILIKE 'fatigue') AND NOT shared
)
SELECT watch, min(day) AS day, what, sum(spent) AS spent FROM costs GROUP BY watch, what ORDER BY 1, 3
