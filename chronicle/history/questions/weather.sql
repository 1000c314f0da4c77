-- What was the weather, {period} by {period}?
-- picture: tally x=weather
-- none: No weather is on record.
-- The last that was said of it in the period, else what held when it began; a group that split off takes it along.
WITH spoken AS (SELECT campaign, subject, version, turn, now, why FROM became WHERE aspect = 'weather'),
said AS (
    FROM spoken UNION ALL
    SELECT s.campaign, s.new, s.version, p.turn, p.now, p.why
    FROM group_split s ASOF JOIN spoken p ON p.campaign = s.campaign AND p.subject = s.group_id AND s.version >= p.version
)
SELECT CASE WHEN n.version >= w.first THEN n.turn ELSE b.turn END AS turn, w.watch, w.day, w.period,
    CASE WHEN n.version >= w.first THEN n.now ELSE b.now END AS weather,
    CASE WHEN n.version >= w.first THEN n.why ELSE b.why END AS why, w.group_id
FROM watches w
ASOF LEFT JOIN (FROM said WHERE now IS NOT NULL) n
    ON n.campaign = w.campaign AND n.subject = w.group_id AND w.last >= n.version
ASOF LEFT JOIN said b ON b.campaign = w.campaign AND b.subject = w.group_id AND w.first >= b.version
WHERE weather IS NOT NULL AND NOT w.shared
ORDER BY w.first
