"""How the demonstration looks: 80 columns, one part after the other."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

import click
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.rule import Rule
from rich.table import Table

from engraphy.cli.show import console
from engraphy.memory import Memory
from engraphy.model import Action, Context, Fact, Hit, Outcome, StoreStats
from engraphy.providers.clock import stopwatch
from engraphy.text.moments import moment
from engraphy.text.snippet import snippet

_WIDTH = 76
_SAMPLES = {"created": 4, "reinforced": 3, "quarantined": 2}
_MOST_CHANGES = 12
_SHOWN_HITS = 2
_MARKS = {
    Action.CREATED: "[green]kept      [/]",
    Action.REINFORCED: "[blue]reinforced[/]",
    Action.SUPERSEDED: "[yellow]superseded[/]",
    Action.SKIPPED: "[dim]dropped   [/]",
    Action.QUARANTINED: "[red]quarantine[/]",
    Action.UPDATED: "[cyan]updated   [/]",
}


class Stage:
    """Shows each part of the demonstration on the terminal."""

    def __init__(self) -> None:
        self._started = stopwatch()
        self._shown: Counter[str] = Counter()
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=30),
            MofNCompleteColumn(),
            console=console,
            transient=True,
        )

    def opening(self, memory: Memory, messages: Sequence[dict[str, Any]]) -> None:
        """What goes in, and where it is kept."""
        first, last = messages[0]["timestamp"][:10], messages[-1]["timestamp"][:10]
        console.print(Rule("engraphy demo"))
        console.print(
            f"{len(messages):,} messages between Marcus and his assistant, {first} to {last}\n"
            "(an example, from the CRI benchmark). One SQLite file, no API key, no network,\n"
            f"embedder {memory.embedder_id}.\n"
        )
        console.print("[bold]1  Watching the conversation[/]")
        self._progress.start()
        self._task = self._progress.add_task("observing", total=len(messages))

    def observed(self, message: dict[str, Any], outcomes: Sequence[Outcome]) -> None:
        """A few of each kind as they happen, and every change of a fact."""
        self._progress.advance(self._task)
        for outcome in outcomes:
            # Of what is dropped one per reason, of all else the first few.
            skipped = outcome.action is Action.SKIPPED
            kind = outcome.reason if skipped else outcome.action.value
            if self._shown[kind] >= (1 if skipped else _SAMPLES.get(kind, _MOST_CHANGES)):
                continue
            self._shown[kind] += 1
            day = message["timestamp"][:10]
            self._progress.console.print(
                f"{_MARKS[outcome.action]} [dim]{day}[/] {escape(_cut(outcome.content, 54))}"
            )
            why = outcome.reason if outcome.action is not Action.CREATED else ""
            if why:
                self._progress.console.print(f"           [dim]{escape(_cut(why, 64))}[/]")

    def counted(self, counts: Counter[str]) -> None:
        """What became of all messages."""
        self._progress.stop()
        console.print("\n[bold]2  What was kept, what was dropped, and why[/]")
        table = Table.grid(padding=(0, 2))
        for name, count in counts.most_common():
            table.add_row(f"{count:>6}", escape(_cut(name, 60)))
        console.print(table)

    def told(self, outcomes: Sequence[Outcome]) -> None:
        """The persona's changes, told plainly: what each statement did."""
        console.print("\n[bold]3  His changes, told plainly: the new value supersedes the old[/]")
        for outcome in outcomes:
            day = _day(outcome.memory.valid_from) if outcome.memory else ""
            console.print(
                f"{_MARKS[outcome.action]} [dim]{day}[/] {escape(_cut(outcome.content, 54))}"
            )
            if outcome.action is Action.SUPERSEDED:
                console.print(f"           [dim]{escape(_cut(outcome.reason, 64))}[/]")

    def facts(self, facts: Sequence[Fact]) -> None:
        """Facts that changed, with when each value held."""
        console.print("\n[bold]   Facts that changed, with their history[/]")
        changed = {(f.subject, f.predicate) for f in facts if f.valid_until is not None}
        rows = sorted(
            (f for f in facts if (f.subject, f.predicate) in changed),
            key=lambda f: (f.subject, f.predicate, f.valid_from),
        )
        for fact in rows:
            until = f"until {_day(fact.valid_until)}" if fact.valid_until else "[green]now[/]"
            console.print(
                f"   {escape(fact.subject)} {escape(fact.predicate)} = "
                f"[cyan]{escape(_cut(fact.object, 36))}[/] [dim]{_day(fact.valid_from)}[/] {until}"
            )
        if not rows:
            console.print("   none so far")

    def answers(self, answers: Sequence[dict[str, Any]]) -> None:
        """Each question with its best memory and why it came first."""
        console.print("\n[bold]4  Questions, answered from memory (the best two of five shown)[/]")
        for one in answers:
            console.print(f"\n[bold]{escape(one['query'])}[/]")
            if not one["hits"]:
                console.print("   nothing remembered")
                continue
            for hit in one["hits"][:_SHOWN_HITS]:
                self._answer(hit, one["query"])
            mark = f"{len(one['found'])} of {len(one['expected'])}"
            held = "; ".join(one["found"]) or "none"
            line = _cut(f"expected facts in the five hits: {mark} ({held})", _WIDTH - 3)
            console.print(f"   [dim]{escape(line)}[/]")

    def _answer(self, hit: Hit, question: str) -> None:
        day = _day(hit.memory.valid_from)
        text = snippet(hit.memory.content, question, 56)
        console.print(f"   [green]{hit.score:.2f}[/] [dim]{day}[/] {escape(text)}")
        parts = sorted(hit.why.items(), key=lambda part: -part[1])
        named = [(name.removeprefix("relevance."), x) for name, x in parts if name != "relevance"]
        why = ", ".join(f"{name} {x:.2f}" for name, x in named if not name.endswith("own_words"))
        console.print(f"        [dim]{escape(_cut(why, _WIDTH - 8))}[/]")

    def then_and_now(self, question: str, moments: Sequence[tuple[str, Sequence[Hit]]]) -> None:
        """One question at three moments."""
        console.print(f"\n[bold]5  The same question at three moments[/]: {escape(question)}")
        for name, hits in moments:
            text = snippet(hits[0].memory.content, question, 58) if hits else "nothing known yet"
            console.print(f"   [cyan]{name:<16}[/]{escape(text)}")

    def context(self, block: Context) -> None:
        """The block an agent would get."""
        console.print(
            "\n[bold]6  What an agent is given[/] for: Plan a dinner for Marcus and Elena"
        )
        console.print(block.text or "(nothing worth injecting)", markup=False)
        console.print(f"[dim]{block.tokens} of {block.receipt.budget} tokens[/]")

    def closing(self, stats: StoreStats, answers: Sequence[dict[str, Any]]) -> None:
        """Figures, and what to do next."""
        found = sum(len(one["found"]) for one in answers)
        expected = sum(len(one["expected"]) for one in answers)
        kinds = sorted(stats.by_kind.items(), key=lambda kind: -kind[1])[:6]
        console.print("\n[bold]7  In figures[/]")
        table = Table.grid(padding=(0, 2))
        table.add_row("memories", f"{stats.total:,} ({_listed(sorted(stats.by_state.items()))})")
        table.add_row("kinds", _listed(kinds))
        table.add_row("facts", f"{stats.facts:,}")
        table.add_row("relations", f"{stats.relations:,}")
        table.add_row("answers", f"{found} of {expected} expected facts in the top five")
        table.add_row("file", f"{stats.file_bytes / 1e6:.1f} MB")
        table.add_row("time", f"{stopwatch() - self._started:.1f} s in all")
        console.print(table)
        console.print(
            '\nNow yours:  engraphy remember "I prefer pytest" && engraphy recall testing'
        )


class Quiet:
    """Collects what the demonstration shows and prints one JSON object at its end."""

    def __init__(self) -> None:
        self._result: dict[str, Any] = {}

    def opening(self, memory: Memory, messages: Sequence[dict[str, Any]]) -> None:
        """Note what goes in."""
        self._result |= {"messages": len(messages), "embedder": memory.embedder_id}

    def observed(self, message: dict[str, Any], outcomes: Sequence[Outcome]) -> None:
        """Nothing to show."""

    def counted(self, counts: Counter[str]) -> None:
        """Note what became of the messages."""
        self._result["outcomes"] = dict(counts)

    def told(self, outcomes: Sequence[Outcome]) -> None:
        """Note what each statement did."""
        self._result["told"] = [{"content": o.content, "action": o.action} for o in outcomes]

    def facts(self, facts: Sequence[Fact]) -> None:
        """Note how many facts are held."""
        self._result["facts"] = len(facts)

    def answers(self, answers: Sequence[dict[str, Any]]) -> None:
        """Note the answers."""
        self._result["answers"] = [
            {**one, "hits": [hit.memory.content for hit in one["hits"]]} for one in answers
        ]

    def then_and_now(self, question: str, moments: Sequence[tuple[str, Sequence[Hit]]]) -> None:
        """Note the answer at each moment."""
        self._result["moments"] = {"question": question} | {
            name: hits[0].memory.content if hits else None for name, hits in moments
        }

    def context(self, block: Context) -> None:
        """Note the block."""
        self._result["context"] = block.text

    def closing(self, stats: StoreStats, answers: Sequence[dict[str, Any]]) -> None:
        """Print everything."""
        self._result |= {
            "memories": stats.total,
            "facts_found": sum(len(one["found"]) for one in answers),
            "facts_expected": sum(len(one["expected"]) for one in answers),
        }
        click.echo(json.dumps(self._result, ensure_ascii=False, indent=2))


def _listed(pairs: Sequence[tuple[str, int]]) -> str:
    return ", ".join(f"{name} {count}" for name, count in pairs)


def _cut(text: str, width: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= width else f"{line[: width - 1]}…"


def _day(at: int | None) -> str:
    return "" if at is None else moment(at).date().isoformat()
