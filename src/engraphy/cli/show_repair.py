"""What a repair kept and lost, for people."""

from rich.markup import escape

from engraphy.cli.show import Row, console


def repaired(value: Row) -> None:
    """Rows kept and lost by table, where the original bytes stand, what is still wrong."""
    path = escape(value["path"])
    if not value["needed"]:
        console.print(f"{path}: every check passes; nothing was changed")
        return
    would = "would be kept" if value["dry_run"] else "kept"
    kept = ", ".join(f"{escape(name)} {count:,}" for name, count in value["kept"].items() if count)
    console.print(f"[bold]{would}[/] {kept}")
    for name, count in value["lost"].items():
        console.print(f"  [yellow]lost[/] {count:,} records of {escape(name)}")
    if value["pages"]:
        console.print(f"  [yellow]lost[/] what stood on {value['pages']:,} pages")
    for check in value["checks"]:
        console.print(f"  [yellow]{escape(check['name'])}[/] {escape(check['detail'])}")
    if value["original"]:
        console.print(f"The original bytes are in {escape(value['original'])}: delete it, once all")
        console.print("is well, by hand. What is forgotten from now on still stands there.")
    if not value["dry_run"]:
        console.print("[dim]engraphy doctor --deep; engraphy doctor --reembed for vectors[/]")
