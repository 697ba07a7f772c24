"""Benchmark results for people: tables readable at 80 columns."""

from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

Row = dict[str, Any]
_SHOWN = {
    "turn.rec@5": "rec@5",
    "turn.rec@10": "rec@10",
    "turn.mrr": "MRR",
    "session.hit@1": "session\nhit@1",
    "session.hit@5": "session\nhit@5",
    "session.all@5": "session\nall@5",
    "update.above_stale": "new\nabove",
    "stale@10": "stale\n@10",
    "case.precision": "precision",
    "case.recall": "recall",
    "case.pass": "passed",
}
console = Console(highlight=False, soft_wrap=False)


def quality(value: Row) -> None:
    """A benchmark's figures: overall with intervals, then group by group."""
    console.print(
        f"[bold]{value['benchmark']}[/]  {value['questions']} questions  "
        f"[dim]{escape(value['data'])}, {value['embedder']}, profile {value['profile']}[/]"
    )
    names = [name for name in _SHOWN if name in value["metrics"]]
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("in %", overflow="fold")
    for name in names:
        table.add_column(_SHOWN[name], justify="right", no_wrap=True)
    table.add_row("all", *_percent(value["metrics"], names))
    for bound, place in (("95 % from", 0), ("95 % to", 1)):
        edge = {name: value["intervals_95"][name][place] for name in names}
        table.add_row(bound, *_percent(edge, names))
    for part in ("groups", "categories"):
        table.add_section()
        for group, row in value[part].items():
            table.add_row(escape(group), *_percent(row, names))
    console.print(table)
    _passes(value.get("passes", {}))
    latency = ", ".join(f"{name} {ms:.1f} ms" for name, ms in value["latency_ms"].items())
    console.print(f"[dim]{latency} (wall)[/]")


def _passes(passes: dict[str, dict[str, int]]) -> None:
    counts = (f"{name} {one['passed']} of {one['of']}" for name, one in passes.items())
    if passes:
        console.print(f"passed: {', '.join(counts)}")


def _percent(row: Row, names: list[str]) -> list[str]:
    return [f"{row[name] * 100:.1f}" if name in row else "-" for name in names]
