"""The command line under hostile texts, odd arguments, narrow terminals and closed pipes."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from rich.cells import cell_len

from engraphy import Memory
from engraphy.cli import main
from engraphy.errors import InvalidInputError

Run = Callable[..., Result]
PROGRAM = Path(sys.executable).with_name("engraphy")
HOSTILE = [
    "[red]herons[/red] and [/] and [bold",
    "herons \\[ \\ trailing backslash \\",
    "herons\n\n\twith lines\r\nand tabs",
    "herons " * 200,
    "h" * 400 + " herons",
    "日本語のとても長い文章はどこで折り返すのでしょうか " * 6 + "herons",
    "herons 😀👩‍👩‍👧 \u202e\u200b \u2028 end",
    "herons \x1b[31mred\x1b[0m \x07 bell \x9b31m",
    "{herons} %s ${x} `y`",
]
ALL = ("--allow-private", "--allow-secret")


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run a command without an embedder in 80 columns; `code`: the expected exit code."""
    runner = CliRunner(env={"NO_COLOR": "1", "COLUMNS": "80", "ENGRAPHY_HOME": str(tmp_path)})

    def call(*words: str, code: int = 0, **env: str) -> Result:
        environment = {"ENGRAPHY_EMBEDDER": "none", **env}
        result = runner.invoke(main, [*words], env=environment, catch_exceptions=False)
        assert result.exit_code == code, result.output
        return result

    return call


def filled(folder: Path, text: str) -> str:
    """A store whose every field is hostile; the id of its memory."""
    with Memory(folder / "memory.db", embedder="none") as memory:
        row = memory.remember(
            text, title=text[:200], tags=[text[:50]], speaker=text[:60], category=text[:50],
            metadata={"k": text[:90]}, subtitle=text[:90],
        ).memory  # fmt: skip
        assert row is not None
        memory.fact(text[:90], "is [/]", text[:90])
        other = memory.remember("A second one about herons").memory
        assert other is not None
        memory.link(row.id, other.id)
        return row.id


@pytest.mark.long
@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_no_text_breaks_the_screen(run: Run, tmp_path: Path, text: str) -> None:
    """Every command that shows texts shows these: no crash, no escape code, no line too wide."""
    held = filled(tmp_path, text)
    commands = [
        ("recall", "herons"),
        ("explain", "herons", "--missing", held),
        ("context", "what about the herons?"),
        ("get", held),
        ("list",),
        ("timeline",),
        ("facts",),
        ("stats",),
        ("forget", "herons"),
        ("update", held, "--category", "[/]"),
        ("pin", held),
        ("remember", text),
        ("observe", text, "--speaker", "[/]"),
        ("fact", text[:90], "p", "[red]"),
    ]
    for words in commands:
        shown = run(*words).stdout
        assert not set(shown) & set("\x1b\x07\x9b\u202e"), words
        if words[0] != "context":
            assert max(map(cell_len, shown.split("\n"))) <= 80, words
        assert isinstance(json.loads(run(*words, "--json").stdout), dict)


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_json_gives_the_very_text(run: Run, tmp_path: Path, text: str) -> None:
    """What --json prints is the text as it was stored."""
    held = filled(tmp_path, text)
    assert json.loads(run("get", held, "--json").stdout)["content"] == text


@pytest.mark.parametrize("name", ["default", "letsgo", "layered", "titans", "cognitive"])
def test_profiles_fit_the_screen(run: Run, name: str) -> None:
    """A profile is shown, and compared with default, in 80 columns and as JSON."""
    for words in (("show", name), ("diff", "default", name), ("list",)):
        shown = run("profile", *words).stdout
        assert max(map(cell_len, shown.split("\n"))) <= 80
        assert json.loads(run("profile", *words, "--json").stdout)
    assert "max_content_chars" in run("profile", "show", name).stdout


WRONG_USAGE = [
    ("remember",),
    ("remember", "x", "--kind", "nothing"),
    ("remember", "x", "--importance", "much"),
    ("recall",),
    ("recall", "x", "--limit", "ten"),
    ("recall", "x", "--include", "everything"),
    ("list", "--nothing"),
    ("import", "nowhere.jsonl"),
    ("restore", "nowhere.db"),
    ("observe", "x", "--role", "owner"),
    ("link", "a"),
    ("profile",),
    ("profile", "show"),
    ("nonsense",),
    ("recall", ""),
    ("recall", " \n"),
    ("explain", ""),
    ("explain", "herons", "--missing", ""),
    ("explain-context", "herons", "--missing", " "),
    ("forget", ""),
    ("entity", ""),
    ("timeline-of", " "),
]


@pytest.mark.parametrize("words", WRONG_USAGE, ids=" ".join)
def test_wrong_usage_is_two(run: Run, words: tuple[str, ...]) -> None:
    """A mistake in the words is exit code 2, with the reason on stderr."""
    result = run(*words, code=2)
    assert result.stdout == ""
    assert result.stderr


REFUSED = [
    ("remember", " "),
    ("remember", "x" * 100_001),
    ("remember", "x", "--importance", "7"),
    ("remember", "x", "--at", "someday"),
    ("remember", "x", "--user", ""),
    ("recall", "x", "--limit", "0"),
    ("recall", "x", "--as-of", "once"),
    ("recall", "x", "--known-at", "once"),
    ("recall", "x", "--min-score", "2"),
    ("context", "which heron?", "--budget", "0"),
    ("list", "--since", "x"),
    ("recall", "x", "--embedder", "nonsense"),
    ("recall", "x", "--tenant", ""),
    ("update", "x"),
    ("fact", "", "b", "c"),
]
FAILING = [
    ("recall", "x", "--profile", "nobody"),
    ("profile", "diff", "default", "nobody"),
    ("backup", "/nowhere/at/all/copy.db"),
    ("export", "/proc/nowhere.jsonl"),
]
ENDINGS = [(2, words) for words in REFUSED] + [(1, words) for words in FAILING]


@pytest.mark.parametrize(
    ("code", "words"),
    ENDINGS,
    ids=lambda one: " ".join(one)[:40] if isinstance(one, tuple) else None,
)
def test_a_failure_has_its_code_and_one_line(run: Run, code: int, words: tuple[str, ...]) -> None:
    """A value that is not allowed is wrong usage, exit code 2; what cannot be done is 1, and 3
    where an id is unknown. All of it is told on stderr by its name."""
    result = run(*words, code=code)
    assert result.stdout == ""
    name, _, reason = result.stderr.partition(": ")
    assert name.endswith("Error")
    assert reason.strip()
    assert "Traceback" not in result.stderr
    said = json.loads(run(*words, "--json", code=code).stderr)
    assert (said["error"], bool(said["message"])) == (name, True)


def test_what_a_file_holds_is_no_wrong_usage(run: Run) -> None:
    """A file that is no export cannot be imported: that is 1, as its name was a good one."""
    assert "ImportFormatError: Line 1" in run("import", __file__, code=1).stderr


UNKNOWN = [("get",), ("update", "--content", "y"), ("pin",), ("forget",), ("link", "0" * 26)]


@pytest.mark.parametrize("words", UNKNOWN, ids=lambda words: words[0])
def test_an_unknown_id_is_three(run: Run, words: tuple[str, ...]) -> None:
    """Every command that takes an id says the same of one that is not there."""
    held = "0" * 25 + "1"
    assert run(words[0], held, *words[1:], code=3).stderr.startswith("NotFoundError: ")


def test_every_option_reaches_its_verb(run: Run) -> None:
    """Fields, scopes, times and leave go through as they were typed."""
    words = [
        "remember", "The heron nests", "--kind", "decision", "--title", "T", "--tags", "a",
        "--tags", "b", "--category", "c", "--importance", "0.25", "--sensitivity", "private",
        "--at", "2026-01-02", "--user", "u", "--agent", "ag", "--project", "p", "--session", "s",
    ]  # fmt: skip
    row = json.loads(run(*words, "--json").stdout)["memory"]
    assert (row["kind"], row["title"], row["tags"]) == ("decision", "T", ["a", "b"])
    assert (row["category"], row["importance"], row["sensitivity"]) == ("c", 0.25, "private")
    assert row["valid_from"] == "2026-01-02T00:00:00Z"
    scope = ("--user", "u", "--agent", "ag", "--project", "p")
    assert row["scope"] == {"tenant": "default", "user": "u", "agent": "ag", "project": "p",
                            "session": "s", "conversation": None}  # fmt: skip
    assert json.loads(run("list", *scope, "--json").stdout) == {"memories": []}
    for verb in (("list",), ("timeline",), ("recall", "heron nests")):
        found = json.loads(run(*verb, *scope, "--allow-private", "--json").stdout)
        assert [one["id"] for one in next(iter(found.values()))] == [row["id"]]
        for more in (("--session", "x"), ("--tenant", "other")):
            found = json.loads(run(*verb, *scope, *more, *ALL, "--json").stdout)
            assert next(iter(found.values())) == []
    assert json.loads(run("pin", row["id"], "--immutable", *scope, *ALL, "--json").stdout)[
        "immutable"
    ]
    run("forget", row["id"], *scope, *ALL, code=1)


def test_the_past_is_asked_from_the_shell(run: Run) -> None:
    """--as-of and --include work as in Python."""
    run("remember", "I live in Berlin", "--at", "2026-01-01")
    run("remember", "I moved to Porto", "--at", "2026-02-01")
    then = json.loads(run("recall", "Berlin", "--as-of", "2026-01-15", "--json").stdout)["hits"]
    assert [hit["content"] for hit in then] == ["I live in Berlin"]
    assert json.loads(run("recall", "Berlin", "--json").stdout)["hits"] == []
    both = json.loads(run("list", "--include", "superseded", "--json").stdout)["memories"]
    assert len(both) == 2
    assert "(superseded)" in run("timeline").stdout
    facts = json.loads(run("facts", "--past", "--json").stdout)["facts"]
    assert {fact["object"] for fact in facts} == {"berlin", "porto"}


def test_restore_asks_first(run: Run, tmp_path: Path) -> None:
    """Without --yes a question is asked; anything but yes changes nothing."""
    run("remember", "the first")
    run("backup", str(tmp_path / "copy.db"))
    run("remember", "the second")
    runner = CliRunner(env={"ENGRAPHY_HOME": str(tmp_path), "ENGRAPHY_EMBEDDER": "none"})
    for answer in ("n\n", "\n", ""):
        result = runner.invoke(main, ["restore", str(tmp_path / "copy.db")], input=answer)
        assert result.exit_code != 0
        assert json.loads(run("stats", "--json").stdout)["total"] == 2
    runner.invoke(main, ["restore", str(tmp_path / "copy.db")], input="y\n")
    assert json.loads(run("stats", "--json").stdout)["total"] == 1


def installed(folder: Path, *words: str, **env: str) -> "subprocess.CompletedProcess[bytes]":
    """The installed command, as a shell runs it."""
    environment = {**os.environ, "ENGRAPHY_HOME": str(folder), "ENGRAPHY_EMBEDDER": "none", **env}
    return subprocess.run([PROGRAM, *words], env=environment, capture_output=True, timeout=60)  # noqa: PLW1510


def in_one_process(*commands: tuple[str, ...], folder: Path, **env: str) -> list[bytes]:
    """What each of these commands writes into a real pipe, one after the other in one process;
    none fails, and none writes an error."""
    code = (
        "import sys\n"
        "from engraphy.cli import main\n"
        f"for words in {commands!r}:\n"
        "    main(words, prog_name='engraphy', standalone_mode=False)\n"
        "    sys.stdout.flush()\n"
        "    sys.stdout.buffer.write(b'\\0')\n"
    )
    environment = {**os.environ, "ENGRAPHY_HOME": str(folder), "ENGRAPHY_EMBEDDER": "none", **env}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.split(b"\0")[:-1]


@pytest.mark.long
@pytest.mark.parametrize(
    ("signs", "colours", "env"),
    [
        (False, False, {"NO_COLOR": ""}),
        (True, True, {"NO_COLOR": "", "FORCE_COLOR": "1"}),
        (True, False, {"NO_COLOR": "1", "FORCE_COLOR": "1"}),
    ],
    ids=["a pipe", "FORCE_COLOR", "both"],
)
def test_colours_only_where_they_are_wanted(
    tmp_path: Path, signs: bool, colours: bool, env: dict[str, str]
) -> None:
    """A pipe gets none; FORCE_COLOR gives them; NO_COLOR takes them away again, and leaves bold."""
    filled(tmp_path, "The heron nests by the lake")
    (shown,) = in_one_process(("recall", "heron lake"), folder=tmp_path, **env)
    assert b"lake" in shown
    assert (b"\x1b[" in shown) is signs
    assert (re.search(rb"\x1b\[(?:\d+;)*[39]\dm", shown) is not None) is colours


@pytest.mark.long
@pytest.mark.parametrize(
    "encoding", ["ascii", pytest.param("latin-1", marks=pytest.mark.slow), "utf-8"]
)
def test_a_terminal_of_another_encoding(tmp_path: Path, encoding: str) -> None:
    """Where a sign cannot be shown it is replaced; the command does not fail."""
    commands = (
        ("remember", "Müdür 日本語 😀 herons"), ("recall", "herons"), ("list",),
        ("recall", "herons", "--json"),
    )  # fmt: skip
    shown = in_one_process(*commands, folder=tmp_path, PYTHONIOENCODING=encoding)
    assert len(shown) == len(commands)
    assert all(text.decode(encoding) for text in shown)
    assert all(b"herons" in text for text in shown[1:])


@pytest.mark.long
def test_a_reader_who_leaves_early(tmp_path: Path) -> None:
    """`engraphy list | head -1` ends quietly."""
    rows = ['{"format": "engraphy-export", "version": 1}']
    for number in range(400):
        row = {"record": "memory", "id": f"m{number}", "scope": {"tenant": "default"}}
        rows.append(json.dumps({**row, "content": f"{number} fills the pipe with words " * 7}))
    (tmp_path / "in.jsonl").write_text("\n".join(rows))
    with Memory(tmp_path / "memory.db", embedder="none") as memory:
        memory.import_(tmp_path / "in.jsonl")
    command = f"'{PROGRAM}' list --limit 400 | head -1"
    environment = {**os.environ, "ENGRAPHY_HOME": str(tmp_path), "ENGRAPHY_EMBEDDER": "none"}
    done = subprocess.run(
        command, shell=True, env=environment, capture_output=True, timeout=60, check=False
    )
    assert done.stderr == b""
    assert done.stdout.count(b"\n") == 1


@pytest.mark.long
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk that is always full")
@pytest.mark.parametrize("words", [("--help",), ("list",), ("list", "--json")])
def test_output_that_finds_no_room(tmp_path: Path, words: tuple[str, ...]) -> None:
    """A full disk under the output is told in one line, and the command has failed."""
    environment = {**os.environ, "ENGRAPHY_HOME": str(tmp_path), "ENGRAPHY_EMBEDDER": "none"}
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [PROGRAM, *words], env=environment, stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == b"Error: No space left on device"
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_a_script(tmp_path: Path, shell: str) -> None:
    """What the shell evaluates to complete words."""
    done = installed(tmp_path, _ENGRAPHY_COMPLETE=f"{shell}_source")
    assert done.returncode == 0
    assert b"_ENGRAPHY_COMPLETE" in done.stdout


@pytest.mark.long
def test_commands_and_options_are_completed(tmp_path: Path) -> None:
    """The words of a completion are the commands, and their options."""
    asked = installed(
        tmp_path, _ENGRAPHY_COMPLETE="bash_complete", COMP_WORDS="engraphy re", COMP_CWORD="1"
    )
    words = {line.partition(",")[2] for line in asked.stdout.decode().splitlines()}
    offered = main.list_commands(None)  # type: ignore[arg-type]
    expected = {name for name in offered if name.startswith("re")}
    assert "remember" in expected
    assert words == expected
    options = installed(
        tmp_path, _ENGRAPHY_COMPLETE="bash_complete", COMP_WORDS="engraphy recall --al",
        COMP_CWORD="2",
    )  # fmt: skip
    assert b"--allow-private" in options.stdout


READING = [
    ("recall", "herons"),
    ("explain", "herons"),
    ("context", "herons"),
    ("inject", "[]"),
    ("receipts",),
    ("explain-context", "herons"),
    ("get", "0" * 26),
    ("list",),
    ("timeline",),
    ("timeline-of", "herons"),
    ("links", "0" * 26),
    ("entity", "herons"),
    ("steps", "0" * 26),
    ("outcome", "0" * 26),
    ("scoped", "a.py"),
    ("facts",),
    ("stats",),
    ("session", "s"),
    ("working", "s"),
    ("jobs",),
    ("cost",),
    ("review",),
    ("why-not", "herons"),
    ("doctor",),
    ("capabilities",),
    ("export", "out.jsonl"),
    ("backup", "copy.db"),
]


@pytest.mark.parametrize("words", READING, ids=lambda words: words[0])
@pytest.mark.parametrize("held", [None, b""], ids=["no file", "an empty one"])
def test_what_only_reads_makes_no_store(
    run: Run, tmp_path: Path, words: tuple[str, ...], held: bytes | None
) -> None:
    """A file that is named and is no store yet is told of, and stays as it is; what writes makes
    one."""
    file = tmp_path / "nothing.db"
    if held is not None:
        file.write_bytes(held)
    before = sorted(tmp_path.iterdir())
    said = run(*words, "--db", str(file), code=1).stderr
    assert f"The file {file} cannot be opened: there is no store to read." in said
    assert sorted(tmp_path.iterdir()) == before
    assert held is None or file.read_bytes() == held


def test_what_writes_makes_the_store(run: Run, tmp_path: Path) -> None:
    """After the first memory there is a store to read."""
    file = tmp_path / "new.db"
    run("remember", "The heron nests", "--db", str(file))
    assert "The heron nests" in run("list", "--db", str(file)).stdout


def test_what_is_missing_is_named_by_its_id(tmp_path: Path) -> None:
    """An empty id is refused, and says what is allowed, instead of being left out silently."""
    with Memory(tmp_path / "memory.db", embedder="none") as memory:
        for verb in (memory.explain, memory.explain_context):
            for empty in ("", "  "):
                with pytest.raises(InvalidInputError, match="allowed: the id of a memory"):
                    verb("herons", missing=empty)


def test_the_version_is_told(run: Run) -> None:
    """`--version` prints the version of the package."""
    assert run("--version").stdout.startswith("engraphy, version ")


def test_help_fits_the_screen(run: Run) -> None:
    """Every help text fits 80 columns."""
    for words in ((), *((name,) for name in ("remember", "recall", "forget", "bench", "profile"))):
        assert max(map(len, run(*words, "--help").stdout.split("\n"))) <= 80


def test_json_is_one_object(run: Run) -> None:
    """--json prints one JSON value and nothing beside it, also where there is nothing."""
    empty: list[tuple[tuple[str, ...], Any]] = [
        (("recall", "x"), {"hits": []}),
        (("list",), {"memories": []}),
        (("timeline",), {"memories": []}),
        (("facts",), {"facts": []}),
    ]
    for words, value in empty:
        assert json.loads(run(*words, "--json").stdout) == value
        assert run(*words).stdout.strip()


INTERRUPTED = """
import os, signal, sys
at = sys.argv.pop(1)

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == at:
            os.kill(os.getpid(), signal.SIGINT)

# A shell's background job begins with the signal ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Interrupting())
from engraphy.cli import main
main()
"""


def interrupted(module: str, *words: str) -> "subprocess.CompletedProcess[str]":
    """A command that gets Ctrl-C when it comes to load a module."""
    command = [sys.executable, "-c", INTERRUPTED, module, *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_an_interrupt_of_the_first_moment_is_one_line() -> None:
    """Ctrl-C while the command line is still being loaded says what it says later, and no more."""
    done = interrupted("click", "stats")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "Aborted!\n")


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_an_interrupted_move_says_how_it_goes_on(run: Run, tmp_path: Path) -> None:
    """Ctrl-C in the middle of a move is answered with what to do; done again, it is through."""
    run("remember", "The heron nests by the lake", "--db", str(tmp_path / "old.db"))
    words = ["migrate", str(tmp_path / "old.db"), str(tmp_path / "new.db")]
    done = interrupted("engraphy.stores.carrying.moving", *words)
    assert (done.returncode, done.stdout) == (1, "")
    assert "the same command goes on" in done.stderr
    assert "Traceback" not in done.stderr
    assert "every row is equal" in run(*words).stdout


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_an_interrupted_import_says_how_it_goes_on(run: Run, tmp_path: Path) -> None:
    """Ctrl-C in the middle of an import is answered with what is kept and what to do; done again,
    it is through."""
    old, new, file = (str(tmp_path / name) for name in ("old.db", "new.db", "all.jsonl"))
    run("remember", "The heron nests by the lake", "--db", old)
    run("export", file, "--db", old)
    words = ["import", file, "--trusted", "--db", new]
    done = interrupted("engraphy.stores.relational.segments", *words)
    assert (done.returncode, done.stdout) == (1, "")
    assert "the same command goes on" in done.stderr
    assert "Traceback" not in done.stderr
    run(*words)
    assert "heron" in run("list", "--db", new).stdout
