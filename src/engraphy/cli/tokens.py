"""`engraphy token`: who may come in through a server's doors."""

from typing import Any

import click

from engraphy.cli.session import answer, failing, opened, store_options
from engraphy.model import Sensitivity
from engraphy.model.granting import TokenRole
from engraphy.plain import plain
from engraphy.verbs.granting import ORIGINS

_ROLES = tuple(one.value for one in TokenRole)
_ONCE = "This is the token, shown this once: keep it secret. Its id is {id}."


@click.group()
def token() -> None:
    """Make, list and revoke the tokens that a server asks for.

    Commands on this machine need none.
    """


@token.command()
@click.argument("name")
@click.option("--role", type=click.Choice(_ROLES), default="write", help="what it may do")
@click.option("--user", "-u", help="the user it is bound to; without one, its holder names one")
@click.option("--agent", help="the agent it is bound to")
@click.option("--project", "-p", help="the project it is bound to")
@click.option(
    "--origin",
    type=click.Choice(ORIGINS),
    default="user",
    help="whose word its writes count as, at most",
)
@click.option(
    "--clearance",
    type=click.Choice(tuple(one.value for one in Sensitivity)),
    help="the highest sensitivity it may see [default: public; admin: secret]",
)
@click.option("--days", type=click.FLOAT, help="days until it expires [default: never]")
@store_options
@failing
def create(as_json: bool, **options: Any) -> None:
    """Make a token and print it, once; the store keeps only its SHA-256."""
    names = ("role", "user", "agent", "project", "origin", "clearance", "days")
    wanted = {name: options.pop(name) for name in names}
    called = options.pop("name")
    with opened(options) as memory:
        made = memory.grant(called, **wanted)
    if as_json:
        answer(plain(made), "", as_json=True)
        return
    click.echo(made.token)
    click.echo(_ONCE.format(id=made.grant.id), err=True)


@token.command(name="list")
@store_options
@failing
def list_(as_json: bool, **options: Any) -> None:
    """List the tokens of the tenant; their texts are never shown."""
    with opened(options, reads=True) as memory:
        grants = memory.grants()
    answer({"grants": plain(grants)}, "show_tokens:tokens", as_json=as_json)


@token.command()
@click.argument("id")
@store_options
@failing
def revoke(as_json: bool, **options: Any) -> None:
    """End a token at once.

    \b
      ID: the token's id, or the token
    """
    known = options.pop("id")
    with opened(options) as memory:
        grant = memory.revoke(known)
    answer(plain(grant), "show_tokens:revoked", as_json=as_json)
