"""The same pictures as altair charts: every question of every game, readable in light and dark, without a network."""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter

import pytest

from chronicle import Campaign, Chronicle
from chronicle.history import charts
from chronicle.history.asking import questions
from chronicle.history.pictures import MOST_BARS, called, figure
from chronicle.values import Nonsense
from tests.history.playing import started

NAMES = sorted(questions("bleak_forest"))


@pytest.fixture
def altair() -> None:
    """Altair, where the extra `plots` is installed."""
    for name in ("altair", "vl_convert"):
        pytest.importorskip(name)


@pytest.mark.usefixtures("altair")
@pytest.mark.parametrize("name", NAMES)
def test_every_question_has_a_chart(campaign: Campaign, name: str) -> None:
    """A chart that Vega-Lite accepts and draws; letters and lines take the page's colour; nothing comes from afar."""
    import vl_convert

    answer = campaign.ask(name, **({"who": "Ash"} if name == "number" else {}))
    made = answer.chart().chart
    spec = made.to_dict()
    assert spec["background"] == "transparent"
    assert " ".join(spec["title"]) == answer.asked
    assert spec["config"]["axis"]["labelColor"] == "currentColor"
    assert "url" not in str(spec["data"] if "data" in spec else spec.get("datasets"))
    drawn = vl_convert.vegalite_to_svg(made.to_json())
    ElementTree.fromstring(drawn)
    if not answer.rows:
        assert answer.none in drawn


@pytest.mark.usefixtures("altair")
def test_a_chart_in_a_notebook_needs_no_network(campaign: Campaign) -> None:
    """Vega itself is sent along; nothing is imported from an address."""
    widget = campaign.ask("who_rolled").chart()
    assert widget.embed_options == {"renderer": "svg", "actions": False}
    script = str(widget._esm)
    assert len(script) > 500_000
    assert not re.search(r"""(?:import|from)\s*\(?\s*["']https?:""", script)


@pytest.mark.usefixtures("altair")
def test_the_chart_of_a_chronicle_has_one_of_each_campaign() -> None:
    with Chronicle() as book:
        for rules in ("bleak_forest", "cairn"):
            started(book, rules)
        spec = book.ask("food_by_watch").chart().chart.to_dict()
        assert [part["title"] for part in spec["vconcat"]] == ["The bleak_forest", "The cairn"]
        assert "None" not in str(book.ask("number", who="nobody").chart().chart.to_dict()["title"])


def test_without_altair_one_sentence_says_what_to_install(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    charts.altair.cache_clear()
    monkeypatch.setitem(sys.modules, "altair", None)
    try:
        with pytest.raises(
            Nonsense, match=r"altair, which is not installed here: pip install 'campaign-chronicle\[plots\]'"
        ):
            campaign.ask("who_rolled").chart()
    finally:
        charts.altair.cache_clear()


@pytest.mark.usefixtures("altair")
@pytest.mark.parametrize("name", NAMES)
def test_picture_and_chart_show_the_numbers_of_the_answer(campaign: Campaign, name: str) -> None:
    """The same rows in both, each number as the answer has it, and a word for what is counted and what was expected."""
    answer = campaign.ask(name, **({"who": "Ash"} if name == "number" else {}))
    if not answer.rows:
        return
    kind, fields = answer.question.kind, answer.question.fields
    rows = [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]
    if kind == "tally":
        counts = Counter(str(row[fields["x"]]) for row in rows)
        rows = [{fields["x"]: said, "times": times} for said, times in counts.items()]
        fields = {"x": fields["x"], "y": "times"}
    chart = answer.chart().chart.to_dict()
    data = [chart["data"]] if "data" in chart else [layer["data"] for layer in chart.get("layer", [])]
    shown = next((one["values"] for one in data if "values" in one), None) or chart["datasets"][data[0]["name"]]
    if kind in ("line", "lanes", "spans"):
        assert len(shown) == len(rows)
        for drawn, row in zip(shown, rows, strict=True):
            assert all(drawn[key] == row[key] for key in row if isinstance(row[key], int | float | str))
    if kind in ("bars", "tally"):
        rows = [row for row in rows if row[fields["y"]] is not None]
        drawn = {one[fields["x"]]: one for one in shown}
        assert len(shown) == min(len(rows), MOST_BARS)
        words = "\n".join(text.text or "" for text in ElementTree.fromstring(answer.plot().svg).iter() if text.text)
        for row in rows if len(rows) <= MOST_BARS else ():
            assert drawn[row[fields["x"]]][fields["y"]] == row[fields["y"]]
            said = figure(float(row[fields["y"]]))
            due = row.get(fields.get("mark", ""))
            said += f" ({figure(float(due))})" if due is not None else ""
            assert re.search(rf"^{re.escape(said)}( ·|$)", words, re.MULTILINE), said
        assert called(fields["y"], answer._names) in words
