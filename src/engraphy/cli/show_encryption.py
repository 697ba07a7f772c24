"""What a change of keys did, for people."""

from typing import Any

from rich.console import Console

console = Console(highlight=False, soft_wrap=True)


def encryption(value: dict[str, Any]) -> None:
    """Whether the store is encrypted now, with what, and what else was brought along."""
    told = f"encrypted with {value['cipher']}" if value["encrypted"] else "not encrypted"
    console.print(f"{value['path']} is {told}", markup=False)
    if value["resealed"]:
        console.print(f"{value['resealed']} events that wait for it as well")
    if value["rekeyed"]:
        console.print(
            "Say the new key wherever the old one was said: environment, files, services."
        )
    for file in value["in_the_clear"]:
        console.print(f"[bold]in the clear:[/] {file}")
    if value["in_the_clear"]:
        console.print("These are older copies: delete them once all is well.")
