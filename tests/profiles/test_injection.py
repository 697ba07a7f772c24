"""What each document says of injection: budgets, layers, sections and their order, as written."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_OID, uuid5

import pytest
from tests.engine.conftest import Opening, clock, opening
from tests.engine.making import Ticks, bring, kept, opened, texts

from engraphy import Memory
from engraphy.model import Memory as Row
from engraphy.model.kinds import Kind
from engraphy.operations.toolset import toolset

__all__ = ["clock", "opening"]

MINUTE = 60_000_000
OFF_TOPIC = "Compile the kernel module of the graphics driver"


def ids(block: Any) -> list[str]:
    """The injected memories, in the block's order."""
    return [hit.memory.id for hit in block.hits]


def by_layer(block: Any) -> list[str]:
    """The layer of each line."""
    return [line.layer for line in block.receipt.lines]


def plain_layer(**keys: Any) -> dict[str, Any]:
    """A layer that takes the best hits, with what is said otherwise."""
    plain = {
        "name": "relevant", "source": "relevant", "kinds": [], "min_priority": "low", "quota": 5,
        "scales": {}, "score": "hit", "min_score": 0.0, "order": "score", "shown": "oldest",
        "repeats": False,
    }  # fmt: skip
    return plain | keys


# letsgo: documents 000 and 001


@pytest.fixture
def letsgo(opening: Opening) -> Memory:
    """A memory that scores by the match alone, so that what is found depends on nothing else."""
    overrides = {"score": {"min_score": 0.0}}
    return opening(profile="letsgo", overrides=overrides)


def aged(memory: Memory, clock: Ticks, text: str, minutes: float) -> Row:
    """A memory of so many minutes."""
    return kept(memory.remember(text, at=clock.now - round(minutes * MINUTE)))


@pytest.mark.spec("A-20")
def test_letsgo_injects_five_memories_in_a_block(letsgo: Memory) -> None:
    """A `<memory-context>` block of at most 5 memories and 2000 tokens."""
    for number in range(9):
        letsgo.remember(f"The parser reads tokens of file {number}")
    block = letsgo.context("what does the parser read?")
    assert block.text.startswith("<memory-context>\n")
    assert block.text.endswith("\n</memory-context>")
    assert len(block.hits) == 5
    assert block.receipt.budget == 2_000
    assert block.placement == "tail"


@pytest.mark.long
@pytest.mark.spec("A-20")
def test_letsgo_keeps_its_2000_tokens(letsgo: Memory) -> None:
    """Long memories fill the budget before five have room."""
    for number in range(9):
        letsgo.remember(f"The parser {number} reads tokens. " + f"It knows part {number}. " * 90)
    block = letsgo.context("what does the parser read?")
    assert 1_500 < block.tokens <= 2_000
    assert len(block.hits) < 5


@pytest.mark.spec("A-17")
@pytest.mark.spec("A-20")
def test_the_five_are_balanced_over_the_scales(letsgo: Memory, clock: Ticks) -> None:
    """One of the last 5 minutes, two up to 30, one up to 2 hours, one older: 1 + 2 + 1 + 1."""
    rows = {}
    for minutes in (1, 2, 3, 6, 7, 8, 20, 40, 50, 90, 180, 300, 5_000):
        rows[minutes] = aged(letsgo, clock, f"The parser reads tokens, note {minutes}", minutes)
    block = letsgo.context("what does the parser read?")
    minutes = sorted(number for number, row in rows.items() if row.id in ids(block))
    scales = [sum(low <= one < high for one in minutes) for low, high in
              ((0, 5), (5, 30), (30, 121), (121, 10**6))]  # fmt: skip
    assert scales == [1, 2, 1, 1]


@pytest.mark.spec("A-17")
@pytest.mark.parametrize(
    ("younger", "older", "border"),
    [("immediate", "task", 5), ("task", "session", 30), ("session", "project", 120.1)],
)
def test_the_scales_end_where_the_document_says(
    opening: Opening, clock: Ticks, younger: str, older: str, border: float
) -> None:
    """Below 5 minutes immediate, to 30 task, to 2 hours session, above that project: the one place
    of a scale goes to the memory on its side of the border."""
    rows = {}
    for scale in (younger, older):
        layer = plain_layer(scales={scale: 1}, quota=1)
        overrides = {"inject": {"layers": [layer]}, "score": {"min_score": 0.0}}
        memory = opening(profile="letsgo", overrides=overrides)
        if not rows:
            rows[older] = aged(memory, clock, "The parser reads tokens aloud", border + 0.1)
            rows[younger] = aged(memory, clock, "The parser reads tokens alone", border - 0.2)
        assert ids(memory.context("what does the parser read?")) == [rows[scale].id]


@pytest.mark.long
@pytest.mark.spec("A-17")
def test_each_scale_is_looked_at(letsgo: Memory, clock: Ticks) -> None:
    """However many older memories match better, the young one that matches has its place."""
    young = aged(letsgo, clock, "A parser was seen among many other things of that morning", 1)
    for number in range(60):
        aged(letsgo, clock, f"The parser reads tokens, parser {number}", 5_000)
    best = letsgo.recall("what does the parser read?", limit=50, touch=False)
    assert young.id not in {hit.memory.id for hit in best}
    assert young.id in ids(letsgo.context("what does the parser read?"))


@pytest.mark.spec("A-17")
def test_empty_scales_leave_their_places(letsgo: Memory, clock: Ticks) -> None:
    """Where a scale has too few, the others fill the five, in the order of the scales."""
    old = [aged(letsgo, clock, f"The parser reads tokens {n}", 5_000) for n in range(9)]
    block = letsgo.context("what does the parser read?")
    assert len(block.hits) == 5
    assert set(ids(block)) <= {row.id for row in old}


@pytest.mark.spec("A-17")
def test_what_proves_durable_is_promoted(letsgo: Memory, clock: Ticks) -> None:
    """With every third delivery a memory counts as one scale older: immediate, task, session,
    project; then it takes a place of that scale."""
    young = [aged(letsgo, clock, f"The parser reads tokens {n}", 1) for n in range(6)]
    for minutes in (7, 8, 9, 40, 50):
        aged(letsgo, clock, f"The parser reads words of {minutes}", minutes)
    prompt = "what does the parser read?"
    # 1 + 2 + 1, and the place that no older memory takes goes to a second young one.
    before = {row.id for row in young} & set(ids(letsgo.context(prompt)))
    assert len(before) == 2
    other = next(row for row in young if row.id not in before)
    for _ in range(9):
        letsgo.get(other.id)
    assert other.id in ids(letsgo.context(prompt))


@pytest.mark.spec("A-17")
def test_without_scales_it_is_a_plain_search(opening: Opening, clock: Ticks) -> None:
    """Without the temporal capability the five best hits are injected, whatever their age."""
    overrides = {"inject": {"layers": [plain_layer(quota=5)]}, "score": {"min_score": 0.0}}
    memory = opening(profile="letsgo", overrides=overrides)
    for minutes in (1, 2, 3, 4, 4.5, 6, 40, 5_000):
        aged(memory, clock, f"The parser reads tokens, note {minutes}", minutes)
    best = [hit.memory.id for hit in memory.recall("what does the parser read?", limit=5)]
    assert set(ids(memory.context("what does the parser read?"))) == set(best)
    assert memory.capabilities()["memory.temporal"] is False
    assert opening("b", profile="letsgo").capabilities()["memory.temporal"] is True


# layered: document 002


@pytest.fixture
def layered(opening: Opening) -> Memory:
    """An empty memory of layered, in which statements that resemble each other stay apart."""
    return opening(profile="layered", overrides={"judge": {"supersede": False}})


@pytest.mark.spec("B-03")
def test_the_baseline_is_always_injected(layered: Memory) -> None:
    """All policy, architecture and preference memories of at least high priority, whatever the
    prompt says, be it a greeting."""
    stay = [
        kept(layered.remember("Never commit secrets", kind="policy")),
        kept(layered.remember("Auth is a separate service", kind="architecture")),
        kept(layered.remember("Prefers stdlib over deps", kind="preference", priority="high")),
    ]
    layered.remember("Prefers tabs", kind="preference")
    layered.remember("Chose SQLite over Postgres", kind="decision", priority="critical")
    layered.remember("API rate limit is 100/min", kind="fact", priority="high")
    for prompt in (OFF_TOPIC, "hi", "thanks!"):
        block = layered.context(prompt)
        assert set(ids(block)) == {row.id for row in stay}, prompt
        assert set(by_layer(block)) == {"baseline"}


@pytest.mark.spec("B-03")
def test_the_baseline_runs_by_priority_then_score(layered: Memory, clock: Ticks) -> None:
    """Critical before high; of one priority what weighs more and was used more first; all of it
    before what answers the prompt."""
    high = kept(layered.remember("Auth is a separate service", kind="architecture"))
    loved = kept(layered.remember("Prefers stdlib", kind="preference", priority="high"))
    critical = kept(layered.remember("Never commit secrets", kind="policy"))
    plain = kept(layered.remember("The kernel module is compiled with make"))
    block = layered.context(OFF_TOPIC)
    assert ids(block) == [critical.id, high.id, loved.id, plain.id]
    for _ in range(8):
        layered.get(loved.id)
    assert ids(layered.context(OFF_TOPIC)) == [critical.id, loved.id, high.id, plain.id]


@pytest.mark.spec("B-03")
def test_of_very_many_the_critical_ones_stand(layered: Memory) -> None:
    """However many there are and however unimportant it was called: critical comes first."""
    others = (f"Service {number} is separate" for number in range(210))
    bring(layered, others, kind="architecture", importance=1.0)
    last = kept(layered.remember("Never commit secrets", kind="policy", importance=0.0))
    assert ids(layered.context(OFF_TOPIC))[0] == last.id


@pytest.mark.long
@pytest.mark.spec("B-03")
def test_all_of_them_are_injected(layered: Memory) -> None:
    """As many as the budget holds, however many short ones these are."""
    signs = [chr(ord("a") + number // 26) + chr(ord("a") + number % 26) for number in range(66)]
    for sign in signs:
        layered.remember(f"No {sign}", kind="policy")
    block = layered.context(OFF_TOPIC)
    assert by_layer(block) == ["baseline"] * 66
    assert block.tokens <= 800
    assert len(layered.context(OFF_TOPIC, budget=400).hits) < 66


@pytest.mark.spec("B-04")
def test_contextual_is_weight_times_decay_times_reinforcement(
    layered: Memory, clock: Ticks
) -> None:
    """A fact weighs half a policy, halves every 90 days without access, and grows with recall
    as 1 + log2(count), at most 4 times."""
    fact = kept(layered.remember("The deploy runs on Friday evening"))
    pitfall = kept(layered.remember("The deploy on Friday breaks", kind="pitfall"))

    def scores() -> dict[str, float]:
        explained = layered.explain_context("when does the deploy run, on Friday?")
        return {hit.memory.id: hit.why["contextual"] for hit in explained.hits}

    assert scores() == pytest.approx({fact.id: 0.5, pitfall.id: 0.9}, abs=1e-3)
    clock.pass_days(90)
    assert scores() == pytest.approx({fact.id: 0.25, pitfall.id: 0.45}, abs=1e-3)
    for count, factor in ((1, 1.0), (2, 2.0), (4, 3.0), (8, 4.0), (20, 4.0)):
        while layered.get(fact.id, touch=False).access_count < count:
            layered.get(fact.id)
        assert scores()[fact.id] == pytest.approx(0.5 * factor, abs=1e-3)


@pytest.mark.spec("B-04")
def test_the_better_contextual_score_comes_first(layered: Memory, clock: Ticks) -> None:
    """The layer is ranked by it, not by the match; one loud memory does not drown the rest."""
    for _ in range(50):
        loud = kept(layered.remember("The deploy runs on Friday evening by hand"))
    pitfall = kept(layered.remember("The deploy breaks", kind="pitfall"))
    fact = kept(layered.remember("The deploy takes an hour"))
    block = layered.context("the deploy runs on Friday evening by hand?")
    assert ids(block) == [loud.id, pitfall.id, fact.id]
    assert block.hits[0].why["contextual"] == pytest.approx(2.0, abs=1e-3)


@pytest.mark.spec("B-04")
def test_below_the_threshold_nothing_contextual_is_injected(layered: Memory, clock: Ticks) -> None:
    """Weight .5 is below .1 after more than two half-lives and a third: 210 days."""
    row = kept(layered.remember("The deploy runs on Friday evening"))
    clock.pass_days(205)
    assert layered.explain_context("when does the deploy run?").hits
    clock.pass_days(5)
    block = layered.context("when does the deploy run?")
    assert block.text == ""
    assert [(one.stage, one.memory_id) for one in block.receipt.skipped] == [("threshold", row.id)]


@pytest.mark.spec("B-04")
def test_only_what_is_relevant_is_contextual(layered: Memory) -> None:
    """A fact that has nothing to do with the prompt stays out, however often it was used."""
    row = kept(layered.remember("The deploy runs on Friday evening"))
    for _ in range(20):
        layered.get(row.id)
    assert layered.context(OFF_TOPIC).text == ""


@pytest.mark.spec("B-05")
def test_three_matching_workflows_proven_ones_first(opening: Opening) -> None:
    """The top three of those that match the task; what succeeded before comes first."""
    layer = plain_layer(kinds=["procedure", "workflow"], quota=3, order="proven", shown="ranked")
    memory = opening(profile="layered", overrides={"inject": {"layers": [layer]}})
    rows = [
        kept(memory.procedure(f"Deploy service {name}", ["run the tests", "deploy", "watch"]))
        for name in ("one", "two", "three", "four")
    ]
    other = kept(memory.procedure("Bake bread", ["knead", "wait", "bake"]))
    memory.remember("The deploy of the service runs on Friday")
    memory.report(rows[3].id, True)
    memory.report(rows[2].id, False)
    block = memory.context("how do I deploy the service?")
    assert len(block.hits) == 3
    assert ids(block)[0] == rows[3].id
    assert other.id not in ids(block)
    assert {hit.memory.kind.value for hit in block.hits} == {"procedure"}


@pytest.mark.spec("B-05")
def test_the_contextual_layer_takes_no_procedure(layered: Memory) -> None:
    """As the profile ships: three procedures at most, the proven one first, behind everything else
    that answers the prompt; a proven one that has nothing to do with it stays out."""
    flows = [
        kept(layered.procedure(f"Deploy service {name}", ["run the tests", "deploy", "watch"]))
        for name in ("one", "two", "three", "four", "five")
    ]
    bread = kept(layered.procedure("Bake bread", ["knead", "wait", "bake"]))
    fact = kept(layered.remember("The deploy of the service runs on Friday"))
    layered.report(flows[4].id, True)
    layered.report(bread.id, True)
    block = layered.context("how do I deploy the service?")
    assert by_layer(block) == ["contextual", "procedures", "procedures", "procedures"]
    assert ids(block)[:2] == [fact.id, flows[4].id]
    assert bread.id not in ids(block)


@pytest.mark.spec("B-05")
def test_every_other_kind_is_contextual(layered: Memory) -> None:
    """Whatever kind there is, one of the two layers takes it."""
    by_name = {layer.name: layer for layer in layered._engine.profile.inject.layers}  # noqa: SLF001
    taken = {*by_name["contextual"].kinds, *by_name["procedures"].kinds}
    assert taken == {kind.value for kind in Kind}
    assert "procedure" not in by_name["contextual"].kinds


TREES = [
    "alder", "beech", "birch", "cedar", "elm", "hazel", "holly", "larch", "lime", "maple", "oak",
    "pine", "rowan", "spruce", "yew",
]  # fmt: skip


@pytest.mark.spec("B-05")
def test_workflows_have_a_search_of_their_own(opening: Opening) -> None:
    """However many facts come first: the layer looks among the workflows only."""
    overrides = {"inject": {"depth": 3}, "judge": {"supersede": False}}
    memory = opening(profile="layered", overrides=overrides)
    flow = kept(memory.procedure("Release", ["test", "publish the amber report"], importance=0.0))
    for tree in TREES:
        memory.remember(f"Amber of the {tree} is amber, amber and amber", importance=1.0)
    best = [hit.memory.id for hit in memory.recall("which amber is amber?", limit=15, touch=False)]
    assert flow.id not in best[:3]
    block = memory.context("which amber is amber?", budget=5_000)
    assert by_layer(block) == ["contextual", "contextual", "contextual", "procedures"]
    assert ids(block)[-1] == flow.id


@pytest.mark.long
@pytest.mark.spec("B-06")
def test_layers_compete_in_their_order(layered: Memory) -> None:
    """Of 800 tokens A takes first, B what A leaves, C what both leave."""
    for tree in TREES[:10]:
        text = f"The {tree} team watches every deploy of the {tree} service, " + f"{tree} " * 20
        layered.remember(text, kind="policy")
    for tree in TREES:
        layered.remember(f"The {tree} deploy runs " + f"behind the {tree} " * 5)
    layered.procedure("Deploy", ["test", "deploy", "watch"])
    block = layered.context("how does the deploy run?")
    layers = by_layer(block)
    assert block.receipt.budget == 800
    assert 760 < block.tokens <= 800
    assert layers == sorted(layers, key=["baseline", "contextual", "procedures"].index)
    assert layers.count("baseline") == 10
    assert 0 < layers.count("contextual") < 15


# titans: document 003

TITANS = """\
<memory-context>
## Relevant Context from Previous Conversations

- [User preference] I prefer Python for data processing
- [Decision] Decided to use React for frontend
- [Fact] This app uses PostgreSQL database
- [Entity] File: src/api/auth.js handles authentication
</memory-context>"""


@pytest.mark.spec("C-06")
def test_the_documents_block_word_for_word(opening: Opening) -> None:
    """Its four memories give its heading and its typed bullets, for the system prompt."""
    memory = opening(profile="titans")
    for kind, text in (
        ("preference", "I prefer Python for data processing"),
        ("decision", "Decided to use React for frontend"),
        ("fact", "This app uses PostgreSQL database"),
        ("entity", "File: src/api/auth.js handles authentication"),
    ):
        memory.remember(text, kind=kind)
    prompt = "Which database, frontend and authentication file does the Python app use?"
    block = memory.context(prompt)
    assert block.text == TITANS
    assert (block.placement, block.receipt.format) == ("system", "system")


@pytest.mark.spec("C-06")
def test_a_relation_has_its_label(opening: Opening) -> None:
    """The fifth type of the document."""
    memory = opening(profile="titans")
    memory.remember("auth.js depends on jwt.js", kind="relationship")
    text = memory.context("what does auth.js do with jwt.js?").text
    assert "- [Relationship] auth.js depends on jwt.js" in text


@pytest.mark.spec("C-06")
@pytest.mark.parametrize("kind", list(Kind))
def test_every_kind_has_a_label_of_the_document(opening: Opening, kind: Kind) -> None:
    """What the document has no name for is injected as the nearest of its five types, which is
    what its tools call it."""
    memory = opening(profile="titans")
    memory.remember("auth.js is slow at jwt.js", kind=kind)
    label = memory.context("is auth.js slow at jwt.js?").text.split("\n")[3].partition("]")[0]
    (found,) = toolset("titans").run(memory, "memory_search", {"query": "slow auth.js"})
    assert label.removeprefix("- [").removeprefix("User ").lower() == found["memory_type"]
    assert found["memory_type"] in {"preference", "decision", "fact", "entity", "relationship"}


@pytest.mark.spec("C-06")
def test_compact_and_detailed_differ(opening: Opening) -> None:
    """`compact`, the default, tells the type; `detailed` also the day and who said it."""
    text, said = "This app uses PostgreSQL database", {"speaker": "Ada", "kind": "fact"}
    lines = {}
    for detail in ("compact", "detailed"):
        overrides = {"inject": {"detail": detail}}
        memory = opening(detail, profile="titans", overrides=overrides)
        memory.remember(text, **said)
        lines[detail] = memory.context("which database does the app use?").text.split("\n")[3]
    assert lines == {
        "compact": f"- [Fact] {text}",
        "detailed": f"- [Fact, 2026-05-01, Ada] {text}",
    }
    assert opening("d", profile="titans").context("hi").receipt.format == "system"


@pytest.mark.spec("C-05")
def test_titans_injects_five(opening: Opening) -> None:
    """The top five by its three signals, not more."""
    memory = opening(profile="titans")
    for number in range(9):
        memory.remember(f"The API {number} uses port 300{number}", importance=number / 10)
    block = memory.context("which port does the API use?")
    best = [hit.memory.id for hit in memory.recall("which port does the API use?", limit=5)]
    assert len(block.hits) == 5
    assert set(ids(block)) == set(best)


@pytest.mark.spec("C-05")
def test_nothing_irrelevant_is_injected(opening: Opening) -> None:
    """The most important and freshest memory stays out where the prompt says nothing of it."""
    memory = opening(profile="titans")
    memory.remember("This app uses PostgreSQL database", importance=1.0)
    assert memory.context(OFF_TOPIC).text == ""


@pytest.mark.parametrize(
    ("said", "prompt", "injected"),
    [
        (
            "I prefer Python for scripting",
            "Write a script to process JSON",
            "- [User preference] I prefer Python for scripting",
        ),
        (
            "This API uses port 3000",
            "How do I test the API?",
            "- [Fact] This API uses port 3000",
        ),
        (
            "Let's use PostgreSQL",
            "Set up the database",
            "- [Decision] Let's use PostgreSQL",
        ),
    ],
)
@pytest.mark.spec("C-05")
def test_the_documents_examples(opening: Opening, said: str, prompt: str, injected: str) -> None:
    """What a user said earlier is injected later, as in the document's examples."""
    memory = opening(profile="titans")
    memory.observe(said)
    assert injected in memory.context(prompt).text


# cognitive: document 004


def hot_ids(block: Any) -> list[str]:
    """The memories of the hot tier, in the block's order."""
    return [line.memory_id for line in block.receipt.lines if line.layer == "hot"]


def semantic(memory: Memory, clock: Ticks, text: str, **grown: Any) -> Row:
    """A memory as a long life would have made it: semantic unless said otherwise, used now. It
    comes in as a backup of one's own does."""
    with opened(f"{memory.path}.{len(text)}.seed", Ticks(clock.now)) as seed:
        row = kept(seed.remember(text))
        seed.export(f"{memory.path}.jsonl")
    file = Path(f"{memory.path}.jsonl")
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    row = replace(row, id=f"{uuid5(NAMESPACE_OID, text)}")
    told = {"id": row.id, "tier": "semantic", "last_accessed_at": clock.now, **grown}
    whole = [{**line, **told} if line.get("record") == "memory" else line for line in lines[:2]]
    file.write_text("".join(f"{json.dumps(line)}\n" for line in whole))
    Path(f"{memory.path}.{len(text)}.seed").unlink()
    memory.import_(file, trusted=True)
    return memory.get(row.id, touch=False)


@pytest.fixture
def cognitive(opening: Opening) -> Memory:
    """An empty memory of cognitive, with its table."""
    return opening(profile="cognitive", embedder="static")


@pytest.mark.spec("D-30")
def test_the_hot_tier_is_always_injected(cognitive: Memory, clock: Ticks) -> None:
    """Semantic, utility >= .8 and 10 accesses: whatever the prompt says, in full."""
    hot = semantic(cognitive, clock, "The API listens on port 3000", utility=0.8, access_count=10)
    semantic(cognitive, clock, "The bakery opens at dawn on Sundays", utility=0.79, access_count=10)
    semantic(cognitive, clock, "The ferry leaves at noon from Lisbon", utility=0.8, access_count=9)
    told = {"utility": 0.9, "access_count": 50, "tier": "episodic"}
    semantic(cognitive, clock, "Herons nest near the old lake", **told)
    for prompt in (OFF_TOPIC, "hi"):
        block = cognitive.context(prompt)
        assert hot_ids(block) == [hot.id]
        assert block.receipt.lines[0].style == "full"
    assert ids(cognitive.context("hi")) == [hot.id]


@pytest.mark.spec("P-10")
@pytest.mark.parametrize("origin", ["agent", "tool", "web", "import", "federation"])
def test_nobody_but_the_user_is_hot(cognitive: Memory, clock: Ticks, origin: str) -> None:
    """However useful and often used: what came from anyone else is not always injected."""
    told = {"utility": 1.0, "access_count": 99, "origin": origin}
    semantic(cognitive, clock, "The API listens on port 3000", **told)
    assert hot_ids(cognitive.context(OFF_TOPIC)) == []


@pytest.mark.long
@pytest.mark.spec("D-30")
def test_the_hot_tier_has_fifteen_by_utility(cognitive: Memory, clock: Ticks) -> None:
    """At most 15, the most useful first."""
    rows = [
        semantic(
            cognitive, clock, f"Service {name} runs in region {name}", utility=use, access_count=12
        )
        for name, use in ((f"N{number}", 0.81 + number / 100) for number in range(18))
    ]
    block = cognitive.context(OFF_TOPIC, budget=5_000)
    assert hot_ids(block) == [row.id for row in rows[:2:-1]]


@pytest.mark.spec("D-30")
def test_the_hot_tier_stands_for_five_minutes(opening: Opening, clock: Ticks) -> None:
    """What becomes hot is in it when the choice is 5 minutes old; what is superseded or forgotten
    leaves at once."""
    memory = opening(profile="cognitive", embedder="static")
    first = semantic(memory, clock, "The API listens on port 3000", utility=0.9, access_count=10)
    assert hot_ids(memory.context(OFF_TOPIC)) == [first.id]
    second = semantic(memory, clock, "Herons nest near the old lake", utility=0.95, access_count=10)
    clock.now += 4 * MINUTE
    assert hot_ids(memory.context(OFF_TOPIC)) == [first.id]
    clock.now += MINUTE
    assert hot_ids(memory.context(OFF_TOPIC)) == [second.id, first.id]
    memory.forget(second.id)
    assert hot_ids(memory.context(OFF_TOPIC)) == [first.id]


@pytest.mark.spec("D-30")
def test_hot_is_what_was_used_of_late(opening: Opening, clock: Ticks) -> None:
    """Less than 30 days since the last access; switchable to the age, as the document says."""
    clocks = {"accessed": [True, True], "created": [True, False]}
    for name, expected in clocks.items():
        overrides = {"hot": {"clock": name, "cache_minutes": 0.0}}
        memory = opening(name, profile="cognitive", embedder="none", overrides=overrides)
        row = semantic(memory, clock, "The API listens on port 3000", utility=0.9, access_count=10)
        seen = []
        for _ in range(2):
            clock.pass_days(20)
            seen.append(hot_ids(memory.context(OFF_TOPIC)) == [row.id])
        assert seen == expected
        clock.pass_days(30)
        assert hot_ids(memory.context(OFF_TOPIC)) == []


@pytest.mark.spec("D-30")
def test_the_hot_tier_keeps_the_budget(cognitive: Memory, clock: Ticks) -> None:
    """Always injected means: as long as it fits."""
    for number in range(4):
        semantic(
            cognitive, clock, f"Service {number} " + "runs " * 40, utility=0.9, access_count=10
        )
    block = cognitive.context(OFF_TOPIC, budget=120)
    assert 0 < len(block.hits) < 4
    assert block.tokens <= 120


@pytest.mark.spec("D-27")
def test_confidence_decides_the_style(opening: Opening, clock: Ticks) -> None:
    """From .7 whole with what is told about it, from .4 abbreviated without, below not at all,
    and the receipt logs it as a low-confidence hit."""
    found: dict[str, list[tuple[str, float]]] = {"full": [], "abbreviated": [], "skipped": []}
    memory = opening(profile="cognitive", embedder="static")
    for text in (
        "The API listens on port 3000", "The API key of staging is kept in the vault",
        "Bread is baked at dawn by Marcus", "The port of Lisbon is old",
    ):  # fmt: skip
        memory.remember(text)
    clock.pass_days(1)
    for prompt in ("The API listens on port 3000?", "which port?", "which key is in the vault?"):
        block = memory.context(prompt)
        for line, hit in zip(block.receipt.lines, block.hits, strict=True):
            found[line.style].append((block.text, hit.score))
            whole = f"- [{hit.memory.kind.value}, 2026-05-01] {hit.memory.content}"
            assert (whole in block.text) is (line.style == "full")
            assert (f"- {hit.memory.content}" in block.text) is (line.style == "abbreviated")
        low = [one for one in block.receipt.skipped if one.stage == "confidence"]
        found["skipped"] += [
            (one.detail, float(re.findall(r"\d\.\d+", one.detail)[0])) for one in low
        ]
    assert all(found.values())
    assert min(score for _, score in found["full"]) >= 0.7
    assert all(0.4 <= score < 0.7 for _, score in found["abbreviated"])
    assert max(score for _, score in found["skipped"]) < 0.4


@pytest.mark.spec("D-27")
def test_the_styles_end_where_the_document_says(opening: Opening) -> None:
    """.7 and .4 themselves belong to the better style; a hair below them does not."""
    overrides = {
        "score": {"weights": {"importance": 1.0}},
        "boost": {"utility": {"factual": 0.0, "general": 0.0}},
        "judge": {"supersede": False},
    }
    memory = opening(profile="cognitive", overrides=overrides)
    expected = {0.71: "full", 0.7: "full", 0.695: "abbreviated", 0.4: "abbreviated", 0.395: ""}
    styles: dict[str, str] = {}
    for (importance, style), tree in zip(expected.items(), TREES, strict=False):
        text = f"The {tree} people carve whistles of {tree}"
        styles[kept(memory.remember(text, importance=importance)).id] = style
    block = memory.context("which people carve whistles?")
    found = {line.memory_id: line.style for line in block.receipt.lines}
    assert found == {name: style for name, style in styles.items() if style}
    low = [one.memory_id for one in block.receipt.skipped if one.stage == "confidence"]
    assert low == [name for name, style in styles.items() if not style]


@pytest.mark.spec("D-27")
def test_what_answers_nothing_is_no_sure_hit(opening: Opening, clock: Ticks) -> None:
    """However fresh it is and however often it was used, which alone score .4 and more: it is
    skipped as a low-confidence hit, and what answers the prompt comes alone."""
    memory = opening(profile="cognitive", embedder="static")
    places = ("kettle", "ferry", "lighthouse", "bakery", "museum", "orchard", "harbour", "castle")
    rows = [
        kept(memory.remember(f"The {place} of town {number} has {3 * number + 2} doors"))
        for number, place in enumerate(places)
    ]
    for row in rows:
        for _ in range(20):
            memory.get(row.id)
    clock.pass_days(1)
    block = memory.context("Explain the French revolution")
    low = [one for one in block.receipt.skipped if one.stage == "confidence"]
    assert block.text == ""
    assert {one.memory_id for one in low} == {row.id for row in rows}
    assert min(hit.score for hit in memory.recall("Explain the French revolution")) >= 0.4
    found = texts(memory.context("How many doors does the lighthouse have?").hits)
    assert "The lighthouse of town 2 has 8 doors" in found


@pytest.mark.spec("D-27")
def test_an_exact_match_of_yesterday_is_sure(cognitive: Memory, clock: Ticks) -> None:
    """Confidence is the composite by what the query can attain: .7 can be reached."""
    for text in ("The API listens on port 3000", "Bread is baked at dawn by Marcus"):
        cognitive.remember(text)
    clock.pass_days(1)
    block = cognitive.context("The API listens on port 3000")
    assert texts(block.hits)[0] == "The API listens on port 3000"
    assert block.receipt.lines[0].style == "full"


# default


def test_default_is_precise(opening: Opening) -> None:
    """One clear answer comes alone, with the policy that always holds."""
    memory = opening(embedder="static")
    memory.remember("Always answer in metric units", kind="policy")
    for text in ("The API listens on port 3000", "Bread is baked at dawn", "Ada lives in Porto"):
        memory.remember(text)
    block = memory.context("which port does the API use?")
    assert texts(block.hits) == ["Always answer in metric units", "The API listens on port 3000"]
    assert block.receipt.budget == 1_000
