"""Sessions, cycles of maintenance and what ties memories together, for people."""

from rich.markup import escape
from rich.table import Table

from engraphy.cli.show import Row, console

_MOST_MEMORIES = 3
_WALLS = ("user", "agent", "project", "conversation")


def sessions(value: Row) -> None:
    """One line per session: its name, how many memories come from it, when the last did."""
    if not value["sessions"]:
        console.print("[dim]no session has left a memory[/]")
        return
    table = Table(box=None, pad_edge=False, show_header=False)
    for one in value["sessions"]:
        count = one["memories"]
        told = f"{count} memor{'y' if count == 1 else 'ies'}"
        table.add_row(escape(one["session"]), told, f"last {one['last_at']}")
    console.print(table)


def owners(value: Row) -> None:
    """One line for each of those that memories belong to, and how many."""
    if not value["owners"]:
        console.print("[dim]there are no memories yet[/]")
        return
    walls = [one for one in _WALLS if any(row[one] for row in value["owners"])]
    table = Table(*walls, "memories", box=None, pad_edge=False)
    for row in value["owners"]:
        named = [escape(row[wall]) if row[wall] else "[dim]-[/]" for wall in walls]
        table.add_row(*named, str(row["memories"]))
    console.print(table)
    if not all(any(row[wall] for wall in walls) for row in value["owners"]):
        console.print("[dim]a line that names nobody: what everybody here may see[/]")


def dreams(value: Row) -> None:
    """One line per cycle: when it began, its id, what it changed."""
    if not value["dreams"]:
        console.print("[dim]no cycle has run yet[/]")
        return
    table = Table(box=None, pad_edge=False, show_header=False)
    for one in value["dreams"]:
        changed = sum(step.get("changed", 0) for step in one.get("steps", ()))
        table.add_row(
            str(one.get("started_at") or ""), escape(str(one["run"])), f"{changed} changes"
        )
    console.print(table)


def graph(value: Row) -> None:
    """One line per entity: what it is, how often it is named, and memories that name it."""
    entities = [one for one in value["nodes"] if one["what"] == "entity"]
    if not entities:
        console.print("[dim]nothing is named yet[/]")
        return
    labels = {one["id"]: one["label"] for one in value["nodes"]}
    table = Table(box=None, pad_edge=False, show_header=False)
    for one in entities:
        named = [edge["source"] for edge in value["edges"] if edge["target"] == one["id"]]
        shown = "; ".join(labels.get(one_id, one_id) for one_id in named[:_MOST_MEMORIES])
        table.add_row(escape(one["label"]), one["kind"], str(one["weight"]), escape(shown))
    console.print(table)
    if value["more"]:
        console.print(f"[dim]{value['more']} more[/]")
