"""What a newcomer types wrong, or looks for in vain, is answered with what to do."""

import contextlib
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engraphy.cli import main
from engraphy.cli.sections import ELSEWHERE, NAMES

Run = Callable[..., Result]
WALLS = "--user NAME, --agent NAME, --project NAME."


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run a command of a home of its own."""
    home = {"HOME": str(tmp_path), "ENGRAPHY_HOME": str(tmp_path / "memories")}
    runner = CliRunner(env={"NO_COLOR": "1", "COLUMNS": "80", "TERMINAL_WIDTH": "80", **home})

    def call(*words: str, code: int = 0, piped: str | bytes | None = None) -> Result:
        result = runner.invoke(main, [*words], input=piped, catch_exceptions=False)
        assert result.exit_code == code, result.output
        return result

    return call


def test_the_list_of_commands_is_in_sections_and_cuts_nothing(run: Run) -> None:
    """Every command stands in one section, its sentence whole, at 80 columns."""
    shown = run("--help").output
    listed = re.findall(r"^  ([a-z][a-z-]+)  ", shown, re.MULTILINE)
    assert sorted(listed) == sorted(NAMES)
    assert "Change and forget:" in shown
    assert not [line for line in shown.splitlines() if len(line) > 80]
    assert re.findall(r"\w\.\.\.$", shown, re.MULTILINE) == []


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("rember", "remember"),
        ("add", "remember"),
        ("search", "recall"),
        ("delete-all", "forget-user"),
    ],
)
def test_a_name_that_is_none_is_told_what_may_be_meant(run: Run, typed: str, meant: str) -> None:
    """A slip, or the name that another memory has for it."""
    said = run(typed, "x", code=2).output
    assert f"Did you mean {meant}" in said
    assert "Did you mean" not in run("xyzzy", code=2).output
    assert set(ELSEWHERE).isdisjoint(NAMES)
    assert {one for one in ELSEWHERE.values() if one[0] != "-"} <= set(NAMES)


def test_a_text_without_quotes_is_told_to_have_them(run: Run) -> None:
    """The shell cuts it into words."""
    assert "stands in quotes" in run("remember", "I", "prefer", "tabs", code=2).output


@pytest.mark.long
def test_who_finds_nothing_and_named_nobody_is_told_of_walls(run: Run) -> None:
    """On the side of errors, so that what reads the answer reads it alone; not where somebody was
    named, something was found, or JSON was asked for."""
    run("snapshot", "start")
    run("remember", "I prefer tabs over spaces", "--user", "ada")
    for words in (["recall", "tabs or spaces?"], ["list"], ["facts"], ["diff", "start"]):
        found = run(*words)
        assert WALLS in found.stderr
        assert WALLS not in found.stdout
        assert WALLS not in run(*words, "--user", "bob").stderr
        assert WALLS not in run(*words, "--user", "ada").stderr
        assert run(*words, "--json").stderr == ""
        assert "engraphy owners" in found.stderr
        assert "engraphy owners" in run(*words, "--user", "bob").stderr
        assert "engraphy owners" not in run(*words, "--user", "ada").stderr


def test_installing_without_the_sdk_says_what_is_missing(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The hooks work; a server that would not start is not left to be found out."""
    monkeypatch.setenv("HOME", str(tmp_path))
    assert "engraphy[agents]" not in run("install", "claude-code", "--yes").stderr
    run("uninstall", "claude-code", "--yes")
    monkeypatch.setitem(sys.modules, "mcp", None)
    assert 'pip install "engraphy[agents]"' in run("install", "claude-code", "--yes").stderr


def test_a_hit_tells_its_score_in_few_words(run: Run) -> None:
    """What a part of a score is made of stays for `explain` and `--json`: a line of parts fits."""
    run("remember", "The staging database is PostgreSQL 16", "--user", "ada")
    shown = run("recall", "which staging database?", "--user", "ada").output
    assert "relevance 0." in shown
    assert "relevance." not in shown.replace("relevance 0.", "")
    assert len([line for line in shown.splitlines() if line.strip()]) == 3


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("--since yesterday", "storks"),
        ("--since 3 days ago", "storks"),
        ("--since geçen hafta", "storks"),
        ("--since two months ago", "herons storks"),
        ("--until last month", "herons"),
        ("--until yesterday", "herons"),
        ("--since 2020-01-01", "herons storks"),
    ],
)
def test_a_moment_may_be_told_in_words(run: Run, words: str, found: str) -> None:
    """Where a command takes a moment, "yesterday" and its like are one, in English and Turkish."""
    run("remember", "Told of herons", "--at", "40 days ago")
    run("remember", "Told of storks")
    name, _, value = words.partition(" ")
    shown = run("list", name, value).output
    assert {one for one in ("herons", "storks") if one in shown} == set(found.split())


def test_what_held_on_a_day_is_asked_for_in_words(run: Run) -> None:
    """`--as-of yesterday` is the last moment of that day."""
    run("remember", "I live in Rome", "--user", "ada", "--at", "40 days ago")
    run("remember", "I moved, I live in Oslo now", "--user", "ada")
    shown = run("recall", "where do I live?", "--user", "ada", "--as-of", "yesterday").output
    assert "Rome" in shown
    assert "Oslo" not in shown


def test_what_is_no_moment_is_refused(run: Run) -> None:
    """Words that name no stretch of time are told what is allowed."""
    assert "ISO 8601" in run("list", "--since", "banana", code=2).output


def test_a_moment_may_be_seconds_since_1970(run: Run) -> None:
    """Ten digits, or thirteen for milliseconds."""
    for told, what in (("1735689600", "Herons fish"), ("1735689600000", "Storks fly")):
        shown = json.loads(run("remember", what, "--at", told, "--json").stdout)
        assert shown["memory"]["valid_from"].startswith("2025-01-01")
    shown = run("list", "--until", "1735689601").output
    assert "Herons fish" in shown
    assert "Storks fly" in shown
    assert "10 digits" in run("list", "--until", "17356896", code=2).output


@pytest.mark.parametrize("command", ["remember", "observe"])
def test_a_hyphen_stands_for_what_is_piped_in(run: Run, command: str) -> None:
    """The text of standard input is kept, and no hyphen; nothing is piped in, nothing is kept."""
    run(command, "-", piped="The heron nests\nby the lake in June.\n")
    assert "The heron nests" in run("list").stdout
    assert "heron" in run("recall", "-", piped="where does the heron nest?").stdout
    run("remember", "-", piped="\n", code=2)
    run("recall", "-", piped="", code=2)


def test_what_is_piped_in_and_is_no_utf_8_is_kept_as_it_can_be_read(run: Run) -> None:
    """Bytes that are no letters become one sign each, and the rest is kept."""
    run("remember", "-", piped=b"The caf\xe9 opens at nine")
    assert "opens at nine" in run("list").stdout


def test_a_store_that_was_not_there_is_told(run: Run, tmp_path: Path) -> None:
    """Who names a file that is none hears on stderr that it was made, once, in every format."""
    file = str(tmp_path / "typo.db")
    told = f"A new store was made: {file}"
    assert told in run("remember", "Tea is at five", "--db", file, "--json").stderr
    assert told not in run("remember", "Tea is at six", "--db", file).stderr


_EXPORT = b'{"format": "engraphy-export", "version": 1}\n'


@pytest.mark.parametrize(
    ("words", "content"),
    [
        (("import",), b"Tea is at five"),
        (("import",), b""),
        (("import",), _EXPORT + b'{"record": "memory", "id": "cut o'),
        (("import", "--from", "auto"), b"Tea is at five"),
        (("import", "--from", "mem0"), b'{"results": [{"memory": "Tea is a'),
        (("restore", "--yes"), b"Tea is at five"),
    ],
)
@pytest.mark.parametrize("named", [True, False])
def test_what_cannot_be_brought_in_makes_no_store(
    run: Run, tmp_path: Path, words: tuple[str, ...], content: bytes, *, named: bool
) -> None:
    """A wrong file, or one that was cut off, leaves no empty store behind, named or not, and a
    store that is there stays as it is."""
    (tmp_path / "wrong").write_bytes(content)
    (tmp_path / "new").mkdir()
    place = ("--db", str(tmp_path / "new" / "store.db")) if named else ()
    said = CliRunner().invoke(
        main,
        [words[0], str(tmp_path / "wrong"), *words[1:], "--no-embed", *place],
        env={"HOME": str(tmp_path), "ENGRAPHY_HOME": str(tmp_path / "memories")},
    )
    assert said.exit_code in {1, 2}, said.output
    assert "new store" not in said.output
    assert list((tmp_path / "new").iterdir()) == []
    assert not list((tmp_path / "memories").glob("*"))


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (b'"content": "Tea', b'"content" "Tea', "Line 3 of .*: Expecting ':' delimiter"),
        (b'"content": "Tea', b'"contents": "Tea', "Line 3 of .* required field `content`"),
        (b"Tea", b"\xff\xfe", "not all utf-8"),
    ],
)
def test_an_export_that_is_broken_in_the_middle_makes_no_store(
    run: Run, tmp_path: Path, old: bytes, new: bytes, why: str
) -> None:
    """... wherever it is broken, and its line is told; mended it comes in."""
    for told in ("The harbour opens at six", "Tea is at five", "Bread is on Mondays"):
        run("remember", told)
    file, store = tmp_path / "all.jsonl", tmp_path / "new.db"
    run("export", str(file))
    whole = file.read_bytes()
    file.write_bytes(whole.replace(old, new))
    said = run("import", str(file), "--db", str(store), code=1).output
    assert re.search(why, said)
    assert not list(tmp_path.glob("new.db*"))
    file.write_bytes(whole)
    assert "3 memories" in run("import", str(file), "--db", str(store), "--trusted").output


def test_a_damaged_backup_makes_no_store(run: Run, tmp_path: Path) -> None:
    """Nor does a backup that was cut off; a whole one is restored into a new store."""
    run("remember", "Tea is at five")
    run("backup", str(tmp_path / "copy.db"))
    whole = (tmp_path / "copy.db").read_bytes()
    (tmp_path / "cut.db").write_bytes(whole[: len(whole) // 2])
    place = ("--db", str(tmp_path / "other.db"))
    run("restore", str(tmp_path / "cut.db"), "--yes", *place, code=1)
    assert not list(tmp_path.glob("other.db*"))
    run("restore", str(tmp_path / "copy.db"), "--yes", *place)
    assert "Tea is at five" in run("list", *place).stdout


def test_a_backup_where_no_folder_is_names_the_folder(run: Run, tmp_path: Path) -> None:
    """What cannot be written is told, and not the store that could be read."""
    run("remember", "Tea is at five")
    said = run("backup", str(tmp_path / "nowhere" / "copy.db"), code=1).stderr
    assert f"there is no folder {tmp_path / 'nowhere'}" in said
    assert "memory.db" not in said
    said = run("export", str(tmp_path / "nowhere" / "all.jsonl"), code=1).stderr
    assert f"there is no folder {tmp_path / 'nowhere'}." in said


def test_nothing_is_said_of_how_far_an_import_is_where_nobody_watches(
    run: Run, tmp_path: Path
) -> None:
    """Beside an error, or in a log, there is no bar."""
    run("remember", "Tea is at five")
    run("export", str(tmp_path / "all.jsonl"))
    done = run("import", str(tmp_path / "all.jsonl"), "--trusted")
    assert done.stdout.startswith("0 memories, 0 facts, 0 relations, 1 left out: ")
    assert done.stderr == ""
    (tmp_path / "empty.jsonl").touch()
    said = run("import", str(tmp_path / "empty.jsonl"), code=1).stderr
    assert said.startswith("ImportFormatError: Line 1 of ")


def test_an_empty_store_is_counted_without_empty_lines(run: Run) -> None:
    """What there is none of has no line of its own in `stats` and `audit`."""
    shown = run("stats").stdout
    assert "by kind" not in shown
    assert "from" not in shown
    assert run("audit").stdout.splitlines() == ["the journal is as it was written"]


def test_a_profile_that_is_not_there_is_told_in_words(run: Run, tmp_path: Path) -> None:
    """The reason is the system's words, without its numbers and the name a second time."""
    said = run("list", "--profile", str(tmp_path / "no.toml"), code=1).stderr
    assert said.endswith("its file cannot be read: No such file or directory.\n")


def test_where_there_is_nothing_to_undo_it_says_where_to_look(run: Run) -> None:
    """`undo` without more is about the last dream; what else there is stands in `audit`."""
    said = run("undo", code=2).stderr
    assert "dream" in said
    assert "audit" in said


def test_whose_a_memory_is_is_told_in_words(run: Run) -> None:
    """`get` names the walls that are set, and nothing of a program's."""
    told = run("remember", "I prefer tabs", "--user", "ada", "--project", "shop", "--json").output
    held = json.loads(told)["memory"]["id"]
    shown = run("get", held, "--user", "ada", "--project", "shop").output
    assert "tenant default, user ada, project shop" in shown
    assert "None" not in shown


def test_a_value_without_its_name_is_told_to_have_one(run: Run) -> None:
    """Where a command takes nothing by place, quotes would not help."""
    for words in (("facts", "ada"), ("undo", "3"), ("list", "ada"), ("update", "01M8MG", "I row")):
        shown = run(*words, code=2).output
        assert "has a name" in shown
        assert "quotes" not in shown


def test_what_is_not_found_may_be_somebody_s(run: Run) -> None:
    """Whoever names no wall is told that there are some, and where whose memories are is listed."""
    kept = json.loads(run("remember", "Herons fish", "--user", "ada", "--json").stdout)["memory"]
    shown = run("get", kept["id"], code=3).output
    assert "--user NAME" in shown
    assert "engraphy owners" in shown
    shown = run("get", kept["id"], "--user", "bob", code=3).output
    assert "--user NAME" not in shown
    assert "engraphy owners" in shown
    assert "engraphy owners" in run("stats").output
    assert "engraphy owners" not in run("stats", "--user", "ada").output
    shown = json.loads(run("get", kept["id"], "--json", code=3).output)
    assert shown["error"] == "NotFoundError"


def test_what_was_taken_out_is_told(run: Run) -> None:
    """A key that was told is named by its kind at once."""
    shown = run("remember", "the key is Xk29fjQ0s8dLmZp41vTb").output
    assert "secrets removed: api_key" in shown
    assert "Xk29" not in shown


@pytest.mark.parametrize("text", ["hello\n", '{"memories": []}\n', "[1]\n"])
def test_a_file_of_another_program_is_no_export(run: Run, tmp_path: Path, text: str) -> None:
    """What an export begins with is told, and how what others keep comes in."""
    file = tmp_path / "notes.txt"
    file.write_text(text)
    shown = run("import", str(file), code=1).output
    assert "Line 1" in shown
    assert "engraphy import --from auto" in shown
    assert "it is a folder" in run("import", str(tmp_path), code=1).output


def test_a_folder_that_holds_nothing_of_a_source_is_named(run: Run, tmp_path: Path) -> None:
    """Also where it is the folder that one is in."""
    with contextlib.chdir(tmp_path):
        assert "path is '.'" in run("import", ".", "--from", "claude-code", code=2).output


def test_what_is_no_text_is_not_kept(run: Run) -> None:
    """A picture or a program on standard input is refused with what is wrong; text of another
    encoding comes in with signs for what cannot be read."""
    said = run("remember", "-", piped=b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", code=2).stderr
    assert "standard input holds no text" in said
    assert "No memories here" in run("list").stdout
    run("remember", "-", piped="Jürgen likes tea".encode("latin-1"))
    assert "rgen likes tea" in run("list").stdout


def test_what_took_the_place_of_what_is_told_by_id(run: Run) -> None:
    """Where no fact is known of it, the reason names the memory that is over, and the new value."""
    old = json.loads(run("remember", "We use PostgreSQL 15 for the orders", "--json").stdout)
    done = run("remember", "The orders now use PostgreSQL 17").stdout
    assert f"superseded  takes the place of {old['memory']['id']}: 17" in done


def test_an_empty_memory_is_told_to_be_empty(run: Run) -> None:
    """Where nothing was ever kept, no wall hides anything, and how to begin is told."""
    shown = run("recall", "where do I live?").output
    assert "This memory is empty" in shown
    assert "engraphy remember" in shown
    assert "--user NAME" not in shown
    run("remember", "Herons fish at dawn", "--user", "ada")
    shown = run("recall", "when do herons fish?").output
    assert "This memory is empty" not in shown
    assert "--user NAME" in shown


def test_words_that_forget_nothing_lead_to_what_is_over(run: Run) -> None:
    """Words look for what holds now; what was superseded is listed, and forgotten by its id."""
    run("remember", "I live in Graz")
    run("remember", "I moved to Vienna")
    shown = run("forget", "Graz").output
    assert "Nothing was erased" in shown
    assert "engraphy list --include superseded" in shown
    assert "Graz" in run("list", "--include", "superseded").output


@pytest.mark.parametrize("option", ["--db", "--profile", "--limit", "-n"])
def test_an_option_before_its_command_is_told_to_stand_behind_it(run: Run, option: str) -> None:
    """`engraphy --db FILE list` is refused with where the option stands."""
    shown = run(option, "x", "list", code=2).output
    assert option in shown
    assert "stands behind its name" in shown


def test_the_demo_fills_no_store_that_is_there(run: Run, tmp_path: Path) -> None:
    """Its messages never come into a memory of one's own: `--keep` wants a new file."""
    file = str(tmp_path / "own.db")
    run("remember", "Herons fish at dawn", "--db", file)
    shown = run("demo", "--messages", "1", "--keep", file, code=2).output
    assert "not there yet" in shown
    assert json.loads(run("stats", "--db", file, "--json").stdout)["total"] == 1
