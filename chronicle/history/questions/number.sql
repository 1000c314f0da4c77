-- What is the whole history of one number?
-- picture: line x=turn y=now by=standing panel=what dots=taken_back
-- none: That number never changed.
-- takes: who="" resource=""
SELECT r.turn, r.session, r.watch, r.day, r.period, coalesce(t.name, r.whose) AS whose, r.resource, r.was, r.change, r.now, r.why,
    u.command, u.recorded_at, r.struck, CASE WHEN r.struck THEN 'taken back' ELSE 'in effect' END AS standing,
    coalesce(t.name, r.whose) || CASE WHEN r.resource = 'count' THEN '' ELSE ', ' || replace(r.resource, '_', ' ') END AS what
FROM all_resource_changed r
LEFT JOIN things t ON t.campaign = r.campaign AND t.id = r.whose
JOIN all_turns u ON u.campaign = r.campaign AND u.turn = r.turn
WHERE ($who = '' OR lower(r.whose) = lower(trim($who)) OR lower(t.name) = lower(trim($who)) OR EXISTS (
        SELECT 1 FROM names n WHERE n.campaign = r.campaign AND n.id = r.whose
            AND regexp_replace(lower(n.called), '[\s_-]+', ' ', 'g') = regexp_replace(lower(trim($who)), '[\s_-]+', ' ', 'g')))
    AND ($resource = '' OR regexp_replace(lower(r.resource), '[\s_-]+', ' ', 'g')
        = regexp_replace(lower(trim($resource)), '[\s_-]+', ' ', 'g'))
ORDER BY r.version
