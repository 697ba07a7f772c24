"""What an operator asks when results disappoint (A-24): which memories say the same twice, and
which name a file without being linked to it. Nothing is changed, and looking is no access."""

from collections import deque
from collections.abc import Iterator

from msgspec.structs import replace

from engraphy.engine.keeping import all_scopes
from engraphy.engine.parts import Engine
from engraphy.errors import StoreCorruptError
from engraphy.model import Check, Listing, Memory, View
from engraphy.text.bags import alike, content_words
from engraphy.text.guards import differs
from engraphy.text.toolinput import is_file

_NEWEST = 100
_NEWEST_DEEP = 2_000
_NEIGHBOURS = 3
_NEAR = 0.9
"""Similarity above which two memories are redundant (D-47, document 004)."""
_ALIKE = 0.75
"""Share of their words in common from which two memories are, where nothing tells similarity."""
_TOLD = 5
_ONE_OF_TWO = (
    "engraphy forget ID erases one; mere variants of one text are put together by engraphy compact,"
    " and by engraphy dream where the profile has it so"
)
_RESTORE = "restore a backup, or run `engraphy doctor --repair`, which keeps the old bytes"
_EDGES = "\"'`()[]{}<>,;:!?."


def diagnoses(engine: Engine, view: View, *, deep: bool) -> list[Check]:
    """Near-duplicate pairs and unlinked files among the newest memories of each scope of the
    tenant, or that a memory cannot be read; `deep` reads every one, and looks further back."""
    most = _NEWEST_DEEP if deep else _NEWEST
    try:
        if deep:
            for one in all_scopes(engine, view):
                deque(engine.store.dump(one), maxlen=0)
        found = [(one, _newest(engine, one, most)) for one in all_scopes(engine, view)]
        count = sum(len(rows) for _, rows in found)
        twice = _twice(engine, found, count)
    except StoreCorruptError as damage:
        told = str(damage.details["problem"])
        return [Check(name="rows", ok=False, detail=told, advice=_RESTORE)]
    return [twice, _unlinked([row for _, rows in found for row in rows])]


def _newest(engine: Engine, view: View, most: int) -> list[Memory]:
    """The newest active memories of exactly the walls of a view."""
    rows = engine.store.page(view, Listing(limit=most))
    walls = replace(view.scope, session=None)
    return [row for row in rows if replace(row.scope, session=None) == walls]


def _twice(engine: Engine, found: list[tuple[View, list[Memory]]], count: int) -> Check:
    compared = _worded if engine.embedder is None else _pairs
    pairs = [pair for view, rows in found for pair in compared(engine, view, rows)]
    shown = "; ".join(f"{first} and {second}" for first, second in pairs[:_TOLD])
    how = ", by their words without an embedder," if engine.embedder is None else ""
    told = f"{len(pairs)} pairs that say nearly the same{how} among the {count} newest memories"
    return Check(
        name="duplicates",
        ok=True,
        detail=f"{told}: {shown}" if pairs else told,
        advice=_ONE_OF_TWO if pairs else "",
    )


def _worded(_: Engine, __: View, rows: list[Memory]) -> Iterator[tuple[str, str]]:
    """Pairs in mostly the same words, in which no number, name or negation differs (R-09)."""
    bags = [content_words(row.content) for row in rows]
    for first, second in alike(bags, _ALIKE):
        if not differs(rows[first].content, rows[second].content):
            yield rows[first].id, rows[second].id


def _pairs(engine: Engine, view: View, rows: list[Memory]) -> Iterator[tuple[str, str]]:
    """Pairs that are near, in which no number, name or negation differs (R-09)."""
    embedder = engine.embedder
    assert embedder is not None
    ids = [row.id for row in rows]
    near = engine.store.nearest(view, ids, embedder.model_id, _NEIGHBOURS)
    close = [pair for pair in near if embedder.calibrate(pair.cosine) > _NEAR]
    ends = {one for pair in close for one in (pair.first_id, pair.second_id)}
    texts = {row.id: row.content for row in engine.store.get(view, sorted(ends))}
    for pair in close:
        first, second = pair.first_id, pair.second_id
        if {first, second} <= texts.keys() and not differs(texts[first], texts[second]):
            yield first, second


def _unlinked(rows: list[Memory]) -> Check:
    bare = [row for row in rows if not (row.files_read or row.files_modified)]
    naming = [row.id for row in bare if any(map(_path, row.content.split()))]
    told = f"{len(bare)} of the {len(rows)} newest memories are linked to no file"
    shown = ", ".join(naming[:_TOLD])
    named = f", and {len(naming)} of these name one in their text: {shown}"
    return Check(
        name="files",
        ok=True,
        detail=told + (named if naming else ""),
        advice="Found by their file are only memories with files_read or files_modified: "
        "engraphy update ID --files-modified PATH"
        if naming
        else "",
    )


def _path(word: str) -> bool:
    bare = word.strip(_EDGES)
    return ("/" in bare or "\\" in bare) and is_file(bare)
