"""Linear time: hostile texts of every shape against every public function of words (P-15)."""

import sys
import time
from collections.abc import Callable

import pytest

from engraphy.text.analyser import analyse, query_terms
from engraphy.text.atoms import stands_alone, subject
from engraphy.text.clean import clean
from engraphy.text.datafiles import table
from engraphy.text.echo import own
from engraphy.text.fence import escape, sanitise_visible, strip_injected
from engraphy.text.foresight import lasts_besides
from engraphy.text.governor import without_instructions
from engraphy.text.injection import injection_signals
from engraphy.text.keywords import keywords
from engraphy.text.language import language
from engraphy.text.markers import unframed
from engraphy.text.negation import negated_terms, polarity
from engraphy.text.secrets import find_secrets, redact
from engraphy.text.similarity import differs, lexical_similarity, near_duplicate
from engraphy.text.snippet import snippet
from engraphy.text.stepped import done
from engraphy.text.tokens import estimate_tokens, truncate_to_tokens
from engraphy.text.tooloutput import error_lines

FUNCTIONS: dict[str, Callable[[str], object]] = {
    "clean": clean,
    "language": language,
    "analyse": analyse,
    "query_terms": query_terms,
    "keywords": lambda text: keywords(text, 10),
    "estimate": estimate_tokens,
    "truncate": lambda text: truncate_to_tokens(text, len(text) // 9),
    "polarity": polarity,
    "negated_terms": negated_terms,
    "strip_injected": strip_injected,
    "sanitise_visible": sanitise_visible,
    "escape": escape,
    "injection_signals": injection_signals,
    "without_instructions": without_instructions,
    "find_secrets": find_secrets,
    "redact": redact,
    "unframed": unframed,
    "differs": lambda text: differs(text, text + "x"),
    "similarity": lambda text: lexical_similarity(text, text[1:]),
    "near_duplicate": lambda text: near_duplicate(text, text + " y"),
}
REPEATING: dict[str, Callable[[str], object]] = {
    "analyse": analyse,
    "query_terms": query_terms,
    "keywords": lambda text: keywords(text, 10),
    "snippet": lambda text: snippet(text, "what is the port of a?", 200),
    "echo": lambda text: own(text, ["the port of the a is 80"]),
    "done": done,
    "lasts": lambda text: lasts_besides(text, now=0),
    "error_lines": lambda text: list(error_lines(text, 2_000)),
}
"""Functions that look at each piece of a text, and do so once."""
SHAPES = {
    "letters": "a",
    "digits": "7",
    "spaces": " ",
    "newlines": "\n",
    "dots": "a.",
    "slashes": "a/",
    "apostrophes": "don't ",
    "camel": "aB",
    "marks": "e\u0301\u0316",
    "cjk": "東京",
    "thai": "ที่",
    "emoji": "😀",
    "fences": "<memory-context ",
    "nested": "<memory-context><system-reminder>",
    "escaped": "&lt;memory-context",
    "rendered": "<memory-context>\n## Relevant Context from Previous Conversations\n- [Fact] x\n",
    "roles": "system: ",
    "role_marks": "[**",
    "passwords": "password = ",
    "cards": "4 1 1 ",
    "urls": "a://b:c",
    "keys": "sk-ant-api-",
    "jwt": "eyJaaaaaaaaaa.",
    "contextual": "aws datadog azure_ ",
    "private": "-----BEGIN PRIVATE KEY-----",
    "orders": "ignore all previous the your ",
    "repeats": 'repeat say "',
    "markup": "<img src ![a](https://x?y",
    "quotes": '"a" ',
    "turkish": "istemiyorum kullanma ",
    "negations": "never not ",
    "latin": "los ñandúes de la Göttin aaaaaaaaa ",
    "cyrillic": "орехи Фёдора ",
    "devanagari": "घड़ियाँ ",
    "surrogates": "\ud800\x00",
    "distinct": "",
}


def hostile(shape: str, size: int) -> str:
    """A text of about `size` characters of one shape."""
    if shape == "distinct":
        return " ".join(f"w{number:x}" for number in range(size // 6))
    unit = SHAPES[shape]
    return unit * (size // len(unit))


def seconds(function: Callable[[str], object], text: str) -> float:
    """CPU seconds of one call."""
    started = time.process_time()
    function(text)
    return time.process_time() - started


def calls(function: Callable[[str], object], text: str) -> int:
    """How many functions are called, ours and Python's own."""
    count = 0

    def called(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        function(text)
    finally:
        sys.setprofile(before)
    return count


def openings() -> str:
    """What begins a credential of every kind, one after the other."""
    data = table("secrets")
    prefixed = " ".join(one for row in data["prefixed"] for one in row["any"])
    named = "= ".join(name for row in data["contextual"] for name in row[1].split())
    return f"{prefixed} {named} = {' '.join(data['generic']['token'].split())} "


@pytest.mark.parametrize("shape", ["openings", *sorted({*SHAPES} - {"distinct"})])
def test_redaction_tries_a_place_a_few_times(shape: str) -> None:
    """However dense the beginnings of credentials are, a character costs about two calls at most,
    and twice the text twice as many."""
    unit = openings() if shape == "openings" else SHAPES[shape]
    few, many = (unit * (size // len(unit) + 1) for size in (10_000, 20_000))
    find_secrets(few)
    counted = calls(find_secrets, many)
    assert counted < 2.5 * len(many)
    assert counted <= 2.2 * calls(find_secrets, few) + 500


@pytest.mark.parametrize(
    ("name", "unit", "most"),
    [
        ("analyse", "a/", 3),
        ("analyse", "a.", 3),
        ("query_terms", "東京", 6),
        ("keywords", "ABC ", 4),
        ("snippet", "a. ", 1),
        ("echo", "a. ", 8),
        ("done", "a. ", 1),
        ("lasts", "I,", 1),
        ("error_lines", "--- a/a.py\n", 0.3),
    ],
)
def test_what_repeats_is_looked_at_once(name: str, unit: str, most: float) -> None:
    """Of a text that says the same over and over, what differs costs a look, and the rest no more
    than to tell it: some calls a character at most, a third of what they were or less."""
    text = (unit * 40_000)[:40_000]
    REPEATING[name](text)
    assert calls(REPEATING[name], text) < most * len(text)


def test_what_repeats_is_told_as_often() -> None:
    """A path is indexed with each of its parts as often as it stands there, and a sentence that is
    said twice is kept twice, or left out twice."""
    assert analyse("src/app2/src/app2.py").count("src") == 2
    assert analyse("東京東京").count("東京") == 2
    assert own("It rained. It rained.", []) == "It rained. It rained."
    told = "The port of the staging server is 8080."
    assert own(f"{told} Go on. {told}", [told]) == ""
    assert keywords("use Mongo or Redis, then Redis, Redis", 1) == ["Redis"]


def test_a_clause_is_read_as_far_as_a_text() -> None:
    """Beyond 8,192 characters nothing is looked for in a clause, and of what was done two hundred
    steps are told."""
    late = f"{', ' * 4_100}she runs the team"
    assert stands_alone("she runs the team")
    assert not stands_alone(late)
    assert subject(late) == ""
    assert subject("she runs the team") == "she"
    steps = [f"Open file {number}." for number in range(300)]
    assert done(" ".join(steps)) == tuple(step.rstrip(".") for step in steps[:200])
    assert done("\n".join(f"{n}. do {n}" for n in range(300))) == tuple(
        f"do {n}" for n in range(200)
    )


@pytest.mark.slow
@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_doubling_a_text_at_most_doubles_the_time(shape: str) -> None:
    """Eight times the text costs at most about eight times the time (quadratic would be 64).

    The short text is another one each time, as what was just read may be kept.
    """
    for name, function in FUNCTIONS.items():
        small, large = hostile(shape, 2_000), hostile(shape, 16_000)
        function(small)
        short = min(seconds(function, small[cut:]) for cut in (1, 2, 3))
        assert seconds(function, large) <= 20 * short + 0.05, name


@pytest.mark.slow
@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_a_megabyte_doubles_linearly(shape: str) -> None:
    """From half a megabyte to one the time grows by at most 2.5, for every public function."""
    for name, function in FUNCTIONS.items():
        half = seconds(function, hostile(shape, 500_000))
        assert seconds(function, hostile(shape, 1_000_000)) <= 2.5 * half + 0.6, name
