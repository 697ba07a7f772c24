"""Personal data on the way in (D-71): what the profile says is done before anything is written,
whichever verb brings it, and told by kinds and numbers."""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.engine.conftest import Opening
from tests.engine.making import kept

from engraphy import Memory
from engraphy.errors import MissingExtraError, PersonalDataError, ProfileError
from engraphy.model.documents import Document
from engraphy.model.importing import Item

MAIL = "ayla.demir@example.com"
SAID = f"the new mail address of the tax adviser is {MAIL}"

FOUND = {
    "email": ["write to ayla.demir@example.com.", "e-postam mehmet.oz@ornek.com.tr"],
    "phone": [
        "call me at +90 532 123 45 67 after six",
        "telefonum 0532 123 45 67",
        "beni 0 (212) 293 11 22 numarasından ara",
        "my number is (415) 555-2671",
        "Tel. +49 30 901820",
    ],
    "iban": [
        "maaşımı TR330006100519786457841326 hesabına yatırın",
        "my account is GB29 NWBK 6016 1331 9268 19.",
    ],
    "national_id": [
        "TC kimlik numaram 10000000146",
        "my SSN is 536-90-4399",
        "social security number 536904399",
        "PESEL 44051401458",
        "codice fiscale RSSMRA85T10A562S",
        "meine Steuer-ID ist 36574261809",
    ],
    "ip_address": ["evdeki IP adresim 78.180.12.9", "login from 2a00:1450:4017:80c::200e today"],
}
NOT_FOUND = [
    "version 1.2.3.4 of the tool",
    "Bump types-pyyaml from 6.0.12.9 to 6.0.12.10",
    "listen on 127.0.0.1:5432 and 10.0.0.7",
    "timestamp 1700000000 and 1700000000000",
    "order 12345678901 was shipped",
    "uuid 550e8400-e29b-41d4-a716-446655440000",
    "git@github.com:org/repo.git",
    "postgres://db.example.com:5432/app",
    "pip install foo@1.2.3",
    "gpt-5.4-2026-03-05 is registered",
    "ISBN 978-3-16-148410-0",
    "the 2024-2025 season ended 82-64",
    "ref 44051401459",
]


def doing(policy: str, **kinds: str) -> dict[str, Any]:
    """The overrides of a memory that treats personal data so."""
    return {"pii": {"policy": policy, "kinds": kinds}}


def imported(memory: Memory, folder: Path) -> object:
    """An export of another memory, brought in."""
    with Memory(folder / "other.db", embedder="none") as other:
        other.remember(SAID)
        other.export(folder / "other.jsonl")
    return memory.import_(folder / "other.jsonl")


WAYS: dict[str, Callable[[Memory, Path], object]] = {
    "remember": lambda memory, _: memory.remember(SAID, tags=[MAIL], metadata={"from": MAIL}),
    "observe": lambda memory, _: memory.observe(SAID),
    "observe_tool": lambda memory, _: memory.observe_tool(
        "bash", f"error: 3 tests failed\n{SAID}", input={"command": f"mail {MAIL}"}
    ),
    "fact": lambda memory, _: memory.fact("the tax adviser", "mail", MAIL),
    "documents": lambda memory, _: memory.put_documents("files", [Document(key="a", text=SAID)]),
    "episode": lambda memory, _: memory.episode("The tax was late", lesson=SAID),
    "procedure": lambda memory, _: memory.procedure("File the tax", [SAID, "wait for a week"]),
    "procedure's name": lambda memory, _: memory.procedure(
        f"Write to the tax adviser at {MAIL}", ["open the mail", "wait for a week"]
    ),
    "key": lambda memory, _: memory.remember(SAID, metadata={MAIL: "of the tax adviser"}),
    "bring_in": lambda memory, _: memory.bring_in([Item(id="1", content=SAID)], source="notes"),
    "import": imported,
    "update": lambda memory, _: memory.update(memory.remember("a note").memory.id, SAID),  # type: ignore[union-attr]
}


def on_disk(folder: Path) -> bytes:
    """Every byte of the store's files."""
    return b"".join(file.read_bytes() for file in sorted(folder.glob("store.db*")))


def lines(memory: Memory) -> str:
    """The reasons of the journal."""
    return "\n".join(one.reason for one in memory.audit().entries)


@pytest.mark.spec("D-71")
@pytest.mark.parametrize("way", WAYS)
def test_redacted_data_reaches_no_file(opening: Opening, tmp_path: Path, way: str) -> None:
    """By every way in the value stays out of the store, and its kind stands in its place."""
    memory = opening(overrides=doing("redact"))
    WAYS[way](memory, tmp_path)
    assert MAIL.encode() not in on_disk(tmp_path)
    kept = [one.content for one in memory.list()] + [one.object for one in memory.facts()]
    assert any("[redacted:email]" in text for text in kept)


@pytest.mark.spec("D-71")
def test_a_change_that_comes_to_nothing_is_no_error(opening: Opening) -> None:
    """Told again in the text, the title or the name of a workflow: what is left of it stands
    already, and no version is counted."""
    memory = opening(overrides=doing("redact"))
    row = kept(memory.remember("a note"))
    for _ in range(2):
        row = memory.update(row.id, SAID, title=f"to {MAIL}", tags=["tax"])
        assert (row.version, row.title) == (2, "to [redacted:email]")
        row = memory.update(row.id, title=f"to {MAIL}", importance=0.9)
        assert (row.version, row.importance) == (2, 0.9)
    for steps in (["open it", "wait"], ["open it", "wait"], ["open it", "go"]):
        made = memory.procedure(f"Write to {MAIL}", steps)
    assert [one.content for one in memory.list(kind="procedure")] == [made.content]


@pytest.mark.spec("D-71")
@pytest.mark.parametrize("way", WAYS)
def test_refused_data_is_not_written(opening: Opening, tmp_path: Path, way: str) -> None:
    """By every way in nothing of it is written, and whoever brings it is told, without it."""
    memory = opening(overrides=doing("refuse"))
    try:
        told = repr(WAYS[way](memory, tmp_path))
    except PersonalDataError as error:
        told = str(error)
        assert "email 1" in told
    assert MAIL not in told
    assert MAIL.encode() not in on_disk(tmp_path)
    assert not [one for one in memory.list() if "tax adviser" in one.content]


@pytest.mark.spec("D-71")
@pytest.mark.parametrize("way", [way for way in WAYS if way != "fact"])
def test_flagged_data_is_private(opening: Opening, tmp_path: Path, way: str) -> None:
    """By every way in what holds it is tagged with the kind, private at least, and so out of
    what is recalled without a word for private memories."""
    memory = opening(overrides=doing("flag"))
    WAYS[way](memory, tmp_path)
    held = [one for one in memory.list(allow_private=True) if MAIL in one.content]
    assert held
    assert all("pii:email" in one.tags and one.sensitivity == "private" for one in held)
    assert not [one for one in memory.list() if MAIL in one.content]
    assert re.search("pii made private: email [12]", lines(memory))


def test_a_fact_alone_cannot_be_private(opening: Opening, tmp_path: Path) -> None:
    """What would be flagged is taken out of a fact that no memory stands behind."""
    memory = opening(overrides=doing("flag"))
    made = memory.fact("the tax adviser", "mail", MAIL)
    assert made.object == "[redacted:email]"
    assert MAIL.encode() not in on_disk(tmp_path)


@pytest.mark.parametrize(("policy", "told"), [("flag", "made private"), ("redact", "taken out")])
def test_outcome_and_journal_tell_kinds_and_numbers(
    opening: Opening, policy: str, told: str
) -> None:
    """Never the value."""
    memory = opening(overrides=doing(policy))
    outcome = memory.remember(f"{SAID}, his phone +90 532 123 45 67, and {MAIL} again")
    [step] = [one for one in outcome.trace if one.stage == "pii"]
    assert step.detail == f"{told}: email 2, phone 1"
    assert f"pii {told}: email 2, phone 1" in lines(memory)
    journal = json.dumps([repr(one) for one in memory.audit().entries])
    assert MAIL not in journal


def test_a_refused_message_stops_no_conversation(opening: Opening) -> None:
    """`observe` skips it, says why without showing it, and goes on."""
    memory = opening(overrides=doing("refuse"))
    refused, kept = memory.observe([SAID, "We deploy to Hetzner on Tuesdays"])
    assert (refused.action, kept.action) == ("skipped", "created")
    assert "email 1" in refused.reason
    assert MAIL not in repr(refused)


def test_kinds_are_treated_apart(opening: Opening) -> None:
    """`kinds` goes before `policy`."""
    memory = opening(overrides=doing("off", email="redact", iban="refuse"))
    assert memory.remember(SAID).memory.content.endswith("[redacted:email]")  # type: ignore[union-attr]
    phone = "call me at +90 532 123 45 67"
    assert memory.remember(phone).memory.content == phone  # type: ignore[union-attr]
    with pytest.raises(PersonalDataError, match="iban 1"):
        memory.remember("the account is TR330006100519786457841326")


@pytest.mark.parametrize(("kind", "text"), [(k, t) for k, texts in FOUND.items() for t in texts])
def test_what_is_found(opening: Opening, kind: str, text: str) -> None:
    """English, Turkish and what is written the same everywhere."""
    memory = opening(overrides=doing("redact"))
    assert memory.remember(text).memory.content.count(f"[redacted:{kind}]") == 1  # type: ignore[union-attr]


@pytest.mark.parametrize("text", NOT_FOUND)
def test_what_only_looks_like_it(opening: Opening, text: str) -> None:
    """Versions, private networks, times, orders and addresses of repositories are nobody's."""
    memory = opening(overrides=doing("redact"))
    assert memory.remember(text).memory.content == text  # type: ignore[union-attr]


def test_off_is_the_default(opening: Opening) -> None:
    """Nothing is looked for unless it is asked for."""
    memory = opening()
    outcome = memory.remember(SAID)
    assert outcome.memory is not None
    assert (outcome.memory.content, outcome.memory.sensitivity) == (SAID, "public")


def test_without_the_extra_it_is_an_error(
    opening: Opening, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It is never silently off: the memory does not open, and no file is made."""
    for name in [one for one in sys.modules if one.partition(".")[0] in ("phonenumbers", "stdnum")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "phonenumbers", None)
    with pytest.raises(MissingExtraError, match=r"engraphy\[pii\]"):
        opening(overrides=doing("flag"))
    assert not list(tmp_path.glob("store.db*"))
    assert not opening().list()


def test_a_wrong_policy_is_an_error(opening: Opening) -> None:
    """It names the knob and what is allowed."""
    with pytest.raises(ProfileError, match=r"pii\.policy"):
        opening(overrides={"pii": {"policy": "hide"}})
