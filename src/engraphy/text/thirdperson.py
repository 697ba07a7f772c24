"""The first person turned into the third, word by word, in English and Turkish."""

import re
from collections.abc import Mapping
from functools import cache

from engraphy.text.datafiles import table
from engraphy.text.wordlists import key, pattern, plain, words

_NAME = r"[^\W_]{1,60}(?:[_./\\]{1,2}[^\W_]{1,60}){1,12}|[a-zçğıöşü]{1,40}[A-Z]\w{0,60}"
_CODE = re.compile(rf"\A(?:{_NAME})")
_TOKEN = re.compile(rf"(?:{_NAME})(?:['’][^\W_]+)?|[^\W_]+(?:['’][^\W_]+)*|[\W_]+")
_SIBILANT = ("s", "sh", "ch", "x", "z", "o")
_VOWELS = "aeiou"
_MOST_ADVERBS = 3
_HARMONY = {"a": "ı", "ı": "ı", "e": "i", "i": "i", "o": "u", "u": "u", "ö": "ü", "ü": "ü"}
_OPEN = "aeoö"
_VOICELESS = frozenset("fstkçşhp")


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
    """The Turkish sentence with its speaker in the third person: named as the subject of a verb of
    the first person, else as the owner or the object ("benim adım", "bana")."""
    told = table("tr")["rewrite"]["narrators"].get(name, name)
    tokens = _TOKEN.findall(sentence)
    verbs = [verb(tokens, place) for place in range(len(tokens))]
    acting = verbs != tokens or any(key(token) == "ben" for token in tokens)
    if acting:
        pieces = [acted(token, new) for token, new in zip(tokens, verbs, strict=True)]
        bare = "".join(pieces).strip()
        return f"{told} {bare[:1].lower() + bare[1:] if is_common(bare) else bare}"
    return of_a_speaker(tokens, told) or sentence


def verb(tokens: list[str], place: int) -> str:
    """A word without its ending of the first person singular, where it is a verb in it."""
    token = tokens[place]
    if begins_with_code(token) or key(token) in pronouns("tr"):
        return token
    sure = without_person(token, "endings")
    if sure != token or key(token) in words("rewrite", "no_verb") or not closes(tokens, place):
        return sure
    return without_person(token, "at_end")


def closes(tokens: list[str], place: int) -> bool:
    """Whether a word is the last of its clause."""
    behind = tokens[place + 1 : place + 3]
    if not behind or behind[0] != " ":
        return True
    return len(behind) > 1 and key(behind[1]) in words("rewrite", "joins")


def acted(token: str, new: str) -> str:
    """What a word becomes in a sentence whose subject is the speaker."""
    known = pronouns("tr").get(key(token))
    return known if known is not None else owned(new) or new


def of_a_speaker(tokens: list[str], told: str) -> str | None:
    """A sentence that speaks of what the speaker owns, or of what is done to them; None where it
    does neither."""
    cases: Mapping[str, str] = table("tr")["rewrite"]["cases"]
    pieces: list[str] = []
    pending = named = mine = False
    for place, token in enumerate(tokens):
        case = cases.get(key(token))
        alone = not place and key(token) in words("rewrite", "alone")
        thing = owned(token) if named or alone else None
        if pending and thing is None:
            thing = third(token)
        if case is not None:
            owns = case == "genitive" and not followed(tokens, place)
            pieces.append(cased(told, case) if owns or case != "genitive" else told)
            named, pending = True, owns
        elif thing is not None:
            pieces.append(thing)
            mine, pending = True, False
        else:
            pieces.append(token)
    if not named and not mine:
        return None
    bare = "".join(pieces).strip()
    if named:
        return bare[:1].upper() + bare[1:]
    return f"{cased(told, 'genitive')} {bare[:1].lower() + bare[1:] if is_common(bare) else bare}"


def followed(tokens: list[str], place: int) -> bool:
    """Whether "benim" stands before a word that it does not own: "benim için"."""
    return key("".join(tokens[place + 2 : place + 3])) in words("rewrite", "not_owned")


def owned(token: str) -> str | None:
    """What the speaker owns, as that of somebody else: "adım" is "adı"; None for other words."""
    known: str | None = possessions().get(key(token))
    if known is not None or begins_with_code(token):
        return known
    found = pattern("rewrite", "owned").search(plain(token))
    return None if found is None else token[: found.end() - 1]


def third(token: str) -> str | None:
    """A word behind "benim" that ends as what is mine does, as what is somebody's."""
    letters = lowered(token)
    if len(letters) < 3 or letters[-1] != "m" or letters[-2] not in _HARMONY:
        return None
    stem = token[:-1]
    return f"{stem}s{_HARMONY[letters[-2]]}" if letters[-2] in _OPEN else stem


@cache
def possessions() -> Mapping[str, str]:
    """What many people have, in both persons."""
    return {key(mine): theirs for mine, theirs in table("tr")["rewrite"]["possessed"].items()}


def cased(name: str, case: str) -> str:
    """A name in a case, its vowels in harmony; a proper name with an apostrophe."""
    letters = lowered(name)
    last = next((letter for letter in reversed(letters) if letter in _HARMONY), "e")
    close, wide = _HARMONY[last], "a" if last in "aıou" else "e"
    soft = letters[-1:] in _HARMONY
    stop = "t" if letters[-1:] in _VOICELESS else "d"
    ending = {
        "genitive": f"{'n' if soft else ''}{close}n",
        "dative": f"{'y' if soft else ''}{wide}",
        "accusative": f"{'y' if soft else ''}{close}",
        "locative": f"{stop}{wide}",
        "ablative": f"{stop}{wide}n",
    }[case]
    common = name in table("tr")["rewrite"]["narrators"].values()
    return f"{name}{ending}" if common else f"{name}'{ending}"


def lowered(word: str) -> str:
    """A Turkish word in small letters."""
    return word.replace("İ", "i").replace("I", "ı").lower()


def without_person(token: str, kind: str) -> str:
    """A Turkish word without its ending of the first person singular."""
    folded = plain(token)
    for ending, kept in endings(kind):
        found = ending.search(folded)
        if found is not None and found.start() > 0:
            return token[: found.start()] + kept
    return token


@cache
def endings(kind: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """The endings of the first person with what they become, the longer ones first."""
    return tuple(
        (re.compile(plain(row[0]) + "$", re.IGNORECASE), row[1])
        for row in table("tr")["rewrite"][kind]
    )


def is_common(text: str) -> bool:
    """Whether a text begins with an everyday word that only carries a sentence's capital."""
    first = _TOKEN.match(text)
    return first is not None and key(first[0]) in words("rewrite", "common_first")
