-- Who died, left or was struck down, and whose health fell to 1, to nothing or to a quarter of its most?
-- picture: lanes x=watch by=who said=what
-- none: Nobody came close to death yet.
SELECT * EXCLUDE (version) FROM (
SELECT r.version, r.turn, r.watch, r.day, t.name AS who, replace(r.resource, '_', ' ') || ' ' || r.was || '→' || r.now AS what,
    r.why
FROM resource_changed r
JOIN roles o ON o.resource = lower(r.resource) AND o.role = 'health'
JOIN things t ON t.campaign = r.campaign AND t.id = r.whose AND t.what = 'character'
WHERE r.change < 0 AND (r.now <= 1 OR (r.most IS NOT NULL AND r.now * 4 <= r.most)) AND NOT r.shared
UNION ALL
SELECT l.version, l.turn, l.watch, l.day, t.name, 'left play', l.why
FROM left_play l JOIN things t ON t.campaign = l.campaign AND t.id = l.id AND t.what = 'character' WHERE NOT l.shared
UNION ALL
SELECT c.version, c.turn, c.watch, c.day, t.name, c.condition, c.why
FROM condition_gained c JOIN things t ON t.campaign = c.campaign AND t.id = c.whose AND t.what = 'character'
WHERE regexp_matches(c.condition, 'dead|dying|death|critical|mortal|doomed|paraly', 'i') AND NOT c.shared
) ORDER BY version
