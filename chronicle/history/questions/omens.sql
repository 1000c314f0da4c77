-- What is waiting: Omens, prepared things, clocks that are not full?
-- picture: bars x=called y=now mark=full
-- none: Nothing is waiting.
WITH numbers AS (SELECT campaign, whose, resource, arg_max(now, version) AS now, arg_max(most, version) AS most
                 FROM resource_changed WHERE resource IN ('waited', 'count') GROUP BY ALL),
     words AS (SELECT campaign, subject, arg_max(now, version) AS now FROM became WHERE aspect = 'prepared' GROUP BY ALL)
SELECT t.called, t.what, n.now AS now, n.most AS "full", t.first_turn AS since_turn
FROM things t JOIN numbers n ON n.campaign = t.campaign AND n.whose = t.id
LEFT JOIN words w ON w.campaign = t.campaign AND w.subject = t.id
WHERE NOT EXISTS (SELECT 1 FROM forgotten f WHERE f.campaign = t.campaign AND f.id = t.id)
    AND ((n.resource = 'waited' AND w.now = 'true') OR (n.resource = 'count' AND n.most IS NOT NULL AND n.now < n.most))
ORDER BY n.now DESC, t.called
