"""What only asks for something to be done now (an errand), and what of such a message lasts.

"Run the tests" says nothing of whoever says it. A rule, a choice, a fact or a wish in the same
message stays. English and Turkish; the word lists are `lexicon/errands.toml`.
"""

import re
from collections.abc import Iterable, Iterator
from enum import Enum, auto
from functools import cache
from itertools import groupby, pairwise

from engraphy.record import Record
from engraphy.text.classify import evidence
from engraphy.text.datafiles import table
from engraphy.text.language import language, latin_evidence
from engraphy.text.slots import of_sentence
from engraphy.text.split import prose, sentence_spans
from engraphy.text.trivial import QUESTION, reason
from engraphy.text.wordlists import LANGUAGES, OTHERS, compose, plain

_LONGEST = 2_000
"""A longer message stays whole: it is a paste or a briefing, no errand."""
_SENTENCE = 400
_OPENINGS = 6
"""How often what stands before a request is taken off."""
_ANY = (*LANGUAGES, *OTHERS)
_FEW = 3
"""Words from which a clause may tell something."""
_MOST = 5
"""A message of more sentences is a story or a briefing: nothing is cut out of it."""
_UNTOLD = 60
"""Characters from which a text has a word that tells its language."""
_CLOSING = " \t\n\"'”’)"
_EDGE = " \t\n,;:–—-"


class _Says(Enum):
    ERRAND = auto()
    MAYBE = auto()
    """An errand, where nothing beside it lasts."""
    NOTHING = auto()
    ASKS = auto()
    TROUBLE = auto()
    """That something does not work now."""
    ADJUNCT = auto()
    """A part of what stands beside it."""
    LASTING = auto()


class _Part(Record, frozen=True):
    start: int
    end: int
    says: _Says


_STATED = frozenset({"preference", "decision", "policy", "fact"})
_ERRANDS = frozenset({_Says.ERRAND, _Says.MAYBE})
_LEFT_OUT = frozenset({_Says.ERRAND, _Says.NOTHING})


def lasting(text: str) -> tuple[str, ...] | None:
    """The pieces of a message without its errands, in order: none where it is nothing else. None
    where it has no errand: it stays as it is, and so does one with code whose words last."""
    if len(text) > _LONGEST or not (_known(text) or _brings_material(text)):
        return None
    said = prose(text)
    parts = list(_parts(said))
    found = {part.says for part in parts}
    if found.isdisjoint(_ERRANDS):
        return None
    if _Says.LASTING not in found:
        return ()
    if _hangs(parts, plain(said), 0):
        return None
    few = said == text and len(tuple(sentence_spans(text))) <= _MOST
    return tuple(_pieces(said, parts)) if few and _Says.ERRAND in found else None


def _pieces(text: str, parts: list[_Part]) -> Iterator[str]:
    """What stays, each run of it in one piece."""
    for out, run in groupby(parts, lambda part: part.says in _LEFT_OUT):
        stays = list(run)
        piece = text[stays[0].start : stays[-1].end].strip(_EDGE)
        if not out and (whole := _without_lead(piece)):
            yield whole


def _without_lead(piece: str) -> str:
    found = _sign("lead", LANGUAGES).match(plain(piece))
    return piece[found.end() :] if found else piece


def _parts(text: str) -> Iterator[_Part]:
    spoken = _spoken(text)
    for start, end in sentence_spans(text):
        if _brings_material(text[start:]):
            yield _Part(start, len(text), _Says.ERRAND)
            return
        if _has("supposed", _opened(plain(text[start:end]), LANGUAGES), LANGUAGES):
            yield _Part(start, end, _Says.ERRAND)
        else:
            yield from _of_sentence(text[start:end], start, spoken)


def _brings_material(text: str) -> bool:
    """Whether a text begins with a request that brings along what it is to be done with, in
    whatever language that is."""
    return _has("material", _opened(plain(text[:_SENTENCE]), LANGUAGES), _ANY)


def _known(text: str) -> bool:
    """Whether a text may be in a language whose requests are known."""
    if language(text) not in LANGUAGES:
        return False
    return len(text) < _UNTOLD or any(latin_evidence(text))


def _spoken(text: str) -> tuple[str, ...]:
    """The languages whose words are looked for: both where nothing tells which it is."""
    english, turkish = latin_evidence(text)
    if english == turkish:
        return LANGUAGES
    return ("tr",) if turkish > english else ("en",)


def _of_sentence(sentence: str, start: int, spoken: tuple[str, ...]) -> list[_Part]:
    whole = _Part(start, start + len(sentence), _as_a_whole(sentence, spoken))
    if whole.says is not _Says.ERRAND:
        return [whole]
    folded = plain(sentence)
    parts = [
        _Part(start + begin, start + end, _clause(sentence[begin:end], spoken))
        for begin, end in _clauses(folded, spoken)
    ]
    parts = _attached(_leading(parts, folded, start, spoken))
    if _hangs(parts, folded, start) or _told_first(parts):
        return [_Part(whole.start, whole.end, _Says.LASTING)]
    if sentence.rstrip(_CLOSING).endswith("?"):
        return [_softened(part) for part in parts]
    return parts


def _as_a_whole(sentence: str, spoken: tuple[str, ...]) -> _Says:
    """What a sentence says where it need not be cut; `ERRAND` where an errand may be in it."""
    if len(sentence) > _SENTENCE:
        return _Says.LASTING
    if (small := reason(sentence)) is not None:
        return _Says.ASKS if small == QUESTION else _Says.NOTHING
    opened = _opened(plain(sentence), spoken)
    return _Says.LASTING if _has("condition", opened, spoken) else _Says.ERRAND


def _opened(folded: str, spoken: tuple[str, ...]) -> str:
    """A clause without what stands before the request in it."""
    rest = folded.strip(_EDGE)
    for _ in range(_OPENINGS):
        found = _sign("open", spoken).match(rest)
        if found is None or not found.end():
            break
        rest = rest[found.end() :].lstrip(_EDGE)
    return rest


def _clause(clause: str, spoken: tuple[str, ...]) -> _Says:
    bare = _opened(plain(clause), spoken)
    if not any(letter.isalnum() for letter in bare):
        return _Says.NOTHING
    held = _has("standing", bare, spoken) or _says_how_things_are(clause)
    if _has("verb", bare, spoken) and not _has("noun", bare, spoken):
        sure = _has("sure", bare, spoken) or _has("sure", plain(clause).strip(_EDGE), spoken)
        return _Says.LASTING if held else _Says.ERRAND if sure else _Says.MAYBE
    if held or _has("rule", bare, spoken):
        return _Says.LASTING
    if _has("trouble", bare, spoken):
        return _Says.TROUBLE
    told = _has("tells", bare, spoken) or _told_of(bare, spoken)
    return _Says.LASTING if told else _Says.ADJUNCT


def _says_how_things_are(clause: str) -> bool:
    signals = {one.partition(":")[0] for one in evidence(plain(clause))}
    return not signals.isdisjoint(_STATED) or any(of_sentence(clause))


def _clauses(folded: str, spoken: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """Where the clauses of a sentence stand."""
    start = 0
    for border in _sign("borders", spoken).finditer(folded):
        if border["joint"] is not None and not _of_its_own(folded[border.end() :], spoken):
            continue
        if border.start() > start:
            yield start, border.start()
        start = border.end()
    if start < len(folded):
        yield start, len(folded)


def _of_its_own(right: str, spoken: tuple[str, ...]) -> bool:
    """Whether what follows a conjunction says something of its own."""
    bare = right[:_SENTENCE].strip()
    return _has("rule", bare, spoken) or _told_of(bare, spoken)


def _told_of(bare: str, spoken: tuple[str, ...]) -> bool:
    """Whether a clause tells something of a subject of its own."""
    told = _has("tells", bare, spoken) or _has("past", bare, spoken)
    return told and _has("subject", bare, spoken)


def _leading(
    parts: list[_Part], folded: str, start: int, spoken: tuple[str, ...]
) -> Iterator[_Part]:
    """The parts, those before the first errand as what lasts: where no verb of theirs is known they
    may still tell something, unless they only say where or with what."""
    before = True
    for part in parts:
        before = before and part.says not in _ERRANDS
        words = folded[part.start - start : part.end - start].strip(_EDGE)
        told = len(words.split()) >= _FEW and not _has("beside", words, spoken)
        lasts = before and part.says is _Says.ADJUNCT and told
        yield _Part(part.start, part.end, _Says.LASTING) if lasts else part


def _attached(found: Iterable[_Part]) -> list[_Part]:
    """Each part that stands for itself; an adjunct says what the part before it says, the first
    ones what the part behind them says."""
    parts = list(found)
    says = [part.says for part in parts]
    for place in range(1, len(says)):
        if says[place] is _Says.ADJUNCT:
            says[place] = says[place - 1]
    for place in reversed(range(len(says) - 1)):
        if says[place] is _Says.ADJUNCT:
            says[place] = says[place + 1]
    only = [_Says.LASTING if one is _Says.ADJUNCT else one for one in says]
    return [_Part(part.start, part.end, one) for part, one in zip(parts, only, strict=True)]


def _hangs(parts: list[_Part], folded: str, start: int) -> bool:
    """Whether what lasts speaks of what is asked for before it, so that it would not be understood
    alone: "run the tests and always run them before a commit"."""
    for before, part in pairwise(parts):
        if before.says in _ERRANDS and part.says is _Says.LASTING:
            words = folded[part.start - start : part.end - start]
            if _has("points", words, LANGUAGES):
                return True
    return False


def _told_first(parts: list[_Part]) -> bool:
    """Whether an errand follows what lasts: then it says what that was told for."""
    says = [part.says for part in parts]
    told = _Says.LASTING in says and says.index(_Says.LASTING)
    return told is not False and not _ERRANDS.isdisjoint(says[told:])


def _softened(part: _Part) -> _Part:
    """A request that is put as a question stays beside what lasts."""
    asked = part.says is _Says.ERRAND
    return _Part(part.start, part.end, _Says.MAYBE) if asked else part


def _has(name: str, folded: str, spoken: tuple[str, ...]) -> bool:
    return _sign(name, spoken).search(folded) is not None


@cache
def _sign(name: str, spoken: tuple[str, ...]) -> re.Pattern[str]:
    """The patterns of a name in those languages as one; `borders` names the joint ones."""
    if name == "borders":
        joint, border = _sign("joint", spoken).pattern, _sign("border", spoken).pattern
        return re.compile(f"(?P<joint>{joint})|{border}", re.IGNORECASE)
    listed = [compose(one, key) for key in spoken for one in table("errands")[key].get(name, ())]
    return re.compile("|".join(f"(?:{one})" for one in listed) or r"(?!)", re.IGNORECASE)
