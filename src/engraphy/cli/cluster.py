"""`engraphy cluster`: what spreads a database over many nodes, printed and not run."""

from collections.abc import Callable
from typing import Any

import click

from engraphy.cli.session import answer, failing, json_option
from engraphy.errors import InvalidInputError, MissingExtraError
from engraphy.providing import attribute
from engraphy.settings import is_server, settings


@click.group()
def cluster() -> None:
    """Spread a database over the nodes of a distributed PostgreSQL, by tenant."""


@cluster.command()
@click.option(
    "--for", "kind", default="citus", show_default=True, type=click.Choice(["citus", "yugabyte"])
)
@click.option("--db", "store", help="the database, for its name; it is not asked")
@json_option
@failing
def plan(*, kind: str, store: str | None, as_json: bool) -> None:
    """Print the statements that spread the tables, in order; nothing is run, and no database is
    needed.

    They follow from the schema of this version. What they rest on, and what stays open, is printed
    with them as comments, so that the output can be given to psql.
    """
    made = _loaded("engraphy.stores.postgres.spreading", "plan")
    place = store or settings().server or None
    answer(made(kind, _checked(place) if place else None), "show_cluster:plan", as_json=as_json)


@cluster.command()
@click.argument("database", metavar="DATABASE")
@json_option
@failing
def init(*, database: str, as_json: bool) -> None:
    """Make the tables in an empty database without partitions, for a cluster to spread."""
    made = _loaded("engraphy.stores.postgres.spreading", "make")
    answer({"database": made(_checked(database))}, "show_cluster:made", as_json=as_json)


def _loaded(module: str, name: str) -> Callable[..., Any]:
    try:
        return attribute(module, name)
    except ImportError as error:
        raise MissingExtraError(extra="postgres") from error


def _checked(place: str) -> str:
    if not is_server(place):
        allowed = "postgresql://user@host/name"
        raise InvalidInputError(field="database", got="no address of one", allowed=allowed)
    return place
