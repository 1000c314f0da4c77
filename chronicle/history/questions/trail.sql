-- Where did they go?
-- picture: trail origin=origin_name to=destination_name
-- none: Nobody has gone anywhere yet.
SELECT turn, watch, day, who_name, origin_name, destination_name, distance, unit, mode
FROM journeys WHERE NOT shared ORDER BY version
