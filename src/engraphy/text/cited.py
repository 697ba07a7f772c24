"""What a text only shows: code, quoted words, lines of a mail that is answered. Nobody says it."""

import re

from engraphy.text.split import Span

_SHOWN = re.compile(
    r"^[ \t]*(```|~~~)[^\n]*\n(?:.*?^[ \t]*\1|.*)"
    r"|^(?: {4}|\t|[ \t]{0,3}[>|])[^\n]*+"
    r"|`[^`\n]{1,2000}`"
    r"|“[^“”]{1,2000}”|„[^„“”]{1,2000}[“”]|«[^«»]{1,2000}»"
    r'|(?<![\w"])"(?=[^\s"])[^"]{1,2000}"(?!\w)',
    re.MULTILINE | re.DOTALL,
)


def cited(text: str) -> tuple[Span, ...]:
    """Where it stands, in order: fenced or indented code, quoted lines, words in double quotes or
    backticks (at most 2,000 characters)."""
    return tuple(found.span() for found in _SHOWN.finditer(text))
