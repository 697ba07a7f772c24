"""Whether a text speaks of a value that is named alone ("forget Rome", "Roma'yı unut").

The endings of words do not count: what is asked of "kahveyi" is asked of "kahve".
"""

import re

from engraphy.text.fold import fold
from engraphy.text.slotvalues import topic, value_of
from engraphy.text.stems import english_stem, turkish_stem
from engraphy.text.wordlists import key

_WORD = re.compile(r"[\w+#]++(?:[./:'’-][\w+#]++)*+")
_READ, _LONGEST = 4_000, 200
_VOWELS = frozenset("aeiou")


def is_value(held: str, named: str) -> bool:
    """Whether the value `held` is the one `named`, or is that with what limits it ("hiking" of
    "hiking on weekends"). No value is longer than 200 characters."""
    if max(len(held), len(named)) > _LONGEST:
        return False
    wanted = _asked(named)
    own = value_of(held)
    return bool(wanted) and any(
        len(one) == len(wanted) and all(map(_meet, one, wanted))
        for one in (_forms(held, own), _forms(held, topic(own)))
    )


def mentions(content: str, named: str) -> bool:
    """Whether the first 4,000 characters of a text hold every word of the value `named`, which is
    at most 200 characters long."""
    if len(named) > _LONGEST:
        return False
    held = frozenset[str]().union(*_forms(content[:_READ], key(content[:_READ])))
    wanted = _asked(named)
    return bool(wanted) and not any(held.isdisjoint(one) for one in wanted)


def _meet(one: frozenset[str], other: frozenset[str]) -> bool:
    return not one.isdisjoint(other)


def _asked(named: str) -> list[frozenset[str]]:
    """The words of what is named; "çayı" may be "çay" with an ending, not "ça" with one."""
    found = _forms(named, value_of(named))
    return [one | {f"{word}y" for word in one if word[-1:] in _VOWELS} for one in found]


def _forms(written: str, folded: str) -> list[frozenset[str]]:
    """Each word of a value with its stems: Turkish ones need the letters as `written`."""
    spelled = {fold(one): one for one in map(_headed, _WORD.findall(written))}
    words = [fold(one) for one in map(_headed, _WORD.findall(folded))]
    return [
        frozenset({one, english_stem(one), turkish_stem(spelled.get(one, one))}) for one in words
    ]


def _headed(word: str) -> str:
    """A word without what grammar hangs on it behind an apostrophe."""
    return word.replace("’", "'").partition("'")[0]
