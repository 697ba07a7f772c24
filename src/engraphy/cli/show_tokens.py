"""Tokens, for people."""

from rich.markup import escape
from rich.text import Text

from engraphy.cli.show import Row, console

_DAY = 10
_WALLS = ("user", "agent", "project")


def tokens(value: Row) -> None:
    """Of each token its name, what it may do and where, how it stands, and its id."""
    if not value["grants"]:
        console.print(
            "[dim]no token was made yet in this tenant; make one: engraphy token create NAME[/]"
        )
        return
    for one in value["grants"]:
        head = Text.assemble(one["name"], "  ", (one["role"], "cyan"), f"  {_where(one)}")
        console.print(head)
        console.print(Text(f"  {one['id']}  {_stands(one)}", style="dim"))


def revoked(value: Row) -> None:
    """That it is over."""
    console.print(f"revoked {escape(value['name'])}  [dim]{value['id']}[/]")


def _where(one: Row) -> str:
    walls = [f"{wall} {one[wall]}" for wall in _WALLS if one[wall] is not None]
    counts = [f"as {one['origin']}"] if one["origin"] != "user" else []
    sees = [f"sees {one['clearance']}"] if one["clearance"] != "public" else []
    return ", ".join((*walls, *counts, *sees)) or "anywhere in the tenant"


def _stands(one: Row) -> str:
    if one["revoked_at"] is not None:
        return f"revoked {_day(one['revoked_at'])}"
    ends = "" if one["expires_at"] is None else f", until {_day(one['expires_at'])}"
    used = "never used" if one["last_used_at"] is None else f"used {_day(one['last_used_at'])}"
    return f"{used}{ends}"


def _day(moment: str) -> str:
    return moment[:_DAY]
