-- Who was there, and how long was each evening?
-- picture: bars x=evening y=hours note=there
-- none: No evening was opened yet: do.begin_session() does.
SELECT 'session ' || number || coalesce(', ' || date, '') AS evening, date, array_to_string(present, ', ') AS there, hours,
    turns, first_turn, last_turn
FROM sessions WHERE NOT shared ORDER BY number
