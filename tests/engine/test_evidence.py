"""How a statement was made decides what it may do, and who said something can take it back."""

import pytest
from tests.engine.conftest import Opening, Shared
from tests.engine.making import DAY, Ticks, everything_said, kept, texts

from engraphy import Memory, Outcome
from engraphy.model import Evidence, State


def said(memory: Memory, *messages: str, **scope: str) -> list[Outcome]:
    """The outcomes of messages that the user sends."""
    return memory.observe([{"role": "user", "content": one} for one in messages], **scope)


TAKEN_BACK = [
    ("We use MongoDB for the events store", "Forget what I said about MongoDB"),
    ("We use MongoDB for the events store", "please ignore everything I told you about MongoDB."),
    ("We use MongoDB for the events store", "What I said about MongoDB was wrong."),
    ("The ledger goes to Postgres", "Forget what I said about Postgres"),
    ("I work as a nurse", "Forget what I said about my job"),
    ("I use Vim for everything", "Forget that I use Vim"),
    ("Olaylar için MongoDB kullanıyoruz", "MongoDB hakkında söylediklerimi unut"),
    ("Olaylar için MongoDB kullanıyoruz", "MongoDB hakkında söylediklerim yanlıştı"),
]


@pytest.mark.parametrize("profile", ["default", "cognitive"])
@pytest.mark.parametrize(("statement", "request_text"), TAKEN_BACK)
def test_what_was_said_of_a_subject_can_be_taken_back(
    shared: Shared, user: str, profile: str, statement: str, request_text: str
) -> None:
    """It is superseded, its evidence retracted, its validity closed, linked; never erased."""
    memory = shared(profile)
    first = kept(memory.remember(statement, user=user))
    other = kept(memory.remember("The staging area has nine lamps", user=user))
    (outcome,) = said(memory, request_text, user=user)
    assert outcome.action == "superseded"
    assert outcome.previous is not None
    assert outcome.previous.id == first.id
    assert any(step.stage == "retract" and first.id in step.detail for step in outcome.trace)
    gone = memory.get(first.id, user=user)
    notice = kept(outcome)
    assert (gone.state, gone.evidence) == (State.SUPERSEDED, Evidence.RETRACTED)
    assert (gone.content, gone.superseded_by) == (statement, notice.id)
    assert gone.valid_until == notice.valid_from
    (link,) = memory.links(first.id, user=user)
    assert (link.source_id, link.target_id, link.type) == (notice.id, first.id, "supersedes")
    assert texts(memory.list(user=user)) == [other.content]
    assert texts(memory.recall(statement, user=user)) == []
    assert memory.facts(user=user) == []


def test_what_is_said_instead_is_kept(memory: Memory) -> None:
    """The rest of the message is a statement of its own, its "it" spelled out."""
    memory.remember("We use MongoDB for the events store")
    memory.remember("The deadline is Friday")
    gone, stated = said(memory, "Forget what I said about MongoDB, we use Postgres now.")
    assert (gone.action, stated.action) == ("superseded", "created")
    said(memory, "What I said about the deadline was wrong: it is Monday")
    current = [(one.predicate, one.object) for one in memory.facts()]
    assert sorted(current) == [("deadline time", "monday"), ("uses:database", "postgresql")]


VAGUE = ["forget it", "scratch that", "never mind", "boş ver", "unut gitsin"]
NO_REQUEST = [
    "Should I forget what I said about MongoDB?",
    "If I forget what I said about MongoDB, remind me",
    "Don't forget what I said about MongoDB",
    "Ben told me to forget what I said about MongoDB",
]


@pytest.mark.parametrize("text", [*VAGUE, *NO_REQUEST])
def test_what_names_no_subject_or_only_speaks_of_forgetting_takes_nothing_back(
    shared: Shared, user: str, text: str
) -> None:
    """Nothing changes for a vague request, a question, a condition, or another's words."""
    memory = shared()
    first = kept(memory.remember("We use MongoDB for the events store", user=user))
    said(memory, text, user=user)
    row = memory.get(first.id, user=user)
    assert (row.state, row.evidence) == (State.ACTIVE, Evidence.STATED)


@pytest.mark.parametrize(
    "text", ["Forget everything about me", "Delete all my data", "Hakkımdaki her şeyi unut"]
)
def test_a_message_alone_erases_nothing(shared: Shared, user: str, text: str) -> None:
    """A sweeping request is answered with the command that does it, and changes nothing."""
    memory = shared()
    memory.remember("I live in Berlin", user=user)
    (outcome,) = said(memory, text, user=user)
    assert outcome.action == "skipped"
    assert "engraphy forget" in outcome.reason
    assert everything_said(memory, user=user) == {"I live in Berlin"}
    assert texts(memory.list(user=user)) == ["I live in Berlin"]


def test_what_is_protected_stays_and_is_told(memory: Memory) -> None:
    """Pinned and immutable memories are named in the trace, and not taken back."""
    pinned = kept(memory.remember("MongoDB needs a replica set", pinned=True))
    locked = kept(memory.remember("MongoDB is what the auditors know"))
    memory.protect(locked.id)
    (outcome,) = said(memory, "Forget what I said about MongoDB")
    assert outcome.action == "skipped"
    told = " ".join(step.detail for step in outcome.trace)
    assert f"(pinned): {pinned.id}" in told
    assert f"(immutable): {locked.id}" in told
    assert len(memory.list()) == 2


def test_only_ones_own_words_are_taken_back(memory: Memory) -> None:
    """Other users', projects' and speakers' memories, and what agents found, stay."""
    scopes = [{"user": "b"}, {"user": "a", "project": "p"}, {}]
    for scope in scopes:
        memory.remember("We use MongoDB", **scope)
    memory.remember("MongoDB listens on port 27017 here", user="a", origin="agent")
    memory.remember("MongoDB is fine, says Ben", user="a", speaker="Ben")
    memory.remember("We use MongoDB a lot", user="a")
    said(memory, "Forget what I said about MongoDB", user="a")
    assert len(memory.list(user="a", project="p", limit=50)) == 4
    gone = memory.list(user="a", include=["superseded"], limit=50)
    assert [one.content for one in gone if one.state is State.SUPERSEDED] == [
        "We use MongoDB a lot"
    ]


def test_nobody_else_takes_back_what_the_user_said(memory: Memory) -> None:
    """An agent or a tool that asks to forget changes nothing (P-10)."""
    first = kept(memory.remember("We use MongoDB"))
    for role in ("assistant", "tool"):
        memory.observe([{"role": role, "content": "Forget what I said about MongoDB"}])
    memory.remember("Forget what I said about MongoDB", origin="web")
    assert memory.get(first.id).state is State.ACTIVE


def test_of_a_long_text_only_the_fact_is_taken_back(memory: Memory) -> None:
    """The text stays, and says so in the trace; what was read out of it ends."""
    memory.remember("We use MongoDB. " + "The team sits in a room with a view of the canal. " * 8)
    (outcome,) = said(memory, "Forget what I said about MongoDB")
    assert outcome.action == "superseded"
    assert "only its facts end" in " ".join(step.detail for step in outcome.trace)
    assert len(memory.list()) == 1
    assert memory.facts() == []


def test_why_not_tells_what_would_be_taken_back_without_doing_it(memory: Memory) -> None:
    """The same trace, and nothing is written."""
    first = kept(memory.remember("We use MongoDB"))
    (outcome,) = memory.why_not("Forget what I said about MongoDB")
    assert outcome.action == "superseded"
    assert any(first.id in step.detail for step in outcome.trace)
    assert memory.get(first.id).state is State.ACTIVE


HEDGED = [
    "Maybe I live in Porto",
    "If I lived in Porto I would surf",
    "Do I live in Porto?",
    "Ben said I live in Porto",
    "I might live in Porto one day",
    "Belki Porto'da yaşıyorum",
    "Porto'da mı yaşıyorum?",
]


@pytest.mark.parametrize("text", HEDGED)
def test_a_hypothesis_a_question_and_a_quotation_are_no_facts(
    shared: Shared, user: str, text: str
) -> None:
    """They may be kept as what they are, and state nothing."""
    memory = shared()
    memory.remember(text, user=user)
    assert memory.facts(user=user) == []


@pytest.mark.spec("R-10")
@pytest.mark.parametrize("profile", ["default", "cognitive"])
def test_an_echo_is_no_evidence(shared: Shared, user: str, profile: str) -> None:
    """What an agent repeats of the user's words is neither counted nor kept."""
    memory = shared(profile)
    text = "The billing service listens on port 4001 behind the proxy"
    first = kept(memory.remember(text, user=user))
    before = memory.get(first.id, user=user)
    memory.observe([{"role": "assistant", "content": text}], user=user)
    after = memory.get(first.id, user=user)
    assert after.reinforcement_count == before.reinforcement_count
    assert len(memory.list(user=user)) == 1


@pytest.mark.spec("D-14")
def test_what_is_announced_for_later_is_not_current_yet(opening: Opening, clock: Ticks) -> None:
    """A statement that becomes true later is shown from then on, and as of then."""
    memory = opening()
    memory.remember("I live in Porto", valid_from=clock.now + 10 * DAY)
    assert memory.list() == []
    assert memory.recall("live in Porto") == []
    assert memory.facts() == []
    later = clock.now + 11 * DAY
    assert len(memory.recall("live in Porto", as_of=later)) == 1
    clock.pass_days(11)
    assert texts(memory.list()) == ["I live in Porto"]
    assert [one.object for one in memory.facts()] == ["porto"]


@pytest.mark.spec("D-14")
def test_what_is_announced_leaves_what_holds_until_then(opening: Opening, clock: Ticks) -> None:
    """An announced value takes the place of the old one at its time: until then the old one is what
    is remembered, and what is told in between holds in between."""
    memory = opening()
    first, begins = clock.now + DAY // 2, clock.now + 10 * DAY
    memory.remember("The rent is 850 euros")
    clock.pass_days(1)
    announced = memory.remember("The rent is 900 euros", valid_from=begins)
    assert announced.previous is not None
    assert "it holds from" in announced.reason
    assert texts(memory.list()) == ["The rent is 850 euros"]
    assert texts(memory.recall("how much is the rent?")) == ["The rent is 850 euros"]
    assert [one.object for one in memory.facts("user", "rent")] == ["850 euros"]
    assert texts(memory.recall("how much is the rent?", as_of=begins)) == ["The rent is 900 euros"]

    clock.pass_days(1)
    between = memory.remember("The rent is 870 euros")
    assert texts(memory.list()) == ["The rent is 870 euros"]
    assert texts(memory.timeline(as_of=first)) == ["The rent is 850 euros"]
    clock.pass_days(10)
    assert texts(memory.list()) == ["The rent is 900 euros"]
    assert [one.object for one in memory.facts("user", "rent")] == ["900 euros"]
    assert memory.get(kept(between).id).superseded_by == kept(announced).id


def test_what_was_to_end_is_shown_as_history_once_it_has(opening: Opening, clock: Ticks) -> None:
    """Where what was announced has begun, a page and the course of a subject tell what it took the
    place of as superseded; before, as what holds."""
    memory = opening()
    memory.remember("The rent is 850 euros")
    clock.pass_days(1)
    memory.remember("The rent is 900 euros", valid_from=clock.now + 10 * DAY)

    def old() -> set[State]:
        rows = [*memory.timeline(), *memory.timeline_of("rent").entries]
        return {one.state for one in rows if one.content == "The rent is 850 euros"}

    assert old() == {State.ACTIVE}
    clock.pass_days(11)
    assert old() == {State.SUPERSEDED}


def test_what_is_announced_may_be_called_off(opening: Opening, clock: Ticks) -> None:
    """Replaced, it is history at once; forgotten before it began, what was to end with it goes on,
    and what ends by itself does so all the same."""
    memory = opening()
    memory.remember("The rent is 850 euros")
    begins = clock.now + 10 * DAY
    first = kept(memory.remember("The rent is 900 euros", valid_from=begins))
    second = kept(memory.remember("The rent is 910 euros", valid_from=begins))
    assert memory.get(first.id).state is State.SUPERSEDED
    memory.delete(second.id)
    memory.remember("I live in Berlin", valid_until=clock.now + 5 * DAY)
    announced = kept(memory.remember("I live in Porto", valid_from=begins))
    memory.remember("I work at Acme")
    leaving = kept(memory.remember("I work at Initech", valid_from=begins))
    memory.delete(leaving.id)
    clock.pass_days(6)
    assert "I live in Berlin" not in texts(memory.list())
    clock.pass_days(6)
    lasting = {"The rent is 850 euros", "I live in Porto", "I work at Acme"}
    assert set(texts(memory.list())) == lasting
    assert [one.object for one in memory.facts("user", "employer")] == ["acme"]
    assert memory.get(announced.id).state is State.ACTIVE


def test_what_was_announced_may_hold_sooner(opening: Opening, clock: Ticks) -> None:
    """The same words told of now are remembered now, once, and end what held so far; whoever looks
    for what has not begun is told when it does."""
    memory = opening()
    memory.remember("I live in Berlin")
    announced = kept(memory.remember("I live in Porto", valid_from=clock.now + 10 * DAY))
    missing = memory.explain("where do I live?", missing=announced.id).missing
    assert missing is not None
    assert missing.detail.startswith("it holds from 20")
    clock.pass_days(1)
    moved = memory.remember("I live in Porto")
    assert moved.action == "superseded"
    assert texts(memory.list()) == ["I live in Porto"]
    assert [one.object for one in memory.facts("user", "city")] == ["porto"]
    clock.pass_days(20)
    assert texts(memory.list()) == ["I live in Porto"]
    assert [one.object for one in memory.facts("user", "city")] == ["porto"]
