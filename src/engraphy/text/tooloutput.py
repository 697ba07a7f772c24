"""What a tool gave back: its text in any agent's wrapping, how it ended, and whether it tells
anything."""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache

from engraphy.text.datafiles import table
from engraphy.text.keywords import keywords
from engraphy.text.toolinput import parts, verb_of
from engraphy.text.tools import Role, words
from engraphy.text.wordlists import plain

_DEEPEST = 6
_LONGEST_TRIVIAL = 600
_READ = 200_000
_HALF = _READ // 2
_LINE = 400
_ERROR_LINES = 12
_RUN = 5
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_WORDY = re.compile(r"[^\W\d_]|%")
_ALIKE = "[... {count:,} more lines like it ...]"
_Ends = tuple[str, str, str, str]
_LEFT_OUT = "[... {count:,} characters left out ...]"


def tool_text(output: object, depth: int = 0) -> str:
    """The text of a result: itself, or what its fields and blocks say, in their order.

    Claude Code sends an object (`stdout`, `stderr`, `file`), others a text, content blocks, or
    `{success, output, error}`. What is only an echo of the arguments is left out.
    """
    if isinstance(output, str):
        return output
    if output is None or depth > _DEEPEST:
        return ""
    if isinstance(output, Mapping):
        return "\n".join(filter(None, _of_fields(output, depth)))
    if isinstance(output, Sequence) and not isinstance(output, bytes):
        return "\n".join(filter(None, (tool_text(one, depth + 1) for one in output)))
    return json.dumps(output, ensure_ascii=False) if isinstance(output, int | float) else ""


def failed(output: object, text: str) -> bool:
    """Whether a tool says that it went wrong: by its fields, or by its words."""
    if isinstance(output, Mapping):
        told = [output.get(name) for name in words("output", "failure")]
        if any(told) or output.get("success") is False or output.get("interrupted") is True:
            return True
        code = output.get("exit_code", output.get("exitCode", output.get("returncode", 0)))
        if isinstance(code, int) and code != 0:
            return True
    read = plain(_ends(text))
    return _pattern("failed").search(_pattern("clean").sub("", read)) is not None


def excerpt(text: str, limit: int, left_out: int = 0) -> str:
    """A long text within about `limit` characters: its head, the lines that tell an error, its
    tail; the gap says how much it leaves out, with what was `left_out` of the text before."""
    if len(text) <= limit:
        return text
    first, quarter = _cut_head(text, limit // 2), limit // 4
    between = text[len(first) : len(text) - quarter]
    read = between if len(between) <= _READ else f"{between[:_HALF]}\n{between[-_HALF:]}"
    errors = "\n".join(line for _, line in error_lines(read, quarter))
    last = _cut_tail(text, limit - len(first) - len(errors))
    gone = left_out + len(text) - len(first) - len(errors) - len(last)
    return "\n".join(filter(None, (first.rstrip(), _LEFT_OUT.format(count=gone), errors, last)))


def without_progress(text: str) -> str:
    """An output without the lines that only go on as the one before them: what a runner, a package
    manager or a profiler says of each of many things. The first of such a run stays, with how many
    there were, and every line that tells an error."""
    kept: list[str] = []
    run: list[str] = []
    ends: _Ends | None = None
    for line in text.split("\n"):
        found = _line_ends(line)
        goes_on = ends is not None and found is not None and _alike(found, ends)
        if not goes_on or _tells_error(line):
            kept += _shortened(run)
            run = []
        run.append(line)
        ends = found
    kept += _shortened(run)
    return "\n".join(kept)


def _shortened(run: Sequence[str]) -> list[str]:
    return [*run] if len(run) < _RUN else [run[0], _ALIKE.format(count=len(run) - 1)]


def _tells_error(line: str) -> bool:
    return _pattern("error_line").search(plain(line[:_LINE])) is not None


def _line_ends(line: str) -> _Ends | None:
    """The first two and the last two words of a line, whatever numbers stand in them."""
    words = [_NUMBER.sub("#", word) for word in line[:_LINE].split()]
    return (words[0], words[1], words[-2], words[-1]) if len(words) > 1 else None


def _alike(one: _Ends, other: _Ends) -> bool:
    """Whether two lines begin alike, end alike, or begin and end alike, in a word at least."""
    pairs = ((0, 1), (2, 3), (0, 3))
    return any(
        one[a] == other[a] and one[b] == other[b] and _WORDY.search(one[a] + one[b])
        for a, b in pairs
    )


def tool_trivial(role: Role, command: str, text: str, *, edited: bool) -> str | None:
    """Why a use of a tool tells nothing that lasts (A-15); None where it does.

    `edited`: the arguments hold the change itself, so that an editor's receipt is enough.
    """
    said = plain(text.strip()[:_LONGEST_TRIVIAL])
    for reason, holds in (
        ("it is what the memory gave back", role == "own"),
        ("a plan stands in the session, not in the memory", role == "plan"),
        ("a listing of files", role == "list"),
        ("it only looks around", role == "run" and idle(command)),
        ("nothing was found", _whole("empty", said, text)),
        ("a receipt that names no change", not edited and _whole("receipt", said, text)),
        ("a check found nothing", not edited and _whole("routine", said, text)),
        ("no output", not edited and not said),
        ("it says nothing", not edited and not keywords(f"{command[:400]} {said}", 2)[1:]),
    ):
        if holds:
            return reason
    return None


def idle(command: str) -> bool:
    """Whether every part of a command only shows where one is, or sets up nothing that lasts."""
    found = parts(command)
    return bool(found) and all(_idle(part) for part in found)


def looking(command: str) -> bool:
    """Whether every part of a command only shows, reads or searches."""
    shows = {*words("commands", "readers"), *words("commands", "searchers")}
    found = parts(command)
    return bool(found) and all(_idle(part) or _shows(part, shows) for part in found)


def matches(name: str, text: str) -> bool:
    """Whether one of the named patterns of the tools' data is found in a text."""
    return _pattern(name).search(plain(text[:_READ])) is not None


def _shows(part: Sequence[str], readers: Collection[str]) -> bool:
    changes = any(word[:1] == ">" or word.startswith("-i") for word in part)
    return verb_of(part) in readers and not changes


def _idle(part: Sequence[str]) -> bool:
    verb = verb_of(part)
    if verb == "git":
        rest = [word for word in part[1:] if word[:1] != "-"]
        return bool(rest) and rest[0] in words("commands", "idle_git")
    return verb in words("commands", "idle") and not any(">" in word for word in part)


def _of_fields(output: Mapping[object, object], depth: int) -> Iterator[str]:
    named = {*words("output", "texts"), *words("output", "nested"), *words("output", "echoed")}
    told = [tool_text(output.get(name), depth + 1) for name in words("output", "texts")]
    told += [tool_text(output.get(name), depth + 1) for name in words("output", "nested")]
    found = list(dict.fromkeys(text for text in told if text.strip()))
    if not found:
        # Fields nobody told us of: what they hold as texts, not numbers and switches.
        rest = (value for key, value in output.items() if key not in named)
        found = [tool_text(one, depth + 1) for one in rest if not isinstance(one, int | float)]
    yield from found


def _ends(text: str) -> str:
    """The beginning and the end of an output, where it says how it went."""
    stripped = text.strip()
    if len(stripped) <= 4_000:
        return stripped
    return f"{stripped[:1_000]}\n{stripped[-3_000:]}"


def _whole(name: str, said: str, text: str) -> bool:
    return len(text.strip()) <= _LONGEST_TRIVIAL and bool(_pattern(name).fullmatch(said))


def _cut_head(text: str, limit: int) -> str:
    place = text.rfind("\n", limit // 2, limit)
    return text[: place + 1 if place >= 0 else limit]


def _cut_tail(text: str, limit: int) -> str:
    start = len(text) - limit
    place = text.find("\n", start, start + limit // 2)
    return text[place + 1 if place >= 0 else start :]


def error_lines(text: str, limit: int) -> Iterator[tuple[int, str]]:
    """The first lines of a text that tell an error, each once and with its place, within `limit`
    characters."""
    seen: set[str] = set()
    place = end = told = 0
    for line in text.splitlines(keepends=True):
        place, end = end, end + len(line)
        short = line.rstrip()[:_LINE]
        if not short or short in seen:
            continue
        seen.add(short)
        if _pattern("error_line").search(plain(short)):
            limit -= len(short) + 1
            if limit < 0 or told == _ERROR_LINES:
                return
            told += 1
            yield place, short


@cache
def _pattern(name: str) -> re.Pattern[str]:
    parts = (f"(?:{plain(one)})" for one in table("tools")["patterns"][name])
    return re.compile("|".join(parts), re.IGNORECASE | re.MULTILINE)
