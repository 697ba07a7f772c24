"""The border: what a text must not carry into the store."""

import re

REPLACEMENT = "\ufffd"

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def clean(text: str) -> str:
    """Replace NUL and lone surrogates by U+FFFD; change nothing else.

    Both are legal in a Python `str` and in JSON, but neither can be encoded as UTF-8 text that
    every engine keeps: NUL ends a string in C, a lone surrogate has no UTF-8 form. The length in
    characters stays the same.
    """
    return _UNSTORABLE.sub(REPLACEMENT, text)
