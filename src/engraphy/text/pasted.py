"""What was pasted from a machine: lines of a log, of a stack trace, of a test runner.

Such lines tell of no one. A message that is nothing else, or only asks about them, has nothing to
remember; one that tells something beside them does.
"""

import re
from functools import cache

from engraphy.text.datafiles import table

_LINES = 400
_LINE = 300


def beside_pasted(text: str) -> str | None:
    """What somebody says beside lines of a machine, "" for nothing; None where no line is one
    beyond doubt."""
    lines = [line[:_LINE] for line in text.splitlines()[:_LINES] if line.strip()]
    if not any(_sign("sure").match(line) for line in lines):
        return None
    signs = (_sign("sure"), _sign("within"))
    return "\n".join(line for line in lines if not any(one.match(line) for one in signs))


@cache
def _sign(name: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{one})" for one in table("pasted")[name]))
