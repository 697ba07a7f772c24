"""A second look at the verbs: odd input, secrets in every field, and what two calls do to each
other."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from threading import Barrier, Event
from time import sleep

import pytest
from tests.engine.making import DAY, TOKEN, Ticks, kept, opened, texts

from engraphy import Memory
from engraphy.errors import InvalidInputError, ProtectedError, StoreClosedError

ROUNDS = tuple(f"Deploy {n}" for n in range(8))

TRIES = 2
PROFILES = ("default", "letsgo", "layered", "titans", "cognitive")


def stored(memory: Memory) -> bytes:
    """Everything that stands in the files of a store."""
    path = Path(memory.path)
    return b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))


@pytest.mark.parametrize("outcome", [[], {}, ["success"], None, 1])
def test_an_outcome_of_another_type_is_refused(memory: Memory, outcome: object) -> None:
    """What is no name of an outcome is refused with the names that are, whatever its type."""
    with pytest.raises(InvalidInputError, match=r"outcome.*success"):
        memory.episode("The deploy went through", outcome=outcome)  # type: ignore[arg-type]
    assert memory.list() == []


def test_no_secret_stays_in_the_name_of_a_tool_or_the_folder_of_a_project(memory: Memory) -> None:
    """The name of a tool and the folder of a project are stored without what is secret in them."""
    memory.start_session("s", root=f"/srv/{TOKEN}")
    memory.observe_tool(f"deploy {TOKEN}", "Deployed release 4.2 to the cluster.", session="s")
    memory.end_session("s")
    assert TOKEN.encode() not in stored(memory)


def test_a_closed_memory_takes_nothing_for_later(tmp_path: Path) -> None:
    """What is handed over after `close` is refused, as by every other verb, not silently lost."""
    memory = opened(tmp_path / "store.db")
    memory.close()
    with pytest.raises(StoreClosedError):
        memory.observe_later("I live in Rome")


def test_a_waiting_row_that_nobody_can_read_holds_nothing_up(tmp_path: Path) -> None:
    """Where one of the rows that a crash left is unreadable, it stays, and all others come in."""
    file = tmp_path / "store.db"
    with opened(file) as memory:
        memory.remember("something to begin with")
    with closing(sqlite3.connect(file)) as store:
        store.execute(
            "INSERT INTO session_state (scope_id, name, value, updated_at)"
            " SELECT id, 'pending:1', '{\"at\": 1}', 0 FROM scopes LIMIT 1"
        )
        store.commit()
        with opened(file) as memory:
            memory.observe_later("I live in Rome and work at Acme")
            assert memory.flush()
            assert "I live in Rome and work at Acme" in texts(memory.list())


@pytest.mark.spec("B-01")
def test_a_workflow_of_ones_own_leaves_the_shared_one_of_its_name_alone(memory: Memory) -> None:
    """A workflow becomes the next version only of one in exactly the same walls: what a user or a
    project names alike is theirs, and nobody else reads it (P-08)."""
    shared = kept(memory.procedure("Deploy", ["push the tag"]))
    own = kept(memory.procedure("Deploy", ["call my bank", "push the tag"], user="ann"))
    inner = kept(memory.procedure("Deploy", ["push to x"], user="ann", project="x"))
    assert len({shared.id, own.id, inner.id}) == 3
    assert memory.steps(shared.id, user="bob").steps == ("push the tag",)
    again = kept(memory.procedure("deploy", ["pull"], user="ann"))
    assert (again.id, again.version) == (own.id, 2)


def test_a_private_workflow_has_versions_too(memory: Memory) -> None:
    """A workflow that is not public is found by its name like any other, and stays what it was."""
    first = kept(memory.procedure("Deploy", ["push"], sensitivity="private"))
    second = kept(memory.procedure("Deploy", ["pull"], sensitivity="private"))
    assert (second.id, second.version) == (first.id, 2)


@pytest.mark.parametrize(
    ("before", "last", "correction"),
    [
        ("My dog is called Rex.", "My cat is called Tom.", "That was wrong: my cat is called Tim."),
        ("Köpeğimin adı Rex.", "Kedimin adı Tom.", "Yanlış söyledim: Kedimin adı Tim."),
        ("I love pizza and work at Acme.", "I like Go", "that was wrong: I like Rust"),
    ],
)
@pytest.mark.spec("D-08")
def test_a_correction_takes_one_place_and_not_the_next(
    memory: Memory, before: str, last: str, correction: str
) -> None:
    """What puts right the statement before it leaves the one before that alone: being written, it
    does not look back once more."""
    for said in (before, last, correction):
        memory.observe(said)
    assert sorted(texts(memory.list())) == sorted([before, correction])
    assert texts(memory.list(include=["superseded"]))[1:2] == [last]


@pytest.mark.parametrize(
    ("last", "correction"),
    [
        ("My sister lives in Oslo.", "No, in Bergen."),
        ("The budget is 5000 euros.", "Correction: 6000 euros."),
        ("Bütçe 5000 euro.", "Düzeltme: 6000 euro."),
    ],
)
@pytest.mark.spec("D-08")
def test_nothing_is_left_of_what_a_bare_correction_puts_right(
    memory: Memory, last: str, correction: str
) -> None:
    """What a short correction takes the place of is over as a whole: no copy of it lives on."""
    for said in (last, correction):
        memory.observe(said)
    assert texts(memory.list()) == [correction]


RELEASE = [
    "Check that the working tree is clean and all tests pass",
    "Tag the release with the version number",
    "Push the tag to the remote repository",
    "Wait for the pipeline to finish",
]


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.spec("B-01")
def test_workflows_of_other_names_stay_apart_however_alike_their_steps(
    tmp_path: Path, profile: str
) -> None:
    """A workflow never takes another one's row because it reads alike: each keeps its name and
    steps."""
    names = ["Deploy to staging", "Deploy to production", "Deploy the staging"]
    with opened(tmp_path / "store.db", profile=profile) as memory:
        rows = [kept(memory.procedure(name, RELEASE)) for name in names]
        assert [memory.steps(row.id).name for row in rows] == names
        assert [row.content.splitlines()[0] for row in rows] == names


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.spec("B-01")
def test_an_event_that_ended_otherwise_is_another_event(tmp_path: Path, profile: str) -> None:
    """What failed once and went well later are two events, in the same words too; an event told
    again without its outcome keeps what is known of it."""
    said = "We migrated the orders database to the new cluster during the night shift"
    with opened(tmp_path / "store.db", profile=profile) as memory:
        first = kept(memory.episode(said, outcome="failure", started_at="2026-04-01"))
        again = kept(memory.episode(said))
        after = kept(memory.episode(said, outcome="success"))
        alike = kept(memory.episode(f"{said} again", outcome="partial"))
        assert (again.id, memory.outcome(first.id).outcome) == (first.id, "failure")
        assert memory.outcome(first.id).started_at is not None
        assert memory.outcome(after.id).outcome == "success"
        assert len({first.id, after.id, alike.id}) == 3


@pytest.mark.parametrize(
    ("said", "question", "gone"),
    [
        (("The budget is 5000 euros.", "Correction: 6000 euros."), "the budget?", "5000"),
        (("My sister lives in Oslo.", "No, in Bergen."), "Where does my sister live?", "oslo"),
        (("Bütçe 5000 euro.", "Düzeltme: 6000 euro."), "Bütçe ne kadar?", "5000"),
        (("Ayşe Ankara'da yaşıyor.", "Hayır, İzmir'de."), "Ayşe nerede yaşıyor?", "ankara"),
        (("The dentist is at 9:30.", "No, I meant 10:15."), "When is the dentist?", "30"),
        (
            ("Anna lives in Oslo.", "No, in Bergen.", "Sorry, I meant Trondheim."),
            "Where does Anna live?",
            "bergen",
        ),
    ],
)
@pytest.mark.spec("D-08")
def test_a_bare_correction_is_found_by_what_it_is_about(
    memory: Memory, said: tuple[str, ...], question: str, gone: str
) -> None:
    """Who corrects a statement in two words asks for it later in the words of the statement: the
    correction is found under them, and the value that is over is kept nowhere in it."""
    for one in said:
        memory.observe(one)
    [hit] = memory.recall(question)
    assert hit.memory.content == said[-1]
    assert gone not in hit.memory.context.casefold()


@pytest.mark.spec("B-11")
def test_a_file_is_scoped_however_its_path_is_written(memory: Memory) -> None:
    """A file inside the project's folder is found by its absolute path too, as agents give it, and
    a glob that is absolute holds as well."""
    memory.start_session("s", root="/home/x/shop")
    memory.remember("Routes are typed", scope_globs=["src/**/*.py"])
    memory.remember("Never touch the vendored code", scope_globs=["/home/x/shop/vendor/**"])
    for path in ("src/a.py", "./src/a.py", "/home/x/shop/src/a.py", "src\\a.py"):
        assert texts(memory.scoped(path)) == ["Routes are typed"]
    assert texts(memory.scoped("/home/x/shop/vendor/x.js")) == ["Never touch the vendored code"]
    assert memory.scoped("/elsewhere/src/a.py") == []


def test_what_ended_before_it_began_is_refused(memory: Memory) -> None:
    """An episode ends no earlier than it began."""
    with pytest.raises(InvalidInputError, match="ended_at"):
        memory.episode("The outage", started_at="2026-05-02", ended_at="2026-05-01")
    assert memory.list() == []
    short = kept(memory.episode("A moment", started_at="2026-05-02", ended_at="2026-05-02"))
    assert memory.outcome(short.id).ended_at == memory.outcome(short.id).started_at


def test_a_workflow_with_an_endless_name_is_told_so(memory: Memory) -> None:
    """The error names the field that the caller gave."""
    with pytest.raises(InvalidInputError, match=r"name is 501 characters"):
        memory.procedure("n" * 501, ["push"])


@pytest.mark.parametrize(
    "said", ["I'm not vegetarian anymore.", "I'm not married anymore.", "I'm no longer a student."]
)
@pytest.mark.spec("C-13")
def test_what_is_over_is_no_small_talk(memory: Memory, said: str) -> None:
    """A short sentence that says that something is no longer so is kept, whatever else in it
    sounds like a shrug; a shrug is still dropped."""
    assert [one.action for one in memory.observe(said)] == ["created"]
    assert [one.action for one in memory.observe("I'm not sure.")] == ["skipped"]


@pytest.mark.parametrize(
    ("told", "called"),
    [
        ("Hi, I'm Deniz", "Hi Deniz!"),
        ("merhaba, ben Deniz", "Merhaba Deniz!"),
        ("Hi, I am Ada", ""),
    ],
)
@pytest.mark.spec("C-13")
def test_who_says_their_name_says_something(memory: Memory, told: str, called: str) -> None:
    """A greeting in which somebody names themselves is kept; one that calls another by name is
    small talk."""
    assert [one.action for one in memory.observe(told)] == ["created"]
    assert [one.action for one in memory.observe(called)] == ["skipped"]


@pytest.mark.long
@pytest.mark.spec("B-01")
def test_writers_at_once_make_one_workflow_of_a_name(tmp_path: Path) -> None:
    """Several writers who give the same name at the same moment make versions of one workflow; a
    name that was forgotten may be given again."""
    writers = [opened(tmp_path / "store.db") for _ in range(6)]
    ready = Barrier(len(writers))

    def write(name: str, number: int) -> str:
        ready.wait(30)
        return kept(writers[number].procedure(name, [f"push {number}"], user="ann")).id

    memory = writers[0]
    with ThreadPoolExecutor(len(writers)) as pool:
        for name in ROUNDS:
            made = set(pool.map(partial(write, name), range(len(writers))))
            assert len(made) == 1, name
            assert memory.get(*made, user="ann").version == len(writers)
    assert len(memory.list(user="ann")) == len(ROUNDS)
    memory.forget(made.pop(), user="ann")
    assert kept(memory.procedure(ROUNDS[-1], ["push"], user="ann")).version == 1
    for writer in writers:
        writer.close()


@pytest.mark.spec("C-01")
def test_what_waits_long_is_extracted_once(tmp_path: Path, clock: Ticks) -> None:
    """Where so much waits that another process takes it up, each message is extracted by one of
    them only: all but the one under way are not asked about anew, nor counted as said twice."""
    asked: list[str] = []
    helped = {"model": {"skills": ["formation"]}}

    def slow(prompt: str) -> str:
        asked.append(prompt)
        held.wait(30)
        return ""

    held = Event()
    first = opened(tmp_path / "store.db", clock, model=slow, overrides=helped)
    for number in range(8):
        first.observe_later(f"Service {number} listens on port {4000 + number}")
    while not asked or len(first.jobs()) < 8:
        sleep(0.01)
    with opened(tmp_path / "store.db", Ticks(clock.now + DAY)) as second:
        second.observe_later("The other service listens on port 5000")
        assert second.flush()
        held.set()
        assert first.flush()
        rows = second.list()
    first.close()
    assert len(rows) == 9
    assert sum(row.reinforcement_count for row in rows) <= 1
    assert len(asked) <= TRIES


@pytest.mark.spec("P-16")
def test_no_summary_tells_what_was_forgotten(tmp_path: Path) -> None:
    """With a memory go the checkpoints and summaries of sessions that tell it: not a byte of it is
    left, and the receipt names them; a protected summary is named before anything goes."""
    memory = opened(tmp_path / "store.db")
    memory.start_session("s", user="ann")
    said = kept(memory.remember("We decided to buy the Zeta license", user="ann", session="s"))
    kept(memory.remember("We decided to move to Postgres", user="ann", session="s"))
    summary = memory.end_session("s", user="ann").summary
    assert summary is not None
    assert "Zeta" in summary.content
    memory.protect(summary.id, user="ann")
    with pytest.raises(ProtectedError, match=summary.id):
        memory.forget(said.id, user="ann")
    memory.protect(summary.id, immutable=False, user="ann")
    receipt = memory.forget(said.id, user="ann")
    assert (receipt.erased, set(receipt.ids)) == (2, {said.id, summary.id})
    assert texts(memory.list(user="ann")) == ["We decided to move to Postgres"]
    assert memory.session("s", user="ann").summary is None
    memory.close()
    assert b"Zeta" not in b"".join(one.read_bytes() for one in tmp_path.iterdir())


def test_an_edit_puts_right_only_its_own_row(memory: Memory) -> None:
    """What an edit writes is no remark in a conversation: what was told last stays."""
    first = kept(memory.remember("My sister lives in Oslo."))
    memory.remember("My brother lives in Rome.")
    memory.update(first.id, "No, in Bergen.")
    assert sorted(texts(memory.list())) == ["My brother lives in Rome.", "No, in Bergen."]


def test_a_remark_puts_nothing_right_that_was_said_in_another_session(memory: Memory) -> None:
    """Two conversations at once do not correct each other; each corrects what was said in it."""
    memory.observe("My sister lives in Oslo.", session="one")
    memory.observe("The budget is 5000 euros.", session="two")
    memory.observe("No, in Bergen.", session="two")
    assert "My sister lives in Oslo." in texts(memory.list())
    memory.observe("The office is in Rome.", session="one")
    memory.observe("No, in Milan.", session="one")
    assert "The office is in Rome." not in texts(memory.list())
