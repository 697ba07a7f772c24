"""What was erased or condensed, for people."""

from rich.markup import escape

from engraphy.cli.show import Row, console


def erased(value: Row) -> None:
    """How many went, and which."""
    if not value["erased"]:
        console.print("[dim]nothing was over[/]")
        return
    console.print(f"erased {value['erased']}  [dim]{' '.join(value['ids'][:5])}[/]")


def pruned(value: Row) -> None:
    """How many went and which, or what would go."""
    for held, text in zip(value["ids"], value["previews"], strict=False):
        console.print(f"[dim]{held}[/]  {escape(text)}")
    if value["previews"]:
        console.print(f"[dim]{len(value['ids'])} would go; nothing was changed[/]")
    elif not value["erased"]:
        console.print("[dim]nothing is too old or too many[/]")
    else:
        console.print(f"removed {value['erased']}  [dim]engraphy undo --last purge[/]")


def deleted(value: Row) -> None:
    """That a triple is gone."""
    console.print(f"deleted  [dim]{value['deleted']}[/]")


def condensed(value: Row) -> None:
    """How many memories of which categories stand in which summaries now."""
    if not value["summaries"]:
        console.print("[dim]nothing was old enough, or no category has enough of it[/]")
        return
    names = escape(", ".join(value["categories"]))
    console.print(f"condensed {value['condensed']} of {names}: {' '.join(value['summaries'])}")


def forgotten_user(value: Row) -> None:
    """What of a user was erased, or would be."""
    parts = ("memories", "removed", "facts", "sessions", "receipts", "jobs", "grants")
    told = ", ".join(f"{value[one]} {one}" for one in parts)
    if value["erased"]:
        console.print(f"erased {escape(value['user'])}: {told}")
    elif value["confirm"] is None:
        console.print("[dim]nothing is held of that user[/]")
    else:
        console.print(f"would erase {escape(value['user'])}: {told}")
        again = f"engraphy forget-user {escape(value['user'])} --confirm {value['confirm']}"
        console.print(f"[dim]nothing was changed; to erase it: {again}[/]")
