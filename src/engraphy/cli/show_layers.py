"""The parts beside procedures and episodes, for people."""

from rich.markup import escape

from engraphy.cli.show import Row, console


def steps(value: Row) -> None:
    """The name, what calls for it, and the steps by number."""
    console.print(f"[bold]{escape(value['name'])}[/]")
    if value["trigger"]:
        console.print(f"[dim]when[/]  {escape(value['trigger'])}")
    for number, step in enumerate(value["steps"], 1):
        console.print(f"{number:>3}. {escape(step)}")


def outcome(value: Row) -> None:
    """How it ended, when, and what was learnt."""
    console.print(value["outcome"])
    for name in ("started_at", "ended_at", "lesson"):
        if value[name]:
            console.print(f"[dim]{name.replace('_', ' ')}[/]  {escape(str(value[name]))}")
