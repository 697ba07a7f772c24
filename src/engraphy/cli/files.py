"""`engraphy export`, `import` and `restore`: whole files in and out, with progress."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from engraphy.cli.session import answer, failing, opened, store_options
from engraphy.engine.keeping import check_export
from engraphy.errors import InvalidInputError, NameTakenError, UnreadableFileError
from engraphy.keys import KEYRING
from engraphy.memory import Memory
from engraphy.plain import plain
from engraphy.settings import settings

_CHUNK = 1 << 20
_LEFT_OUT = "What is left out stood here already, or counts in a file of your own only: --trusted."
_BESIDE = "{:,} more are bound to it and to what was not named: --everything has them as well."
_AGAIN = "What came in by now is kept; the same command goes on with the rest."
_NEW = "a new file, or --force in the place of an earlier export"
_WHOLE = "a file's name: an export has its name once it is whole, and so is not written to a pipe"
_OWN, _AUTO = "engraphy", "auto"
_SOURCES = [
    "auto-memory",
    "basic-memory",
    "chatgpt",
    "claude-ai",
    "claude-code",
    "claude-mem",
    "codex",
    "cursor",
    "gemini",
    "letta",
    "mem0",
    "obsidian",
    "rules",
    "server-memory",
]
_STEP, _WIDE = 25, 40


@click.command()
@click.argument("path", type=click.Path(dir_okay=False))
@click.option("-u", "--user", help="only what this user sees as their own")
@click.option("--agent", help="only of this agent")
@click.option("-p", "--project", help="only of this project")
@click.option(
    "--everything", is_flag=True, help="also what is bound to further agents and projects"
)
@click.option("--force", is_flag=True, help="replace an earlier export")
@store_options
@failing
def export(
    path: str,
    *,
    force: bool,
    user: str | None,
    agent: str | None,
    project: str | None,
    everything: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Write memories, links, versions and facts to a JSON Lines file.

    Without a scope everything of the tenant is exported; with one, exactly that scope, and with
    --everything all that is bound to it: of a user, what they told any agent in any project. An
    existing file is replaced only with --force, and only if it is an export.
    """
    if path == "-":
        raise InvalidInputError(field="PATH", got=path, allowed=_WHOLE)
    if not force and _is_there(path):
        raise NameTakenError(field="PATH", got=path, allowed=_NEW)
    walls = {"user": user, "agent": agent, "project": project}
    whole = everything or not any(walls.values())
    with opened(options, reads=True) as memory:
        done = memory.export(
            path,
            everything=whole,
            user=user,
            agent=agent,
            project=project,
            allow_private=True,
            allow_secret=True,
        )
        beside = 0 if whole else _beside(memory, walls)
    answer(plain(done), "transfer", as_json=as_json)
    if beside:
        click.echo(_BESIDE.format(beside), err=True)


def _beside(memory: Memory, walls: dict[str, str | None]) -> int:
    """How many memories are bound to what was named and to more, which was not."""
    found = [({wall: getattr(one, wall) for wall in walls}, one) for one in memory.owners()]
    return sum(
        one.memories
        for held, one in found
        if held != walls and all(name in (None, held[wall]) for wall, name in walls.items())
    )


def _is_there(path: str) -> bool:
    with suppress(OSError):
        return Path(path).exists()
    # No file can be called so: writing it says why.
    return False


@click.command()
@click.argument("path", type=click.Path(exists=True, dir_okay=False))
@click.option("--yes", is_flag=True, help="do not ask")
@store_options
@failing
def restore(path: str, yes: bool, as_json: bool, **options: Any) -> None:
    """Replace the whole store by a backup, once the backup has been verified."""
    if not yes:
        click.confirm("This replaces everything in the store. Continue?", abort=True, err=True)
    with opened(options, before=partial(_restorable, path, **options)) as memory:
        memory.restore(path)
        found = plain(memory.doctor())
    # Of the whole store: a count would be of one scope's memories.
    answer({"checks": found}, "doctor", as_json=as_json)


def _restorable(path: str, *, ask_key: bool, **_: Any) -> None:
    """Whether a backup can be restored, tried where nothing is left of it; not where that would
    have another key than the store."""
    if not ask_key and settings().key != KEYRING:
        with Memory(":memory:", profile="default", embedder="none") as tried:
            tried.restore(path)


@click.command("import")
@click.argument("path", type=click.Path(exists=True))
@click.option(
    "--from",
    "source",
    type=click.Choice([_OWN, _AUTO, *_SOURCES]),
    default=_OWN,
    metavar="SOURCE",
    help=f"whose it is: {_OWN} (an export of it), {_AUTO} (found out), {', '.join(_SOURCES)}",
)
@click.option("--trusted", is_flag=True, help="it is yours: what it says counts as said by you")
@click.option("--forgotten", is_flag=True, help="also bring in what was forgotten here")
@click.option("--dry-run", is_flag=True, help="show what would come in, and what would not")
@click.option(
    "--shared", is_flag=True, help="for all users, agents and projects, whatever the source says"
)
@click.option("-u", "--user", help="into this user's memories")
@click.option("--agent", help="into this agent's")
@click.option("-p", "--project", help="into this project's; auto: as the source says")
@click.option("--session", help="as said in this session")
@store_options
@failing
def import_(
    path: str,
    *,
    source: str,
    trusted: bool,
    forgotten: bool,
    dry_run: bool,
    shared: bool,
    user: str | None,
    agent: str | None,
    project: str | None,
    session: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Bring in an export of engraphy; with --from, another memory's files or transcripts.

    Importing the same again changes nothing; `engraphy undo --last import` takes the last import
    from elsewhere out again.

    Without --trusted nothing in a file counts as said by the user: it comes in as imported, what
    gives orders is held back (engraphy review), and facts stay out. In conversations the user's
    messages count as the user's.
    """
    walls = {"user": user, "agent": agent, "session": session}
    walls["project"] = None if project == _AUTO else project
    if source == _OWN:
        if dry_run or shared or forgotten:
            message = "--dry-run, --shared and --forgotten are for --from another source."
            raise click.UsageError(message)
        _own_export(path, trusted=trusted, as_json=as_json, options=options, walls=walls)
        return
    importers = import_module("engraphy.importers")
    imported: Callable[..., Any] = importers.imported
    before = partial(importers.check, path, source)
    with (
        _interrupted(),
        opened(options, tries=dry_run, before=before) as memory,
        _counting(as_json=as_json) as count,
    ):
        done = imported(
            memory,
            path,
            source=source,
            trusted=trusted,
            forgotten=forgotten,
            dry_run=dry_run,
            shared=shared,
            progress=count,
            **walls,
        )
    answer(plain(done), "show_importing:imported", as_json=as_json)


def _own_export(
    path: str, *, trusted: bool, as_json: bool, options: dict[str, Any], walls: dict[str, Any]
) -> None:
    if Path(path).is_dir():
        raise UnreadableFileError(path=path, problem="it is a folder; say --from whose it is")
    with (
        _interrupted(),
        opened(options, before=partial(check_export, path)) as memory,
        click.progressbar(
            length=_lines(path),
            label="importing",
            hidden=as_json or not sys.stderr.isatty(),
            file=sys.stderr,
        ) as bar,
    ):
        done = memory.import_(path, trusted=trusted, progress=bar.update, **walls)
    answer(plain(done), "transfer", as_json=as_json)
    if done.skipped and not (trusted or as_json):
        click.echo(_LEFT_OUT, err=True)


@contextmanager
def _interrupted() -> Iterator[None]:
    """Say what an interrupt leaves."""
    try:
        yield
    except KeyboardInterrupt:
        click.echo(f"\n{_AGAIN}", err=True)
        raise


@contextmanager
def _counting(*, as_json: bool) -> Iterator[Callable[[int], None]]:
    """A line on a terminal that tells how many things were read; how many there are nobody knows
    before they are."""
    shown = not as_json and sys.stderr.isatty()
    read = 0

    def count(more: int) -> None:
        nonlocal read
        read += more
        if shown and read % _STEP == 0:
            click.echo(f"\r{read:,} read", nl=False, err=True)

    yield count
    if shown and read >= _STEP:
        click.echo("\r" + " " * _WIDE + "\r", nl=False, err=True)


def _lines(path: str) -> int:
    """How many rows a file holds, its header aside."""
    with Path(path).open("rb") as file:
        return max(0, sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(_CHUNK), b"")) - 1)
