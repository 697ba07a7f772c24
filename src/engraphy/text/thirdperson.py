"""The first person turned into the third, word by word, in English and Turkish."""

import re
from collections.abc import Iterator, Mapping
from functools import cache

from engraphy.text.datafiles import table
from engraphy.text.wordlists import key, plain, words

_NAME = r"[^\W_]{1,60}(?:[_./\\]{1,2}[^\W_]{1,60}){1,12}|[a-zçğıöşü]{1,40}[A-Z]\w{0,60}"
_CODE = re.compile(rf"\A(?:{_NAME})")
_TOKEN = re.compile(rf"(?:{_NAME})(?:['’][^\W_]+)?|[^\W_]+(?:['’][^\W_]+)*|[\W_]+")
_SIBILANT = ("s", "sh", "ch", "x", "z", "o")
_VOWELS = "aeiou"
_MOST_ADVERBS = 3


def begins_with_code(text: str) -> bool:
    """Whether the first word is an identifier or a path, which keeps its letters as they are."""
    return _CODE.match(text) is not None


def third_person(sentence: str, name: str, language: str) -> str:
    """The sentence with `name` in place of its speaker; unchanged where nobody speaks."""
    return turkish(sentence, name) if language == "tr" else english(sentence, name)


@cache
def pronouns(language: str) -> Mapping[str, str]:
    """What each first-person word becomes; "{}" stands for the name."""
    found: Mapping[str, str] = table(language)["rewrite"]["pronouns"]
    return found


def english(sentence: str, name: str) -> str:
    """The English sentence, its verbs agreeing with the name."""
    tokens = _TOKEN.findall(sentence)
    agree = False
    result: list[str] = []
    adverbs = 0
    for place, token in enumerate(tokens):
        word = plain(token).lower()
        if is_speaker(tokens, place):
            result.append(pronouns("en")[word].replace("{}", name))
            agree, adverbs = word == "i", 0
        elif agree and token[0].isalpha():
            adverbs += 1
            agree = word in words("rewrite", "adverbs") and adverbs <= _MOST_ADVERBS
            result.append(token if agree or begins_with_code(token) else agreeing(token))
        else:
            agree = agree and token == " "
            result.append(token)
    return "".join(result)


def is_speaker(tokens: list[str], place: int) -> bool:
    """Whether a token is the speaker, and not the "I" of a numeral or an abbreviation."""
    word = plain(tokens[place]).lower()
    if word not in pronouns("en"):
        return False
    if word != "i":
        return True
    before = tokens[place - 1] if place else " "
    after = tokens[place + 1] if place + 1 < len(tokens) else ""
    return after == " " and before[-1] not in "./-_&" and not numeral(tokens, place)


def numeral(tokens: list[str], place: int) -> bool:
    """Whether an "I" counts something: "World War I"."""
    return (
        place >= 2
        and tokens[place - 2].istitle()
        and tokens[place - 1] == " "
        and (plain(tokens[place - 2]).lower() in words("rewrite", "numbered"))
    )


def agreeing(verb: str) -> str:
    """The verb of the third person singular; a past or modal verb stays."""
    word = plain(verb).lower()
    irregular: Mapping[str, str] = table("en")["rewrite"]["irregular"]
    if word in irregular:
        return irregular[word]
    if word in words("rewrite", "invariant") or is_past(word):
        return verb
    if word.endswith(_SIBILANT):
        return verb + "es"
    if word.endswith("y") and word[-2:-1] not in _VOWELS:
        return verb[:-1] + "ies"
    return verb + "s"


def is_past(word: str) -> bool:
    """Whether a verb already stands in the past."""
    if word in words("rewrite", "past"):
        return True
    return word.endswith("ed") and word not in words("rewrite", "present_ed")


def turkish(sentence: str, name: str) -> str:
    """The Turkish sentence: endings of the first person changed, the name put before."""
    told = table("tr")["rewrite"]["narrators"].get(name, name)
    changed = False
    pieces: list[str] = []
    for token, new in turned(sentence):
        changed = changed or new != token
        pieces.append(new)
    if not changed:
        return sentence
    bare = "".join(pieces).strip()
    return f"{told} {bare[:1].lower() + bare[1:] if is_common(bare) else bare}"


def turned(sentence: str) -> Iterator[tuple[str, str]]:
    """Each token and what it becomes."""
    for token in _TOKEN.findall(sentence):
        word = key(token)
        if begins_with_code(token):
            yield token, token
        elif word in pronouns("tr"):
            yield token, pronouns("tr")[word]
        else:
            yield token, without_person(token)


def without_person(token: str) -> str:
    """A Turkish word without its ending of the first person singular."""
    folded = plain(token)
    for ending, kept in endings():
        found = ending.search(folded)
        if found is not None and found.start() > 0:
            return token[: found.start()] + kept.replace(
                "*", token[found.start() : found.end()][:1]
            )
    return token


@cache
def endings() -> tuple[tuple[re.Pattern[str], str], ...]:
    """The endings of the first person with what they become, the longer ones first."""
    return tuple(
        (re.compile(plain(row[0]) + "$", re.IGNORECASE), row[1])
        for row in table("tr")["rewrite"]["endings"]
    )


def is_common(text: str) -> bool:
    """Whether a text begins with an everyday word that only carries a sentence's capital."""
    first = _TOKEN.match(text)
    return first is not None and key(first[0]) in words("rewrite", "common_first")
