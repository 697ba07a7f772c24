"""The daemon for people."""

from datetime import UTC, datetime
from typing import Any

from rich.console import Console

_MICROSECONDS = 1_000_000
console = Console(highlight=False, soft_wrap=True)


def status(value: dict[str, Any]) -> None:
    """Whether it runs, and what waits."""
    if "pid" in value:
        since = datetime.fromtimestamp(value["since"] / _MICROSECONDS, UTC)
        console.print(
            f"running, process {value['pid']}, version {value['version']}, "
            f"since {since:%Y-%m-%d %H:%M} UTC, {value['served']} hooks answered"
        )
    else:
        console.print("not running")
    console.print(f"{value['waiting']} events wait to be kept")


def stopped(value: dict[str, Any]) -> None:
    """What was ended."""
    console.print(f"ended, process {value['pid']}" if value else "not running")
