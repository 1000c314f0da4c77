"""One lab and one Voila for all the tests of a run; a page for each test."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.widgets.browser import harness

BOOK = """from chronicle import Chronicle
book = Chronicle({file!r})
forest = book[{title!r}] if {title!r} in book else book.begin({title!r}, {rules!r}, seed={seed!r})
for name in {names!r}:
    if name not in forest.state.party:
        forest.do.join(name)
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip with the reason where there is no browser; in CI that is a failure, not a skip."""
    reason = harness.missing()
    if reason and not os.environ.get("CI"):
        for item in items:
            if "widgets/browser" in str(item.path):
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the servers serve."""
    assert not harness.missing(), harness.missing()
    return tmp_path_factory.mktemp("room")


@pytest.fixture(scope="session")
def lab(room: Path) -> Iterator[str]:
    """JupyterLab's address."""
    with harness.jupyterlab(room) as url:
        yield url


@pytest.fixture(scope="session")
def pages(room: Path) -> Iterator[str]:
    """Voila's address."""
    with harness.voila(room) as url:
        yield url


@pytest.fixture
def page() -> Iterator[Any]:
    """A page of a fresh browser, as wide as a laptop; nothing may leave the machine."""
    with harness.browser() as made:
        yield made
        assert made.blocked == []


@pytest.fixture
def phone() -> Iterator[Any]:
    """A page as narrow as a phone, touched with fingers."""
    with harness.browser(390, 844, has_touch=True, is_mobile=True) as made:
        yield made
        assert made.blocked == []


Seat = Callable[..., str]


@pytest.fixture
def seat(room: Path, request: pytest.FixtureRequest) -> Seat:
    """Make a notebook with a campaign and its table; answers its file name.

    Arguments: `rules`; `names`, who plays; `cells`, what comes after the book, the table unless said; `file`, another
    notebook on the same campaign.
    """

    def make(
        rules: str = "bleak_forest", names: tuple[str, ...] = ("Ash",), *cells: str, of: str = "", also: str = ""
    ) -> str:  # fmt: skip
        name = re.sub(r"\W+", "-", request.node.name)[:80]
        stem = f"{name}-{rules}"
        book = BOOK.format(
            file=str(room / f"{of or stem}.db"), title="The Grey Hollow", rules=rules, seed=stem[:60], names=names
        )
        path = harness.notebook(room / f"{stem}{also}.ipynb", book, *(cells or ("table = forest.controls()\ntable",)))
        return path.name

    return make


AXE = Path(os.environ.get("AXE_CORE", Path(__file__).parent / "node_modules/axe-core/axe.min.js"))


@pytest.fixture(scope="session")
def axe() -> str:
    """The text of axe-core, from node_modules beside this file (`npm ci`); skipped with the reason where it is not."""
    if not AXE.exists():
        reason = f"axe-core is not here: npm ci in {AXE.parent.parent.parent}"
        if os.environ.get("CI") and shutil.which("npm"):
            pytest.fail(reason)
        pytest.skip(reason)
    return AXE.read_text(encoding="utf-8")
