"""What a question wants done: help now, a view over everything said, an answer of one kind."""

import re
from collections.abc import Iterator
from functools import cache

from engraphy.text.analyser import analyse
from engraphy.text.datafiles import table
from engraphy.text.fold import fold
from engraphy.text.gazetteer import named
from engraphy.text.imprint import CODE_BYTES, code
from engraphy.text.wordlists import plain

_READ = 4_096
_WORD = re.compile(r"\w{2,24}")
KINDS = ("email", "phone", "work", "place", "duration")


def requests(question: str) -> bool:
    """Whether a question asks for help now, not for what was said; English and Turkish."""
    folded = _folded(question)
    asking = zip(_asking("request"), _asking("asker"), strict=True)
    asked = any(request.search(folded) and asker.search(folded) for request, asker in asking)
    return asked and not _fires("past", folded) and not _fires("survey", folded)


def asks_for_advice(question: str) -> bool:
    """Whether a question asks what is to be chosen or done, of the one who asks or of anybody
    ("what are some good films?"); English and Turkish."""
    folded = _folded(question)
    return _fires("request", folded) and not _fires("past", folded) and not _fires("survey", folded)


def is_task(text: str) -> bool:
    """Whether a message wants something done now ("add a unit test"); English and Turkish."""
    folded = _folded(text.strip())
    known = (section.get("task") for section in table("aims").values())
    return any(re.search(one, folded) is not None for one in known if one)


def begins_as_convention(codes: bytes) -> bool:
    """Whether a text, given the codes of its index tokens, begins as a rule or a habit does ("use",
    "never", "we", "the team"); English and Turkish."""
    first, second = codes[:CODE_BYTES], codes[CODE_BYTES : 2 * CODE_BYTES]
    habit = first == code("the") and second in _first_tokens("habitual")
    return habit or first in _first_tokens("convention")


def is_own_word(text: str) -> bool:
    """Whether what stands in a note is a word of whoever wrote it, and no description: it begins as
    a rule does, or says "I" or "we", within its first 4,096 characters; English and Turkish."""
    return _fires("own", _folded(text))


def states_practice(text: str, question: str) -> bool:
    """Whether a text states how those who ask do what they ask how they do ("how do we deploy?",
    "we deploy with Kamal"), or which they use of what they ask for, within its first 4,096
    characters; English."""
    known = table("aims")["en"]
    found = re.search(known["practice"], _folded(question))
    if found is None:
        return states_choice(text, question)
    return re.search(rf"{known['practised']}{found[1]}\b", _folded(text)) is not None


def states_choice(text: str, question: str) -> bool:
    """Whether a text names the kind of which a question asks which is to be used, or one of that
    kind ("which package manager should I use?", "we use pnpm"); English."""
    found = re.search(table("aims")["en"]["choice"], _folded(question))
    if found is None:
        return False
    kind, told = found[1].strip(), text[:_READ]
    domains = {row.domain for *_, row in named(plain(told)) if row.kind == "tech"}
    return kind in _folded(told) or kind.replace(" ", "_") in domains


def asks_for_practice(question: str) -> bool:
    """Whether a question is after how those who ask do something, or what they use; English."""
    known, folded = table("aims")["en"], _folded(question)
    return any(re.search(known[name], folded) is not None for name in ("practice", "choice"))


def surveys(question: str) -> bool:
    """Whether a question looks over everything that was said, as a summary or an order does."""
    return _fires("survey", _folded(question))


def recalls_the_agent(question: str) -> bool:
    """Whether what the agent said is asked for too: a summary, or "what did you suggest"."""
    return _fires("recap", _folded(question))


def wanted(question: str) -> str | None:
    """The kind of answer a question wants: "email", "phone", "work", "place" or "duration"; None
    for any other."""
    folded = _folded(question)
    return next((kind for kind in KINDS if _fires(kind, folded)), None)


def wants_value(question: str) -> bool:
    """Whether a question asks for a number, a date or another value, as it is or as it was last
    settled ("how many did I order"), and not for what it was once."""
    folded = _folded(question)
    return _fires("value", folded) and not _fires("former", folded) and not _fires("survey", folded)


def wants_present_value(question: str) -> bool:
    """Whether a question asks for a number, a date or another value as it is now."""
    return wants_value(question) and not _fires("over", _folded(question))


def asks_of_now(question: str) -> bool:
    """Whether a question is after how things are, not how they were or came to be."""
    folded = _folded(question)
    return not any(_fires(name, folded) for name in ("former", "over", "survey"))


def asking_words(question: str) -> frozenset[str]:
    """The words of a question that only ask ("many" in "how many"), folded, in lower case."""
    folded = _folded(question)
    found = (match for pattern in _asking("asks") for match in pattern.finditer(folded))
    return frozenset(match[1] for match in found)


def framing_words(question: str) -> frozenset[str]:
    """The words of a question that only ask for a summary ("comprehensive", "so far"), as index
    terms are folded."""
    folded = _folded(question)
    found = (match[0] for pattern in _asking("framing") for match in pattern.finditer(folded))
    return frozenset(fold(word) for text in found for word in _WORD.findall(text))


def resumes(codes: bytes) -> bool:
    """Whether a text, given the codes of its index tokens, begins as one that goes on with what was
    said before ("thanks", "sure", "hmm")."""
    return codes[:CODE_BYTES] in _first_tokens("resuming")


def attribute(question: str) -> frozenset[str]:
    """The words for what a question asks the value of ("response", "time"), folded, in lower case;
    none where its shape does not tell."""
    folded = _folded(question)
    for pattern in _asking("attribute"):
        match = pattern.search(folded)
        if match is not None:
            return frozenset(_WORD.findall(" ".join(one for one in match.groups() if one)))
    return frozenset()


def tells_a_change(sentence: str) -> bool:
    """Whether a statement says that something is new or has changed."""
    return _fires("change", _folded(sentence))


def prefers(codes: bytes) -> bool:
    """Whether a text, given the codes of its index tokens (`engraphy.text.imprint`), says what
    somebody prefers; English and Turkish."""
    return any(code in codes for code in _telling("preferring"))


def refuses(codes: bytes) -> bool:
    """The same of what somebody dislikes, avoids or may not have."""
    return any(code in codes for code in _telling("refusing"))


def changes(folded: str) -> Iterator[int]:
    """Where a folded statement in lower case says that something is new or has changed."""
    for pattern in _asking("change"):
        yield from (match.start() for match in pattern.finditer(folded))


def holds(kind: str, text: str) -> bool:
    """Whether a text names something of the kind; of a long text the first 4,096 characters."""
    read = text[:_READ]
    return any(pattern.search(read) is not None for pattern in _holding(kind))


def _folded(question: str) -> str:
    return plain(question[:_READ]).lower()


def _fires(name: str, folded: str) -> bool:
    return any(pattern.search(folded) is not None for pattern in _asking(name))


@cache
def _telling(name: str) -> tuple[bytes, ...]:
    sections = (section for section in table("aims").values() if name in section)
    return tuple(code(token) for section in sections for token in section[name].split())


@cache
def _first_tokens(name: str) -> frozenset[bytes]:
    sections = (section.get(name, "") for section in table("aims").values())
    words = (word for section in sections for word in section.split())
    return frozenset(code(analyse(word)[0]) for word in words)


@cache
def _asking(name: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(one[name]) for one in table("aims").values() if name in one)


@cache
def _holding(kind: str) -> tuple[re.Pattern[str], ...]:
    held = (section["holds"] for section in table("aims").values())
    return tuple(re.compile(one[kind]) for one in held if kind in one)
