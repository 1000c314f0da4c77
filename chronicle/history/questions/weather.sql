-- What was the weather, {period} by {period}?
-- picture: tally x=weather
-- none: No weather is on record.
SELECT turn, watch, day, period, now AS weather, why FROM became WHERE aspect = 'weather' AND now IS NOT NULL ORDER BY version
