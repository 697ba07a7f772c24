"""`engraphy migrate`: a store, or one tenant of it, into another file or database."""

import sys

import click

from engraphy.cli.session import answer, asked_key, failing, json_option
from engraphy.moving import migrate as moved
from engraphy.plain import plain

_AGAIN = "\nNot done: the same command goes on where it stood. Until then TO cannot be opened."


@click.command()
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
@click.option("--tenant", help="only this tenant [default: all]")
@click.option("--ask-key", is_flag=True, help="ask for the key of encrypted files")
@json_option
@failing
def migrate(*, source: str, target: str, tenant: str | None, ask_key: bool, as_json: bool) -> None:
    """Copy a whole store into an empty one; each is a file or postgresql://...

    Everything comes along: texts and their history, the journal with its hashes, vectors, tokens,
    what maintenance remembers. FROM is only read. If it is interrupted, call it again: it goes on
    where it stopped. TO cannot be opened before every row was compared. Stop what writes to FROM
    first: what is written meanwhile is not copied.
    """
    key = asked_key("Key") if ask_key else None
    told = _Told()
    heard = None if as_json or not sys.stderr.isatty() else told.hear
    try:
        result = moved(source, target, tenant=tenant, key=key, progress=heard)
    except KeyboardInterrupt:
        click.echo(_AGAIN, err=True)
        raise
    answer(plain(result), "show_migrating:moved", as_json=as_json)


class _Told:
    """What a terminal shows meanwhile: a line per table."""

    def __init__(self) -> None:
        self._table, self._rows = "", 0

    def hear(self, table: str, rows: int) -> None:
        """So many more rows of a table."""
        self._rows = self._rows + rows if table == self._table else rows
        end = "" if table == self._table or not self._table else "\n"
        self._table = table
        click.echo(f"{end}\r{table}: {self._rows}", nl=False, err=True)
