"""The daemon, and what hooks cost, for people."""

from datetime import UTC, datetime
from typing import Any

from rich.console import Console
from rich.table import Table

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
    if value.get("enabled"):
        console.print("enabled: the first hook starts it")
    elif "enabled" in value:
        console.print(
            "not enabled: prompts are answered by words alone while it does not run;\n"
            "to enable it: engraphy daemon enable"
        )
    console.print(f"{value['waiting']} events wait to be kept")


def stopped(value: dict[str, Any]) -> None:
    """What was ended."""
    console.print(f"ended, process {value['pid']}" if value else "not running")


def hooks(value: dict[str, Any]) -> None:
    """What hooks cost, way by way."""
    console.print(f"[bold]hooks[/]  {value['memories']:,} memories, {value['runs']} runs each")
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("in ms")
    for name in ("CPU p50", "CPU p95", "above bare", "wall p50", "wall p95", "above bare", "said"):
        table.add_column(name, justify="right", no_wrap=True)
    for name, way in value["ways"].items():
        row = [name]
        for kind in ("cpu_ms", "wall_ms"):
            told = way["hook"][kind]
            row += [f"{one:.0f}" for one in (told["p50"], told["p95"], way["above_p95_ms"][kind])]
        table.add_row(*row, str(way["answered"]))
    console.print(table)
    for bar in value["bars"]:
        kept = "kept" if bar["kept"] else "NOT KEPT"
        console.print(
            f"{bar['name']}: p95 {bar['wall_ms']:.0f} ms above a bare start "
            f"(CPU {bar['cpu_ms']:.0f}), at most {bar['limit_ms']:.0f}: {kept}"
        )
