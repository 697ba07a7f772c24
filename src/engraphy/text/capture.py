"""Preferences, corrections and constraints captured from a message by pattern (B-07)."""

import re
from collections.abc import Iterator

from engraphy.model.kinds import Kind, Priority
from engraphy.model.language import Capture
from engraphy.text.evidence import asks
from engraphy.text.split import sentence_spans
from engraphy.text.wordlists import READ_LIMIT, Rule, pattern, plain, rules

_MOST = 8


def captures(text: str) -> tuple[Capture, ...]:
    """What a message asks to be kept, at most one piece per sentence and 8 in all.

    `content` is the whole sentence, so every "not" and "never" stays in it. Questions,
    suppositions and tales ("it must have been raining") give nothing. Secrets are redacted
    before this is called.
    """
    read = text[:READ_LIMIT]
    found: list[Capture] = []
    for start, end in sentence_spans(read):
        found.extend(captured(read, start, end))
        if len(found) == _MOST:
            break
    return tuple(found)


def captured(text: str, start: int, end: int) -> Iterator[Capture]:
    """The capture of one sentence: the first rule that fits."""
    folded = plain(text[start:end])[:600]
    if asks(folded) or pattern("capture_words", "nothing").search(folded):
        return
    for rule in rules("captures"):
        match = rule.pattern.search(folded)
        if match is not None:
            yield Capture(
                kind=Kind(rule.fields["kind"]),
                content=text[start:end],
                polarity=affirms(rule, match, folded),
                span=(start, end),
                priority=Priority(rule.fields["priority"]),
            )
            return


def affirms(rule: Rule, match: re.Match[str], folded: str) -> bool:
    """Whether the sentence affirms: False for "never", "don't", "no longer", Turkish -ma/-me."""
    told = rule.fields.get("polarity")
    if told is not None:
        return bool(told)
    said = pattern("capture_words", "answer").sub("", folded[match.start() :])
    return pattern("capture_words", "denials").search(said) is None
