"""Receipts: what was injected, why and at what cost, kept per turn; and why something was not."""

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from tests.engine.conftest import Filling, Opening
from tests.engine.making import DAY, Ticks, kept
from tests.raw import raw

from engraphy import Memory
from engraphy.errors import InvalidInputError
from engraphy.model import Receipt
from engraphy.operations import operation
from engraphy.plain import plain
from engraphy.text.tokens import TOKENIZER

PROMPT = "Which herons nest near the lake of the village?"
APART: dict[str, object] = {"judge": {"supersede": False}}
"""Statements that differ in one word stay beside each other."""
FEW = {"score": {"min_share_of_best": 0.0, "min_confidence": 0.0}, **APART}


def _herons(memory: Memory) -> None:
    memory.remember("Always whisper near herons", kind="policy")
    for number in range(3):
        memory.remember(f"Herons nest near the lake of the village, place {number}")


@pytest.fixture
def lake(filling: Filling) -> Memory:
    """A memory with a policy and what is known about herons."""
    return filling(_herons, overrides=APART)


def last(memory: Memory, **scope: str) -> Receipt:
    """The newest receipt."""
    return memory.receipts(limit=1, **scope)[0]


def test_every_turn_leaves_a_receipt(lake: Memory, clock: Ticks) -> None:
    """What was injected with its layer, style, tokens, score and signals; when, in which format,
    by which tokenizer, within which budget; what the memories say."""
    block = lake.context(PROMPT, budget=500, conversation="c")
    receipt = last(lake)
    assert receipt.id == block.receipt.id
    assert 0 <= clock.now - receipt.at < 60_000_000
    assert (receipt.budget, receipt.tokens) == (500, block.tokens)
    assert (receipt.tokenizer, receipt.format) == (TOKENIZER, "memory-context")
    assert receipt.session == "c"
    assert [line.memory_id for line in receipt.lines] == [hit.memory.id for hit in block.hits]
    assert [line.content for line in receipt.lines] == [hit.memory.content for hit in block.hits]
    for line, hit in zip(receipt.lines, block.hits, strict=True):
        assert (line.score, line.confidence, line.why) == (hit.score, hit.confidence, hit.why)
        assert line.why
        assert line.tokens > 0
    assert {line.layer for line in receipt.lines} == {"standing", "relevant"}
    assert {line.style for line in receipt.lines} <= {"full", "abbreviated"}


def test_they_come_newest_first_and_by_session(lake: Memory) -> None:
    """Each turn is one, also one that injects nothing; a session's own can be asked for."""
    made = [
        lake.context(PROMPT, conversation="one").receipt.id,
        lake.context(PROMPT, conversation="two").receipt.id,
        lake.context("thanks!", conversation="one").receipt.id,
    ]
    assert [one.id for one in lake.receipts()] == made[::-1]
    assert [one.id for one in lake.receipts(limit=2)] == made[:0:-1]
    assert [one.id for one in lake.receipts(session="one")] == [made[2], made[0]]
    (empty, *_) = lake.receipts()
    assert (empty.tokens, empty.lines) == (0, ())
    assert [one.stage for one in empty.skipped] == ["gate"]


@pytest.mark.long
def test_what_was_left_out_is_told(opening: Opening) -> None:
    """Each with its stage and reason; of very many the first, and how many more there were."""
    memory = opening(overrides={**FEW, "inject": {"depth": 200, "abbreviated_from": 0.0}})
    for number in range(60):
        memory.remember(f"Herons nest near the lake of the village, place {number}")
    memory.context(PROMPT, budget=100)
    receipt = last(memory)
    assert {one.stage for one in receipt.skipped} == {"budget"}
    assert all(one.memory_id and "100" in one.detail for one in receipt.skipped)
    assert len(receipt.skipped) == 20
    assert len(receipt.lines) + 20 + receipt.more == 60


def test_so_many_are_kept(opening: Opening) -> None:
    """The newest push out the oldest; with 0 none is kept."""
    memory = opening(overrides={"inject": {"receipts": 3}})
    memory.remember("Herons nest near the lake of the village")
    made = [memory.context(PROMPT).receipt.id for _ in range(7)]
    assert [one.id for one in memory.receipts()] == made[:3:-1]
    none = opening("b", overrides={"inject": {"receipts": 0}})
    none.context(PROMPT)
    assert none.receipts() == []


def test_they_end(lake: Memory, clock: Ticks) -> None:
    """After the days that session state is kept a receipt is gone."""
    lake.context(PROMPT)
    clock.pass_days(29)
    assert len(lake.receipts()) == 1
    clock.pass_days(2)
    assert lake.receipts() == []


def test_no_word_of_the_prompt_is_kept(opening: Opening, tmp_path: Path) -> None:
    """A prompt is no memory: of what nobody asked to remember no byte reaches the file."""
    memory = opening()
    memory.remember("Herons nest near the lake of the village")
    assert memory.context("near the lake, is there a quetzalcoatlus?", conversation="c").hits
    assert last(memory).query == ""
    memory.close()
    for file in tmp_path.iterdir():
        assert b"quetzalcoatlus" not in file.read_bytes().lower()


@pytest.mark.spec("P-16")
def test_a_receipt_goes_with_what_is_forgotten(lake: Memory) -> None:
    """No receipt names a memory that was forgotten; the others stay."""
    first = lake.context(PROMPT)
    lake.context("whisper near what?")
    lake.forget(first.hits[-1].memory.id)
    left = lake.receipts()
    assert len(left) == 1
    assert first.hits[-1].memory.id not in json.dumps(plain(left))


@pytest.mark.spec("P-08")
def test_receipts_stay_behind_their_walls(opening: Opening) -> None:
    """A user, an agent and a project see the receipts of exactly their own calls."""
    memory = opening()
    memory.remember("Herons nest near the lake of the village")
    scopes: list[dict[str, str]] = [
        {}, {"user": "ada"}, {"user": "bob"}, {"user": "ada", "agent": "x"}, {"project": "p"},
    ]  # fmt: skip
    made = [memory.context(PROMPT, **scope).receipt.id for scope in scopes]  # type: ignore[arg-type]
    seen = [[one.id for one in memory.receipts(**scope)] for scope in scopes]  # type: ignore[arg-type]
    assert seen == [[one] for one in made]


@pytest.mark.spec("R-05")
def test_what_is_too_sensitive_is_not_told(opening: Opening) -> None:
    """Who may not see a memory is told neither its text nor its id, injected or left out."""
    memory = opening()
    row = kept(memory.remember("Herons nest near the secret lake", sensitivity="secret"))
    assert memory.context(PROMPT, allow_secret=True).hits
    memory.context(PROMPT, allow_secret=True, recent=[row.content])
    assert row.id not in json.dumps(plain(memory.receipts()))
    whole = memory.receipts(allow_secret=True)
    assert [len(one.lines) for one in whole] == [0, 1]
    assert whole[1].lines[0].content == row.content


def test_a_reader_keeps_none(opening: Opening, tmp_path: Path) -> None:
    """A full disk or a locked file takes the receipt, never the block."""
    memory = opening()
    memory.remember("Herons nest near the lake of the village")
    other = opening()
    blocks = [one.context(PROMPT).text for one in (memory, other, memory)]
    assert len(set(blocks)) == 1
    assert len(other.receipts()) == 3


@pytest.mark.parametrize("limit", [0, -1, 10_001, True, "3"])
def test_a_bad_limit_is_refused(memory: Memory, limit: object) -> None:
    """A whole number from 1 to 10,000."""
    with pytest.raises(InvalidInputError, match="limit"):
        memory.receipts(limit=limit)  # type: ignore[arg-type]


def test_the_operation_says_the_same(lake: Memory) -> None:
    """What doors render is what the verb gives, with moments as text."""
    operation("context").run(lake, {"prompt": PROMPT, "format": "json", "conversation": "c"})
    (row,) = plain(operation("receipts").run(lake, {"limit": 5, "session": "c"}))
    assert row["format"] == "json"
    assert row["at"].startswith("2026-05-01T12:")
    chat = '[{"role": "user", "content": "near what do herons nest?"}]'
    made = operation("inject").run(lake, {"messages": chat, "format": "assistant_preamble"})
    assert [one["role"] for one in plain(made)["messages"]] == ["assistant", "user"]
    with pytest.raises(InvalidInputError, match="messages"):
        operation("inject").run(lake, {"messages": "[{"})


# why something was not injected


def stage(memory: Memory, id: str, prompt: str = PROMPT, **more: object) -> str:
    """The stage that dropped a memory from a block."""
    found = memory.explain_context(prompt, missing=id, **more).missing  # type: ignore[arg-type]
    assert found is not None
    assert found.detail
    return found.stage


@pytest.mark.long
def test_each_stage_of_an_injection_is_named(opening: Opening) -> None:
    """Gate, walls, search, cut-off, confidence, quota, budget, last messages, conversation."""
    memory = opening(overrides={**FEW, "inject": {"depth": 40, "full_from": 0.0}})
    rows = [
        kept(memory.remember(f"Herons nest near the lake of the village, place {number}"))
        for number in range(20)
    ]
    block = memory.context(PROMPT, conversation="c", budget=5_000)
    injected, beyond = block.hits[0].memory, block.receipt.skipped[-1].memory_id
    assert stage(memory, injected.id) == "delivered"
    assert stage(memory, beyond) == "quota"
    assert stage(memory, injected.id, conversation="c") == "given"
    assert stage(memory, injected.id, recent=[injected.content]) == "recent"
    assert stage(memory, injected.id, prompt="thanks!") == "gate"
    assert stage(memory, rows[0].id, budget=5) == "budget"
    bread = kept(memory.remember("Bread is baked at dawn"))
    assert stage(memory, bread.id) == "search"
    assert stage(memory, "0" * 26) == "scope"
    hidden = kept(memory.remember("Herons nest in secret", sensitivity="secret"))
    assert stage(memory, hidden.id) == "scope"
    assert stage(memory, hidden.id, allow_secret=True) in {"delivered", "quota"}


def test_low_confidence_and_the_cut_off_are_named(opening: Opening) -> None:
    """A hit that is not sure enough fell at its confidence, one that the cut-off drops there."""
    loose = opening("a", overrides={**FEW, "inject": {"abbreviated_from": 0.9, "full_from": 1.0}})
    strict = opening("b", overrides={"score": {"min_score": 0.99}})
    for memory, expected in ((loose, "confidence"), (strict, "cut-off")):
        row = kept(memory.remember("Herons nest in trees and reeds of the far north"))
        assert stage(memory, row.id) == expected


def test_the_layers_filters_are_named(opening: Opening) -> None:
    """What no layer takes fell at the layer; what is too weak for one at its threshold."""
    layer = {
        "name": "only", "source": "relevant", "kinds": [], "min_priority": "critical", "quota": 3,
        "scales": {}, "score": "contextual", "min_score": 3.0, "order": "score",
        "shown": "oldest", "repeats": False,
    }  # fmt: skip
    memory = opening(overrides={**FEW, "inject": {"layers": [layer]}})
    low = kept(memory.remember("Herons nest near the lake"))
    weak = kept(memory.remember("Herons nest near the old lake", kind="policy"))
    assert stage(memory, low.id) == "layer"
    assert stage(memory, weak.id) == "threshold"


def test_explaining_counts_and_keeps_nothing(lake: Memory) -> None:
    """The same block as `context` gives, and not a byte of it is written."""
    explained = lake.explain_context(PROMPT, conversation="c")
    assert lake.receipts() == []
    assert {row.access_count for row in lake.list()} == {0}
    block = lake.context(PROMPT, conversation="c")
    assert [hit.memory.id for hit in explained.hits] == [hit.memory.id for hit in block.hits]
    steps = {step.stage: step.detail for step in explained.steps}
    assert {"search", "cut-off", "standing", "relevant", "budget"} <= steps.keys()
    assert steps["budget"].startswith(f"{block.tokens} of 1000 tokens")


def test_a_late_reader_finds_what_was_told(opening: Opening, clock: Ticks) -> None:
    """A receipt tells the text as it reads today; of what was superseded since, too."""
    memory = opening()
    old = kept(memory.remember("I live in Berlin", user="u"))
    memory.context("where do I live?", user="u")
    clock.now += DAY
    memory.remember("I moved to Porto", user="u")
    assert [line.content for line in last(memory, user="u").lines] == [old.content]


@pytest.mark.long
def test_of_turns_at_once_none_is_lost(opening: Opening) -> None:
    """Four that inject at the same moment leave a receipt for each turn, and every delivery is
    counted."""
    opening().remember("Herons nest near the lake of the village")
    memories = [opening() for _ in range(4)]
    with ThreadPoolExecutor(4) as threads:
        made = threads.map(
            lambda one: [one.context(PROMPT).receipt.id for _ in range(10)], memories
        )
        turns = {one for ids in made for one in ids}
    assert {one.id for one in memories[0].receipts(limit=100)} == turns
    assert [row.access_count for row in memories[0].list()] == [40]


@pytest.mark.long
def test_a_receipt_of_a_full_block_fits_a_page(opening: Opening, tmp_path: Path) -> None:
    """What is kept of a turn names every memory and reason, and takes less than 4 kB."""
    memory = opening(overrides={**FEW, "inject": {"depth": 30}})
    for number in range(40):
        memory.remember(f"Herons nest near the lake of the village, place {number}")
    block = memory.context(PROMPT)
    assert len(block.receipt.lines) == 12
    assert len(block.receipt.skipped) >= 15
    found = last(memory)
    assert found.skipped == block.receipt.skipped
    assert [one.why for one in found.lines] == [one.why for one in block.receipt.lines]
    assert len(_kept_value(tmp_path)) < 4_000


def test_receipts_of_an_earlier_version_are_still_told(lake: Memory, tmp_path: Path) -> None:
    """Receipts were kept field by field once: those read as ever."""
    block = lake.context(PROMPT, conversation="c")
    told = last(lake)
    before = msgspec.json.encode(replace(block.receipt, query="")).decode()
    with closing(raw(next(tmp_path.glob("*.db")))) as connection:
        changed = "UPDATE session_state SET value = ? WHERE name = 'receipt.1'"
        connection.execute(changed, (before,))
        assert connection.changes() == 1
    assert last(lake) == told


def _kept_value(folder: Path) -> str:
    with closing(raw(next(folder.glob("*.db")))) as connection:
        wanted = "SELECT value FROM session_state WHERE name = 'receipt.1'"
        return str(connection.execute(wanted).fetchone()[0])
