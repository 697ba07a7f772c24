"""`engraphy schedule`: who wakes `engraphy dream --due` every night."""

import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import platformdirs

from engraphy.cli.session import FAILED, answer, embedder_of, failing, json_option, store_options
from engraphy.opening import open_profile
from engraphy.providers import installing
from engraphy.providers.installing import Ran
from engraphy.providers.schedules import At, KINDS, Schedule, checked, cron
from engraphy.settings import profile_tables, settings

_NAME = re.compile(r"[a-z0-9][a-z0-9.-]{0,60}")
_USUAL = {"profile": "default", "tenant": "default", "embedder": "static"}


def _time(context: click.Context, option: click.Parameter, value: str) -> At:
    found = re.fullmatch(r"([01]?\d|2[0-3]):([0-5]\d)", value)
    if found is None:
        raise click.BadParameter(f"{value!r} is no time of day such as 03:30", context, option)
    return At(int(found[1]), int(found[2]))


def _named(context: click.Context, option: click.Parameter, value: str) -> str:
    if not _NAME.fullmatch(value):
        allowed = "lower-case letters, digits, dots and hyphens"
        raise click.BadParameter(f"{value!r}: allowed are {allowed}", context, option)
    return value


def _kind(context: click.Context, option: click.Parameter, value: str | None) -> str:
    if value is not None:
        return value
    kind = {"darwin": "launchd", "win32": "schtasks"}.get(sys.platform, "systemd")
    if kind == "systemd" and shutil.which("systemctl") is None:
        problem = "there is no systemd here: engraphy schedule cron prints a line for crontab"
        raise click.BadParameter(problem, context, option)
    return kind


_AT = click.option("--at", default="03:30", callback=_time, help="the time of day [default: 03:30]")
_SHARED = (
    click.option(
        "--name",
        default="engraphy-dream",
        callback=_named,
        help="name of the files and of the timer",
    ),
    click.option(
        "--for", "kind", type=click.Choice(list(KINDS)), callback=_kind, help="for this scheduler"
    ),
)


def _shared(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(_SHARED):
        command = option(command)
    return command


@click.group()
def schedule() -> None:
    """Run maintenance every night, by a timer of the system.

    The timer runs `engraphy dream --due`, which does nothing unless maintenance is due. Keys of
    models are not written into its files: with systemd, put them into
    ~/.config/engraphy/environment.
    """


@schedule.command()
@_AT
@click.option("--dry-run", is_flag=True, help="show what would be written, and write nothing")
@click.option("--no-enable", is_flag=True, help="write the files, and switch nothing on")
@_shared
@store_options
@failing
def install(
    *,
    at: At,
    dry_run: bool,
    no_enable: bool,
    name: str,
    kind: str,
    as_json: bool,
    **options: Any,
) -> None:
    """Write the files of a timer for this store, show them, and switch it on.

    Called again with other options it rewrites them; files that it did not write stay as they are.
    """
    made = KINDS[kind](name, _command(options), at, _folder(kind))
    stood = installing.states(made) if dry_run else installing.write(made)
    # What Windows' scheduler knows is made by its user, who sees there what it asks for.
    by_hand = dry_run or no_enable or kind == "schtasks"
    done = [] if by_hand else [installing.run(one) for one in made.on]
    _tell(made, stood, done, made.on, as_json=as_json)


@schedule.command()
@click.option("--dry-run", is_flag=True, help="show what would be taken away")
@_shared
@json_option
@failing
def uninstall(dry_run: bool, name: str, kind: str, as_json: bool) -> None:
    """Switch the timer off and remove its files; nothing else is touched."""
    made = _any(name, kind)
    stood = installing.ours(made)
    known = any(state != "missing" for _, state in stood)
    done = []
    if known and not dry_run:
        # Switched off while its files are there, and forgotten once they are gone.
        done = [installing.run(made.off[0])]
        installing.remove(made)
        done += [installing.run(one) for one in made.off[1:]]
    gone = Schedule(files=tuple((path, "") for path, _ in made.files))
    by_hand = made.off if dry_run or kind == "schtasks" else ()
    _tell(gone, stood, done, by_hand, as_json=as_json)


@schedule.command()
@_shared
@json_option
@failing
def status(name: str, kind: str, as_json: bool) -> None:
    """Show whether the files of the timer are there, and whether it is switched on."""
    made = _any(name, kind)
    stood = installing.states(made)
    asked = installing.run(made.asked)
    files = [{"path": str(path), "written": state != "missing"} for path, state in stood]
    value = {"files": files, "enabled": asked.ok, "said": asked.said}
    answer(value, "show_schedule:status", as_json=as_json)


@schedule.command("cron")
@_AT
@store_options
@failing
def cron_(at: At, as_json: bool, **options: Any) -> None:
    """Print a line for crontab that does the same; add it with crontab -e."""
    answer({"line": cron(_command(options), at)}, "show_schedule:cron", as_json=as_json)


def _any(name: str, kind: str) -> Schedule:
    """A schedule whose files and commands are asked for, whatever stands in them."""
    return KINDS[kind](name, ("engraphy",), At(0, 0), _folder(kind))


def _folder(kind: str) -> Path:
    if kind == "launchd":
        return Path.home() / "Library" / "LaunchAgents"
    return Path(platformdirs.user_config_dir()) / "systemd" / "user"


def _command(options: dict[str, Any]) -> tuple[str, ...]:
    """`engraphy dream --due` for the store that is meant here and now, in any other environment:
    what the variables say is written out, and paths are whole."""
    said = settings()
    store = Path(options.pop("store") or said.database).expanduser().absolute()
    profile = options.pop("knobs") or said.profile
    open_profile(profile)
    if profile_tables(profile) is not None:
        profile = str(Path(profile).expanduser().absolute())
    none, chosen = options.pop("no_embed"), options.pop("embedder")
    wanted = {
        "profile": profile,
        "tenant": options.pop("tenant") or said.tenant,
        "embedder": embedder_of(chosen, none=none) or said.embedder,
    }
    told = ["dream", "--due", "--db", str(store)]
    for key, value in wanted.items():
        if value != _USUAL[key]:
            told += [f"--{key}", value]
    return checked([*_program(), *told])


def _program() -> list[str]:
    """How the command line is started by its whole path."""
    script = Path(sys.executable).with_name("engraphy")
    return [str(script)] if script.is_file() else [sys.executable, "-P", "-m", "engraphy.cli"]


def _tell(
    made: Schedule,
    stood: list[tuple[Path, installing.State]],
    done: list[Ran],
    by_hand: tuple[tuple[str, ...], ...],
    *,
    as_json: bool,
) -> None:
    states = dict(stood)
    value = {
        "files": [
            {"path": str(path), "before": states[path], "text": text} for path, text in made.files
        ],
        "ran": [{"command": list(one.command), "ok": one.ok, "said": one.said} for one in done],
        "to_run": [] if done else [list(one) for one in by_hand],
        "note": made.note,
    }
    answer(value, "show_schedule:written", as_json=as_json)
    if not all(one.ok for one in done):
        raise SystemExit(FAILED)
