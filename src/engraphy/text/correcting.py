"""Whether a short remark puts right what was told just before it ("no, I meant 9:30")."""

from engraphy.text.evidence import asks
from engraphy.text.frames import Overtaking, beside, gone, said
from engraphy.text.framing import SORTS, day, framed, names_of, number
from engraphy.text.language import language
from engraphy.text.wording import Word, wording
from engraphy.text.wordlists import pattern, plain, words

_READ = 1_000
_SENTENCE = 300
_SHORT = 8
_FEW_SPOKEN = 3
"""From so many words that are not its own on, a correction names what it corrects."""


def corrects(new: str, old: str) -> Overtaking | None:
    """How a new text puts right what was said just before it: a short remark that begins by
    saying so ("no, I meant 9:30", "scratch that, Oslo"), or None."""
    folded = plain(new[:_READ])
    opened = pattern("frames", "corrective").match(folded)
    if opened is None or asks(folded) or beside(new[:_READ]):
        return None
    rest = new[opened.end() :][:_SENTENCE]
    spoken, before = wording(rest), names_of(wording(old))
    if not 0 < len(spoken) <= _SHORT:
        return None
    names = names_of(spoken) | before | _put_right(spoken, before)
    turkish = language(f"{new} {old}") == "tr"
    mine, theirs = framed(rest, names, turkish=turkish), framed(old, names, turkish=turkish)
    fresh = mine.values - theirs.values
    over = (framed(phrase, names, turkish=turkish) for _, phrase in gone(rest))
    if any(part.values - theirs.all for part in over):
        return None
    same_sort = any(mine.of(sort) - theirs.of(sort) and theirs.of(sort) for sort in SORTS)
    strong = pattern("frames", "corrective_strong").search(folded) is not None
    strong = strong and (len(mine.spoken) < _FEW_SPOKEN or bool(mine.all & theirs.all))
    if not same_sort and not (strong and mine.all and not mine.all <= theirs.all):
        return None
    return Overtaking(subject=said(theirs.all), value=said(fresh or mine.all), negated=False)


def _put_right(spoken: list[Word], names: frozenset[str]) -> frozenset[str]:
    """The one word that a correction is, where it can only be a name: it has a capital, or is
    spelled as one of `names` but for a letter."""
    [word, *rest] = spoken
    if rest or not word.content or number(word.folded) or day(word.folded):
        return frozenset()
    named = word.raw[:1].isupper() or any(_alike(word.folded, one) for one in names)
    answers = word.folded in words("frames", "replies")
    return frozenset({word.folded}) if named and not answers else frozenset()


def _alike(one: str, other: str) -> bool:
    """Whether two words differ in one letter."""
    same = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    if same is None:
        return abs(len(one) - len(other)) == 1
    return one[same + 1 :] in (other[same + 1 :], other[same:]) or one[same:] == other[same + 1 :]
