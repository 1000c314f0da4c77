-- How much food and water was left at the end of each {period}?
-- picture: line x=watch y=value by=what
-- none: No food or water is counted in this campaign.
SELECT watch, day, CASE WHEN resource = 'uses' THEN whose_name ELSE whose_name || ', ' || resource END AS what,
    sum(value) AS value
FROM resources_by_watch WHERE role IN ('food', 'water') AND watch % $every = 0
GROUP BY watch, day, what ORDER BY watch, what
