"""What may be a page of a notebook: paths as they are written, and texts that stay as they are."""

import re
from collections.abc import Mapping
from unicodedata import category, is_normalized

from engraphy.errors import ContentTooLongError, InvalidInputError
from engraphy.text.clean import clean
from engraphy.text.secrets import secret_in_name
from engraphy.write.documents import fit, own
from engraphy.write.intake import shown

MOST_BYTES = 102_400
"""Of a page's text."""
_MOST_PATH_BYTES = 1_024
_MOST_SEGMENTS = 20
_PATH = (
    "a path such as /notes/plan.md: 1 to 20 segments, none of them empty, . or .., at most 1,024 "
    "bytes, in NFC, without control and format characters and credentials"
)
_UNPRINTED = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_NAMES = {"name": (1, 255), "description": (0, 1_024)}
_MOST_PAIRS, _LONGEST_KEY, _LONGEST_VALUE = 16, 64, 512
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_AS_IT_IS = "a text that can be kept as it is: without credentials, blocks of memory and NUL"


def path(told: object) -> str:
    """The path of a page, unchanged. Raises InvalidInputError."""
    parts = told.split("/") if isinstance(told, str) else []
    legal = len(parts) >= 2 and parts[0] == "" and len(parts) <= _MOST_SEGMENTS + 1
    if not isinstance(told, str) or not legal or not all(map(_is_segment, parts[1:])):
        raise InvalidInputError(field="path", got=shown(told), allowed=_PATH)
    if not _storable(told) or not is_normalized("NFC", told) or secret_in_name(told):
        raise InvalidInputError(field="path", got=shown(told), allowed=_PATH)
    return told


def prefix(told: object) -> str:
    """The beginning of paths, up to a slash; "/" for all. Raises InvalidInputError."""
    if told == "/":
        return "/"
    if not isinstance(told, str) or not told.endswith("/"):
        allowed = "the beginning of paths, which ends with a slash"
        raise InvalidInputError(field="path_prefix", got=shown(told), allowed=allowed)
    return f"{path(told.removesuffix('/'))}/"


def folders(told: str) -> list[str]:
    """The beginnings of a path that end with a slash, the root aside, outermost first."""
    parts = told.split("/")[1:-1]
    return ["/" + "/".join(parts[: end + 1]) + "/" for end in range(len(parts))]


def text(told: object) -> str:
    """The text of a page, unchanged to the byte; what would have to be changed to be kept is
    refused. Raises InvalidInputError, ContentTooLongError."""
    if not isinstance(told, str):
        raise InvalidInputError(field="content", got=type(told).__name__, allowed="a text")
    if clean(told) != told:
        got = "a text with NUL, or half of a character"
        raise InvalidInputError(field="content", got=got, allowed=_AS_IT_IS)
    if len(told.encode("utf-8")) > MOST_BYTES:
        raise ContentTooLongError(
            f"The content has more than {MOST_BYTES:,} bytes.", length=len(told), limit=MOST_BYTES
        )
    if own(told) != told:
        got = "a text with a credential or a block of memory in it"
        raise InvalidInputError(field="content", got=got, allowed=_AS_IT_IS)
    return told


def named(field: str, told: object) -> str:
    """A name or a description of a notebook. Raises InvalidInputError."""
    least, most = _NAMES[field]
    allowed = f"{least} to {most:,} characters without control characters and credentials"
    if not isinstance(told, str) or not least <= len(told) <= most:
        raise InvalidInputError(field=field, got=shown(told), allowed=allowed)
    if (field == "name" and _CONTROL.search(told)) or own(told) != told:
        raise InvalidInputError(field=field, got=shown(told), allowed=allowed)
    return told


def pairs(told: object) -> dict[str, str]:
    """The host's own pairs about a notebook. Raises InvalidInputError."""
    allowed = "at most 16 names of 1 to 64 characters with texts of at most 512"
    if not isinstance(told, Mapping):
        raise InvalidInputError(field="metadata", got=type(told).__name__, allowed=allowed)
    made = {str(name): value for name, value in told.items() if isinstance(value, str)}
    fits = all(
        1 <= len(name) <= _LONGEST_KEY and len(value) <= _LONGEST_VALUE
        for name, value in made.items()
    )
    if len(made) != len(told) or len(made) > _MOST_PAIRS or not fits or fit(made) != made:
        raise InvalidInputError(field="metadata", got=shown(told), allowed=allowed)
    return made


def pairs_change(told: object) -> dict[str, str | None]:
    """Changes of the host's own pairs, None for those that go. Raises InvalidInputError."""
    if told is None:
        return {}
    made = dict(told) if isinstance(told, Mapping) else None
    if made is None or not all(one is None or isinstance(one, str) for one in made.values()):
        allowed = "an object of texts, and null for what goes"
        raise InvalidInputError(field="metadata", got=shown(told), allowed=allowed)
    return made


def digest(told: object) -> str | None:
    """A SHA-256 that a text has to have, None for any. Raises InvalidInputError."""
    if told is None:
        return None
    if not isinstance(told, str) or not _DIGEST.fullmatch(told):
        allowed = "64 hexadecimal digits in lower case"
        raise InvalidInputError(field="content_sha256", got=repr(told)[:70], allowed=allowed)
    return told


def _is_segment(part: str) -> bool:
    return part not in ("", ".", "..")


def _storable(told: str) -> bool:
    plain = not any(category(sign) in _UNPRINTED for sign in told)
    return plain and len(told.encode("utf-8")) <= _MOST_PATH_BYTES
