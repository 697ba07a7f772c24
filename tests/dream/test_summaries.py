"""A summary for each category, kept up to date; old memories in the same words; what recurs; and
workflows that were gone through again and again."""

from typing import Any

import pytest
from tests.dream.conftest import Resting, changed, everything, tagged
from tests.dream.stories import APART, PLANTED, RELEASES, SAME_WORDS
from tests.engine.conftest import Opening
from tests.engine.making import Ticks, kept

from engraphy import Memory

TOLD = PLANTED[:10]


@pytest.fixture
def memory(resting: Resting) -> Memory:
    """A memory that keeps a summary for each category."""
    return resting("summaries")


def told(memory: Memory, said: tuple[str, ...] = TOLD, **fields: Any) -> list[str]:
    """Each of these, remembered; their ids."""
    return [kept(memory.remember(text, **{"kind": "discovery", **fields})).id for text in said]


@pytest.mark.spec("D-48")
@pytest.mark.spec("R-04")
def test_ten_memories_of_a_category_have_a_summary(memory: Memory) -> None:
    """From ten active ones on: one semantic memory of importance .8, linked to those it tells,
    which stay as they are."""
    told(memory, TOLD[:9])
    assert memory.dream().changed == 0
    told(memory, TOLD[9:])
    assert changed(memory.dream()) == {"summaries": 1}
    (row,) = tagged(memory, "category summary")
    assert (row.kind, row.category, row.importance, row.tier) == (
        "summary", "discovery", 0.8, "semantic",
    )  # fmt: skip
    assert row.content.startswith("discovery: 10 memories of 2026-05-01.\n- 2026-05-01: The ")
    assert len(memory.list()) == 11
    assert {link.target_id for link in memory.links(row.id)} >= set(row.source_ids)
    assert set(row.source_ids) <= {one.id for one in memory.list()}


@pytest.mark.spec("D-48")
def test_a_summary_is_updated_and_not_duplicated(memory: Memory, clock: Ticks) -> None:
    """What is new is told in it, as its next version; what says nothing new changes nothing."""
    told(memory)
    memory.dream()
    (first,) = tagged(memory, "category summary")
    clock.pass_days(1)
    assert memory.dream().changed == 0
    memory.remember("The old cherry by the 40 m tower fell", kind="discovery", importance=0.9)
    assert changed(memory.dream()) == {"summaries": 1}
    (again,) = tagged(memory, "category summary")
    assert (again.id, again.version) == (first.id, 2)
    assert "The old cherry by the 40 m tower fell" in again.content
    assert [one.content for one in memory.history(first.id)] == [first.content]
    assert memory.dream().changed == 0


@pytest.mark.spec("D-48")
def test_a_summary_tells_nothing_that_no_longer_stands(memory: Memory, clock: Ticks) -> None:
    """What is over is told no longer, also where fewer than ten are left."""
    rows = told(memory)
    memory.dream()
    clock.pass_days(1)
    memory.update(rows[0], valid_until=clock.now + 1)
    clock.pass_days(1)
    assert changed(memory.dream()) == {"summaries": 1}
    (row,) = tagged(memory, "category summary")
    assert TOLD[0] not in row.content
    assert TOLD[1] in row.content


@pytest.mark.spec("D-48")
def test_a_summary_is_not_told_again_within_a_minute(memory: Memory, clock: Ticks) -> None:
    """However much is new: sixty seconds after it was told."""
    told(memory)
    memory.dream()
    kept(memory.remember("The old cherry by the 40 m tower fell", kind="discovery",
                         importance=0.9))  # fmt: skip
    assert memory.dream().changed == 0
    clock.now += 60_000_000
    assert memory.dream().changed == 1


@pytest.mark.spec("D-48")
@pytest.mark.spec("R-04")
def test_each_level_has_a_summary_of_its_own(memory: Memory) -> None:
    """Ten public ones and nine private ones: no private word in the public summary, and none of
    the private ones."""
    told(memory)
    told(memory, tuple(f"Secretly, {text.lower()}" for text in TOLD[:9]), sensitivity="private")
    assert changed(memory.dream()) == {"summaries": 1}
    (row,) = tagged(memory, "category summary")
    assert row.sensitivity == "public"
    assert "ecretly" not in row.content


@pytest.mark.spec("R-04")
def test_forgetting_what_a_summary_tells_leaves_no_word_of_it(memory: Memory) -> None:
    """The summary goes as well, and is made anew of what is left where that is enough."""
    rows = told(memory, PLANTED)
    memory.dream()
    (row,) = tagged(memory, "category summary")
    gone = row.source_ids[0]
    text = memory.get(gone, touch=False).content
    memory.forget(gone)
    assert all(text not in one.content for one in everything(memory))
    assert len(memory.list()) == len(rows) - 1
    assert memory.dream().changed == 1


@pytest.mark.spec("A-19")
@pytest.mark.spec("R-04")
@pytest.mark.spec("D-76")
def test_old_memories_in_the_same_words_become_one(resting: Resting, clock: Ticks) -> None:
    """Older than seven days, three or more by single linkage of their words: one summary that
    keeps every number of theirs; they are superseded and linked. Two stay."""
    memory = resting("compress", profile="letsgo")
    said = (*SAME_WORDS, *APART[:2], APART[1] + " at night")
    rows = {text: kept(memory.remember(text)).id for text in said}
    clock.pass_days(6)
    assert memory.dream().changed == 0
    clock.pass_days(2)
    assert changed(memory.dream()) == {"compress": 1}
    (row,) = tagged(memory, "compressed")
    _, *lines = row.content.split("\n")
    assert lines == [f"- 2026-05-01: {text}" for text in SAME_WORDS]
    ids = {rows[text] for text in SAME_WORDS}
    assert set(row.source_ids) == ids
    for one in ids:
        held = memory.get(one, touch=False)
        assert (held.state, held.superseded_by) == ("superseded", row.id)
    assert memory.dream().changed == 0
    memory.forget(row.id)
    assert ids <= {one.id for one in memory.list()}


@pytest.mark.spec("A-19")
@pytest.mark.spec("D-76")
def test_compression_is_single_linkage(resting: Resting, clock: Ticks) -> None:
    """A chain in which the ends have too little in common is one cluster all the same."""
    memory = resting("compress", profile="letsgo")
    words = ["amber", "birch", "cedar", "delta", "ember", "flint", "grove", "heron", "inlet"]
    for start in range(4):
        memory.remember(" ".join(words[start : start + 6]))
    clock.pass_days(8)
    assert memory.dream().changed == 1
    assert len(tagged(memory, "compressed")[0].source_ids) == 4


@pytest.mark.spec("A-19")
def test_the_end_of_a_session_compresses(opening: Opening, clock: Ticks) -> None:
    """In letsgo; in the session's own walls, and not those of others."""
    memory = opening(profile="letsgo")
    for user in ("ada", "bob"):
        for text in SAME_WORDS:
            memory.remember(text, user=user)
    clock.pass_days(8)
    memory.start_session("one", user="ada")
    memory.remember("Herons came back to the mill", user="ada", session="one")
    memory.end_session("one", user="ada")
    assert len(tagged(memory, "compressed", user="ada")) == 1
    assert tagged(memory, "compressed", user="bob") == []


@pytest.mark.spec("A-19")
def test_what_a_job_writes_is_no_quotation(resting: Resting, clock: Ticks) -> None:
    """Who writes something somewhere tells no words of another: it is compressed as well."""
    memory = resting("compress", profile="letsgo")
    for how in ("every", "each", "every single"):
        said = f"The nightly billing export job writes invoices to S3 {how} evening"
        assert kept(memory.remember(said)).evidence == "stated"
    clock.pass_days(8)
    assert changed(memory.dream()) == {"compress": 1}


@pytest.mark.spec("B-10")
@pytest.mark.spec("R-04")
def test_what_recurs_in_episodes_becomes_knowledge(resting: Resting, clock: Ticks) -> None:
    """What three of them say in nearly the same words: a semantic fact in the words of one of them,
    linked to all three, which stay; a fourth is linked, and tells nothing anew."""
    memory = resting("recur", profile="layered")
    ids = []
    for text in RELEASES[:2]:
        ids.append(kept(memory.episode(text)).id)
        clock.pass_days(7)
    assert memory.dream().changed == 0
    ids.append(kept(memory.episode(RELEASES[2])).id)
    assert memory.dream(dry_run=True).changed == memory.dream().changed > 0
    rows = {row.content: row for row in tagged(memory, "recurring")}
    row = rows["Always run the migrations before the deploy."]
    assert (row.kind, row.tier, set(row.source_ids)) == ("fact", "semantic", set(ids))
    assert {link.target_id for link in memory.links(row.id)} >= set(ids)
    assert {memory.get(one, touch=False).state for one in ids} == {"active"}
    assert memory.dream().changed == 0
    again = "Hotfix on Sunday. Always run the migrations before the deploy!"
    ids.append(kept(memory.episode(again)).id)
    assert memory.dream().changed == 1
    (held,) = [one for one in tagged(memory, "recurring") if one.id == row.id]
    assert (held.content, set(held.source_ids), held.version) == (row.content, set(ids), 1)


@pytest.mark.spec("B-10")
def test_the_same_event_told_again_recurs(resting: Resting, clock: Ticks) -> None:
    """In the same words it is one memory, told so often: from the third time on it is knowledge,
    once."""
    memory = resting("recur", profile="layered")
    text = "The deploy to staging needs the VPN"
    ids = set()
    for _ in range(2):
        ids.add(kept(memory.episode(text, outcome="success")).id)
        assert memory.dream().changed == 0
        clock.pass_days(7)
    ids.add(kept(memory.episode(text, outcome="success")).id)
    assert memory.dream().changed == 1
    (row,) = tagged(memory, "recurring")
    assert (row.kind, row.content, set(row.source_ids)) == ("fact", f"{text}.", ids)
    assert {memory.get(one, touch=False).state for one in ids} == {"active"}
    memory.episode(text, outcome="success")
    assert memory.dream().changed == 0


@pytest.mark.spec("B-10")
@pytest.mark.spec("R-09")
@pytest.mark.parametrize(
    "said",
    [
        ("The release took 20 minutes at noon", "The release took 30 minutes at noon",
         "The release took 40 minutes at noon"),
        ("Always restart the queue at noon", "Never restart the queue at noon",
         "Always restart the queue at noon!"),
        ("Marcus restarted the queue at noon", "Ingrid restarted the queue at noon",
         "Ottokar restarted the queue at noon"),
    ],
)  # fmt: skip
def test_what_differs_does_not_recur(resting: Resting, said: tuple[str, ...]) -> None:
    """Another number, the contrary, another name."""
    memory = resting("recur", profile="layered")
    for number, text in enumerate(said):
        memory.episode(f"Day {number} of the {PLANTED[number][4:9]} project. {text}")
    assert memory.dream().changed == 0


@pytest.mark.spec("D-74")
@pytest.mark.spec("R-04")
def test_steps_that_recur_become_a_workflow(resting: Resting, clock: Ticks) -> None:
    """The same steps in the same order in three episodes: a procedure with these steps, linked to
    the episodes, whose success is counted like any other's; a fourth is linked."""
    memory = resting("mine")
    ids = [kept(memory.episode(text)).id for text in RELEASES[:2]]
    assert memory.dream().changed == 0
    ids.append(kept(memory.episode(RELEASES[2])).id)
    assert changed(memory.dream()) == {"mine": 1}
    (row,) = tagged(memory, "mined")
    assert (row.kind, set(row.source_ids)) == ("procedure", set(ids))
    steps = memory.steps(row.id).steps
    assert steps == ("We ran the migrations", "Built the image", "Deployed to staging")
    assert memory.dream().changed == 0
    memory.report(row.id, success=True)
    memory.report(row.id, success=False)
    held = memory.get(row.id, touch=False)
    assert (held.success_count, held.failure_count) == (1, 1)
    ids.append(kept(memory.episode(f"On Sunday. {RELEASES[0].split('. ')[1]}.")).id)
    assert memory.dream().changed == 1
    (again,) = tagged(memory, "mined")
    assert (again.id, set(again.source_ids), again.success_count) == (row.id, set(ids), 1)


@pytest.mark.spec("D-74")
def test_a_known_workflow_is_not_mined(resting: Resting) -> None:
    """What a caller wrote down already, with these steps, is not written down again."""
    memory = resting("mine")
    steps = ["We ran the migrations", "Built the image", "Deployed to staging"]
    memory.procedure("Release", steps)
    for text in RELEASES:
        memory.episode(text)
    assert memory.dream().changed == 0


@pytest.mark.spec("D-74")
def test_another_order_is_another_workflow(resting: Resting) -> None:
    """Steps in another order, or with another one between, do not recur."""
    memory = resting("mine")
    for number, text in enumerate(
        (
            "We watered the roses, mowed the lawn, then fed the hens.",
            "We fed the hens, watered the roses, painted the door, then mowed the lawn.",
            "We mowed the lawn, fed the hens, then watered the roses.",
        )
    ):
        memory.episode(f"Day {number} at the {PLANTED[number][4:9]}. {text}")
    assert memory.dream().changed == 0


@pytest.mark.spec("D-74")
def test_what_tools_did_in_sessions_is_mined(resting: Resting) -> None:
    """The same uses of tools in the same order in three sessions."""
    memory = resting("mine", mine={"episodes": 3})
    for number in range(3):
        name = f"s{number}"
        memory.start_session(name)
        for command, output in (
            ("alembic upgrade head", f"Running upgrade {number} -> done, 4 tables changed"),
            ("docker build -t shop/api .", f"Successfully built the image in {number + 20} s"),
        ):
            memory.observe_tool("Bash", output, input={"command": command}, session=name)
        memory.end_session(name)
    assert memory.dream().changed == 1
    (row,) = tagged(memory, "mined")
    steps = memory.steps(row.id).steps
    assert steps == ("Ran alembic upgrade head", "Ran docker build -t shop/api .")
    assert len(row.source_ids) == 6


@pytest.mark.spec("D-48")
def test_a_write_never_waits_for_a_summary(opening: Opening) -> None:
    """No write makes or moves one: in cognitive the end of a session does, in its own walls."""
    memory = opening(profile="cognitive")
    memory.start_session("one")
    told(memory)
    assert tagged(memory, "category summary") == []
    memory.end_session("one")
    (row,) = tagged(memory, "category summary")
    assert len(row.source_ids) == 10
