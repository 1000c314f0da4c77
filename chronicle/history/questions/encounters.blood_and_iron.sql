-- How many encounters came, against what was to be expected of the dice thrown?
-- picture: bars x=activity y=came mark=expected
-- none: No Encounter Check was made yet.
-- A march makes many checks in one turn: each goes with the sum right before it.
SELECT s.activity, count(*) AS checks, count(*) FILTER (WHERE c.passed) AS came, round(sum(c.chance), 1) AS expected,
    min(s.dc) AS lowest_dc, max(s.dc) AS highest_dc
FROM checks c
ASOF JOIN blood_and_iron_dc_summed s ON s.campaign = c.campaign AND s.turn = c.turn AND c.version > s.version
WHERE c.rule = 'BI-23' AND c.chance IS NOT NULL AND NOT c.shared
GROUP BY s.activity ORDER BY checks DESC, s.activity
