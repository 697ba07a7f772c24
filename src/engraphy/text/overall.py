"""Questions after all that is known, or all of one kind: "what do you know about me?"."""

import re
from functools import cache

from engraphy.model import Kind
from engraphy.text.datafiles import table
from engraphy.text.wordlists import plain

_LONGEST = 160
_EDGE = " \t\n\"'.,;:!?–—-"


def overall(question: str) -> frozenset[Kind] | None:
    """The kinds of memories that a question asks all of, empty for every kind; None where it asks
    for something of its own ("what do you know about Rome?"). English and Turkish."""
    if len(question) > _LONGEST:
        return None
    asked = plain(question).lower().strip(_EDGE)
    return next((kinds for kinds, rule in _rules() if rule.fullmatch(asked)), None)


@cache
def _rules() -> tuple[tuple[frozenset[Kind], re.Pattern[str]], ...]:
    data = table("overall")
    opening, closing = plain(data["open"]), plain(data["close"])
    return tuple(
        (frozenset(map(Kind, row["kinds"])), re.compile(f"{opening}(?:{listed}){closing}"))
        for row in reversed(data["about"])
        for listed in ["|".join(plain(one).lower() for one in row["patterns"])]
    )
