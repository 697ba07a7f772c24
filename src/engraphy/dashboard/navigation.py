"""The pages, in the order in which they stand in the menu."""

from typing import NamedTuple

from engraphy.model.granting import TokenRole


class Place(NamedTuple):
    """One page of the menu. `key`: the letter that goes there after `g`; `icon`: its name in
    `icons.html`; `role`: what a caller has to be to see it."""

    path: str
    title: str
    key: str
    icon: str
    role: TokenRole = TokenRole.READ
    group: str = ""


PLACES = (
    Place("/", "Overview", "o", "overview"),
    Place("/search", "Search", "s", "search"),
    Place("/memories", "Memories", "m", "memories"),
    Place("/timeline", "Timeline", "t", "timeline", group="Look"),
    Place("/graph", "Graph", "g", "graph"),
    Place("/sessions", "Sessions", "e", "sessions"),
    Place("/procedures", "Procedures", "p", "procedures"),
    Place("/reminders", "Reminders", "n", "reminders"),
    Place("/review", "Review", "r", "review", group="Look after"),
    Place("/dreams", "Dreams", "d", "dreams", TokenRole.ADMIN),
    Place("/jobs", "Jobs", "b", "jobs"),
    Place("/journal", "Journal", "j", "journal", TokenRole.ADMIN),
    Place("/costs", "Costs", "c", "costs", TokenRole.ADMIN),
    Place("/tokens", "Tokens", "k", "tokens", TokenRole.ADMIN),
    Place("/settings", "Settings", "x", "settings"),
)
