"""What an operation is made of, and the arguments that many of them share."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from engraphy.memory import Memory
from engraphy.model import Kind, Priority, Sensitivity
from engraphy.record import Record

ArgumentType = Literal[
    "text", "integer", "number", "flag", "texts", "file", "new_file", "object", "objects", "json"
]
Values = Mapping[str, Any]
ENVELOPES = {
    "recall": "hits",
    "list": "memories",
    "timeline": "memories",
    "observe": "outcomes",
    "conversation": "outcomes",
    "facts": "facts",
    "doctor": "checks",
    "why_not": "outcomes",
    "review": "memories",
    "scoped": "memories",
    "links": "relations",
    "jobs": "jobs",
    "receipts": "receipts",
    "reminders": "reminders",
    "working": "items",
    "history": "entries",
    "snapshot": "snapshots",
    "sessions": "sessions",
    "owners": "owners",
    "dreams": "dreams",
    "publications": "publications",
    "offers": "publications",
    "subscriptions": "subscriptions",
}
"""Under which name the list that an operation gives stands in a JSON object."""


class Argument(Record, frozen=True, kw_only=True):
    """One argument: `choices` where only some values are allowed, `positional` where a command
    line takes it without a name, `filled` where it refuses a text without a word to look for,
    `parts` what each of several objects has."""

    name: str
    type: ArgumentType = "text"
    help: str
    required: bool = False
    positional: bool = False
    filled: bool = False
    choices: tuple[str, ...] = ()
    parts: tuple["Argument", ...] = ()

    @property
    def moment(self) -> bool:
        """Whether it is a moment, as its help says: a number is one as well."""
        return self.type == "text" and "(ISO 8601)" in self.help


class Operation(Record, frozen=True, kw_only=True):
    """A verb: what it is called, what it takes, and how it is run. `reads`: it asks of a store
    what is in it, and makes none."""

    name: str
    help: str
    arguments: tuple[Argument, ...]
    run: Callable[[Memory, Values], Any]
    reads: bool = False


def positional(name: str, help: str, **more: Any) -> Argument:
    """A required argument that a command line takes without a name."""
    return Argument(name=name, help=help, required=True, positional=True, **more)


KINDS = tuple(kind.value for kind in Kind)
LEVELS = tuple(level.value for level in Sensitivity)
SCOPE = (
    Argument(name="user", help="the user it is about or for"),
    Argument(name="agent", help="the agent it belongs to"),
    Argument(name="project", help="the project it belongs to"),
    Argument(name="session", help="the session it comes from"),
)
LEAVE = (
    Argument(name="allow_private", type="flag", help="see private memories too"),
    Argument(name="allow_secret", type="flag", help="see secret memories too"),
)
READ = (*SCOPE, *LEAVE)
LIMIT = Argument(name="limit", type="integer", help="at most this many")
INCLUDE = Argument(
    name="include",
    type="texts",
    help="also those in this state; may be repeated",
    choices=("dormant", "archived", "superseded", "expired", "quarantined"),
)
AS_OF = Argument(name="as_of", help="what held at this moment (ISO 8601)")
KNOWN_AT = Argument(name="known_at", help="what was known by this moment (ISO 8601)")
AT = Argument(name="at", help="when it was said or became true (ISO 8601)")
KIND = Argument(name="kind", help="only this kind", choices=KINDS)
PATH = Argument(name="path", help="only what applies to this file, by their path globs")
ID = positional("id", "the memory's id, or its first characters")
QUERY = positional("query", "the question", filled=True)
BUDGET = Argument(name="budget", type="integer", help="at most this many tokens")
MIN_SCORE = Argument(name="min_score", type="number", help="only what scores at least this, 0 to 1")
CONFIRM = Argument(name="confirm", help="the token that the preview gave")
MISSING = Argument(name="missing", help="id of a memory that did not come back", filled=True)
FIELDS = (
    Argument(name="kind", help="what it is", choices=KINDS),
    Argument(name="title", help="a short title"),
    Argument(name="subtitle", help="a line that says more than the title"),
    Argument(name="tags", type="texts", help="a tag; may be repeated"),
    Argument(name="category", help="a category of your own"),
    Argument(name="importance", type="number", help="0 to 1"),
    Argument(
        name="sensitivity",
        help="who may see it",
        choices=LEVELS,
    ),
    Argument(
        name="priority", help="how urgent it is", choices=tuple(one.value for one in Priority)
    ),
    Argument(
        name="only_found",
        type="flag",
        help="never put it into every prompt, whatever its kind",
    ),
    Argument(name="scope_globs", type="texts", help="a glob of the paths it applies to"),
    Argument(name="concepts", type="texts", help="a concept it belongs to"),
    Argument(name="files_modified", type="texts", help="a file that was changed"),
    Argument(name="files_read", type="texts", help="a file that was read"),
    Argument(name="ttl_days", type="number", help="days until it expires"),
    Argument(name="discovery_tokens", type="integer", help="tokens it took to find this out"),
    Argument(name="remind_at", help="remind of it at this moment (ISO 8601)"),
    Argument(name="remind_when", help="remind of it when this topic comes up: its words"),
    Argument(name="trust", type="number", help="0 to 1; never more than its origin has"),
)
FILTERS = (
    KIND,
    Argument(name="category", help="only this category"),
    Argument(name="tag", help="only with this tag"),
    Argument(name="concept", help="only of this concept"),
    Argument(name="file", help="only about this file"),
    Argument(name="speaker", help="only said by this speaker"),
    Argument(name="since", help="from this moment on (ISO 8601)"),
    Argument(name="until", help="before this moment (ISO 8601)"),
    INCLUDE,
    LIMIT,
)


def call(verb: str, *names: str) -> Callable[[Memory, Values], Any]:
    """Call a verb of `Memory`: `names` by position, everything else that is given by name."""

    def run(memory: Memory, values: Values) -> Any:
        rest = given(values, *names)
        return getattr(memory, verb)(*(values[name] for name in names), **rest)

    return run


def given(values: Values, *but: str) -> dict[str, Any]:
    """What was given at all: a zero and an empty text are values, an unset flag is none."""
    return {
        key: value
        for key, value in values.items()
        if key not in but and value is not None and value is not False and value != ()
    }
