"""A change supersedes by subject and attribute; the past stays, and so does everything else."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.engine.conftest import Shared
from tests.engine.making import START, everything_said, kept, texts
from tests.engine.nights import lived

from engraphy import Memory
from engraphy.model import Action, State

CHANGES = [
    ("I live in Berlin", "I moved to Porto"),
    ("I live in Berlin", "I live in Lyon now"),
    ("The staging server listens on port 3000", "The staging server listens on port 3001"),
    ("I prefer Python", "I prefer Go"),
    ("I use Vim", "I no longer use Vim"),
    ("I like tea", "I don't like tea"),
    ("I work at Acme", "I work at Initech"),
    ("My email is ada@first.net", "My email is ada@second.net"),
    ("We use MySQL", "We switched to Postgres"),
    ("I am vegetarian", "I am vegan"),
    ("Berlin'de yaşıyorum", "Porto'ya taşındım"),
    ("Berlin'de yaşıyorum", "Artık İzmir'de yaşıyorum"),
    ("Sunucu 3000 portunda çalışıyor", "Sunucu 3001 portunda çalışıyor"),
    ("Kahveyi seviyorum", "Kahveyi sevmiyorum"),
    ("I live in Berlin", "Porto'ya taşındım"),
]


@pytest.mark.spec("D-08")
@pytest.mark.parametrize("profile", ["default", "cognitive"])
@pytest.mark.parametrize(("old", "new"), CHANGES)
def test_another_value_of_the_same_attribute_supersedes(
    shared: Shared, user: str, profile: str, old: str, new: str
) -> None:
    """The old memory is superseded with its end, linked both ways, and never deleted."""
    memory = shared(profile)
    first = kept(memory.remember(old, user=user))
    outcome = memory.remember(new, user=user)
    second = kept(outcome)
    assert outcome.action == "superseded"
    assert outcome.previous is not None
    assert outcome.previous.id == first.id
    assert texts(memory.list(user=user)) == [new]
    gone = memory.get(first.id, user=user)
    assert (gone.state, gone.superseded_by, gone.content) == (State.SUPERSEDED, second.id, old)
    assert gone.valid_until == second.valid_from
    assert second.supersedes == first.id
    for end in (first.id, second.id):
        (link,) = memory.links(end, user=user)
        assert (link.source_id, link.target_id, link.type) == (second.id, first.id, "supersedes")


@pytest.mark.spec("D-14")
@pytest.mark.parametrize(("old", "new"), CHANGES[:3] + CHANGES[10:12])
def test_the_past_is_asked_as_it_was(shared: Shared, user: str, old: str, new: str) -> None:
    """Before the change the old statement answers, after it the new one, now the new one only."""
    memory = shared("cognitive")
    memory.remember(old, user=user, at="2026-01-10")
    memory.remember(new, user=user, at="2026-03-01")
    words = f"{old} {new}"
    assert texts(memory.recall(words, user=user, as_of="2026-02-01")) == [old]
    assert texts(memory.recall(words, user=user, as_of="2026-03-01")) == [new]
    assert texts(memory.recall(words, user=user, as_of="2025-12-31")) == []
    assert texts(memory.recall(words, user=user)) == [new]
    both = memory.recall(words, user=user, include=["superseded"])
    assert sorted(texts(both)) == sorted([old, new])
    assert texts(memory.timeline(user=user)) == [new, old]


@pytest.mark.spec("D-14")
def test_rows_tell_both_times(memory: Memory) -> None:
    """When a statement became true and when it was learnt stand apart; nothing is deleted."""
    old = kept(memory.remember("I live in Berlin", at="2026-01-10"))
    new = kept(memory.remember("I moved to Porto", at="2026-03-01"))
    gone = memory.get(old.id)
    assert gone.valid_from < new.valid_from < old.recorded_at < new.recorded_at
    assert gone.valid_until == new.valid_from
    assert new.valid_until is None
    assert (gone.temporal_type, new.supersedes) == ("persistent", old.id)


UNTOUCHED = [
    ("I use Emacs", "I also use Nano"),
    ("I like tea", "I like coffee too"),
    ("I speak German", "I speak Turkish as well"),
    ("I live in Oslo", "My sister lives in Rome"),
    ("The API runs on port 80", "The admin panel runs on port 81"),
    ("I prefer Python", "My colleague prefers Go"),
    ("I live in Berlin", "I might move to Porto"),
    ("I live in Berlin", "If I lived in Porto I would surf"),
    ("I live in Berlin", "Should I move to Porto?"),
    ("I live in Berlin", "I used to live in Porto"),
    ("I live in Berlin", "I visited Porto last week"),
    ("Berlin is cold in winter", "Berlin has many lakes"),
    ("I use Vim", "Not everyone likes Vim"),
    ("We deploy on Tuesday", "We do not deploy on Friday"),
    ("Oslo'da yaşıyorum", "Kız kardeşim Roma'da yaşıyor"),
    ("Çayı seviyorum", "Kahveyi de seviyorum"),
    ("Berlin'de yaşıyorum", "Belki Porto'ya taşınırım"),
]


@pytest.mark.spec("D-08")
@pytest.mark.parametrize("profile", ["default", "cognitive"])
@pytest.mark.parametrize(("one", "two"), UNTOUCHED)
def test_additions_and_other_subjects_never_supersede(
    shared: Shared, user: str, profile: str, one: str, two: str
) -> None:
    """What shares words or an entity but not the attribute stands beside what is there."""
    memory = shared(profile)
    first = kept(memory.remember(one, user=user))
    outcome = memory.remember(two, user=user)
    assert outcome.action == "created"
    assert memory.get(first.id, user=user).state is State.ACTIVE


def test_two_speakers_are_two_people(memory: Memory) -> None:
    """In a conversation "I" is whoever speaks: only the speaker's own statement is superseded."""
    said = [
        ("Caroline", "I live in Berlin, near the lake."),
        ("Melanie", "I live in Rome, near the river."),
        ("Caroline", "I moved to Porto, near the sea."),
    ]
    outcomes = memory.observe([{"role": "user", "name": n, "content": c} for n, c in said])
    assert [one.action for one in outcomes] == ["created", "created", "superseded"]
    assert {row.speaker for row in memory.list()} == {"Caroline", "Melanie"}
    cities = {(fact.subject, fact.object) for fact in memory.facts(predicate="city")}
    assert cities == {("caroline", "porto"), ("melanie", "rome")}


MOVES = [
    ("I live in Berlin", "2026-01-01"),
    ("I moved to Porto", "2026-02-01"),
    ("I live in Berlin", "2026-03-01"),
    ("I moved to Porto", "2026-04-01"),
]


@pytest.mark.parametrize("moves", [2, 3, 4])
def test_moves_back_and_forth_end_where_they_end(shared: Shared, user: str, moves: int) -> None:
    """The same statement may become true again: the last one is current, the history is whole."""
    memory = shared("cognitive")
    for text, at in MOVES[:moves]:
        outcome = memory.remember(text, user=user, at=at)
    assert outcome.action == "superseded"
    assert texts(memory.list(user=user)) == [MOVES[moves - 1][0]]
    history = [text for text, _ in MOVES[:moves]][::-1]
    assert texts(memory.timeline(user=user)) == history
    (city,) = memory.facts(predicate="city", user=user)
    assert city.object in MOVES[moves - 1][0].lower()
    spans = sorted(
        (fact.valid_from, fact.valid_until)
        for fact in memory.facts(predicate="city", user=user, current=False)
    )
    assert len(spans) == moves
    assert [end for _, end in spans[:-1]] == [start for start, _ in spans[1:]]
    for text, at in MOVES[:moves]:
        assert texts(memory.recall("Berlin or Porto", user=user, as_of=at)) == [text]


ORDERS = [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]
CITIES = [
    ("I live in Berlin", "2026-01-01"),
    ("I moved to Porto", "2026-02-01"),
    ("I moved to Lyon", "2026-03-01"),
]


@pytest.mark.spec("D-14")
@pytest.mark.parametrize("order", ORDERS)
def test_the_order_of_telling_changes_nothing(
    shared: Shared, user: str, order: Sequence[int]
) -> None:
    """Whatever is told first: the newest statement is current, older ones are its history."""
    memory = shared("cognitive")
    for place in order:
        text, at = CITIES[place]
        memory.remember(text, user=user, at=at)
    assert texts(memory.list(user=user)) == ["I moved to Lyon"]
    for text, at in CITIES:
        found = memory.recall("Berlin or Porto or Lyon", user=user, as_of=at)
        assert texts(found) == [text]
    facts = memory.facts(predicate="city", user=user, current=False)
    spans = sorted((fact.object, fact.valid_from, fact.valid_until) for fact in facts)
    ends = {name: end for name, _, end in spans}
    starts = {name: start for name, start, _ in spans}
    assert ends == {"berlin": starts["porto"], "porto": starts["lyon"], "lyon": None}


def test_a_statement_told_late_says_so(memory: Memory) -> None:
    """It is kept as history, with its end, the reason and a link from what overtook it."""
    newer = kept(memory.remember("I moved to Porto", at="2026-02-01"))
    outcome = memory.remember("I live in Berlin", at="2026-01-01")
    late = kept(outcome)
    assert outcome.action == "created"
    assert "late" in outcome.reason
    assert (late.state, late.superseded_by) == (State.SUPERSEDED, newer.id)
    assert late.valid_until == newer.valid_from
    (link,) = memory.links(late.id)
    assert (link.source_id, link.target_id, link.type) == (newer.id, late.id, "supersedes")
    assert memory.get(newer.id).state is State.ACTIVE


def test_what_is_told_again_of_its_time_stays_history(memory: Memory) -> None:
    """The same conversation, told twice with its dates, brings nothing back that ended since, and
    is kept once; told of another time it is true again."""
    talk = [("2026-02-01", "We deploy to Netlify"), ("2026-03-01", "I drive a Yaris")]
    news = [("2026-04-01", "we moved from netlify to cloudflare pages")]
    news.append(("2026-05-01", "My Yaris was stolen"))
    for at, text in talk + news:
        kept(memory.remember(text, at=at))
    for at, text in talk:
        outcome = memory.remember(text, at=at)
        assert (outcome.action, outcome.memory) == ("skipped", None)
        assert "history of that time" in outcome.reason
    told = {row.content: row.state for row in memory.timeline()}
    assert len(memory.timeline()) == len(told) == len(talk + news)
    assert [told[text] for _, text in talk] == [State.SUPERSEDED] * 2
    again = kept(memory.remember("We deploy to Netlify", at="2026-06-01"))
    assert again.state is State.ACTIVE


def test_a_late_statement_that_was_denied_since_is_history(memory: Memory) -> None:
    """A denial that is newer overtakes what is told late, though it states no fact itself."""
    memory.remember("I no longer use Vim", at="2026-02-01")
    late = kept(memory.remember("I use Vim", at="2026-01-01"))
    assert late.state is State.SUPERSEDED
    assert texts(memory.list()) == ["I no longer use Vim"]
    assert memory.facts(object="vim") == []


def test_what_was_confirmed_since_is_not_ended_by_what_is_told_late(memory: Memory) -> None:
    """A fact restated in March is not over because of a statement of February."""
    memory.remember("I live in Berlin", at="2026-01-01")
    confirmed = kept(memory.remember("I am based in Berlin with my cats", at="2026-03-01"))
    late = kept(memory.remember("I moved to Porto", at="2026-02-01"))
    assert (late.state, late.valid_until) == (State.SUPERSEDED, confirmed.valid_from)
    assert [fact.object for fact in memory.facts(predicate="city")] == ["berlin"]
    assert memory.get(confirmed.id).state is State.ACTIVE


def test_every_wording_of_what_is_over_goes(memory: Memory) -> None:
    """Two memories that say the same are both superseded by the change."""
    memory.remember("I live in Berlin", at="2026-01-01")
    memory.remember("I am based in Berlin with my two cats", at="2026-01-20")
    memory.remember("I moved to Porto", at="2026-02-01")
    assert texts(memory.list()) == ["I moved to Porto"]
    (berlin,) = memory.facts(object="berlin", current=False)
    assert berlin.valid_from < START
    assert berlin.valid_until == memory.facts(object="porto")[0].valid_from


@pytest.mark.spec("D-16")
def test_an_immutable_memory_is_never_superseded(memory: Memory) -> None:
    """A contradiction of it is recorded as a relation and reported; both stand."""
    first = kept(memory.remember("I live in Berlin"))
    memory.protect(first.id)
    outcome = memory.remember("I moved to Porto")
    assert outcome.action == "created"
    assert "immutable" in outcome.reason
    assert memory.get(first.id).state is State.ACTIVE
    assert sorted(texts(memory.list())) == ["I live in Berlin", "I moved to Porto"]
    (link,) = memory.links(first.id)
    assert (link.source_id, link.type) == (kept(outcome).id, "contradicts")
    assert [fact.object for fact in memory.facts(predicate="city")] == ["berlin"]


def test_walls_keep_contradictions_apart(memory: Memory) -> None:
    """What one user says ends nothing of another user, project, agent or what is shared."""
    scopes = [{}, {"user": "a"}, {"user": "b"}, {"user": "a", "project": "p"}, {"agent": "x"}]
    for scope in scopes:
        memory.remember("I live in Berlin", **scope)
    memory.remember("I moved to Porto", user="a")
    active = [row for scope in scopes for row in memory.list(**scope) if row.scope.user != "a"]
    assert {row.content for row in active} == {"I live in Berlin"}
    assert everything_said(memory, user="b") == {"I live in Berlin"}
    assert [f.object for f in memory.facts(predicate="city", user="a", project="p")].count(
        "berlin"
    ) == 2


def test_only_the_users_own_words_supersede(memory: Memory) -> None:
    """What an agent, a tool or the web says of the user ends nothing (P-10)."""
    first = kept(memory.remember("I live in Berlin"))
    memory.remember("I live in Porto", origin="web")
    memory.observe([{"role": "assistant", "content": "I live in Porto, I believe."}])
    assert memory.get(first.id).state is State.ACTIVE
    assert [fact.object for fact in memory.facts(predicate="city")] == ["berlin"]


def test_a_long_memory_keeps_its_other_words(memory: Memory) -> None:
    """Of a long text only the fact ends; the text stays, linked."""
    long = "I live in Berlin. " + "The flat has a balcony and a view of the canal. " * 8
    first = kept(memory.remember(long))
    second = kept(memory.remember("I moved to Porto"))
    assert memory.get(first.id).state is State.ACTIVE
    (link,) = memory.links(first.id)
    assert (link.source_id, link.type) == (second.id, "supersedes")
    assert [fact.object for fact in memory.facts(predicate="city")] == ["porto"]


def test_the_journal_keeps_no_words(memory: Memory) -> None:
    """The reason of a supersession stands in the journal for ever, and holds no text (R-07)."""
    first = memory.remember("I live in Zanzibarville")
    memory.remember("I moved to Portovillage")
    memory.forget(kept(first).id)
    memory.close()
    assert b"zanzibarville" not in Path(memory.path).read_bytes().lower()


PARTS = [
    ("I live in Berlin and I use Vim", "I moved to Porto", "I use Vim."),
    ("I live in Berlin and work at Acme", "I moved to Porto", "I work at Acme."),
    ("I use Vim. I live in Berlin.", "I no longer use Vim", "I live in Berlin."),
    ("Berlin'de yaşıyorum ve Vim kullanıyorum", "Porto'ya taşındım", "Vim kullanıyorum."),
]


@pytest.mark.spec("D-08")
@pytest.mark.parametrize(("old", "new", "left"), PARTS)
def test_what_else_a_memory_told_lives_on(
    shared: Shared, user: str, old: str, new: str, left: str
) -> None:
    """Of two statements in one memory only the one that changed ends; the past stays whole."""
    memory = shared("cognitive")
    first = kept(memory.remember(old, user=user, at="2026-01-10"))
    second = kept(memory.remember(new, user=user, at="2026-03-01"))
    assert sorted(texts(memory.list(user=user))) == sorted([new, left])
    (part,) = [one for one in memory.list(user=user) if one.content == left]
    assert (part.supersedes, part.valid_from) == (first.id, second.valid_from)
    assert memory.get(first.id, user=user).superseded_by == second.id
    ends = {link.source_id for link in memory.links(first.id, user=user)}
    assert ends == {second.id, part.id}
    assert texts(memory.recall(f"{old} {new}", user=user, as_of="2026-02-01")) == [old]
    (fact,) = [one for one in memory.facts(user=user) if one.source_id == part.id]
    assert fact.valid_until is None


TASTES = [
    ("I like dogs, especially Labradors", "I now like dogs, especially Beagles", True),
    ("I dislike boxing", "I no longer dislike boxing", True),
    ("I dislike boxing", "I now like boxing", True),
    ("I like board games", "These days I like cooperative board games", True),
    ("I like board games", "I like cooperative board games", False),
    ("I like puzzle games", "I now like card games", False),
    ("I dislike boxing", "I no longer like fencing", False),
    ("I like tea", "I now also like green tea", False),
]


@pytest.mark.spec("D-08")
@pytest.mark.parametrize(("old", "new", "replaced"), TASTES)
def test_a_taste_told_as_it_is_now(
    shared: Shared, user: str, old: str, new: str, replaced: bool
) -> None:
    """It replaces what was told of the same thing; another thing, or no "now", replaces nothing."""
    memory = shared()
    first = kept(memory.remember(old, user=user))
    memory.remember(new, user=user)
    state = memory.get(first.id, user=user).state
    assert state is (State.SUPERSEDED if replaced else State.ACTIVE)


UNNAMED = [
    ("Our sprint is two weeks", "Sprints are three weeks now", True),
    ("Nightly backups go to S3", "Nightly backups no longer go to S3", True),
    ("Tom runs the platform team", "Tom left, Priya runs the platform team now", True),
    ("I take the bus to work", "I bike to work now instead of taking the bus", True),
    ("The parking code is 4471", "The parking code changed to 9920", True),
    ("Otopark kodu 4471", "Otopark kodu artık 9920", True),
    ("Sigara içiyorum", "Artık sigara içmiyorum", True),
    ("Our sprint is two weeks", "Our sprint is three weeks long in Leo's team", False),
    ("Nightly backups go to S3", "Weekly backups go to Backblaze now", False),
    ("Tom runs the platform team", "Priya runs the data team now", False),
    ("The parking code is 4471", "The locker code is 9920 now", False),
    ("The parking code is 4471", "Is the parking code 9920 now?", False),
    ("I take the bus to work", "My sister bikes to work now", False),
    ("Otopark kodu 4471", "Dolap kodu artık 9920", False),
]


@pytest.mark.spec("D-08")
@pytest.mark.parametrize(("old", "new", "replaced"), UNNAMED)
def test_what_no_rule_names_is_laid_beside_what_is_held(
    shared: Shared, user: str, old: str, new: str, replaced: bool
) -> None:
    """With a sign of change, the same topic and another value of one sort replace; else nothing."""
    memory = shared()
    first = kept(memory.remember(old, user=user))
    outcome = memory.remember(new, user=user)
    row = memory.get(first.id, user=user)
    assert row.state is (State.SUPERSEDED if replaced else State.ACTIVE)
    assert outcome.action == ("superseded" if replaced else "created")
    if replaced:
        assert row.superseded_by == kept(outcome).id
        (link,) = memory.links(first.id, user=user)
        assert (link.source_id, link.type) == (kept(outcome).id, "supersedes")


NEAR_MISSES = [
    ("The API port is 3000", "The API port is not 3000"),
    ("Ticket 4711 blocks the release", "Ticket 4712 blocks the release"),
    ("The build takes 15 minutes on the runner", "The build takes 50 minutes on the runner"),
    ("The client waits 30 ms between retries", "The client waits 30 s between retries"),
    ("I never want marketing mail from them", "I want marketing mail from them"),
]


@pytest.mark.spec("R-09")
@pytest.mark.parametrize("profile", ["default", "cognitive"])
@pytest.mark.parametrize(("one", "two"), NEAR_MISSES)
def test_what_differs_in_a_number_or_a_denial_is_never_merged(
    shared: Shared, user: str, profile: str, one: str, two: str
) -> None:
    """Both texts are kept as they were said."""
    memory = shared(profile)
    memory.remember(one, user=user)
    outcome = memory.remember(two, user=user)
    assert outcome.action in {"created", "superseded"}
    assert {one, two} <= everything_said(memory, user=user)


@pytest.mark.spec("D-08")
def test_a_new_version_takes_the_place_of_the_old(memory: Memory) -> None:
    """The tool stays what is used; only its version ends."""
    memory.remember("We use PostgreSQL 15")
    memory.remember("We upgraded to PostgreSQL 17")
    assert texts(memory.list()) == ["We upgraded to PostgreSQL 17"]
    current = {(one.subject, one.predicate, one.object) for one in memory.facts()}
    assert ("postgresql", "version", "17") in current
    assert ("project", "uses:database", "postgresql") in current
    assert ("postgresql", "version", "15") not in current


@pytest.mark.spec("D-08")
def test_a_version_belongs_to_what_runs_it(memory: Memory) -> None:
    """Another version of the same tool in the same service supersedes; in another one it stands."""
    first = kept(memory.remember("The orders service uses PostgreSQL 15", project="p"))
    memory.remember("The billing service uses PostgreSQL 14", project="p")
    told = memory.remember("The orders service uses PostgreSQL 17", project="p")
    assert told.action == "superseded"
    assert told.previous is not None
    assert told.previous.id == first.id
    assert len(memory.list(project="p")) == 2


@pytest.mark.spec("D-08")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("the greenhouse budget is 900", "we can stretch the greenhouse budget to 1200"),
        ("I run Debian 11 on the old server", "upgraded the old server to Debian 12, all good"),
        ("our wiki lives on Netlify", "we moved the wiki from Netlify to Vercel last week"),
        (
            "actually let's go with Redis for the session store",
            "hmm no, drop redis, keep sessions in postgres",
        ),
        ("let's use Redis for the session store", "let's ditch Redis"),
        ("we use Redis for caching", "scrap the redis idea"),
        (
            "for state management let's try zustand in apps/web",
            "zustand was a bad idea, we're going back to redux toolkit",
        ),
        ("we cache sessions in redis", "redis was a mistake, postgres does it"),
        ("sera için bütçe 900 lira", "sera bütçesi 1200 liraya çıktı"),
    ],
)
def test_a_change_is_seen_in_other_words(memory: Memory, old: str, new: str) -> None:
    """What says that something changed ends the older value, whatever the attribute is called."""
    first = kept(memory.observe(old, user="ada")[0])
    [told] = memory.observe(new, user="ada")
    assert told.action == "superseded"
    assert told.previous is not None
    assert told.previous.id == first.id


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("the greenhouse budget is 900", "my brother stretched his greenhouse budget to 1200"),
        (
            "the greenhouse budget is 900",
            "if the greenhouse budget goes up to 1200 we heat it",
        ),
        ("the greenhouse budget is 900", "should we raise the greenhouse budget to 1200?"),
        ("our wiki lives on Netlify", "the blog also moved to Vercel now"),
        ("I run Debian 11 on the old server", "for this week only the old server runs Debian 12"),
        ("The starter tariff costs $10", "the premium tariff went up to $30"),
        ("My first flat was in Leeds", "my flat is in York now"),
        ("The tests take 10 minutes on Fedora", "the tests take 20 minutes on Windows now"),
        ("I prefer dark mode in Vim", "I prefer light mode in the browser now"),
        ("Dedem 80 yaşında", "Ninem artık 75 yaşında"),
        ("The server is on port 8080", "nobody moved the server to port 9090"),
        ("Spor salonunu seviyorum", "spor salonundan vazgeçmedik"),
        ("I like Rust", "that was wrong: the meeting is on Friday"),
        ("we have a users table in Postgres", "drop the users table"),
        ("my kids go to school in Graz", "drop the kids at school at 8"),
        ("we moved from Redis to Memcached", "drop redis"),
    ],
)
def test_what_only_sounds_like_a_change_ends_nothing(memory: Memory, old: str, new: str) -> None:
    """Other people's things, conditions, questions, additions and passing states end no value."""
    first = kept(memory.observe(old, user="ada")[0])
    memory.observe(new, user="ada")
    assert memory.get(first.id, user="ada", touch=False).state == "active"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("We use MongoDB for the sessions", "Do not forget MongoDB, it is important"),
        ("We use MongoDB for the sessions", "never forget MongoDB"),
        ("I live in Rome", "Never forget I live in Rome"),
        ("I live in Rome", "Let's forget Rome and go to Paris instead"),
        ("I am allergic to peanuts", "You can forget peanuts"),
    ],
)
def test_a_reminder_ends_nothing(memory: Memory, old: str, new: str) -> None:
    """Who is told not to forget something is told that it holds."""
    first = kept(memory.observe(old, user="ada")[0])
    memory.observe(new, user="ada")
    assert memory.get(first.id, user="ada", touch=False).state == "active"


def test_the_same_words_again_end_nothing(memory: Memory) -> None:
    """A statement that says "not X" holds when it is said again, with another comma or case."""
    first = kept(memory.observe("I wear lenses, but not at night.", user="ada")[0])
    [told] = memory.observe("i wear lenses but not at night", user="ada")
    assert told.action == "reinforced"
    assert memory.get(first.id, user="ada", touch=False).state == "active"


@pytest.mark.parametrize(
    ("old", "new", "left"),
    [
        (
            "Our API runs on port 8080 and the database is Postgres 14. We deploy to eu-west-1.",
            "We upgraded the database to Postgres 16.",
            "Our API runs on port 8080. We deploy to eu-west-1.",
        ),
        (
            "I live in Berlin. We deploy with Helm to eu-west-1.",
            "I moved to Porto",
            "We deploy with Helm to eu-west-1.",
        ),
        (
            "We use Postgres 14, the cache is Redis and logs go to Loki.",
            "We switched from Redis to Memcached",
            "We use Postgres 14. Logs go to Loki.",
        ),
        (
            "The standup is at 9:30 and the retro is every other Friday.",
            "Standup moved to 10:00",
            "The retro is every other Friday.",
        ),
        (
            "I use Vim and tmux. My shell is zsh.",
            "I no longer use Vim",
            "I use tmux. My shell is zsh.",
        ),
        ("We use eslint, prettier and husky", "We dropped husky", "We use eslint, prettier."),
        (
            "My blood type is A+ and I am allergic to penicillin",
            "I'm not allergic to penicillin after all",
            "My blood type is A+.",
        ),
        (
            "Deploys need two approvals. Hotfixes need one.",
            "Deploys need three approvals now",
            "Hotfixes need one.",
        ),
        (
            "Toplantı salı günü saat 10'da. Rapor için Grafana kullanıyoruz.",
            "Toplantı perşembe gününe alındı",
            "Rapor için Grafana kullanıyoruz.",
        ),
    ],
)
def test_what_nobody_took_back_is_kept_though_no_fact_is_known_of_it(
    memory: Memory, old: str, new: str, left: str
) -> None:
    """Of several things told at once only what a change is about is over: what else was said is a
    memory of its own, linked to what it was part of."""
    first = kept(memory.observe(old, user="ada")[0])
    told = memory.observe(new, user="ada")[0]
    assert told.action is Action.SUPERSEDED
    assert {one.content for one in memory.list(user="ada")} == {left, new}
    [rest] = [one for one in memory.list(user="ada") if one.content == left]
    assert rest.supersedes == first.id


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "I have a meeting with Lea on Tuesday and with Max on Wednesday",
            "the meeting with Lea is moved to Thursday",
        ),
        (
            "Our team: Ana (lead), Ben (backend), Cat (design)",
            "Ben moved to another team, Dan does backend now",
        ),
    ],
)
def test_what_cannot_be_told_apart_is_not_ended(memory: Memory, old: str, new: str) -> None:
    """Where something that still holds hangs on what is over, the memory stands beside the new."""
    memory.observe(old, user="ada")
    memory.observe(new, user="ada")
    assert {one.content for one in memory.list(user="ada")} == {old, new}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I live in Berlin. I love it here.", "I moved to Porto"),
        ("My manager is Ada. She is from Rome.", "My manager is Bo now"),
        ("Thanks! Our API runs on port 8080. Hope that helps.", "API port changed to 9090"),
        ("I live in Berlin, why do you ask?", "I moved to Porto"),
    ],
)
def test_what_hangs_on_what_is_over_goes_with_it(memory: Memory, old: str, new: str) -> None:
    """Words about what is over, pleasantries and questions are no memories by themselves."""
    memory.observe(old, user="ada")
    assert memory.observe(new, user="ada")[0].action is Action.SUPERSEDED
    assert [one.content for one in memory.list(user="ada")] == [new]


def test_what_a_change_leaves_is_no_rival_of_it(memory: Memory) -> None:
    """A part that still holds was told by nobody since: the change that left it is not history."""
    memory.observe("I'm Ben, 34, I live in Utrecht and I work as a physio", at="2026-02-01")
    told = memory.observe(
        "Update: we moved to Groningen, I turned 35, still a physio but with my own practice",
        at="2026-02-02",
    )[0]
    assert told.action is Action.SUPERSEDED
    assert told.memory is not None
    assert told.memory.state is State.ACTIVE
    assert {one.content for one in memory.list()} == {
        told.memory.content,
        "I'm Ben, 34. I work as a physio.",
    }


@pytest.mark.spec("D-08")
@pytest.mark.parametrize(
    ("old", "new", "over", "stays"),
    [
        ("My car is a blue Skoda Octavia", "I sold the Skoda", "blue skoda octavia", None),
        ("I use vim on my Mac", "I switched to emacs", "vim", "emacs"),
        ("We run on Python 3.11", "Upgraded to Python 3.12", "3.11", "python"),
    ],
)
def test_the_facts_of_what_is_over_end_with_it(
    memory: Memory, old: str, new: str, over: str, stays: str | None
) -> None:
    """Also where no fact, but a wording, ended it; what the newer words name themselves holds on,
    and what was taken back holds again."""
    gone = kept(memory.remember(old))
    told = memory.remember(new)
    assert told.action is Action.SUPERSEDED
    held = {one.object for one in memory.facts()}
    assert over not in held
    assert stays is None or stays in held
    (ended,) = [one for one in memory.facts(current=False) if one.object == over]
    assert ended.valid_until == kept(told).valid_from
    assert ended.source_id == gone.id
    memory.undo(memory.deeds(kept(told).id)[0].line)
    assert over in {one.object for one in memory.facts()}


@pytest.mark.spec("D-08")
def test_a_fact_that_is_told_elsewhere_too_outlives_a_source(memory: Memory) -> None:
    """Of two memories that state it one is over: the fact is the other's from then on."""
    first = kept(memory.remember("My car is a blue Skoda Octavia"))
    long = "My car is a blue Skoda Octavia. " + "It has been to many a place with us. " * 10
    second = kept(memory.remember(long))
    assert memory.remember("I sold the Skoda").action is Action.SUPERSEDED
    assert memory.get(first.id).state is State.SUPERSEDED
    (held,) = [one for one in memory.facts() if one.predicate == "vehicle"]
    assert held.source_id == second.id


@pytest.mark.spec("D-08")
@pytest.mark.parametrize(
    "new", ["I sold the Skoda and bought a red Tesla Model 3", "We sold our Skoda, bought a Tesla"]
)
def test_what_is_told_in_one_breath_does_not_hide_what_is_over(memory: Memory, new: str) -> None:
    """What a clause says is gone is over, whatever another clause tells beside it."""
    memory.remember("My car is a blue Skoda Octavia")
    memory.remember("My sister drives a Skoda Fabia")
    assert memory.remember(new).action is Action.SUPERSEDED
    assert texts(memory.list()) == [new, "My sister drives a Skoda Fabia"]


@pytest.mark.spec("D-08")
@pytest.mark.parametrize(
    ("old", "new", "value"),
    [
        ("My boss is Ms. Lee", "My boss is Ms. Park", "ms park"),
        ("My dentist is Prof. Dr. Weber", "My dentist is Prof. Dr. Lind", "prof dr lind"),
        ("My name is J. R. Smith", "My name is J. R. Braun", "j r braun"),
    ],
)
def test_a_title_is_no_end_of_a_name(memory: Memory, old: str, new: str, value: str) -> None:
    """A full stop behind a title or an initial ends no value: another name is another value."""
    memory.remember(old)
    assert memory.remember(new).action is Action.SUPERSEDED
    assert [one.object for one in memory.facts()] == [value]
    assert texts(memory.list()) == [new]


def test_the_end_of_a_name_ends_its_value(memory: Memory) -> None:
    """The full stop of a firm is no title's."""
    memory.remember("I work at Acme Inc. My boss is Ms. Lee")
    assert {one.object for one in memory.facts()} == {"acme inc", "ms lee"}


@pytest.mark.spec("D-08", "P-03")
@pytest.mark.parametrize(
    "told",
    [
        ("I work at Bosch.", "I live in Rome and I work at Bosch."),
        (
            "I live in Rome and I work at Bosch.",
            "I live in Oslo.",
            "I live in Rome and I work at Bosch.",
        ),
        ("I work at Bosch. I live in Rome.", "I live in Oslo.", "I work at Bosch. I live in Bonn."),
    ],
)
@pytest.mark.parametrize("verb", ["remember", "observe"])
def test_what_still_holds_may_stand_already(
    memory: Memory, verb: str, told: tuple[str, ...]
) -> None:
    """A change that leaves of a memory what another one says is written: it was lost to a conflict
    with that one. What holds stands once, with its fact."""
    for text in (*told, "I live in Paris now."):
        getattr(memory, verb)(text)
    assert sorted(texts(memory.list())) == ["I live in Paris now.", "I work at Bosch."]
    [employer] = memory.facts(predicate="employer")
    assert memory.get(employer.source_id or "").content == "I work at Bosch."
    assert [one.object for one in memory.facts(predicate="city")] == ["paris"]
    assert memory.audit(rows=True).whole


def test_what_still_holds_and_sleeps_wakes(memory: Memory) -> None:
    """A memory that says what is left of another, and was archived, answers again."""
    asleep = kept(memory.remember("I work at Bosch."))
    memory.remember("I live in Rome and I work at Bosch.")
    lived(memory, asleep, state=State.ARCHIVED)
    memory.remember("I live in Paris now.")
    assert memory.get(asleep.id, touch=False).state is State.ACTIVE
