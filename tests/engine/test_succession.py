"""A change told in other words than the old statement is found, and what only looks like one is
not: what the learned model adds to the rules."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.engine.conftest import Opening, Shared
from tests.engine.making import bring, kept, opened, texts

from engraphy import Memory, Outcome
from engraphy.model import Action, State

CHANGES = [
    ("Our invoices go out through Stripe", "We've handed invoicing over to Paddle"),
    ("I'm training for the Lisbon marathon", "Tore my calf, so the Lisbon marathon is off"),
    (
        "I keep my savings at Northbank",
        "Took my savings out of Northbank and put them with Greenleaf",
    ),
    ("The kids are in daycare all day", "We pulled the kids out of daycare"),
    (
        "Our newsletter goes out through Mailchimp",
        "We took the newsletter off Mailchimp and send it with Buttondown",
    ),
    (
        "The retry limit of the mailer is 3",
        "The mailer gives up after 5 tries now, the retry limit was too low",
    ),
    (
        "I'm on the night shift at the hospital",
        "They took me off nights, I'm doing days at the hospital",
    ),
    ("I have a gym membership at FitBarn", "Let my FitBarn membership lapse"),
    (
        "My car is insured with Allguard",
        "Took my car insurance away from Allguard, Kestrel covers it",
    ),
    ("I take the bus to the office", "Bought an e-bike, so that's how I get to the office now"),
    ("The team has six engineers", "Two people left, so we're down to four engineers"),
    ("I wear glasses", "I had laser surgery, so the glasses went into the bin"),
    ("Evi iki arkadaşımla paylaşıyorum", "Arkadaşlarım evden ayrıldı, tek başıma kaldım"),
    ("Gözlük takıyorum", "Lazer ameliyatı oldum, gözlüğe gerek kalmadı"),
    (
        "Balkonda domates yetiştiriyorum",
        "Domatesler hastalandı, balkonda hiçbir şey yetiştirmiyorum",
    ),
    ("Koroda şarkı söylüyorum", "Korodan ayrıldım"),
    ("Dizel araba kullanıyorum", "Dizeli satıp hibrit aldım"),
    (
        "Sabahları iki fincan kahve içiyorum",
        "Doktor kahveyi yasakladı, sabahları ıhlamur içiyorum",
    ),
    ("Tarih okuyorum", "Tarih bölümünden ayrıldım"),
    ("Hastanede gece vardiyasındayım", "Beni geceden aldılar, hastanede gündüz çalışıyorum"),
]
NO_CHANGES = [
    "My neighbour took her savings out of Northbank and put them with Greenleaf",
    "My sister let her FitBarn membership lapse",
    "Our receipts go out through Paddle too",
    "The bike is insured with Kestrel",
    "I'm also training for the Porto half marathon",
    "Should we take the newsletter off Mailchimp?",
    "If we took the newsletter off Mailchimp, Buttondown would be cheaper",
    'Ines said "we have handed invoicing over to Paddle" in her interview',
    "This week I walk to the office because the bus drivers are on strike",
    "I might take the kids out of daycare next year",
    "I still keep my savings at Northbank",
    "Remember that I keep my savings at Northbank",
    "Kardeşim gözlüğü bıraktı, lens takıyor",
    "Babam dizeli satıp hibrit aldı",
    "Bahçede biber de yetiştiriyorum",
    "Korodan ayrılsam mı?",
    "Keşke korodan ayrılsam",
    "Bu hafta sabahları çay içiyorum, kahve bitti",
    "Koroda hâlâ şarkı söylüyorum",
    "Gözlük taktığımı unutma",
]
HELD, KEPT, SAID = (
    ["shelf", "drawer", "binder", "crate", "cabinet", "folder", "notebook", "basket", "locker"],
    ["maps", "recipes", "photos", "cables", "seeds", "tools", "letters", "paint", "sheets", "keys"],
    ["likes plums", "plays the cello", "teaches chemistry", "collects stamps", "repairs radios"],
)
PERSONS = ["Nadia", "Oskar", "Pelin", "Rahel", "Sven", "Tuğçe", "Umut", "Vera", "Wanda", "Yann"]
RULES_ALONE = {"judge": {"supersede_likely": 1.0}}
GYM, LAPSED = CHANGES[7]


def likely(outcome: Outcome) -> list[float]:
    """The probabilities that an outcome's steps tell of what is over."""
    told = [step.detail for step in outcome.trace if step.stage == "contradiction"]
    return [float(one) for text in told for one in re.findall(r"is over: likely ([\d.]+)", text)]


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """What every change is about, among 200 memories that concern none."""
    others = [f"The {one} in the attic holds the {other}" for one in HELD for other in KEPT]
    others += [f"{one}'s {kin} {what}" for one in PERSONS for kin in ("aunt", "uncle")
               for what in SAID]  # fmt: skip
    others += [f"Room {number} is painted in grey" for number in range(200 - len(others))]
    with opened(tmp_path_factory.mktemp("full") / "store.db") as memory:
        bring(memory, others)
        for old, _ in CHANGES:
            memory.remember(old)
        assert len(memory.list(limit=1_000)) == 200 + len(CHANGES)
        yield memory


@pytest.mark.spec("D-08")
@pytest.mark.parametrize(("old", "new"), CHANGES)
def test_a_change_in_other_words_ends_the_old_statement(
    shared: Shared, user: str, old: str, new: str
) -> None:
    """It is superseded with its end, linked both ways, found as of before, and kept as it was."""
    memory = shared()
    first = kept(memory.remember(old, user=user, at="2026-01-10"))
    outcome = memory.remember(new, user=user, at="2026-03-01")
    second = kept(outcome)
    assert outcome.action is Action.SUPERSEDED
    assert outcome.previous is not None
    assert outcome.previous.id == first.id
    assert texts(memory.list(user=user)) == [new]
    gone = memory.get(first.id, user=user)
    assert (gone.state, gone.superseded_by, gone.content) == (State.SUPERSEDED, second.id, old)
    assert (gone.valid_until, second.supersedes) == (second.valid_from, first.id)
    for end in (first.id, second.id):
        (link,) = memory.links(end, user=user)
        assert (link.source_id, link.target_id, link.type) == (second.id, first.id, "supersedes")
    assert texts(memory.recall(f"{old} {new}", user=user, as_of="2026-02-01")) == [old]
    assert texts(memory.recall(f"{old} {new}", user=user)) == [new]
    assert texts(memory.timeline(user=user)) == [new, old]


@pytest.mark.spec("D-08")
@pytest.mark.parametrize(("old", "new"), CHANGES)
def test_a_change_is_found_among_many(full: Memory, old: str, new: str) -> None:
    """In a store of 220 memories a change ends the one that it concerns, and no other."""
    [told] = full.why_not(new)
    assert told.action is Action.SUPERSEDED
    assert told.previous is not None
    assert told.previous.content == old
    assert len(likely(told)) == 1


@pytest.mark.parametrize(
    ("old", "new", "ends"),
    [
        (
            "We use Jest for tests",
            "We planned to move from Jest to Vitest but decided against it",
            False,
        ),
        (
            "Testlerde Jest kullanıyoruz",
            "Jest yerine Vitest'e geçmeyi düşündük ama vazgeçtik",
            False,
        ),
        ("Testlerde Jest kullanıyoruz", "Jest'ten vazgeçtik, Vitest'e geçtik", True),
    ],
)
def test_a_change_that_was_given_up_ends_nothing(
    memory: Memory, old: str, new: str, ends: bool
) -> None:
    """What was thought of and dropped leaves what was as it is; what is done ends it."""
    memory.remember(old)
    assert (memory.remember(new).action is Action.SUPERSEDED) is ends


@pytest.mark.spec("D-08")
@pytest.mark.parametrize("profile", ["default", "cognitive"])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Redis diski doldu", "Redis diski yüzünden site kapandı"),
        ("Redis diskinin dolması fark edildi", "Redis diskinin dolması yüzünden site kapandı"),
        ("I have migraines", "I gave up coffee because of my migraines"),
        ("Alice works at Google in Berlin", "Alice worked at Google in Berlin"),
    ],
)
def test_what_came_of_it_or_was_before_ends_nothing(
    shared: Shared, user: str, profile: str, old: str, new: str
) -> None:
    """A memory that is named as the cause of something else still holds, and a past is another
    statement than a present: both stay."""
    memory = shared(profile)
    memory.remember(old, user=user)
    assert memory.remember(new, user=user).action is Action.CREATED
    assert sorted(texts(memory.list(user=user))) == sorted([old, new])


@pytest.mark.spec("D-08")
@pytest.mark.parametrize("new", NO_CHANGES)
def test_what_only_looks_like_a_change_ends_nothing(full: Memory, new: str) -> None:
    """Another person, another thing, an addition, a question, a supposition, a quotation, an
    exception, a restatement and a reminder leave 220 memories as they are."""
    outcomes = full.why_not(new)
    assert outcomes
    for told in outcomes:
        assert told.action is not Action.SUPERSEDED, told.reason
        assert "is over" not in repr(told.trace)


@pytest.mark.spec("D-08")
@pytest.mark.parametrize(("old", "new"), CHANGES)
def test_a_threshold_of_one_switches_the_model_off(opening: Opening, old: str, new: str) -> None:
    """With `supersede_likely` = 1 rules alone decide, and none of them knows these words."""
    memory = opening(overrides=RULES_ALONE)
    memory.remember(old)
    [told] = memory.observe(new)
    assert told.action is Action.CREATED
    assert sorted(texts(memory.list())) == sorted([old, new])


@pytest.mark.parametrize("profile", ["default", "cognitive", "titans", "layered"])
def test_profiles_share_the_model(shared: Shared, user: str, profile: str) -> None:
    """The documents' profiles that end what is over know changes in other words too."""
    memory = shared(profile)
    memory.remember(GYM, user=user)
    assert memory.remember(LAPSED, user=user).action is Action.SUPERSEDED


def test_a_profile_that_ends_nothing_ends_nothing(shared: Shared, user: str) -> None:
    """Where `judge.supersede` is off the model ends nothing either."""
    memory = shared("letsgo")
    first = kept(memory.remember(GYM, user=user))
    assert memory.remember(LAPSED, user=user).action is Action.CREATED
    assert memory.get(first.id, user=user).state is State.ACTIVE


@pytest.mark.parametrize(
    ("knob", "least"), [("supersede_untold", 0.99), ("supersede_likely", 0.99)]
)
def test_either_threshold_counts_for_its_own_messages(
    opening: Opening, knob: str, least: float
) -> None:
    """A message without a word of change is held to `supersede_untold`, one with such a word to
    `supersede_likely`; neither to the other's."""
    memory = opening(overrides={"judge": {knob: least, "supersede_certain": 1.0}})
    untold, told = CHANGES[7], CHANGES[9]
    for old, _ in (untold, told):
        memory.remember(old)
    actions = [memory.observe(new)[0].action for _, new in (untold, told)]
    ends = [Action.CREATED, Action.SUPERSEDED]
    assert actions == (ends if knob == "supersede_untold" else ends[::-1])


RULED = ("I rent a desk at the Foundry", "We got rid of the desk at the Foundry")


def test_what_the_model_holds_impossible_no_rule_ends(opening: Opening) -> None:
    """Below `supersede_never_below` a rule of wording ends nothing; with 0 it decides alone."""
    old, new = RULED
    for name, least, action in (("low", 0.0, "superseded"), ("high", 0.99, "created")):
        knobs = {"supersede_never_below": least, "supersede_likely": 1.0}
        memory = opening(name, overrides={"judge": knobs})
        memory.remember(old)
        assert memory.observe(new)[0].action == action, name


@pytest.mark.spec("D-08")
def test_of_two_that_may_be_over_only_the_likeliest_is(memory: Memory) -> None:
    """One message seldom changes two things: the second one stays, and its number is told."""
    near = kept(memory.remember("I have a climbing membership at FitBarn"))
    memory.remember(GYM)
    [told] = memory.observe(LAPSED)
    assert told.previous is not None
    assert texts(memory.list()) == [LAPSED, "I have a climbing membership at FitBarn"]
    (step,) = [one.detail for one in told.trace if one.stage == "succession"]
    found = re.fullmatch(
        rf"{near.id} may be over: likely (0\.\d\d), taken as over from 0\.90", step
    )
    assert found is not None
    assert 0.05 <= float(found[1]) <= likely(told)[0]


def test_what_is_certain_is_over_beside_the_likeliest(opening: Opening) -> None:
    """From `supersede_certain` on a memory is over whatever else is."""
    memory = opening(overrides={"judge": {"supersede_certain": 0.3, "supersede_untold": 0.99}})
    memory.remember("I have a climbing membership at FitBarn")
    memory.remember(GYM)
    [told] = memory.observe(LAPSED)
    assert texts(memory.list()) == [LAPSED]
    assert len(likely(told)) == 2


@pytest.mark.spec("D-08")
@pytest.mark.parametrize(
    ("held", "told"),
    [("I live in Berlin", "I moved to Porto"), RULED],
)
def test_where_something_else_says_what_changes_the_model_must_be_certain(
    opening: Opening, held: str, told: str
) -> None:
    """Beside what a fact or a rule ends, a memory goes from `supersede_certain` on only."""
    for name, certain, left in (("sure", 0.99, [GYM]), ("lax", 0.5, [])):
        memory = opening(name, overrides={"judge": {"supersede_certain": certain}})
        memory.remember(held)
        memory.remember(GYM)
        new = f"{told} and let my FitBarn membership lapse"
        assert memory.observe(new)[0].action is Action.SUPERSEDED
        assert [one for one in texts(memory.list()) if one != new] == left, name


@pytest.mark.spec("D-08")
def test_of_two_that_are_alike_likely_the_later_is_over(memory: Memory) -> None:
    """Two that differ in a name alone are alike to the model, and still only one of them ends."""
    memory.remember("I have a gym membership at FitBarn", at="2026-01-01")
    memory.remember("I have a gym membership at Muscledrome", at="2026-02-01")
    [told] = memory.observe("Let my gym membership lapse", at="2026-03-01")
    assert told.previous is not None
    assert told.previous.content == "I have a gym membership at Muscledrome"
    assert "I have a gym membership at FitBarn" in texts(memory.list())


@pytest.mark.spec("D-08")
def test_a_memory_of_several_sentences_is_left_to_the_rules(memory: Memory) -> None:
    """The model does not tell which of them is over, so it ends none, and claims none."""
    old = "I have two cats. I'm training for the Lisbon marathon."
    first = kept(memory.remember(old))
    told = memory.remember(CHANGES[1][1])
    assert (told.action, likely(told)) == (Action.CREATED, [])
    assert memory.get(first.id).state is State.ACTIVE
    ruled = kept(memory.remember("I have a balcony. I live in Berlin."))
    memory.remember("I moved to Porto")
    assert memory.get(ruled.id).state is State.SUPERSEDED


@pytest.mark.spec("D-16")
def test_an_immutable_memory_is_reported_not_ended(memory: Memory) -> None:
    """What the model would end and may not stands; the disagreement is told and linked."""
    first = kept(memory.remember(GYM))
    memory.protect(first.id)
    outcome = memory.remember(LAPSED)
    assert outcome.action is Action.CREATED
    assert "immutable" in outcome.reason
    assert f"takes the place of {first.id}: likely 0." in outcome.reason
    assert memory.get(first.id).state is State.ACTIVE
    (link,) = memory.links(first.id)
    assert (link.source_id, link.type) == (kept(outcome).id, "contradicts")


def test_a_pin_keeps_no_change_away(memory: Memory) -> None:
    """A pinned memory is superseded by the user's own words as by any rule, and stays pinned."""
    first = kept(memory.remember(GYM, pinned=True))
    ruled = kept(memory.remember("I live in Berlin", pinned=True))
    memory.remember(LAPSED)
    memory.remember("I moved to Porto")
    for one in (first, ruled):
        gone = memory.get(one.id)
        assert (gone.state, gone.pinned) == (State.SUPERSEDED, True)


@pytest.mark.spec("D-08")
@pytest.mark.parametrize(
    ("globs", "others"),
    [(["src/**"], ["web/**"]), (["src/**"], None), (None, ["src/**"])],
)
def test_a_memory_for_other_files_is_never_ended(
    memory: Memory, globs: list[str] | None, others: list[str] | None
) -> None:
    """Only what holds for the same files takes its place."""
    old, new = CHANGES[0]
    first = kept(memory.remember(old, scope_globs=globs or []))
    memory.remember(new, scope_globs=others or [])
    assert memory.get(first.id).state is State.ACTIVE
    same = memory.remember(new + ".", scope_globs=globs or [])
    assert same.action is Action.SUPERSEDED


@pytest.mark.spec("P-10")
@pytest.mark.parametrize("origin", ["web", "agent", "tool"])
def test_only_the_users_own_words_end_anything(memory: Memory, origin: str) -> None:
    """Neither what others say ends the user's statement, nor the user's words what others said."""
    first = kept(memory.remember(GYM))
    assert memory.remember(LAPSED, origin=origin).action is not Action.SUPERSEDED
    assert memory.get(first.id).state is State.ACTIVE
    theirs = kept(memory.remember(CHANGES[0][0], origin=origin))
    memory.remember(CHANGES[0][1])
    assert memory.get(theirs.id).state is State.ACTIVE


@pytest.mark.spec("D-08")
def test_walls_and_speakers_keep_changes_apart(memory: Memory) -> None:
    """What one user, project or speaker tells ends nothing of another."""
    memory.remember(GYM, user="a")
    memory.remember(GYM, user="b", project="p")
    memory.observe([{"role": "user", "name": "Ada", "content": GYM}], user="b")
    memory.observe([{"role": "user", "name": "Bo", "content": LAPSED}], user="b")
    assert [one.speaker for one in memory.list(user="b") if one.content == GYM] == ["Ada"]
    assert texts(memory.list(user="a")) == [GYM]
    assert GYM in texts(memory.list(user="b", project="p"))


CORRECTIONS = [
    ("The caterer is Bella's", "Scratch that, we're cooking ourselves"),
    ("The retro is on Wednesday", "Scratch that, Thursday"),
    ("Yemeği Bella'dan alıyoruz", "Yok yanlış söyledim, kendimiz pişiriyoruz"),
    ("Toplantı çarşamba günü", "Pardon, perşembe olacaktı"),
]


@pytest.mark.spec("D-08")
@pytest.mark.parametrize(("old", "new"), CORRECTIONS)
def test_a_correction_ends_what_was_told_just_before(
    shared: Shared, user: str, old: str, new: str
) -> None:
    """It says of nothing what it is of: in its own session it ends the last statement alone, and
    in another session none."""
    memory = shared()
    memory.observe("The offsite is in Ghent", user=user, session="one")
    memory.observe(old, user=user, session="one")
    elsewhere = memory.why_not(new, user=user, session="two")
    assert {one.action for one in elsewhere} == {Action.CREATED}
    memory.observe(new, user=user, session="one")
    assert sorted(texts(memory.list(user=user))) == sorted(["The offsite is in Ghent", new])


@pytest.mark.spec("D-08")
@pytest.mark.parametrize(("old", "new"), [CORRECTIONS[0], CORRECTIONS[2]])
def test_a_correction_reaches_no_further_back(
    shared: Shared, user: str, old: str, new: str
) -> None:
    """With another statement in between the earlier one stays."""
    memory = shared()
    memory.observe(old, user=user, session="one")
    memory.observe("The offsite is in Ghent", user=user, session="one")
    memory.observe(new, user=user, session="one")
    assert old in texts(memory.list(user=user))


@pytest.mark.spec("D-08")
@pytest.mark.parametrize(
    "said", ["ok, thanks!", "yes", "no", "Python", "1", "2 please", "neither", "tamam", "evet"]
)
@pytest.mark.parametrize("session", [None, "one"])
def test_an_answer_ends_nothing_that_was_told_before_it(
    shared: Shared, user: str, said: str, session: str | None
) -> None:
    """A word or two said right after a statement, in one session or in none, put nothing right
    where they do not say so: they may answer what nobody has kept."""
    memory = shared()
    olds = ["I prefer pytest over unittest", "I live in Berlin", "My dog is called Rex"]
    for place, old in enumerate(olds):
        mine = f"{user}-{place}"
        kept(memory.remember(old, user=mine, session=session))
        memory.remember(said, user=mine, session=session)
        assert old in texts(memory.list(user=mine)), old


@pytest.mark.spec("D-08")
@pytest.mark.parametrize("old", [old for old, _ in CHANGES] + NO_CHANGES)
def test_the_same_words_take_nothings_place(shared: Shared, user: str, old: str) -> None:
    """A statement told twice, or with another mark at its end, supersedes nothing."""
    memory = shared()
    memory.observe(old, user=user)
    for again in (old, f"{old}.", old.upper()):
        actions = {one.action for one in memory.observe(again, user=user)}
        assert Action.SUPERSEDED not in actions, again


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "The staging DB password rotates every 30 days.",
            "I switched from VS Code to Zed last month.",
        ),
        (
            "I'm Priya, I work as a data engineer at Northwind in Toronto.",
            "I live in Toronto near High Park.",
        ),
        (
            "Buttons in packages/ui must use the `tone` prop instead of `variant`.",
            "Components live in packages/ui/src/components, not packages/ui/src.",
        ),
    ],
)
def test_what_has_nothing_in_common_is_left(memory: Memory, old: str, new: str) -> None:
    """A message that tells of some change ends no statement with which it has no telling word and
    no attribute in common; who says where they live says nothing of their work; and one path that
    begins as another does is another place."""
    before = kept(memory.remember(old))
    outcome = memory.remember(new)
    assert outcome.action is Action.CREATED
    assert memory.get(before.id).state is State.ACTIVE


def test_the_verdict_of_the_model_is_told_with_its_number(memory: Memory) -> None:
    """`why_not` and the write say which memory goes, and how likely it is over, alike."""
    first = kept(memory.remember(GYM))
    [told] = memory.why_not(LAPSED)
    [done] = memory.observe(LAPSED)
    assert (told.reason, told.trace) == (done.reason, done.trace)
    (number,) = likely(done)
    assert 0.5 <= number < 1
    assert done.reason == f"takes the place of {first.id}: likely {number:.2f}"
    assert done.trace[-1].detail == f"supersede: {done.reason}"


def test_what_came_close_is_told_with_its_number(opening: Opening) -> None:
    """Where nothing ends, the best candidate's probability stands beside what it had to reach."""
    memory = opening(overrides={"judge": {"supersede_untold": 0.95, "supersede_certain": 0.95}})
    first = kept(memory.remember(GYM))
    [told] = memory.why_not(LAPSED)
    assert told.action is Action.CREATED
    (step,) = [one.detail for one in told.trace if one.stage == "succession"]
    assert re.fullmatch(rf"{first.id} may be over: likely 0\.\d\d, taken as over from 0\.95", step)


def test_nothing_is_told_of_what_is_out_of_the_question(memory: Memory) -> None:
    """Below `supersede_never_below` no candidate is named."""
    memory.remember(GYM)
    [told] = memory.why_not("My aunt's cello is older than the FitBarn")
    assert not [one for one in told.trace if one.stage in {"succession", "contradiction"}]


def test_who_writes_a_secret_is_told_no_id(memory: Memory) -> None:
    """The verdict names a memory, so the writer of a private one does not read it."""
    first = kept(memory.remember(GYM, sensitivity="private"))
    done = memory.remember(LAPSED, sensitivity="private")
    assert done.action is Action.SUPERSEDED
    assert first.id not in f"{done.reason} {done.trace!r}"


@pytest.mark.spec("R-07")
def test_the_journal_says_that_it_was_a_guess(memory: Memory) -> None:
    """The reason of a supersession by the model keeps the number and no word of a text."""
    memory.remember(GYM)
    memory.remember(LAPSED)
    memory.close()
    with closing(sqlite3.connect(Path(memory.path))) as store, store:
        rows = store.execute("SELECT reason FROM memory_journal").fetchall()
    said = {str(reason) for (reason,) in rows}
    assert any(re.fullmatch(r"likely takes its place \(0\.\d\d\)", one) for one in said)
    assert not any("FitBarn" in one or "membership" in one for one in said)
