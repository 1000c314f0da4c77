"""The tables people ask, as views over the stored ones: what is in effect by default, everything as `all_…`."""

from __future__ import annotations

from chronicle.history.shapes import Column, Shape
from chronicle.history.words import COMMON, FIELDS, MORE, TABLES

DAY = "(({m} - ((({m}) % day_units) + day_units) % day_units) // day_units + 1)"
PERIOD = "(((({m}) % day_units) + day_units) % day_units // period_units + 1)"

_COMMON = (
    ("campaign", "VARCHAR", "g.campaign"),
    ("turn", "BIGINT", "f._t"),
    ("version", "BIGINT", "f._v"),
    ("session", "BIGINT", "f._s"),
    ("watch", "BIGINT", "f._w"),
    ("moment", "BIGINT", "f._m"),
    ("day", "BIGINT", DAY.format(m="f._m")),
    ("period", "BIGINT", PERIOD.format(m="f._m")),
)


def view_columns(shape: Shape, struck: bool) -> tuple[Column, ...]:
    """The columns of a kind's view: where and when first, then the fact's own, then who may see it."""
    own = {column.name: column for column in shape.columns}
    found = [own.get(name) or Column(name, type_, COMMON[name], sql) for name, type_, sql in _COMMON]
    for name in COMMON:
        if name != "audience":
            own.pop(name, None)
    audience = own.pop("audience")
    found += [*own.values(), Column("audience", audience.type, COMMON["audience"])]
    found.append(Column("shared", "BOOLEAN", COMMON["shared"]))
    if struck:
        found.append(Column("struck", "BOOLEAN", COMMON["struck"]))
    return tuple(found)


def common_view(shape: Shape, struck: bool) -> str:
    """The SQL of a kind's view."""
    own = {column.name for column in shape.columns}
    common = {name: sql for name, _, sql in _COMMON}
    gone = "f._v > g.effect_to"
    if shape.logged:
        gone = "false"
    elif shape.kind == "Declared":
        # Notes stay when what was played around them is taken back; going back is never in effect itself.
        gone = (
            "(f._v > g.effect_to AND NOT EXISTS (SELECT 1 FROM store.logged_moves l WHERE l.c = f._c AND l.command = "
            "f.command)) OR f.command IN ('undo', 'redo', 'rewind')"
        )
    chosen = [
        f"({gone}) AS struck" if column.name == "struck"
        else "f._v <= g.shared_to AS shared" if column.name == "shared"
        else f'f."{column.name}"' if column.name in own else f"{common[column.name]} AS {column.name}"
        for column in view_columns(shape, struck)
    ]  # fmt: skip
    # Unset, the variable is gone before anything is read.
    where = " WHERE (getvariable('one_campaign') IS NULL OR f._c = getvariable('one_campaign'))"
    where += "" if struck or gone == "false" else f" AND NOT ({gone})"
    return (
        f"SELECT {', '.join(chosen)} FROM store.{shape.table} f "
        f"JOIN store.segments g ON f._c = g.c AND f._seg = g.segment{where}"
    )


PART = """coalesce(o.role, CASE WHEN w.resource = 'uses' THEN CASE WHEN t.called ILIKE '%ration%' THEN 'food'
            WHEN t.called ILIKE '%water%' THEN 'water'
            WHEN regexp_matches(t.called, 'torch|lantern|lamp|candle|oil', 'i') THEN 'light' END END, '')"""
"""Which part a number plays: by its name, or by the name of the thing whose uses are counted."""

_TURNS = """
SELECT campaign, turn, version, session, watch, moment, day, period,
    g.daytimes[period] AS daytime, command, args, d.group_id, keyboard, recorded_at, after_evening, typed, overrule,
    l.command IS NOT NULL AS logged, link, hash, audience, shared{struck}
FROM {declared} d JOIN (SELECT DISTINCT campaign, daytimes FROM store.segments) g USING (campaign)
LEFT JOIN (SELECT campaign, command FROM store.logged_moves JOIN store.members USING (c)) l USING (campaign, command)
"""

_WATCHES = """
WITH ended AS (SELECT campaign, group_id, watch, max(version) AS version, max(moment) AS moment, max(turn) AS turn
               FROM watch_ended GROUP BY ALL),
     played AS (SELECT campaign, group_id, watch, count(*) AS turns FROM turns WHERE NOT logged GROUP BY ALL)
SELECT b.campaign, b.watch, b.group_id, b.day, b.of_day AS period, g.daytimes[b.of_day] AS daytime, b.what,
    b.turn AS first_turn, e.turn AS ended_turn, b.moment AS began_at, e.moment AS ended_at, b.session,
    coalesce(p.turns, 0) AS turns, b.version AS first, coalesce(e.version, 4611686018427387904) AS last, b.shared
FROM watch_began b
LEFT JOIN ended e USING (campaign, group_id, watch)
LEFT JOIN played p USING (campaign, group_id, watch)
JOIN (SELECT DISTINCT campaign, daytimes FROM store.segments) g USING (campaign)
"""

_DICE = """
SELECT campaign, turn, version, session, watch, moment, day, period, why, who, roller, dice, source, nth,
    faces[nth] AS face,
    CASE WHEN t.sides IS NOT NULL THEN t.sides[nth] WHEN nth <= len(x.sides) THEN x.sides[nth] ELSE x.extra END
        AS sides,
    (kept IS NULL OR list_contains(kept, nth - 1)) AS kept,
    (t.sides IS NOT NULL OR nth > len(x.sides)) AS extra, audience, shared{struck}
FROM (SELECT *, unnest(range(1, len(faces) + 1)) AS nth FROM {rolled}) r
LEFT JOIN store.expressions x USING (dice)
LEFT JOIN (SELECT t.v AS version, m.campaign, t.sides FROM store.thrown t JOIN store.members m USING (c)) t
    USING (campaign, version)
"""

_SESSIONS = """
WITH played AS (SELECT campaign, session AS number, min(recorded_at) AS began, max(recorded_at) AS ended,
                    count(*) FILTER (WHERE NOT logged) AS turns, min(turn) AS first_turn, max(turn) AS last_turn,
                    bool_and(shared) AS shared
                FROM turns WHERE NOT after_evening GROUP BY ALL)
SELECT campaign, number, b.date, b.present, began, ended,
    round(date_diff('second', began, ended) / 3600.0, 2) AS hours, turns, first_turn, last_turn,
    shared
FROM played LEFT JOIN (SELECT campaign, number, arg_max(date, version) AS date, arg_max(present, version) AS present
                       FROM session_began GROUP BY ALL) b USING (campaign, number)
WHERE number > 0
"""

_PARTS = f"""
SELECT w.campaign, whose, coalesce(t.name, whose) AS whose_name, w.resource, {PART} AS role, w.audience
FROM (SELECT campaign, whose, resource, arg_max(audience, version) AS audience FROM resource_changed GROUP BY ALL) w
LEFT JOIN things t ON t.campaign = w.campaign AND t.id = w.whose
LEFT JOIN (SELECT resource, any_value(role) AS role FROM store.roles GROUP BY ALL) o
    ON o.resource = lower(w.resource)
"""

_COMINGS = """
SELECT campaign, id, version, true AS here FROM joined UNION ALL SELECT campaign, id, version, true FROM gained
UNION ALL SELECT campaign, id, version, false FROM left_play UNION ALL SELECT campaign, id, version, false FROM lost
"""

_ENDS = """
SELECT campaign, b.watch, any_value(b.day) AS day, any_value(b.of_day) AS period,
    max(coalesce(e.last, 4611686018427387904)) AS last, bool_and(coalesce(e.shared, false)) AS shared
FROM watch_began b
LEFT JOIN (SELECT campaign, group_id, watch, max(version) AS last, bool_and(shared) AS shared
           FROM watch_ended GROUP BY ALL) e USING (campaign, group_id, watch)
GROUP BY campaign, b.watch
"""

# What was lost, and who left, has no numbers any more.
_RESOURCES = """
SELECT e.campaign, e.watch, e.day, e.period, w.whose, w.whose_name, w.resource, c.now AS value, c.most, w.role,
    w.audience, e.shared
FROM watch_ends e JOIN parts w USING (campaign)
ASOF JOIN resource_changed c
    ON e.campaign = c.campaign AND w.whose = c.whose AND w.resource = c.resource AND e.last >= c.version
ASOF LEFT JOIN comings p ON e.campaign = p.campaign AND w.whose = p.id AND e.last >= p.version
WHERE coalesce(p.here, true)
"""

# Names may repeat, ids never do: of several who joined under one name each is told by its id as well.
_THINGS = """
SELECT campaign, id, called, what, first_turn,
    CASE WHEN joins AND count(*) FILTER (WHERE joins) OVER (PARTITION BY campaign, lower(called)) > 1
        THEN called || ' (' || id || ')' ELSE called END AS name
FROM (
    SELECT campaign, id, arg_max(called, version) AS called, arg_min(what, version) AS what, min(turn) AS first_turn,
        bool_or(joins) AS joins
    FROM (
        SELECT campaign, id, called, what, version, turn, true AS joins FROM joined
        UNION ALL SELECT campaign, id, called, what, version, turn, false FROM named
        UNION ALL SELECT campaign, id, called, coalesce(nullif(what, ''), 'item'), version, turn, false FROM gained
        UNION ALL SELECT campaign, id, called, 'encounter', version, turn, false FROM encounter_began
        UNION ALL SELECT campaign, 'party', 'the party', 'group', version, turn, false FROM campaign_began
        UNION ALL SELECT campaign, id, called, NULL, version, turn, false FROM renamed
    ) GROUP BY campaign, id
)
"""

_NAMES = """
SELECT campaign, id, called, min(version) AS version FROM (
    SELECT campaign, id, called, version FROM joined
    UNION ALL SELECT campaign, id, called, version FROM named
    UNION ALL SELECT campaign, id, called, version FROM gained
    UNION ALL SELECT campaign, id, called, version FROM encounter_began
    UNION ALL SELECT campaign, id, called, version FROM renamed
) GROUP BY campaign, id, called
"""

_JOURNEYS = """
SELECT m.campaign, m.turn, m.version, m.session, m.watch, m.moment, m.day, m.period, m.who,
    coalesce(w.name, m.who) AS who_name, m.origin, coalesce(o.called, m.origin) AS origin_name, m.destination,
    coalesce(d.called, m.destination) AS destination_name, m.scale, m.distance, m.unit, m.mode, m.audience,
    m.shared
FROM moved m
LEFT JOIN things w ON w.campaign = m.campaign AND w.id = m.who
LEFT JOIN things o ON o.campaign = m.campaign AND o.id = m.origin
LEFT JOIN things d ON d.campaign = m.campaign AND d.id = m.destination
"""

_ENCOUNTERS = """
SELECT b.campaign, b.turn, b.version, b.session, b.watch, b.moment, b.day, b.period, b.id, b.called, b.group_id,
    b.count, m.destination AS place, coalesce(t.called, m.destination, '') AS place_name, e.how,
    e.turn AS ended_turn, b.audience, b.shared
FROM encounter_began b
ASOF LEFT JOIN (SELECT campaign, who AS group_id, version, destination FROM moved) m
    ON b.campaign = m.campaign AND b.group_id = m.group_id AND b.version >= m.version
LEFT JOIN things t ON t.campaign = b.campaign AND t.id = m.destination
ASOF LEFT JOIN (SELECT campaign, id, version, turn, how FROM encounter_ended) e
    ON b.campaign = e.campaign AND b.id = e.id AND b.version <= e.version
"""

_DUTIES = """
SELECT r.campaign, r.turn, r.version, r.session, r.watch, r.moment, r.day, r.period, r.id, r.duty, r.text, r.rule,
    r.group_id,
    CASE WHEN o.state IS NULL OR o.version > coalesce(n.version, 4611686018427387904) THEN 'open' ELSE o.state END
        AS state,
    o.outcome, o.turn AS ended_turn, r.audience, r.shared
FROM duty_raised r
ASOF LEFT JOIN (
    SELECT campaign, id, version, turn, 'done' AS state, outcome FROM duty_done
    UNION ALL SELECT campaign, id, version, turn, 'waived', reason FROM duty_waived
) o ON r.campaign = o.campaign AND r.id = o.id AND r.version <= o.version
ASOF LEFT JOIN (SELECT campaign, id, version FROM duty_raised) n
    ON r.campaign = n.campaign AND r.id = n.id AND r.version < n.version
"""

# A check stands on the roll before it in the same turn, when that roll came to the same total and nobody else's total
# is meant. A check that passes by rolling low says so; one recorded before it could is known by its margin, which tells
# nothing when it is 0: then other checks do.
_CHECKED = """
WITH checks AS (
    SELECT _c, _v, _t, total, target, passed, rule, what, who, provenance, under,
        margin = target - total AND margin <> 0 AS lower, margin = total - target AND margin <> 0 AS upper
    FROM store.checked WHERE against = ''{new_checks}
), sides AS (
    SELECT *, CASE WHEN under THEN true WHEN lower OR upper THEN lower ELSE
        coalesce(bool_or(lower) OVER (PARTITION BY _c, rule, what), false) END AS check_under
    FROM checks
)
SELECT s._c AS c, s._v AS v, CASE WHEN r.total = s.total THEN r.dice END AS dice, r.modifier, s.target, s.check_under,
    r.who, r.roller
FROM sides s
ASOF JOIN (SELECT _c, _t, _v, dice, modifier, total, who, roller FROM store.rolled{new_rolls}) r
    ON s._c = r._c AND s._t = r._t AND s._v >= r._v
"""

CHECKED_ROLLS = _CHECKED

_CHECKS = """
WITH names AS MATERIALIZED (SELECT campaign, id, name FROM things)
SELECT k.campaign, k.turn, k.version, k.session, k.watch, k.moment, k.day, k.period, k.rule, k.what, k.who,
    coalesce(t.name, k.who) AS who_name,
    CASE WHEN p.dice IS NULL THEN coalesce(nullif(coalesce(t.name, k.who), ''), 'nobody in particular')
        WHEN p.who = '' THEN CASE p.roller WHEN 'gm' THEN 'the GM' ELSE 'the table' END
        ELSE coalesce(r.name, p.who) END AS rolled_by,
    k.total, k.target, k.passed, k.margin, k.provenance, p.dice, x.chance, k.audience, k.shared
FROM checked k
JOIN store.members m ON m.campaign = k.campaign
LEFT JOIN checked_rolls p ON p.c = m.c AND p.v = k.version
LEFT JOIN store.chances x ON x.game = m.game AND x.dice = p.dice AND x.modifier = p.modifier
    AND x.target = p.target AND x.check_under = p.check_under
LEFT JOIN names t ON t.campaign = k.campaign AND t.id = k.who
LEFT JOIN names r ON r.campaign = k.campaign AND r.id = p.who
"""

_THROWS = """
SELECT r.campaign, r.turn, r.version,
    CASE WHEN r.who = '' THEN CASE r.roller WHEN 'gm' THEN 'the GM' ELSE 'the table' END
        ELSE coalesce(t.name, r.who) END AS rolled_by,
    r.dice, r.source, r.faces, r.total, r.modifier, r.total - r.modifier + x.number - x.mean AS above, r.shared
FROM rolled r LEFT JOIN things t ON t.campaign = r.campaign AND t.id = r.who LEFT JOIN store.expressions x USING (dice)
"""

# A row was thrown for when the roll stands right before it and comes to what was read (off the table, to its nearest
# row); whatever else was read somebody chose, or worked out. The table is the one made at the table by then, else the
# one in the turn's pack.
_READINGS = """
WITH own AS (
    SELECT campaign, json_extract_string(known, '$.table.title') AS table_name, version AS made
    FROM named WHERE what = 'table' AND json_type(known, '$.table') = 'OBJECT'
), reads AS (
    SELECT k.*, m.c, own.made FROM table_read k JOIN store.members m USING (campaign)
    ASOF LEFT JOIN own ON own.campaign = k.campaign AND own.table_name = k.table_name AND k.version >= own.made
), thrown AS (
    SELECT k.*, r.dice AS dice, r.modifier AS modifier, o.odds,
        least(greatest(r.total, coalesce(o.low, r.total)), coalesce(o.high, r.total)) = k.total AS fits
    FROM reads k
    JOIN store.declared d ON d._c = k.c AND d._t = k.turn
    LEFT JOIN store.rolled r ON r._c = k.c AND r._v = k.version - 1
    LEFT JOIN store.table_odds o ON o.c = k.c AND o.source = coalesce('v' || k.made, d.pack)
        AND o.table_name = k.table_name AND o.dice = r.dice AND o.modifier = r.modifier
)
SELECT k.campaign, k.turn, k.version, k.session, k.watch, k.moment, k.day, k.period, k.table_name, k.total, k."row",
    k.text, k.provenance, coalesce(fits, false) AS thrown, CASE WHEN fits THEN k.dice END AS dice,
    CASE WHEN fits THEN k.odds END AS odds, x.chance, k.audience, k.shared
FROM thrown k LEFT JOIN store.row_odds x ON fits AND x.odds = k.odds AND x.row_key = k."row"
"""

INNER = frozenset({"checked_rolls", "comings", "throws", "watch_ends"})
"""Views that only other views need."""

_CAMPAIGNS = """
SELECT m.campaign, game, period_word, turns, coalesce(shared_turns, 0) AS shared_turns, last_turn, began, ended,
    day_units, period_units
FROM store.members m JOIN (SELECT c, any_value(day_units) AS day_units, any_value(period_units) AS period_units
                           FROM store.segments GROUP BY c) USING (c) LEFT JOIN (
    SELECT campaign, count(*) AS turns, count(*) FILTER (WHERE shared) AS shared_turns, max(turn) AS last_turn,
        min(recorded_at) AS began, max(recorded_at) AS ended
    FROM all_turns GROUP BY ALL) USING (campaign)
"""

VIEWS = {
    "turns": _TURNS.format(struck="", declared="declared"),
    "all_turns": _TURNS.format(struck=", struck", declared="all_declared"),
    "dice": _DICE.format(struck="", rolled="rolled"),
    "all_dice": _DICE.format(struck=", struck", rolled="all_rolled"),
    "things": _THINGS,
    "names": _NAMES,
    "watches": _WATCHES,
    "sessions": _SESSIONS,
    "comings": _COMINGS,
    "watch_ends": _ENDS,
    "parts": _PARTS,
    "resources_by_watch": _RESOURCES,
    "journeys": _JOURNEYS,
    "encounters": _ENCOUNTERS,
    "duties": _DUTIES,
    "checked_rolls": _CHECKED.format(new_checks="", new_rolls=""),
    "checks": _CHECKS,
    "throws": _THROWS,
    "readings": _READINGS,
    "row_odds": "SELECT odds, row_key, chance FROM store.row_odds",
    "in_effect": "SELECT campaign, first, effect_to AS last FROM store.segments WHERE effect_to >= first",
    "table_rows": "SELECT campaign, table_name, row_key, chance FROM store.table_rows JOIN store.members USING (c)",
    "roles": "SELECT role, resource FROM store.roles",
    "chances": "SELECT game, dice, modifier, target, check_under, chance FROM store.chances",
    "expressions": "SELECT dice, sides, extra, number, mean, variance FROM store.expressions",
    "campaigns": _CAMPAIGNS,
}


def says(table: str, column: str) -> str:
    """The sentence for a column of a table made of several kinds of fact."""
    base = table.removeprefix("all_")
    return BETTER.get((base, column)) or (
        COMMON.get(column) or MORE.get(column) or FIELDS.get(column) or f"The {column.replace('_', ' ')}."
    )


BETTER = {
    ("campaigns", "turns"): "How many turns its log holds, struck ones counted.",
    ("table_rows", "chance"): "The exact chance of the row, without any modifier.",
    ("dice", "sides"): MORE["sides"],
    ("dice", "kept"): MORE["kept"],
    ("expressions", "sides"): "The sides of each die, in the order thrown.",
    ("expressions", "extra"): "The sides of a die thrown on top, none when there is none.",
    ("expressions", "dice"): "The expression as typed.",
    ("watches", "first"): "The version that began it.",
    ("watches", "last"): "The version that ended it (a very large number while it is open).",
    ("watches", "what"): "The game's word for it: Watch, Time, cycle.",
    ("duties", "outcome"): "What came of it, or why it was waived.",
    ("row_odds", "odds"): "This way to throw on a table, as in `readings`.",
    ("row_odds", "chance"): "The exact chance of the row when it is thrown so.",
    ("readings", "dice"): "The dice it was thrown with, none when somebody chose or worked it out.",
    ("readings", "chance"): "The exact chance that this row had, none when it cannot be told.",
    ("readings", "odds"): "This way to throw on the table, as in `row_odds`; none when its odds cannot be told.",
    ("expressions", "number"): "The number that stands in it beside the dice.",
    ("things", "name"): "What it is called; with its id where several who joined are called the same.",
    ("campaigns", "shared_turns"): "How many of its turns another campaign of this history holds too.",
    ("checks", "dice"): "The dice it was made with, none when the roll cannot be told.",
    ("names", "called"): "A name that it has or had.",
    ("names", "version"): "The version from which on it was first called so.",
    ("things", "what"): "What it is: a character, foe, place, person, item, counter or the like.",
    ("resources_by_watch", "most"): "The upper bound in force, none when it has none.",
    ("sessions", "number"): "The number of the evening.",
}
TABLES["checks"] = "Every check with the exact chance it had, where the dice tell."
