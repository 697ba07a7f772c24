"""What was pasted from a machine: lines of a log, of a stack trace, of a test runner.

Such lines tell of no one. A message that is nothing else has nothing to remember; one with a line
of somebody's own words beside them does.
"""

import re
from functools import cache

from engraphy.text.datafiles import table

_LINES = 400
_LINE = 300


def pasted(text: str) -> bool:
    """Whether every line of a text is a machine's, and one of them is so beyond doubt."""
    lines = [line[:_LINE] for line in text.splitlines()[:_LINES] if line.strip()]
    sure = any(_sign("sure").match(line) for line in lines)
    return sure and all(_sign("sure").match(line) or _sign("within").match(line) for line in lines)


@cache
def _sign(name: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{one})" for one in table("pasted")[name]))
