"""The operations about what was: undo, history, audit, snapshots."""

from typing import Any, get_args

from engraphy.engine.choosing import LAST
from engraphy.memory import Memory
from engraphy.model import JournalOp
from engraphy.operations.shape import Argument, ID, Operation, READ, Values, call, given, positional


def _undo(memory: Memory, values: Values) -> Any:
    return memory.undo(values.get("change"), **given(values, "change"))


def _snapshot(memory: Memory, values: Values) -> Any:
    name = values.get("name")
    return memory.snapshots() if name is None else [memory.snapshot(name)]


def _diff(memory: Memory, values: Values) -> Any:
    second = values.get("second")
    points = [values["first"]] if second is None else [values["first"], second]
    return memory.diff(*points, **given(values, "first", "second"))


LOOKING_BACK: tuple[Operation, ...] = (
    Operation(
        name="undo",
        help="Undo the last dream, session, purge or import, one cycle, or one change; what "
        "changed again since is left and named.",
        arguments=(
            Argument(name="change", type="integer", help="the number of a line of the journal"),
            Argument(name="last", help="what was done last", choices=LAST),
            Argument(name="run", help="the id of a cycle of maintenance, or of an import"),
            Argument(name="dry_run", type="flag", help="show what it would do"),
            *READ,
        ),
        run=_undo,
    ),
    Operation(
        name="history",
        help="Show everything that happened to a memory: who, when, why, from what to what.",
        arguments=(ID, *READ),
        run=call("deeds", "id"),
        reads=True,
    ),
    Operation(
        name="audit",
        help="List who changed what, when and why, and check that the journal is unaltered.",
        arguments=(
            Argument(name="actor", help="only by this one: user, dream ..."),
            Argument(name="op", help="only this kind of change", choices=get_args(JournalOp)),
            Argument(name="since", help="from this moment on (ISO 8601)"),
            Argument(name="until", help="before this moment (ISO 8601)"),
            Argument(name="target", help="only about this memory or fact"),
            Argument(name="before", type="integer", help="only lines before this one"),
            Argument(name="limit", type="integer", help="at most this many"),
            Argument(
                name="rows",
                type="flag",
                help="also check that the memories are what the journal says",
            ),
            Argument(
                name="head",
                help="the head that an earlier audit printed; checks that it is still there",
            ),
        ),
        run=call("audit"),
        reads=True,
    ),
    Operation(
        name="journal",
        help="Check that the copy of the journal in a file (without texts) is complete.",
        arguments=(Argument(name="rebuild", type="flag", help="write it anew"),),
        run=call("mirror"),
    ),
    Operation(
        name="snapshot",
        help="Name this moment of the journal; without a name, list the names there are.",
        arguments=(Argument(name="name", help="how it is called", positional=True),),
        run=_snapshot,
    ),
    Operation(
        name="diff",
        help="Show what changed between two moments: snapshots, lines of the journal, or now.",
        arguments=(
            positional("first", "a snapshot or the number of a line"),
            Argument(name="second", help="the later one; now where none is given", positional=True),
            *READ,
        ),
        run=_diff,
        reads=True,
    ),
)
