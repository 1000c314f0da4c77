"""How long a way is (CA-47 to CA-69, CAX-55 to CAX-58)."""

from __future__ import annotations

import pytest

from chronicle.events import Named, TableRead
from chronicle.rules.cairn.journey import class_of, days_of, left
from chronicle.values import Nonsense
from tests.rules.cairn.tables import event, fill, on_leg_b, refused, steps, three, total


def at_a(weather: str = "fair", **options: object) -> object:
    table = three(**options)
    table.do.go("A")
    table.do.roll_weather(now=weather)
    return table


def test_CA_47_a_leg_joins_two_points() -> None:
    """CA-47: leg A–B has its path, distance and terrain, and needs no words the next time."""
    table = three()
    table.do.go("A")
    table.do.leg("B", "trail", "medium", "forest")
    table.do.plot_course("B")
    assert total(table) == 4


def test_CA_48_never_less_than_a_watch() -> None:
    """CA-48: 0 after a guide's help is 1."""
    table = at_a()
    table.do.plot_course("B", "road", "short", "plains")
    table.do.ease("guide", watches=3)
    assert total(table) == 1


def test_CA_49_what_the_party_knows() -> None:
    """CA-49: rumour is for all, the encounter table for the Warden alone."""
    table = three()
    table.do.go("A")
    table.do.leg("B", "trail", "long", "swamp", rumour="swamp, maybe 4+ watches", secret="table: bog wights")
    played = table.turns[-1].of(Named)
    open_ = [fact for fact in played if not fact.audience]
    hidden = [fact for fact in played if fact.audience == ("gm",)]
    assert any(fact.known.get("rumour") == "swamp, maybe 4+ watches" for fact in open_)
    assert "wights" not in repr(open_)
    assert "wights" in repr(hidden)


def test_CA_50_days_as_shorthand() -> None:
    """CA-50: 5 watches are 3 days, with forced marches by night 2."""
    assert (days_of(5), days_of(5, by_day=3)) == (3, 2)


@pytest.mark.parametrize(
    ("path", "distance", "terrain", "weather", "take", "watches", "fatigue"),
    [
        ("road", "short", "plains", "nice", None, 1, 0),
        ("trail", "medium", "forest", "fair", None, 4, 0),
        ("wilderness", "long", "swamp", "extreme", None, 8, 1),
        ("trail", "short", "hills", "inclement", "watch", 5, 0),
        ("trail", "short", "hills", "inclement", "fatigue", 4, 1),
        ("trail", "medium", ["mountains", "forest"], "fair", None, 6, 0),
    ],
)
def test_CA_51_travel_length(path: str, distance: str, terrain: object, weather: str, take: str | None, watches: int,
                             fatigue: int) -> None:  # fmt: skip
    """CA-51 A to F: path, distance, each terrain, weather and vast add up."""
    table = at_a(weather)
    dice = [2] if path == "road" else [6, 2]
    if watches == 1:
        table.do.travel("B", path, distance, terrain, weather=take, dice=dice)
        assert table.state.place == "B"
        return
    table.do.travel("B", path, distance, terrain, weather=take, dice=dice)
    assert total(table) == watches
    assert [sheet.fatigue for sheet in map(table.state.party.__getitem__, ("Bryn", "Oda", "Tam"))] == [fatigue] * 3


def test_CA_52_and_CA_53_path_and_distance() -> None:
    """CA-52, CA-53: road to wilderness is +2, short to long is +2; any element may change on the way (CA-51)."""
    lengths = {}
    for path in ("road", "trail", "wilderness"):
        for distance in ("short", "medium", "long"):
            table = at_a()
            table.do.plot_course("B", path, distance, "plains")
            lengths[path, distance] = total(table)
    assert lengths["wilderness", "short"] - lengths["road", "short"] == 2
    assert lengths["trail", "short"] - lengths["road", "short"] == 1
    assert lengths["road", "long"] - lengths["road", "short"] == 2


def test_CA_54_terrain_difficulty() -> None:
    """CA-54: desert is tough, plateau easy, jungle perilous; a terrain the table lacks says its own difficulty."""
    pack = three().state.pack
    assert [class_of(pack, name) for name in ("desert", "plateau", "jungle", "bog:perilous", "easy")] == [
        "tough", "easy", "perilous", "perilous", "easy",
    ]  # fmt: skip
    table = at_a()
    with pytest.raises(Nonsense, match="How hard is 'bog' to cross"):
        table.do.plot_course("B", "trail", "short", "bog")


def test_CA_55_waterways() -> None:
    """CA-55, C46: a river through swamp takes the swamp's +2, and the Warden picks the path."""
    table = at_a()
    table.do.plot_course("B", "road", "short", "swamp")
    assert total(table) == 3


def test_CA_56_vast_terrain() -> None:
    """CA-56: B with vast 2 is 6; vast 3 is refused in one sentence."""
    table = at_a()
    assert "2 watches at most, not 3" in refused(table.do.travel, "B", "trail", "medium", "forest", 3)
    table.do.plot_course("B", "trail", "medium", "forest", 2)
    assert total(table) == 6


def test_CA_57_other_hindrances() -> None:
    """CA-57: Bryn on a litter is +1, B becomes 5; a barred way is refused."""
    table = on_leg_b()
    table.do.hinder("Bryn on a litter")
    assert total(table) == 5
    table.do.hinder("the flood", 0, blocked=True)
    assert "the flood" in refused(table.do.travel)


def test_CA_58_keeping_the_pace() -> None:
    """CA-58: Oda and Tam take a Fatigue each, B is 4 again; or a resource pays."""
    table = on_leg_b()
    table.do.hinder("Bryn on a litter")
    table.do.sustain_pace(who=["Oda", "Tam"])
    assert total(table) == 4
    assert [table.state.party[n].fatigue for n in ("Bryn", "Oda", "Tam")] == [0, 1, 1]
    table.do.hinder("mud")
    table.do.take("Rations", "Oda")
    table.do.sustain_pace("mud", item="Rations")
    assert (total(table), table.state.number("rations", "uses")) == (4, 2)


def test_CA_59_mounts_guides_and_maps() -> None:
    """CA-59, C11: a guide that negates the path makes B 3."""
    table = on_leg_b()
    table.do.ease("guide", negates="path")
    assert total(table) == 3


@pytest.mark.parametrize(
    ("season", "die", "weather"),
    [("winter", 2, "unpleasant"), ("summer", 2, "nice"), ("fall", 3, "unpleasant"), ("spring", 4, "unpleasant"),
     ("winter", 5, "extreme")],
)  # fmt: skip
def test_CA_60_daily_weather(season: str, die: int, weather: str) -> None:
    """CA-60: d6 on the column of the season, once a day."""
    table = three(season=season)
    table.do.roll_weather(dice=[die])
    assert table.state.weather == weather
    assert "already" in refused(table.do.roll_weather)


def test_the_weather_rows_have_their_odds() -> None:
    """CA-60: Extreme 1 in 6, in winter 2; Nice never in fall or winter; Catastrophic is never rolled."""
    columns = three().state.pack.weather
    count = {s: getattr(columns, s).count("extreme") for s in ("spring", "summer", "fall", "winter")}
    assert count == {"spring": 1, "summer": 1, "fall": 1, "winter": 2}
    assert "nice" not in (*columns.fall, *columns.winter)
    assert all("catastrophic" not in getattr(columns, season) for season in count)


def days(table: object, *dice: int | None) -> list[str]:
    """The weather of days in a row; None leaves a day without a roll."""
    seen = []
    for die in dice:
        if die is None:
            table.do.jump("a day", day=table.state.moment.day + 1)
            continue
        table.do.roll_weather(dice=[die])
        seen.append(table.state.weather)
        table.do.jump("the day goes by", day=table.state.moment.day + 1)
    return seen


def test_CA_61_catastrophic() -> None:
    """CA-61, C12: two Extreme days in a row, a third too; a day between, or without a roll, breaks the row."""
    assert days(three(season="winter"), 6, 5, 1) == ["extreme", "catastrophic", "fair"]
    assert days(three(season="winter"), 6, 5, 6) == ["extreme", "catastrophic", "catastrophic"]
    assert days(three(season="winter"), 6, 3, 5) == ["extreme", "inclement", "extreme"]
    assert days(three(season="winter"), 6, None, 5) == ["extreme", "extreme"]


def test_CA_61_C12_only_rolls_count() -> None:
    """C12: what an event made of the weather does not count, the season does not matter."""
    table = three(season="winter")
    table.do.roll_weather(dice=[3])
    table.do.environment("a storm", weather="extreme")
    table.do.jump("night", day=2)
    table.do.roll_weather(dice=[6])
    assert table.state.weather == "extreme"
    table.do.jump("night", day=3)
    table.do.roll_weather(season="spring", dice=[6])
    assert table.state.weather == "catastrophic"


@pytest.mark.parametrize("weather", ["nice", "fair"])
def test_CA_62_and_CA_63_fine_weather(weather: str) -> None:
    """CA-62, CA-63: nothing is added, nobody tires."""
    table = at_a(weather)
    table.do.travel("B", "trail", "medium", "forest", dice=[6, 2])
    assert (total(table), table.state.party["Bryn"].fatigue) == (4, 0)


def test_CA_64_unpleasant() -> None:
    """CA-64, C13: B with the watch is 5 and nobody tires; with Fatigue it is 4, each +1; the watch unless said."""
    for take, watches, fatigue in (("watch", 5, 0), ("fatigue", 4, 1), (None, 5, 0)):
        table = at_a("unpleasant")
        table.do.travel("B", "trail", "medium", "forest", weather=take, dice=[6, 2])
        assert (total(table), table.state.party["Tam"].fatigue) == (watches, fatigue)


def test_CA_64_C13_who_tires_where_the_house_lets_it_be_said() -> None:
    """C13: the party tires as one by default; with weather_each the weary are named."""
    table = at_a("unpleasant")
    assert "everybody" in refused(table.do.travel, "B", "trail", "medium", "forest", weather="fatigue", weary="Oda")
    house = at_a("unpleasant", pack="rulings.weather_each = true")
    house.do.travel("B", "trail", "medium", "forest", weather="fatigue", weary="Oda", dice=[6, 2])
    assert [house.state.party[n].fatigue for n in ("Bryn", "Oda", "Tam")] == [0, 1, 0]


@pytest.mark.parametrize(("take", "watches", "fatigue"), [("watch", 3, 0), ("fatigue", 2, 1)])
def test_CA_65_inclement(take: str, watches: int, fatigue: int) -> None:
    """CA-65: a short easy road is 1 + a step + a watch = 3, or 2 and a Fatigue."""
    table = at_a("inclement")
    table.do.travel("B", "road", "short", "plains", weather=take, dice=[2])
    assert (total(table), table.state.party["Oda"].fatigue) == (watches, fatigue)


def test_CA_66_extreme() -> None:
    """CA-66: a short easy road is 1 + a step + a watch = 3, and a Fatigue each, without a choice."""
    table = at_a("extreme")
    table.do.travel("B", "road", "short", "plains", dice=[2])
    assert (total(table), [table.state.party[n].fatigue for n in ("Bryn", "Oda", "Tam")]) == (3, [1, 1, 1])


def test_CA_67_catastrophic_weather_stops_travel() -> None:
    """CA-67, C33, C67: refused; overruled it costs what Extreme costs; rolled just now, the watch is left open."""
    table = at_a("catastrophic")
    assert "most parties cannot travel" in refused(table.do.travel, "B", "road", "short", "plains")
    table.do.travel("B", "road", "short", "plains", overrule="a wizard", dice=[2])
    assert (total(table), table.state.party["Oda"].fatigue) == (3, 1)
    late = three(season="winter")
    late.do.roll_weather(dice=[6])
    late.do.jump("night", day=2)
    late.do.go("A")
    played = late.do.travel("B", "road", "short", "plains", dice=[6])
    assert [fact.row for fact in played.of(TableRead)] == ["extreme"]
    assert (late.state.weather, late.state.watch_open, steps(late)) == ("catastrophic", True, 0)
    late.do.explore(dice=[2])


def test_CA_68_terrain_steps() -> None:
    """CA-68, CA-83, C56, C58: Inclement and sleep-deprived make easy perilous; an ability makes perilous tough."""
    table = at_a("inclement")
    for name in ("Bryn", "Oda", "Tam"):
        table.do.afflict(name, "sleep deprived")
    table.do.travel("B", "road", "short", "plains", weather="fatigue", dice=[2])
    assert total(table) == 3
    rider = at_a()
    rider.do.learn("Blacklegged Dandy", "Bryn")
    rider.do.plot_course("B", "road", "short", "swamp")
    assert total(rider) == 2
    rider.do.plot_course("C", "road", "short", "plains")
    assert total(rider) == 1


def test_CA_68_C14_above_perilous() -> None:
    """C14: capped by default; the house may add a watch, or bar the way."""
    for ruling, watches in (("cap", 4), ("plus1", 5)):
        table = at_a("inclement", pack=f'rulings.perilous_step = "{ruling}"')
        table.do.travel("B", "road", "short", "swamp", dice=[2])
        assert total(table) == watches
    table = at_a("inclement", pack='rulings.perilous_step = "block"')
    table.do.roll_weather(now="fair")
    table.do.plot_course("B", "road", "long", "swamp")
    table.do.roll_weather(now="extreme")
    table.do.travel(dice=[2])
    assert "worse than Perilous" in refused(table.do.travel)


def test_CA_69_a_new_course() -> None:
    """CA-69, C47: A–C instead of A–B is a new journey with 0 watches done; turning back takes those walked."""
    table = on_leg_b()
    table.do.plot_course("C", "road", "short", "plains")
    assert (total(table), steps(table)) == (1, 0)
    other = on_leg_b()
    other.do.travel(dice=[6, 2])
    other.do.plot_course("A")
    assert (total(other), left(other.state)) == (1, 1)
    other.do.travel(dice=[6, 2])
    assert other.state.place == "A"


def test_CAX_55_the_sum_is_the_whole_travel_time() -> None:
    """CAX-55, CAX-57: short is 1, medium 2, long 3, trails +1, wilderness +2; a leg meant for one day is 2 watches."""
    table = at_a()
    table.do.plot_course("B", "trail", "short", "plains")
    assert (total(table), days_of(total(table))) == (2, 1)


@pytest.mark.parametrize(
    ("path", "distance", "terrain", "watches"),
    [
        ("trail", "medium", ["mountains", "forest"], 6),
        ("trail", "short", ["mountains"], 4),
        ("road", "medium", ["forest"], 3),
        ("trail", "short", ["swamp"], 4),
        ("trail", "medium", ["plains"], 3),
        ("wilderness", "medium", ["forest"], 5),
        ("road", "short", ["forest", "hills"], 3),
        ("road", "short", ["forest", "plains", "forest"], 2),
    ],
)
def test_CAX_58_the_authors_distances(path: str, distance: str, terrain: list[str], watches: int) -> None:
    """CAX-58, C8, C40: each terrain counts once by name; the text's 4 for the fifth is taken as a slip."""
    table = at_a()
    table.do.plot_course("B", path, distance, terrain)
    assert total(table) == watches


def test_CAX_62_the_hexcrawl_variant_is_not_mixed_in() -> None:
    """CAX-62: path and terrain add up; the higher of the two alone is another procedure."""
    table = at_a()
    table.do.plot_course("B", "wilderness", "short", "swamp")
    assert total(table) == 5


def test_edge_1_and_2_weather_on_two_days() -> None:
    """Edge tests 1 and 2, C10: 2 of 4 done; day 2 Inclement is 6 with the watch, 5 with Fatigue; day 3 charges no
    second step: 7 after another watch.
    """
    table = on_leg_b()
    table.do.take("Rations", "store", count=9)
    table.do.travel(dice=[6, 2])
    table.do.travel(dice=[6, 2])
    table.do.make_camp(dice=[2])
    table.do.roll_weather(now="inclement")
    table.do.travel(weather="watch", dice=[6, 2])
    assert (total(table), left(table.state)) == (6, 3)
    table.do.quiet_watch(dice=[2])
    table.do.make_camp(dice=[2])
    table.do.roll_weather(now="inclement")
    table.do.travel(weather="watch", dice=[6, 2])
    assert total(table) == 7


def test_C41_once_a_journey_where_the_house_says_so() -> None:
    """C10, C41: charged each day by default, once for the journey otherwise."""
    for pack, watches in ((None, 6), ("rulings.surcharge_daily = false", 5)):
        table = on_leg_b(pack=pack)
        table.do.take("Rations", "store", count=9)
        table.do.roll_weather(now="unpleasant")
        table.do.travel(dice=[6, 2])
        table.do.quiet_watch(dice=[2])
        table.do.make_camp(dice=[2])
        table.do.roll_weather(now="unpleasant")
        table.do.travel(dice=[6, 2])
        assert total(table) == watches


def test_C35_only_the_difference() -> None:
    """C35: fair turned unpleasant after travel costs the watch; unpleasant paid with a watch turned extreme adds a
    Fatigue and the step.
    """
    table = on_leg_b()
    table.do.travel(dice=[6, 3])
    table.do.environment("showers", weather="unpleasant")
    assert (total(table), table.state.weather) == (5, "unpleasant")
    table.do.environment("a blizzard", weather="extreme")
    assert (total(table), table.state.party["Oda"].fatigue) == (6, 1)


def test_C66_terrain_behind_is_not_stepped() -> None:
    """C10, C66: of two terrains the first lies behind when its share is walked; the Warden may mark otherwise."""
    table = at_a()
    table.do.plot_course("B", "road", "short", ["forest", "hills"])
    table.do.hinder("marked", 0, passed="forest")
    table.do.roll_weather(now="inclement")
    table.do.travel(weather="fatigue", dice=[2])
    assert total(table) == 4


def test_weather_fatigue_needs_a_slot() -> None:
    """CAX-14, edge test 3: chosen Fatigue is refused where no slot is free, saying what could go; 9 of 10 has 10."""
    table = at_a("unpleasant")
    fill(table, "Bryn", 10)
    assert "Stone" in refused(table.do.travel, "B", "trail", "medium", "forest", weather="fatigue")
    table.do.drop("Stone", "Bryn")
    table.do.travel("B", "trail", "medium", "forest", weather="fatigue", dice=[6, 2])
    assert (table.state.party["Bryn"].used, table.state.party["Bryn"].HP) == (10, 0)


def test_a_way_unknown_is_asked_for() -> None:
    """A number the tool lacks is asked for in place."""
    table = at_a()
    with pytest.raises(Nonsense, match="What is the way to B like"):
        table.do.travel("B")
    assert event(table.do.travel("B", "road", "short", "plains", dice=[2])) == ["Sign"]
