"""P-27: encryption at rest. A change of keys that is killed leaves the old file or the new one,
whole; no byte of a memory or of a key is in any file beside an encrypted store, whatever was done
and whenever it was killed; a wrong key, none, or one too many changes no byte."""

import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import engraphy
import engraphy.stores.sqlite
from engraphy.errors import EncryptionError, EngraphyError
from engraphy.stores.ciphering import Key, checked
from engraphy.stores.sqlite import open_store
from engraphy_prove.proof import Findings, Trial
from engraphy_prove.vaults import SOUND_VAULT, Vault, deaf, killed
from engraphy_prove.workload import disagreements, fresh, held, put, whole, word

ROWS = 60
_LONGEST = 30.0
"""Seconds for a hook's process on a busy machine."""


def encryption(trial: Trial) -> Findings:
    """`rounds` rounds, by turns of kills while a key is changed, scans, and wrong keys."""
    build = trial.build
    assert isinstance(build, Vault)
    chance = random.Random(trial.seed)
    findings, met = Findings(), Counter[str]()
    for number in range(trial.rounds):
        name = (*_KINDS,)[number % len(_KINDS)]
        folder = trial.folder / f"{number:05d}"
        folder.mkdir()
        for what in _KINDS[name](build, folder, chance, met):
            findings.breach(f"round {number}, {name}: {what}")
        _remove(folder)
        met[name] += 1
        findings.tried += 1
        if trial.until_caught and findings.breaches:
            break
    told = ", ".join(f"{count} {name}" for name, count in sorted(met.items()))
    findings.figure = f"{findings.tried} rounds ({told}), {len(findings.breaches)} breaches"
    return findings


def _changes(build: Vault, folder: Path, chance: random.Random, met: Counter[str]) -> Iterator[str]:
    """A change of keys, killed at a random moment of the time that it takes."""
    path = str(folder / "memories.db")
    old, new = chance.choice(((None, _key(chance)), (_key(chance), _key(chance)),
                              (_key(chance), None)))  # fmt: skip
    usual = _usual(build, folder.parent)
    words, before = _filled(SOUND_VAULT, path, old, chance)
    child = os.fork()
    if child == 0:
        with suppress(EngraphyError):
            build.recode(path, old, new)
        os._exit(0)
    time.sleep(chance.uniform(0.0, usual))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    opened = [key for key in {old, new} if _opens(path, key)]
    if len(opened) != 1:
        yield f"{len(opened)} of the old key and the new one open the file"
        return
    [key] = opened
    met["ends with the new key" if key == new else "ends with the old key"] += 1
    yield from _examined(path, key, before)
    left = [file.name for file in folder.iterdir() if file.suffix in {".recoding", ".erasing"}]
    if left:
        yield f"{left} are left"
    if key is not None:
        yield from _scanned(folder, words, old, new)


def _examined(path: str, key: Key | None, before: dict[str, Any]) -> Iterator[str]:
    """What is wrong with a store, and with what it holds."""
    try:
        store = open_store(path, key=key)
    except EngraphyError as error:
        yield f"a {type(error).__name__}: {error}"
        return
    try:
        yield from disagreements(store)
        if held(store) != before:
            yield "what it holds is not what it held"
        yield from (check.detail for check in store.check(deep=True) if not check.ok)
    except EngraphyError as error:
        yield f"a {type(error).__name__}: {error}"
    finally:
        store.close()


def _uses(build: Vault, folder: Path, chance: random.Random, met: Counter[str]) -> Iterator[str]:
    """Everything that writes beside a store, killed: remembering, searching, dreaming, backing up,
    a mirror of the journal, the log of operations, a dry run's copy."""
    path, key = folder / "memory.db", _key(chance)
    words = [word(chance) for _ in range(24)]
    child = os.fork()
    if child == 0:
        _use(build, path, key, words, chance)
    ends = time.monotonic() + _LONGEST
    while not (folder / "backup-1.db").exists() and time.monotonic() < ends:
        time.sleep(0.01)
    time.sleep(chance.uniform(0.0, 1.5))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    met["files looked into"] += sum(1 for file in folder.rglob("*") if file.is_file())
    yield from _scanned(folder, words, key)
    if build.heeds:
        store = open_store(str(path), key=key)
        try:
            yield from disagreements(store)
        finally:
            store.close()
    yield from _scanned(folder, words, key)


def _use(build: Vault, path: Path, key: Key, words: list[str], chance: random.Random) -> None:
    try:
        if not build.heeds:
            engraphy.stores.sqlite.open_store = deaf
        changes = {"files": {"journal": "journal.jsonl"}}
        with engraphy.Memory(path, embedder="none", overrides=changes, key=key.secret) as memory:
            for number in range(10_000):
                said = " ".join(chance.sample(words, 6))
                memory.remember(f"{said} {number}", title=chance.choice(words), user="ada")
                memory.recall(chance.choice(words), user="ada")
                if number % 8 == 1:
                    memory.backup(path.with_name(f"backup-{number}.db"))
                    memory.dream(dry_run=number % 16 == 1)
    finally:
        os._exit(0)


def _hooks(build: Vault, folder: Path, chance: random.Random, met: Counter[str]) -> Iterator[str]:
    """What an agent tells, with the key, with none, and with the hook killed in between."""
    words, key = [word(chance) for _ in range(8)], _key(chance)
    open_store(str(folder / "memory.db"), key=key).close()
    told = json.dumps({"session_id": "s", "cwd": str(folder), "hook_event_name": "Stop",
                       "last_assistant_message": " ".join(words)})  # fmt: skip
    own = {"ENGRAPHY_HOME": str(folder), "ENGRAPHY_EMBEDDER": "none"}
    if chance.random() < 0.6:
        own["ENGRAPHY_KEY"] = str(key.secret)
    environment = {k: v for k, v in os.environ.items() if not k.startswith("ENGRAPHY_")} | own
    command = [sys.executable, "-c", build.hook, "hook", "claude-code", "Stop"]
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
    ) as process:
        with suppress(subprocess.TimeoutExpired):
            process.communicate(told.encode(), timeout=chance.choice((_LONGEST, 0.05)))
        process.kill()
    met["hooks"] += 1
    yield from _scanned(folder, words, key)
    _until_quiet(folder)
    yield from _scanned(folder, words, key)


def _wrong(build: Vault, folder: Path, chance: random.Random, met: Counter[str]) -> Iterator[str]:
    """Keys that do not fit, on files that a kill left with a log or a journal to bring in."""
    path = str(folder / "memories.db")
    key = None if chance.random() < 0.2 else _key(chance)
    _, before = _filled(SOUND_VAULT, path, key, chance)
    child = os.fork()
    if child == 0:
        killed(path, key, chance.choice(("wal", "journal")))
    os.waitpid(child, 0)
    files = _digest(folder)
    for other in (_key(chance), *(() if key is None else (None,))):
        try:
            build.unlock(path, other).close()
        except EncryptionError as error:
            met[type(error).__name__] += 1
        except EngraphyError as error:
            yield f"a {type(error).__name__} for a key that does not fit"
        else:
            yield "a key that does not fit opens the file"
        if _digest(folder) != files:
            yield "a key that does not fit changed the file"
            return
    yield from _examined(path, key, before)


_KINDS: dict[str, Callable[[Vault, Path, random.Random, Counter[str]], Iterator[str]]] = {
    "changes of keys": _changes,
    "uses": _uses,
    "told by an agent": _hooks,
    "keys that do not fit": _wrong,
}


def _key(chance: random.Random) -> Key:
    told = f"{chance.getrandbits(256):064x}" if chance.random() < 0.7 else f"pass {word(chance)}"
    found = checked(told)
    assert found is not None
    return found


def _filled(
    build: Vault, path: str, key: Key | None, chance: random.Random
) -> tuple[list[str], dict[str, Any]]:
    """A store with rows of every kind; its words, and what it holds."""
    store, words = build.unlock(path, key), list[str]()
    former = None
    for number in range(ROWS):
        row = fresh(chance, f"m{number:04d}-{word(chance, 4)}")
        put(store, whole(chance, row, former))
        former = row.id
        words += row.content.split()[:2]
    before: dict[str, Any] = held(store)
    store.close()
    return words, before


def _opens(path: str, key: Key | None) -> bool:
    try:
        open_store(path, key=key).close()
    except EngraphyError:
        return False
    return True


@cache
def _usual(build: Vault, folder: Path) -> float:
    """Seconds that a change of keys takes with this build, with room for a busy moment."""
    path, chance = str(folder / "usual.db"), random.Random(0)
    _filled(SOUND_VAULT, path, None, chance)
    started = time.perf_counter()
    build.recode(path, None, _key(chance))
    return 1.3 * (time.perf_counter() - started)


def _scanned(folder: Path, words: list[str], *keys: Key | None) -> Iterator[str]:
    """Words and keys that stand in the bytes of a file."""
    secrets = [one.encode() for one in words]
    for key in keys:
        if key is not None:
            raw = key.raw
            secrets += [str(key.secret).encode(), *([] if raw is None else [raw])]
    for file in sorted(folder.rglob("*")):
        with suppress(FileNotFoundError):
            if not file.is_file():
                continue
            data = file.read_bytes()
            found = sum(secret in data for secret in secrets)
            if found:
                yield f"{found} words or keys stand in {file.relative_to(folder)}"


def _digest(folder: Path) -> dict[str, str]:
    """What is in the files, but for the index of the log, which is made anew, and the side lock."""
    return {
        file.name: hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(folder.iterdir())
        if file.is_file() and not file.name.endswith(("-shm", ".lock"))
    }


def _until_quiet(folder: Path) -> None:
    """Until what works off what waits is over: it holds a lock."""
    ends = time.monotonic() + _LONGEST
    while time.monotonic() < ends:
        if not any(str(folder) in told for told in _running()):
            return
        time.sleep(0.1)


def _running() -> Iterator[str]:
    for place in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            yield place.read_bytes().decode("utf-8", "replace")


def _remove(folder: Path) -> None:
    for file in sorted(folder.rglob("*"), reverse=True):
        with suppress(OSError):
            file.rmdir() if file.is_dir() else file.unlink()
    with suppress(OSError):
        folder.rmdir()
