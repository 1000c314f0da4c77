"""P10: a click with everything redrawn, against an empty button's round trip, in Chromium, in one run.

python -m tests.bench.bench_table [facts]
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

from tests.widgets.browser import harness

BOOK = """
import ipywidgets as ui
from chronicle import Chronicle
book = Chronicle({file!r})
forest = book.begin("Bench", "bleak_forest", seed=1)
for name in ("Ash", "Bryn", "Cade", "Dara"):
    forest.do.join(name)
while forest._store.head(forest.id) < {facts}:
    forest.do.quiet_watch(overrule=True)
empty, label = ui.Button(description="empty"), ui.Label("0")
empty.on_click(lambda _: setattr(label, "value", str(int(label.value) + 1)))
ui.VBox([empty, label])
"""
CLICK = """async ([click, watch]) => {
  const button = [...document.querySelectorAll('button')].find((b) => b.textContent === click);
  const seen = document.querySelector(watch), before = seen.textContent, began = performance.now();
  button.click();
  while (seen.textContent === before) await new Promise((go) => setTimeout(go, 2));
  return performance.now() - began; }"""


def main(facts: int = 10_000, rounds: int = 15) -> None:
    """Print both medians and their ratio."""
    room = Path(tempfile.mkdtemp(prefix="ce-bench-"))
    book = BOOK.format(file=str(room / "bench.db"), facts=facts)
    harness.notebook(room / "bench.ipynb", book, "table = forest.controls(patience=0)\ntable")
    bare, whole = [], []
    with harness.jupyterlab(room) as url, harness.browser() as page:
        harness.open_notebook(page, url, "bench.ipynb")
        harness.run_all(page, timeout=600_000)
        page.wait_for_selector(".ce-table h2")
        for _ in range(rounds):  # interleaved, so that a busy machine is as unkind to both
            page.wait_for_timeout(200)
            bare.append(page.evaluate(CLICK, ["empty", ".widget-label"]))
            page.wait_for_timeout(200)
            whole.append(page.evaluate(CLICK, ["Quiet watch", ".ce-table .ce-head"]))
    limit, ours = statistics.median(bare), statistics.median(whole)
    print(f"P10  empty button {limit:.0f} ms · click with everything redrawn {ours:.0f} ms · {ours / limit:.2f}x")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
