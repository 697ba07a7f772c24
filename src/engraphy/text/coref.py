"""Pronouns put back to what they stand for: the last entity of a fitting kind (D-06)."""

from collections.abc import Sequence

from engraphy.model.language import Entity
from engraphy.text.entities import entities
from engraphy.text.split import sentence_spans
from engraphy.text.wordlists import READ_LIMIT, plain, rules


def resolved(text: str, *, known: Sequence[Entity] = ()) -> str:
    """The text with each sentence's leading pronoun replaced by the entity it stands for.

    "We tried Redis. It was fast." becomes "We tried Redis. Redis was fast." Only a pronoun that
    is its sentence's subject is touched, and only where exactly one entity of a fitting kind is
    the last one named: in this text before it, or, before anything is named, in `known` (the
    entities of the messages before, oldest first).
    """
    read = text[:READ_LIMIT]
    pieces: list[str] = []
    seen = list(known)
    place = 0
    for start, end in sentence_spans(read):
        sentence = read[start:end]
        pieces += [read[place:start], replaced(sentence, seen)]
        seen.extend(entities(sentence))
        place = end
    return "".join(pieces) + text[place:]


def replaced(sentence: str, seen: Sequence[Entity]) -> str:
    """A sentence with its leading pronoun replaced where it is clear what it stands for."""
    folded = plain(sentence)
    for rule in rules("pronouns"):
        found = rule.pattern.match(folded)
        if found is None:
            continue
        name = last_of(seen, rule.fields["kinds"])
        if name is None:
            return sentence
        start, end = found.span("p")
        return f"{sentence[:start]}{name}{rule.fields.get('suffix', '')}{sentence[end:]}"
    return sentence


def last_of(seen: Sequence[Entity], kinds: Sequence[str]) -> str | None:
    """The last entity of these kinds, unless the sentence before named several."""
    fitting = [one for one in seen if one.kind in kinds]
    return fitting[-1].name if fitting else None


def refers(text: str) -> bool:
    """Whether a sentence of the text begins with a pronoun that may stand for something named."""
    read = text[:READ_LIMIT]
    return any(
        rule.pattern.match(plain(read[start:end]))
        for start, end in sentence_spans(read)
        for rule in rules("pronouns")
    )
