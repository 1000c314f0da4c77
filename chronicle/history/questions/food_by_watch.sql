-- How much food and water was left at the end of each {period}?
-- picture: line x=watch y=value by=who panel=what
-- none: No food or water is counted in this campaign.
SELECT watch, day, whose_name AS who, CASE WHEN resource = 'uses' THEN 'uses left' ELSE replace(resource, '_', ' ') END AS what,
    sum(value) AS value
FROM resources_by_watch WHERE role IN ('food', 'water') AND watch % $every = 0
GROUP BY watch, day, who, what ORDER BY what, watch, who
