"""Results for people: compact, readable at 80 columns, plain where there is no colour."""

from typing import Any

from rich.console import Console, Group
from rich.markup import escape
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

Row = dict[str, Any]
_STYLES = {
    "created": "green",
    "updated": "cyan",
    "reinforced": "blue",
    "superseded": "yellow",
    "skipped": "dim",
    "quarantined": "red",
}
_PREVIEW = 200
_BEYOND_WORDS = (
    "Words find what holds now, behind the walls that you name (--user, --agent, --project).\n"
    "The rest is forgotten by its id: engraphy list --include superseded --include expired"
)
console = Console(highlight=False, soft_wrap=False)


def remember(value: Row) -> None:
    """One outcome."""
    console.print(outcome_line(value))
    if value.get("memory"):
        row = value["memory"]
        console.print(Padding(Text(f"{row['id']}  {_about(row)}", style="dim"), (0, 0, 0, 2)))
    for step in value.get("trace", ()):
        # Which memories a request to forget is about, and what was taken out of a text.
        if step["stage"] in {"retract", "redact"} and step["passed"]:
            console.print(Padding(Text(step["detail"], style="dim"), (0, 0, 0, 2)))


def observe(value: Row) -> None:
    """The outcomes of a message."""
    for one in value["outcomes"]:
        remember(one)


def outcome_line(value: Row) -> str:
    """What was done, and why, in a line of markup."""
    action = value["action"]
    style = _STYLES.get(action, "bold")
    return f"[{style}]{action}[/]  {escape(value['reason'])}"


def recall(value: Row) -> None:
    """Hits with their score and the parts of it."""
    hits = value["hits"]
    if not hits:
        console.print("Nothing is remembered about that.")
        return
    for number, hit in enumerate(hits, 1):
        console.print(_hit(number, hit))


def _hit(number: int, hit: Row) -> Group:
    head = Text.assemble(
        (f"{number:>2}. ", "dim"), (f"{hit['score']:.2f} ", "bold green"), _preview(hit["content"])
    )
    stale = "" if hit["state"] == "active" else f"{hit['state']}  "
    # What a part is made of is for `explain` and `--json`.
    told = ((name, share) for name, share in hit["why"].items() if "." not in name)
    parts = [f"{name} {share:.2f}" for name, share in told if share >= 0.005]
    below = Text(f"{stale}{_about(hit)}  {hit['id']}\n{', '.join(parts)}", style="dim")
    return Group(head, Padding(below, (0, 0, 0, 4)))


def get(value: Row) -> None:
    """One memory whole."""
    console.print(Panel(Text(value["content"]), title=value["kind"], title_align="left"))
    console.print(_fields({name: field for name, field in value.items() if name != "content"}))


update = get
pin = get


def fact(value: Row) -> None:
    """One triple, or one link, with all that is known of it."""
    console.print(_fields(value))


link = fact


def _fields(value: Row) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for name, field in value.items():
        if field not in (None, "", [], 0, False, {}):
            table.add_row(f"[dim]{name}[/]", escape(_short(field)))
    return table


def timeline(value: Row) -> None:
    """One line per memory."""
    for row in value["memories"]:
        mark = "" if row["state"] == "active" else f"({row['state']}) "
        line = Text.assemble(
            (f"{_day(row)} ", "dim"),
            (f"{row['kind']:<12} ", "cyan"),
            mark,
            _preview(row["content"]),
        )
        console.print(line)
        console.print(Text(f"           {row['id']}", style="dim"))
    if not value["memories"]:
        console.print("No memories here.")


def review(value: Row) -> None:
    """What waits, why, and what to do about it."""
    for row in value["memories"]:
        console.print(Text.assemble((f"{_day(row)} ", "dim"), _preview(row["content"])))
        console.print(Text(f"           {row['id']}  {row['why']}", style="dim"))
    if not value["memories"]:
        console.print("Nothing is held back.")
        return
    console.print("[dim]engraphy accept ID, or engraphy reject ID[/]")


def forget(value: Row) -> None:
    """What was erased, or what would be."""
    if value["confirm"]:
        for held, text in zip(value["ids"], value["previews"], strict=True):
            console.print(Text.assemble((f"{held}  ", "dim"), text))
        count = len(value["ids"])
        console.print(
            f"{count} {_plural(count, 'memory matches', 'memories match')}. Nothing was erased yet:"
            f" the same with [bold]--confirm {value['confirm']}[/] erases "
            f"{_plural(count, 'it', 'them')}."
        )
        return
    if not value["erased"]:
        console.print("Nothing matches. Nothing was erased.")
        console.print(f"[dim]{_BEYOND_WORDS}[/]", soft_wrap=True)
        return
    console.print(f"Erased {value['erased']} {_plural(value['erased'], 'memory', 'memories')}.")


def facts(value: Row) -> None:
    """Triples with their validity."""
    table = Table(box=None, pad_edge=False)
    for name in ("subject", "predicate", "object", "since", "until"):
        table.add_column(name, overflow="fold")
    for row in value["facts"]:
        until = (row["valid_until"] or "")[:10]
        since = (row["valid_from"] or "")[:10]
        table.add_row(*map(escape, (row["subject"], row["predicate"], row["object"], since, until)))
    console.print(table if value["facts"] else "No facts here.")


def stats(value: Row) -> None:
    """Counts and sizes."""
    table = Table.grid(padding=(0, 2))
    table.add_row("memories", str(value["total"]))
    for name in ("by_state", "by_kind", "by_sensitivity"):
        counts = ", ".join(f"{key} {count}" for key, count in value[name].items())
        if counts:
            table.add_row(name.replace("_", " "), counts)
    for name in ("facts", "relations", "sessions", "journal_entries"):
        table.add_row(name.replace("_", " "), str(value[name]))
    for name in ("jobs_waiting", "jobs_failed"):
        if value[name]:
            table.add_row(name.replace("_", " "), f"{value[name]} (engraphy jobs)")
    if value["total"]:
        table.add_row("tokens", f"about {value['tokens']:,}")
        table.add_row("average importance", f"{value['average_importance']:.2f}")
        table.add_row("from", f"{value['oldest']} to {value['newest']}")
    table.add_row("on disk", f"{value['file_bytes'] / 1e6:.1f} MB")
    console.print(table)


def explain(value: Row) -> None:
    """Stages, hits, and where a memory was lost."""
    for step in value["steps"]:
        console.print(f"[cyan]{step['stage']:<8}[/] {escape(step['detail'])}")
    recall(value)
    if value["missing"]:
        missing = value["missing"]
        stage = missing["stage"]
        where = "not missing" if stage == "delivered" else f"dropped at {stage}"
        console.print(f"[yellow]{where}[/]: {escape(missing['detail'])}")


def doctor(value: Row) -> None:
    """Checks, with advice where one fails."""
    for row in value["checks"]:
        mark = "[green]ok  [/]" if row["ok"] else "[red]FAIL[/]"
        detail = f"  [dim]{escape(row['detail'])}[/]" if row["detail"] else ""
        console.print(f"{mark} {row['name']}{detail}", soft_wrap=True)
        if row["advice"]:
            console.print(f"     {escape(row['advice'])}")


def dream(value: Row) -> None:
    """What maintenance did, step by step, and why."""
    if not value["due"]:
        console.print("Nothing is due.")
        return
    for step in value["steps"]:
        told = f"looked at {step['looked']:,}, changed {step['changed']:,}"
        console.print(f"[cyan]{step['name']:<15}[/] {told}")
        for reason, count in step["why"]:
            console.print(f"{'':<15} [dim]{count:,} x {escape(reason)}[/]")
    verb = "would change" if value["dry_run"] else "changed"
    rest = "" if value["finished_at"] else "; its time was up, the next cycle goes on there"
    console.print(f"{verb} {value['changed']:,}{rest}")


def transfer(value: Row) -> None:
    """What was moved."""
    skipped = f", {value['skipped']} left out" if value["skipped"] else ""
    if value["held_back"]:
        skipped += f", {value['held_back']} held back (engraphy review)"
    console.print(
        f"{value['memories']} memories, {value['facts']} facts, "
        f"{value['relations']} relations{skipped}: {escape(value['path'])}",
        soft_wrap=True,
    )


def backup(value: int) -> None:
    """The size of the copy."""
    console.print(f"{value / 1e6:.1f} MB written and verified")


def profiles(value: Row) -> None:
    """The shipped profiles."""
    for row in value["profiles"]:
        console.print(f"[cyan]{row['name']:<10}[/] {escape(row['description'])}")


def knobs(value: Row) -> None:
    """A profile's knobs, section by section."""
    for name, section in value.items():
        if not isinstance(section, dict):
            console.print(f"[cyan]{name}[/] = {escape(str(section))}")
            continue
        console.print(f"[bold]\\[{name}][/]")
        for key, knob in section.items():
            console.print(f"  [cyan]{key}[/] = {escape(str(knob))}")


def diff(value: Row) -> None:
    """Two profiles side by side."""
    first, second = value["first"], value["second"]
    table = Table(box=None, pad_edge=False)
    for name in ("knob", first, second):
        table.add_column(name, overflow="fold")
    for row in value["differences"]:
        table.add_row(row["knob"], escape(str(row[first])), escape(str(row[second])))
    console.print(table)


def _about(row: Row) -> str:
    speaker = f", {row['speaker']}" if row.get("speaker") else ""
    return f"{row['kind']}, {_day(row)}{speaker}"


def _day(row: Row) -> str:
    return str(row.get("valid_from") or "")[:10]


def _preview(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _PREVIEW else f"{line[: _PREVIEW - 1]}…"


def _short(value: object) -> str:
    text = str(value)
    if isinstance(value, dict):
        text = ", ".join(f"{name} {one}" for name, one in value.items() if one is not None)
    return text if len(text) <= _PREVIEW else f"{text[: _PREVIEW - 1]}…"


def _plural(count: int, one: str, many: str) -> str:
    return one if count == 1 else many
