"""What was injected, for people: blocks, receipts, messages."""

import json

from rich.markup import escape
from rich.table import Table
from rich.text import Text

from engraphy.cli.show import Row, console

_PREVIEW = 60
_LEFT = 5


def context(value: Row) -> None:
    """The block itself, what it cost, and what was left out."""
    if not value["text"]:
        console.print("Nothing worth injecting.")
    else:
        console.print(value["text"], markup=False, soft_wrap=True)
    _cost(value["receipt"])
    for one in value["receipt"]["skipped"]:
        _left(one)


def inject(value: Row) -> None:
    """The messages as JSON, then what the block cost."""
    messages = json.dumps(value["messages"], ensure_ascii=False, indent=2)
    console.print(messages, markup=False, soft_wrap=True)
    _cost(value["context"]["receipt"])


def receipts(value: Row) -> None:
    """Each turn: when, at what cost, which memories and why, what was left out."""
    if not value["receipts"]:
        console.print("Nothing was injected here yet.")
    for number, receipt in enumerate(value["receipts"]):
        if number:
            console.print()
        into = f" into {receipt['session']}" if receipt["session"] else ""
        console.print(Text(f"{receipt['at'][:19]}{into}, {receipt['format']}", style="bold"))
        _cost(receipt)
        console.print(_lines(receipt))
        for one in receipt["skipped"][:_LEFT]:
            _left(one)
        more = receipt["more"] + max(0, len(receipt["skipped"]) - _LEFT)
        if more:
            console.print(f"[dim]and {more} more left out[/]")


def _lines(receipt: Row) -> Table:
    table = Table.grid(padding=(0, 2))
    for line in receipt["lines"]:
        signals = [part for part in line["why"].items() if "." not in part[0]]
        strongest = sorted(signals, key=lambda part: -part[1])[:2]
        why = ", ".join(f"{name} {share:.2f}" for name, share in strongest)
        text = line["content"]
        told = f"{text[:_PREVIEW]}…" if len(text) > _PREVIEW else text or line["memory_id"]
        table.add_row(
            f"[cyan]{escape(line['layer'])}[/]",
            line["style"],
            str(line["tokens"]),
            f"{line['score']:.2f}",
            Text.assemble(" ".join(told.split()), (f"  {why}", "dim")),
        )
    return table


def _cost(receipt: Row) -> None:
    count = len(receipt["lines"])
    console.print(
        f"[dim]{receipt['tokens']} of {receipt['budget']} tokens ({receipt['tokenizer']}), "
        f"{count} {'memory' if count == 1 else 'memories'}[/]"
    )


def _left(one: Row) -> None:
    which = f"{one['memory_id']}: " if one["memory_id"] else ""
    console.print(f"[dim]left out ({one['stage']}): {escape(which + one['detail'])}[/]")
