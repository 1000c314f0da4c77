-- Who was there, and how long was each evening?
-- picture: bars x=evening y=hours
-- none: No evening was opened yet: do.begin_session() does.
SELECT 'session ' || number AS evening, date, array_to_string(present, ', ') AS present, hours, turns, first_turn, last_turn
FROM sessions ORDER BY number
