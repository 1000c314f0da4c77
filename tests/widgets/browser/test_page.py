"""The table as a page (Voila): a phone's width, fingers, a reload, two pages, the players' screen."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from chronicle import Chronicle
from tests.widgets.browser.conftest import Seat
from tests.widgets.browser.harness import notebook, watch


def visit(page: Any, pages: str, name: str, query: str = "") -> Any:
    """Open a page and wait for its table."""
    page.goto(f"{pages}/voila/render/{name}{query}")
    table = page.locator(".ce-table").first
    expect(table.locator("h2").first).to_be_visible(timeout=60000)
    return table


def width_and_room(page: Any) -> tuple[int, int]:
    """How wide the page is, and how wide it may be."""
    found = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    return int(found[0]), int(found[1])


def test_a_watch_on_a_phone(pages: str, phone: Page, seat: Seat):
    table = visit(phone, pages, seat("bleak_forest", ("Ash", "Bryn")))
    wide, room = width_and_room(phone)
    assert wide <= room
    begin = table.get_by_role("button", name="Begin watch", exact=True)
    below = phone.evaluate("innerHeight")
    for what in (table.locator("h2").first, table.get_by_text("Ash", exact=True).first, begin):
        box = what.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= below
    begin.tap()
    expect(table.locator(".ce-status")).to_contain_text("begins")
    table.get_by_role("button", name="End watch", exact=True).tap()
    expect(table).to_contain_text("over")
    for name in ("Sheets", "Encounter", "Map", "Time", "Journal", "Dice", "Ask"):
        table.locator(".ce-tabs").get_by_role("button", name=name, exact=True).tap()
        phone.wait_for_timeout(500)
        wide, room = width_and_room(phone)
        assert wide <= room, name


def test_everything_that_matters_is_on_one_screen(pages: str, seat: Seat):
    from tests.widgets.browser.harness import browser

    with browser(1024, 768) as page:
        for rules in ("bleak_forest", "blood_and_iron", "cairn"):
            table = visit(page, pages, seat(rules, ("Ash", "Bryn", "Cade", "Dara")))
            expect(table.locator(".ce-tabs"), rules).to_be_in_viewport(ratio=1)
        assert page.blocked == []


def test_a_page_that_is_loaded_again_plays_nothing_twice(pages: str, page: Page, room: Path):
    """Every visitor runs the notebook; what it plays is played once."""
    file = room / "page.db"
    begin = f"from chronicle import Chronicle\nbook = Chronicle({str(file)!r})\nforest = book.begin('Hollow')"
    name = notebook(room / "page.ipynb", begin, "forest.do.join('Ash')", "forest.controls()").name
    for _ in range(3):
        visit(page, pages, name)
    with Chronicle(file, read_only=True) as book:
        assert book["Hollow"].turn == 1


def test_half_entered_dice_survive_a_reload_with_another_kernel(pages: str, page: Page, seat: Seat):
    first = "if not forest.watch: forest.do.adjust('survival', 1); forest.do.begin_watch()"
    name = seat("bleak_forest", ("Ash",), first, "forest.controls(dice='real')")
    table = visit(page, pages, name)
    table.get_by_role("button", name="Forage", exact=True).click()
    table.get_by_role("button", name="Herbs", exact=True).click()
    tray = table.locator(".ce-dice")
    tray.get_by_role("button", name="d20: 18").click()
    tray.get_by_role("button", name="d6: 2").click()
    expect(tray.get_by_role("img", name="d6 shows 2")).to_be_visible()
    table = visit(page, pages, name)
    tray = table.locator(".ce-dice")
    expect(tray.get_by_role("img", name="d6 shows 2")).to_be_visible(timeout=30000)
    tray.get_by_role("button", name="d6: 5").click()
    expect(table.locator(".ce-entry").first).to_contain_text("herbs", ignore_case=True)


def test_the_players_screen_is_live_and_has_nothing_to_press(pages: str, page: Page, seat: Seat):
    name = seat("bleak_forest", ("Ash", "Bryn"))
    table = visit(page, pages, name)
    cell = "forest.controls(audience='players')"
    also = seat("bleak_forest", ("Ash", "Bryn"), cell, of=Path(name).stem, also="-players")
    players_page = watch(page.context.new_page())
    screen = visit(players_page, pages, also)
    expect(screen.get_by_role("button")).to_have_count(0)
    table.get_by_role("button", name="Quiet watch", exact=True).click()
    expect(screen).to_contain_text("Watch 1 · ")
    table.get_by_role("button", name="Dice", exact=True).click()
    table.get_by_label("GM only").check()
    table.get_by_label("What for").fill("an ambush")
    table.get_by_role("button", name="1d20", exact=True).click()
    expect(table.locator(".ce-status")).to_contain_text("GM only")
    players_page.wait_for_timeout(2500)
    expect(screen).not_to_contain_text("ambush")
    players_page.close()


def test_dark_is_dark(pages: str, page: Page, seat: Seat):
    table = visit(page, pages, seat(), "?theme=dark")
    colours = table.evaluate("(t) => { const s = getComputedStyle(t); return [s.color, s.backgroundColor]; }")
    ink, paper = (sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in colours)
    assert ink > 380 > paper


def test_the_answer_stays_in_sight_below_the_fold(pages: str, phone: Page, seat: Seat):
    table = visit(phone, pages, seat("bleak_forest", ("Ash", "Bryn")))
    table.get_by_role("button", name="Sheets", exact=True).tap()
    phone.wait_for_timeout(600)
    last = table.get_by_role("button", name="+", exact=True).last
    last.scroll_into_view_if_needed()
    last.tap()
    line = table.locator(".ce-status [role=status]")
    expect(line).not_to_have_text("")
    expect(line).to_be_in_viewport()
