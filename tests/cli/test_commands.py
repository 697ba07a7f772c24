"""The command line: every verb, in JSON and for people, with its exit code."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engraphy.cli import main
from engraphy.cli.app import Lazy
from engraphy.operations import OPERATIONS

Run = Callable[..., Any]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run a command over one store; with `code` the exit code that is expected."""
    runner = CliRunner(env={"NO_COLOR": "1", "COLUMNS": "80", "ENGRAPHY_HOME": str(tmp_path)})

    def call(*words: str, code: int = 0) -> Any:
        result = runner.invoke(main, [*words], catch_exceptions=False)
        assert result.exit_code == code, result.output
        return json.loads(result.stdout) if "--json" in words and code == 0 else result

    return call


def told(run: Run, text: str, *more: str) -> str:
    """Remember a text; its id."""
    return str(run("remember", text, *more, "--json")["memory"]["id"])


def test_steps_and_outcome_are_reached(run: Run) -> None:
    """What stands beside a procedure and an episode is shown by its id, to people and as JSON."""
    steps = ("--steps", "run the tests", "--steps", "push it")
    made = run("procedure", "Deploy", *steps, "--trigger", "a release is due", "--json")
    shown = run("steps", made["memory"]["id"], "--json")
    assert (shown["name"], shown["steps"]) == ("Deploy", ["run the tests", "push it"])
    assert "2. push it" in run("steps", made["memory"]["id"]).output
    event = ("Moved to Postgres", "--outcome", "partial", "--lesson", "Take a snapshot first")
    told = run("episode", *event, "--json")["memory"]["id"]
    assert run("outcome", told, "--json")["outcome"] == "partial"
    assert "Take a snapshot first" in run("outcome", told).output
    run("steps", told, code=3)
    run("session", "nobody", code=3)


def test_jobs_are_listed(run: Run) -> None:
    """Nothing waits in a new store, and who asks for a job that is none is told so."""
    assert run("jobs", "--json") == {"jobs": []}
    assert "nothing waits" in run("jobs").output
    assert "No job" in run("retry-job", "1", code=3).output
    assert run("drop-job", "1", code=3)


@pytest.mark.long
def test_every_operation_and_own_command_is_offered(run: Run) -> None:
    """The commands of the issue are all there, and each explains itself."""
    wanted = {
        "remember",
        "observe",
        "recall",
        "context",
        "get",
        "list",
        "timeline",
        "update",
        "pin",
        "forget",
        "facts",
        "stats",
        "explain",
        "export",
        "import",
        "backup",
        "restore",
        "profile",
        "doctor",
        "demo",
        "bench",
    }
    assert isinstance(main, Lazy)
    offered = main.list_commands(None)  # type: ignore[arg-type]
    assert wanted <= set(offered)
    assert {one.name.replace("_", "-") for one in OPERATIONS} <= set(offered)
    for name in offered:
        assert "Usage" in run(name, "--help").output


def test_recall_prints_the_promised_object(run: Run) -> None:
    """`recall --json` prints {"hits": [{"id", "content", "score", "why", ...}]}."""
    held = told(run, "I prefer pytest over unittest", "--user", "ada")
    found = run("recall", "which test runner?", "--user", "ada", "--json")
    assert list(found) == ["hits"]
    (hit,) = found["hits"]
    assert list(hit)[:4] == ["id", "content", "score", "why"]
    assert (hit["id"], hit["content"]) == (held, "I prefer pytest over unittest")
    assert 0.0 < hit["score"] <= 1.0
    assert run("recall", "which test runner?", "--user", "bob", "--json") == {"hits": []}


def test_a_memory_goes_its_way(run: Run) -> None:
    """Get, list, timeline, update, pin, explain, stats, forget: each says what it did."""
    held = told(run, "Deploys happen on Tuesday", "--tags", "ops")
    assert run("get", held, "--json")["tags"] == ["ops"]
    assert [row["id"] for row in run("list", "--tag", "ops", "--json")["memories"]] == [held]
    assert [row["id"] for row in run("timeline", "--json")["memories"]] == [held]
    changed = run("update", held, "--content", "Deploys happen on Thursday", "--json")
    assert (changed["content"], changed["version"]) == ("Deploys happen on Thursday", 2)
    assert run("pin", held, "--json")["pinned"]
    assert not run("pin", held, "--off", "--json")["pinned"]
    why = run("explain", "deploys", "--missing", held, "--json")
    assert why["missing"]["stage"] == "delivered"
    assert run("stats", "--json")["total"] == 1
    assert run("forget", held, "--json")["erased"] == 1
    run("get", held, code=3)


@pytest.mark.long
@pytest.mark.spec("R-12")
def test_cost_tells_what_a_model_did(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """`cost` says so where nothing was asked; a call that failed is told with its skill and what
    became of it, and the message is kept all the same."""
    assert "No language model was asked" in run("cost").output
    monkeypatch.setenv("ENGRAPHY_MODEL", "local/m-1")
    monkeypatch.setenv("ENGRAPHY_MODEL_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    words = ("observe", "I prefer pytest for all tests of the backend", "--profile", "cognitive")
    assert run(*words, "--json")["outcomes"][0]["action"] == "created"
    found = run("cost", "--since", "2020-01-01", "--json")
    assert (found["calls"], found["fallbacks"], found["since"]) == (1, 1, "2020-01-01T00:00:00Z")
    [use] = found["uses"]
    assert (use["model"], use["skill"], use["outcome"]) == ("local/m-1", "formation", "error")
    said = " ".join(run("cost").output.split())
    assert "1 call, 0 + 0 tokens, cost not known; the rules decided 1 time" in said
    assert run("cost", "--until", "2020-01-01", "--json")["uses"] == []


def test_forgetting_by_query_asks_for_its_token(run: Run) -> None:
    """A query previews and erases nothing; its token erases exactly that."""
    told(run, "The office plant needs water")
    preview = run("forget", "office plant", "--json")
    assert (preview["erased"], len(preview["ids"])) == (0, 1)
    shown = run("forget", "office plant").output
    assert "1 memory matches. Nothing was erased yet" in shown
    assert "--confirm" in shown
    assert "Nothing matches. Nothing was erased." in run("forget", "unicorns").output
    assert run("forget", "office plant", "--confirm", preview["confirm"], "--json")["erased"] == 1


def test_observe_context_and_facts(run: Run) -> None:
    """Refusals say why; the block is fenced and counted; facts are listed."""
    dropped = run("observe", "Hi there!", "--json")["outcomes"][0]
    assert (dropped["action"], dropped["memory"]) == ("skipped", None)
    assert "greeting" in dropped["reason"]
    run("observe", "I moved to Porto last month", "--json")
    block = run("context", "What do I need to know about Porto?", "--budget", "200", "--json")
    assert block["text"].startswith("<memory-context>")
    assert block["tokens"] <= 200
    assert run("facts", "--predicate", "city", "--json")["facts"][0]["object"] == "porto"
    assert run("fact", "api", "port", "3000", "--json")["object"] == "3000"


def test_the_verdict_of_the_model_is_shown_with_its_number(run: Run) -> None:
    """`why-not` and `observe --explain` name the memory that is likely over, and how likely."""
    held = told(run, "I have a gym membership at FitBarn")
    for verb in (["why-not"], ["observe", "--explain"]):
        said = " ".join(run(*verb, "Let my FitBarn membership lapse").output.split())
        assert re.search(rf"contradiction {held} is over: likely 0\.\d\d", said), said
        assert f"takes the place of {held}: likely 0." in said


def test_files_come_and_go(run: Run, tmp_path: Path) -> None:
    """Export, import, backup, restore: every row comes back."""
    for user in ("ada", "bob"):
        told(run, f"This is known to {user}", "--user", user)
    out, copy = str(tmp_path / "all.jsonl"), str(tmp_path / "copy.db")
    assert run("export", out, "--json")["memories"] == 2
    assert run("export", str(tmp_path / "a.jsonl"), "--user", "ada", "--json")["memories"] == 1
    told(run, "Ada fixed the parser", "--user", "ada", "--agent", "claude", "--project", "apollo")
    said = run("export", str(tmp_path / "b.jsonl"), "--user", "ada").output
    assert [word in said for word in ("1 memories", "1 more", "--everything")] == [True] * 3
    said = run("export", str(tmp_path / "c.jsonl"), "--user", "ada", "--everything").output
    assert ("2 memories" in said, "more" in said) == (True, False)
    other = str(tmp_path / "other.db")
    assert run("import", out, "--db", other, "--json")["memories"] == 2
    assert run("import", out, "--db", other, "--json")["skipped"] == 2
    assert "--trusted" in run("import", out, "--db", other).output
    assert "--trusted" not in run("import", out, "--db", other, "--trusted").output
    assert run("backup", copy, "--json") > 0
    told(run, "This came later", "--user", "ada")
    run("restore", copy, "--yes")
    assert (
        run("list", "--user", "ada", "--json")["memories"][0]["content"] == "This is known to ada"
    )
    run("backup", copy, code=2)


def test_an_export_takes_no_file_s_place_unasked(run: Run, tmp_path: Path) -> None:
    """What is there stays as it is and the way out is told; `--force` replaces an earlier export,
    and nothing else. Nothing is left beside it."""
    told(run, "This is known")
    out, notes = tmp_path / "all.jsonl", tmp_path / "notes.txt"
    notes.write_text("my own words")
    run("export", str(out))
    before = out.read_bytes()
    told(run, "This came later")
    for file in (out, notes):
        assert "--force" in run("export", str(file), code=2).output
    assert out.read_bytes() == before
    run("export", str(out), "--force")
    assert b"This came later" in out.read_bytes()
    assert "pipe" in run("export", "-", code=2).output
    run("export", str(notes), "--force", code=1)
    assert notes.read_text() == "my own words"
    assert {one.name for one in tmp_path.glob("*.partial")} == set()
    assert "too long" in run("export", str(tmp_path / ("x" * 300)), code=1).output


def test_doctor_is_content_with_a_healthy_store(run: Run) -> None:
    """Every check of a fresh store is fine, and the exit code says so."""
    told(run, "something")
    checks = run("doctor", "--deep", "--json")["checks"]
    assert checks
    assert all(check["ok"] for check in checks)


def test_doctor_makes_missing_vectors(run: Run) -> None:
    """What was written without an embedder gets its vectors by `doctor --reembed`."""
    told(run, "I prefer pytest over unittest", "--no-embed")
    done = run("doctor", "--reembed", "--json")["checks"]
    assert done[0]["name"] == "vectors"
    assert done[0]["detail"].startswith("1 memory")
    assert run("doctor", "--reembed", "--json")["checks"][0]["detail"].startswith("0 memories")


def test_dream_shows_first(run: Run) -> None:
    """A dry run says that it would change, and changes nothing."""
    told(run, "something")
    assert run("dream", "--dry-run", "--json")["dry_run"]
    assert "would change 0" in run("dream", "--dry-run").output


def test_errors_go_to_stderr_in_one_line(run: Run, tmp_path: Path) -> None:
    """1 failed, 2 wrong usage, 3 not found; nothing on stdout; JSON with --json."""
    failed = run("remember", "   ", code=2)
    assert failed.stdout == ""
    assert failed.stderr.startswith("EmptyContentError: ")
    assert json.loads(run("remember", " ", "--json", code=2).stderr)["error"] == "EmptyContentError"
    run("remember", code=2)
    run("recall", "x", "--limit", "many", code=2)
    run("get", "01J0000000000000000000000Z", code=3)
    foreign = tmp_path / "notes.db"
    foreign.write_text("not a database, only notes")
    assert "ForeignFileError" in run("list", "--db", str(foreign), code=1).stderr
    assert foreign.read_text() == "not a database, only notes"


def test_a_missing_extra_names_the_one_command(run: Run) -> None:
    """An embedder that is not installed says which pip command brings it."""
    pytest.importorskip("engraphy.providers.minilm")
    try:
        import onnxruntime  # noqa: F401, PLC0415 - is it there?
    except ImportError:
        said = run("recall", "x", "--embedder", "minilm", code=1).stderr
        assert 'pip install "engraphy[minilm]"' in said


@pytest.mark.parametrize(
    "words", [("recall", "pytest"), ("list",), ("stats",), ("profile", "list")]
)
def test_people_read_it_in_eighty_columns(run: Run, words: tuple[str, ...]) -> None:
    """No line is wider than the terminal, and NO_COLOR leaves no escape codes."""
    told(run, "I prefer pytest over unittest, and long sentences that go on and on " * 3)
    shown = run(*words).output
    assert "\x1b" not in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_profiles_are_listed_shown_and_compared(run: Run) -> None:
    """The five profiles; one knob by name; the knobs in which two differ."""
    names = [row["name"] for row in run("profile", "list", "--json")["profiles"]]
    assert names == ["cognitive", "default", "layered", "letsgo", "titans"]
    assert run("profile", "show", "letsgo", "--json")["score"]["min_score"] == 0.35
    rows = run("profile", "diff", "default", "titans", "--json")["differences"]
    assert {"knob": "gate.threshold", "default": 0.0, "titans": 0.3} in rows
    assert "there is no such profile" in run("profile", "show", "nobody", code=1).stderr


def test_completion_knows_the_commands(tmp_path: Path) -> None:
    """The shell's completion script comes out of the installed command."""
    env = os.environ | {"_ENGRAPHY_COMPLETE": "bash_source", "ENGRAPHY_HOME": str(tmp_path)}
    program = Path(sys.executable).with_name("engraphy")
    done = subprocess.run([program], env=env, capture_output=True, text=True, check=True)
    assert "complete -o nosort -F" in done.stdout


@pytest.mark.long
def test_the_demonstration_runs(run: Run, tmp_path: Path) -> None:
    """A short form of the demonstration: kept and dropped, changes, answers, a block, figures."""
    kept = str(tmp_path / "demo.db")
    shown = run("demo", "--messages", "60", "--no-embed", "--keep", kept, "--json")
    assert shown["messages"] == 60
    assert shown["outcomes"]["created"] > 20
    assert [one["action"] for one in shown["told"]].count("superseded") == 4
    assert len(shown["answers"]) == 20
    assert shown["moments"]["now"] == "I moved to rural Vermont"
    assert "1  Watching the conversation" in run("demo", "--messages", "20", "--no-embed").output


def test_relations_are_shown(run: Run) -> None:
    """`links` walks the relations around a memory, `entity` shows what is known of a thing."""
    new = told(run, "We use Redis for sessions")
    old = told(run, "The nightly job empties its cache")
    assert "nothing is related" in run("links", new).output
    run("link", new, old, "--type", "causes")
    (found,) = run("links", new, "--hops", "2", "--types", "causes", "--json")["relations"]
    assert (found["source_id"], found["target_id"], found["type"]) == (new, old, "causes")
    assert run("links", new, "--types", "elaborates", "--json")["relations"] == []
    assert "causes" in run("links", new).output
    hub = run("entity", "Redis", "--json")
    assert [row["id"] for row in hub["memories"]] == [new]
    assert hub["entities"] == ["entity://tech/redis"]
    shown = run("entity", "redis").output
    assert "We use Redis for sessions" in shown
    assert "causes" in shown
    run("links", new, "--types", "likes", code=2)
