"""The part of a long text that answers a question, for showing."""

from itertools import islice

from engraphy.text.analyser import analyse, query_terms
from engraphy.text.imprint import code, imprint, occurrences
from engraphy.text.split import sentence_spans

_MOST_SENTENCES = 200


def snippet(text: str, question: str, width: int) -> str:
    """The sentence of `text` that holds most of the question's words, with what follows it, on one
    line of at most `width` characters; the beginning where none holds any."""
    line = " ".join(text.split())
    if len(line) <= width:
        return line
    parts = [text[start:end] for start, end in islice(sentence_spans(text), _MOST_SENTENCES)]
    wanted = [(code(term.term), term.weight) for term in query_terms(question)]
    best = max(range(len(parts)), key=lambda place: (_worth(parts[place], wanted), -place))
    lead = "…" if best else ""
    rest = lead + " ".join(" ".join(parts[best:]).split())
    return rest if len(rest) <= width else f"{rest[: width - 1]}…"


def _worth(part: str, wanted: list[tuple[bytes, float]]) -> float:
    codes = imprint(part, analyse(part)).codes
    return sum(weight for token, weight in wanted if occurrences(codes, token))
