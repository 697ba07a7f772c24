"""HaluMem's preference events (Chen et al. 2025): a held preference changes, or is given up.

Each event in a user of its own who holds the preferences of its topic, the one before the event
last; then the event is told. `told`: in the data's own account of it, followed by the new
preference ("I now like B") and its reason. `plain`: without the "now". `short`: only by the new
preference. Controls: a user
who does not hold the preference before the event, and the first telling of all preferences: nothing
may be superseded there.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engraphy.benchmarks.data import listed, read, shaped_as
from engraphy.benchmarks.precision_store import Replay
from engraphy.benchmarks.write_figures import Bar, Figure, Group, Row, Tally, scored, share
from engraphy.benchmarks.write_part import Ground, Part, halves, wrong
from engraphy.benchmarks.write_story import Story
from engraphy.memory import Memory

FILES = ("stage3_2_preference_events.json", "stage1_3_preferences.json")
TELLINGS = ("told", "plain", "short")
DEFINITIONS = {
    "pair": "a message and a statement held before it; positive: an event and the preference that "
    "it changes or ends; all other pairs must not supersede",
    "superseded": "a memory of the statement is in state superseded after the message, or a fact "
    "read out of it has ended",
    "told": "held: 'I like A. <reason>'; event: '<event description> I now like B. <reason>', or "
    "'<event description> I no longer like A.' where the data delete a preference",
    "short": "held: 'I like A.'; event: 'I now like B.' or 'I no longer like A.'",
    "plain": "as told, but without the word 'now', which the data do not have",
    "f1": "over the pairs of events, and (told only) of controls and first tellings",
    "false_supersede": "share of the pairs that must not supersede that did",
    "halves": "users at even places of the file are for tuning, those at odd places for reporting",
    "change, deletion": "recall over the events of that direction",
}
_BARS = (
    Bar(group="told, reporting", figure="f1", limit=0.70),
    Bar(group="told, reporting", figure="false_supersede", limit=0.03, at_least=False),
    Bar(group="plain, reporting", figure="f1", limit=0.70),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A change of one preference; `others`: what the user holds beside it, by topic and text."""

    id: str
    half: str
    deleted: bool
    before: dict[str, Any]
    after: dict[str, Any]
    account: str
    others: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """What one story showed."""

    half: str
    kind: str
    tally: Tally


def measure(ground: Ground) -> Part:
    """Every telling, both halves apart. Raises UnreadableFileError."""
    events, topics, digest = load(ground.data / "halumem" if ground.data else Path())
    rows: list[Row] = []
    seen = {telling: list(_told(ground, events, topics, telling, rows)) for telling in TELLINGS}
    groups = [
        _group(f"{telling}, {half}", [one for one in found if one.half == half])
        for telling, found in seen.items()
        for half in ("reporting", "tuning")
    ]
    return Part(
        groups=groups,
        bars=_BARS,
        definitions=DEFINITIONS,
        wrong=rows,
        data={"halumem": digest},
    )


def load(folder: Path) -> tuple[list[Event], list[tuple[str, list[dict[str, Any]]]], str]:
    """The events, each topic's preferences as first told (by half), and the files' SHA-256."""
    found, digest = read(str(folder), FILES)
    files = dict(found)
    with shaped_as("HaluMem", str(folder)):
        first = {row["uuid"]: _preferences(row) for row in listed(files[FILES[1]])}
        users = listed(files[FILES[0]])
        events = [one for place, user in enumerate(users) for one in _events(user, place, first)]
        topics = [
            (halves(place), points)
            for place, user in enumerate(users)
            for points in first.get(user["uuid"], {}).values()
        ]
    return events, topics, digest


def _preferences(row: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    return {name: topic["memory_points"] for name, topic in row["profile"]["preferences"].items()}


def _events(user: dict[str, Any], place: int, first: dict[str, Any]) -> Iterator[Event]:
    topics = first.get(user["uuid"], {})
    for row in user["event_list"]:
        [before] = row["before_preference"]["memory_points"]
        [after] = row["after_preference"]["memory_points"]
        points = topics.get(row["type_to_update"], ())
        yield Event(
            id=f"{place}:{row['event_id']}",
            half=halves(place),
            deleted=row["update_direction"] == "Delete",
            before=before,
            after=after,
            account=row["event_description"],
            others=tuple(_beside(points, before, row["changed_index"])),
        )


def _beside(
    points: Sequence[dict[str, Any]], before: dict[str, Any], changed: int
) -> Iterator[dict[str, Any]]:
    """The topic's other preferences: without the one that the event changes, as it is or as it
    was before earlier events changed it."""
    items = [one["specific_item"] for one in points]
    same = before["specific_item"] in items
    for place, one in enumerate(points):
        gone = one["specific_item"] == before["specific_item"] if same else place == changed
        if not gone:
            yield one


def _told(
    ground: Ground,
    events: Sequence[Event],
    topics: Sequence[tuple[str, list[dict[str, Any]]]],
    telling: str,
    rows: list[Row],
) -> Iterator[_Seen]:
    with ground.memory() as (memory, clock):
        for place, (half, points) in enumerate(topics if telling == "told" else ()):
            story = _story(memory, clock, f"first-{place}")
            yield _Seen(half=half, kind="first", tally=_first(story, points, telling))
        for event in events:
            for kind in ("event", "control") if telling == "told" else ("event",):
                seen, row = _event(
                    ground, _story(memory, clock, f"{kind}-{event.id}"), event, kind, telling
                )
                rows += row
                yield seen


def _story(memory: Memory, clock: Replay, user: str) -> Story:
    return Story(memory=memory, clock=clock, user=user)


def _first(story: Story, points: Sequence[dict[str, Any]], telling: str) -> Tally:
    """Preferences told for the first time are additions: none may end another."""
    false = pairs = 0
    for point in points:
        before = story.ended()
        pairs += len(story.held)
        story.state(_stated(point, telling))
        false += len(story.superseded(before) - {len(story.held) - 1})
    return Tally(fp=false, tn=pairs - false)


def _event(
    ground: Ground, story: Story, event: Event, kind: str, telling: str
) -> tuple[_Seen, list[Row]]:
    held = [*event.others, event.before] if kind == "event" else list(event.others)
    for point in held:
        story.state(_stated(point, telling))
    before = story.ended()
    text = _changed(event, telling)
    outcomes = story.tell(text)
    gone = story.superseded(before)
    wanted = {len(held) - 1} if kind == "event" else set()
    tp, fp, fn = len(gone & wanted), len(gone - wanted), len(wanted - gone)
    tally = Tally(tp=tp, fp=fp, fn=fn, tn=len(held) - len(wanted) - fp)
    name = kind if kind == "control" else ("deletion" if event.deleted else "change")
    rows: list[Row] = []
    if fp or fn:
        why = f"{name}, {telling}: {fn} missed, {fp} wrongly superseded; {_outline(outcomes)}"
        texts = {"held": " | ".join(_stated(one, telling) for one in held), "new": text}
        rows.append(wrong(ground, f"{event.half}:{event.id}", why, **texts))
    return _Seen(half=event.half, kind=name, tally=tally), rows


def _outline(outcomes: Sequence[Any]) -> str:
    return ", ".join(one.action.value for one in outcomes) or "nothing"


def _stated(point: dict[str, Any], telling: str, word: str = "") -> str:
    text = f"I {word}{point['type']} {_inside(point['specific_item'])}."
    return text if telling == "short" else f"{text} {point['reason']}"


def _changed(event: Event, telling: str) -> str:
    if event.deleted:
        new = f"I no longer {event.before['type']} {_inside(event.before['specific_item'])}."
    else:
        new = _stated(event.after, telling, "" if telling == "plain" else "now ")
    return new if telling == "short" else f"{event.account} {new}"


def _inside(item: str) -> str:
    """An item as it is written inside a sentence."""
    return item if item[1:2].isupper() else item[:1].lower() + item[1:]


def _group(name: str, seen: Sequence[_Seen]) -> Group:
    tallies = [one.tally for one in seen]
    false = sum(one.fp for one in tallies)
    right = sum(one.tn for one in tallies)
    return scored(
        name,
        tallies,
        false_supersede=share(false, false + right),
        change=_recall(seen, "change"),
        deletion=_recall(seen, "deletion"),
    )


def _recall(seen: Sequence[_Seen], kind: str) -> Figure:
    tallies = [one.tally for one in seen if one.kind == kind]
    return share(sum(one.tp for one in tallies), sum(one.tp + one.fn for one in tallies))
