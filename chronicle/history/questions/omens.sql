-- What is waiting: Omens, prepared things, clocks that are not full?
-- picture: bars x=called y=now mark=full
-- none: Nothing is waiting.
-- The last word counts even when it says that nothing is said any more: arg_max alone would pass over it.
WITH numbers AS (SELECT campaign, whose, resource, arg_max({'now': now, 'most': most}, version) AS last
                 FROM resource_changed WHERE resource IN ('waited', 'count') GROUP BY ALL),
     words AS (SELECT campaign, subject, arg_max({'now': now}, version) AS last FROM became WHERE aspect = 'prepared' GROUP BY ALL),
     gone AS (SELECT campaign, id, max(version) AS version FROM forgotten GROUP BY ALL),
     named_last AS (SELECT campaign, id, max(version) AS version FROM named GROUP BY ALL)
SELECT t.called, t.what, n.last.now AS now, n.last.most AS "full", t.first_turn AS since_turn
FROM things t JOIN numbers n ON n.campaign = t.campaign AND n.whose = t.id
LEFT JOIN words w ON w.campaign = t.campaign AND w.subject = t.id
LEFT JOIN gone g ON g.campaign = t.campaign AND g.id = t.id
LEFT JOIN named_last l ON l.campaign = t.campaign AND l.id = t.id
WHERE (g.version IS NULL OR l.version > g.version)
    AND ((n.resource = 'waited' AND w.last.now = 'true')
        OR (n.resource = 'count' AND n.last.most IS NOT NULL AND n.last.now < n.last.most))
ORDER BY now DESC, t.called, t.id
