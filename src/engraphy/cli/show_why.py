"""Why a message was kept or not, stage by stage."""

from typing import Any

from rich.markup import escape
from rich.table import Table

from engraphy.cli.show import console, outcome_line

Row = dict[str, Any]


def why_not(value: Row) -> None:
    """Each part of a message: each stage's verdict, and what would become of it."""
    _parts(value, "would be ")


def explained(value: Row) -> None:
    """Each part of a message: each stage's verdict, and what became of it."""
    _parts(value, "")


def _parts(value: Row, verb: str) -> None:
    for number, one in enumerate(value["outcomes"]):
        if number:
            console.print()
        console.print(f"[bold]{escape(_short(one['content']))}[/]")
        console.print(_stages(one["trace"]))
        console.print(f"{verb}{outcome_line(one)}")


def _stages(trace: list[Row]) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(width=3)
    table.add_column(style="cyan", no_wrap=True)
    table.add_column(overflow="fold")
    for step in trace:
        mark = "[green]yes[/]" if step["passed"] else "[red]no[/]"
        table.add_row(mark, step["stage"], escape(step["detail"]))
    return table


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 200 else f"{line[:199]}…"
