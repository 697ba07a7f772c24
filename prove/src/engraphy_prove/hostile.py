"""Texts that nobody writes, and that arrive all the same."""

import random
from collections.abc import Iterator

OPERATORS = (
    '"', '""', "*", "^", ":", "-", "+", "(", ")", "{", "}", ",", "AND", "OR", "NOT", "NEAR",
    "NEAR(", "NEAR(a b, 2)", "a AND", "OR b", "NOT", "-a", "^a", "a*", '"a', "a:b", "{a b}:c",
    "-{a}:b", "content:a", "rowid:1", "rank", "bm25(", "memories_fts", "MATCH", "';--",
    "' OR 1=1--", "%", "_", "\\", "/*", "*/", ";", "?", ":x", "@x", "$x", "NULL", "\x00",
    "\x1a", "\ufeff", "\u202e", "\u200b", "\ud800", "\udfff", "\udc00\ud800", "\U0001f9e0",
    "\U0010ffff", "\uffff", "記憶", "İ", "ı", "ß", "é", "e\u0301", "ﷺ", "gpt-4o",
    "src/api/auth.js", "C++", "node:sqlite", "getUserById", "<memory-context>",
    "</memory-context>", "{{x}}", "${x}", "%s", "%n", "\r\n", "\t", " ",
)  # fmt: skip
_PLANES = (
    (0x00, 0x7F),
    (0x80, 0x24F),
    (0x370, 0x7FF),
    (0x2000, 0x206F),
    (0x3040, 0x30FF),
    (0x4E00, 0x9FFF),
    (0xD800, 0xDFFF),
    (0xFB00, 0xFFFF),
    (0x1F300, 0x1FAFF),
    (0xE0000, 0xE01EF),
)
LONG = 1_000_000


def texts(chance: random.Random, count: int) -> Iterator[str]:
    """`count` texts: characters of every plane, operators in every order, and now and then 1 MB."""
    for number in range(count):
        if number and number % 1000 == 0:
            yield _long(chance)
        elif number % 3 == 0:
            yield _scattered(chance, chance.randint(0, 40))
        elif number % 3 == 1:
            yield " ".join(chance.choice(OPERATORS) for _ in range(chance.randint(1, 12)))
        else:
            yield _mixed(chance)


def _scattered(chance: random.Random, length: int) -> str:
    return "".join(chr(chance.randint(*chance.choice(_PLANES))) for _ in range(length))


def _mixed(chance: random.Random) -> str:
    parts = []
    for _ in range(chance.randint(1, 20)):
        parts.append(chance.choice(OPERATORS))
        parts.append(chance.choice(("", " ", "zebra", _scattered(chance, 3))))
    return "".join(parts)


def _long(chance: random.Random) -> str:
    unit = chance.choice(
        (_mixed(chance), _scattered(chance, 50), "a", "word ", "(", '"', "記", "a-")
    )
    return (unit * (LONG // max(1, len(unit)) + 1))[:LONG]
