"""What every command shares: which store to open, how to answer, how to fail."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial, update_wrapper
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import click

from engraphy.errors import (
    EngraphyError,
    ImportFormatError,
    InvalidInputError,
    KeyMissingError,
    LabelledDataError,
    NotFoundError,
    UnreadableFileError,
)
from engraphy.memory import Memory
from engraphy.opening import place_of
from engraphy.settings import is_server
from engraphy.text.fence import sanitise_visible

FAILED = 1
WRONG_USAGE = 2
NOT_FOUND = 3
_NO_FILE = ":memory:"
_OF_A_FILE = (ImportFormatError, LabelledDataError)
_PREVIEW = ("ids", "previews")
_OWNERS_OF = ("user", "agent", "project")
_WALLS = (
    "What belongs to a user, an agent or a project is seen where it is named:\n"
    "--user NAME, --agent NAME, --project NAME."
)
_LIST = "`engraphy owners` lists whose memories there are."
Command = TypeVar("Command", bound=Callable[..., Any])

_STORE_OPTIONS = (
    click.option(
        "--db",
        "store",
        type=click.Path(dir_okay=False),
        help="the store's file [default: your own store]",
    ),
    click.option("--profile", "knobs", help="the profile, by name or in a file"),
    click.option("--tenant", help="the tenant; no other tenant's memories are seen"),
    click.option("--embedder", help="none, static, minilm, multilingual or provider/model"),
    click.option("--no-embed", is_flag=True, help="search by words only, without an embedder"),
    click.option("--ask-key", is_flag=True, help="ask for the key of an encrypted store"),
)
_JSON_OPTION = click.option("--json", "as_json", is_flag=True, help="print JSON")


def store_options(command: Command) -> Command:
    """Options that choose a store and how it is opened, and --json."""
    for option in reversed((*_STORE_OPTIONS, _JSON_OPTION)):
        command = option(command)
    return command


def json_option(command: Command) -> Command:
    """--json alone, for commands that open no store."""
    return _JSON_OPTION(command)


@contextmanager
def opened(
    options: dict[str, Any],
    *,
    reads: bool = False,
    tries: bool = False,
    foreign: bool = False,
    alone: bool = False,
    before: Callable[[], object] | None = None,
) -> Iterator[Memory]:
    """The memory that the store options (taken out of `options`) choose. What only `reads` makes
    no store where the caller named one that is not there; raises UnreadableFileError. What only
    `tries` something makes none either: it has one that is gone afterwards. Where a key
    is missing and somebody sits at the terminal, it is asked for. `foreign`: vectors of another
    model are no matter; `alone`: nobody reads along, so that a new store is no news. `before`: what
    is done before a new store is made, which is not where that fails."""
    chosen = embedder_of(options.pop("embedder"), none=options.pop("no_embed"))
    store = options.pop("store")
    trial = tries and _would_be_made(store, options["knobs"])
    named = store is not None and not is_server(store)
    is_new = named and not trial and _is_nothing(Path(store).expanduser())
    if reads and is_new:
        raise UnreadableFileError(path=store, problem="there is no store to read")
    if before is not None and not trial and _would_be_made(store, options["knobs"]):
        before()
    made = partial(
        Memory,
        _NO_FILE if trial else store,
        profile=options.pop("knobs"),
        tenant=options.pop("tenant"),
        embedder=chosen,
        reembed=foreign or bool(options.get("reembed")),
    )
    with _opened(made, ask=options.pop("ask_key", False)) as memory:
        if is_new and not alone:
            click.echo(f"A new store was made: {memory.path}", err=True)
        yield memory


def _opened(made: Callable[..., Memory], *, ask: bool) -> Memory:
    if ask:
        return made(key=asked_key("Key"))
    try:
        return made()
    except KeyMissingError:
        if not sys.stdin.isatty():
            raise
        return made(key=asked_key("Key"))


def asked_key(words: str, *, twice: bool = False) -> str:
    """A key that somebody types and nobody sees: a line of standard input where that is no
    terminal."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    told: str = click.prompt(words, hide_input=True, err=True, confirmation_prompt=twice)
    return told


def _would_be_made(store: str | None, knobs: str | None) -> bool:
    place = place_of(store, knobs)
    return not is_server(place) and _is_nothing(Path(place))


def _is_nothing(file: Path) -> bool:
    return not file.exists() or (file.is_file() and not file.stat().st_size)


def embedder_of(chosen: str | None, *, none: bool) -> str | None:
    """The embedder that --embedder and --no-embed choose together."""
    if none and chosen not in (None, "none"):
        raise click.UsageError(f"--no-embed and --embedder {chosen} exclude each other.")
    return "none" if none else chosen


def failing(run: Callable[..., Any]) -> Callable[..., Any]:
    """Print an engraphy error in one line on stderr (as JSON with --json) and exit: 2 where a value
    on the command line is not allowed, 3 where something was not found, else 1."""

    def guarded(*args: Any, **options: Any) -> Any:
        try:
            return run(*args, **options)
        except EngraphyError as error:
            name = type(error).__name__
            preview: dict[str, Any] = {k: error.details[k] for k in _PREVIEW if k in error.details}
            if options.get("as_json"):
                told = {"error": name, "message": str(error), **preview}
                click.echo(json.dumps(told), err=True)
            else:
                for held, text in zip(*preview.values(), strict=True):
                    click.echo(f"{held}  {sanitise_visible(text)}", err=True)
                click.echo(f"{name}: {error}", err=True)
                if type(error) is NotFoundError and "user" in options:
                    point_to_walls(named=any(options.get(wall) for wall in _OWNERS_OF))
            sys.exit(_code(error))

    return update_wrapper(guarded, run)


def point_to_walls(*, named: bool) -> None:
    """Say on stderr where what was not found may be: behind walls, unless some were `named`."""
    click.echo(_LIST if named else f"{_WALLS}\n{_LIST}", err=True)


def _code(error: EngraphyError) -> int:
    if isinstance(error, NotFoundError):
        return NOT_FOUND
    wrong = isinstance(error, InvalidInputError) and not isinstance(error, _OF_A_FILE)
    return WRONG_USAGE if wrong else FAILED


def answer(value: Any, shown: str, *, as_json: bool) -> None:
    """Print a result: as JSON, or by the function `shown` of `engraphy.cli.show`, or of another
    module of the command line where it is given as `module:function`."""
    if as_json:
        click.echo(json.dumps(value, ensure_ascii=not _speaks_unicode(), indent=2))
        return
    module, _, name = shown.rpartition(":")
    show: Callable[[Any], None] = getattr(import_module(f"engraphy.cli.{module or 'show'}"), name)
    show(_visible(value))


def _speaks_unicode() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")


def _visible(value: Any) -> Any:
    """What people are shown: a memory may not move the cursor, ring or turn the line around."""
    if isinstance(value, str):
        return sanitise_visible(value)
    if isinstance(value, list | tuple):
        return [_visible(one) for one in value]
    if isinstance(value, dict):
        return {key: _visible(one) for key, one in value.items()}
    return value
