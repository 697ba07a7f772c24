"""What is shared with others, for people."""

from rich.markup import escape
from rich.table import Table

from engraphy.cli.show import Row, console

_DAY = 10
_FROM = ("user", "agent")
_TO = ("tenant", "user", "agent", "project")


def publications(value: Row) -> None:
    """One line per publication: its id and name, what it shares, with whom, how it stands."""
    _listed([_publication(one) for one in value["publications"]], "nothing is published")


def subscriptions(value: Row) -> None:
    """One line per subscription: its id, what it brings from where, and how it stands."""
    _listed([_subscription(one) for one in value["subscriptions"]], "nothing is received")


def publication(value: Row) -> None:
    """One publication."""
    _listed([_publication(value)], "")


def subscription(value: Row) -> None:
    """One subscription."""
    _listed([_subscription(value)], "")


def fetched(value: Row) -> None:
    """What came, waits and was let in."""
    told = f"{value['arrived']} arrived, {value['waiting']} wait, {value['released']} let in"
    console.print(told)


def _listed(rows: list[tuple[str, ...]], nothing: str) -> None:
    if not rows:
        console.print(f"[dim]{nothing}[/]")
        return
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    for row in rows:
        table.add_row(*map(escape, row))
    console.print(table)


def _publication(one: Row) -> tuple[str, ...]:
    walls = [f"{wall} {one[wall]}" for wall in _FROM if one[wall] is not None]
    what = [*walls, *(f"{name}: {', '.join(one[name])}" for name in _FILTERS if one[name])]
    to = [f"{wall} {one[f'to_{wall}']}" for wall in _TO if one[f"to_{wall}"] is not None]
    stands = "open" if one["revoked_at"] is None else f"ended {one['revoked_at'][:_DAY]}"
    return (
        one["id"],
        one["name"],
        ", ".join(what) or "what is shared",
        f"to {', '.join(to)}",
        stands,
    )


def _subscription(one: Row) -> tuple[str, ...]:
    walls = [f"{wall} {one[wall]}" for wall in _TO[1:] if one[wall] is not None]
    stands = "open" if one["ended_at"] is None else f"ended {one['ended_at'][:_DAY]}"
    came = f"{one['publication']} of {one['source']}"
    return one["id"], came, ", ".join(walls) or "shared here", stands


_FILTERS = ("projects", "kinds", "tags", "origins")
