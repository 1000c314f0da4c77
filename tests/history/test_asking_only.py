"""Asking is asking: one statement that reads. Nothing asked changes a later answer, a setting or a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from chronicle import Campaign, Chronicle
from chronicle.cli import chronicle
from chronicle.history.found import BadQuery
from chronicle.values import Nonsense

WRITES = (
    "COMMIT; UPDATE store.noted SET text = 'forged'",
    "COMMIT; UPDATE store.noted SET text = 'forged'; SELECT 1",
    "ROLLBACK; DELETE FROM store.noted",
    "SELECT 1; COMMIT",
    "SELECT 1; SELECT 2",
    "SELECT 1;\x00COMMIT",
    "/* SELECT */ COMMIT -- SELECT",
    "BEGIN TRANSACTION",
    "COMMIT",
    "UPDATE store.noted SET text = 'forged'",
    "DELETE FROM store.rolled",
    "INSERT INTO store.noted SELECT * FROM store.noted",
    "MERGE INTO store.noted n USING store.noted m ON n._v = m._v WHEN MATCHED THEN DELETE",
    "TRUNCATE store.noted",
    "WITH x AS (DELETE FROM store.rolled RETURNING 1) SELECT * FROM x",
    "WITH x AS (UPDATE store.noted SET text = 'forged' RETURNING 1) FROM x",
    "EXPLAIN ANALYZE DELETE FROM store.noted",
    "EXPLAIN (ANALYZE, FORMAT json) UPDATE store.noted SET text = 'forged'",
    "DROP VIEW turns",
    "DROP TABLE store.noted",
    "ALTER TABLE store.noted ADD COLUMN x INTEGER",
    "CREATE OR REPLACE VIEW noted AS SELECT 'forged' AS text",
    "CREATE TEMP VIEW noted AS SELECT 'forged' AS text",
    "CREATE TEMP TABLE noted AS SELECT 'forged' AS text",
    "CREATE TABLE noted_too AS PIVOT turns ON command USING count(*)",
    "INSERT INTO store.noted PIVOT store.noted ON text USING count(*)",
    "CREATE OR REPLACE MACRO count(x) AS 0",
    "COMMENT ON TABLE store.noted IS 'forged'",
    "PREPARE p AS DELETE FROM store.noted",
    "EXECUTE p",
    "CALL force_checkpoint()",
    "CHECKPOINT",
    "VACUUM",
    "SELECT * FROM query('DELETE FROM store.noted')",
    "SELECT * FROM query('SELECT 1; DELETE FROM store.noted')",
    "SET threads = 1",
    "SET VARIABLE one_campaign = 1",
    "SET search_path = 'store'",
    "RESET threads",
    "USE store",
    "PRAGMA enable_profiling",
    "PRAGMA threads = 1",
    "SELECT * FROM enable_logging('QueryLog')",
    "DETACH memory",
    "",
    " ; -- nothing",
)

FILES = (
    "COPY noted TO '.tmp/x.csv'",
    "COPY (SELECT 1) TO '{folder}/x.csv'",
    "COPY (PIVOT turns ON command USING count(*)) TO '{folder}/x.csv'",
    "EXPLAIN ANALYZE COPY (SELECT 1) TO '{folder}/x.csv'",
    "EXPLAIN (ANALYZE) COPY (SELECT 1) TO '{folder}/x.csv'",
    "ATTACH '{folder}/x.duckdb' AS x",
    "ATTACH '.tmp/x.duckdb' AS x",
    "ATTACH ':memory:' AS x",
    "EXPORT DATABASE '{folder}/all'",
    "IMPORT DATABASE '{folder}/all'",
    "SET temp_directory = '{folder}'",
    "SET enable_external_access = true",
    "SELECT * FROM enable_profiling(save_location = '{folder}/x.json')",
    "SELECT * FROM enable_logging(storage = 'file', storage_config = {{'path': '{folder}/log'}})",
    "INSTALL httpfs",
    "LOAD httpfs",
    "CREATE SECRET (TYPE s3)",
)

READS = (
    "SELECT * FROM read_csv('{file}')",
    "SELECT * FROM read_text('{file}')",
    "SELECT * FROM read_blob('{file}')",
    "SELECT * FROM read_json('{file}')",
    "SELECT * FROM read_parquet('{file}')",
    "SELECT * FROM read_duckdb('{file}')",
    "SELECT * FROM sniff_csv('{file}')",
    "SELECT * FROM glob('{folder}/*')",
    "SELECT * FROM '{file}'",
    "FROM query('SELECT * FROM read_text(''{file}'')')",
    "FROM query_table('{file}')",
    "FROM read_text('.tmp/*')",
    "DESCRIBE SELECT * FROM read_csv('{file}')",
    "SUMMARIZE SELECT * FROM read_csv('{file}')",
    "EXPLAIN SELECT * FROM read_csv('{file}')",
    "PIVOT read_csv('{file}') ON name USING count(*)",
)

ASKS = (
    "SELECT count(*) FROM noted",
    "select text from noted;",
    "-- what was said\nSELECT text FROM noted -- and no more",
    "WITH n AS (SELECT text FROM noted) FROM n",
    "FROM noted SELECT text",
    "(SELECT 1) UNION ALL (SELECT 2)",
    "VALUES (1), (2)",
    "TABLE noted",
    "DESCRIBE noted",
    "SUMMARIZE noted",
    "SHOW TABLES",
    "EXPLAIN SELECT * FROM turns",
    "PIVOT turns ON command USING count(*)",
    "FROM (PIVOT turns ON command USING count(*))",
    "WITH a AS (PIVOT turns ON command USING count(*)) FROM a",
    "EXPLAIN PIVOT turns ON command USING count(*)",
)


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Chronicle]:
    """A book with one open note, in a folder of its own that is the working folder, too."""
    monkeypatch.chdir(tmp_path)
    with Chronicle(tmp_path / "forest.db") as book:
        book.begin("Forest", "bleak_forest").do.note("as it was")
        yield book


def ways(book: Chronicle) -> dict[str, Callable[[str], Any]]:
    """Every way in which somebody can ask in SQL."""
    campaign = book["Forest"]

    def typed(*more: str) -> Callable[[str], Any]:
        def ask(query: str) -> Any:
            result = CliRunner().invoke(chronicle, ["sql", "forest.db", *more, "--", query], prog_name="chronicle")
            assert result.exception is None or isinstance(result.exception, SystemExit), query
            if result.exit_code:
                raise Nonsense(result.output)
            return result.output

        return ask

    return {
        "campaign": lambda query: campaign.sql(query).fetchall(),
        "book": lambda query: book.sql(query).fetchall(),
        "players": lambda query: campaign.history("players").sql(query).fetchall(),
        "typed": typed(),
        "typed for players": typed("--for", "players"),
        "typed for all": typed("--all"),
    }


WAYS = ("campaign", "book", "players", "typed", "typed for players", "typed for all")


@pytest.mark.parametrize("way", WAYS)
def test_nothing_asked_changes_a_later_answer_or_a_file(book: Chronicle, tmp_path: Path, way: str) -> None:
    """GIVEN each of many attacks, WHEN asked, THEN a sentence, and every way answers afterwards what it did before."""
    ask = ways(book)[way]
    (tmp_path / ".tmp").mkdir()
    before = contents(book), files(tmp_path)
    attacks = (*WRITES, *FILES)
    assert len(attacks) >= 60
    # What is typed in a shell is asked of a history made anew each time: some of them are enough.
    for query in attacks if not way.startswith("typed") else attacks[WAYS.index(way) :: 8]:
        with pytest.raises(Nonsense) as refused:
            ask(query.format(folder=tmp_path))
        assert str(refused.value).strip()
        assert contents(book) == before[0], query
        assert files(tmp_path) == before[1], query


@pytest.mark.parametrize("way", ["players", "typed for players"])
def test_an_audiences_question_reads_no_file(book: Chronicle, tmp_path: Path, way: str) -> None:
    """Not by any function, not through a pivot or an EXPLAIN, not in the folder where DuckDB would put what is left."""
    (tmp_path / ".tmp").mkdir()
    for file in (tmp_path / "people.csv", tmp_path / ".tmp" / "people.csv"):
        file.write_text("name\nzqsecret\n")
    ask = ways(book)[way]
    for query in READS if way == "players" else READS[::4]:
        with pytest.raises(Nonsense) as refused:
            ask(query.format(folder=tmp_path, file=tmp_path / "people.csv"))
        assert "zqsecret" not in str(refused.value), query


@pytest.mark.parametrize("way", WAYS)
def test_whatever_only_reads_is_asked(book: Chronicle, way: str) -> None:
    """Every kind of question that DuckDB knows is answered."""
    ask = ways(book)[way]
    for query in ASKS if not way.startswith("typed") else ASKS[WAYS.index(way) :: 6]:
        assert ask(query), query


def test_the_GM_may_lay_a_file_of_their_own_beside_the_log(book: Chronicle, tmp_path: Path) -> None:
    """Reading a table of one's own is a question, too."""
    (tmp_path / "people.csv").write_text("name\nOda\n")
    assert book["Forest"].sql(f"SELECT name FROM read_csv('{tmp_path}/people.csv')").fetchall() == [("Oda",)]


def test_the_refusal_says_what_can_be_asked(book: Chronicle) -> None:
    """One sentence that names what was tried and what to do instead."""
    campaign = book["Forest"]
    with pytest.raises(BadQuery, match=r"^UPDATE is no question, and nothing in a history can be changed: ask with S"):
        campaign.sql("UPDATE store.noted SET text = ''")
    with pytest.raises(BadQuery, match=r"^That is 2 statements; one is asked at a time: ask with SELECT"):
        campaign.sql("COMMIT; UPDATE store.noted SET text = ''")
    with pytest.raises(BadQuery, match=r"^Nothing is asked: ask with"):
        campaign.sql("")
    with pytest.raises(BadQuery, match=r"^COPY is no question"):
        campaign.sql("COPY (PIVOT turns ON command USING count(*)) TO 'x.csv'")
    with pytest.raises(BadQuery, match=r"^EXPLAIN ANALYZE is no question"):
        campaign.sql("EXPLAIN ANALYZE SELECT 1")


@pytest.mark.parametrize("who", ["gm", "players"])
def test_an_answer_is_read_and_never_written(book: Chronicle, tmp_path: Path, who: str) -> None:
    """GIVEN what a query found, WHEN any method that a DuckDB relation writes with is called, THEN nothing changes."""
    import duckdb

    campaign = book["Forest"]
    before = contents(book), files(tmp_path)
    found = campaign.history(who).sql("SELECT text, 1 AS n FROM noted")
    for name in ("query", "execute", "create", "create_view", "to_table", "to_view", "insert", "insert_into", "update",
                 "map", "connection", "_con", "close"):  # fmt: skip
        with pytest.raises(AttributeError):
            getattr(found, name)
    for query in ("COMMIT", "1=1; COMMIT", "n) FROM noted; COMMIT; DELETE FROM store.noted; --"):
        for method in (found.filter, found.project, found.order, found.aggregate):
            with pytest.raises(BadQuery):
                method(query).fetchall()
    assert found.filter("n = 1").order("text").fetchall() == [("as it was", 1)]
    assert found.union(found).aggregate("count(*)").fetchall() == [(2,)]
    assert found.columns == ["text", "n"]
    assert len(found) == 1
    assert "as it was" in repr(found)
    assert "fetchall" in dir(found)
    assert not isinstance(found, duckdb.DuckDBPyRelation)
    if who == "players":
        with pytest.raises(BadQuery, match="disabled"):
            found.to_csv(str(tmp_path / "x.csv"))
    assert (contents(book), files(tmp_path)) == before


def contents(book: Chronicle) -> list[Any]:
    """What everybody is answered."""
    campaign: Campaign = book["Forest"]
    found: list[Any] = []
    for who in (book, campaign, campaign.history("players")):
        found.append(who.sql("SELECT text FROM noted").fetchall())
        found.append(sorted(who.sql("SELECT table_name FROM duckdb_tables()").fetchall()))
        found.append(sorted(who.sql("SELECT view_name FROM duckdb_views()").fetchall()))
        found.append(who.sql("SELECT count(*) FROM rolled").fetchall())
        found.append(who.sql("SELECT current_setting('threads'), current_setting('search_path')").fetchall())
        found.append(who.sql("SELECT database_name FROM duckdb_databases()").fetchall())
    return found


def files(folder: Path) -> list[str]:
    """The names of everything in a folder, the database's own aside."""
    return sorted(str(one.relative_to(folder)) for one in folder.rglob("*") if not one.name.startswith("forest.db"))
