"""`engraphy demo`: a conversation of 289 days goes in, questions come out, on this machine."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from engraphy.cli.session import failing, json_option
from engraphy.errors import NameTakenError
from engraphy.examples import conversation, ground_truth, told
from engraphy.memory import Memory
from engraphy.model import Action, Hit, Outcome
from engraphy.text.analyser import query_terms

USER = "marcus"
NAMES = {"user": "Marcus", "assistant": "Assistant"}
_TOP = 5
_ENOUGH = 0.5


@click.command()
@click.option("--messages", type=click.IntRange(min=1), help="only this many messages")
@click.option("--keep", type=click.Path(dir_okay=False), help="keep the store in this new file")
@click.option("--no-embed", is_flag=True, help="search by words only, without an embedder")
@json_option
@failing
def demo(messages: int | None, keep: str | None, no_embed: bool, as_json: bool) -> None:
    """Watch 289 days of an example conversation become memories, then ask about them."""
    if keep is not None and Path(keep).exists():
        raise NameTakenError(field="--keep", got=keep, allowed="a file that is not there yet")
    show = import_module("engraphy.cli.demo_show")
    stage = show.Quiet() if as_json else show.Stage()
    with TemporaryDirectory() as folder:
        file = Path(keep) if keep else Path(folder) / "demo.db"
        with Memory(file, embedder="none" if no_embed else None) as memory:
            play(memory, conversation()[:messages], stage)


def play(memory: Memory, messages: Sequence[dict[str, Any]], stage: Any) -> None:
    """The whole demonstration; `stage` shows each part as it happens."""
    stage.opening(memory, messages)
    counts = watch(memory, messages, stage)
    stage.counted(counts)
    stage.told(
        [
            memory.remember(one["content"], user=USER, at=one["at"], speaker="Marcus")
            for one in told()
        ]
    )
    stage.facts(memory.facts(user=USER, current=False, limit=200))
    answers = list(ask(memory))
    stage.answers(answers)
    stage.then_and_now(*_then_and_now(memory))
    block = memory.context("Plan a dinner for Marcus and Elena this weekend", user=USER, budget=300)
    stage.context(block)
    stage.closing(memory.stats(user=USER), answers)


def watch(memory: Memory, messages: Sequence[dict[str, Any]], stage: Any) -> Counter[str]:
    """Observe every message with its own date; count what became of it, by reason."""
    counts: Counter[str] = Counter()
    for message in messages:
        told = {
            "role": message["role"],
            "content": message["content"],
            "at": message["timestamp"],
            "name": NAMES[message["role"]],
        }
        outcomes = memory.observe([told], user=USER, session=message["session_id"])
        for outcome in outcomes:
            counts[label(outcome)] += 1
        stage.observed(message, outcomes)
    return counts


def label(outcome: Outcome) -> str:
    """What is counted: the action, and for a refusal its stage and kind."""
    if outcome.action is not Action.SKIPPED:
        return outcome.action.value
    return f"dropped: {re.split('[,(]', outcome.reason)[0].strip()}"


def ask(memory: Memory) -> Iterator[dict[str, Any]]:
    """The data set's questions, their hits, and which expected facts the hits hold."""
    for pair in ground_truth()["query_relevance_pairs"]:
        hits = memory.recall(pair["query"], user=USER, limit=_TOP, touch=False)
        expected = pair["expected_relevant_facts"]
        found = [fact for fact in expected if holds(hits, fact)]
        yield {"query": pair["query"], "hits": hits, "expected": expected, "found": found}


def holds(hits: Sequence[Hit], fact: str) -> bool:
    """Whether one of the hits holds at least half of the words of an expected fact."""
    words = {term.surface for term in query_terms(fact)}
    return any(
        len(words & {term.surface for term in query_terms(hit.memory.content, limit=400)})
        >= _ENOUGH * len(words)
        for hit in hits
    )


def _then_and_now(memory: Memory) -> tuple[str, list[tuple[str, list[Hit]]]]:
    question = "Where does Marcus live?"
    moments = (("1 June 2025", "2025-06-01"), ("1 November 2025", "2025-11-01"), ("now", None))
    return question, [
        (name, memory.recall(question, user=USER, limit=1, as_of=at, touch=False))
        for name, at in moments
    ]
