-- How many encounters came, against what the dice promised?
-- picture: bars x=activity y=came mark=expected
-- none: No Encounter Check was made yet.
SELECT s.activity, count(*) AS checks, count(*) FILTER (WHERE e.turn IS NOT NULL) AS came,
    round(sum(s.chance) / 100, 1) AS expected, min(s.dc) AS lowest_dc, max(s.dc) AS highest_dc
FROM blood_and_iron_dc_summed s
LEFT JOIN (SELECT DISTINCT campaign, turn FROM encounter_began) e USING (campaign, turn)
GROUP BY s.activity ORDER BY checks DESC, s.activity
