"""Of which schema a damaged store is. Two places tell it, written in one transaction: the header of
the file, and a row for each step."""

from collections.abc import Mapping
from typing import NamedTuple

from engraphy.errors import NewerSchemaError
from engraphy.stores.sqlite import migrations
from engraphy.stores.sqlite.pages import BadCellError, Image, MAGIC, Row, TABLE_LEAF

_VERSION, _MARK = slice(60, 64), slice(68, 72)
"""Where the header of every SQLite file has its user version and application id."""
_COLUMNS = 3


class _Steps(NamedTuple):
    """The highest number of a step that was found, and whether every row was read."""

    highest: int
    whole: bool


def schema(image: Image, roots: Mapping[str, int], path: str) -> int:
    """The number of the schema that a damaged store has; the newest where nothing tells it any
    more. `roots`: where its trees begin. Raises NewerSchemaError."""
    newest, told, steps = migrations.newest(), _header(image), _steps(image, roots)
    if told > newest and steps == _Steps(newest, whole=True):
        # Each step has its row, and the last is ours: what is damaged is the header.
        told = newest
    found = max(told, steps.highest)
    if found > newest:
        raise NewerSchemaError(path=path, found=found, known=newest)
    return found or newest


def _header(image: Image) -> int:
    page = image.page(1)
    if not page.startswith(MAGIC) or int.from_bytes(page[_MARK]) != migrations.APPLICATION_ID:
        return 0
    return int.from_bytes(page[_VERSION])


def _steps(image: Image, roots: Mapping[str, int]) -> _Steps:
    """By the rows of the table `migrations`, on whichever page they are."""
    root = roots.get("migrations")
    pages = range(1, image.count + 1) if root is None else sorted(image.tree(root))
    for number in pages:
        if image.kind(number) != TABLE_LEAF:
            continue
        rows = list(image.rows(number))
        numbers = [row.rowid for row in rows if isinstance(row, Row) and _is_step(row)]
        found = [number for number in numbers if number is not None]
        if found and (root is not None or 1 in found):
            return _Steps(max(found), found == list(range(1, len(rows) + 1)))
    return _Steps(0, whole=False)


def _is_step(row: Row | BadCellError) -> bool:
    if isinstance(row, BadCellError) or row.rowid is None or len(row.values) != _COLUMNS:
        return False
    known = {step.number: step.name for step in migrations.steps()}
    number, name, at = row.values
    if number is not None or not isinstance(name, str) or not isinstance(at, int):
        return False
    return known.get(row.rowid, name) == name and (row.rowid in known or name not in known.values())
