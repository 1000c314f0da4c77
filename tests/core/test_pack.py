"""Packs: what the book says, what we filled in, and what a house changes; shown with a toy pack."""

import json
import re
import tomllib
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import Field, create_model

from chronicle import pack
from chronicle.calendar import Leap, Year
from chronicle.pack import (
    PackFault,
    PackModel,
    changed_keys,
    digest,
    dotted,
    house_keys,
    load,
    merged,
    moved,
    overlay,
    plain,
    provenance,
    read_defaults,
    read_stored,
    restated,
    undotted,
)
from chronicle.tables import Table
from chronicle.values import Nonsense

TOY = '''\
# The toy's pack. What you change here holds for your table.

names = ["dawn", "noon", "dusk"] # book p. 3

[source]
title = "The Toy # and its book"
licence = "CC0"
url = "https://example.org/#toy"

[clock]
marks_per_watch = 4  # placeholder: nobody says
watches_per_day = 3  # book p. 3

[check]
die = "1d20"     # book
average = 13     # book
strict = false   # placeholder
share = 0.5      # placeholder
surprise_by = "best" # placeholder: best or any

[terrain."Bleak Forest"] # placeholder
bam = 13
class = "bleak"  # book

[terrain.Moor] # placeholder
bam = 12
class = "other"

[weather] # placeholder, all of it
key = "weather"
title = "Weather"
dice = "2d6"
rows = [
  { low = 2, high = 11, key = "nothing", text = "[as] observed, # or so" },
  { low = 12, key = "storm", effect = { fatigue = 1 } }, # book p. 9
]

[year] # placeholder
months = [["spring", 90], ["fall", 90]]
leaps = [{ every = 4, month = "fall" }]

[[foes]] # book
name = """
A "wolf"
# no comment"""
hd = 2

[[foes]]
name = 'owl' # book
hd = 1 # placeholder
'''


class Clock(PackModel):
    marks_per_watch: int = Field(ge=1, le=24, description="how many Marks make a Watch")
    watches_per_day: int = Field(ge=1, le=24, description="how many Watches make a day")


class Check(PackModel):
    die: str = Field(pattern=r"^\d+d\d+$", description="the die that is thrown")
    average: int = Field(ge=1, le=40, description="the usual target")
    strict: bool = Field(description="whether the order of steps is enforced")
    share: float = Field(gt=0, lt=1, description="a share")
    surprise_by: str = Field(min_length=2, max_length=8, description="who throws for surprise")


class Terrain(PackModel):
    bam: int = Field(ge=1, le=40, description="the target of Forage")
    kind: str = Field(alias="class", description="the class of terrain")


class Foe(PackModel):
    name: str = Field(description="what it is called")
    hd: int = Field(multiple_of=1, description="Hit Dice")


class Toy(PackModel):
    names: tuple[str, ...] = Field(min_length=1, description="names of the periods")
    clock: Clock = Field(description="the clock")
    check: Check = Field(description="checks")
    terrain: dict[str, Terrain] = Field(description="kinds of terrain")
    weather: Table = Field(description="the weather")
    year: Year = Field(description="the year")
    foes: tuple[Foe, ...] = Field(description="foes")


DEFAULTS = read_defaults(TOY, Toy)


def faults(given, **rest):
    with pytest.raises(PackFault) as caught:
        overlay(DEFAULTS, given, **rest)
    return [str(fault) for fault in caught.value.faults]


# -- the pack that ships ----------------------------------------------------------------------------------------------


def test_the_values_are_the_whole_pack():
    assert DEFAULTS.pack.clock.marks_per_watch == 4
    assert DEFAULTS.pack.weather.read(12).effect == {"fatigue": 1}
    assert DEFAULTS.pack.year.leaps == (Leap(4, "fall"),)
    assert DEFAULTS.values["clock"] == {"marks_per_watch": 4, "watches_per_day": 3}
    assert "source" not in DEFAULTS.values
    assert DEFAULTS.source["title"] == "The Toy # and its book"
    assert DEFAULTS.text == TOY


@pytest.mark.parametrize(
    ("key", "mark"),
    [
        ("names", "book"),
        ("clock.watches_per_day", "book"),
        ("clock.marks_per_watch", "placeholder"),
        ("clock", "placeholder"),
        ('terrain."Bleak Forest".bam', "placeholder"),
        ('terrain."Bleak Forest".class', "book"),
        ("weather.rows.1.key", "placeholder"),
        ("weather.rows.2.effect.fatigue", "book"),
        ("weather.rows", "placeholder"),
        ("year.leaps.1.days", "placeholder"),
        ("foes.1.name", "book"),
        ("foes.1.hd", "book"),
        ("foes.2.name", "book"),
        ("foes.2.hd", "placeholder"),
        ("foes.1", "book"),
        ("foes", "placeholder"),
    ],
)
def test_a_mark_holds_for_its_line_or_for_all_below_it(key, mark):
    assert DEFAULTS.marks[key] == mark


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("average = 13     # book", "average = 13", "line 16, check.average: ends with no mark"),
        ("average = 13     # book", "average = 13 # books", "line 16, check.average: ends with no mark"),
        ("average = 13     # book\n", "", "line 14, check.average: is missing"),
        ("[terrain.Moor] # placeholder", "[terrain.Moor]", "line 26, terrain.Moor.bam: ends with no mark"),
        ("hd = 1 # placeholder", "hd = 1", "line 50, foes.2.hd: ends with no mark"),
        ('licence = "CC0"', "licence = 4", "line 5, source: must hold at least a title"),
        ('title = "The Toy # and its book"', "", "source: must hold at least a title"),
    ],
)
def test_a_pack_that_leaves_something_out_cannot_ship(old, new, fault):
    assert old in TOY
    with pytest.raises(PackFault, match=re.escape(fault)):
        read_defaults(TOY.replace(old, new), Toy)


def test_what_a_model_fills_in_by_itself_must_be_stated_too():
    class Hidden(PackModel):
        stated: int
        filled: int = 3
        nothing: int | None = None

    with pytest.raises(PackFault, match="filled: is not stated"):
        read_defaults('stated = 1 # book\n[source]\ntitle = "T"', Hidden)


# -- a house's pack ---------------------------------------------------------------------------------------------------


def test_the_printed_pack_is_the_default_pack():
    assert overlay(DEFAULTS, DEFAULTS.text) == DEFAULTS.values
    assert overlay(DEFAULTS, DEFAULTS.text.replace("\n", "\r\n")) == DEFAULTS.values
    assert overlay(DEFAULTS, "\ufeff" + DEFAULTS.text) == DEFAULTS.values
    assert house_keys(DEFAULTS, overlay(DEFAULTS, DEFAULTS.text)) == ()


@pytest.mark.parametrize("nothing", [None, "", "\n# just thoughts\n", {}, "[clock]"])
def test_a_pack_that_changes_nothing_is_the_default_pack(nothing):
    assert overlay(DEFAULTS, nothing) == DEFAULTS.values


def test_a_house_pack_holds_only_what_it_changes():
    values = overlay(
        DEFAULTS, 'clock.marks_per_watch = 6\n[terrain.Fen]\nbam = 15\nclass = "wet"\n[terrain.Moor]\nbam = 9'
    )
    assert values["clock"] == {"marks_per_watch": 6, "watches_per_day": 3}
    assert values["terrain"]["Moor"] == {"bam": 9, "class": "other"}
    assert values["terrain"]["Fen"] == {"bam": 15, "class": "wet"}
    assert values["terrain"]["Bleak Forest"]["bam"] == 13
    assert house_keys(DEFAULTS, values) == ("clock.marks_per_watch", "terrain.Fen", "terrain.Moor.bam")
    assert DEFAULTS.values["clock"]["marks_per_watch"] == 4, "the default pack stays as it is"


def test_lists_are_replaced_as_a_whole():
    rows = '[weather]\ndice = "1d6"\nrows = [{low = 1, high = 6, key = "rain"}]'
    values = overlay(DEFAULTS, rows)
    assert [row["key"] for row in values["weather"]["rows"]] == ["rain"]
    assert house_keys(DEFAULTS, values) == ("weather.dice", "weather.rows")


def test_a_pack_may_be_a_mapping_and_may_change_the_values_in_force():
    first = overlay(DEFAULTS, {"clock": {"marks_per_watch": 6}})
    second = overlay(DEFAULTS, {"check": {"average": 12}}, base=first)
    assert (second["clock"]["marks_per_watch"], second["check"]["average"]) == (6, 12)
    assert changed_keys(first, second) == ("check.average",)
    deep: dict = {}
    for _ in range(40):
        deep = {"x": deep}
    assert faults(deep) == ["this cannot be read (too deep)"]
    assert faults({"names": {"dawn"}}) == [
        "names: is a date or something else that packs do not hold; put it in quotes"
    ]
    assert faults({"clock": {"marks_per_watch": 0}}) == ["clock.marks_per_watch: must be at least 1, not 0"]


def test_a_pack_may_be_a_file(tmp_path):
    file = tmp_path / "my_forest.toml"
    file.write_bytes(b"\xef\xbb\xbf[clock]\r\nmarks_per_watch = 6\r\n")
    assert overlay(DEFAULTS, file) == overlay(DEFAULTS, str(file)) == overlay(DEFAULTS, "[clock]\nmarks_per_watch = 6")
    file.write_text("[clock]\nmarks_per_watch = 99\n\nmarks_per_wacht = 3")
    with pytest.raises(PackFault) as caught:
        overlay(DEFAULTS, file)
    assert str(caught.value) == (
        "my_forest.toml has 2 faults: line 2, clock.marks_per_watch: must be at most 24, not 99; "
        "line 4, clock.marks_per_wacht: is no key of this pack; did you mean marks_per_watch?"
    )


def test_inside_a_rule_no_file_is_read():
    """A stranger's log is decided again without touching the disk."""
    with pytest.raises(Nonsense, match="is the name of a file; here the text of a pack is needed"):
        overlay(DEFAULTS, "my_forest.toml", files=False)
    assert overlay(DEFAULTS, "names = ['x']", files=False)["names"] == ["x"]


def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path):
    with pytest.raises(Nonsense, match=r"There is no file 'nowhere\.toml'"):
        overlay(DEFAULTS, "nowhere.toml")
    with pytest.raises(Nonsense, match="There is no file 'nowhere'"):
        overlay(DEFAULTS, Path("nowhere"))
    with pytest.raises(Nonsense, match="cannot be read: Is a directory"):
        overlay(DEFAULTS, tmp_path)
    with pytest.raises(Nonsense, match="cannot be read"):
        overlay(DEFAULTS, "nul\0.toml")
    file = tmp_path / "x.toml"
    file.write_bytes("wörter = 1".encode("latin-1"))
    with pytest.raises(Nonsense, match="not text in UTF-8"):
        overlay(DEFAULTS, file)
    file.write_bytes(b"#" * 1_000_001)
    with pytest.raises(Nonsense, match="larger than a megabyte"):
        overlay(DEFAULTS, file)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("clock = 3", "line 1, clock: must be a table of keys, not 3"),
        ("[clock]\nmarks_per_watch = 4.5", "line 2, clock.marks_per_watch: must be a whole number, not 4.5"),
        ("[clock]\nmarks_per_watch = true", "line 2, clock.marks_per_watch: must be a whole number, not true"),
        ('[clock]\nmarks_per_watch = "4"', 'line 2, clock.marks_per_watch: must be a whole number, not "4"'),
        ("[check]\nstrict = 1", "line 2, check.strict: must be true or false, not 1"),
        ("[check]\ndie = 20", "line 2, check.die: must be text in quotes, not 20"),
        ('[check]\ndie = "d20"', 'line 2, check.die: is not written as it must be, "d20"'),
        ('[check]\nshare = "half"', 'line 2, check.share: must be a number, not "half"'),
        ("[check]\nshare = 0.0", "line 2, check.share: must be more than 0.0, not 0.0"),
        ("[check]\nshare = 1.0", "line 2, check.share: must be less than 1.0, not 1.0"),
        ('[check]\nsurprise_by = "x"', 'line 2, check.surprise_by: must have at least 2 letters, not "x"'),
        (
            '[check]\nsurprise_by = "everybody"',
            'line 2, check.surprise_by: must have at most 8 letters, not "everybody"',
        ),
        ("names = []", "line 1, names: must have at least 1 item, not a list of 0"),
        ('names = "dawn"', 'line 1, names: must be a list in square brackets, not "dawn"'),
        ('names = [\n  "dawn",\n  7,\n]', "line 3, names.2: must be text in quotes, not 7"),
        ("[weather]\nrows = []", "line 1, weather: no row for 2 to 12"),
        (
            '[weather]\nrows = [\n{low = 2, high = 6, key = "a"},\n\n{low = 8, high = "x", key = "b"}]',
            'line 5, weather.rows.2.high: must be a whole number, not "x"',
        ),
        (
            '[weather]\nrows = [{low = 2, high = 6, key = "a"}, {low = 6, high = 11, key = "b"}]',
            "line 1, weather: no row for 12; two rows for 6",
        ),
        (
            '[year]\nleaps = [{every = 0, month = "fall"}]',
            "line 2, year.leaps.1: a leap rule applies every 1 or more years, not every 0",
        ),
        ("[year]\nrestart = 'weekly'", 'line 2, year.restart: must be "never", "year" or "month", not "weekly"'),
        ("[year]\nwekdays = []", "line 2, year.wekdays: is no key of this pack; did you mean weekdays?"),
        ('[[foes]]\nname = "bear"', "line 1, foes.1.hd: is missing"),
        (
            '[[foes]]\nname = "bear"\nhd = 3\n[[foes]]\nname = "fox"\nhd = 1\nxp = 3',
            "line 7, foes.2.xp: is no key of this pack; it knows name and hd",
        ),
        ("[terain.Moor]\nbam = 3", "line 1, terain: is no key of this pack; did you mean terrain?"),
        ("[terrain.Mooor]\nbam = 3", "line 1, terrain.Mooor.class: is missing (Mooor is new; did you mean Moor?)"),
        (
            "x.y.z = 3",
            "line 1, x: is no key of this pack; it knows names, clock, check, terrain, weather, year and foes",
        ),
        ("terrain.Moor.bam = 99", "line 1, terrain.Moor.bam: must be at most 40, not 99"),
        ("day = 1979-05-27", "line 1, day: is a date or something else that packs do not hold; put it in quotes"),
        ("[check]\nshare = inf", "line 2, check.share: must be a number that ends somewhere"),
        ("[check]\naverage = 99999999999999999999", "line 2, check.average: is too large a number"),
        ("[clock", "line 1: this cannot be read (expected ']' at the end of a table declaration)"),
        ("a = 1\n\na = 2", "line 3: this cannot be read (cannot overwrite a value)"),
        ("a = [1,\n2", "line 2: this cannot be read (unclosed array)"),
        ("a = " + "[" * 5000, "this cannot be read (too deep, or a number too long)"),
        ("a." * 100 + "b = 1", "this cannot be read (too deep)"),
        ("a." * 400_000 + "b = 1", "this cannot be read (too deep, or a number too long)"),
        ("a = " + "1" * 5000, "this cannot be read (too deep, or a number too long)"),
        ("#" * 1_000_001 + "\n", "is larger than a megabyte, which no pack is"),
    ],
)
def test_a_fault_is_said_in_plain_words_with_its_line(text, fault):
    assert faults(text) == [fault]


def test_all_faults_are_said_at_once_in_the_order_of_their_lines():
    text = "[check]\naverage = 0\n[clock]\nmarks_per_wacht = 1\nwatches_per_day = 0\n"
    assert [said.split(":")[0] for said in faults(text)] == [
        "line 2, check.average", "line 4, clock.marks_per_wacht", "line 5, clock.watches_per_day",
    ]  # fmt: skip
    many = faults("\n".join(f"x{n} = 1" for n in range(200)))
    assert len(many) == 200
    with pytest.raises(PackFault, match=r"the pack has 200 faults: .*; and 180 more\.$"):
        overlay(DEFAULTS, "\n".join(f"x{n} = 1" for n in range(200)))


def test_a_choice_of_types_is_said_as_one_fault():
    class Free(PackModel):
        cost: int | tuple[int, ...] | None

    free = read_defaults('cost = 1 # book\n[source]\ntitle = "T"', Free)
    with pytest.raises(
        PackFault, match='line 1, cost: must be a whole number, not "x", or must be a list in square brackets'
    ):
        overlay(free, 'cost = "x"')
    with pytest.raises(PackFault, match=r"cost\.2: must be a whole number, not true"):
        overlay(free, "cost = [1, true]")


# -- digests, provenance, storage -------------------------------------------------------------------------------------


def test_the_digest_is_of_the_values_alone():
    values = DEFAULTS.values
    assert digest(values) == digest(json.loads(json.dumps(values)))
    assert digest(values) == digest(dict(reversed(values.items())))
    assert re.fullmatch("[0-9a-f]{32}", digest(values))
    assert digest({"a": 1}) == "2c6b113b8dd15ffbded9860b43eb0c6c"
    assert digest(values) != digest(overlay(DEFAULTS, "clock.marks_per_watch = 5"))


@pytest.mark.parametrize(
    ("key", "house", "ruled", "said"),
    [
        ("clock.watches_per_day", (), (), "book"),
        ("clock.marks_per_watch", (), (), "default"),
        ("clock", (), (), "default"),
        ("clock.watches_per_day", ("clock.marks_per_watch",), (), "book"),
        ("clock.watches_per_day", ("clock.watches_per_day",), (), "pack"),
        ("weather.rows.2.effect", ("weather.rows",), (), "pack"),
        ("weather", ("weather.rows",), (), "pack"),
        ("clock.watches_per_day", ("clock.watches_per_day",), ("clock",), "gm"),
        ("terrain.Fen.bam", ("terrain.Fen",), (), "pack"),
        ('terrain."Bleak Forest".class', ("terrain.Bleak",), (), "book"),
        ("weather.rows.2.effect.fatigue.deeper", (), (), "book"),
    ],
)
def test_where_a_number_comes_from(key, house, ruled, said):
    assert provenance(key, DEFAULTS.marks, house, ruled) == said


def test_a_key_that_no_pack_has_is_a_bug():
    with pytest.raises(KeyError, match="no pack has the key clok"):
        provenance("clok", DEFAULTS.marks, ())


def test_keys_are_written_as_toml_writes_them():
    assert dotted("terrain", "Bleak Forest", "bam") == 'terrain."Bleak Forest".bam'
    assert dotted("a.b", 3) == '"a.b".3'
    assert (
        undotted('terrain."Bleak Forest".bam')
        == undotted("terrain.Bleak Forest.bam")
        == ("terrain", "Bleak Forest", "bam")
    )


@given(st.lists(st.text(min_size=1, max_size=5), min_size=1, max_size=4))
def test_a_written_key_reads_back(parts):
    assert undotted(dotted(*parts)) == tuple(parts)


def test_stored_values_come_back_as_the_same_pack():
    stored = json.loads(json.dumps(plain(DEFAULTS.pack)))
    assert load(Toy, stored) == DEFAULTS.pack
    assert plain(load(Toy, stored)) == DEFAULTS.values
    with pytest.raises(PackFault, match="the stored pack has 1 fault: clock: is missing"):
        load(Toy, {key: value for key, value in stored.items() if key != "clock"})


def test_packs_are_frozen_and_refuse_numbers_without_end():
    with pytest.raises(ValueError, match="frozen"):
        DEFAULTS.pack.clock.marks_per_watch = 3
    with pytest.raises(ValueError, match="finite"):
        Check(die="1d6", average=1, strict=False, share=float("nan"), surprise_by="best")


def some(**keys):
    """Any of these keys."""
    return st.fixed_dictionaries({}, optional=keys)


fens = st.fixed_dictionaries({"bam": st.integers(1, 40), "class": st.text(max_size=5)})
houses = some(
    clock=some(marks_per_watch=st.integers(1, 24), watches_per_day=st.integers(1, 24)),
    check=some(strict=st.booleans(), share=st.floats(0.01, 0.99)),
    terrain=st.dictionaries(st.text(min_size=1, max_size=8), fens, max_size=3),
    names=st.lists(st.text(max_size=6), min_size=1, max_size=3),
)


@given(houses)
def test_an_overlay_is_sound_and_idempotent(house):
    values = overlay(DEFAULTS, house)
    assert overlay(DEFAULTS, values) == values
    assert overlay(DEFAULTS, house, base=values) == values
    assert plain(load(Toy, json.loads(json.dumps(values)))) == values
    changed = house_keys(DEFAULTS, values)
    assert (changed == ()) == (digest(values) == digest(DEFAULTS.values))
    for key in changed:
        assert provenance(key, DEFAULTS.marks, changed) == "pack"


# -- packs of other editions ------------------------------------------------------------------------------------------

TABLES = ("names", "clock", "check", "weather", "year", "foes", "terrain")
TOY_KEYS = (*TABLES, *(f"{table}.{key}" for table in ("clock", "check", "year") for key in DEFAULTS.values[table]))


def without(values, *keys):
    """Values as an edition had them that did not know some keys yet."""
    values = json.loads(json.dumps(values))
    for key in keys:
        *tables, last = key.split(".")
        inner = values
        for table in tables:
            inner = inner.get(table, {})
        inner.pop(last, None)
    return values


@given(houses, st.sets(st.sampled_from(TOY_KEYS)), st.dictionaries(st.text(max_size=5), st.integers(), max_size=3))
def test_a_stored_pack_is_read_as_it_was_stored(house, new, gone):
    """What is new takes its default, what is gone is passed over, and the rest is what it was: nothing is refused."""
    stored = without(overlay(DEFAULTS, house), *new)
    gone = {f"~{key}": value for key, value in gone.items()}
    read = read_stored(DEFAULTS, {**stored, **gone})
    assert read.fault == ""
    assert load(Toy, read.values) == read.pack
    assert dict(read.passed) == {dotted(key): value for key, value in gone.items()}
    assert {key for key, _ in read.filled} == {dotted(*path.split(".")) for path in new if path not in gone} - {
        key for key in new if key.split(".")[0] in new and "." in key
    }
    assert changed_keys(read.values, merged(read.values, stored)) == (), "what was stored is what is read"


def test_a_key_of_its_own_default_plays_as_before():
    """A field's own default stands for the time before it; the value that ships is for those who begin now."""

    class Later(Toy):
        luck: int = Field(0, description="luck")
        wind: int = Field(description="wind")

    later = read_defaults("luck = 5 # book\nwind = 2 # book\n" + TOY, Later)
    read = read_stored(later, DEFAULTS.values)
    assert (read.pack.luck, read.pack.wind, read.filled) == (0, 2, (("wind", 2), ("luck", 0)))
    assert read.note == "The pack is of an older edition: wind takes today's default 2; luck takes today's default 0."


def test_rows_that_came_or_went_stay_as_they_were_stored():
    """A table's rows are the pack's, not the game's keys: none comes into a stored pack, and none goes."""
    stored = without(DEFAULTS.values, "terrain.Moor")
    stored["terrain"]["Fen"] = {"bam": 9, "class": "wet"}
    read = read_stored(DEFAULTS, stored)
    assert (list(read.pack.terrain), read.note) == (["Bleak Forest", "Fen"], "")


def test_what_ends_alike_is_said_together():
    """A table of forty rows gains a column: one clause."""

    class Wet(Terrain):
        wet: bool = Field(False, description="whether it is wet")

    class Later(Toy):
        terrain: dict[str, Wet] = Field(description="kinds of terrain")

    later = read_defaults(TOY.replace("bam =", "wet = true # book\nbam ="), Later)
    read = read_stored(later, DEFAULTS.values)
    assert read.notes == ('terrain."Bleak Forest".wet and 1 more take today\'s default false',)
    assert not read.pack.terrain["Moor"].wet


def test_a_key_that_was_renamed_goes_through_an_upcast():
    """From schema to schema, each function the way to the next; one that is not given changes no key."""
    known = {name: (field.annotation, field) for name, field in Toy.model_fields.items() if name != "clock"}
    model = create_model("Later", __base__=PackModel, time=(Clock, Field(description="the clock")), **known)
    later = read_defaults(TOY.replace("[clock]", "[time]"), model)
    way = {2: lambda values: {"time" if name == "clock" else name: value for name, value in values.items()}}
    values = overlay(DEFAULTS, "clock.marks_per_watch = 7")
    for schema in (1, 2):
        read = read_stored(later, values, schema, 3, way)
        assert (read.pack.time.marks_per_watch, read.notes, read.fault) == (7, (), "")
    keys = house_keys(DEFAULTS, values)
    assert moved((*keys, "check.average", "nothing"), values, way[2]) == (
        "time.marks_per_watch", "check.average", "nothing",
    )  # fmt: skip
    assert restated({"clock": {"marks_per_watch": 7}}, DEFAULTS.values, way[2]) == {"time": {"marks_per_watch": 7}}
    assert values["clock"], "what is stored is never touched"


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"clock": {"marks_per_watch": "many", "watches_per_day": 3}}, "clock.marks_per_watch: must be a whole number"),
        ({"clock": 3}, "clock: must be a table of keys, not 3"),
        ({"terrain": {"Fen": {"bam": 3}}}, "terrain.Fen.class: is missing"),
        ({"names": [], "foes": 3}, r"names: must have at least 1 item, not a list of 0 \(and 1 more\)"),
        ({"weather": {**DEFAULTS.values["weather"], "dice": "3d6"}},
         "weather: 2 cannot fall: the dice show 3 to 18; no row for 13 to 18"),
    ],
)  # fmt: skip
def test_a_stored_pack_that_is_broken_says_so_and_can_be_looked_at(wrong, says):
    """The fault in one sentence; what can be read is read, and the game's own table stands for the rest."""
    read = read_stored(DEFAULTS, {**DEFAULTS.values, "check": {**DEFAULTS.values["check"], "average": 9}, **wrong})
    assert re.match(f"The pack in force cannot be played with: {says}.*\\.$", read.fault)
    assert read.pack.check.average == 9
    assert read.pack.clock == DEFAULTS.pack.clock


def test_an_upcast_that_fails_and_a_newer_schema_are_told():
    def fails(values):
        raise KeyError("clock")

    assert "does not become one of schema 2" in read_stored(DEFAULTS, DEFAULTS.values, 1, 2, {1: fails}).fault
    read = read_stored(DEFAULTS, {**DEFAULTS.values, "luck": 3}, 4, 2, {1: fails})
    assert "a newer edition of the game wrote it (schema 4; the one here reads 2 and those before)" in read.fault
    assert read.pack == DEFAULTS.pack


# -- the scanner of lines and marks -----------------------------------------------------------------------------------

simple = st.one_of(
    st.integers(-99, 99).map(str),
    st.text(st.sampled_from("ab#[]{}=,\"'\\ é"), max_size=8).map(lambda s: json.dumps(s, ensure_ascii=False)),
    st.text(st.sampled_from('ab#[]{}=,"\\ '), max_size=8).map(lambda s: f"'{s}'"),
    st.text(st.sampled_from("ab#[]{}=,' \n"), max_size=8).map(lambda s: f'"""{s}"""'),
    st.text(st.sampled_from('ab#[]{}=,"\\ \n'), max_size=8).map(lambda s: f"'''{s}'''"),
    st.sampled_from(
        [
            '""""two quotes"" """',
            '"""a\\\n  b"""',
            "'''a''''",
            "1.5",
            "true",
            "{}",
            "[ ]",
            "{ a = [1, '#'], b.c = '}' }",
        ]
    ),
)
names = st.text(st.sampled_from("ab #.=[]\"'é"), min_size=1, max_size=6)


@st.composite
def documents(draw):
    """A TOML text, with the line and the mark that each of its keys and items was written with."""
    lines, where, marks, line = [], {}, {}, 1

    def put(text, mark=None):
        nonlocal line
        comment = {
            None: draw(st.sampled_from(["", " # bookish", " # a book", " #"])),
            "book": " # book p. 3",
            "placeholder": "  #placeholder",
        }[mark]
        lines.append(text + comment)
        line += text.count("\n") + 1

    def note(path, mark):
        where[path] = line
        if mark:
            marks[path] = mark

    mark = st.sampled_from([None, "book", "placeholder"])
    for table in draw(st.lists(names, unique=True, max_size=4)):
        path, said, many = (table,), draw(mark), draw(st.booleans())
        for number in range(1, (draw(st.integers(1, 3)) if many else 1) + 1):
            at = (*path, number) if many else path
            note(at, said)
            if many and number == 1:
                where[path] = line
            quoted = json.dumps(table, ensure_ascii=False)
            put(f"[[ {quoted} ]]" if many else f"[{quoted}]", said)
            for key in draw(st.lists(names, unique=True, max_size=4)):
                if draw(st.booleans()):
                    put(draw(st.sampled_from(["", "# book", "# [x] = 3"])))
                its, own = (*at, key), draw(mark)
                written = json.dumps(key, ensure_ascii=False)
                note(its, own)
                if draw(st.booleans()):
                    put(f"{written} = {draw(simple)}", own)
                    continue
                put(f"{written} = [", own)
                for item in range(1, draw(st.integers(0, 3)) + 1):
                    single = draw(mark)
                    note((*its, item), single)
                    put(f"  {draw(simple)},", single)
                put("]")
    return "\n".join(lines) + draw(st.sampled_from(["", "\n"])), where, marks


@settings(max_examples=300)
@given(documents())
def test_lines_and_marks_are_found_in_any_text(document):
    text, where, marks = document
    tomllib.loads(text)
    layout = pack._layout(text)
    assert {path: layout.lines[path] for path in where} == where
    assert layout.marks == marks


@given(st.text(st.sampled_from("ab=[]{}#.\"'\n ,1"), max_size=60))
def test_any_text_is_a_pack_or_nonsense(text):
    with suppress(Nonsense):
        overlay(DEFAULTS, text + "\n")
