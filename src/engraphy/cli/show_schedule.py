"""How a schedule is shown."""

import shlex
import subprocess
import sys
from typing import Any

from rich.markup import escape

from engraphy.cli.show import console

Row = dict[str, Any]
_STOOD = {"missing": "new", "other": "changed", "current": "as it was", "foreign": "not ours"}


def written(value: Row) -> None:
    """What was written or taken away, and what was run or is to be run."""
    for file in value["files"]:
        console.print(f"[cyan]{escape(file['path'])}[/] [dim]({_STOOD[file['before']]})[/]")
        if file["text"]:
            console.print(escape(file["text"]), highlight=False, soft_wrap=True)
    for one in value["ran"]:
        verdict = "[green]done[/]" if one["ok"] else f"[red]failed[/] {escape(one['said'])}"
        console.print(f"{escape(_line(one['command']))}  {verdict}", soft_wrap=True)
    if value["to_run"]:
        console.print("To be run:")
    for command in value["to_run"]:
        console.print(escape(_line(command)), highlight=False, soft_wrap=True)
    if value["note"]:
        console.print(f"[dim]{escape(value['note'])}[/]", soft_wrap=True)


def status(value: Row) -> None:
    """Files, and whether the timer is on."""
    for file in value["files"]:
        told = "there" if file["written"] else "not there"
        console.print(f"[cyan]{escape(file['path'])}[/] {told}", soft_wrap=True)
    console.print("switched on" if value["enabled"] else f"off {escape(value['said'])}".rstrip())


def cron(value: Row) -> None:
    """The line itself, for a pipe."""
    console.print(escape(value["line"]), highlight=False, soft_wrap=True)


def _line(command: list[str]) -> str:
    windows = sys.platform == "win32" or command[0] == "schtasks"
    return subprocess.list2cmdline(command) if windows else shlex.join(command)
