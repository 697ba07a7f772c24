"""Requests to take back what was said: about a subject, a statement, or everything.

"Forget what I said about MongoDB" names its subject, "forget Rome" a value; "forget it" names none
and takes nothing back. A request that is asked, supposed or quoted is none.
"""

import re
from collections.abc import Iterator

from msgspec.structs import replace

from engraphy.model.language import Slot, Stance
from engraphy.record import Record
from engraphy.text.coverage import covered
from engraphy.text.datafiles import table
from engraphy.text.evidence import asks, stance_of
from engraphy.text.framing import attribute
from engraphy.text.gazetteer import lookup, named
from engraphy.text.language import language
from engraphy.text.rewrite import without_lead_in
from engraphy.text.slots import slots
from engraphy.text.slotvalues import synonyms, value_of
from engraphy.text.split import sentence_spans
from engraphy.text.wording import Word, wording
from engraphy.text.wordlists import key, pattern, plain, words

_READ = 1_000
_SENTENCE = 300
_EDGE = " \t\n,.;:!?-–—"
_LEAST = 3
_PART = 2
_ROOT, _ENDING, _CASE = 4, 3, 2


class Retraction(Record, frozen=True, kw_only=True):
    """What is taken back. `subject` in comparable form and as `written`, with the `attribute` it
    names, if any; `value`: as written, where nothing but a value is named; `said`: the slots of a
    statement that is taken back; `everything`: all of the user; `rest`: what the text says beside
    the request, as written."""

    subject: str = ""
    written: str = ""
    attribute: str = ""
    value: str = ""
    said: tuple[Slot, ...] = ()
    everything: bool = False
    rest: str = ""


def retraction(text: str) -> Retraction | None:
    """The first request of a text to take something back, or None. Reads 1,000 characters."""
    for start, end in sentence_spans(text[:_READ]):
        sentence = text[start : min(end, start + _SENTENCE)]
        bare = without_lead_in(sentence)
        if (polite := pattern("retraction", "polite").match(plain(bare))) is not None:
            bare = bare[polite.end() :].rstrip(" ?")
        folded = plain(bare)
        if (asks(folded) and polite is None) or stance_of(bare) is Stance.HYPOTHETICAL:
            continue
        if pattern("retraction", "everything").search(folded):
            return Retraction(everything=True)
        for found in _requests(folded):
            after = bare[found.end() :].strip(_EDGE)
            rest = " ".join(filter(None, (text[:start].strip(), after, text[end:].strip())))
            taken = _taken(bare, found, rest)
            if taken is not None:
                return taken
        if (named_value := _of_value(bare, folded)) is not None:
            rest = " ".join(filter(None, (text[:start].strip(), text[end:].strip())))
            return replace(named_value, rest=rest)
    return None


def concerns(content: str, taken: Retraction) -> bool:
    """Whether a text speaks of what is taken back by its words: all words that count of the
    subject stand in it, or the known name that it is."""
    if not taken.subject:
        return False
    names = {key(known.name) for _, _, known in named(plain(content))}
    if taken.subject in names:
        return True
    if language(taken.subject) == "cjk":
        return len(taken.subject) >= _PART and taken.subject in key(content)
    held = {form for word in wording(content) for form in (word.folded, *word.keys)}
    spoken = [word for word in wording(taken.subject) if word.content]
    named_things = [word for word in spoken if not _asked(word.folded)]
    wanted = named_things or [word for word in spoken if word.folded not in _wh()]
    return bool(wanted) and all(_stands(word, held) for word in wanted)


def asked_attributes(taken: Retraction) -> frozenset[str]:
    """The attributes that the subject names as what is taken back of a thing ("the port of the web
    app", "sunucunun portu"), as parts of the attributes of slots; empty for none."""
    roots = table("retraction")["attributes"]
    spoken = [word.folded for word in wording(taken.subject)]
    return frozenset(
        part
        for root, parts in roots.items()
        for part in parts
        if any(word.startswith(root) for word in spoken)
    )


def _stands(word: Word, held: set[str]) -> bool:
    """Whether a word stands among others; either may have an ending more."""
    if not held.isdisjoint((word.folded, *word.keys)):
        return True
    root = word.folded[: max(_ROOT, len(word.folded) - _ENDING)]
    return len(word.folded) >= _ROOT and any(
        one.startswith(root)
        or (word.folded.startswith(one) and len(one) >= min(_ROOT, len(word.folded) - _CASE))
        for one in held
    )


def names_a_thing(taken: Retraction) -> bool:
    """Whether a subject says more than what is asked of it."""
    spoken = [word for word in wording(taken.subject) if word.content]
    return any(not _asked(word.folded) and word.folded not in _wh() for word in spoken)


def names_a_part(taken: Retraction) -> bool:
    """Whether a subject is told by two words or more, so that it may be no name ("the gate
    code")."""
    return sum(word.content for word in wording(taken.subject)) >= _PART


def _asked(folded: str) -> bool:
    """Whether a word of a subject only says what of it is meant ("the port of the web app")."""
    listed = any(folded.startswith(root) for root in table("retraction")["attributes"])
    return listed or folded in words("retraction", "asked") or bool(attribute(folded))


def _wh() -> frozenset[str]:
    return frozenset({"where", "who", "what", "when", "which", "how", "whose", "lol"})


def _of_value(bare: str, folded: str) -> Retraction | None:
    """The request of a sentence that asks for nothing but that a value be forgotten."""
    found = pattern("retraction", "value").search(folded)
    if found is None:
        return None
    name = next(name for name, value in found.groupdict().items() if value)
    written = bare[slice(*found.span(name))].strip()
    subject = value_of(written)
    if not subject or subject in words("slotwords", "vague"):
        return None
    described = not words("retraction", "describing").isdisjoint(subject.split(" "))
    if described and lookup(subject) is None:
        return None
    return Retraction(subject=subject, written=written, value=written)


def _requests(folded: str) -> Iterator[re.Match[str]]:
    for name in ("subject", "statement"):
        found = pattern("retraction", name).search(folded)
        if found is not None:
            yield found


def _taken(bare: str, found: re.Match[str], rest: str) -> Retraction | None:
    named_as = next((name for name, value in found.groupdict().items() if value), None)
    if named_as is None:
        return None
    start, end = found.span(named_as)
    words_of = bare[start:end]
    if beside := found.groupdict().get(f"w{named_as[1:]}"):
        words_of = f"{words_of} of {beside}"
    rest = "" if covered(rest) else pattern("retraction", "join").sub("", rest)
    if named_as.startswith("t"):
        said = tuple(slot for slot in slots(words_of) if slot.polarity)
        subject = "" if said else value_of(words_of)
        told = Retraction(subject=subject, written=words_of, said=said, rest=rest)
        return told if said or subject else None
    subject = value_of(words_of)
    if subject in words("retraction", "oneself"):
        return Retraction(everything=True)
    least = _PART if language(subject) == "cjk" else _LEAST
    if len(subject) < least or subject in words("slotwords", "vague"):
        return None
    attribute = "" if lookup(subject) is not None else synonyms().get(subject, subject)
    if pattern("retraction", "it").match(plain(rest)):
        rest = f"{words_of}{rest[2:]}"
    return Retraction(subject=subject, written=words_of, attribute=attribute, rest=rest)
