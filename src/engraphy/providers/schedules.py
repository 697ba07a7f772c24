"""What wakes a command every night, as files and commands of systemd, launchd, Windows and cron."""

import plistlib
import re
import shlex
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from engraphy.errors import InvalidInputError
from engraphy.record import Record

MARK: Final = "Written by engraphy schedule install, which overwrites it."
"""Stands in every file of ours; a file without it is somebody else's."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_BARE = re.compile(r"[\w@%+=:,./$-]+")
_DELAY_MINUTES = 10


class At(NamedTuple):
    """A time of day, on the machine's own clock."""

    hour: int
    minute: int


class Schedule(Record, frozen=True, kw_only=True):
    """Files to be written, and the commands that switch a schedule on and off and ask whether it
    is on; `note` is what a person may have to do beside that."""

    files: tuple[tuple[Path, str], ...] = ()
    on: tuple[tuple[str, ...], ...] = ()
    off: tuple[tuple[str, ...], ...] = ()
    asked: tuple[str, ...] = ()
    note: str = ""


Making = Callable[[str, Sequence[str], At, Path], Schedule]
"""From a name, a command, a time of day and the folder of such files to a schedule."""


def systemd(name: str, command: Sequence[str], at: At, folder: Path) -> Schedule:
    """A timer and its service of the user's own systemd (systemd.timer(5), systemd.service(5)); a
    night that the machine slept through is made up for."""
    service = f"""\
# {MARK}
[Unit]
Description=engraphy looks after its memory where that is due

[Service]
Type=oneshot
ExecStart={" ".join(map(_for_systemd, command))}
EnvironmentFile=-%E/engraphy/environment
Nice=10
IOSchedulingClass=idle
"""
    timer = f"""\
# {MARK}
[Unit]
Description=engraphy dreams every night

[Timer]
OnCalendar=*-*-* {at.hour:02}:{at.minute:02}:00
Persistent=true
RandomizedDelaySec={_DELAY_MINUTES}min

[Install]
WantedBy=timers.target
"""
    control = ("systemctl", "--user")
    return Schedule(
        files=((folder / f"{name}.service", service), (folder / f"{name}.timer", timer)),
        on=((*control, "daemon-reload"), (*control, "enable", "--now", f"{name}.timer")),
        off=((*control, "disable", "--now", f"{name}.timer"), (*control, "daemon-reload")),
        asked=(*control, "is-enabled", f"{name}.timer"),
        note="Where nobody is logged in at night: loginctl enable-linger",
    )


def launchd(name: str, command: Sequence[str], at: At, folder: Path) -> Schedule:
    """An agent of the user's own launchd (launchd.plist(5)); what the machine slept through is
    made up for when it wakes."""
    told = {
        "Label": name,
        "ProgramArguments": list(command),
        "StartCalendarInterval": {"Hour": at.hour, "Minute": at.minute},
        "ProcessType": "Background",
        "LowPriorityIO": True,
    }
    text = plistlib.dumps(told).decode("utf-8")
    file = folder / f"{name}.plist"
    return Schedule(
        files=((file, text.replace("<plist", f"<!-- {MARK} -->\n<plist", 1)),),
        on=(("launchctl", "load", "-w", str(file)),),
        off=(("launchctl", "unload", "-w", str(file)),),
        asked=("launchctl", "list", name),
    )


def windows(name: str, command: Sequence[str], at: At, folder: Path) -> Schedule:  # noqa: ARG001 - the shape of `Making`
    """A task of Windows' scheduler: no file of ours, a command for its user to run."""
    run = subprocess.list2cmdline(command)
    made = ("schtasks", "/Create", "/F", "/SC", "DAILY", "/TN", name, "/TR", run)
    return Schedule(
        on=((*made, "/ST", f"{at.hour:02}:{at.minute:02}"),),
        off=(("schtasks", "/Delete", "/F", "/TN", name),),
        asked=("schtasks", "/Query", "/TN", name),
    )


KINDS: Final[Mapping[str, Making]] = {"systemd": systemd, "launchd": launchd, "schtasks": windows}


def cron(command: Sequence[str], at: At) -> str:
    """A line for crontab(5), in which a percent sign would end the command."""
    return f"{at.minute} {at.hour} * * * {shlex.join(command)}".replace("%", r"\%")


def checked(command: Sequence[str]) -> tuple[str, ...]:
    """The command, of whose words none has a character that no such file can hold. Raises
    InvalidInputError."""
    for word in command:
        if _CONTROL.search(word):
            allowed = "paths and names without line breaks and other control characters"
            raise InvalidInputError(field="command", got=repr(word)[:60], allowed=allowed)
    return tuple(command)


def _for_systemd(word: str) -> str:
    told = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return told if _BARE.fullmatch(told) else f'"{told}"'
