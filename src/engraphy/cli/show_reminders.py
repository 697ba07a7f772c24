"""Reminders, for people."""

from rich.markup import escape
from rich.text import Text

from engraphy.cli.show import Row, console

_STYLES = {"due": "green", "overdue": "yellow", "told": "dim", "over": "dim"}


def reminders(value: Row) -> None:
    """One line each: how it stands, when, and what."""
    for one in value["reminders"]:
        console.print(
            Text.assemble(
                (f"{one['status']:<8} ", _STYLES.get(one["status"], "cyan")),
                (f"{_when(one)}  ", "bold"),
                f"{one['memory']['content']}  ",
                (one["memory"]["id"], "dim"),
            )
        )
    if not value["reminders"]:
        console.print(f"[dim]{escape('Nothing waits to be told.')}[/]")


def _when(one: Row) -> str:
    parts = [str(one["at"])[:16].replace("T", " ")] if one["at"] else []
    parts += [f"when it is about {one['topic']}"] if one["topic"] else []
    parts += [f"every {one['every']}"] if one["every"] and one["every"] != "each" else []
    return ", ".join(parts)
