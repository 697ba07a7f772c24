"""What a tuning found, for people."""

from typing import Any

from rich.markup import escape
from rich.table import Table

from engraphy.cli.show import console

Row = dict[str, Any]


def tuned(value: Row) -> None:
    """Before and after on questions held out, what was turned, and how to use it."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("held out")
    for name in ("before", "after", "gain", "95 % from", "to"):
        table.add_column(name, justify="right", no_wrap=True)
    for name, (gain, low, high) in value["gain"].items():
        shown = f"[bold]{name}[/]" if name == value["objective"] else name
        before, after = value["before"][name], value["after"][name]
        table.add_row(shown, f"{before:.4f}", f"{after:.4f}", *map(_signed, (gain, low, high)))
    console.print(table)
    same = value["answers"] < value["questions"]
    different = f" about {value['answers']} different answers" if same else ""
    console.print(
        f"[dim]{value['questions']} questions{different}, {value['folds']} folds, "
        f"{value['trials']} trials, {value['seconds']:.0f} s, "
        f"from profile {escape(value['profile'])}[/]"
    )
    if value["stopped"]:
        console.print(f"[dim]it ended when the {value['stopped']} ran out[/]")
    (before, after), (reached, kept) = value["delivered"], value["reached"]
    console.print(
        f"with the cut-offs, hits per question: {before:.1f}, {after:.1f}; "
        f"of the answers {reached:.1%}, {kept:.1%}"
    )
    if kept < reached:
        console.print(
            "[yellow]Fewer answers come through the cut-offs of \\[score] than before.[/]"
        )
    for turn in value["turns"]:
        console.print(
            f"  {turn['knob']}  {turn['before']:g} to {turn['after']:g}  "
            f"[dim]in {turn['folds']} of {value['folds']} folds[/]"
        )
    _verdict(value)


def _signed(value: float) -> str:
    return f"{value:+.4f}"


def _verdict(value: Row) -> None:
    if not value["above_noise"]:
        console.print("[yellow]The gain is not above noise.[/]")
    if value["written"]:
        file = escape(value["written"])
        console.print(
            f"Written. Use it: engraphy recall QUERY --profile {file}\n"
            f'or ENGRAPHY_PROFILE={file}, or Memory(profile="{file}").'
        )
    elif value["above_noise"]:
        console.print("Nothing was written: --out FILE writes the tuned profile.")
