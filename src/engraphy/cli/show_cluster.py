"""A plan for a cluster as psql takes it: statements, and comments around them."""

from collections.abc import Iterable, Iterator
from textwrap import wrap

import click

from engraphy.cli.show import Row, console

_WIDTH = 79


def plan(value: Row) -> None:
    """The statements in their order; everything else is a comment."""
    for line in _lines(value):
        click.echo(line)


def made(value: Row) -> None:
    """Where the tables are now."""
    console.print(f"The tables are made in {value['database']}, without partitions.", markup=False)
    console.print("[dim]engraphy cluster plan: what spreads them[/]")


def _lines(value: Row) -> Iterator[str]:
    spread, everywhere = value["spread"], value["on_every_node"]
    yield from _comment(
        f"{value['title']} {value['least']} or newer: {len(spread)} tables spread by tenant,"
        f" {len(everywhere)} on every node (schema {value['schema']})."
    )
    yield from _comment(f"Not run here: nobody has tried this on {value['title']} yet.")
    yield from _section("Before", value["before"])
    if value["statements"]:
        yield ""
        yield from map(_statement, value["statements"])
    yield from _section("It rests on", value["rests"])
    yield from _section("Stays so", value["open"])
    broken = [(one["rule"], told) for one in value["rules"] for told in one["broken"]]
    said = [f"{rule}: NOT in {told}" for rule, told in broken]
    yield from _section(
        f"Rules of such a cluster, kept by all {len(spread) + len(everywhere)} tables"
        if not said
        else "Rules of such a cluster that are broken",
        said or [one["rule"] for one in value["rules"]],
    )


def _statement(text: str) -> str:
    told = f"{text};"
    return told if len(told) <= _WIDTH else told.replace("(", "(\n    ", 1)


def _section(title: str, points: Iterable[str]) -> Iterator[str]:
    yield "--"
    yield from _comment(f"{title}:")
    for point in points:
        lines = wrap(point, _WIDTH - 5, break_long_words=False, break_on_hyphens=False)
        yield from (
            f"--   {line}" if number else f"-- - {line}" for number, line in enumerate(lines)
        )


def _comment(text: str) -> Iterator[str]:
    yield from (f"-- {line}" for line in wrap(text, _WIDTH - 3))
