"""Rows out of a damaged file of an older store, without checksums: memories of which a field is no
word of ours."""

import json

from engraphy.model.kinds import Evidence
from engraphy.stores.relational.rows import DEFAULTS, LISTS, VOCABULARIES, content_hash
from engraphy.stores.sqlite.pages import Value

_LESS = {"evidence": Evidence.QUOTED.value, "origin": None, "sensitivity": None}
"""What a damaged field becomes where the usual value would say more than was known; None: the row
is refused."""


def mended(told: dict[str, Value]) -> bool:
    """Whether the text of a memory is what was written; what is no word of ours in its other fields
    becomes what a memory has that nobody gave it, or what claims less."""
    if content_hash(str(told.get("content"))) != told.get("content_hash"):
        return False
    for name, vocabulary in VOCABULARIES.items():
        if name in told and told[name] not in set(vocabulary):
            told[name] = _LESS.get(name, DEFAULTS[name])
    for name in LISTS:
        if name in told and not _is_list(told[name], pairs=name == "metadata"):
            told[name] = DEFAULTS[name]
    return True


def _is_list(value: Value, *, pairs: bool) -> bool:
    try:
        found = json.loads(str(value))
    except ValueError:
        return False
    texts = [one for pair in found for one in pair] if pairs and _are_pairs(found) else found
    return isinstance(texts, list) and all(isinstance(one, str) for one in texts)


def _are_pairs(found: object) -> bool:
    return isinstance(found, list) and all(
        isinstance(one, list) and len(one) == len(("key", "value")) for one in found
    )


def is_wall(value: Value) -> bool:
    """As `scopes_by_walls` has it: '' for a wall on which something is shared, or = and a name."""
    return isinstance(value, str) and (not value or value.startswith("="))
