"""What came in from elsewhere, for people."""

from rich.markup import escape

from engraphy.cli.show import Row, console

_WORDS = {
    "role": "a role that this profile does not keep",
    "empty": "nothing is left of it",
    "trivial": "small talk",
    "question": "only a question",
    "density": "says too little",
    "filter": "refused by the filter",
    "gate": "not worth it",
    "capture": "nothing to capture",
    "length": "too long",
}


def imported(value: Row) -> None:
    """Counts by kind, what was left out and why, and how to undo it."""
    would = "would come in" if value["dry_run"] else "came in"
    files = "1 file" if value["files"] == 1 else f"{value['files']:,} files"
    of = f"of {value['read']:,} read in {files} of {value['source']}"
    memories = "memory" if value["memories"] == 1 else "memories"
    console.print(f"[bold]{value['memories']:,}[/] {memories} {would}, {escape(of)}")
    kinds = ", ".join(f"{kind} {count:,}" for kind, count in value["kinds"].items())
    if kinds:
        console.print(f"  [cyan]{kinds}[/]")
    for name, words in (
        ("owned", "seen only with --user, --agent or --project (engraphy owners)"),
        ("superseded", "took the place of another"),
        ("taken_back", "took back what was said"),
        ("held_back", "held back (engraphy review)"),
        ("already", "came in before"),
        ("stands", "stand here already"),
        ("forgotten", "forgotten earlier (--forgotten brings them in)"),
    ):
        if value[name]:
            console.print(f"  {value[name]:,} {words}")
    for why, count in sorted(value["skipped"].items(), key=lambda one: (-one[1], one[0])):
        console.print(f"  [dim]{count:,} left out: {escape(_WORDS.get(why, why))}[/]")
    for problem in value["problems"]:
        console.print(f"  [yellow]broken[/] {escape(problem)}")
    if (more := value["broken"] - len(value["problems"])) > 0:
        console.print(f"  [yellow]and {more:,} more that are broken[/]")
    if value["run"]:
        console.print(f"[dim]engraphy undo --run {value['run']}[/]")
