"""Search at size: approximate paths stay close to the exact ones, and follow every change."""

import random
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from time import process_time, sleep

import numpy as np
import pytest
from tests.raw import raw
from tests.stores.making import HERE, MODEL, TENANT, insert, made, opened, seen, with_vector, write

from engraphy.errors import InvalidInputError
from engraphy.model.change import Forget, Insert, Update, VectorRow
from engraphy.model.kinds import State
from engraphy.model.memory import Memory
from engraphy.model.query import Term
from engraphy.stores.relational import scoring, segments, terms, vectors
from engraphy.stores.sqlite import SqliteStore
from engraphy.stores.sqlite import text as texts

DIM = 64


@pytest.fixture(params=[100, 32_768], ids=["turned", "scanned"])
def small_segments(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Bounds so low that a few hundred rows take the path of a hundred thousand, or of a few
    thousand."""
    monkeypatch.setattr(segments, "SCANNED", request.param)
    monkeypatch.setattr(segments, "EXACT", 50)
    monkeypatch.setattr(scoring, "_BLOCK", 128)
    monkeypatch.setattr(segments, "_LOADED", 100)
    monkeypatch.setattr(vectors, "EXACT", 50)
    monkeypatch.setattr(vectors, "RESCORED", 60)


def _clouds(count: int, seed: int) -> np.ndarray:
    chance = np.random.default_rng(seed)
    centres = chance.standard_normal((20, DIM))
    found = centres[chance.integers(0, 20, count)] + 0.6 * chance.standard_normal((count, DIM))
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def _rows(given: np.ndarray, prefix: str = "v", **fields: object) -> list[Insert]:
    return [
        with_vector(made(f"{prefix}{number}", **fields), *map(float, row))
        for number, row in enumerate(given)
    ]


def _top(store: SqliteStore, asked: np.ndarray, limit: int = 10, **view: object) -> list[str]:
    found = store.search_vector(seen(**view), MODEL, asked.tolist(), limit)
    scores = [match.cosine for match in found]
    assert scores == sorted(scores, reverse=True)
    return [match.id for match in found]


@pytest.mark.long
@pytest.mark.usefixtures("small_segments")
def test_signs_and_codes_find_what_the_exact_product_finds(tmp_path: Path) -> None:
    """Sign bits with a second look at the codes keep nearly all of the exact top ten."""
    store, given = opened(tmp_path), _clouds(900, 1)
    write(store, *_rows(given))
    noise = np.random.default_rng(2).standard_normal((40, DIM)) / 20
    questions = given[:40] + noise
    shared = 0
    for asked in questions:
        exact = [f"v{number}" for number in np.argsort(-(given @ asked))[:10]]
        shared += len(set(exact) & set(_top(store, asked)))
    assert shared >= 0.95 * 10 * len(questions)
    store.close()


@pytest.mark.long
@pytest.mark.parametrize("lost", [pytest.param(0, marks=pytest.mark.slow), 3])
def test_vectors_that_point_the_same_way_are_told_apart(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lost: int
) -> None:
    """Where all vectors lean far to one side, as those of a table of tokens do, their signs say
    little: turned about their middle they find nearly all of the exact top ten, also of what was
    added, and after some are gone."""
    monkeypatch.setattr(segments, "EXACT", 50)
    monkeypatch.setattr(segments, "SCANNED", 100)
    chance = np.random.default_rng(11)
    given = 3.0 * chance.standard_normal(DIM) + _clouds(3_000, 12) * np.sqrt(DIM)
    given /= np.linalg.norm(given, axis=1, keepdims=True)
    store = opened(tmp_path)
    write(store, *_rows(given[:2_500]))
    for _ in range(2):
        _top(store, given[0])
    write(store, *(Forget(id=f"v{number}") for number in range(lost)))
    write(
        store,
        *[
            replace(one, memory=replace(one.memory, id=f"w{n}", content=f"words {n}"))
            for n, one in enumerate(_rows(given[2_500:]))
        ],
    )
    names = [*(f"v{number}" for number in range(2_500)), *(f"w{n}" for n in range(500))]
    shared, questions = 0, given[10:3_000:75] + chance.standard_normal((40, DIM)) / 60
    for asked in questions:
        exact = [names[n] for n in np.argsort(-(given @ asked)) if n >= lost][:10]
        shared += len(set(exact) & set(_top(store, asked)))
    assert shared >= 0.95 * 10 * len(questions)
    store.close()


@pytest.mark.usefixtures("small_segments")
def test_a_loaded_scope_follows_every_change(tmp_path: Path) -> None:
    """What another opening inserts, re-embeds, moves or forgets shows at the next search."""
    store, writer = opened(tmp_path), opened(tmp_path)
    given = _clouds(300, 3)
    write(writer, *_rows(given))
    asked = _clouds(1, 4)[0]
    assert len(_top(store, asked, 400)) == 300
    write(writer, with_vector(made("twin"), *map(float, asked)))
    assert _top(store, asked, 1) == ["twin"]
    (held,) = writer.get(seen(), ["twin"])
    turned = replace(held, content="other words", version=2)
    vector = VectorRow(model_id=MODEL, parts=(tuple(map(float, -asked)),))
    write(writer, Update(memory=turned, expected=held, vector=vector))
    assert _top(store, asked, 400)[-1] == "twin"
    moved = replace(turned, scope=replace(HERE, user="u"))
    write(writer, Update(memory=moved, expected=turned))
    assert "twin" not in _top(store, asked, 400)
    assert "twin" in _top(store, asked, 400, scope=moved.scope)
    assert [check.detail for check in store.check(deep=True) if not check.ok] == []
    write(writer, *(Forget(id=f"v{number}") for number in range(100)))
    assert len(_top(store, asked, 400)) == 200
    store.close()
    writer.close()


@pytest.mark.usefixtures("small_segments")
def test_light_rows_carry_the_cosine_of_the_vector_that_stands(tmp_path: Path) -> None:
    """The cosine of a row is that of the file, whether its codes are in memory or not, and follows
    a vector that another opening replaces; of several parts the best counts."""
    store, writer = opened(tmp_path), opened(tmp_path)
    given = _clouds(200, 5)
    write(writer, *_rows(given))
    several = VectorRow(model_id=MODEL, parts=tuple(tuple(map(float, row)) for row in given[1:4]))
    write(writer, Insert(memory=made("several"), vector=several))
    asked = given[3]

    def cosine(id: str) -> float:
        ids = {"model_id": MODEL, "vector": asked.tolist()}
        (light,) = store.candidates(seen(), [id], **ids)
        assert light.cosine is not None
        return light.cosine

    for _ in range(3):
        assert cosine("v7") == pytest.approx(float(given[7] @ asked), abs=0.02)
        assert cosine("several") == pytest.approx(1.0, abs=0.02)
        _top(store, asked)
    (held,) = writer.get(seen(), ["v7"])
    turned = replace(held, content="other words", version=2)
    vector = VectorRow(model_id=MODEL, parts=(tuple(map(float, -asked)),))
    write(writer, Update(memory=turned, expected=held, vector=vector))
    assert cosine("v7") == pytest.approx(-1.0, abs=0.02)


def test_a_cosine_does_not_depend_on_what_stands_beside_it(tmp_path: Path) -> None:
    """A memory has the same cosine to the last digit in whatever order and beside however many
    others it is asked for, as the order of a set differs from process to process."""
    store, given = opened(tmp_path), _clouds(47, 7)
    write(store, *_rows(given))
    ids, told = [f"v{number}" for number in range(len(given))], set()
    for seed, many in enumerate((47, 47, 46, 43, 29, 13, 7, 5, 3, 2, 1)):
        random.Random(seed).shuffle(ids)
        rows = store.candidates(seen(), ids[:many], model_id=MODEL, vector=given[0].tolist())
        told.update((row.id, row.cosine) for row in rows)
    assert len(told) == len(ids)
    store.close()


@pytest.mark.usefixtures("small_segments")
def test_what_was_lost_before_its_codes_were_read_breaks_no_search(tmp_path: Path) -> None:
    """A scope whose signs are in memory and not its codes yet loses rows to another opening, and
    gains others: every search afterwards finds what stands."""
    store, writer = opened(tmp_path), opened(tmp_path)
    given = _clouds(203, 6)
    write(writer, *_rows(given[:200]))
    _top(store, given[0])
    write(writer, *(Forget(id=f"v{number}") for number in range(5)))
    for number in range(200, 203):
        assert "v0" not in _top(store, given[0], 400)
        write(writer, with_vector(made(f"v{number}"), *map(float, given[number])))
        assert _top(store, given[number], 1) == [f"v{number}"]
    store.close()
    writer.close()


def test_a_row_that_may_not_be_seen_is_no_neighbour(tmp_path: Path) -> None:
    """Beside a row stand the next ones that may be seen, however many between may not."""
    store = opened(tmp_path)
    here = replace(HERE, session="s")
    states = [State.ACTIVE, State.SUPERSEDED, State.SUPERSEDED, State.ACTIVE, State.ACTIVE]
    rows = [made(f"m{n}", scope=here, state=state) for n, state in enumerate([*states, *states])]
    insert(store, *rows)
    around = {one.id: one for one in store.candidates(seen(), ["m4"], neighbours=2)}
    assert set(around) == {"m0", "m3", "m4", "m5", "m8"}
    assert (around["m3"].previous_id, around["m4"].next_id) == ("m0", "m5")
    assert (around["m5"].next_id, around["m8"].previous_id) == ("m8", "m5")


@pytest.mark.long
@pytest.mark.usefixtures("small_segments")
def test_rows_that_are_hidden_make_room(tmp_path: Path) -> None:
    """However many of the nearest are hidden, the nearest visible ones come back."""
    store, given = opened(tmp_path), _clouds(400, 5)
    changes = _rows(given)
    asked = given[0]
    order = np.argsort(-(given @ asked))
    visible = {int(number) for number in order[390:]}
    hidden = [
        replace(change, memory=replace(change.memory, state=State.SUPERSEDED))
        if number not in visible
        else change
        for number, change in enumerate(changes)
    ]
    write(store, *hidden)
    assert set(_top(store, asked, 10)) == {f"v{number}" for number in visible}
    assert len(_top(store, asked, 10, states=frozenset({State.SUPERSEDED}))) == 10
    store.close()


def test_best_part_speaks_for_a_memory(tmp_path: Path) -> None:
    """A memory of several parts appears once, with the part that fits best."""
    store = opened(tmp_path)
    parts = ((1.0, 0.0), (0.6, 0.8), (0.0, 1.0))
    write(store, Insert(memory=made("m"), vector=VectorRow(model_id=MODEL, parts=parts)))
    write(store, with_vector(made("n"), 0.8, 0.6))
    found = store.search_vector(seen(), MODEL, (0.0, 1.0), 9)
    assert [(match.id, round(match.cosine, 1)) for match in found] == [("m", 1.0), ("n", 0.6)]
    store.close()


@pytest.mark.long
@pytest.mark.usefixtures("small_segments")
def test_a_search_leaves_the_process_at_rest(tmp_path: Path) -> None:
    """Once long vectors are read, turned and compared no processor is busy: threads that the
    library of products woke would spin on. (Where there is one processor it has no threads.)"""
    store, chance = opened(tmp_path), np.random.default_rng(31)
    for name in "abc":
        parts = tuple(map(tuple, chance.standard_normal((400, 1_024)).tolist()))
        write(store, Insert(memory=made(name), vector=VectorRow(model_id=MODEL, parts=parts)))
    for _ in range(3):
        sleep(0.2)
        assert store.search_vector(seen(), MODEL, chance.standard_normal(1_024).tolist(), 3)
        before = process_time()
        sleep(0.1)
        assert process_time() - before < 0.03
    store.close()


def test_vectors_of_the_wrong_shape_are_input_errors(tmp_path: Path) -> None:
    """Another dimension, or numbers that are none, are refused on both ways."""
    store = opened(tmp_path)
    write(store, with_vector(made("m"), 1.0, 0.0))
    for numbers in ((1.0, 0.0, 0.0), (float("nan"), 0.0), (float("inf"), 0.0)):
        with pytest.raises(InvalidInputError):
            write(store, with_vector(made("bad"), *numbers))
        with pytest.raises(InvalidInputError):
            store.search_vector(seen(), MODEL, numbers, 5)
    assert store.get(seen(), ["bad"]) == []
    assert store.stored_models(TENANT) == {MODEL: 1}
    store.close()


def _talk(count: int, seed: int) -> list[Memory]:
    chance = random.Random(seed)
    words = [f"w{number}" for number in range(3000)]
    shares = [1 / (number + 1) for number in range(3000)]
    return [
        made(f"m{number}", " ".join(chance.choices(words, shares, k=12)) + f" n{number}")
        for number in range(count)
    ]


def _found(store: SqliteStore, words: list[str], limit: int = 20) -> list[str]:
    asked = [Term(term=word, surface=word) for word in words]
    return [match.id for match in store.search_text(seen(), asked, limit).matches]


@pytest.mark.long
def test_bounded_search_is_close_to_the_unbounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Letting rare terms choose keeps most of what scoring every row would find, and the best."""
    store = opened(tmp_path)
    insert(store, *_talk(2500, 1))
    chance = random.Random(2)
    questions = [
        [f"w{chance.randrange(40)}", *(f"w{chance.randrange(40, 900)}" for _ in range(4))]
        for _ in range(30)
    ]
    monkeypatch.setattr(terms, "ENOUGH", 10**9)
    monkeypatch.setattr(terms, "POSTINGS", 10**9)
    exact = [_found(store, question) for question in questions]
    monkeypatch.undo()
    monkeypatch.setattr(terms, "ENOUGH", 100)
    bounded = [_found(store, question) for question in questions]
    shared = sum(len(set(a) & set(b)) for a, b in zip(exact, bounded, strict=True))
    assert shared >= 0.8 * sum(map(len, exact))
    assert sum(a[0] == b[0] for a, b in zip(exact, bounded, strict=True)) >= 27
    store.close()


def test_a_question_of_common_words_only_is_answered(tmp_path: Path) -> None:
    """Words that every row has still find rows, and so does a word that is nowhere beside them."""
    store = opened(tmp_path)
    insert(store, *_talk(600, 3))
    assert len(_found(store, ["w0"])) == 20
    assert len(_found(store, ["w0", "absent"])) == 20
    assert _found(store, ["n17"]) == ["m17"]
    assert _found(store, ["w0", "w1", "n17"])[0] == "m17"
    store.close()


@pytest.mark.parametrize(("most", "reached"), [(49, 49), (119, 119), (120, 120), (500, 120)])
def test_of_more_rows_than_are_looked_at_the_newest_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int, reached: int
) -> None:
    """Where a word is in more rows than a question looks at, it is the newest of them."""
    store = opened(tmp_path)
    insert(store, *(made(f"m{number}", content=f"harbour n{number}") for number in range(120)))
    monkeypatch.setattr(texts, "POSTINGS", most)
    found = _found(store, ["harbour"], limit=200)
    assert sorted(found) == sorted(f"m{number}" for number in range(120 - reached, 120))
    store.close()


def test_tidying_leaves_the_words_of_all_rows_in_one_piece(tmp_path: Path) -> None:
    """Tidying gathers the full-text index, which many writes leave in pieces, and finds the same
    with the same scores."""
    store = opened(tmp_path)
    for number in range(60):
        words = f"harbour {'lantern ' * (number % 5)}quay{number % 7} row{number}"
        insert(store, made(f"m{number}", words))
    asked = [Term(term=word, surface=word) for word in ("harbour", "lantern", "quay3")]
    before = store.search_text(seen(), asked, 40)
    assert _segments(store) > 3
    assert store.tidy(lambda: True)
    assert _segments(store) == 1
    assert store.search_text(seen(), asked, 40) == before
    assert all(check.ok for check in store.check(deep=True))


def _segments(store: SqliteStore) -> int:
    with closing(raw(store.path)) as connection:
        listed = "SELECT count(DISTINCT segid) FROM memories_fts_idx"
        return int(connection.execute(listed).fetchone()[0])
