"""The card that lies beside the store for hooks that have no time to open it: which file, which
project a folder belongs to, and the few numbers of the profile that a glance needs."""

import json
import os
from contextlib import suppress
from typing import Any

from engraphy import __version__, here
from engraphy.hooks import spool
from engraphy.hooks.glancing import CARD
from engraphy.model import PRIORITY_RANK, Priority
from engraphy.profile import Profile
from engraphy.read.render import frame
from engraphy.text.everyday import everyday
from engraphy.text.kinds import ASKS, in_one_word
from engraphy.text.overall import recap_cues
from engraphy.text.stopwords import stop_words

_MOST_FOLDERS = 500


def left(home: str, folder: str, project: str | None, about: dict[str, Any]) -> None:
    """Leave a card with this folder's project; what it told of other folders stays. Where it cannot
    be written, hooks open the memory as before."""
    if not folder:
        return
    place = os.path.join(spool.folder(home), CARD)
    held: dict[str, Any] = {}
    with suppress(OSError, ValueError), open(place, "rb") as file:
        held = json.load(file)
    told = {"version": __version__, "mark": here.mark(), **about}
    same = {name: held.get(name) for name in told} == told
    folders = dict(held.get("projects", {})) if same else {}
    if folder in folders and folders[folder] == project:
        return
    folders = dict([*folders.items(), (folder, project)][-_MOST_FOLDERS:])
    with suppress(OSError, ValueError):
        data = json.dumps({**told, "projects": folders}, ensure_ascii=True).encode("ascii")
        draft = f"{place}.{os.getpid()}.tmp"
        with open(draft, "wb", opener=_private) as file:
            file.write(data)
        os.replace(draft, place)


def about(path: str, schema: int, tenant: str, profile: Profile) -> dict[str, Any]:
    """What a card tells beside folders. A profile is `plain` where a glance shows what its blocks
    would: bullets, no scales, no session behind walls."""
    inject = profile.inject
    layers = [one for one in inject.layers if one.source != "reminders"]
    standing = [one for one in layers if one.source == "standing"]
    kinds = sorted({kind for one in standing for kind in one.kinds})
    least = min((PRIORITY_RANK[Priority(one.min_priority)] for one in standing), default=0)
    plain = (
        not profile.sessions.wall
        and inject.format == "memory-context"
        and inject.redact == "foreign"
        and inject.detail == "detailed"
        and not inject.labels
        and all(one.source in {"standing", "relevant"} and not one.scales for one in layers)
        and len(standing) <= 1
    )
    priorities = [one.value for one, rank in PRIORITY_RANK.items() if rank >= least]
    return {
        "plain": plain,
        "path": path,
        "schema": schema,
        "tenant": tenant,
        "budget": inject.budget,
        "heading": frame(inject).opening.split("\n", 1)[1].rstrip("\n"),
        "given_turns": inject.given_turns,
        "standing": [kinds, priorities, sum(one.quota for one in standing)],
        "recap": recap_cues(),
        "stop_words": sorted(stop_words("en") | stop_words("tr")),
        "everyday": sorted(everyday()),
        "kinds": {name: " ".join(ones) for name, ones in in_one_word().items()},
        "asks_kinds": ASKS.pattern,
    }


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
