"""Episodes, procedures and what applies to a path (document 002), from outside."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.engine.conftest import Opening
from tests.engine.making import TOKEN, kept, opened, texts

from engraphy import Memory
from engraphy.errors import ContentTooLongError, InvalidInputError, NotFoundError
from engraphy.model import Action

DEPLOY = ["run the tests", "build the image", "push it"]


@pytest.mark.spec("B-01")
def test_an_episode_keeps_how_it_ended(memory: Memory) -> None:
    """What happened, its outcome, its tags and what is learnt from it come back, and are found."""
    row = kept(
        memory.episode(
            "Migrated billing to Postgres",
            outcome="partial",
            lesson="Take a snapshot first",
            tags=["db", "billing"],
            started_at="2026-05-01T08:00:00Z",
            ended_at="2026-05-01T10:00:00Z",
            project="shop",
        )
    )
    part = memory.outcome(row.id, project="shop")
    assert (row.kind, row.tags) == ("episode", ("db", "billing"))
    assert (part.outcome, part.lesson) == ("partial", "Take a snapshot first")
    assert part.started_at is not None
    assert part.ended_at == part.started_at + 7_200_000_000
    for question in ("what about billing?", "snapshot", "db"):
        assert texts(memory.recall(question, project="shop")) == [row.content]


@pytest.mark.spec("B-01")
def test_a_procedure_keeps_its_steps_in_order(memory: Memory) -> None:
    """A named workflow has its steps in the order given, and is found by any of them."""
    row = kept(memory.procedure("Deploy", DEPLOY, trigger="a release is due"))
    part = memory.steps(row.id)
    assert (part.name, part.trigger, list(part.steps)) == ("Deploy", "a release is due", DEPLOY)
    assert row.kind == "procedure"
    for question in ("how do I deploy?", "build image", "release due"):
        assert memory.recall(question)[0].memory.id == row.id


@pytest.mark.spec("B-01")
def test_facts_episodes_and_procedures_are_three_layers_of_one_store(memory: Memory) -> None:
    """Each layer is listed by its kind, and all of them answer one question."""
    memory.remember("The staging database is called orion", kind="fact")
    memory.episode("Restored the orion database from a backup", outcome="success")
    memory.procedure("Restore orion", ["stop writers", "load the backup", "start writers"])
    for kind in ("fact", "episode", "procedure"):
        assert len(memory.list(kind=kind)) == 1
    assert {hit.memory.kind for hit in memory.recall("orion database backup")} == {
        "fact",
        "episode",
        "procedure",
    }


@pytest.mark.spec("B-08")
def test_the_same_name_is_the_next_version(memory: Memory) -> None:
    """A procedure told anew keeps its id, counts and trigger; its earlier text stays readable."""
    first = kept(memory.procedure("Deploy", DEPLOY, trigger="a release is due", project="a"))
    memory.report(first.id, project="a")
    told = memory.procedure("deploy", [*DEPLOY, "announce it"], project="a")
    row = kept(told)
    assert (told.action, row.id, row.version) == (Action.UPDATED, first.id, 2)
    assert row.success_count == 1
    assert memory.steps(row.id, project="a").trigger == "a release is due"
    assert [one.content for one in memory.history(row.id, project="a")] == [first.content]
    assert memory.recall("announce", project="a")[0].memory.id == first.id


EDITED = "Deploy\nWhen: a release is due\n1. run the tests\n2. tag it\nwith the version\n3) push it"


@pytest.mark.spec("B-01")
def test_the_steps_of_a_procedure_follow_its_edited_text(memory: Memory) -> None:
    """A new text is read as the name and the numbered steps: text and steps never say different
    things, the earlier text stays readable, the counts stay."""
    row = kept(memory.procedure("Deploy", DEPLOY, trigger="a release is due", project="a"))
    memory.report(row.id, project="a")
    new = memory.update(row.id, EDITED, project="a")
    part = memory.steps(row.id, project="a")
    assert part.steps == ("run the tests", "tag it\nwith the version", "push it")
    assert (part.name, part.trigger) == ("Deploy", "a release is due")
    assert all(step in new.content for step in part.steps)
    assert (new.version, new.success_count) == (2, 1)
    assert [one.content for one in memory.history(row.id, project="a")] == [row.content]
    memory.update(row.id, "1. call Ops", project="a")
    assert memory.steps(row.id, project="a").steps == ("call Ops",)
    assert memory.steps(row.id, project="a").trigger == "a release is due"
    memory.update(row.id, title="How we deploy", project="a")
    assert memory.steps(row.id, project="a").steps == ("call Ops",)


@pytest.mark.parametrize(
    "text",
    ["Call Ops instead", "Release\n1. call Ops", "Deploy\non Fridays\n1. call Ops", "Deploy"],
)
def test_a_text_that_is_no_procedure_is_refused(memory: Memory, text: str) -> None:
    """Without steps, under another name or with lines that are neither, it says what to do."""
    row = kept(memory.procedure("Deploy", DEPLOY))
    with pytest.raises(InvalidInputError, match=r"content.*Deploy.*procedure\(name, steps\)"):
        memory.update(row.id, text)
    assert memory.get(row.id).content == row.content
    assert memory.steps(row.id).steps == tuple(DEPLOY)


def test_a_name_belongs_to_its_walls(memory: Memory) -> None:
    """The same name in another project is another procedure."""
    one = kept(memory.procedure("Deploy", DEPLOY, project="a"))
    two = kept(memory.procedure("Deploy", ["call Ops"], project="b"))
    assert one.id != two.id
    assert memory.steps(one.id, project="a").steps == tuple(DEPLOY)
    with pytest.raises(NotFoundError):
        memory.steps(two.id, project="a")


@pytest.mark.spec("B-08", "D-74")
def test_reports_of_many_at_once_all_count(tmp_path: Path) -> None:
    """Success and failure are counted on the procedure, and no report of another is lost."""
    file = tmp_path / "store.db"
    with opened(file) as memory:
        row = kept(memory.procedure("Deploy", DEPLOY))

        def reports(success: bool) -> None:
            with opened(file) as own:
                for _ in range(10):
                    own.report(row.id, success)

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(reports, [True, False, True, True]))
        held = memory.get(row.id, touch=False)
        assert (held.success_count, held.failure_count) == (30, 10)
        assert held.updated_at == row.updated_at


@pytest.mark.spec("D-43")
def test_a_report_moves_how_useful_a_memory_is(memory: Memory) -> None:
    """Any memory that helped, or did not: a tenth of the way to 1 or 0, and neither an edit nor an
    access."""
    row = kept(memory.remember("The sky is blue"))
    assert memory.report(row.id).utility == pytest.approx(0.55)
    last = memory.report(row.id, success=False)
    assert last.utility == pytest.approx(0.495)
    assert (last.success_count, last.failure_count) == (1, 1)
    assert (last.updated_at, last.access_count, last.version) == (row.updated_at, 0, 1)
    for _ in range(100):
        last = memory.report(row.id)
    assert 0.99 < last.utility <= 1.0


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"outcome": "great"}, "outcome is 'great'; allowed: success, failure, partial, unknown"),
        ({"outcome": 3}, "outcome"),
        ({"lesson": 5}, "lesson"),
        ({"started_at": "soon"}, "started_at"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_bad_episode_writes_nothing(memory: Memory, given: dict[str, object], field: str) -> None:
    """Every wrong argument is named with what is allowed, and no half episode stays."""
    with pytest.raises(InvalidInputError, match=field):
        memory.episode("Something happened today", **given)  # type: ignore[arg-type]
    assert memory.list() == []


@pytest.mark.parametrize("steps", [[], [" "], [1, 2], None, ["x"] * 201])
def test_bad_steps_write_nothing(memory: Memory, steps: object) -> None:
    """Steps are texts, at least one and at most two hundred."""
    with pytest.raises(InvalidInputError, match="steps"):
        memory.procedure("Deploy", steps)  # type: ignore[arg-type]
    with pytest.raises(InvalidInputError, match="name"):
        memory.procedure(" ", DEPLOY)
    assert memory.list() == []


def test_too_long_a_procedure_is_refused(opening: Opening) -> None:
    """The limit of a memory holds for the steps together."""
    memory = opening(overrides={"write": {"max_content_chars": 100}})
    with pytest.raises(ContentTooLongError):
        memory.procedure("Deploy", ["a" * 60, "b" * 60])


def test_no_secret_stays_in_a_step(memory: Memory) -> None:
    """Steps, triggers and lessons are redacted as every text is (P-14)."""
    row = kept(memory.procedure("Log in", [f"export TOKEN={TOKEN}"], trigger=f"with {TOKEN}"))
    event = kept(memory.episode("Logged in", lesson=f"the token is {TOKEN}"))
    told = repr((row, memory.steps(row.id), event, memory.outcome(event.id)))
    assert TOKEN not in told


@pytest.mark.spec("B-01")
def test_layers_survive_an_export(opening: Opening, tmp_path: Path) -> None:
    """Steps and outcomes go out and come in again with their memories."""
    memory, other = opening(), opening("other")
    row = kept(memory.procedure("Deploy", DEPLOY))
    event = kept(memory.episode("Deployed", outcome="success"))
    memory.export(tmp_path / "all.jsonl", everything=True)
    other.import_(tmp_path / "all.jsonl")
    assert other.steps(row.id).steps == tuple(DEPLOY)
    assert other.outcome(event.id).outcome == "success"


@pytest.mark.spec("B-11")
@pytest.mark.parametrize(
    ("glob", "path", "fits"),
    [
        ("src/**/*.py", "src/a.py", True),
        ("src/**/*.py", "src/api/deep/a.py", True),
        ("src/**/*.py", "./src/api/a.py", True),
        ("src/**/*.py", "src\\api\\a.py", True),
        ("src/**/*.py", "tests/src/a.py", False),
        ("src/**/*.py", "src/a.pyc", False),
        ("src/*.py", "src/api/a.py", False),
        ("*.md", "docs/deep/a.md", True),
        ("docs/", "docs/deep/a.txt", True),
        ("docs", "site/docs/a.txt", True),
        ("docs/", "docs2/a.txt", False),
        ("src/auth.[jt]s", "src/auth.ts", True),
        ("src/auth.?s", "src/auth.css", False),
        ("**", "any/thing.txt", True),
        ("a%/_b", "a%/_b", True),
        ("a%/_b", "ax/yb", False),
        ("src/**/*.{ts,tsx}", "src/api/a.tsx", True),
        ("src/**/*.{ts,tsx}", "src/api/a.js", False),
        ("{src,lib/{core,util}}/*.py", "lib/util/a.py", True),
        ("{src,lib/{core,util}}/*.py", "lib/a.py", False),
        ("app/{id}/page.ts", "app/{id}/page.ts", True),
        ("src/[!a]*.py", "src/b.py", True),
        ("src/[!a]*.py", "src/a.py", False),
    ],
)
def test_a_glob_bounds_where_a_memory_applies(
    memory: Memory, glob: str, path: str, fits: bool
) -> None:
    """A memory is found for a path exactly where its glob holds the path."""
    memory.remember("Handle errors at the border", scope_globs=[glob])
    assert bool(memory.scoped(path)) is fits


@pytest.mark.spec("B-11")
def test_a_glob_behind_an_exclamation_mark_takes_out_again(memory: Memory) -> None:
    """What another glob holds and this one too is not bound, in whatever order they stand."""
    memory.remember("Format with black", scope_globs=["src/**/*.py", "!src/{gen,vendor}/**"])
    memory.remember("Read the API first", scope_globs=["!src/api/old/", "src/api/"])
    assert texts(memory.scoped("src/main.py")) == ["Format with black"]
    assert memory.scoped("src/gen/deep/a.py") == []
    assert texts(memory.scoped("src/api/a.txt")) == ["Read the API first"]
    assert memory.scoped("src/api/old/a.txt") == []


@pytest.mark.parametrize(
    ("globs", "told"),
    [
        (["!docs/**"], "begin with !"),
        (["src/**", "!"], "names no path"),
        (["src/{a,b/*.py"], "not closed"),
        (["src/!(a|b)/*.py", "!(a|b)"], "group behind !"),
        (["{a,b}" * 7], "more than 64"),
    ],
)
def test_a_glob_that_would_hold_nothing_is_refused(
    memory: Memory, globs: list[str], told: str
) -> None:
    """Instead of matching nothing in silence: the error names the field, the glob and what is
    allowed, and nothing is written."""
    row = kept(memory.remember("Format with black", scope_globs=["*.py"]))
    for write in (
        lambda: memory.remember("Something else", scope_globs=globs),
        lambda: memory.update(row.id, scope_globs=globs),
        lambda: memory.procedure("Deploy", DEPLOY, scope_globs=globs),
    ):
        with pytest.raises(InvalidInputError, match=f"scope_globs.*{told}"):
            write()
    assert texts(memory.list()) == ["Format with black"]
    assert memory.get(row.id).scope_globs == ("*.py",)


@pytest.mark.spec("B-11")
def test_the_narrowest_glob_comes_first(memory: Memory) -> None:
    """For a file the most specific rule leads; what applies everywhere else stays away."""
    memory.remember("Format with black", scope_globs=["*.py"])
    memory.remember("No SQL in the API", scope_globs=["src/api/*.py", "docs/*"])
    memory.remember("Types everywhere", scope_globs=["src/**/*.py"])
    memory.remember("Nothing about files")
    found = texts(memory.scoped("src/api/users.py"))
    assert found == ["No SQL in the API", "Types everywhere", "Format with black"]
    assert texts(memory.scoped("src/api/users.py", limit=1)) == found[:1]


@pytest.mark.spec("B-11")
def test_a_wild_sign_is_wider_than_what_is_spelled_out(memory: Memory) -> None:
    """The file by its name leads, then sets of signs, any sign, any name, any folder."""
    globs = [
        "src/api/users.py", "src/api/[tuvwxyz]sers.py", "src/api/u*.py",
        "src/api/**/*.py", "src/*/*.py", "src/**/*.py", "**/*.py", "**",
    ]  # fmt: skip
    held = {kept(memory.remember(f"Rule {n * 7}", scope_globs=[g])).id: g
            for n, g in reversed(list(enumerate(globs)))}  # fmt: skip
    assert [held[row.id] for row in memory.scoped("src/api/users.py")] == globs


@pytest.mark.spec("B-11")
def test_tags_and_globs_are_searched(memory: Memory) -> None:
    """Full text holds a memory's content, its tags and where it applies."""
    row = kept(
        memory.remember("Handle errors first", tags=["resilience"], scope_globs=["gateway/**"])
    )
    for word in ("errors", "resilience", "gateway"):
        assert [hit.memory.id for hit in memory.recall(word)] == [row.id]


def test_a_glob_crosses_no_wall(memory: Memory) -> None:
    """Another project's rules about the same path stay its own."""
    memory.remember("Use tabs", scope_globs=["src/**"], project="a")
    assert memory.scoped("src/x.py", project="b") == []
    assert memory.scoped("src/x.py") == []
    assert len(memory.scoped("src/x.py", project="a")) == 1
