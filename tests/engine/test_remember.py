"""`remember`: what is asked for by name is kept, once, as it was said."""

import json
from collections.abc import Iterator
from datetime import date, datetime, timedelta, timezone
from typing import Any

import pytest
from tests.engine.conftest import Opening, Shared
from tests.engine.making import DAY, START, Ticks, everything_said, kept, opened, texts

from engraphy import Memory
from engraphy.errors import (
    ContentTooLongError,
    EmptyContentError,
    EngraphyError,
    InvalidInputError,
    UnknownFieldError,
)
from engraphy.model import Kind

DULL = ["ok", "Thanks!", "hi", "👍", "...", "?", "yes", "tamam", "1", "a" * 5_000, "/help", "<b/>"]


@pytest.mark.parametrize("text", DULL)
@pytest.mark.parametrize("profile", ["default", "letsgo", "layered", "titans", "cognitive"])
def test_explicit_remember_is_never_refused(
    shared: Shared, user: str, profile: str, text: str
) -> None:
    """However dull a text is, in every profile, `remember` keeps it word for word."""
    memory = shared(profile)
    outcome = memory.remember(text, user=user)
    assert outcome.action == "created"
    assert outcome.reason
    assert [step.stage for step in outcome.trace][-1] == "judge"
    assert memory.get(kept(outcome).id, user=user).content == text


def test_a_fresh_statement_is_created(memory: Memory) -> None:
    """The outcome holds the row as it stands in the store."""
    outcome = memory.remember("The build needs 4 GB", user="ada", session="s1")
    row = kept(outcome)
    assert (outcome.action, outcome.previous) == ("created", None)
    assert memory.get(row.id, user="ada", touch=False) == row
    assert (row.scope.user, row.scope.session, row.scope.tenant) == ("ada", "s1", "default")
    assert row.recorded_at == row.valid_from == row.updated_at
    assert row.version == 1


def test_the_same_text_is_one_memory(memory: Memory, clock: Ticks) -> None:
    """The second time reinforces: same id, counted, refreshed, no second row."""
    first = kept(memory.remember("Deploys need a green build", user="ada"))
    clock.pass_days(3)
    again = memory.remember("Deploys need a green build", user="ada")
    row = kept(again)
    assert again.action == "reinforced"
    assert row.id == first.id
    assert row.reinforcement_count == first.reinforcement_count + 1
    assert row.last_reinforced_at is not None
    assert row.last_reinforced_at >= first.recorded_at + 3 * DAY
    assert row.stability > first.stability
    assert memory.stats(user="ada").total == 1


def test_fields_given_anew_are_heeded(memory: Memory, clock: Ticks) -> None:
    """Storing a text again with other fields changes them; what is held stays."""
    first = kept(memory.remember("Deploys need a green build", tags=["ci"], ttl_days=1))
    clock.pass_days(5)
    again = memory.remember("Deploys need a green build", pinned=True, kind="policy", ttl_days=3)
    row = kept(again)
    assert (again.action, row.id, row.origin) == ("reinforced", first.id, "user")
    assert (row.pinned, row.kind, row.priority, row.tags) == (True, "policy", "critical", ("ci",))
    assert row.expires_at is not None
    assert row.expires_at > clock.now + 2 * DAY
    assert texts(memory.list(kind="policy")) == ["Deploys need a green build"]
    memory.protect(first.id)
    assert kept(memory.remember("Deploys need a green build", kind="fact")).kind == "policy"


@pytest.mark.parametrize(
    "other",
    [{"user": "bob"}, {"project": "p"}, {"agent": "a"}, {"sensitivity": "secret"}],
)
def test_dedup_stays_inside_scope_and_sensitivity(memory: Memory, other: dict[str, Any]) -> None:
    """The same text behind another wall or at another sensitivity is another memory (R-06)."""
    first = memory.remember("The launch is on Monday", user="ada")
    second = memory.remember("The launch is on Monday", **{"user": "ada", **other})
    assert second.action == "created"
    assert kept(second).id != kept(first).id


def test_a_secret_copy_of_a_public_text_stays_secret(memory: Memory) -> None:
    """Storing as secret what stands as public gives a secret row of its own (R-06)."""
    memory.remember("The budget is 9 million", user="ada")
    secret = kept(memory.remember("The budget is 9 million", user="ada", sensitivity="secret"))
    assert secret.sensitivity == "secret"
    assert texts(memory.list(user="ada")) == ["The budget is 9 million"]
    assert len(memory.list(user="ada", allow_secret=True)) == 2


NEAR = [
    ("The staging server listens on port 3000", "the staging server listens on port 3000."),
    ("Deploys happen every Tuesday morning", "Deploys happen every Tuesday morning!"),
]


@pytest.mark.parametrize(("one", "two"), NEAR)
def test_a_near_duplicate_reinforces(shared: Shared, user: str, one: str, two: str) -> None:
    """What differs in case and punctuation only is the same memory."""
    memory = shared()
    first = kept(memory.remember(one, user=user))
    again = memory.remember(two, user=user)
    assert again.action == "reinforced"
    assert kept(again).id == first.id
    assert kept(again).content == one


DIFFERENT = [
    ("The nightly build takes 40 minutes", "The nightly build takes 400 minutes"),
    ("Release 2.1.0 broke the importer", "Release 2.1.1 broke the importer"),
    ("The cache lives on 10.0.0.12", "The cache lives on 10.0.0.21"),
    ("Traffic goes from port 80 to port 443", "Traffic goes from port 443 to port 80"),
    ("note 3 written by process 1", "note 1 written by process 3"),
    ("Ada reviews the billing code", "Eda reviews the billing code"),
    ("Always squash commits before merging", "Never squash commits before merging"),
    (
        "Logs are kept for ninety days in Frankfurt",
        "Logs are not kept for ninety days in Frankfurt",
    ),
    ("Rechnungen gehen an billing@a.example", "Rechnungen gehen an billing@b.example"),
    ("Yedekleme her gece saat 02:00'de başlar", "Yedekleme her gece saat 03:00'te başlar"),
    ("Toplantıya Ayşe katılacak bugün öğlen", "Toplantıya Ayşe katılmayacak bugün öğlen"),
]


@pytest.mark.spec("R-09")
@pytest.mark.parametrize("profile", ["default", "cognitive", "letsgo", "titans"])
@pytest.mark.parametrize(("one", "two"), DIFFERENT)
def test_what_differs_in_a_detail_is_never_a_duplicate(
    shared: Shared, user: str, profile: str, one: str, two: str
) -> None:
    """Numbers, versions, addresses, names and negations keep two texts apart, both whole."""
    memory = shared(profile)
    first, second = memory.remember(one, user=user), memory.remember(two, user=user)
    assert second.action in {"created", "superseded"}
    assert kept(second).id != kept(first).id
    assert {one, two} <= everything_said(memory, user=user)


@pytest.mark.spec("R-09")
@pytest.mark.parametrize("text", ["I never want meetings on Friday", "Cuma günü toplantı istemem"])
@pytest.mark.parametrize("profile", ["default", "cognitive"])
def test_polarity_survives(shared: Shared, user: str, profile: str, text: str) -> None:
    """A statement of what is not wanted is kept with its negation."""
    memory = shared(profile)
    outcomes = [memory.remember(text, user=user), *memory.observe(f"{text}.", user=user)]
    for row in memory.list(user=user):
        assert any(word in row.content for word in ("never", "istemem", "istemiyor", "not "))
    assert outcomes[0].memory is not None


@pytest.mark.spec("B-02")
@pytest.mark.parametrize(
    ("kind", "priority"),
    [
        ("policy", "critical"),
        ("workflow", "high"),
        ("pitfall", "high"),
        ("architecture", "high"),
        ("decision", "medium"),
        ("preference", "medium"),
        ("fact", "normal"),
    ],
)
def test_priority_follows_the_kind(shared: Shared, user: str, kind: str, priority: str) -> None:
    """Each kind has its priority; a caller's own wins, whatever the kind (profile layered)."""
    memory = shared("layered")
    row = kept(memory.remember(f"A note about {kind}", kind=kind, user=user))
    assert (row.kind, row.priority) == (kind, priority)
    own = kept(memory.remember(f"Another {kind} of note", kind=kind, priority="low", user=user))
    assert (own.kind, own.priority) == (kind, "low")


FIELDS: dict[str, Any] = {
    "title": "A title",
    "subtitle": "below it",
    "context": "while reading",
    "category": "infra",
    "speaker": "Ada",
    "tags": ("a", "b"),
    "concepts": ("how-it-works",),
    "files_read": ("src/a.py",),
    "files_modified": ("src/b.py", "src/c.py"),
    "scope_globs": ("src/**/*.py",),
    "discovery_tokens": 1200,
    "importance": 0.75,
    "trust": 0.5,
    "source_confidence": 0.25,
    "priority": "critical",
}


@pytest.mark.spec("A-02")
@pytest.mark.parametrize("profile", ["default", "letsgo"])
def test_metadata_comes_back_and_is_optional(opening: Opening, profile: str) -> None:
    """Every field is stored as given; without any a title is made from the content."""
    memory = opening(profile=profile)
    row = kept(memory.remember("A rich note", session="s", project="p", **FIELDS))
    back = memory.get(row.id, project="p", touch=False)
    assert {name: getattr(back, name) for name in FIELDS} == FIELDS
    assert (back.scope.session, back.scope.project, back.access_count) == ("s", "p", 0)
    bare = kept(memory.remember("Plain words about nothing else. And more of them."))
    assert bare.title
    assert bare.title in bare.content


def test_metadata_of_the_callers_own(memory: Memory) -> None:
    """Free metadata is a mapping of texts; what else JSON can hold is kept as JSON, in which a
    credential is known by its name, and anything else is refused."""
    row = kept(memory.remember("note", metadata={"ticket": "ENG-7", "n": 3}))
    assert row.metadata == (("n", "3"), ("ticket", "ENG-7"))
    nested = {"more": {"tags": ["ä", None, True], "password": "hunter2hunter2"}, "day": date.min}
    held = dict(kept(memory.remember("other", metadata=nested)).metadata)
    assert held["day"] == "0001-01-01"
    assert json.loads(held["more"])["tags"] == ["ä", None, True]
    assert "hunter2" not in held["more"]
    for wrong in (object(), {"deep": object()}, [{"deep": memory}]):
        with pytest.raises(InvalidInputError, match=r"metadata\['a'\] is "):
            memory.remember("third", metadata={"a": wrong})
        with pytest.raises(InvalidInputError, match=r"metadata\['a'\] is "):
            memory.observe([{"role": "user", "content": "I like tea", "metadata": {"a": wrong}}])


@pytest.mark.parametrize(
    "at",
    [
        "2026-05-01",
        "2026-05-01T00:00:00",
        "2026-05-01T00:00:00Z",
        "2026-05-01T02:00:00+02:00",
        date(2026, 5, 1),
        datetime(2026, 5, 1),  # noqa: DTZ001 - a moment without a zone counts as UTC
        datetime(2026, 5, 1, 3, tzinfo=timezone(timedelta(hours=3))),
        START - DAY // 2,
    ],
)
def test_moments_are_given_as_text_date_or_number(shared: Shared, user: str, at: object) -> None:
    """`at` is when it became true; when it was learnt is the clock's."""
    row = kept(shared().remember("It rained", at=at, user=user))
    assert row.valid_from == START - DAY // 2
    assert row.recorded_at > START


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """A memory to which nothing is ever written."""
    with opened(tmp_path_factory.mktemp("untouched") / "store.db") as memory:
        yield memory


BAD: list[tuple[dict[str, Any], type[EngraphyError]]] = [
    ({"content": ""}, EmptyContentError),
    ({"content": " \n\t\u2003"}, EmptyContentError),
    ({"content": None}, InvalidInputError),
    ({"content": 5}, InvalidInputError),
    ({"content": b"bytes"}, InvalidInputError),
    ({"content": "x" * 100_001}, ContentTooLongError),
    ({"kind": "nonsense"}, InvalidInputError),
    ({"kind": 5}, InvalidInputError),
    ({"at": "yesterday"}, InvalidInputError),
    ({"at": ""}, InvalidInputError),
    ({"at": 1.5}, InvalidInputError),
    ({"at": True}, InvalidInputError),
    ({"at": float("nan")}, InvalidInputError),
    ({"at": 10**30}, InvalidInputError),
    ({"user": ""}, InvalidInputError),
    ({"user": 5}, InvalidInputError),
    ({"user": "a\0b"}, InvalidInputError),
    ({"user": "\ud800"}, InvalidInputError),
    ({"user": "u" * 513}, InvalidInputError),
    ({"session": ["s"]}, InvalidInputError),
    ({"tenant": "other"}, UnknownFieldError),
    ({"user_id": "ada"}, UnknownFieldError),
    ({"importance": 1.5}, InvalidInputError),
    ({"importance": float("nan")}, InvalidInputError),
    ({"importance": "high"}, InvalidInputError),
    ({"sensitivity": "hidden"}, InvalidInputError),
    ({"origin": "nobody"}, InvalidInputError),
    ({"tags": "one"}, InvalidInputError),
    ({"tags": [1]}, InvalidInputError),
    ({"tags": ["t"] * 257}, InvalidInputError),
    ({"title": 5}, InvalidInputError),
    ({"title": "t" * 2_001}, InvalidInputError),
    ({"ttl_days": 0}, InvalidInputError),
    ({"ttl_days": -1}, InvalidInputError),
    ({"ttl_days": 1e9}, InvalidInputError),
    ({"ttl_days": float("inf")}, InvalidInputError),
    ({"pinned": "yes"}, InvalidInputError),
    ({"discovery_tokens": -1}, InvalidInputError),
    ({"metadata": ["a"]}, InvalidInputError),
    ({"valid_until": "whenever"}, InvalidInputError),
    ({"valid_until": "2020-01-01"}, InvalidInputError),
    ({"valid_until": "2027-01-01", "at": "2028-01-01"}, InvalidInputError),
    ({"id": "01"}, UnknownFieldError),
    ({"state": "archived"}, UnknownFieldError),
    ({"access_count": 5}, UnknownFieldError),
]


@pytest.mark.parametrize(("wrong", "error"), BAD, ids=lambda value: repr(value)[:40])
def test_bad_input_is_a_typed_error_and_writes_nothing(
    untouched: Memory, wrong: dict[str, Any], error: type[EngraphyError]
) -> None:
    """What is wrong is named with what is allowed, and nothing is written."""
    with pytest.raises(error) as caught:
        untouched.remember(**{"content": "a good text", **wrong})
    assert str(caught.value)
    assert untouched.stats().journal_entries == 0


def test_the_longest_text_is_kept(memory: Memory) -> None:
    """100,000 characters are allowed, and every one of them is searched."""
    text = ("filler words of no weight. " * 4_000)[:99_983] + " the zebra sleeps"
    assert len(text) == 100_000
    row = kept(memory.remember(text))
    assert memory.get(row.id).content == text
    assert memory.explain("where does the zebra sleep?", missing=row.id).missing.stage != "search"


def test_every_kind_can_be_given(memory: Memory) -> None:
    """The one vocabulary of kinds is open to callers."""
    for kind in Kind:
        assert kept(memory.remember(f"of kind {kind} only", kind=kind)).kind is kind
    assert memory.stats().by_kind == {kind.value: 1 for kind in Kind}


def test_unstorable_characters_are_replaced(memory: Memory) -> None:
    """NUL and lone surrogates become the replacement character, nothing else changes."""
    row = kept(memory.remember("a\0b\ud800c\U0001f600", title="t\0"))
    assert memory.get(row.id).content == "a\ufffdb\ufffdc\U0001f600"
    assert row.title == "t\ufffd"
