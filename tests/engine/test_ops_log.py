"""What operators read of a memory afterwards: every operation, no word of what was said (D-53)."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.engine.making import TOKEN, Ticks, opened

from engraphy import Memory
from engraphy.errors import NotFoundError
from engraphy.testing import ScriptedModel

FIELDS = [
    "ts",
    "op",
    "input",
    "output",
    "model",
    "latencyMs",
    "success",
    "fallback",
    "intent",
    "avgRelevance",
    "resultCount",
]
"""The line of document 004."""
LOGGED = {"ops": {"log": True}}
SAID = "Ada Lovelace's gateway listens on port 8443"
ME = "ada@example.org"


def rows(memory: Memory, name: str = "ops-log.jsonl") -> list[dict[str, Any]]:
    """What was logged, once everything is written."""
    memory.close()
    file = Path(memory.path).parent / name
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def logged(folder: Path, **more: Any) -> Memory:
    return opened(folder / "store.db", **{"overrides": LOGGED, **more})


@pytest.mark.spec("D-53")
def test_a_line_has_the_fields_of_the_document(tmp_path: Path) -> None:
    """Every line has the document's fields in its order; what does not apply is null."""
    memory = logged(tmp_path, profile="cognitive")
    memory.remember(SAID, user=ME)
    memory.recall("Which port does the gateway listen on?", user=ME)
    kept, found = rows(memory)
    assert list(kept)[: len(FIELDS)] == FIELDS
    assert (kept["op"], kept["output"], kept["success"]) == ("remember", "1 created", True)
    assert (found["op"], found["intent"], found["resultCount"]) == ("recall", "factual", 1)
    assert 0.0 < found["avgRelevance"] <= 1.0
    assert found["latencyMs"] > 0.0
    assert (found["model"], found["fallback"]) == (None, False)
    assert found["input"] == "question of 7 words"


@pytest.mark.spec("D-53")
def test_cognitive_logs_and_the_others_do_not(tmp_path: Path) -> None:
    """The log is on in the profile of the document that has one, beside the store; elsewhere it is
    on where somebody asks for it."""
    for name in ("default", "letsgo", "layered", "titans", "cognitive"):
        folder = tmp_path / name
        folder.mkdir()
        with opened(folder / "store.db", profile=name) as memory:
            memory.remember(SAID)
        assert (folder / "ops-log.jsonl").exists() == (name == "cognitive")


@pytest.mark.spec("D-53")
@pytest.mark.parametrize("way", ["variable", "knob"])
def test_the_path_is_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    """The document's own path is accepted, by the variable or by the profile, and its folders are
    made; the variable also turns the log off."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    wanted = "~/.agent-evolution/memory/ops-log.jsonl"
    knobs: dict[str, Any] = {}
    if way == "variable":
        monkeypatch.setenv("ENGRAPHY_OPS_LOG", wanted)
    else:
        knobs = {"overrides": {"ops": {"log": True, "path": wanted}}}
    with opened(tmp_path / "store.db", **knobs) as memory:
        memory.remember(SAID)
    file = tmp_path / "home/.agent-evolution/memory/ops-log.jsonl"
    assert json.loads(file.read_text())["op"] == "remember"
    monkeypatch.setenv("ENGRAPHY_OPS_LOG", "none")
    with opened(tmp_path / "other.db", profile="cognitive") as memory:
        memory.remember(SAID)
    assert not (tmp_path / "ops-log.jsonl").exists()


@pytest.mark.spec("D-53")
@pytest.mark.parametrize("said", ["on", "TRUE", "1", "off", "false", "0"])
def test_the_variable_is_a_switch_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    """What switches anything else on or off makes no log of that name."""
    monkeypatch.setenv("ENGRAPHY_OPS_LOG", said)
    with opened(tmp_path / "store.db", profile="cognitive") as memory:
        memory.remember(SAID)
    logged = said in ("on", "TRUE", "1")
    assert [one.name for one in tmp_path.glob("*") if "store.db" not in one.name] == (
        ["ops-log.jsonl"] if logged else []
    )


@pytest.mark.spec("D-53")
def test_it_is_set_aside_by_its_size(tmp_path: Path) -> None:
    """The file is set aside under the date of the day once it is as big as the profile says: ten
    megabytes in the document's."""
    memory = opened(tmp_path / "store.db", profile="cognitive")
    assert memory._engine.profile.ops.rotate_bytes == 10_000_000  # noqa: SLF001
    memory.close()
    small = {"ops": {"log": True, "rotate_bytes": 1_000}}
    with opened(tmp_path / "store.db", overrides=small) as memory:
        for _ in range(20):
            memory.stats()
    assert len(list(tmp_path.glob("ops-log-20??-??-??*.jsonl"))) >= 4


@pytest.mark.spec("D-53")
@pytest.mark.parametrize("wrong", ["blocked/ops-log.jsonl", "store.db/ops-log.jsonl", "folder"])
def test_a_log_that_cannot_be_written_fails_nobody(tmp_path: Path, wrong: str) -> None:
    """A path that cannot be written changes nothing for a caller; doctor says what to do."""
    (tmp_path / "blocked").write_text("no folder")
    (tmp_path / "folder").mkdir()
    with logged(tmp_path, overrides={"ops": {"log": True, "path": wrong}}) as memory:
        memory.remember(SAID)
        assert len(memory.recall("gateway port")) == 1
        check = {one.name: one for one in memory.doctor()}["ops log"]
    assert not check.ok
    assert "2 lost" in check.detail
    assert check.advice


def test_doctor_tells_how_the_log_fares(tmp_path: Path) -> None:
    """Doctor names the file and counts what was written, or says that nothing is logged."""
    with logged(tmp_path) as memory:
        memory.remember(SAID)
        check = {one.name: one for one in memory.doctor()}["ops log"]
    assert check.ok
    assert "ops-log.jsonl: 1 lines written, 0 lost" in check.detail
    with opened(tmp_path / "other.db") as memory:
        assert {one.name: one.detail for one in memory.doctor()}["ops log"] == "off"


@pytest.mark.spec("D-53")
def test_no_word_and_no_secret_reaches_it(tmp_path: Path) -> None:
    """Neither texts of memories, questions and messages nor secrets nor names of scopes stand in
    the log, whatever verb they are given to and whether it succeeds."""
    canaries = ("zanzibar", TOKEN, "ada@example.org", "qwertz")
    text = f"My zanzibar token is {TOKEN}"
    who = {"user": "ada@example.org", "session": "qwertz"}
    memory = logged(tmp_path, profile="cognitive")
    row = memory.remember(text, title="zanzibar", tags=["zanzibar"], **who).memory
    assert row is not None
    memory.observe([{"role": "user", "content": f"I prefer zanzibar over {TOKEN}"}], **who)
    memory.observe_later([{"role": "user", "content": f"I love zanzibar. {TOKEN}"}], **who)
    memory.flush()
    memory.recall(text, **who)
    memory.context(text, **who)
    memory.explain(text, missing="zanzibar", **who)
    memory.why_not([{"role": "user", "content": text}], **who)
    memory.fact("zanzibar", "is", TOKEN, **who)
    memory.facts("zanzibar", **who)
    memory.update(row.id, f"{text} now", **who)
    memory.entity("zanzibar", **who)
    memory.timeline_of("zanzibar", **who)
    with pytest.raises(NotFoundError):
        memory.get(f"zanzibar {TOKEN}", **who)
    memory.forget("zanzibar", **who)
    memory.dream()
    memory.export(tmp_path / "zanzibar.jsonl", **who)
    found = rows(memory)
    log = (tmp_path / "ops-log.jsonl").read_text("utf-8")
    assert [one for one in canaries if one in log] == []
    assert {"observe", "extract", "dream", "get", "forget"} <= {row["op"] for row in found}


def test_lines_of_one_user_are_found_by_the_hash_of_the_name(tmp_path: Path) -> None:
    """A scope is told by the first twelve digits of the SHA-256 of its name."""
    memory = logged(tmp_path)
    memory.remember(SAID, user="ada", agent="a", project="p", session="s")
    memory.stats()
    first, second = rows(memory)
    hashed = "fdee430d40bd"
    assert (first["user"], "user" in second) == (hashed, False)
    assert {"agent", "project", "session", "tenant", "profile"} <= set(first)


def test_an_error_is_told_by_its_class(tmp_path: Path) -> None:
    """What fails is logged as failed, with the class of the error and none of its words."""
    memory = logged(tmp_path)
    with pytest.raises(NotFoundError):
        memory.get("unknown")
    (row,) = rows(memory)
    assert (row["op"], row["success"], row["output"]) == ("get", False, "NotFoundError")


def test_a_question_to_a_model_is_a_line_of_its_own(tmp_path: Path) -> None:
    """Every decision a model was asked for is logged: which model, how long, and whether the rules
    had to decide; the operation says so too."""
    model = ScriptedModel(["no json at all", "nor this"])
    memory = logged(
        tmp_path,
        model=model,
        overrides={**LOGGED, "model": {"skills": ["formation"], "retries": 0}},
    )
    memory.observe([{"role": "user", "content": "We moved the API from port 3000 to port 3001"}])
    asked, observed = rows(memory)
    assert (asked["op"], asked["model"], asked["fallback"]) == ("formation", model.model_id, True)
    assert (asked["success"], asked["output"]) == (False, "invalid")
    assert (observed["op"], observed["fallback"], observed["model"]) == (
        "observe",
        True,
        model.model_id,
    )


def test_each_step_of_a_dream_is_a_line(tmp_path: Path) -> None:
    """A cycle tells what each of its steps looked at and changed."""
    clock = Ticks()
    memory = logged(tmp_path, clock=clock)
    memory.remember(SAID, ttl_days=1)
    clock.pass_days(3)
    memory.dream()
    found = {row["op"]: row for row in rows(memory)}
    assert found["dream.expire"]["resultCount"] == 1
    assert found["dream.expire"]["input"] == "1 memory looked at"
    assert found["dream"]["resultCount"] >= 1
