"""A click command out of an operation: its arguments become options, its result is shown."""

import sys
from collections.abc import Callable, Mapping
from typing import Any

import click

from engraphy.cli import when
from engraphy.cli.session import (
    FAILED,
    answer,
    failing,
    opened,
    point_to_walls,
    store_options,
)
from engraphy.operations import Argument, Operation, operation
from engraphy.operations.shape import ENVELOPES
from engraphy.plain import plain
from engraphy.project import placed_here

_SHOWN = {
    "list": "timeline",
    "scoped": "timeline",
    "delete": "show_clearing:erased",
    "forget_user": "show_clearing:forgotten_user",
    "delete_fact": "show_clearing:deleted",
    "purge_expired": "show_clearing:erased",
    "prune": "show_clearing:pruned",
    "compact": "show_compacting:compacted",
    "undo": "show_looking_back:undone",
    "history": "show_looking_back:history",
    "audit": "show_looking_back:audit",
    "journal": "show_looking_back:mirrored",
    "snapshot": "show_looking_back:snapshots",
    "diff": "show_looking_back:difference",
    "summarize_old": "show_clearing:condensed",
    "episode": "remember",
    "procedure": "remember",
    "report": "get",
    "steps": "show_layers:steps",
    "outcome": "show_layers:outcome",
    "accept": "get",
    "reject": "forget",
    "why_not": "show_why:why_not",
    "cost": "show_costs:cost",
    "session_start": "show_session:session_start",
    "session_end": "show_session:session_end",
    "session": "show_session:session",
    "checkpoint": "show_session:checkpoint",
    "capabilities": "show_session:capabilities",
    "working": "show_session:working",
    "tool": "remember",
    "links": "show_links:links",
    "timeline_of": "show_timeline:course",
    "entity": "show_links:entity",
    "jobs": "show_jobs:jobs",
    "retry_job": "show_jobs:retried",
    "drop_job": "show_jobs:dropped",
    "context": "show_injecting:context",
    "inject": "show_injecting:inject",
    "receipts": "show_injecting:receipts",
    "reminders": "show_reminders:reminders",
    "sessions": "show_overviews:sessions",
    "owners": "show_overviews:owners",
    "dreams": "show_overviews:dreams",
    "graph": "show_overviews:graph",
    "explain_context": "explain",
    "publish": "show_federation:publication",
    "unpublish": "show_federation:publication",
    "publications": "show_federation:publications",
    "offers": "show_federation:publications",
    "subscribe": "show_federation:subscription",
    "unsubscribe": "show_federation:subscription",
    "subscriptions": "show_federation:subscriptions",
    "fetch": "show_federation:fetched",
    "reembed": "show_migrating:reembedded",
}
_TYPES: Mapping[str, Any] = {
    "text": click.STRING,
    "texts": click.STRING,
    "integer": click.INT,
    "number": click.FLOAT,
    "file": click.Path(exists=True, dir_okay=False),
    "new_file": click.Path(dir_okay=False),
}
_FOREIGN = "reembed"
"""What is done to a store whose vectors are not of the embedder that is set."""
_NOTHING: tuple[Any, ...] = ([], {"hits": []}, {"memories": []}, {"facts": []})
_DIFFERENCE = ("added", "removed", "changed")
_SCOPE = frozenset({"user", "agent", "project"})
_PIPED = "-"
_SHOWN_CHOICES = 5
"""More than so many are told in the help's words, which wrap, and not in its first column."""
_SHORT = {"limit": "-n", "user": "-u", "project": "-p", "kind": "-k"}
_EMPTY = (
    'This memory is empty. Keep something: engraphy remember "I prefer pytest"\n'
    "Let an agent keep it: engraphy install"
)
_QUOTES = 'A text of several words stands in quotes ("...").'
_NAMED = "Everything else has a name, such as --user ada: see --help."


class _Quoting(click.Command):
    """A command that says what to do where a text was typed without its quotes, or a value without
    its name."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The arguments as click reads them. Raises UsageError."""
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            if "extra argument" not in error.message:
                raise
            places = any(isinstance(p, click.Argument) and p.name != "id" for p in self.params)
            raise click.UsageError(
                f"{error.message}. {_QUOTES if places else _NAMED}", ctx
            ) from error


def command(name: str) -> click.Command:
    """The command of the operation `name`; a command line writes its underscores as hyphens."""
    verb = operation(name.replace("-", "_"))
    name = verb.name

    def run(as_json: bool, **options: Any) -> None:
        with opened(options, reads=verb.reads, foreign=name == _FOREIGN) as memory:
            result = verb.run(memory, placed_here(options, "."))
            value = plain(result)
            is_vain = not as_json and verb.reads and _is_nothing(value)
            is_empty = is_vain and not memory.owners()
        envelope = ENVELOPES.get(name)
        shown = "show_why:explained" if options.get("explain") else _SHOWN.get(name, name)
        answer({envelope: value} if envelope else value, shown, as_json=as_json)
        if is_empty:
            click.echo(_EMPTY, err=True)
        elif is_vain and (walls := _walls(verb)):
            point_to_walls(named=any(options.get(name) for name in walls))
        if name == "doctor" and not all(check.ok for check in result):
            raise SystemExit(FAILED)

    made = _Quoting(
        name.replace("_", "-"),
        callback=failing(run),
        params=[_parameter(one) for one in verb.arguments],
        help=_help(verb),
    )
    return store_options(made)


def _is_nothing(value: Any) -> bool:
    if not isinstance(value, dict):
        return value in _NOTHING
    is_same = not any(value.get(name, True) for name in _DIFFERENCE)
    return is_same or value in _NOTHING or value.get("total") == 0


def _walls(verb: Operation) -> set[str]:
    """The walls behind which a caller may say to look."""
    return {one.name for one in verb.arguments} & _SCOPE


def _help(verb: Operation) -> str:
    words = [f"  {a.name.upper()}: {a.help}" for a in verb.arguments if a.positional]
    return "\n\n".join([verb.help, *(["\b\n" + "\n".join(words)] if words else [])])


def _parameter(one: Argument) -> click.Parameter:
    kind = click.Choice(one.choices) if one.choices else _TYPES.get(one.type)
    check = _filled if one.filled else when.reading(one.name)
    if one.positional:
        if one.type == "text":
            return click.Argument([one.name], callback=_piped(check), required=one.required)
        return click.Argument([one.name], type=kind, callback=check, required=one.required)
    names = [f"--{one.name.replace('_', '-')}"]
    if one.name in _SHORT:
        names.insert(0, _SHORT[one.name])
    if one.type == "flag":
        return click.Option(names, is_flag=True, help=one.help)
    words = when.told(one.help, one.name)
    many = one.type == "texts"
    wide = len(one.choices) > _SHOWN_CHOICES
    return click.Option(
        [*names, one.name],
        type=kind,
        multiple=many,
        callback=check,
        metavar=one.name.upper() if wide else None,
        help=f"{words}: {', '.join(one.choices)}" if wide else words,
    )


def _piped(check: Callable[..., Any] | None) -> Callable[..., Any]:
    """What reads an argument: from standard input where a hyphen stands for it."""

    def read(ctx: click.Context, param: click.Parameter, value: Any) -> Any:
        if value == _PIPED:
            value = sys.stdin.buffer.read().decode(errors="replace").rstrip("\r\n")
            if "\0" in value:
                raise click.BadParameter("standard input holds no text.")
        return value if check is None else check(ctx, param, value)

    return read


def _filled(
    ctx: click.Context,  # noqa: ARG001 - click passes it
    param: click.Parameter,  # noqa: ARG001 - click passes it
    value: str | None,
) -> str | None:
    """What a command looks for has to be told: without a word there is nothing to look for."""
    if value is not None and not value.strip():
        raise click.BadParameter("it is empty; allowed: at least one character that is no space.")
    return value
