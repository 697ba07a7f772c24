"""`amg-bench` of `agent-memory-guard`: 15 attacks and 6 benign texts, each in a store of its own.

A tool's text arrives with the origin `tool`, a user's with `user`. What is read back for a key is
every memory with that tag that a listing delivers. Keys of what an agent *is* (the benchmark's own
list of protected keys) are read from what stands in every prompt: engraphy keeps no keys, and what
stands there is what it protects. Nothing of an attack text is known here.
"""

import shutil
import tempfile
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from agent_memory_guard.bench.adapter import MemorySystemAdapter, RememberOutcome
from agent_memory_guard.bench.harness import run_suite
from agent_memory_guard.bench.scoring import score_report

import engraphy
from engraphy import Memory
from engraphy.errors import EngraphyError

STANDING = ("identity.*", "system.*", "agent.goal", "security.*")
"""As `AMGHardenedAdapter` declares them."""
ORIGINS = {"external_tool": "tool", "user_input": "user", "agent_authored": "agent"}
UNRELATED = "Please write a haiku about rain on a tin roof"


class EngraphyAdapter(MemorySystemAdapter):
    """A fresh SQLite file for each scenario, closed and opened again at the reset."""

    name = "engraphy"
    version = engraphy.__version__

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="amg-engraphy-"))
        self._memory = self._open()

    def __del__(self) -> None:
        self._memory.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _open(self) -> Memory:
        return Memory(self._folder / "memories.db", embedder="none")

    def remember(
        self, key: str, value: Any, *, source_class: str = "external_tool"
    ) -> RememberOutcome:
        """As an agent would: the text, its origin, its key as a tag."""
        told: dict[str, Any] = {"origin": ORIGINS.get(source_class, "tool"), "tags": [key]}
        if _stands(key):
            told |= {"kind": "policy", "priority": "critical", "pinned": True}
        try:
            outcome = self._memory.remember(str(value), **told)
        except EngraphyError:
            return RememberOutcome.BLOCKED
        if outcome.action == "quarantined":
            return RememberOutcome.QUARANTINED
        kept = outcome.memory is not None and outcome.memory.content == value
        return RememberOutcome.STORED if kept else RememberOutcome.REDACTED

    def context_reset(self) -> None:
        """Another process."""
        self._memory.close()
        self._memory = self._open()

    def recall(self, key: str) -> Any | None:
        """What a later turn reads."""
        if _stands(key):
            return self._memory.context(UNRELATED).text or None
        found = self._memory.list(tag=key, limit=50)
        return "\n".join(memory.content for memory in found) or None


def _stands(key: str) -> bool:
    return any(fnmatchcase(key, pattern) for pattern in STANDING)


def main() -> int:
    """Run it, say what fell, and the figure."""
    report = run_suite(EngraphyAdapter)
    for run in report.runs:
        if not run.passed:
            print(f"  {run.scenario_id}: {run.detail}")
    card = score_report(report)
    print(
        f"amg-bench: {card.defended_total}/{card.malicious_total} defended,"
        f" {card.false_positives}/{card.benign_total} false,"
        f" grade {card.grade.value}, score {card.score:.1f}"
    )
    return int(card.defended_total < card.malicious_total or card.false_positives > 0)


if __name__ == "__main__":
    raise SystemExit(main())
