"""What compacting did, for people."""

from engraphy.cli.show import Row, console

_KILO = 1_000


def compacted(value: Row) -> None:
    """The bytes before and after, and what each step merged."""
    before, after = value["bytes_before"], value["bytes_after"]
    would = "would be " if value["dry_run"] else ""
    console.print(f"{would}{_kilobytes(before)} -> {_kilobytes(after)}")
    for step in value["steps"]:
        console.print(f"  {step['name']}: looked at {step['looked']}, merged {step['changed']}")
        for reason, count in step["why"]:
            console.print(f"    [dim]{count} x {reason}[/]")
    if value["run"]:
        console.print(f"[dim]engraphy undo --run {value['run']}[/]")
    if not value["finished"]:
        console.print("[yellow]its time was up before all of it was done: call it again[/]")


def _kilobytes(size: int) -> str:
    return f"{size / _KILO:,.0f} kB"
