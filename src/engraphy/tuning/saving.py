"""Writing a tuned profile to a file that `profile=` and `--profile` take."""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from engraphy.errors import GainTooSmallError, UnreadableFileError
from engraphy.tuning.plan import Tuned


def save(tuned: Tuned, file: str | Path, *, force: bool = False) -> Path:
    """Write the tuned profile as TOML, over what stands there; returns the file.

    Raises GainTooSmallError where the gain is not above noise, unless `force`, and
    UnreadableFileError where the file cannot be written.
    """
    gain, low, high = tuned.gain[tuned.objective]
    if not (force or tuned.above_noise):
        told = {"gain": f"{gain:+.4f}", "low": f"{low:+.4f}", "high": f"{high:+.4f}"}
        raise GainTooSmallError(objective=tuned.objective, **told)
    before, after = tuned.before[tuned.objective], tuned.after[tuned.objective]
    head = (
        f"# Written by `engraphy tune`: {tuned.objective} {before:.4f} to {after:.4f}\n"
        f"# ({low:+.4f} to {high:+.4f}, 95 %) on {tuned.questions} questions, each held out once\n"
        f"# ({tuned.folds} folds, seed {tuned.seed}).\n"
    )
    # Whoever ends it meanwhile has the file that was there, or the new one.
    partial = Path(f"{file}.partial")
    try:
        partial.write_text(head + "\n".join(_lines(tuned.tables)) + "\n", "utf-8")
        partial.replace(file)
    except (OSError, ValueError) as error:
        raise UnreadableFileError(path=str(file), problem=str(error)) from error
    finally:
        with suppress(OSError, ValueError):
            partial.unlink(missing_ok=True)
    return Path(file)


def _lines(tables: Mapping[str, object]) -> Iterator[str]:
    """The lines of a TOML document: what stands alone first, then a section per table."""
    for key, value in tables.items():
        if not isinstance(value, Mapping):
            yield f"{key} = {_value(value)}"
    for key, value in tables.items():
        if isinstance(value, Mapping):
            yield f"\n[{key}]"
            yield from (f"{_key(inner)} = {_value(one)}" for inner, one in value.items())


def _key(name: object) -> str:
    text = str(name)
    return text if text.isascii() and text.replace("_", "a").isalnum() else _value(text)


def _value(value: object) -> str:
    """A value as TOML; a table inside a section is written in one line."""
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_key(key)} = {_value(one)}" for key, one in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    # JSON's texts, numbers and truth values are TOML's too, but for one control character.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
