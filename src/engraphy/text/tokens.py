"""How many tokens a text costs in a prompt, without a tokenizer.

max(pattern estimate, UTF-8 bytes / 4) * 1.1. The pattern estimate counts a word of up to 8 ASCII
letters as 1 and 1 more per 5 letters above, a word with other letters as length / 3 (at least 1),
CJK as .75 a character, digits as 1 per 3, runs of punctuation and symbols as length / 2.2.
White space costs only its bytes. Adding text never lowers the estimate.
"""

import math
import re
from collections.abc import Iterable
from typing import NamedTuple

from engraphy.text.fold import SIGNS

TOKENIZER = "engraphy-estimate-1"

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff"
_MARKS = f"\u0300-\u036f{SIGNS}"
_RUN = re.compile(
    rf"(?P<cjk>[{_CJK}]+)|(?P<digits>\d+)|(?P<word>(?:[^\W\d_{_CJK}]|[{_MARKS}])+)"
    rf"|(?P<other>(?:[^\w\s{_MARKS}]|_)+)"
)
_LETTERS = bytes(one if chr(one).isalpha() else 32 for one in range(128)).ljust(256)
_FIGURES = bytes(one if chr(one).isdigit() else 32 for one in range(128)).ljust(256)
_NO_SYMBOLS = bytes(one for one in range(128) if chr(one).isalnum() or chr(one).isspace())
_MARGIN = 1.1
_BYTES_PER_TOKEN = 4
_SHORT_WORD, _LETTERS_MORE = 8, 5
_FOREIGN, _CJK_COST, _DIGITS, _SYMBOLS = 3, 0.75, 3, 2.2
_LOOK_BACK = 40
_SPACE_AT_END = re.compile(r"\s\S*\Z")


class Measure(NamedTuple):
    """What a text adds to an estimate: the cost of its words and runs, and its UTF-8 bytes."""

    cost: float
    size: int


def measure(text: str) -> Measure:
    """A text's part of the estimate of a longer one. Parts add up exactly where no word and no
    number goes on from one into the next."""
    return Measure(_costs(text), _size(text))


def tokens_together(parts: Iterable[Measure]) -> int:
    """The estimate of the text that the measured parts make together."""
    listed = list(parts)
    return _tokens(sum(one.cost for one in listed), sum(one.size for one in listed))


def estimate_tokens(text: str) -> int:
    """The estimated number of tokens, rounded up; 0 only for the empty text."""
    return _tokens(_costs(text), _size(text))


def tokens_of_bytes(size: int) -> int:
    """The estimate of a text of which only the UTF-8 bytes are known: at most what its words
    cost."""
    return _tokens(0.0, size)


def truncate_to_tokens(text: str, budget: int) -> str:
    """The longest beginning that costs at most `budget` tokens, cut at a space if one is near.

    `estimate_tokens` of the result never exceeds the budget; a budget of 0 or less gives "".
    """
    if estimate_tokens(text) <= budget:
        return text
    end = _longest_head(text, budget)
    head = text[:end]
    if text[end].isspace():
        return head.rstrip()
    space = _SPACE_AT_END.search(head, max(0, len(head) - _LOOK_BACK))
    return (head[: space.start()] if space else head).rstrip()


def _longest_head(text: str, budget: int) -> int:
    cost, size, position = 0.0, 0, 0
    for match in _RUN.finditer(text):
        run_cost = _cost(match.lastgroup, match[0])
        run_size = size + _size(text[position : match.end()])
        if _tokens(cost + run_cost, run_size) > budget:
            break
        cost, size, position = cost + run_cost, run_size, match.end()
    return _within_run(text, budget, position, cost, size)


def _within_run(text: str, budget: int, start: int, cost: float, size: int) -> int:
    """Bisect what follows the last run that fits: white space and the beginning of one run."""
    match = _RUN.search(text, start)
    low, high = start, match.end() if match else len(text)
    while low < high:
        middle = (low + high + 1) // 2
        more = 0.0
        if match and middle > match.start():
            more = _cost(match.lastgroup, text[match.start() : middle])
        if _tokens(cost + more, size + _size(text[start:middle])) <= budget:
            low = middle
        else:
            high = middle - 1
    return low


def _cost(kind: str | None, run: str) -> float:
    if kind == "cjk":
        return _CJK_COST * len(run)
    if kind == "digits":
        return math.ceil(len(run) / _DIGITS)
    if kind == "other":
        return len(run) / _SYMBOLS
    if not run.isascii():
        return max(1.0, len(run) / _FOREIGN)
    return 1 + max(0, math.ceil((len(run) - _SHORT_WORD) / _LETTERS_MORE))


def _costs(text: str) -> float:
    if text.isascii():
        return _ascii_costs(text)
    total = 0.0
    for match in _RUN.finditer(text):
        kind, run = match.lastgroup, match[0]
        # Most of a text is short words: they are counted without a call each.
        is_short = kind == "word" and len(run) <= _SHORT_WORD and run.isascii()
        total += 1.0 if is_short else _cost(kind, run)
    return total


def _ascii_costs(text: str) -> float:
    """The same where no run is of another script: each sort of runs is counted by itself, which
    takes half the time of looking at run after run."""
    data = text.encode("ascii")
    words = [*map(len, data.translate(_LETTERS).split())]
    over = [size - _SHORT_WORD for size in words if size > _SHORT_WORD]
    figures = map(len, data.translate(_FIGURES).split())
    whole = len(words) + sum(math.ceil(more / _LETTERS_MORE) for more in over)
    whole += sum(math.ceil(size / _DIGITS) for size in figures)
    return whole + len(data.translate(None, _NO_SYMBOLS)) / _SYMBOLS


def _tokens(cost: float, size: int) -> int:
    return math.ceil(max(cost, size / _BYTES_PER_TOKEN) * _MARGIN - 1e-9)


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
