"""`engraphy daemon` and `engraphy hook`: what agents call, and what waits for them."""

import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import click

from engraphy import __version__, here
from engraphy.cli.session import FAILED, answer, failing, json_option

_CALLED = ("AGENT", "EVENT")
_PATIENCE = 15.0
_POLL = 0.05
_ANSWERING = 2.0
_LONGEST = 900.0
"""Seconds after which a process that only works off what waits is over, whatever it is at."""


def _room(name: str) -> Any:
    return import_module(f"engraphy.hooks.{name}")


@click.group()
def daemon() -> None:
    """Keep the memory open for hooks, so that agents never wait.

    With the daemon prompts are answered by the whole search, without it by their words alone. It
    listens on a socket that only you may open, and ends after half an hour without a question.
    After `enable` hooks start it by themselves; ENGRAPHY_DAEMON (auto or off) overrides that.
    """


@daemon.command()
@click.option(
    "--idle", default=30.0, show_default=True, help="minutes without a question until it ends"
)
@click.option("--once", is_flag=True, help="only process what waits, then end")
@failing
def run(*, idle: float, once: bool) -> None:
    """Run the daemon in the foreground."""
    home = here.home()
    if once:
        late = threading.Timer(_LONGEST, os._exit, [0])
        late.daemon = True
        late.start()
        _room("serving").work_off(home)
        return
    made = _room("serving").Daemon(home, idle_minutes=idle, unix=_has_unix())
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: made.stop())
    ends = here.stopwatch() + _PATIENCE
    # One of another version may be about to end: it is waited for.
    while not made.run() and here.stopwatch() < ends:
        if _asked(home, "status") is not None:
            click.echo("A daemon runs already.", err=True)
            return
        threading.Event().wait(_POLL * 4)


@daemon.command()
@click.option("--idle", default=30.0, show_default=True, help="minutes without a question")
@json_option
@failing
def start(*, idle: float, as_json: bool) -> None:
    """Start it in the background; if it runs already, say so."""
    home = here.home()
    told = _asked(home, "status")
    if told is None:
        _room("spool").folder(home)
        _room("starting").start(home, ["daemon", "run", "--idle", str(idle)])
        told = _until(lambda: _asked(home, "status"))
    if told is None:
        click.echo("The daemon did not start. To see why: engraphy daemon run", err=True)
        sys.exit(FAILED)
    answer(told, "show_daemon:status", as_json=as_json)


@daemon.command()
@json_option
@failing
def enable(*, as_json: bool) -> None:
    """From now on the first hook of any agent starts it."""
    home = here.home()
    _room("enabling").enable(_room("spool").folder(home))
    answer(_status(home), "show_daemon:status", as_json=as_json)


@daemon.command()
@json_option
@failing
def disable(*, as_json: bool) -> None:
    """Stop it, and let no hook start it again. What waits is kept."""
    home = here.home()
    _room("enabling").disable(_room("spool").folder(home))
    ended(home)
    answer(_status(home), "show_daemon:status", as_json=as_json)


@daemon.command()
@json_option
@failing
def stop(*, as_json: bool) -> None:
    """Stop it, once what is under way is done. What waits is kept."""
    answer(ended(here.home()) or {}, "show_daemon:stopped", as_json=as_json)


def ended(home: str) -> dict[str, Any] | None:
    """End the daemon of a home; what it said, None where none ran."""
    told = _asked(home, "stop")
    if told is not None:
        _until(lambda: {} if _asked(home, "status") is None else None)
    return told


@daemon.command()
@json_option
@failing
def status(*, as_json: bool) -> None:
    """Show whether it runs, since when, what waits to be kept, and whether hooks start it."""
    answer(_status(here.home()), "show_daemon:status", as_json=as_json)


def _status(home: str) -> dict[str, Any]:
    """What the daemon says of itself, or that none runs; and whether hooks start it."""
    told = _asked(home, "status") or {"waiting": len(_room("spool").waiting(home))}
    return {**told, "enabled": _room("enabling").is_enabled(_room("spool").folder(home))}


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("words", metavar="AGENT EVENT", nargs=-1, type=click.UNPROCESSED)
def hook(words: Sequence[str]) -> None:
    """Called by an agent's hooks, which `engraphy install` sets up.

    It reads what the agent says on standard input, and prints what is to be added to the prompt, in
    the form that the agent expects. It always exits with 0, in time, so that it never stops the
    agent. ENGRAPHY_HOOKS=off switches all hooks off.
    """
    if len(words) < len(_CALLED):
        missing = " and ".join(_CALLED[len(words) :])
        click.echo(
            f"engraphy hook {' '.join(_CALLED)}: without {missing} it does nothing", err=True
        )
        return
    _room("door").main(list(words))


def _asked(home: str, what: str) -> dict[str, Any] | None:
    """What the daemon says; None where none answers."""
    line = _room("line")
    try:
        asked, token = line.call(f"{home}{os.sep}hooks", _ANSWERING)
        with asked:
            line.say(asked, [__version__, here.mark(), token or "-", what])
            _, said = line.hear(asked)
    except OSError:
        return None
    told: dict[str, Any] = json.loads(said)
    return told


def _until(found: Callable[[], dict[str, Any] | None]) -> dict[str, Any] | None:
    ends = here.stopwatch() + _PATIENCE
    while here.stopwatch() < ends:
        told = found()
        if told is not None:
            return told
        threading.Event().wait(_POLL)
    return None


def _has_unix() -> bool:
    return sys.platform != "win32"
