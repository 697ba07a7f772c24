"""What waits to be kept: one file per event, whole or not at all, removed once it is worked off.

The name of a file is the event's id, so that the same event put twice is one file, and files sort
in the order in which their events happened. What was put under other variables waits for those who
open the memory that these name: it may be another tenant's.
"""

import json
import os
from collections.abc import Iterator
from contextlib import suppress

from engraphy import here
from engraphy.errors import KeyMissingError, WrongKeyError
from engraphy.hooks import sealing
from engraphy.hooks.event import Event
from engraphy.hooks.sealing import PLAIN, SEALED

_FOLDER = "spool"
_BAD = ".bad"
_KEPT = (PLAIN, SEALED)
_DRAFT = ".tmp"
_MOST_BAD = 100
_DAYS, _DRAFT_DAYS = 30.0, 0.05
"""After which what nobody comes for is taken away."""


def folder(home: str) -> str:
    """The folder of everything that hooks keep beside the store, made where it is missing; only
    its owner may read it."""
    made, waits = os.path.join(home, "hooks"), _waits(home)
    os.makedirs(home, mode=0o700, exist_ok=True)
    for one in (made, os.path.dirname(waits), waits):
        os.makedirs(one, mode=0o700, exist_ok=True)
    return made


def put(home: str, event: Event) -> None:
    """Keep an event until somebody works it off; once this returns, no kill and no power cut loses
    it. Beside an encrypted store it is encrypted. Raises OSError, also where that cannot be."""
    folder(home)
    place = os.path.join(_waits(home), event.id)
    data = json.dumps(event._asdict(), ensure_ascii=True).encode("ascii")
    key = sealing.key(home)
    try:
        if key is None:
            _written(f"{place}{_DRAFT}", data)
        else:
            sealing.seal(home, f"{place}{_DRAFT}", data, key)
        os.replace(f"{place}{_DRAFT}", f"{place}{PLAIN if key is None else SEALED}")
    except OSError:
        with suppress(OSError):
            os.unlink(f"{place}{_DRAFT}")
        raise


def _written(place: str, data: bytes) -> None:
    handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        _whole(handle, data)
        os.fsync(handle)
    finally:
        os.close(handle)


def _whole(handle: int, data: bytes) -> None:
    while data:
        data = data[os.write(handle, data) :]


def waiting(home: str) -> list[str]:
    """The ids of what waits, oldest first."""
    with suppress(OSError):
        names = os.listdir(_waits(home))
        return sorted(os.path.splitext(name)[0] for name in names if name.endswith(_KEPT))
    return []


def events(home: str) -> Iterator[Event]:
    """What waits, oldest first; what cannot be read is set aside, and what another key encrypted
    waits on. Raises KeyMissingError where something is encrypted and there is no key."""
    for number in waiting(home):
        try:
            yield Event(**json.loads(_read(home, _place(home, number))))
        except (FileNotFoundError, WrongKeyError):
            continue
        except (OSError, ValueError, TypeError):
            aside(home, number)


def _read(home: str, place: str) -> bytes:
    if not place.endswith(SEALED):
        with open(place, "rb") as file:
            return file.read()
    try:
        key = sealing.key(home)
    except OSError:
        key = None
    if key is None:
        raise KeyMissingError(path=place)
    return sealing.unseal(place, key)


def done(home: str, id: str) -> None:
    """An event has been worked off."""
    with suppress(OSError):
        os.unlink(_place(home, id))


def aside(home: str, id: str) -> None:
    """An event cannot be worked off, whoever tries: it is kept for whoever looks, out of the way of
    the others. Of very many the newest are not."""
    place = _place(home, id)
    with suppress(OSError):
        held = [one for one in os.listdir(os.path.dirname(place)) if one.endswith(_BAD)]
        if len(held) >= _MOST_BAD:
            os.unlink(place)
        else:
            os.replace(place, os.path.splitext(place)[0] + _BAD)


def tidy(home: str, now: float) -> None:
    """Take away what nobody comes for: what was set aside, or put under variables that nobody has
    had for a month, and what a kill left half-written. `now` in seconds since 1970. Texts in the
    spool are as they were said; none of them stays for good."""
    top, own = os.path.join(home, "hooks", _FOLDER), here.mark()
    with suppress(OSError):
        for mark in os.listdir(top):
            for name in os.listdir(os.path.join(top, mark)):
                place = os.path.join(top, mark, name)
                days = _DRAFT_DAYS if name.endswith(_DRAFT) else _DAYS
                comes = mark == own and name.endswith(_KEPT)
                with suppress(OSError):
                    if not comes and now - os.stat(place).st_mtime > days * 86_400:
                        os.unlink(place)


def _place(home: str, id: str) -> str:
    place = os.path.join(_waits(home), id)
    return f"{place}{SEALED if os.path.exists(place + SEALED) else PLAIN}"


def _waits(home: str) -> str:
    return os.path.join(home, "hooks", _FOLDER, here.mark())
