"""What waits in the background, for people."""

from rich.markup import escape
from rich.table import Table

from engraphy.cli.show import Row, console

_PREVIEW = 60


def jobs(value: Row) -> None:
    """One line per job: its id, how it stands, and the beginning of what was said."""
    if not value["jobs"]:
        console.print("[dim]nothing waits[/]")
        return
    table = Table(box=None, pad_edge=False, show_header=False)
    for one in value["jobs"]:
        stands = f"failed {one['attempts']} times ({one['why']})" if one["failed"] else "waits"
        said = " ".join(" ".join(row["content"] for row in one["messages"]).split())
        table.add_row(one["id"], stands, escape(said[:_PREVIEW]))
    console.print(table)


def retried(value: Row) -> None:
    """That it is tried anew."""
    console.print(f"handed over anew  [dim]{value['id']}[/]")


def dropped(value: Row) -> None:
    """That it is gone."""
    console.print(f"given up  [dim]{value['id']}[/]")
