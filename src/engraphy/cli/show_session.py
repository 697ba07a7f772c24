"""Sessions for people: how far one has come, and what was done in it."""

from typing import Any

from rich.markup import escape
from rich.text import Text

from engraphy.cli.show import console

Row = dict[str, Any]
_HEADINGS = {
    "decisions": "decided",
    "fixes": "fixed",
    "features": "added",
    "changes": "changed",
    "discoveries": "found",
    "told": "said by the user",
    "open": "open",
    "files_modified": "files changed",
    "files_read": "files read",
}


def session_start(value: Row) -> None:
    """A session as it begins, and those that were closed for it."""
    _status(value)
    for name in value["closed"]:
        console.print(f"[yellow]closed[/]  {escape(name)} was never ended")


def session(value: Row) -> None:
    """What was done so far, by heading."""
    _status(value["status"])
    for name, heading in _HEADINGS.items():
        for one in value[name]:
            console.print(Text.assemble((f"{heading:<17}", "cyan"), one))
    if value["tools"]:
        used = ", ".join(f"{tool} {count}" for tool, count in value["tools"])
        console.print(Text.assemble((f"{'tools':<17}", "cyan"), used))
    if value["summary"]:
        console.print(Text(f"kept as {value['summary']['id']}", style="dim"))


session_end = session


def checkpoint(value: Row | None) -> None:
    """The memory of a checkpoint, where there was something to keep."""
    if value is None:
        console.print("Nothing was done since the last checkpoint.")
        return
    console.print(value["content"], markup=False)
    console.print(Text(f"kept as {value['id']}", style="dim"))


def capabilities(value: Row) -> None:
    """Each capability, and whether it is there."""
    for name, there in value.items():
        console.print(f"{'[green]yes[/]' if there else '[dim]no [/]'}  {escape(name)}")


def _status(status: Row) -> None:
    ended = "never ended" if status["abandoned"] else "ended" if status["ended_at"] else "runs"
    counts = (
        f"{status['observations']} observations, {status['stored']} kept, "
        f"segment {status['segment']}, {status['checkpoints']} checkpoints"
    )
    console.print(f"[bold]{escape(status['session'])}[/]  {ended}, {counts}")


def working(value: Row) -> None:
    """One line per item: how strongly it is held, how often it came up, what it says."""
    for one in value["items"]:
        mark = "[green]keep[/]" if one["promotable"] else "    "
        text = " ".join(one["memory"]["content"].split())
        told = text if len(text) <= 100 else f"{text[:99]}…"
        console.print(f"{one['score']:.2f} {one['access_count']:>3} {mark} {escape(told)}")
    if not value["items"]:
        console.print("Nothing is in mind.")
