-- How many encounters came, against what the dice promised?
-- picture: bars x=activity y=came mark=expected
-- none: No Encounter Check was made yet.
-- A march makes many checks in one turn: each sum goes with its own check, which follows it and its die.
SELECT s.activity, count(*) AS checks, count(*) FILTER (WHERE c.passed) AS came,
    round(sum(s.chance) / 100, 1) AS expected, min(s.dc) AS lowest_dc, max(s.dc) AS highest_dc
FROM blood_and_iron_dc_summed s
LEFT JOIN checked c ON c.campaign = s.campaign AND c.version = s.version + 2 AND c.rule = 'BI-23'
GROUP BY s.activity ORDER BY checks DESC, s.activity
