"""`engraphy export`, `import` and `restore`: whole files in and out, with progress."""

import sys
from pathlib import Path
from typing import Any

import click

from engraphy.cli.session import answer, failing, opened, store_options
from engraphy.plain import plain

_CHUNK = 1 << 20


@click.command()
@click.argument("path", type=click.Path(dir_okay=False))
@click.option("-u", "--user", help="only what this user sees as their own")
@click.option("--agent", help="only of this agent")
@click.option("-p", "--project", help="only of this project")
@store_options
@failing
def export(
    path: str,
    user: str | None,
    agent: str | None,
    project: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Write memories, links, versions and facts to a JSON Lines file.

    Without a scope everything of the tenant is exported; with one, exactly that scope.
    """
    everything = (user, agent, project) == (None, None, None)
    with opened(options, reads=True) as memory:
        done = memory.export(
            path,
            everything=everything,
            user=user,
            agent=agent,
            project=project,
            allow_private=True,
            allow_secret=True,
        )
    answer(plain(done), "transfer", as_json=as_json)


@click.command()
@click.argument("path", type=click.Path(exists=True, dir_okay=False))
@click.option("--yes", is_flag=True, help="do not ask")
@store_options
@failing
def restore(path: str, yes: bool, as_json: bool, **options: Any) -> None:
    """Replace the whole store by a backup, once the backup has been verified."""
    if not yes:
        click.confirm("This replaces everything in the store. Go on?", abort=True, err=True)
    with opened(options) as memory:
        memory.restore(path)
        stats = plain(memory.stats(allow_private=True, allow_secret=True))
    answer(stats, "stats", as_json=as_json)


@click.command("import")
@click.argument("path", type=click.Path(exists=True, dir_okay=False))
@click.option("--trusted", is_flag=True, help="a backup of your own: keep who said what")
@click.option("-u", "--user", help="into this user's memories")
@click.option("--agent", help="into this agent's")
@click.option("-p", "--project", help="into this project's")
@click.option("--session", help="as of this session")
@store_options
@failing
def import_(
    path: str,
    *,
    trusted: bool,
    user: str | None,
    agent: str | None,
    project: str | None,
    session: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Bring an export in: ids, times and history as they were; what stands already is skipped.

    Unless it is trusted, nothing of a file counts as said by the user: its memories come in as an
    import's, those that instruct are held back (engraphy review), and its facts stay out.
    """
    with (
        opened(options) as memory,
        click.progressbar(
            length=_lines(path), label="importing", hidden=as_json, file=sys.stderr
        ) as bar,
    ):
        done = memory.import_(
            path,
            trusted=trusted,
            progress=bar.update,
            user=user,
            agent=agent,
            project=project,
            session=session,
        )
    answer(plain(done), "transfer", as_json=as_json)


def _lines(path: str) -> int:
    """How many rows a file holds, its header aside."""
    with Path(path).open("rb") as file:
        return max(0, sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(_CHUNK), b"")) - 1)
