"""`engraphy dream`: a cycle, one where it is due, or one whenever it is due."""

import signal
import sys
from typing import Any

import click

from engraphy.cli.session import answer, failing, opened, store_options
from engraphy.engine.nightly import Nightly
from engraphy.errors import AlreadyDreamingError, EngraphyError
from engraphy.memory import Memory
from engraphy.model import DreamReport
from engraphy.opening import attribute
from engraphy.plain import plain


@click.command()
@click.option("--dry-run", is_flag=True, help="show what it would do")
@click.option("--due", is_flag=True, help="only where a cycle is due; says nothing where none is")
@click.option("--watch", is_flag=True, help="stay, and dream whenever a cycle is due")
@store_options
@failing
def dream(dry_run: bool, due: bool, watch: bool, as_json: bool, **options: Any) -> None:
    """Run the profile's maintenance.

    For cron and timers there is --due (see engraphy schedule); --watch does the same in a process
    of its own, until it is ended by SIGTERM or Ctrl-C.
    """
    if watch and dry_run:
        raise click.UsageError("--watch and --dry-run exclude each other.")
    with opened(options) as memory:
        if watch:
            _watch(memory, as_json=as_json)
        else:
            _once(memory, dry_run=dry_run, due=due, as_json=as_json)


def _once(memory: Memory, *, dry_run: bool, due: bool, as_json: bool) -> None:
    try:
        report = memory.dream(dry_run=dry_run, due=due)
    except AlreadyDreamingError:
        if not due:
            raise
        return
    if report.due or as_json:
        answer(plain(report), "dream", as_json=as_json)


def _watch(memory: Memory, *, as_json: bool) -> None:
    def told(report: DreamReport) -> None:
        answer(plain(report), "dream", as_json=as_json)
        sys.stdout.flush()

    def failed(error: EngraphyError) -> None:
        click.echo(f"{type(error).__name__}: {error}", err=True)

    loop = Nightly(
        dream=lambda: memory.dream(due=True),
        clock=attribute("engraphy.providers.clock", "now"),
        told=told,
        failed=failed,
    )

    def end(number: int, frame: object) -> None:  # noqa: ARG001 - the shape of a handler
        loop.stop()
        if loop.dreaming:
            # Every batch is a transaction: what is broken off here is gone on with next time.
            raise SystemExit(0)

    before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        loop.run()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
