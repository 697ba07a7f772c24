"""Three parties share, change and take back at random; what each sees is what a small model says
(D-70, P-08)."""

from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from tests.engine.making import DAY, Ticks, kept, opened

from engraphy import Memory
from engraphy.model import Memory as Row

WAITS = DAY
STATES = ("dormant", "archived", "superseded", "expired", "quarantined")
NUMBERS = count()
PARTIES: dict[str, tuple[str, dict[str, Any]]] = {
    "a": ("acme", {"agent": "scout"}),
    "b": ("acme", {"agent": "coder"}),
    "c": ("beta", {}),
}
"""Two agents of one tenant, and another tenant."""

parties = st.sampled_from(sorted(PARTIES))
places = st.integers(0, 7)


@dataclass
class Own:
    """A memory of its own party."""

    id: str
    text: str
    public: bool = True
    tagged: bool = False


@dataclass
class Link:
    """A subscription: its copies by the id of the source, each (text, when it arrived)."""

    id: str
    to: str
    copies: dict[str, tuple[str, int]] = field(default_factory=dict)
    declined: dict[str, str] = field(default_factory=dict)


@dataclass
class Offer:
    """A publication, of what is tagged or of all."""

    id: str
    by: str
    to: str
    tagged: bool
    links: list[Link] = field(default_factory=list)

    def shares(self, own: Own) -> bool:
        return own.public and (own.tagged or not self.tagged)


class Federation(RuleBasedStateMachine):
    """What a party sees: its own, and of each live subscription the copies of sources that say
    today what they said when it arrived; delivered once they have waited or were accepted."""

    folder: Path

    def __init__(self) -> None:
        super().__init__()
        self.clock = Ticks()
        self.memory = opened(self.folder / f"{next(NUMBERS)}.db", self.clock, tenant="acme")
        self.sides = {"acme": self.memory, "beta": self.memory.of_tenant("beta")}
        self.own: dict[str, list[Own]] = {name: [] for name in PARTIES}
        self.offers: list[Offer] = []
        self.accepted: set[tuple[str, str]] = set()

    def side(self, name: str) -> Memory:
        return self.sides[PARTIES[name][0]]

    def walls(self, name: str) -> dict[str, Any]:
        return PARTIES[name][1]

    @initialize(tagged=st.booleans())
    def begin(self, tagged: bool) -> None:
        """Somebody knows and shares something from the start."""
        self.remember("a", tagged)
        self.publish("a", "c", False)
        self.subscribe(0)

    @rule(who=parties, tagged=st.booleans())
    def remember(self, who: str, tagged: bool) -> None:
        number = next(NUMBERS)
        text = f"Shelf {number} of aisle {number % 7} holds item {number * 31}"
        tags = ["open"] if tagged else []
        row = kept(self.side(who).remember(text, tags=tags, **self.walls(who)))
        self.own[who].append(Own(row.id, text, tagged=tagged))

    @rule(who=parties, place=places, tagged=st.booleans())
    def edit(self, who: str, place: int, tagged: bool) -> None:
        if self.own[who]:
            own = self.own[who][place % len(self.own[who])]
            number = next(NUMBERS)
            own.text = f"Shelf {number} was emptied and holds item {number * 17}"
            own.tagged = tagged
            tags = ["open"] if tagged else []
            see = {"allow_private": True, **self.walls(who)}
            self.side(who).update(own.id, own.text, tags=tags, **see)
            self._gone(own)

    @rule(who=parties, place=places)
    def restrict(self, who: str, place: int) -> None:
        if self.own[who]:
            own = self.own[who][place % len(self.own[who])]
            see = {"allow_private": True, **self.walls(who)}
            self.side(who).update(own.id, sensitivity="private", **see)
            if own.public:
                own.public = False
                self._gone(own)

    @rule(who=parties, place=places)
    def forget(self, who: str, place: int) -> None:
        if self.own[who]:
            own = self.own[who].pop(place % len(self.own[who]))
            self.side(who).forget(own.id, allow_private=True, **self.walls(who))
            self._gone(own)

    def _gone(self, own: Own) -> None:
        for link in (link for offer in self.offers for link in offer.links):
            link.copies.pop(own.id, None)
            link.declined.pop(own.id, None)

    @rule(by=parties, to=parties, tagged=st.booleans())
    def publish(self, by: str, to: str, tagged: bool) -> None:
        if by == to or len(self.offers) > 5:
            return
        tenant, walls = PARTIES[to]
        made = self.side(by).publish(
            "n",
            to_tenant=tenant,
            to_agent=walls.get("agent"),
            tags=["open"] if tagged else [],
            **self.walls(by),
        )
        self.offers.append(Offer(made.id, by, to, tagged))

    @rule(place=places)
    def subscribe(self, place: int) -> None:
        if not self.offers:
            return
        offer = self.offers[place % len(self.offers)]
        source = PARTIES[offer.by][0]
        made = self.side(offer.to).subscribe(offer.id, source=source, **self.walls(offer.to))
        if all(link.id != made.id for link in offer.links):
            offer.links.append(Link(made.id, offer.to))
            self._arrive(offer, offer.links[-1])

    def _arrive(self, offer: Offer, link: Link) -> None:
        texts = {own.text for own in self.own[link.to]} | set(self._copies(link.to))
        for own in reversed(self.own[offer.by]):
            known = own.id in link.copies or own.id in link.declined
            if offer.shares(own) and not known and own.text not in texts:
                link.copies[own.id] = (own.text, self.clock.now)

    def _copies(self, who: str) -> dict[str, int]:
        links = [link for offer in self.offers for link in offer.links if link.to == who]
        return {text: at for link in links for text, at in link.copies.values()}

    @rule(who=parties)
    def fetch(self, who: str) -> None:
        self.side(who).fetch(**self.walls(who))
        for offer in self.offers:
            for link in offer.links:
                if link.to == who or (PARTIES[who] == ("beta", {}) and link.to == "c"):
                    self._arrive(offer, link)

    @rule(place=places)
    def unpublish(self, place: int) -> None:
        if self.offers:
            offer = self.offers.pop(place % len(self.offers))
            self.side(offer.by).unpublish(offer.id)

    @rule(place=places)
    def unsubscribe(self, place: int) -> None:
        links = [(offer, link) for offer in self.offers for link in offer.links]
        if links:
            offer, link = links[place % len(links)]
            offer.links.remove(link)
            self.side(link.to).unsubscribe(link.id, **self.walls(link.to))

    @rule(hours=st.sampled_from([1, 13, 25]))
    def wait(self, hours: int) -> None:
        self.clock.now += hours * DAY // 24

    @rule(who=parties, place=places, accept=st.booleans())
    def decide(self, who: str, place: int, accept: bool) -> None:
        """Somebody lets a copy in before, or turns it away for good."""
        waiting = self.side(who).review(**self.walls(who))
        if not waiting:
            return
        row = waiting[place % len(waiting)].memory
        if accept:
            self.side(who).accept(row.id, **self.walls(who))
            self.accepted.add((who, row.content))
            return
        self.side(who).reject(row.id, **self.walls(who))
        for link in (link for offer in self.offers for link in offer.links if link.to == who):
            for source, (text, _) in list(link.copies.items()):
                if text == row.content:
                    link.declined[source] = text
                    del link.copies[source]

    @invariant()
    def sees_what_the_model_says(self) -> None:
        # The look for what is due is at most once a minute.
        self.clock.now += 61_000_000
        for who in PARTIES:
            side, walls = self.side(who), self.walls(who)
            rows = side.list(limit=1_000, allow_private=True, **walls)
            every = side.list(limit=1_000, include=STATES, allow_private=True, **walls)
            own = {one.text for one in self.own[who]}
            copies = self._copies(who)
            assert self._of(every, vicarious=False) == own
            assert self._of(every, vicarious=True) == set(copies)
            now = self.clock.now
            for text, at in copies.items():
                let_in = now - at > WAITS + 120_000_000 or (who, text) in self.accepted
                waits = now - at < WAITS - 120_000_000 and (who, text) not in self.accepted
                assert not let_in or text in self._of(rows, vicarious=True)
                assert not waits or text not in self._of(rows, vicarious=True)

    def _of(self, rows: list[Row], *, vicarious: bool) -> set[str]:
        own = [row for row in rows if (row.data_source == "federation") == vicarious]
        return {row.content for row in own}

    def teardown(self) -> None:
        for side in self.sides.values():
            assert side.audit(rows=True).whole
        self.memory.close()


@pytest.mark.long
@pytest.mark.spec("D-70", "P-08")
@pytest.mark.parametrize("examples", [6, pytest.param(60, marks=pytest.mark.slow)])
def test_what_is_seen_is_what_the_model_says(tmp_path: Path, examples: int) -> None:
    """Whatever is published, received, changed, forgotten, accepted and taken back in whatever
    order, nobody sees anything but their own and the live, waited-for copies of what lives."""
    Federation.folder = tmp_path
    test = Federation.TestCase
    test.settings = settings(max_examples=examples, stateful_step_count=25)
    test("runTest").runTest()
