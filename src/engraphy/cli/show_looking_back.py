"""What was done, undone and different, for people."""

from typing import Any

from rich.markup import escape
from rich.text import Text

from engraphy.cli.show import Row, console
from engraphy.text.moments import iso

_MOMENTS = ("_at", "valid_from", "valid_until")
_PREVIEW = 100
_LEFT = 10


def undone(value: Row) -> None:
    """What came back, went and changed, and what was left."""
    would = "would be " if value["dry_run"] else ""
    console.print(f"undo of {escape(value['what'])}: {len(value['lines'])} lines of the journal")
    for name in ("restored", "removed", "changed"):
        if value[name]:
            shown = " ".join(value[name][:5])
            console.print(f"  {would}{name} {len(value[name])}  [dim]{escape(shown)}[/]")
    if value["beside"]:
        console.print(f"  {value['beside']} relations, facts and parts beside them")
    for one in value["left"][:_LEFT]:
        what = f"{one['id']} {one['field']}".strip()
        console.print(f"  [yellow]left[/] {escape(what)}: {escape(one['why'])}")
    if len(value["left"]) > _LEFT:
        console.print(f"  [yellow]left[/] {len(value['left']) - _LEFT} more")
    if not any(value[name] for name in ("restored", "removed", "changed", "beside")):
        console.print("  [dim]nothing to do[/]")


def history(value: Row) -> None:
    """One line per deed, with what it changed."""
    for one in value["entries"]:
        _deed(one)


def audit(value: Row) -> None:
    """Deeds, and whether the journal is whole."""
    for one in value["entries"]:
        _deed(one)
    if value["whole"]:
        console.print("[green]the journal is as it was written[/]")
    else:
        console.print(f"[red]line {value['broken']} of the journal was changed or cut off[/]")
    if value["differing"]:
        shown = " ".join(value["differing"][:_LEFT])
        console.print(f"[red]{len(value['differing'])} are not what it says:[/] {escape(shown)}")
    elif value["differing"] is not None:
        console.print("[green]the memories are what it says[/]")
    if value["head"]:
        console.print(Text(f"head {value['head']}", style="dim"))


def mirrored(value: Row) -> None:
    """Where the copy of the journal lies, and how it fares."""
    state = "[green]all of it[/]" if value["whole"] else f"[red]{escape(value['problem'])}[/]"
    console.print(f"{escape(value['path'])}: {value['lines']} lines, {state}")
    if not value["whole"]:
        console.print("[dim]Write it anew: engraphy journal --rebuild[/]")


def _deed(one: Row) -> None:
    count = f" ({one['count']})" if one["count"] > 1 else ""
    head = Text.assemble(
        (f"{one['line']:>6}  {one['at'][:19]}  ", "dim"),
        (f"{one['op']:<13} ", "cyan"),
        f"{one['actor']}  {one['target']}{count}  ",
        (one["reason"], "dim"),
    )
    console.print(head)
    for change in one["fields"]:
        console.print(Text(f"        {_changed(change)}", style="dim"))
    if one["erased"]:
        console.print(Text("        its text was forgotten", style="dim"))


def _changed(change: Row) -> str:
    if change["old"] is None and change["new"] is None:
        return str(change["field"])
    old, new = (_told(change["field"], change[name]) for name in ("old", "new"))
    return f"{change['field']}: {_short(old)} -> {_short(new)}"


def _told(field: str, value: Any) -> Any:
    """A moment as people read it; what is not set is told in a word."""
    if value is None:
        return "none"
    is_moment = isinstance(value, int) and field.endswith(_MOMENTS)
    return str(iso(value))[:19] if is_moment else value


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= _PREVIEW else f"{text[: _PREVIEW - 1]}…"


def snapshots(value: Row) -> None:
    """Named moments."""
    for one in value["snapshots"]:
        line = f"[dim]{one['line']:>6}  {one['at'][:19]}[/]  {escape(one['name'])}"
        console.print(line)
    if not value["snapshots"]:
        console.print("No snapshots yet.")


def difference(value: Row) -> None:
    """What came, went and changed."""
    for mark, style, rows in (("+", "green", value["added"]), ("-", "red", value["removed"])):
        for row in rows:
            console.print(
                Text.assemble(
                    (f"{mark} ", style), (f"{row['id']}  ", "dim"), _short(row["content"])
                )
            )
    for one in value["changed"]:
        row = one["memory"]
        console.print(
            Text.assemble(("~ ", "yellow"), (f"{row['id']}  ", "dim"), _short(row["content"]))
        )
        for change in one["fields"]:
            console.print(Text(f"    {_changed(change)}", style="dim"))
    if not (value["added"] or value["removed"] or value["changed"]):
        console.print("No difference.")
