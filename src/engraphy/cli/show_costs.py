"""What a language model was asked, how it ended, what it cost."""

from typing import Any

from rich.markup import escape
from rich.table import Table

from engraphy.cli.show import console

Row = dict[str, Any]


def cost(value: Row) -> None:
    """The sums, and a line for each model, skill and outcome."""
    if not value["uses"]:
        console.print(f"No language model was asked from {value['since']} to {value['until']}.")
        return
    table = Table(box=None, pad_edge=False)
    for name in ("model", "skill", "outcome"):
        table.add_column(name, style="cyan" if name == "model" else None)
    for name in ("calls", "tokens in", "out", "cost", "ms a call"):
        table.add_column(name, justify="right")
    for use in value["uses"]:
        table.add_row(
            escape(use["model"]),
            escape(use["skill"]),
            use["outcome"],
            str(use["calls"]),
            f"{use['prompt_tokens']:,}",
            f"{use['completion_tokens']:,}",
            _money(use["cost"]),
            str(round(use["milliseconds"] / use["calls"])),
        )
    console.print(table)
    tokens = f"{value['prompt_tokens']:,} + {value['completion_tokens']:,} tokens"
    console.print(
        f"{_counted(value['calls'], 'call')}, {tokens}, cost {_money(value['cost'])}; "
        f"the rules decided {_counted(value['fallbacks'], 'time')}"
    )


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _money(cost: float | None) -> str:
    return "not known" if cost is None else f"{cost:.4f}"
