"""Reading: through indexes, with a finite set of statements, whatever the values are."""

import gc
import itertools
import json
import random
import re
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw
import pytest
from tests.stores.making import HERE, MODEL, NOW, TENANT, insert, made, opened, seen, with_vector
from tests.stores.making import write as put

from engraphy.errors import InvalidInputError, NotFoundError
from engraphy.model.change import Growth, Insert, PutFact, PutRelation, Touch
from engraphy.model.kinds import Kind, RelationType, Sensitivity, State
from engraphy.model.query import FactFilter, Listing, Term, View
from engraphy.model.records import Fact, Relation
from engraphy.model.scope import Scope, Tenant
from engraphy.stores.relational.sql import QUERIES
from engraphy.stores.sqlite import SqliteStore
from engraphy.stores.sqlite.connection import Target, connect

HOSTILE = ["a", "a%", "a_", "A", "ａ", "a/", "*", "", "' OR 1=1--", '"', ":s0", "?1", "{gate}"]


@contextmanager
def statements(store: SqliteStore) -> Iterator[list[str]]:
    """The SQL texts executed inside."""
    found: list[str] = []

    def note(cursor: apsw.Cursor, text: str, bound: object) -> bool:
        found.append(text)
        return True

    with store._file.plain() as connection:  # noqa: SLF001 - its own connection is traced
        connection.exec_trace = note
        try:
            yield found
        finally:
            connection.exec_trace = None


def _everything(store: SqliteStore, view: View, word: str) -> None:
    """Every read with a value of the caller's in each place."""
    terms = [Term(term=word, surface=word), Term(term="words", surface="words")]
    store.get(view, [word, "m1"])
    store.find_hash(view, word)
    listing = Listing(
        category=word, tag=word, concept=word, file=word, entity=word, speaker=word,
        content_hash=word, kinds=frozenset({Kind.FACT}), since=0, until=NOW, pinned=True,
        immutable=False,
    )  # fmt: skip
    store.page(view, listing)
    store.count(view, listing)
    store.versions(view, word)
    store.search_text(view, terms, 5)
    store.search_vector(view, MODEL, (1.0, 0.0), 5)
    store.search_vector(view, word, (1.0, 0.0), 5)
    store.candidates(view, [word, "m1"], model_id=MODEL, vector=(1.0, 0.0), neighbours=1)
    store.relations(view, [word, "m1"], hops=2, types=frozenset({word}))
    store.coactivations(view, [word], 1)
    store.facts(view, FactFilter(subject=word, predicate=word, object=word, source_id=word))
    store.episode(view, word)
    store.procedure(view, word)
    store.session_state(view, word)
    store.entity_names(view, 5)
    store.sessions(view, 5, NOW)
    store.stats(view)
    list(store.dump(view))
    store.missing_vectors(view.scope.tenant, word, 5)
    store.stored_models(view.scope.tenant)
    store.journal(view.scope.tenant)
    store.scopes(view.scope.tenant)


def _views(value: str) -> Iterator[View]:
    for walls, session, moments in itertools.product([None, value], [None, value], [None, NOW]):
        scope = Scope(tenant=Tenant(value), user=walls, agent=value, project=walls, session=value)
        yield View(
            scope=scope,
            now=NOW,
            session=session,
            closed_session=walls is None,
            as_of=moments,
            known_at=moments,
            kinds=frozenset({Kind.FACT}) if session is None else frozenset(),
            states=frozenset({State.ACTIVE, State.EXPIRED}) if moments else frozenset(State),
        )


@pytest.mark.long
def test_the_set_of_statements_is_finite(tmp_path: Path) -> None:
    """Hostile names and values change no SQL text: they travel as bindings only (P-20)."""
    store = opened(tmp_path)
    chance = random.Random(1)
    seen_texts: list[set[str]] = []
    for values in (HOSTILE, ["".join(chance.choices("ab%_'\"\\;-{}:", k=9)) for _ in range(12)]):
        with statements(store) as found:
            for value in values:
                for view in _views(value):
                    _everything(store, view, value)
        seen_texts.append(set(found))
    first, second = seen_texts
    assert second <= first
    store.close()


def test_every_named_query_is_used() -> None:
    """No query lies about: each name occurs in the code."""
    folder = Path(__file__).parents[2] / "src/engraphy/stores"
    code = "".join(file.read_text() for file in folder.rglob("*.py"))
    assert [name for name in QUERIES if f'"{name}"' not in code] == []


def _filled(folder: Path) -> SqliteStore:
    store = opened(folder)
    changes = [
        with_vector(
            made(
                f"m{number}",
                f"words {number} zebra{number % 7}",
                scope=replace(HERE, user=f"u{number % 5}", session=f"s{number % 9}"),
                tags=(f"t{number % 3}",),
                files_read=(f"f{number % 3}",),
                entities=(f"e{number % 3}",),
                state=State.DORMANT if number % 4 == 0 else State.ACTIVE,
            ),
            1.0,
            float(number),
        )
        for number in range(60)
    ]
    put(store, *changes)
    fact = Fact(id="f", scope=HERE, subject="s", predicate="p", object="o", source_id="m1")
    relation = Relation(source_id="m1", target_id="m6", type=RelationType.CAUSES)
    put(store, PutFact(fact=fact), PutRelation(relation=relation))
    return store


def _plan(connection: apsw.Connection, text: str) -> list[Any]:
    names = re.findall(r":(\w+)", text)
    bound = dict.fromkeys(names) if names else (None,) * text.count("?")
    return connection.execute(f"EXPLAIN QUERY PLAN {text}", bound).fetchall()


def test_reads_go_through_indexes(tmp_path: Path) -> None:
    """No frequent read walks over a whole table of rows (D-60)."""
    store = _filled(tmp_path)
    view = seen(replace(HERE, user="u1", session="s1"))
    with statements(store) as found:
        for listing in (Listing(), Listing(tag="t1"), Listing(order="importance", limit=5)):
            store.page(view, listing)
            store.count(view, listing)
        _everything(store, replace(view, session="s1"), "x")
        _everything(store, view, "x")
        put(store, Insert(memory=made("new", scope=view.scope)))
    kept = {"memories", "vectors", "facts", "relations", "memory_journal", "journal_texts"}
    kept |= {"memory_labels", "versions", "memory_imprints", "coactivations", "scopes"}
    aliases = {"m", "n", "v", "f", "j", "l", "g", "t", "i", "s", "e"} | kept
    walked = []
    with store._file.plain() as connection:  # noqa: SLF001 - it has the scoring function
        for text in dict.fromkeys(found):
            if text.startswith(("SELECT", "UPDATE", "DELETE")):
                for _, _, _, detail in _plan(connection, text):
                    words = detail.split()
                    if words[0] == "SCAN" and words[1] in aliases and "INDEX" not in words:
                        walked.append((detail, text))
    assert walked == []
    store.close()


def test_pages_begin_behind_a_known_row(tmp_path: Path) -> None:
    """A page begins behind a row that was shown; an unknown one is an error, not a fresh start."""
    store = _filled(tmp_path)
    view = seen(replace(HERE, user="u1"))
    for other in ("missing", "m2"):
        with pytest.raises(NotFoundError):
            store.page(view, Listing(after=other))
    with pytest.raises(InvalidInputError, match="newest"):
        store.page(view, Listing(order="sideways"))  # type: ignore[arg-type]
    store.close()


def test_statistics_are_those_of_the_sensitivities_too(tmp_path: Path) -> None:
    """Counts of words tell nothing of private and secret rows to who may not see them."""
    store = opened(tmp_path)
    insert(store, made("a", "zebra yak"))
    terms = [Term(term="zebra", surface="zebra")]
    before = store.search_text(seen(), terms, 9)
    levels = (Sensitivity.PRIVATE, Sensitivity.SECRET)
    insert(store, *(made(f"{level}{n}", f"zebra {n}", sensitivity=level) for level in levels
                    for n in range(3)))  # fmt: skip
    assert store.search_text(seen(), terms, 9) == before
    wide = store.search_text(seen(sensitivities=frozenset(Sensitivity)), terms, 9)
    assert (wide.documents, dict(wide.document_frequency)) == (7, {"zebra": 7})
    store.close()


def test_scores_do_not_depend_on_what_is_behind_walls(tmp_path: Path) -> None:
    """The same memories score the same, whoever else uses the file (P-08)."""
    (tmp_path / "alone").mkdir()
    (tmp_path / "shared").mkdir()
    alone, shared = opened(tmp_path / "alone"), opened(tmp_path / "shared")
    chance = random.Random(7)
    words = [f"word{number}" for number in range(60)]
    mine = [made(f"m{n}", " ".join(chance.choices(words, k=12))) for n in range(80)]
    foreign = [
        made(f"x{n}", " ".join(chance.choices(words, k=30)), scope=replace(HERE, user="x"))
        for n in range(120)
    ]
    for row in mine:
        insert(alone, row)
        insert(shared, row, foreign.pop())
    terms = [Term(term=word, surface=word, weight=1.0) for word in words[:9]]
    assert alone.search_text(seen(), terms, 50) == shared.search_text(seen(), terms, 50)
    alone.close()
    shared.close()


def test_a_tenant_sees_its_own_journal_only(tmp_path: Path) -> None:
    """Each tenant's chain is whole by itself and begins with the same root."""
    store = opened(tmp_path)
    for number in range(3):
        for tenant in (TENANT, Tenant("other")):
            row = made(f"{tenant}{number}", scope=Scope(tenant=tenant))
            store.apply(tenant, [Insert(memory=row)], now=NOW, actor="test")
    for tenant in (TENANT, Tenant("other")):
        lines = store.journal(tenant)
        assert [line.previous_hash for line in lines] == ["00" * 32] + [
            line.hash for line in lines[:-1]
        ]
        assert store.journal(tenant, after=lines[0].seq, limit=1) == lines[1:2]
    store.close()


def test_statements_keep_their_plan_whatever_is_bound(tmp_path: Path) -> None:
    """SQLite prepares no statement anew because other values are bound to it."""
    connection = connect(Target(path=str(tmp_path / "store.db")))
    assert connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, -1) == 1
    connection.close()


def test_a_delivery_counts_each_naming_and_grows_once(tmp_path: Path) -> None:
    """What is named twice is delivered twice; within the gap it counts as one retrieval, and the
    journal tells the same."""
    store = opened(tmp_path)
    insert(store, made("a"), made("b", state=State.DORMANT))
    growth = (Growth(stability_factor=2.0, storage_gain=1.0),) * 3
    put(store, Touch(ids=("a", "b", "a"), growth=growth, gap=1_000), now=NOW + 10)
    first, second = store.get(seen(), ["a", "b"])
    assert (first.access_count, second.access_count) == (2, 1)
    assert (first.stability, second.stability) == (2.0, 2.0)
    assert second.state is State.ACTIVE
    told = json.loads(store.journal(TENANT, limit=10)[-1].payload or "{}")["touch"]
    assert [one[0] for one in told["grown"]] == [0, 1]
    with pytest.raises(NotFoundError):
        put(store, Touch(ids=("a", "missing")))
    assert store.get(seen(), ["a"])[0].access_count == 2


def test_reads_at_once_are_of_one_moment(tmp_path: Path) -> None:
    """Reads of a thread that belong together begin once and see one state, and small questions
    among them are asked once; what others wrote meanwhile is seen after letting go."""
    store = opened(tmp_path)
    insert(store, made("a"))
    other = opened(tmp_path)
    with statements(store) as told, store.at_once():
        assert [row.id for row in store.get(seen(), ["a", "b"])] == ["a"]
        insert(other, made("b"))
        assert [row.id for row in store.get(seen(), ["a", "b"])] == ["a"]
        assert not store.any_asleep(seen())
        assert [told.count("BEGIN"), told.count("COMMIT")] == [1, 0]
        assert sum("ORDER BY id" in text for text in told) == 1
        store.let_go()
        assert [row.id for row in store.get(seen(), ["a", "b"])] == ["a", "b"]
    assert [told.count("BEGIN"), told.count("COMMIT")] == [2, 2]
    other.close()
    store.close()


def test_questions_leave_nothing_behind(tmp_path: Path) -> None:
    """What a connection holds on to does not grow with the questions it has answered: APSW keeps a
    cursor that was closed while an older one was open, and each statement looks through those."""
    store = opened(tmp_path)
    put(store, *(with_vector(made(f"m{number}"), 1.0, float(number)) for number in range(4)))

    def held() -> int:
        for _ in range(3):
            store.candidates(seen(), ["m1", "m2"], model_id=MODEL, vector=(1.0, 0.0), neighbours=2)
            store.search_text(seen(), [Term(term="words", surface="words")], 5)
            store.search_vector(seen(), MODEL, (1.0, 0.0), 5)
            store.get(seen(), ["m1"])
        gc.collect()
        return sum(isinstance(one, weakref.ref) for one in gc.get_objects())

    held()
    before = held()
    assert [held() - before for _ in range(3)] == [0, 0, 0]
    store.close()
