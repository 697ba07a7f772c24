"""What hooks keep beside an encrypted store is encrypted, or not kept."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engraphy import Memory, here
from engraphy.hooks import activity, cold, spool
from engraphy.hooks.event import Event
from engraphy.hooks.serving import work_off

KEY, WORD = "4f" * 32, "zyxquartz"
TOLD = {"session_id": "s", "hook_event_name": "UserPromptSubmit"}


def telling(home: Path) -> list[str]:
    every = (file for file in home.rglob("*") if file.is_file())
    return sorted(file.name for file in every if WORD.encode() in file.read_bytes())


def made(home: Path) -> None:
    home.mkdir(parents=True, exist_ok=True)
    with Memory(home / "memory.db", embedder="none", key=KEY) as memory:
        memory.remember(f"We deploy the {WORD} gateway on Tuesdays")


def event(prompt: str = f"Remember that the {WORD} door opens at nine") -> Event:
    return Event(id=here.fresh(), at=here.now(), agent="claude-code", event="prompt:submit",
                 session="s", prompt=prompt)  # fmt: skip


def hook(home: Path, name: str, key: str | None, **told: str) -> str:
    """What a hook of a real process prints."""
    own = {"ENGRAPHY_HOME": str(home), "ENGRAPHY_EMBEDDER": "none", "ENGRAPHY_HOOK_SECONDS": "50"}
    environment = {k: v for k, v in os.environ.items() if not k.startswith("ENGRAPHY_")} | own
    if key is not None:
        environment["ENGRAPHY_KEY"] = key
    data = json.dumps({"session_id": "s", "cwd": str(home), "hook_event_name": name, **told})
    done = subprocess.run(
        [sys.executable, "-m", "engraphy.cli", "hook", "claude-code", name],
        input=data, env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout


@pytest.mark.spec("P-27")
def test_what_waits_is_encrypted(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a key, what is told waits encrypted, is worked off as ever, and no word of it is in any
    file of the folder, before or after."""
    monkeypatch.setenv("ENGRAPHY_KEY", KEY)
    monkeypatch.setenv("ENGRAPHY_EMBEDDER", "none")
    made(own_home)
    told = event()
    spool.put(str(own_home), told)
    assert telling(own_home) == []
    assert list(spool.events(str(own_home))) == [told]
    assert work_off(str(own_home)) == 1
    assert spool.waiting(str(own_home)) == []
    assert telling(own_home) == []
    with Memory(own_home / "memory.db", embedder="none") as memory:
        assert any("nine" in one.content for one in memory.list())


@pytest.mark.long
@pytest.mark.spec("P-27")
def test_without_the_key_nothing_is_kept(own_home: Path) -> None:
    """Beside an encrypted store a hook that has no key keeps nothing of what it is told, ends
    well, and notes why."""
    made(own_home)
    assert hook(own_home, "Stop", None, last_assistant_message=f"The {WORD} door") == ""
    assert telling(own_home) == []
    assert spool.waiting(str(own_home)) == []
    [line] = activity.read(str(own_home))
    assert "encrypted" in line["failed"]["keep"]


@pytest.mark.long
@pytest.mark.parametrize("name", ["UserPromptSubmit", "SessionStart"])
def test_an_answer_that_fails_is_noted(own_home: Path, name: str) -> None:
    """A hook that is to answer and has no key, or the wrong one, says nothing, ends well, and notes
    why, without a word of the prompt."""
    made(own_home)
    for key, why in ((None, "KeyMissingError"), ("a wrong passphrase", "WrongKeyError")):
        assert hook(own_home, name, key, prompt=f"Where is the {WORD} door?") == ""
        line = activity.read(str(own_home))[-1]
        assert line["failed"]["answer"] == why
    assert telling(own_home) == []


@pytest.mark.spec("P-24", "P-27")
def test_without_the_key_no_store_is_opened(
    own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That would take seconds to come to nothing: the hook is over at once, and starts nobody."""
    made(own_home)
    monkeypatch.delenv("ENGRAPHY_KEY", raising=False)
    monkeypatch.setenv("ENGRAPHY_DAEMON", "auto")
    words = ["claude-code", "SessionStart", here.fresh(), str(here.now()), "2f"]
    said: list[bytes] = []
    with pytest.MonkeyPatch.context() as opening:
        opening.setattr("engraphy.hooks.opened.open_engine", None)
        opening.setattr("engraphy.hooks.starting.start", None)
        cold.run(words, json.dumps({"session_id": "s", "source": "startup"}).encode(), said.append)
    assert said == []
    [line] = activity.read(str(own_home))
    assert (line["way"], sorted(line["failed"])) == ("none", ["answer", "keep"])


@pytest.mark.long
@pytest.mark.spec("P-27")
def test_a_hook_with_the_key_answers(own_home: Path) -> None:
    """A prompt is answered out of an encrypted store, by opening it and by a glance; no word of it
    is left in any file."""
    made(own_home)
    asked = f"When is the {WORD} gateway deployed?"
    for session in ("one", "two"):
        said = hook(own_home, "UserPromptSubmit", KEY, prompt=asked, session_id=session)
        assert "Tuesdays" in said
        assert telling(own_home) == []
    assert {line["way"] for line in activity.read(str(own_home)) if line["phase"] == "fired"} == {
        "opened",
        "glance",
    }


def test_a_change_of_keys_takes_what_waits_along(
    own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What waits is brought under the new key, and nothing is lost; what another key encrypted
    waits on."""
    monkeypatch.setenv("ENGRAPHY_EMBEDDER", "none")
    sealing = pytest.importorskip("engraphy.hooks.sealing")
    checked = pytest.importorskip("engraphy.stores.ciphering").checked
    told = event()
    spool.put(str(own_home), told)
    assert telling(own_home) != []
    assert sealing.resealed(str(own_home), None, checked(KEY)) == 1
    assert telling(own_home) == []
    monkeypatch.setenv("ENGRAPHY_KEY", KEY)
    assert list(spool.events(str(own_home))) == [told]
    assert sealing.resealed(str(own_home), checked(KEY), checked("a new passphrase")) == 1
    assert list(spool.events(str(own_home))) == []
    assert len(spool.waiting(str(own_home))) == 1
    monkeypatch.setenv("ENGRAPHY_KEY", "a new passphrase")
    assert list(spool.events(str(own_home))) == [told]
    assert sealing.resealed(str(own_home), checked("a new passphrase"), None) == 1
    assert telling(own_home) != []


def test_the_mark_tells_nothing_of_the_key() -> None:
    """Not even a checksum of the key names a folder: it would let a passphrase be tried quickly."""
    assert here.mark({"ENGRAPHY_KEY": KEY}) == here.mark({}) == here.mark({"ENGRAPHY_KEY": "other"})
