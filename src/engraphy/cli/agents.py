"""`engraphy install`, `uninstall`, `status` and `project`: memory in the agents people use."""

import difflib
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from engraphy.agents import (
    Agent,
    Edit,
    Keeper,
    Places,
    Program,
    agent,
    agents,
    installed,
    is_installed,
    stopped,
    told,
)
from engraphy.cli.session import FAILED, answer, failing, json_option
from engraphy.engine.scoping import name as scope_name
from engraphy.errors import InvalidInputError
from engraphy.project import name_project, project_of
from engraphy.providers.clock import now
from engraphy.settings import environment, settings
from engraphy.text.moments import iso

_NO_SERVER = (
    "The hooks work. The MCP server does not start yet, because its SDK is missing. Install it:\n"
    'pip install "engraphy[agents]"'
)
_OFF = (
    "{title}: the hooks will never fire: {setting}\n"
    "switches all hooks off. This is your setting and stays as it is; without it they fire."
)
_INHERITED = (
    "{title}: its hooks take {names} from the environment that it is started in.\n"
    "Set it there too, or hooks and server keep different memories."
)
_WITHHELD = (
    "{title}: {names} has a password, so it is written into no settings. Set it\n"
    "where {title} is started, or keep the password in ~/.pgpass and install again."
)
_BY_WORDS = (
    "Prompts are answered by their words alone. For the whole search, from a background process\n"
    "that ends after half an hour without a prompt: engraphy daemon enable"
)
_DAY = 24 * 3_600 * 1_000_000
_NAMES = click.Choice(list(agents()))
_SHARED = (
    click.argument("names", metavar="AGENT...", nargs=-1, type=_NAMES),
    click.option(
        "--project",
        is_flag=True,
        help="only for the project in this folder, in its own settings files",
    ),
    click.option("--dry-run", is_flag=True, help="show what would change, and write nothing"),
    click.option("--yes", "-y", is_flag=True, help="do not ask"),
)


def _shared(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(_SHARED):
        command = option(command)
    return command


@click.command(name="install")
@_shared
@click.option(
    "--daemon", is_flag=True, help="answer prompts by the whole search (see engraphy daemon enable)"
)
@failing
def install(*, names: Sequence[str], project: bool, dry_run: bool, yes: bool, daemon: bool) -> None:
    """Give an agent this memory: its hooks and its MCP server.

    Without a name: every agent found on this machine. It shows the changes and asks before it
    writes them, and leaves everything else in the files as it is. Doing it again changes nothing;
    `engraphy uninstall` restores the files.
    """
    places = _places(project=project)
    chosen = [agent(name) for name in names] or [
        one for one in agents().values() if places.is_here(one) and _has(one, places)
    ]
    if not chosen:
        _fail(
            f"No agent was found on this machine. To set one up all the same, name it: "
            f"{', '.join(agents())}"
        )
    keeper, program = _keeper(), Program.here(places.environment)
    for one in chosen:
        edits, off = installed(one, places, program), stopped(one, places)
        agreed = _agreed(one, edits, "installed already", off, dry_run=dry_run, yes=yes)
        if agreed:
            keeper.install(one, places, edits, now())
            after = "Its hooks stay off, see above." if off else one.after
            click.echo(f"{one.title}: installed. {after}")
            _tell_of_environment(one, places, program)
    if any(one.has_hooks for one in chosen) and not dry_run:
        _tell_of_daemon(daemon=daemon)
    if not find_spec("mcp"):
        click.echo(_NO_SERVER, err=True)


def _tell_of_daemon(*, daemon: bool) -> None:
    """Enable the daemon where that is wanted; else say what it is for."""
    enabling, spool = (import_module(f"engraphy.hooks.{name}") for name in ("enabling", "spool"))
    folder = spool.folder(str(settings().home))
    if daemon:
        enabling.enable(folder)
        click.echo("The first prompt starts the daemon; it ends after half an hour without one.")
    elif not enabling.is_enabled(folder):
        click.echo(_BY_WORDS)


def _tell_of_environment(one: Agent, places: Places, program: Program) -> None:
    """Say which settings of this shell an agent has only where it is started with them."""
    names = told(places.environment)
    if one.has_hooks and names:
        click.echo(_INHERITED.format(title=one.title, names=", ".join(names)), err=True)
    if withheld := [name for name in names if name not in program.env]:
        click.echo(_WITHHELD.format(title=one.title, names=", ".join(withheld)), err=True)


@click.command(name="uninstall")
@_shared
@failing
def uninstall(*, names: Sequence[str], project: bool, dry_run: bool, yes: bool) -> None:
    """Take this memory out of an agent's settings. The memories stay where they are.

    A file that nobody changed since is as it was before, byte for byte.
    """
    places, keeper = _places(project=project), _keeper()
    chosen = [agent(name) for name in names] or [
        one for one in agents().values() if _has(one, places) and is_installed(one, places)
    ]
    if not chosen:
        click.echo("It is installed in no agent. `engraphy status` shows which agents are here.")
    for one in chosen:
        edits = keeper.uninstall(one, places)
        if _agreed(one, edits, "not installed", (), dry_run=dry_run, yes=yes):
            keeper.leave(one, places, edits)
            click.echo(f"{one.title}: uninstalled.")


@click.command(name="status")
@json_option
@failing
def status(*, as_json: bool) -> None:
    """Show which agents have this memory, which hook ran last, and what it brought.

    Of the last 24 hours: how many hooks ran, how many memories went into prompts at which cost, and
    how much was kept. No text of a memory is shown.
    """
    places, keeper, moment = _places(project=False), _keeper(), now()
    lines = import_module("engraphy.hooks.activity").read(str(settings().home))
    rows = [_status(one, places, keeper, moment, lines) for one in agents().values()]
    answer({"agents": rows}, "show_agents:status", as_json=as_json)


@click.command(name="project")
@click.option("--name", help="call it this from now on, as others who share the store do")
@json_option
@failing
def project(*, name: str | None, as_json: bool) -> None:
    """Show which project this folder belongs to, for --project, hooks and the MCP server.

    Its name is that of the folder, with some digits made of its place. Where several people share
    a store, each names their own clone by the same --name: what agents keep in one is then found in
    the others. Running agents keep the old name until they are restarted.
    """
    folder, told = Path.cwd(), scope_name("name", name)
    had = project_of(folder)
    if told is not None:
        if name_project(folder, told) is None:
            allowed = "a folder of a project: what is told at home is told for all of them"
            raise InvalidInputError(field="folder", got=str(folder), allowed=allowed)
        # What hooks know of folders by heart is of the name before.
        card = import_module("engraphy.hooks.glancing").CARD
        Path(settings().home, "hooks", card).unlink(missing_ok=True)
    value = {"project": project_of(folder), "folder": str(folder), "before": had}
    answer(value, "show_agents:project", as_json=as_json)


def _status(
    one: Agent, places: Places, keeper: Keeper, moment: int, lines: Iterable[dict[str, Any]]
) -> dict[str, Any]:
    """One agent's row; moments as ISO 8601."""
    own = [line for line in lines if line.get("agent") == one.name]
    day = [line for line in own if line.get("at", 0) >= moment - _DAY]
    fired = [line for line in own if line.get("phase") == "fired"]
    skipped: Counter[str] = Counter()
    for line in day:
        skipped.update(line.get("skipped") or {})
    return {
        "agent": one.name,
        "title": one.title,
        "here": places.is_here(one),
        "installed": is_installed(one, places),
        "since": keeper.installed_at(one, places),
        "hooks": one.has_hooks,
        "last": _last(fired[-1]) if fired else None,
        "day": {
            "fired": sum(line.get("phase") == "fired" for line in day),
            "injected": sum(len(line.get("injected") or ()) for line in day),
            "tokens": sum(line.get("tokens") or 0 for line in day),
            "captured": sum(len(line.get("captured") or ()) for line in day),
            "skipped": dict(skipped),
            "failed": sum(len(line.get("failed") or ()) for line in day),
        },
    }


def _last(line: dict[str, Any]) -> dict[str, Any]:
    told = ("event", "project", "session", "way", "ms")
    return {"at": iso(line["at"]), **{name: line.get(name) for name in told}}


def _agreed(
    one: Agent,
    edits: Sequence[Edit],
    otherwise: str,
    off: Sequence[str],
    *,
    dry_run: bool,
    yes: bool,
) -> bool:
    """Whether the edits are to be written: shown first, asked for at a terminal. `off`: settings
    of the user's that stay, and keep the hooks from firing."""
    changed = [edit for edit in edits if edit.changes]
    for edit in changed:
        _show(edit)
    for setting in off:
        click.echo(_OFF.format(title=one.title, setting=setting))
    if not changed:
        click.echo(f"{one.title}: {otherwise}.")
        return False
    if dry_run or yes:
        return yes and not dry_run
    if not sys.stdin.isatty():
        _fail("Nothing was written, because nobody can be asked here. Add --yes to write it.")
    return click.confirm(f"Write this for {one.title}?", default=True)


def _show(edit: Edit) -> None:
    """The difference, in colour at a terminal."""
    before, after = ((text or "").splitlines() for text in (edit.before, edit.after))
    name = str(edit.path)
    was = name if edit.before is not None else "nothing"
    becomes = name if edit.after is not None else "nothing"
    for line in difflib.unified_diff([*before], [*after], was, becomes, lineterm=""):
        colour = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1])
        click.echo(click.style(line, fg=colour) if colour else line)


def _has(one: Agent, places: Places) -> bool:
    return places.project is None or all(part.project for part in one.file)


def _places(*, project: bool) -> Places:
    return Places.here(environment(), Path.cwd() if project else None)


def _keeper() -> Keeper:
    return Keeper(home=settings().home)


def _fail(text: str) -> None:
    click.echo(text, err=True)
    raise SystemExit(FAILED)
