"""`engraphy dream`: a cycle, one where it is due, or one whenever it is due."""

import signal
import sys
from pathlib import Path
from typing import Any

import click

from engraphy.cli.session import answer, failing, opened, store_options
from engraphy.dream.picture import picture
from engraphy.dream.report import PAGE, page
from engraphy.engine.nightly import Nightly
from engraphy.errors import AlreadyDreamingError, EngraphyError, UnreadableFileError
from engraphy.memory import Memory
from engraphy.model import DreamReport
from engraphy.model.survey import Survey
from engraphy.plain import plain
from engraphy.providing import attribute


@click.command()
@click.option("--dry-run", is_flag=True, help="show what it would do")
@click.option("--due", is_flag=True, help="only where a cycle is due; says nothing where none is")
@click.option("--watch", is_flag=True, help="stay, and dream whenever a cycle is due")
@click.option("--report", type=click.Path(dir_okay=False), help="write a page and its picture too")
@store_options
@failing
def dream(
    *, dry_run: bool, due: bool, watch: bool, report: str | None, as_json: bool, **options: Any
) -> None:
    """Run the maintenance that the profile lists.

    --report FILE.md writes what it did as Markdown, with a picture (FILE.svg) beside it: how
    memories fade, and how many there are, before and after.

    --due is for cron and timers (see engraphy schedule); --watch does the same in a process of its
    own, until SIGTERM or Ctrl-C ends it.
    """
    if watch and (dry_run or report):
        raise click.UsageError("--watch stands alone, without --dry-run and --report.")
    with opened(options, alone=True) as memory:
        if watch:
            _watch(memory, as_json=as_json)
            return
        file = None if report is None else _free(Path(report))
        before = None if file is None else memory.survey()
        done = _once(memory, dry_run=dry_run, due=due)
        if done is not None and (done.due or as_json):
            answer(plain(done), "dream", as_json=as_json)
        if done is not None and done.due and file is not None and before is not None:
            _written(file, done, before, None if dry_run else memory.survey())


def _once(memory: Memory, *, dry_run: bool, due: bool) -> DreamReport | None:
    """A cycle; None where somebody else is at what is only due."""
    try:
        return memory.dream(dry_run=dry_run, due=due)
    except AlreadyDreamingError:
        if not due:
            raise
        return None


def _free(file: Path) -> Path:
    """A page that can be written once the cycle is over: of nothing, or of an earlier one. Raises
    UnreadableFileError before anything is done."""
    problem = ""
    if file.suffix == ".svg":
        problem = "that is the name of the picture beside it: choose FILE.md"
    elif not file.parent.is_dir():
        problem = "its folder is not there"
    elif file.exists() and not file.read_bytes().startswith(PAGE.encode()):
        problem = "it exists and is no page of a dream; choose another path"
    if problem:
        raise UnreadableFileError(path=str(file), problem=problem)
    return file


def _written(file: Path, done: DreamReport, before: Survey, after: Survey | None) -> None:
    """The page and the picture beside it. Raises UnreadableFileError."""
    beside = file.with_suffix(".svg")
    try:
        beside.write_text(picture(before, after), encoding="utf-8", newline="\n")
        file.write_text(page(done, before, after, beside.name), encoding="utf-8", newline="\n")
    except OSError as error:
        raise UnreadableFileError(path=str(file), problem=str(error)) from error
    click.echo(f"{file} and {beside}", err=True)


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
