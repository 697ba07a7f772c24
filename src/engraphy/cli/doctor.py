"""`engraphy doctor`: the operation, and `--repair`, for which no store is opened."""

from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from engraphy import here
from engraphy.cli.commands import command
from engraphy.cli.session import FAILED, answer, failing
from engraphy.errors import InvalidInputError
from engraphy.opening import store_file
from engraphy.settings import is_server


def _with_repair() -> click.Command:
    """The operation's command with the options that only a command line has."""
    made = command("doctor")
    examine: Any = made.callback

    def run(*, repair: bool, dry_run: bool, **options: Any) -> None:
        if repair:
            _repair(options, dry_run=dry_run)
        elif dry_run:
            raise click.UsageError("--dry-run is for --repair.")
        else:
            examine(**options)

    made.callback = failing(run)
    made.params += [
        click.Option(
            ["--repair"],
            is_flag=True,
            help="rebuild a damaged store from what can be read; the old file is kept beside it",
        ),
        click.Option(
            ["--dry-run"], is_flag=True, help="with --repair: only say what it would keep"
        ),
    ]
    return made


def _repair(options: dict[str, Any], *, dry_run: bool) -> None:
    if options["deep"] or options["reembed"]:
        raise click.UsageError("--repair first, --deep and --reembed afterwards.")
    file = store_file(options["store"], options["knobs"])
    if is_server(file):
        # Its place is not repeated: a password may stand in it.
        allowed = "one in a file; what a database has lost comes back from a backup of its server"
        raise InvalidInputError(field="the store", got="a PostgreSQL database", allowed=allowed)
    home = here.home()
    if Path(file).absolute().parent == Path(home).absolute():
        # It would have the file open.
        import_module("engraphy.cli.daemon").ended(home)
    done = import_module("engraphy.stores.sqlite.repairing").repair(file, dry_run=dry_run)
    answer(asdict(done), "show_repair:repaired", as_json=options["as_json"])
    if done.checks:
        raise SystemExit(FAILED)


doctor = _with_repair()
