"""A prompt answered without opening the memory: what its words find, in the block that a recall
would have put it in. Only for profiles whose injection is no more than that; what was given is told
to whoever works off what waits, who counts it as given and keeps the receipt.
"""

import json
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from importlib import import_module
from typing import Any

from engraphy import __version__, here
from engraphy.hooks import activity, answer, dialects, sealing, spool
from engraphy.hooks.event import Event
from engraphy.stores.glance import Glance, Place, Seen, glance, words

GIVEN = "prompt:given"
CARD = "card.json"
_FEW, _OF_FEW = 2, 0.5
"""Of a question of so few words a memory must answer so much (figures: docs/decisions.md, 191),"""
_OF_ONE, _OF_SEVERAL = 0.45, 0.3
"""of a longer one so much where it shares one telling word with it, and so much where more, ..."""
_SHARE_OF_BEST = 0.5
"""... and so much of what the best one does."""
_SHORT = 160
"""Characters of a question after what was done last, or by a kind, at most."""
_USER, _OTHERS = "user", 0.75
_MOST = 8
_CHARACTERS, _FIRST = 600, 200
_BYTES_PER_TOKEN = 3
_FENCED = ("hook_context", "memory-context", "system-reminder")


def answered(home: str, event: Event, say: Callable[[bytes], None], begun: float) -> bool:
    """Say what goes into the prompt; False where only an opened memory can."""
    card = _card(home)
    if card is None or event.folder not in card["projects"]:
        return False
    project, prompt = card["projects"][event.folder], event.prompt
    if any(name in prompt for name in _FENCED) or _asks_for_what_was_done(prompt, card):
        return False
    place = Place(
        path=card["path"],
        schema=card["schema"],
        tenant=card["tenant"],
        project=project,
        now=here.now(),
        everyday=frozenset(card["everyday"]),
        standing=tuple(card["standing"]),
        key=sealing.key(home),
    )
    question = _asked(prompt, card)
    seen = glance(place, question, event.session) if question else Glance([], [], "")
    if seen is None:
        return False
    lines = list(_lines(seen, card, prompt, question))
    block = _block(lines, card)
    say(answer.written(event.agent, event.event, block))
    told = [[one.id, one.version, len(line) // _BYTES_PER_TOKEN, one.share] for one, line in lines]
    if told:
        given = event._replace(id=f"{event.id}-g", event=GIVEN, prompt="", output=told)
        with suppress(OSError):
            spool.put(home, given)
    activity.note(
        home,
        event,
        project=project or "",
        phase="fired",
        way="glance",
        ms=round((here.stopwatch() - begun) * 1_000, 1),
        injected=[one.id for one, _ in lines],
        tokens=len(block.encode()) // _BYTES_PER_TOKEN if lines else 0,
        captured=[],
        skipped={},
        failed={},
    )
    return True


def _asked(prompt: str, card: Mapping[str, Any]) -> dict[str, set[str]]:
    """The telling words of a prompt with the index terms of each; those of what is of a kind too,
    where it asks by a kind ("which database"): what tells of one seldom says what it is."""
    question = words(prompt, frozenset(card["stop_words"]))
    if len(prompt) <= _SHORT and re.search(card["asks_kinds"], prompt.lower()):
        for terms in question.values():
            called = (card["kinds"].get(one.removesuffix("s"), "") for one in tuple(terms))
            terms.update(*(ones.split() for ones in called))
    return question


def _asks_for_what_was_done(prompt: str, card: Mapping[str, Any]) -> bool:
    """Whether a prompt is after what was done last, which it says without a word of it."""
    if len(prompt) > _SHORT or not any(one in prompt.lower() for one in card["recap"]):
        return False
    overall: Any = import_module("engraphy.text.overall")
    return bool(overall.recaps(prompt))


def _card(home: str) -> Mapping[str, Any] | None:
    """What whoever opened the memory last left for those that do not; None where it is of another
    version, or other variables."""
    with suppress(OSError, ValueError), open(os.path.join(home, "hooks", CARD), "rb") as file:
        card = json.load(file)
        mine = card["version"] == __version__ and card["mark"] == here.mark() and "kinds" in card
        if mine and card["plain"]:
            told: Mapping[str, Any] = card
            return told
    return None


def _lines(
    seen: Glance, card: Mapping[str, Any], prompt: str, question: Mapping[str, set[str]]
) -> Iterator[tuple[Seen, str]]:
    """The memories that go into the block, with their lines."""
    left = min(card["budget"] * _BYTES_PER_TOKEN, dialects.MOST_BYTES) - len(card["heading"]) - 64
    given = _given(seen.given, card["given_turns"])
    found = sorted(seen.found, key=lambda one: (-_worth(one), -one.seq))
    least = _SHARE_OF_BEST * _worth(found[0]) if found else 1.0
    answers = [
        one
        for one in found
        if _answers(one, len(question)) and _worth(one) >= least and one.content not in prompt
    ]
    told = [one for one in answers if (one.id, one.version) not in given][:_MOST]
    stands = [one for one in seen.standing if (one.id, one.version) not in given]
    met: set[str] = set()
    for one in [*stands, *told]:
        line = _line(one, question)
        size = len(line.encode()) + 1
        if size <= left and line not in met:
            met.add(line)
            left -= size
            yield one, line


def _answers(one: Seen, asked: int) -> bool:
    """Whether a memory answers enough of a question of so many words; everyday words alone are
    none."""
    least = _OF_FEW if asked <= _FEW else _OF_ONE if one.telling < _FEW else _OF_SEVERAL
    return one.telling > 0 and one.share >= least


def _worth(one: Seen) -> float:
    """How well a memory answers: what the user did not say loses a quarter, as in a recall."""
    return one.share if one.origin == _USER else one.share * _OTHERS


def _given(raw: str, turns: int) -> set[tuple[str, int]]:
    with suppress(ValueError, LookupError, TypeError):
        held: dict[str, Any] = json.loads(raw or "{}")
        oldest = held.get("turn", 0) - turns
        return {(one, version) for turn, one, version in held.get("items", ()) if turn > oldest}
    return set()


def _line(one: Seen, question: Mapping[str, set[str]]) -> str:
    """A bullet as a recall renders it: kind, day, who spoke, and the text, made safe by the same
    functions."""
    text = one.content
    if one.origin != "user":
        governor: Any = import_module("engraphy.text.governor")
        text = governor.without_instructions(text)
    if len(text) > _CHARACTERS:
        text = f"{_telling(text, question)[:_CHARACTERS]}…"
    fence: Any = import_module("engraphy.text.fence")
    day = time.strftime("%Y-%m-%d", time.gmtime(max(0, one.valid_from) / 1e6))
    about = ", ".join(map(fence.escape, [one.kind, day, *([one.speaker] if one.speaker else [])]))
    return f"- [{about}] {fence.escape(text)}"


def _telling(text: str, question: Mapping[str, set[str]]) -> str:
    """Of a long text the line that says what it is, and those that hold words of the question."""
    first, *rest = text.split("\n")
    terms = [term for several in question.values() for term in several]
    told = [line for line in rest if any(term in line.lower() for term in terms)]
    return "\n".join([first[:_FIRST], *told]) if told else text


def _block(lines: list[tuple[Seen, str]], card: Mapping[str, Any]) -> str:
    if not lines:
        return ""
    body = "\n".join(line for _, line in lines)
    return f"<memory-context>\n{card['heading']}\n{body}\n</memory-context>"
