"""Stores, memories and their versions as Anthropic's API shows them, and what it is asked with."""

import base64
import binascii
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from engraphy.errors import InvalidInputError, NotFoundError
from engraphy.model.notebooks import Notebook, Page, PageVersion
from engraphy.text.moments import microseconds, moment

STORE, MEMORY, VERSION = "memstore_", "mem_", "memver_"
_USUAL, _MOST, _MOST_FULL = 20, 100, 20
_VIEWS = ("basic", "full")
_TOKEN = "token:"
_LONGEST_MARK = 4_096
One = TypeVar("One")


def known(prefix: str, told: str) -> str:
    """The id of ours in one of theirs. Raises NotFoundError for one of another kind."""
    if not told.startswith(prefix) or len(told) == len(prefix):
        raise NotFoundError(f"{told[:60]!r} is no {prefix}... that is known.", id=told)
    return told.removeprefix(prefix)


def store(book: Notebook) -> dict[str, Any]:
    """A notebook as a memory store."""
    return {
        "id": f"{STORE}{book.id}",
        "type": "memory_store",
        "name": book.name,
        "description": book.description,
        "metadata": dict(book.metadata),
        "created_at": when(book.created_at),
        "updated_at": when(book.updated_at),
        "archived_at": when(book.archived_at),
    }


def memory(page: Page, view: str) -> dict[str, Any]:
    """A page as a memory."""
    return {
        "id": f"{MEMORY}{page.id}",
        "type": "memory",
        "memory_store_id": f"{STORE}{page.notebook}",
        "memory_version_id": f"{VERSION}{page.version}",
        "path": page.path,
        "content": page.text if view == "full" else None,
        "content_sha256": page.digest,
        "content_size_bytes": len(page.text.encode("utf-8")),
        "created_at": when(page.created_at),
        "updated_at": when(page.updated_at),
    }


def version(one: PageVersion, view: str) -> dict[str, Any]:
    """A version of a page as a memory version."""
    size = None if one.text is None else len(one.text.encode("utf-8"))
    return {
        "id": f"{VERSION}{one.id}",
        "type": "memory_version",
        "memory_id": f"{MEMORY}{one.page}",
        "memory_store_id": f"{STORE}{one.notebook}",
        "operation": one.deed,
        "path": one.path,
        "content": one.text if view == "full" else None,
        "content_sha256": one.digest,
        "content_size_bytes": size,
        "created_at": when(one.at),
        "created_by": actor(one.by),
        "redacted_at": when(one.redacted_at),
        "redacted_by": None if one.redacted_by is None else actor(one.redacted_by),
    }


def actor(told: str) -> dict[str, str]:
    """Who the journal says it was: a token, or somebody at the machine."""
    if told.startswith(_TOKEN):
        return {"type": "api_actor", "api_key_id": told.removeprefix(_TOKEN)}
    return {"type": "user_actor", "user_id": told}


def level(pages: Sequence[Page], prefix: str, view: str) -> list[dict[str, Any]]:
    """What stands directly below a prefix: memories, and one prefix for all that lies deeper."""
    shown: dict[str, dict[str, Any]] = {}
    for page in pages:
        name, slash, _ = page.path.removeprefix(prefix).partition("/")
        path = f"{prefix}{name}{slash}"
        shown[path] = {"type": "memory_prefix", "path": path} if slash else memory(page, view)
    return [shown[path] for path in sorted(shown)]


def when(at: int | None) -> str | None:
    """A moment in RFC 3339."""
    if at is None:
        return None
    return moment(at).isoformat(timespec="microseconds").replace("+00:00", "Z")


def view_of(given: Mapping[str, Any], usual: str) -> str:
    """Whether a text is shown. Raises InvalidInputError."""
    told = given.get("view", usual)
    if told not in _VIEWS:
        raise InvalidInputError(field="view", got=repr(told)[:60], allowed=", ".join(_VIEWS))
    return str(told)


def limit_of(given: Mapping[str, Any], view: str = "basic") -> int:
    """How many a page holds. Raises InvalidInputError."""
    told = given.get("limit", str(_USUAL))
    count = int(told) if told.isdecimal() and len(told) < 5 else 0
    if not 1 <= count <= _MOST:
        allowed = f"a whole number from 1 to {_MOST}"
        raise InvalidInputError(field="limit", got=repr(told)[:60], allowed=allowed)
    return min(count, _MOST_FULL) if view == "full" else count


def moment_of(given: Mapping[str, Any], bound: str) -> int | None:
    """The moment in `created_at[gte]` or `[lte]`. Raises InvalidInputError."""
    names = (f"created_at[{bound}]", f"created_at_{bound}")
    told = next((given[name] for name in names if name in given), None)
    return None if told is None else microseconds(told.replace(" ", "+"), field=names[0])


def flag_of(given: Mapping[str, Any], name: str) -> bool:
    """A flag of a query string. Raises InvalidInputError."""
    told = given.get(name, "false").lower()
    if told not in ("true", "false"):
        raise InvalidInputError(field=name, got=repr(told)[:60], allowed="true or false")
    return bool(told == "true")


def paged(
    held: Sequence[One],
    given: Mapping[str, Any],
    limit: int,
    mark: Callable[[One], str],
    *,
    falling: bool = False,
) -> tuple[list[One], str | None]:
    """The next of what is held, which is in the order of its marks (`falling`: in the reverse of
    it), and the token of the page behind them. Raises InvalidInputError."""
    left = list(held)
    if (token := given.get("page")) is not None:
        last = _unfolded(token)
        left = [one for one in held if (mark(one) < last if falling else mark(one) > last)]
    chosen = left[:limit]
    return chosen, _folded(mark(chosen[-1])) if len(left) > limit else None


def _folded(mark: str) -> str:
    told = json.dumps(["page", mark], ensure_ascii=False)
    return base64.urlsafe_b64encode(told.encode("utf-8")).decode()


def _unfolded(token: str) -> str:
    try:
        if len(token) > _LONGEST_MARK:
            raise ValueError(token)
        said, mark = json.loads(base64.b64decode(token, altchars=b"-_", validate=True))
    except (ValueError, TypeError, binascii.Error, RecursionError) as error:
        said, mark = None, error
    if said != "page" or not isinstance(mark, str):
        allowed = "the next_page of the answer before"
        raise InvalidInputError(field="page", got=repr(token)[:60], allowed=allowed)
    return mark
