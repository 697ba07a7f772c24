"""Strategic forgetting as a whole (D-44): its rules in their order, and what each spares."""

from contextlib import closing
from typing import Any

import pytest
from tests.dream.conftest import Beside, Resting, changed
from tests.engine.conftest import Opening
from tests.engine.making import START, Ticks, kept
from tests.engine.nights import lived, now

from engraphy import Memory
from engraphy.model import Insert, Scope
from engraphy.model import Memory as Row
from engraphy.stores.sqlite import open_store
from engraphy.testing.doubles import ToyEmbedder

RULES = ("contradictions", "foresight", "useless", "redundancy", "trim")
NEAR = (
    "The gateway of the northern cluster listens at noon on the big antenna for the gulls",
    "The gateway of the northern cluster listens at noon on the big antenna for all the gulls",
)


def ruled(opening: Opening, **forget: Any) -> Memory:
    """A memory with vectors whose nights are those of `cognitive`, as it ships them."""
    knobs = {"dream": {"forget": forget}} if forget else {}
    return opening(profile="cognitive", embedder=ToyEmbedder(dim=256), overrides=knobs)


@pytest.mark.spec("D-44")
def test_an_earlier_rule_takes_what_a_later_one_would(
    opening: Opening, beside: Beside, clock: Ticks
) -> None:
    """Of a memory that two rules concern the earlier one tells why it sleeps: contradicted before
    useless, useless before redundant; the dry run says the same."""
    memory = ruled(opening)
    old = kept(memory.remember("The heron nests near the northern lake"))
    twins = beside(memory, *NEAR)
    memory.reembed()
    lived(memory, old, utility=0.0)
    lived(memory, memory.get(twins[0], touch=False), utility=0.0)
    clock.pass_days(40)
    new = kept(memory.remember("No heron has ever come to this region"))
    memory.link(new.id, old.id, "contradicts")
    shown = changed(memory.dream(dry_run=True))
    done = changed(memory.dream())
    assert {rule: done[rule] for rule in RULES} == {
        "contradictions": 1, "foresight": 0, "useless": 1, "redundancy": 0, "trim": 0,
    }  # fmt: skip
    assert {rule: shown[rule] for rule in RULES} == {rule: done[rule] for rule in RULES}
    assert {row.id for row in memory.list(include=["dormant"])} >= {old.id, *twins, new.id}


@pytest.mark.spec("D-44")
@pytest.mark.parametrize("kind", ["preference", "correction", "entity"])
def test_permanent_kinds_yield_to_what_overtakes_them(
    opening: Opening, beside: Beside, clock: Ticks, kind: str
) -> None:
    """What is permanent is neither useless nor in the way, but a contradiction puts it to sleep,
    and so does a neighbour that says the same."""
    memory = ruled(opening, limit=1, target=1)
    old = kept(memory.remember("The heron nests near the northern lake", kind=kind))
    twins = beside(memory, *NEAR, kind=kind)
    memory.reembed()
    for one in (old.id, *twins):
        lived(memory, memory.get(one, touch=False), utility=0.0)
    clock.pass_days(40)
    memory.get(twins[1])
    new = kept(memory.remember("No heron has ever come to this region", kind=kind))
    memory.link(new.id, old.id, "contradicts")
    done = changed(memory.dream())
    assert {rule: done[rule] for rule in RULES} == {
        "contradictions": 1, "foresight": 0, "useless": 0, "redundancy": 1, "trim": 0,
    }  # fmt: skip
    assert now(memory, old).state == "dormant"


@pytest.mark.spec("D-44")
@pytest.mark.parametrize("flag", ["pinned", "immutable", "flashbulb"])
@pytest.mark.parametrize("rule", ["redundancy", "trim"])
def test_no_anchor_sleeps_for_a_neighbour_or_for_room(
    opening: Opening, beside: Beside, clock: Ticks, flag: str, rule: str
) -> None:
    """Pinned, immutable and flashbulb memories are exempt from the last two rules as well."""
    forget = {"limit": 1, "target": 0, "other_keep_days": 0.0, "keep_days": {}}
    steps = {"steps": [rule], "forget": forget}
    memory = opening(profile="cognitive", embedder=ToyEmbedder(dim=256), overrides={"dream": steps})
    first, second = beside(memory, *NEAR, kind="workflow")
    memory.reembed()
    lived(memory, memory.get(first, touch=False), utility=0.0, **{flag: True})
    clock.pass_days(20)
    memory.dream()
    assert memory.get(first, touch=False).state == "active"
    assert memory.get(second, touch=False).state == ("dormant" if rule == "trim" else "active")


@pytest.mark.spec("D-44")
def test_five_hundred_are_kept_as_the_document_says(opening: Opening, clock: Ticks) -> None:
    """The profile ships 500 and 450: 500 stay, of 501 there are 450 left awake; what sleeps is
    found on request and wakes when it is delivered."""
    memory = opening(profile="cognitive", overrides={"dream": {"steps": ["trim"]}})
    scope = Scope(tenant=memory.tenant)
    rows = [
        Row(id=f"m{n}", scope=scope, content=f"Locker {n} holds bolts", recorded_at=START)
        for n in range(500)
    ]
    with closing(open_store(memory.path)) as store:
        changes = [Insert(memory=row) for row in rows]
        store.apply(memory.tenant, changes, now=START, actor="test")
    clock.pass_days(60)
    assert memory.dream().changed == 0
    kept(memory.remember("The parrot of the postman speaks Portuguese on Sundays"))
    assert len(memory.list(limit=1_000)) == 501
    clock.pass_days(60)
    assert memory.dream().changed == 51
    assert len(memory.list(limit=1_000)) == 450
    every = memory.list(limit=1_000, include=["dormant"])
    asleep = [row for row in every if row.state == "dormant"]
    memory.get(asleep[0].id)
    assert now(memory, asleep[0]).state == "active"


@pytest.mark.spec("D-76")
@pytest.mark.parametrize("step", ["useless", "trim", "cluster", "redundancy", "fade"])
def test_nothing_at_rest_takes_what_waits_to_be_told(
    resting: Resting, beside: Beside, clock: Ticks, step: str
) -> None:
    """However useless, crowded or alike it is: a reminder stays awake until it was told, or until
    its time is over."""
    fade = {"older_than_days": 1.0, "importance_below": 1.0, "worth_below": 1_000.0, "keep": []}
    forget = {"limit": 1, "target": 0, "other_keep_days": 0.0, "keep_days": {}}
    memory = resting(step, forget=forget, fade=fade)
    said = [
        f"remind me to water the {tree} by the lake on 3 July" for tree in ("oak", "elm", "ash")
    ]
    for text in said:
        memory.observe([{"role": "user", "content": text}])
    for row in memory.list():
        lived(memory, row, utility=0.0, importance=0.0)
    clock.pass_days(40)
    assert memory.dream().changed == 0
    assert len(memory.reminders()) == 3
    clock.pass_days(23.5)
    assert len(memory.context("Hello").hits) == 3
