"""R-02 and the border: any text is a legal query and legal content."""

import random
import time
from collections import Counter
from collections.abc import Callable

from engraphy.errors import ContentTooLongError, EmptyContentError
from engraphy.memory import Memory
from engraphy.model.query import Term
from engraphy.testing import ToyEmbedder
from engraphy_prove.builds import opening
from engraphy_prove.hostile import texts
from engraphy_prove.proof import Findings, Trial
from engraphy_prove.workload import EVERYTHING

SLOWEST = 1.0
"""Seconds for any one call; texts of 1 MB are refused or cut, not waited for."""
DOCUMENTED = (EmptyContentError, ContentTooLongError)


def text(trial: Trial) -> Findings:
    """Write `rounds` hostile texts, and ask with each of them."""
    chance = random.Random(trial.seed)
    findings, answers = Findings(), Counter[str]()
    slowest = 0.0
    with opening(trial.build):
        memory = Memory(trial.folder / "memories.db", embedder=ToyEmbedder(), tenant="prove")
    try:
        for number, given in enumerate(texts(chance, trial.rounds)):
            for name, call in _calls(memory, given).items():
                took, answer = _tried(call)
                slowest = max(slowest, took)
                answers[f"{name} {answer}"] += 1
                if answer.startswith("!"):
                    findings.breach(f"{name} of text {number} ({given[:40]!a}): {answer}")
                elif took > SLOWEST:
                    findings.breach(f"{name} of text {number} ({given[:40]!a}) took {took:.1f} s")
            if number % 1000 == 999:
                trial.tell(f"  {number + 1} texts")
        _examine(memory, findings)
    finally:
        memory.close()
    findings.tried = trial.rounds
    told = ", ".join(f"{count} {answer}" for answer, count in sorted(answers.items()))
    findings.figure = f"{trial.rounds} texts: {told}; slowest call {slowest * 1000:.0f} ms"
    return findings


def _calls(memory: Memory, given: str) -> dict[str, Callable[[], object]]:
    store, term = memory._engine.store, Term(term=given[:1000], surface=given[:1000])  # noqa: SLF001
    return {
        "remember": lambda: _kept(memory, given),
        "recall": lambda: memory.recall(given, limit=3),
        "raw term": lambda: store.search_text(EVERYTHING, [term], 3),
    }


def _kept(memory: Memory, given: str) -> None:
    """Remember, and read it back: what cannot be stored was replaced, nothing else changed."""
    outcome = memory.remember(given)
    if outcome.memory is not None and outcome.action == "created":
        (found,) = [memory.get(outcome.memory.id)]
        assert found.content == outcome.memory.content, "it comes back changed"
        found.content.encode("utf-8")
        assert "\x00" not in found.content, "a NUL is stored"


def _tried(call: Callable[[], object]) -> tuple[float, str]:
    started = time.perf_counter()
    try:
        call()
        answer = "done"
    except DOCUMENTED as error:
        answer = type(error).__name__
    except Exception as error:  # noqa: BLE001 - whatever else escapes is the finding
        answer = f"! {type(error).__name__}: {str(error)[:200]}"
    return time.perf_counter() - started, answer


def _examine(memory: Memory, findings: Findings) -> None:
    for check in memory._engine.store.check(deep=True):  # noqa: SLF001
        if not check.ok:
            findings.breach(f"check {check.name}: {check.detail}")
