"""Relations, and what is known about one thing, for people."""

from rich.table import Table

from engraphy.cli.show import Row, console, timeline


def links(value: Row) -> None:
    """One line per relation."""
    if not value["relations"]:
        console.print("[dim]nothing is related[/]")
        return
    table = Table(box=None, pad_edge=False, show_header=False)
    for one in value["relations"]:
        sure = f"{one['confidence']:.2f}"
        table.add_row(one["source_id"], one["type"], one["target_id"], sure)
    console.print(table)


def entity(value: Row) -> None:
    """The memories that name it, then how they are related."""
    timeline({"memories": value["memories"]})
    if value["relations"]:
        links(value)
