"""Signs that a text tries to instruct a model: a signal for quarantine and redaction."""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from engraphy.text.datafiles import table
from engraphy.text.fence import sanitise_visible
from engraphy.text.fold import fold_text

_TAGS = re.compile("[\U000e0020-\U000e007e]{4,}")
_CURLY = str.maketrans("‘’ʼ“”«»", '\'\'\'""""')


class _Rule(NamedTuple):
    name: str
    literals: tuple[str, ...]
    pattern: re.Pattern[str]
    strong: bool


def injection_signals(text: str) -> tuple[str, ...]:
    """The distinct names of the signs found, in the order of the rules; empty for ordinary text.

    A weak sign is reported only together with a weak sign of another name. Case, marks,
    full-width letters and invisible characters do not hide a sign; text written in invisible tag
    characters is one (`hidden_text`).
    """
    # ASCII that shows in full needs no look at what is hidden in it.
    visible = text if text.isascii() and text.isprintable() else sanitise_visible(text)
    plain = " ".join(fold_text(visible.translate(_CURLY)).split())
    strong, weak = set[str](), set[str]()
    for rule in _matching(plain):
        (strong if rule.strong else weak).add(rule.name)
    if _TAGS.search(text):
        strong.add("hidden_text")
    if len(weak) > 1:
        strong |= weak
    return tuple(name for name in _names() if name in strong)


def _matching(plain: str) -> Iterator[_Rule]:
    present = frozenset([literal for literal in _literals() if literal in plain])
    for rule in _rules() if present else ():
        if not present.isdisjoint(rule.literals) and rule.pattern.search(plain):
            yield rule


@cache
def _literals() -> tuple[str, ...]:
    """Every literal once, however many rules begin with it."""
    return tuple(dict.fromkeys(one for rule in _rules() for one in rule.literals))


@cache
def _rules() -> tuple[_Rule, ...]:
    return tuple(
        _Rule(
            row["name"],
            tuple(row["any"]),
            re.compile(row["pattern"]),
            row.get("strength", "strong") == "strong",
        )
        for row in table("injection")["rules"]
    )


@cache
def _names() -> tuple[str, ...]:
    return tuple(dict.fromkeys((*(rule.name for rule in _rules()), "hidden_text")))
