"""Settings and profiles, to be read: what the memory was opened with, and in what it differs."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any, NamedTuple

from starlette.responses import Response
from starlette.routing import BaseRoute

from engraphy.dashboard.doors import shows
from engraphy.dashboard.pages import page
from engraphy.dashboard.visit import Visit
from engraphy.model.granting import TokenRole
from engraphy.opening import open_profile
from engraphy.profile import Profile, as_tree, differences, names

_NAMED = ("name", "description", "inherits")
_OPENED = "as opened"


class Table(NamedTuple):
    """The knobs of one table of a profile: (name, value here, value there)."""

    name: str
    knobs: list[tuple[str, Any, Any]]


def routes() -> list[BaseRoute]:
    """The page, every knob, and the store's own examination."""
    return [
        shows("/settings", _settings),
        shows("/settings/knobs", _knobs),
        shows("/settings/doctor", _doctor, TokenRole.ADMIN),
    ]


async def _settings(visit: Visit) -> Response:
    opened = visit.memory.profile
    choices = names()
    one = visit.chosen("one", list(choices)) or _OPENED
    other = visit.chosen("other", list(choices)) or "default"
    first = opened if one == _OPENED else await visit.work(open_profile, one)
    second = await visit.work(open_profile, other)
    described = {name: (await visit.work(open_profile, name)).description for name in choices}
    return page(
        visit,
        "settings.html",
        opened=opened,
        profiles=described,
        one=one,
        other=other,
        choices=(_OPENED, *choices),
        tables=_tables(first, second),
        capabilities=await visit.work(visit.memory.capabilities),
        model=visit.memory.model_id,
        options=visit.house.options,
    )


def _tables(first: Profile, second: Profile) -> list[Table]:
    """The knobs in which two profiles differ, table by table."""
    rows = [row for row in differences(first, second) if row[0] not in _NAMED]
    return [
        Table(name, [(key.removeprefix(f"{name}."), here, there) for key, here, there in of])
        for name, of in groupby(rows, key=lambda row: row[0].partition(".")[0])
    ]


async def _knobs(visit: Visit) -> Response:
    """Every knob as it stands."""
    return page(visit, "knobs.html", tables=list(_every(visit.memory.profile)))


def _every(profile: Profile) -> Iterator[Table]:
    for name, value in as_tree(profile).items():
        if isinstance(value, dict):
            yield Table(name, [(key, told, None) for key, told in _flat(value)])


def _flat(tree: dict[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{key}.")
        else:
            yield f"{before}{key}", value


async def _doctor(visit: Visit) -> Response:
    checks = await visit.work(visit.memory.doctor)
    return page(visit, "doctor.html", checks=checks)
