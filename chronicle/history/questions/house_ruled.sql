-- Where did the table rule for itself: overruled, ruled, waived, house numbers, by hand?
-- picture: tally x=what
-- none: Everything went by the book.
SELECT * EXCLUDE (version) FROM (
SELECT version, turn, session, watch, 'overruled' AS what, rule, refusal AS words, reason AS why FROM overruled WHERE NOT shared
UNION ALL SELECT version, turn, session, watch, 'ruled', rule, text, '' FROM ruled WHERE NOT shared
UNION ALL SELECT w.version, w.turn, w.session, w.watch, 'waived', '', coalesce(d.text, w.id), w.reason
    FROM duty_waived w ASOF LEFT JOIN (SELECT campaign, id, version, text FROM duty_raised) d
        ON d.campaign = w.campaign AND d.id = w.id AND w.version >= d.version
    WHERE NOT w.shared
UNION ALL SELECT version, turn, session, watch, 'house numbers', '', array_to_string(house[:6], ', '), provenance
    FROM pack_adopted WHERE provenance <> 'default' AND NOT shared
UNION ALL SELECT version, turn, session, watch, 'by hand', '', coalesce(json_extract_string(args, '$.what'), command), coalesce(json_extract_string(args, '$.why'), '')
    FROM turns WHERE command IN ('adjust', 'become') AND NOT shared
) ORDER BY version
