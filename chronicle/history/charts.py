"""The pictures of the named questions as altair charts, to hover over, change and save; imported on use.

Lines, letters and the ground are left to the page, so that a chart reads in light and dark; the colours of its marks
stand out from both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from functools import cache
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from chronicle.history.pictures import MOST_BARS, WIDTH, Names, called, number, text
from chronicle.history.trail import MOST_PLACES, gone, laid
from chronicle.values import Nonsense

if TYPE_CHECKING:
    from chronicle.history.asking import Question

COLOURS = ["#3f7fb5", "#c8641b", "#2a9169", "#b5639b", "#8a7d1f", "#7d6bb8", "#b8524f", "#5a8391"]
"""Each at least three to one against white and against black."""

INK = "currentColor"
WIDE = 480

WHOLE = "datum.value % 1 ? '' : format(datum.value, 'd')"
"""Only whole figures along an axis: nobody has half a ration."""

Rows = Sequence[Sequence[Any]]
Values = list[dict[str, Any]]


def shown(chart: Any, title: str) -> Any:
    """A chart, dressed for light and dark, as a widget that asks nothing of the network."""
    return _widget()(_dressed(chart, title), embed_options={"renderer": "svg", "actions": False})


def chart(question: Question, none: str, columns: Sequence[str], rows: Rows, names: Names) -> Any:
    """The chart of a question's answer, undressed."""
    alt = altair()
    f = question.fields
    values = [{key: _plain(value) for key, value in zip(columns, row, strict=True)} for row in rows]
    match question.kind if rows else "none":
        case "line":
            return _line(alt, values, names, f)
        case "lanes" if f.get("y"):
            return _columns(alt, values, names, f)
        case "lanes":
            return _moments(alt, values, names, f)
        case "spans":
            return _spans(alt, values, names, f)
        case "bars":
            return _bars(alt, values, names, f)
        case "tally":
            from chronicle.history.asking import tallied

            counted = [{f["x"]: name, "times": times} for name, times in tallied(rows, columns, f["x"])]
            return _bars(alt, counted, names, {"x": f["x"], "y": "times"})
        case "trail":
            return _trail(alt, columns, rows, f)
        case _:
            return _sentence(alt, none or question.asks)


def under_one_another(parts: Sequence[tuple[str, Any]]) -> Any:
    """Charts of several campaigns, each under the title of its own."""
    titled = [chart.properties(title=heading) for heading, chart in parts]
    scales = {"color": "independent", "x": "independent", "y": "independent", "strokeDash": "independent"}
    return altair().vconcat(*titled, spacing=30).resolve_scale(**scales)


@cache
def altair() -> Any:
    """Altair, or one sentence that says how it is installed."""
    try:
        import altair as found
        import vl_convert  # noqa: F401 (what a chart needs to be shown without the network)
    except ImportError as missing:
        raise Nonsense(
            f"A chart needs {(missing.name or 'altair').replace('_', '-')}, which is not installed here: "
            "pip install 'campaign-chronicle[plots]'; .plot() is a picture that needs nothing."
        ) from None
    return found


@cache
def _widget() -> Any:
    alt = altair()

    class Chart(alt.JupyterChart):  # type: ignore[misc,name-defined]
        """A chart in a notebook; `.chart` is the altair chart itself."""

    Chart.enable_offline()
    return Chart


def _dressed(made: Any, title: str) -> Any:
    letters: dict[str, Any] = {"labelColor": INK, "titleColor": INK, "labelFontSize": 12, "titleFontSize": 12}
    letters["titleFontWeight"] = "normal"
    return (
        made.properties(title=wrap(title, 60) or [""], background="transparent", padding=8)
        .configure_view(stroke=None)
        .configure_axis(**letters, domainColor=INK, domainOpacity=0.5, tickColor=INK, tickOpacity=0.5, gridColor=INK,
                        gridOpacity=0.14, labelLimit=260)
        .configure_legend(**letters)
        .configure_header(**letters | {"labelFontWeight": "bold"})
        .configure_title(color=INK, anchor="start", fontSize=14)
        .configure_text(color=INK)
        .configure_range(category=COLOURS)
    )  # fmt: skip


def _line(alt: Any, values: Values, names: Names, f: Mapping[str, str]) -> Any:
    dots = f.get("dots", "").replace("_", " ")
    by, panel = f.get("by", ""), f.get("panel", "")
    base = alt.Chart(alt.Data(values=values)).encode(
        x=_when(alt, f["x"], names), y=alt.Y(f["y"], type="quantitative", title=None, axis=_whole(alt)),
        tooltip=_told(alt, values),
    )  # fmt: skip
    lines = base.mark_line(interpolate="step-after")
    points = base.mark_point(size=14, filled=True, color=INK, opacity=0.55)
    colour = alt.Color(by, type="nominal", title=None) if by else alt.value(COLOURS[0])
    if dots:
        lines = lines.transform_filter(f"datum[{by!r}] != {dots!r}").encode(color=colour)
        points = base.mark_point(size=40, filled=True, opacity=1).encode(color=colour)
    elif by:
        lines = lines.encode(color=colour, strokeDash=alt.StrokeDash(by, type="nominal", title=None))
    made = (lines + points).properties(width=WIDE, height=90 if panel else 200)
    if not panel:
        return made
    return made.facet(row=_heading(alt, panel), spacing=14).resolve_scale(y="independent")


def _columns(alt: Any, values: Values, names: Names, f: Mapping[str, str]) -> Any:
    return (
        alt.Chart(alt.Data(values=values), width=WIDE, height=40)
        .mark_bar(width=10, color=COLOURS[0])
        .encode(
            x=_when(alt, f["x"], names, padding=10),
            y=alt.Y(f["y"], type="quantitative", title=None, axis=_whole(alt, 2)),
            tooltip=_told(alt, values),
        )
        .facet(row=_heading(alt, f["by"]), spacing=14)
        .resolve_scale(y="independent")
    )


def _when(alt: Any, field: str, names: Names, padding: int = 0) -> Any:
    axis = alt.Axis(tickMinStep=1, labelExpr=WHOLE, grid=False)
    scale = alt.Scale(zero=False, nice=False, padding=padding)
    return alt.X(field, type="quantitative", title=called(field, names), axis=axis, scale=scale)


def _whole(alt: Any, ticks: int = 4) -> Any:
    return alt.Axis(tickMinStep=1, tickCount=ticks, labelExpr=WHOLE)


def _heading(alt: Any, field: str) -> Any:
    header = alt.Header(labelOrient="top", labelAnchor="start", labelPadding=4)
    return alt.Row(field, type="nominal", title=None, header=header)


def _moments(alt: Any, values: Values, names: Names, f: Mapping[str, str]) -> Any:
    base = alt.Chart(alt.Data(values=values), width=WIDE, height=alt.Step(34)).encode(
        x=_when(alt, f["x"], names, padding=24),
        y=alt.Y(f["by"], type="nominal", title=None, sort=None),
        tooltip=_told(alt, values),
    )  # fmt: skip
    made = base.mark_point(size=70, filled=True, color=COLOURS[1], opacity=1)
    if said := f.get("said"):
        words = alt.Text("words", type="nominal")
        together = base.transform_joinaggregate(most="count()", groupby=[f["x"], f["by"]])
        made += (
            together.transform_window(nth="row_number()", groupby=[f["x"], f["by"]])
            .transform_filter("datum.nth == 1")
            .transform_calculate(
                words=f"datum[{said!r}] + (datum.most > 1 ? ' and ' + (datum.most - 1) + ' more' : '')"
            )
            .mark_text(align="left", dx=8, dy=-8)
            .encode(text=words)
        )
    return made


def _spans(alt: Any, values: Values, names: Names, f: Mapping[str, str]) -> Any:
    base = alt.Chart(alt.Data(values=values), width=WIDE).encode(
        y=alt.Y(f["by"], type="nominal", title=None, sort=None), tooltip=_told(alt, values)
    )
    title = called(f["x"], names)
    kind = alt.Color(f["said"], type="nominal", title=None) if f.get("said") else alt.value(COLOURS[0])
    axis = alt.Axis(tickMinStep=1, labelExpr=WHOLE)
    made = base.mark_rule(strokeWidth=3, opacity=0.6).encode(
        x=alt.X(f["x"], type="quantitative", title=title, axis=axis), x2=f["to"], color=kind
    )
    for end in (f["x"], f["to"]):
        made += base.mark_point(filled=True, size=50, opacity=1).encode(
            x=alt.X(end, type="quantitative", title=title, axis=axis), color=kind
        )
    return made


def _bars(alt: Any, values: Values, names: Names, f: Mapping[str, str]) -> Any:
    x, y, mark = f["x"], f["y"], f.get("mark", "")
    values = [value for value in values if number(value[y]) is not None][:MOST_BARS]
    mark = mark if any(value.get(mark) is not None for value in values) else ""
    base = alt.Chart(alt.Data(values=values), width=WIDE).encode(
        y=alt.Y(x, type="nominal", sort=None, title=None), tooltip=_told(alt, values)
    )
    whole = not mark and all(float(value[y]).is_integer() for value in values)
    axis = alt.Axis(tickCount=7, tickMinStep=1, labelExpr=WHOLE) if whole else alt.Axis(tickCount=7)
    title = called(y, names) + (f" (the line: {called(mark, names)})" if mark else "")
    across = alt.X(y, type="quantitative", title=title, axis=axis)
    made = base.mark_bar(color=COLOURS[0], height=14).encode(x=across)
    if mark:
        made += base.mark_tick(color=INK, thickness=3, size=22, opacity=1).encode(
            x=alt.X(mark, type="quantitative", title=title)
        )
    return made


def _trail(alt: Any, columns: Sequence[str], rows: Rows, f: Mapping[str, str]) -> Any:
    places, ways = gone(rows, columns, f["origin"], f["to"])
    shown = list(places)[:MOST_PLACES]
    spots, sides, _, deep = laid(shown, ways)
    now = text(rows[-1][columns.index(f["to"])])
    lines: Values = [
        {"x": spots[a][0], "y": spots[a][1], "x2": spots[b][0], "y2": spots[b][1], "way": f"{a} — {b}", "times": times}
        for (a, b), (times, _) in ways.items()
        if a in spots and b in spots
    ]
    dots = [
        {"x": spots[name][0], "y": spots[name][1], "place": name, "side": sides[name],
         "is": "now" if name == now else "began here" if nth == 0 else "on the way"}
        for nth, name in enumerate(shown)
    ]  # fmt: skip
    x = alt.X("x", type="quantitative", axis=None, scale=alt.Scale(domain=[0, WIDTH]))
    y = alt.Y("y", type="quantitative", axis=None, scale=alt.Scale(domain=[deep + 12, 0]))
    kinds = ["began here", "on the way", "now"]
    base = alt.Chart(alt.Data(values=dots)).encode(x=x, y=y, tooltip=_told(alt, dots, "place", "is"))
    layers = [
        base.mark_point(filled=True, size=80, opacity=1).encode(
            color=alt.Color("is", type="nominal", title=None,
                            scale=alt.Scale(domain=kinds, range=[COLOURS[2], COLOURS[7], COLOURS[1]])),
            shape=alt.Shape("is", type="nominal", title=None,
                            scale=alt.Scale(domain=kinds, range=["square", "circle", "diamond"])),
        )
    ]  # fmt: skip
    aside: dict[str, dict[str, Any]] = {
        "left": {"align": "right", "dx": -9}, "right": {"align": "left", "dx": 9}, "above": {"dy": -12},
    }  # fmt: skip
    for side, how in aside.items():
        if side in sides.values():
            named = base.transform_filter(f"datum.side == '{side}'").mark_text(**how)
            layers.append(named.encode(text=alt.Text("place", type="nominal")))
    if lines:
        thick = alt.Scale(domain=[1, max(4, *(line["times"] for line in lines))], range=[1.4, 5])
        road = alt.Chart(alt.Data(values=lines)).mark_rule(color=INK, opacity=0.4)
        layers.insert(0, road.encode(
            x=x, y=y, x2="x2", y2="y2", tooltip=_told(alt, lines, "way", "times"),
            strokeWidth=alt.StrokeWidth("times", type="quantitative", legend=None, scale=thick),
        ))  # fmt: skip
    return alt.layer(*layers).properties(width=WIDTH, height=deep + 12)


def _sentence(alt: Any, said: str) -> Any:
    return (
        alt.Chart(alt.Data(values=[{"said": said}]), width=WIDE, height=30)
        .mark_text(align="left", x=0, fontSize=13)
        .encode(text=alt.Text("said", type="nominal"))
    )


def _told(alt: Any, values: Values, *only: str) -> list[Any]:
    """What is said of a mark when one points at it."""
    keys = only or (list(values[0]) if values else ())
    counted = {key: all(number(value[key]) is not None for value in values) for key in keys}
    return [
        alt.Tooltip(_field(key), type="quantitative" if counted[key] else "nominal", title=key.replace("_", " "))
        for key in keys
    ]


def _field(name: str) -> str:
    return name.replace(".", "\\.").replace("[", "\\[").replace("]", "\\]")


def _plain(value: Any) -> Any:
    """A value that JSON has."""
    if isinstance(value, datetime | date):
        return value.isoformat(sep=" ", timespec="minutes") if isinstance(value, datetime) else value.isoformat()
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else number(value)
