"""Things of a row, told apart by their number: what holds of one says nothing of another."""

from functools import lru_cache

from engraphy.text.datafiles import table
from engraphy.text.parts import READ
from engraphy.text.shaped import composed, values
from engraphy.text.wordlists import plain


def of_another_number(new: str, old: str) -> bool:
    """Whether the older tells something of one of a row of things that are told apart by their
    number, and the new one names another of them ("run 14: AUC .791", "run 15: AUC .772")."""
    if _opens_with_another(new[:READ], old[:READ]):
        return True
    theirs = _numbered(old[:READ])
    mine = _numbered(new[:READ]) if theirs else frozenset()
    rows = {of for of, _ in mine} & {of for of, _ in theirs}
    told = sum(one.kind != "name" for one in values(old[:READ]))
    return bool(rows) and mine.isdisjoint(theirs) and told > len(theirs)


def _opens_with_another(new: str, old: str) -> bool:
    """Whether each opens with one of a row of things, with another one each, and gives another
    value of it."""
    mine, theirs = _opening(new), _opening(old)
    if mine is None or theirs is None or mine[0] != theirs[0]:
        return False
    return bool(theirs[1]) and mine[1] != theirs[1] and mine[2] != theirs[2]


@lru_cache(maxsize=256)
def _opening(text: str) -> tuple[str, frozenset[str], str] | None:
    """The thing that a text opens with, what else it gives values of, and the number of the thing;
    none where that is part of a day or an amount."""
    found = composed(table("replacing")["guards"]["opening"]).match(plain(text))
    if found is None:
        return None
    told = [one for one in values(text) if one.kind != "name"]
    own = [one for one in told if one.start < found.end("number")]
    if any(one.kind != "number" for one in own):
        return None
    rest = frozenset(one.form for one in told if one not in own)
    return found["of"].lower(), rest, found["number"]


@lru_cache(maxsize=256)
def _numbered(text: str) -> frozenset[tuple[str, str]]:
    """The numbered things of a text that names them: what each is, and its number."""
    found = composed(table("replacing")["guards"]["numbered"]).finditer(plain(text).lower())
    return frozenset((one["of"], one["number"]) for one in found)
