"""Forgetting a whole user: counted first, then gone from every surface and every byte."""

from pathlib import Path
from typing import Any

import pytest
from tests.engine.conftest import Opening
from tests.engine.making import Ticks, kept, texts

from engraphy import Memory
from engraphy.errors import ConfirmationRequiredError, InvalidInputError

WORD, NAME, CHAT = "quetzalcoatlus", "xochiquetzal", "tlaltecuhtli"
ALL: dict[str, Any] = {"allow_private": True, "allow_secret": True}
STATES = ("dormant", "archived", "superseded", "expired", "quarantined")


def lived(memory: Memory) -> None:
    """Something of everything that a user can leave behind, and what others say beside it."""
    mine: dict[str, Any] = {"user": NAME}
    row = kept(memory.remember(f"The {WORD} flies over Bern", session=CHAT, pinned=True, **mine))
    memory.update(row.id, f"The {WORD} flies over Basel", session=CHAT, **mine)
    held = kept(memory.remember(f"My {WORD} is kept secret", sensitivity="secret", **mine))
    memory.protect(held.id, immutable=True, **mine, **ALL)
    memory.remember(f"I live in {WORD}burg", project="p", agent="a", **mine)
    memory.remember("I moved to Porto", project="p", agent="a", **mine)
    other = kept(memory.remember(f"A feather of the {WORD}", tags=[WORD], session=CHAT, **mine))
    memory.link(row.id, other.id, session=CHAT, **mine)
    memory.fact(WORD, "is", f"{WORD} indeed", source_id=other.id, session=CHAT, **mine)
    memory.fact(WORD, "was", "given without a source", project="p", **mine)
    over = kept(memory.remember(f"Soon over: the {WORD}", ttl_days=1, **mine))
    memory.start_session(CHAT, **mine)
    memory.observe_tool("Edit", "done", input={"file_path": f"/{WORD}.py"}, session=CHAT, **mine)
    memory.context(f"what of the {WORD}?", conversation=CHAT, **mine)
    memory.recall(WORD, **mine)
    assert over.id
    memory.remember("The heron nests by the lake", user="bob")
    memory.fact("heron", "nests", "lake", user="bob")
    memory.remember("Everybody knows the otter")


def bytes_of(folder: Path) -> bytes:
    """Every byte of every file, in small letters."""
    files = (file for file in folder.rglob("*") if file.is_file())
    return b"".join(file.read_bytes().lower() for file in files)


@pytest.mark.parametrize("profile", ["default", "titans", "cognitive", "letsgo"])
def test_nothing_of_a_forgotten_user_is_left(
    opening: Opening, tmp_path: Path, clock: Ticks, profile: str
) -> None:
    """Counted, confirmed, gone: no row, no fact, no session, no byte of what they said or of their
    name; others keep everything, every check passes, and the journal says how much went."""
    memory = opening(profile=profile)
    lived(memory)
    clock.pass_days(3)
    memory.purge_expired()
    memory.dream()
    everyone = [texts(memory.list(**who)) for who in ({"user": "bob"}, {})]
    first = memory.forget_user(NAME)
    assert (first.erased, first.facts >= 1, first.memories >= 5) == (False, True, True)
    assert first.sessions >= 1
    assert first.receipts >= 1
    assert memory.list(user=NAME)
    done = memory.forget_user(NAME, confirm=first.confirm)
    assert (done.erased, done.confirm, done.memories) == (True, None, first.memories)
    assert memory.list(user=NAME, include=STATES, **ALL) == everyone_else(memory, everyone)
    assert memory.facts(user=NAME, current=False, **ALL) == []
    assert memory.receipts(user=NAME, **ALL) == []
    assert [texts(memory.list(**who)) for who in ({"user": "bob"}, {})] == everyone
    assert len(memory.facts(user="bob")) == 1
    again = memory.forget_user(NAME, confirm=True)
    assert (again.erased, again.memories) == (False, 0)
    assert [check for check in memory.doctor(deep=True) if not check.ok] == []
    for word in (WORD, NAME, CHAT):
        assert word.encode() not in bytes_of(tmp_path), word
    memory.close()
    for word in (WORD, NAME, CHAT):
        assert word.encode() not in bytes_of(tmp_path), word


def everyone_else(memory: Memory, everyone: list[list[str]]) -> list[Any]:
    """What a user without anything of their own sees: what is shared."""
    shared = list(memory.list(include=STATES, **ALL))
    assert texts(shared) == everyone[1]
    return shared


def test_what_came_since_the_count_is_counted_anew(memory: Memory) -> None:
    """A token is for what was counted; nothing is erased with an old one, or with a wrong one."""
    memory.remember("The heron nests by the lake", user="ada")
    told = memory.forget_user("ada")
    memory.remember("The otter lives by the river", user="ada")
    for token in (told.confirm, "00000000"):
        with pytest.raises(ConfirmationRequiredError) as raised:
            memory.forget_user("ada", confirm=token)
        assert "the same call" in str(raised.value)
        assert len(memory.list(user="ada")) == 2
    done = memory.forget_user("ada", confirm=str(raised.value.details["token"]))
    assert (done.erased, done.memories) == (True, 2)


def test_a_user_of_another_tenant_stays(opening: Opening) -> None:
    """The same name behind another tenant's wall is somebody else; who comes back finds nothing."""
    one, other = opening(), opening(tenant="other")
    for memory in (one, other):
        memory.remember("The heron nests by the lake", user="ada")
    one.forget_user("ada", confirm=True)
    assert one.list(user="ada") == []
    assert len(other.list(user="ada")) == 1
    one.remember("Hello again, I like tea", user="ada")
    assert texts(one.list(user="ada")) == ["Hello again, I like tea"]
    assert texts(one.recall("tea", user="ada")) == ["Hello again, I like tea"]


@pytest.mark.long
def test_a_large_user_goes_in_batches(opening: Opening, tmp_path: Path) -> None:
    """More than one transaction takes: the receipt counts all of it."""
    memory = opening()
    rows = ['{"format": "engraphy-export", "version": 1}']
    rows += [
        f'{{"record": "memory", "id": "m{number}", "content": "Feather {number} of {WORD}",'
        f' "scope": {{"tenant": "default", "user": "{NAME}"}}}}'
        for number in range(1_050)
    ]
    (tmp_path / "in.jsonl").write_text("\n".join(rows))
    memory.import_(tmp_path / "in.jsonl")
    (tmp_path / "in.jsonl").unlink()
    assert memory.forget_user(NAME, confirm=True).memories == 1_050
    assert memory.stats(user=NAME, **ALL).total == 0
    assert WORD.encode() not in bytes_of(tmp_path)
    assert all(check.ok for check in memory.doctor(deep=True))


@pytest.mark.parametrize("user", [None, "", 7, "a\x00"])
def test_a_user_has_a_name(memory: Memory, user: Any) -> None:
    """Whoever names none forgets nobody."""
    memory.remember("Everybody knows the otter")
    with pytest.raises(InvalidInputError, match="user"):
        memory.forget_user(user, confirm=True)
    assert len(memory.list()) == 1
