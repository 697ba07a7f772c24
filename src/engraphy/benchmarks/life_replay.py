"""One story lived twice: in a memory that dreams, and in its twin, which never does."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from engraphy.benchmarks import metrics
from engraphy.benchmarks.cases import Question, Turn
from engraphy.benchmarks.life_course import Asking, Event, course
from engraphy.benchmarks.life_stale import Watch
from engraphy.benchmarks.life_stories import Story
from engraphy.benchmarks.precision_store import Replay
from engraphy.benchmarks.run import DEPTH, Opening
from engraphy.memory import Memory
from engraphy.model import Hit
from engraphy.model import Memory as Row
from engraphy.text.coverage import tokens

USER = "u"
_ALL = ("dormant", "archived", "superseded", "expired", "quarantined")
_MOST = 10_000
_TOLD = 0.8
"""Share of a source's words that a memory made of it must hold to stand for it."""
KS = (5, 10)


@dataclass(slots=True, kw_only=True)
class Life:
    """One memory through its year; `held`: the turns that each of its memories was made of."""

    memory: Memory
    clock: Replay
    held: dict[str, list[Turn]] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    nights: list[dict[str, float]] = field(default_factory=list)

    def tell(self, turn: Turn) -> None:
        """Observe a turn at its own moment."""
        message: dict[str, object] = {"role": turn.role, "content": turn.content}
        if turn.speaker is not None:
            message["name"] = turn.speaker
        outcomes = self.memory.observe([message], user=USER, session=turn.session, at=turn.at)
        for outcome in outcomes:
            if outcome.memory is not None:
                self.held.setdefault(outcome.memory.id, []).append(turn)
                self.texts[outcome.memory.id] = outcome.memory.content

    def ask(self, question: Question, *, touch: bool) -> list[str]:
        """The sources that came back, best first."""
        hits = self.memory.recall(question.text, user=USER, limit=DEPTH, touch=False)
        if touch:
            self.memory.recall(question.text, user=USER)
        return list(dict.fromkeys(one for hit in hits for one in self._sources(hit)))

    def _sources(self, hit: Hit) -> Iterator[str]:
        if (turns := self.held.get(hit.memory.id)) is not None:
            yield from (turn.source for turn in turns)
            return
        told = set(tokens(hit.memory.content))
        for source in hit.memory.source_ids:
            words = set(tokens(self.texts.get(source, "")))
            if words and len(words & told) >= _TOLD * len(words):
                yield from (turn.source for turn in self.held[source])

    def night(self) -> None:
        """Dream, and count what it cost."""
        before, started = self.memory.stats(user=USER), time.process_time()
        report = self.memory.dream()
        spent = time.process_time() - started
        after = self.memory.stats(user=USER)
        self.nights.append(
            {
                "cpu_s": spent,
                "changed": float(report.changed),
                "lines": float(after.journal_entries - before.journal_entries),
                **{f"step {step.name}": float(step.changed) for step in report.steps},
            }
        )

    def rows(self) -> list[Row]:
        """Every memory, in whatever state."""
        return self.memory.list(user=USER, include=_ALL, limit=_MOST)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lived:
    """What one story left: a row for each question asked, the memories of both, the nights."""

    story: Story
    asked: list[dict[str, Any]]
    rows: list[Row]
    twin: list[Row]
    nights: list[dict[str, float]]
    stale: list[dict[str, Any]]
    ended_at: int
    embedder: str
    cpu_s: float = 0.0
    bytes: int = 0
    twin_bytes: int = 0


def replayed(story: Story, opening: Opening, every: int) -> Lived:
    """The story, told, asked and dreamt through its year."""
    started = time.process_time()
    asking, watch = Asking(story), Watch(story)
    asked: list[dict[str, Any]] = []
    with TemporaryDirectory() as folder:
        files = Path(folder) / "dream.db", Path(folder) / "twin.db"
        with _life(files[0], opening) as life, _life(files[1], opening) as twin:
            for event in course(story.case.turns, every):
                at = life.clock.at = twin.clock.at = event.at
                asked += _lived(event, life, twin, asking, watch)
            found = Lived(
                story=story,
                asked=[{**row, "corpus": story.corpus, "case": story.case.id} for row in asked],
                rows=life.rows(),
                twin=twin.rows(),
                nights=life.nights,
                stale=watch.told_of(life.memory, USER),
                ended_at=at,
                embedder=life.memory.embedder_id,
            )
        sizes = [file.stat().st_size for file in files]
    spent = time.process_time() - started
    return replace(found, cpu_s=spent, bytes=sizes[0], twin_bytes=sizes[1])


def _lived(
    event: Event, life: Life, twin: Life, asking: Asking, watch: Watch
) -> Iterator[dict[str, Any]]:
    """What one event does to both; a row for each question it asks."""
    if event.turn is not None:
        asking.tell(event.turn)
        for one in (life, twin):
            one.tell(event.turn)
        watch.told(event.turn, life.held)
    elif event.what == "night":
        life.night()
    elif event.what == "month":
        watch.look(life.memory, USER)
        yield from _both(life, twin, asking.month(), "along the way", asking)
    else:
        yield from _both(life, twin, asking.every, "at the end", asking)


@contextmanager
def _life(file: Path, opening: Opening) -> Iterator[Life]:
    clock = Replay()
    with Memory(
        file,
        profile=opening.profile,
        embedder=opening.embedder,
        clock=clock,
        overrides=opening.overrides,
    ) as memory:
        yield Life(memory=memory, clock=clock)


def _both(
    life: Life, twin: Life, questions: Sequence[Question], when: str, asking: Asking
) -> Iterator[dict[str, Any]]:
    """A row for each question; those asked along the way count as deliveries, as a user's do."""
    touch = when != "at the end"
    for question in questions:
        row: dict[str, Any] = {
            "id": question.id,
            "category": question.category,
            "when": when,
            "fresh": touch or question.id not in asking.asked,
        }
        for name, one in (("dream", life), ("twin", twin)):
            found = one.ask(question, touch=touch)
            row[f"{name}.mrr"] = metrics.reciprocal(found, question.gold)
            for k in KS:
                row[f"{name}.rec@{k}"] = metrics.recall(found, question.gold, k)
        yield row
