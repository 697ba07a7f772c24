"""What a text says was the cause of what (D-13): cue phrases, English and Turkish."""

import re
from typing import NamedTuple

from engraphy.text.guards import MAX_COMPARED
from engraphy.text.split import sentences
from engraphy.text.wording import wording
from engraphy.text.wordlists import READ_LIMIT, Rule, plain, rules

_SHORTEST = 3


class Causal(NamedTuple):
    """The two clauses of a causal statement."""

    cause: str
    effect: str


def causal(text: str) -> Causal | None:
    """The first statement of a text that names a cause and its effect; None where none does."""
    for sentence in sentences(text[:READ_LIMIT]):
        folded = plain(sentence)
        for rule in rules("causes"):
            found = rule.pattern.search(folded)
            said = None if found is None else _clauses(sentence, found, rule)
            if said is not None and min(map(len, said)) >= _SHORTEST:
                return said
    return None


def content_stems(text: str) -> frozenset[str]:
    """The stems of a text's content words, to see whether two texts tell of the same."""
    found = wording(text[:MAX_COMPARED])
    return frozenset(key for word in found if word.content for key in word.keys)


def _clauses(sentence: str, found: re.Match[str], rule: Rule) -> Causal:
    """What stands before and behind the cue; a rule whose cue comes last names the effect. Where
    the sentence begins with its cause ("Due to the rain, the cellar was closed"), the effect stands
    behind the comma."""
    before = sentence[: found.start()].strip(" ,;:.")
    if "effect" in rule.pattern.groupindex:
        return Causal(before, sentence[slice(*found.span("effect"))])
    after = sentence[found.end() :].strip(" ,;:.")
    if not before and rule.fields["cause"] == "after":
        cause, _, effect = after.partition(",")
        return Causal(cause.strip(), effect.strip())
    return Causal(before, after) if rule.fields["cause"] == "before" else Causal(after, before)
