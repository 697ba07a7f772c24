"""Fitting knobs to labelled questions, through the public function."""

import hashlib
import json
import random
from pathlib import Path
from typing import Any

import pytest
from tests.tuning.labels import LOUD, RANGES, THINGS, filled, noted, rows, written

from engraphy import Memory
from engraphy.errors import (
    GainTooSmallError,
    InvalidInputError,
    LabelledDataError,
    ProfileError,
    UnreadableFileError,
)
from engraphy.tuning import Plan, Tuned, save, tune


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One store for all: it is only read."""
    return filled(tmp_path_factory.mktemp("tuning"))


def fitted(store: Path, folder: Path, **plan: Any) -> Tuned:
    """A tuning of the profile that answers badly, over two knobs."""
    ranges, loud = noted(folder / "ranges.toml", RANGES), noted(folder / "loud.toml", LOUD)
    chosen = Plan(**{"objective": "hit@1", "knobs": ranges, **plan})
    return tune(rows(), chosen, path=store, profile=loud, embedder="none", user="ada")


def first(store: Path, profile: Path, thing: str) -> str:
    """The best memory that a recall under a profile finds."""
    with Memory(store, profile=profile, embedder="none") as memory:
        found = memory.recall(f"Where is the {thing} kept?", user="ada", touch=False)
        return found[0].memory.content


@pytest.mark.long
@pytest.mark.parametrize(
    ("search", "trials"),
    [("coordinate", 12), ("random", 20), pytest.param("random", 40, marks=pytest.mark.slow)],
)
def test_what_is_written_answers_better(
    store: Path, tmp_path: Path, search: str, trials: int
) -> None:
    """A gain on questions held out is written as a profile, and under it they are answered."""
    found = fitted(store, tmp_path, search=search, trials=trials)
    assert (found.before["hit@1"], found.after["hit@1"]) == (0.0, 1.0)
    assert found.above_noise
    assert found.gain["hit@1"] == (1.0, 1.0, 1.0)
    file = save(found, tmp_path / "tuned.toml")
    assert first(store, tmp_path / "loud.toml", "loom") == "The loom was polished"
    assert first(store, file, "loom") == "The loom is kept in the workshop"


@pytest.mark.long
def test_what_is_not_turned_stays(store: Path, tmp_path: Path) -> None:
    """The written profile keeps what the caller's own file says, other weights of a table too."""
    found = fitted(store, tmp_path, only=["score.weights.importance"])
    assert [(one.knob, one.before, one.folds) for one in found.turns] == [
        ("score.weights.importance", 1.0, 5)
    ]
    score = found.tables["score"]
    assert score["weights"] == {"relevance": 0.3, "recency": 0.05, "importance": 0.0}
    assert score["min_share_of_best"] == 0.0
    assert found.tables["inherits"] == "default"


@pytest.mark.long
def test_the_store_is_only_read(store: Path, tmp_path: Path) -> None:
    """Not a byte of the store's file changes, and nothing of it counts as delivered."""
    before = hashlib.sha256(store.read_bytes()).hexdigest()
    fitted(store, tmp_path)
    assert hashlib.sha256(store.read_bytes()).hexdigest() == before


def test_a_store_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    """Nobody has labelled the questions of an empty store."""
    with pytest.raises(UnreadableFileError, match="no store to read"):
        tune(rows(), path=tmp_path / "none.db", embedder="none")
    assert not (tmp_path / "none.db").exists()


@pytest.mark.long
def test_chance_is_no_gain(store: Path, tmp_path: Path) -> None:
    """Where the labels are chance no search finds a gain, and nothing is written but by force."""
    texts = [f"The {thing} was polished" for thing in THINGS]
    texts += [row["gold"][0] for row in rows()]
    random.Random(7).shuffle(texts)
    mixed = [{**row, "gold": [text]} for row, text in zip(rows(), texts, strict=False)]
    plan = Plan(search="random", trials=10)
    found = tune(mixed, plan, path=store, embedder="none", user="ada")
    file = tmp_path / "tuned.toml"
    with pytest.raises(GainTooSmallError, match="not above noise"):
        save(found, file)
    assert not file.exists()
    assert save(found, file, force=True).exists()


@pytest.mark.long
def test_a_file_is_written_whole_or_not(store: Path, tmp_path: Path) -> None:
    """What cannot be written leaves the file that was there, and nothing beside it."""
    found = fitted(store, tmp_path, trials=1)
    file = noted(tmp_path / "tuned.toml", "# mine")
    (tmp_path / "tuned.toml.partial").mkdir()
    with pytest.raises(UnreadableFileError):
        save(found, file, force=True)
    assert file.read_text() == "# mine"
    (tmp_path / "tuned.toml.partial").rmdir()
    save(found, file, force=True)
    assert "inherits" in file.read_text()
    assert not (tmp_path / "tuned.toml.partial").exists()


@pytest.mark.long
def test_the_same_seed_gives_the_same_profile(store: Path, tmp_path: Path) -> None:
    """Folds and chance come from the seed alone."""
    one, two, other = (
        fitted(store, tmp_path, search="random", trials=4, seed=seed) for seed in (3, 3, 4)
    )
    assert (one.tables, one.after) == (two.tables, two.after)
    assert one.tables != other.tables


@pytest.mark.long
@pytest.mark.parametrize(
    ("plan", "count", "stopped"),
    [({"trials": 1}, 1, "trials"), ({"seconds": 0.0}, 1, "seconds"), ({}, 6, "")],
)
def test_a_budget_ends_the_search(
    store: Path, tmp_path: Path, plan: dict[str, Any], count: int, stopped: str
) -> None:
    """Trials or seconds that run out end it and are told; the profile as it is is measured."""
    found = fitted(store, tmp_path, **plan)
    assert (min(found.trials, 6), found.stopped) == (count, stopped)


@pytest.mark.long
def test_a_range_that_is_used_up_ends_the_search(store: Path, tmp_path: Path) -> None:
    """Drawing by chance ends where a narrow range holds no setting that was not measured."""
    narrow = '[knobs]\n"fuse.soft" = { from = 0.0, to = 0.0002, steps = 2 }\n'
    found = fitted(store, tmp_path, search="random", knobs=noted(tmp_path / "narrow.toml", narrow))
    assert (found.trials, found.stopped) == (4, "")


@pytest.mark.long
def test_ids_and_exact_texts_name_the_same(store: Path, tmp_path: Path) -> None:
    """A memory is named by its id or by its text; a text that stands twice is one answer."""
    with Memory(store, embedder="none") as memory:
        ids = {row.content: row.id for row in memory.list(user="ada", limit=100)}
    named = [{**row, "gold": [ids[row["gold"][0]], *row["gold"]]} for row in rows()]
    plan = Plan(trials=1)
    by_id = tune(named, plan, path=store, embedder="none", user="ada")
    by_text = tune(rows(), plan, path=store, embedder="none", user="ada")
    assert by_id.before == by_text.before
    assert by_id.before["rec@10"] == 1.0


ADA = {"question": "Where is the loom kept?", "gold": ["The loom was polished"], "user": "ada"}


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ([], "the row is list; allowed: an object with question, gold"),
        ({**ADA, "answer": 1}, "a field is 'answer'; allowed: question, gold, user, agent"),
        ({**ADA, "question": " "}, "question is ' '; allowed: a text that is not empty"),
        ({**ADA, "gold": "x"}, "gold is 'x'; allowed: a list of at least one"),
        ({**ADA, "gold": []}, r"gold is \[\]; allowed: a list of at least one"),
        ({**ADA, "gold": [7]}, r"gold\[0\] is 7; allowed: the id or the exact text"),
        ({**ADA, "gold": ["nothing"]}, r"gold\[0\] is 'nothing'.* seen by user 'ada'"),
        ({**ADA, "user": "bo"}, r"gold\[0\] is .* seen by user 'bo'"),
        ({**ADA, "user": ""}, "user is ''; allowed: a name of 1 to 512"),
        ({**ADA, "as_of": "noon"}, "as_of is 'noon'; allowed"),
    ],
)
def test_a_wrong_row_is_told_with_line_and_field(
    store: Path, tmp_path: Path, row: object, problem: str
) -> None:
    """Which line, which field, what it is and what is allowed."""
    data = written(tmp_path / "q.jsonl", [ADA, row])  # type: ignore[list-item]
    with pytest.raises(LabelledDataError, match=f"Line 2 of .*q.jsonl: {problem}"):
        tune(data, path=store, embedder="none")


def test_every_row_that_cannot_be_used_is_named(store: Path, tmp_path: Path) -> None:
    """The first with its field, and the lines of the others, so that one look mends all."""
    asked = [ADA, {**ADA, "gold": ["nothing"]}, ADA, {**ADA, "question": ""}]
    data = written(tmp_path / "q.jsonl", [*asked, *[{**ADA, "user": "bo"}] * 30])
    with data.open("a") as file:
        file.write("{broken\n")
    with pytest.raises(LabelledDataError, match=r"Line 2 of .*'nothing'.*: line 4, 5, .* 12 more"):
        tune(data, path=store, embedder="none")


def test_a_line_that_is_no_json_is_told(store: Path, tmp_path: Path) -> None:
    """Empty lines count and are passed over."""
    data = noted(tmp_path / "q.jsonl", "\n\n{question: 1}\n")
    with pytest.raises(LabelledDataError, match=r"Line 3 of .*: the line is Expecting"):
        tune(data, path=store, embedder="none")


def test_what_no_longer_holds_is_no_answer(tmp_path: Path) -> None:
    """A memory that is over is named as such; it answers a question about the time it held."""
    with Memory(tmp_path / "m.db", embedder="none") as memory:
        over = memory.remember(
            "The gate is open", user="ada", at="2026-01-01", valid_until="2026-02-01"
        )
        assert over.memory is not None
        row = {"question": "Is the gate open?", "gold": [over.memory.id], "user": "ada"}
    with pytest.raises(LabelledDataError, match=r"\(no longer holds\)"):
        tune([row], path=tmp_path / "m.db", embedder="none")
    with pytest.raises(InvalidInputError, match="1 questions; allowed: at least 10"):
        tune([{**row, "as_of": "2026-01-10"}], path=tmp_path / "m.db", embedder="none")


def test_why_a_text_names_no_answer_is_told(tmp_path: Path) -> None:
    """A text that was superseded since, or is private, is told as that, as an id is."""
    with Memory(tmp_path / "m.db", embedder="none") as memory:
        memory.remember("The gate code is 1234", user="ada")
        memory.remember("The gate code is 9876 now", user="ada")
        memory.remember("Her blood type is zero", user="ada", sensitivity="private")
    for text, why in (
        ("The gate code is 1234", r"\(superseded\); allowed"),
        ("Her blood type is zero", r"\(private: --allow-private\); allowed"),
    ):
        row = {"question": "Which one?", "gold": [text], "user": "ada"}
        with pytest.raises(LabelledDataError, match=why):
            tune([row], path=tmp_path / "m.db", embedder="none")


def test_a_file_of_any_editor_is_read_or_told_with_its_line(store: Path, tmp_path: Path) -> None:
    """UTF-16 with its mark and ends of lines of Windows are read; a line of another encoding is
    told with its number."""
    data, lines = tmp_path / "q.jsonl", "\r\n".join(json.dumps(row) for row in rows())
    data.write_bytes(f"{lines}\r\n\r\n".encode("utf-16"))
    found = tune(data, Plan(trials=1, folds=2), path=store, embedder="none", user="ada")
    assert found.questions == len(THINGS)
    data.write_bytes(lines.encode() + b'\r\n{"question": "Where is M\xfcller?"}\r\n')
    with pytest.raises(LabelledDataError, match=rf"Line {len(THINGS) + 1} of .*can't decode byte"):
        tune(data, path=store, embedder="none", user="ada")


@pytest.mark.long
def test_answers_that_the_cut_offs_keep_out_are_told(tmp_path: Path) -> None:
    """What ranks better may deliver less of what was labelled: both are told."""
    with Memory(tmp_path / "m.db", embedder="none") as memory:
        asked = rows()
        for row, thing in zip(asked, THINGS, strict=True):
            memory.remember(row["gold"][0], user="ada", importance=0.0)
            memory.remember(f"The {thing} was polished", user="ada", importance=1.0)
            for payer in ("Nora", "Kenji"):
                paid = f"{payer} paid those who came for the {thing} in spring"
                memory.remember(paid, user="ada", importance=0.95)
                row["gold"].append(paid)
    strict = LOUD.replace("min_share_of_best = 0.0", "min_share_of_best = 0.9")
    ranges, loud = noted(tmp_path / "r.toml", RANGES), noted(tmp_path / "loud.toml", strict)
    plan = Plan(objective="hit@1", knobs=ranges, only=["score.weights.importance"])
    found = tune(asked, plan, path=tmp_path / "m.db", profile=loud, embedder="none", user="ada")
    assert found.after["hit@1"] > found.before["hit@1"]
    assert found.reached[1] < found.reached[0]


def test_questions_with_one_answer_stay_together(store: Path) -> None:
    """No question is judged by what was fitted to its twin: there are as many parts as answers."""
    with pytest.raises(InvalidInputError, match="1 different answers; allowed: at least 5"):
        tune([ADA] * 12, path=store, embedder="none")


@pytest.mark.long
def test_what_has_an_answer_in_common_stays_together(store: Path) -> None:
    """Questions that share one of their answers, or ask the same and are labelled otherwise, are
    in one fold and count as one."""
    one, two, *_, last = rows()
    asked = [*rows(), {**one, "gold": [*one["gold"], *two["gold"]]}, {**two, "gold": last["gold"]}]
    found = tune(asked, Plan(trials=1, folds=14), path=store, embedder="none", user="ada")
    assert (found.questions, found.answers) == (len(THINGS) + 2, len(THINGS) - 2)
    with pytest.raises(InvalidInputError, match="14 different answers; allowed: at least 15"):
        tune(asked, Plan(folds=15), path=store, embedder="none", user="ada")


@pytest.mark.parametrize(
    ("plan", "problem"),
    [
        ({"objective": "f1"}, "objective is 'f1'; allowed: mrr, rec@10, hit@1"),
        ({"search": "grid"}, "search is 'grid'; allowed: coordinate, random"),
        ({"folds": 1}, "folds is 1; allowed: 2 to 50"),
        ({"folds": 100}, "folds is 100; allowed: 2 to 50"),
        ({"folds": True}, "folds is True; allowed: 2 to 50"),
        ({"trials": 0}, "trials is 0; allowed: a whole number from 1"),
        ({"seconds": -1.0}, "seconds is -1.0; allowed: a number from 0"),
        ({"only": ["fuse.softer"]}, "knob is 'fuse.softer'; allowed: fuse.soft, fuse.pooled"),
    ],
)
def test_a_wrong_plan_is_told(store: Path, plan: dict[str, Any], problem: str) -> None:
    """Which part of the plan, what it is and what is allowed."""
    with pytest.raises(InvalidInputError, match=problem):
        tune(rows(), Plan(**plan), path=store, embedder="none", user="ada")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('"fuse.softer" = { from = 0.0, to = 1.0, steps = 3 }', "knob is 'fuse.softer'"),
        ('"score.names" = { from = 0.0, to = 1.0, steps = 3 }', "knob is 'score.names'"),
        ('"fuse.soft" = { from = 0.0, to = 99.0, steps = 3 }', "knob fuse.soft is .*fuse.soft"),
        ('"fuse.soft" = { from = 1.0, to = 1.0, steps = 3 }', "a greater NUMBER"),
        ('"fuse.soft" = { from = 0.0, to = 1.0, steps = 1 }', "from 2 to 50"),
        ('"fuse.soft" = { from = 0.0, to = 1.0 }', "knob fuse.soft is .*steps"),
    ],
)
def test_a_wrong_range_is_told(store: Path, tmp_path: Path, line: str, problem: str) -> None:
    """A list of ranges names numbers of the profile, each with a range that it allows."""
    ranges = noted(tmp_path / "ranges.toml", f"[knobs]\n{line}\n")
    with pytest.raises(InvalidInputError, match=problem):
        tune(rows(), Plan(knobs=ranges), path=store, embedder="none", user="ada")


@pytest.mark.long
@pytest.mark.parametrize("name", ["default", "letsgo", "layered", "titans", "cognitive"])
def test_every_profile_can_be_tuned(store: Path, name: str) -> None:
    """The shipped list of ranges fits every shipped profile."""
    found = tune(rows(), Plan(trials=1), path=store, profile=name, embedder="none", user="ada")
    assert (found.profile, found.tables["inherits"], found.trials) == (name, name, 1)


def test_a_wrong_profile_is_told(store: Path) -> None:
    """A profile that is not there is not searched for."""
    with pytest.raises(ProfileError, match="there is no such profile"):
        tune(rows(), path=store, profile="nobody", embedder="none", user="ada")
