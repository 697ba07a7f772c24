"""An estimate of a text's tokens from counts of its parts; no tokenizer, no network."""

import math
from collections.abc import Sequence

from engraphy.formulas._bounds import bounded

_MOST = 1e12  # characters; keeps every sum exact


def word_tokens(*, letters: float, ascii_only: bool = True) -> float:
    """The tokens of one word.

    Formula: ASCII: ``1 + max(0, ceil((letters - 8) / 5))``; else ``max(1, letters / 3)``
    Inputs: letters in [1, 1e12].
    Range: [1, 1e12], rising in letters.
    Source: design of models (token estimate, against o200k).

    >>> word_tokens(letters=8), word_tokens(letters=9), word_tokens(letters=6, ascii_only=False)
    (1.0, 2.0, 2.0)
    """
    length = bounded(letters, 1.0, _MOST)
    if not ascii_only:
        return max(1.0, length / 3.0)
    return 1.0 + max(0.0, float(math.ceil((length - 8.0) / 5.0)))


def pattern_tokens(
    *,
    ascii_words: Sequence[float] = (),
    other_words: Sequence[float] = (),
    cjk_characters: float = 0.0,
    digit_runs: Sequence[float] = (),
    punctuation_runs: Sequence[float] = (),
) -> float:
    """The tokens of a text, given the lengths of its words and runs.

    Formula: ``sum(word_tokens) + 0.75 * cjk + sum(ceil(digits / 3)) + sum(punctuation) / 2.2``
    Inputs: lengths in characters, each in [0, 1e12].
    Range: [0, 1e12 per part], rising in every length.
    Source: design of models (token estimate, against o200k).

    >>> pattern_tokens(ascii_words=[3, 13], cjk_characters=4, digit_runs=[4], punctuation_runs=[11])
    13.0
    """
    words = [word_tokens(letters=n) for n in ascii_words]
    others = [word_tokens(letters=n, ascii_only=False) for n in other_words]
    digits = [float(math.ceil(bounded(n, 0.0, _MOST) / 3.0)) for n in digit_runs]
    marks = [bounded(n, 0.0, _MOST) / 2.2 for n in punctuation_runs]
    characters = 0.75 * bounded(cjk_characters, 0.0, _MOST)
    return math.fsum((*words, *others, *digits, *marks, characters))


def token_estimate(*, pattern: float, utf8_bytes: float, margin: float = 1.1) -> int:
    """The tokens that a text is charged against a budget; rather too many than too few.

    Formula: ``ceil(max(pattern, utf8_bytes / 4) * margin)``
    Inputs: pattern from ``pattern_tokens`` and utf8_bytes of the same text, both in [0, 1e12];
    margin in [1, 10].
    Range: [0, 1e13], rising in all three.
    Source: row B-06 (a stated tokenizer); design of models.

    >>> token_estimate(pattern=10, utf8_bytes=36)
    11
    """
    most = max(bounded(pattern, 0.0, _MOST), bounded(utf8_bytes, 0.0, _MOST) / 4.0)
    # Rounded first: 10 * 1.1 is 11.000000000000002, which is 11 tokens and not 12.
    return math.ceil(round(most * bounded(margin, 1.0, 10.0), 6))
