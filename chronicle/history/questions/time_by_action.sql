-- What was the time spent on?
-- picture: bars x=spent_on y=periods
-- none: No time has passed yet.
SELECT replace(coalesce(nullif(p.why, ''), t.command), '_', ' ') AS spent_on, count(*) AS times,
    round(sum(p.now - p.was) / any_value(c.period_units), 2) AS periods, round(sum(p.now - p.was) / any_value(c.day_units), 2) AS days
FROM time_passed p JOIN turns t USING (campaign, turn) JOIN campaigns c USING (campaign)
WHERE NOT p.shared
GROUP BY spent_on ORDER BY periods DESC, spent_on
