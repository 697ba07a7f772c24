"""What is done with personal data that was found in a text (D-71): flagged, redacted or refused."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import reduce
from operator import or_
from typing import NamedTuple

from engraphy.model import Memory, SENSITIVITY_RANK, Sensitivity, Step
from engraphy.model.personal import Personal
from engraphy.profile.pii import KINDS, Pii, PiiPolicy

TAG = "pii:"
_PUT = "[redacted:{kind}]"
_STANDS = re.compile(rf"\[redacted:({'|'.join(KINDS)})\]")


class Seen(NamedTuple):
    """A text as it may be kept, and how much of which kind was found, by what is done with it."""

    text: str
    counts: dict[PiiPolicy, Counter[str]]

    def kinds(self, policy: PiiPolicy) -> Counter[str]:
        """What was found that is treated so."""
        return self.counts.get(policy, Counter())

    @property
    def steps(self) -> tuple[Step, ...]:
        """For the account of an outcome: kinds and numbers, never what was found."""
        said = {"flag": "made private", "redact": "taken out"}
        return tuple(
            Step(stage="pii", detail=f"{said[policy]}: {listed(found)}")
            for policy, found in self.counts.items()
            if policy in said
        )


def seen(text: str, found: Sequence[Personal], knobs: Pii) -> Seen:
    """A text with what is to be redacted taken out, and everything counted."""
    counts: dict[PiiPolicy, Counter[str]] = {}
    parts: list[str] = []
    place = 0
    for one in found:
        policy: PiiPolicy = next((knobs.of(kind) for kind in KINDS if kind == one.kind), "off")
        if policy == "off":
            continue
        counts.setdefault(policy, Counter())[one.kind] += 1
        if policy == "redact":
            parts += [text[place : one.start], _PUT.format(kind=one.kind)]
            place = one.end
    return Seen("".join((*parts, text[place:])), counts)


def listed(found: Counter[str]) -> str:
    """Kinds and numbers: "email 2, phone 1"."""
    return ", ".join(f"{kind} {count}" for kind, count in sorted(found.items()))


def flagged(memory: Memory, kinds: Iterable[str]) -> Memory:
    """A memory tagged with the kinds that it holds, and private at least; as it is without any."""
    tags = tuple(f"{TAG}{kind}" for kind in sorted(kinds))
    if not tags:
        return memory
    level = max(memory.sensitivity, Sensitivity.PRIVATE, key=SENSITIVITY_RANK.__getitem__)
    return replace(memory, tags=tuple(dict.fromkeys((*memory.tags, *tags))), sensitivity=level)


def taken_out(texts: Iterable[str]) -> Counter[str]:
    """How much of which kind was taken out of the text that lost most: a title says what its
    content says."""
    return most(Counter(_STANDS.findall(text)) for text in texts)


def most(counts: Iterable[Counter[str]]) -> Counter[str]:
    """The largest number of each kind."""
    return reduce(or_, counts, Counter[str]())
