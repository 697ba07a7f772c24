"""A simulated year for people: recall against never forgetting, what sleeps, how numbers spread."""

from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

Row = dict[str, Any]
_WHEN = ("along the way", "at the end", "fresh")
_BINS = " ▁▂▃▄▅▆▇█"
console = Console(highlight=False, soft_wrap=False)


def life(value: Row) -> None:
    """Profile by profile: a line for each part and moment, then spread, nights and bars."""
    for profile in value["profiles"]:
        console.print(
            f"[bold]life[/]  profile {profile['profile']}, {profile['embedder']}  "
            f"[dim]{profile['wall_s']:.0f} s[/]"
        )
        console.print(_recall(profile["groups"]))
        for group in profile["groups"]:
            console.print(_group(group))
        for bar in profile["bars"]:
            console.print(_bar(bar))


def _recall(groups: list[Row]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("rec@10 in %", overflow="fold")
    for name in ("n", "dream", "twin", "points", "95 % from", "to", "rec@5", "MRR"):
        table.add_column(name, justify="right", no_wrap=True)
    for group in groups:
        table.add_row(f"[bold]{escape(group['group'])}[/]")
        for when in _WHEN:
            found = group["recall"][when]
            if found["questions"]:
                table.add_row(f"  {when}", *_compared(found))
    return table


def _compared(found: Row) -> list[str]:
    ten = found["rec@10"]
    low, high = ten["interval_95"]
    shares = (f"{100 * ten[name]:.1f}" for name in ("dream", "twin"))
    points = (ten["difference"], low, high, found["rec@5"]["difference"])
    return [
        str(found["questions"]),
        *shares,
        *(f"{point:+.2f}" for point in points),
        f"{found['mrr']['difference']:+.2f}",
    ]


def _group(group: Row) -> str:
    spread, nights, stale = group["spread"], group["nights"], group["stale"]
    states = ", ".join(f"{name} {count}" for name, count in group["awake"]["dream"].items())
    bins = ", ".join(
        f"{name} \\[{_drawn(spread[name]['counts'])}]"
        for name in ("importance", "utility", "stability", "retention")
    )
    return (
        f"[bold]{escape(group['group'])}[/]  {100 * group['awake']['fewer_active']:.1f} % fewer "
        f"active ({states})\n"
        f"  [dim]{bins}, retention from .95: {100 * spread['retention_from_95']:.1f} %[/]\n"
        f"  [dim]{nights['dreams']} dreams of {nights['cpu_ms_per_night']:.0f} ms CPU, "
        f"{nights['changed_per_night']:.1f} changes and {nights['bytes_per_night'] / 1e3:.1f} kB "
        f"each; {nights['megabytes']:.1f} MB, twin {nights['twin_megabytes']:.1f} MB[/]\n"
        f"  [dim]old values: {stale['superseded']} of {stale['old_memories']} superseded, "
        f"{stale['strengthened']} of those grew[/]"
    )


def _drawn(counts: list[int]) -> str:
    """A histogram as ten characters."""
    most = max(counts, default=0) or 1
    steps = len(_BINS) - 1
    return "".join(_BINS[-(-count * steps // most)] for count in counts)


def _bar(bar: Row) -> str:
    verdict = "[green]met[/]   " if bar["met"] else "[red]missed[/]"
    sign = ">=" if bar["at_least"] else "<="
    return f"{verdict} {escape(bar['name'])} {sign} {bar['limit']:g}: {bar['measured']:.3f}"
