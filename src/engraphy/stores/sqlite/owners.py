"""Whose the pages of a damaged store are: what its schema and its pointer map tell, and where both
are silent, what only one table or index can hold."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import apsw

from engraphy.stores.relational.sql import every
from engraphy.stores.sqlite.pages import (
    BadCellError,
    INDEX_INTERIOR,
    INDEX_LEAF,
    Image,
    Row,
    TABLE_LEAF,
)
from engraphy.stores.sqlite.shapes import Known, Table, WALLS_INDEX

_WITH_ROWS = frozenset({TABLE_LEAF, INDEX_LEAF, INDEX_INTERIOR})
_SCHEMA_COLUMNS = 5


@dataclass(slots=True)
class Owners:
    """Whose the records of a damaged store are."""

    image: Image
    fresh: apsw.Connection
    """The store that the rows are brought into."""
    tables: Mapping[str, Table]
    lost: Counter[str]
    """How many records of each table were seen and are lost."""
    roots: Mapping[str, int]
    """Where its trees begin, as far as that is told."""
    _owner: dict[int, str] = field(init=False)
    _stray: list[list[int]] = field(init=False)

    def __post_init__(self) -> None:
        self._owner, self._stray = self._owned(self.roots)

    def rows(self) -> Iterator[tuple[Table, Row]]:
        """The records of each table: first of the pages that the pointer map or its tree says
        belong to it; then of those that nothing says anything of. Each is to be written before the
        next is asked for."""
        for name in filter(lambda name: self.tables[name].ours, self.tables):
            pages = sorted(number for number, whose in self._owner.items() if whose == name)
            yield from self._read(pages, name)
        trees = [self._whole(pages) for pages in self._stray]
        later = list[list[Row]]()
        for rows in filter(None, trees):
            if (table := self._fitting(rows, set(self.tables))) is None:
                later.append(rows)
            elif table.ours:
                yield from ((table, row) for row in rows if table.fits(row, whole=True))
        known, lost = self._known(), {name for name in self.tables if name not in self.roots}
        for rows in later:
            table = self._fitting(rows, lost, known) or self._fitting(rows, set(self.tables), known)
            if table is not None and table.ours:
                yield from ((table, row) for row in rows if known.sane(table, row))

    def wrong(self, name: str) -> list[int]:
        """The pages of a table that are not what their checksums say."""
        return sorted(n for n in self.image.doubtful if self._owner.get(n) == name)

    def entries(
        self, wanted: Callable[[Table], bool], *, stray: bool = True
    ) -> Iterator[tuple[Table, Row]]:
        """The records of indexes, of the pages that say they are theirs; with `stray` also what
        looks like one on those that nobody owns."""
        indexes = {name: one for name, one in self.tables.items() if one.of and wanted(one)}
        for number, name in self._owner.items():
            if name in indexes:
                for row in self._whole([number]):
                    if indexes[name].fits(row):
                        yield indexes[name], row
        pages = self._stray if stray else []
        for row in self._whole([number for tree in pages for number in tree]):
            yield from ((one, row) for one in indexes.values() if one.fits(row, whole=True))

    def _owned(self, roots: Mapping[str, int]) -> tuple[dict[int, str], list[list[int]]]:
        """Whose each page is, and what belongs to nobody: the pages of one tree together where the
        pointer map tells that much."""
        image = self.image
        named = {root: name for name, root in roots.items()}
        reached = {page: name for name, root in roots.items() for page in image.tree(root)}
        owner, stray = dict[int, str](), defaultdict[int, list[int]](list)
        for number in range(1, image.count + 1):
            if image.kind(number) not in _WITH_ROWS:
                continue
            root = image.mapped_root(number)
            whose = named.get(root) or reached.get(number)
            if whose is None:
                # What was freed holds zeros: a page that is called free and holds rows is none.
                stray[root if root > 0 else -number].append(number)
            else:
                owner[number] = whose
        return owner, list(stray.values())

    def _read(self, pages: Sequence[int], name: str) -> Iterator[tuple[Table, Row]]:
        """The records of pages of a table; those that cannot be its own are another's, or lost."""
        own = self.tables[name]
        for number in pages:
            for row in self.image.rows(number):
                if isinstance(row, BadCellError):
                    self.lost[name] += 1
                    continue
                table = own if own.fits(row) else self._fitting([row], set(self.tables))
                if table is None or not table.ours:
                    self.lost[name] += 1
                else:
                    yield table, row

    def _whole(self, pages: Sequence[int]) -> list[Row]:
        found = (row for number in pages for row in self.image.rows(number))
        return [row for row in found if not isinstance(row, BadCellError)]

    def _fitting(
        self, rows: Sequence[Row], names: set[str], known: Known | None = None
    ) -> Table | None:
        """The one table or index of these that most records of one tree can be of: by their shape,
        and where that is not enough by what is `known`."""
        fitting = Counter[str]()
        for name in names:
            table = self.tables[name]
            fitting[name] = sum(
                table.fits(row, whole=True) if known is None else known.sane(table, row)
                for row in rows
            )
        most = max(fitting.values(), default=0)
        best = [name for name, count in fitting.items() if count == most]
        return self.tables[best[0]] if most and len(best) == 1 else None

    def _known(self) -> Known:
        walls = self.entries(lambda index: index.name == WALLS_INDEX)
        tenants = {row.values[0] for _, row in walls}
        tenants |= {tenant for (tenant,) in every(self.fresh, "SELECT tenant FROM scopes")}
        memories = {name for (name,) in every(self.fresh, "SELECT id FROM memories")}
        return Known(frozenset(tenants), frozenset(memories))


def roots(image: Image) -> dict[str, int]:
    """Where the trees of tables and indexes begin, as far as the schema tells: also on pages of it
    that no page leads to any more. What two of them claim is neither's."""
    own, found = image.tree(1), dict[str, int]()
    every_page = range(1, image.count + 1)
    others = (number for number in every_page if image.kind(number) == TABLE_LEAF)
    for number in [*sorted(own), *(one for one in others if one not in own)]:
        for row in image.rows(number):
            if not isinstance(row, BadCellError) and (told := _root(row, image)) is not None:
                found.setdefault(*told)
    claims = Counter(found.values())
    return {name: root for name, root in found.items() if claims[root] == 1}


def _root(row: Row, image: Image) -> tuple[str, int] | None:
    """What a record of the schema tells: a name, and the page at which its tree begins."""
    if row.rowid is None or len(row.values) != _SCHEMA_COLUMNS:
        return None
    kind, name, _, root, _ = row.values
    if kind not in {"table", "index"} or not isinstance(name, str) or not isinstance(root, int):
        return None
    return (name, root) if 1 < root <= image.count else None
