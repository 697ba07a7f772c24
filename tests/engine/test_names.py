"""A name is a wall and is stored as it is: what may stand in one (P-08, P-14)."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.engine.conftest import Opening
from tests.engine.making import TOKEN, opened

from engraphy import Memory
from engraphy.errors import ImportFormatError, InvalidInputError
from engraphy.model.documents import Document

KEYS = ("user", "agent", "project", "session")
HELD = [TOKEN, f"ann {TOKEN}", "password=Hunter2!xyz", "https://ann:Hunter2!xyz@example.com/repo"]
PLAIN = [
    "ann@example.com",
    "9f1c2b7e-4a55-4e0e-b0c4-0a4b5b1f7a11",
    "550e8400e29b41d4a716446655440000",
    "google-oauth2|103245678901234567890",
    "4111111111111111",
    "/srv/ann/web-app",
    "arn:aws:iam::123456789012:user/ann",
    "token-service",
    "proj_AbCdEf1234567890",
]


@pytest.mark.spec("P-14")
@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("held", HELD)
def test_no_credential_is_kept_as_a_name(tmp_path: Path, key: str, held: str) -> None:
    """Every verb refuses a name with a credential in it, names the field and not the credential,
    and not a byte of it reaches the disk."""
    with opened(tmp_path / "store.db") as memory:
        for verb in (memory.remember, memory.observe, memory.observe_later, memory.recall):
            with pytest.raises(InvalidInputError, match=f"(?s){key}.*credential") as told:
                verb("I prefer Go", **{key: held})  # type: ignore[arg-type]
            assert held not in str(told.value)
        if key != "session":
            with pytest.raises(InvalidInputError, match=key):
                memory.start_session("s", **{key: held})
        else:
            with pytest.raises(InvalidInputError, match=key):
                memory.start_session(held)
        memory.flush()
    stored = b"".join(one.read_bytes() for one in tmp_path.iterdir())
    assert held.encode() not in stored


def test_no_credential_is_a_tenant(tmp_path: Path) -> None:
    """The tenant is a name too."""
    with pytest.raises(InvalidInputError, match="tenant"):
        opened(tmp_path / "store.db", tenant=TOKEN)


@pytest.mark.spec("P-14")
@pytest.mark.parametrize("name", PLAIN)
def test_what_people_and_programs_are_called_is_a_name(memory: Memory, name: str) -> None:
    """Addresses, ids of every make, paths and numbers stay as they are."""
    memory.remember("I prefer Go", user=name, project=name, session=name)
    (row,) = memory.list(user=name, project=name, session=name)
    assert (row.scope.user, row.scope.project, row.scope.session) == (name, name, name)


@pytest.mark.spec("P-14", "P-21")
def test_what_is_refused_is_told_without_its_secret(memory: Memory) -> None:
    """An error goes into transcripts and logs: it names the field, never the credential."""
    book = memory.create_notebook("notes")
    calls: list[Callable[[], object]] = [
        lambda: memory.create_notebook(f"notes {TOKEN}"),
        lambda: memory.create_notebook("more", description=TOKEN),
        lambda: memory.create_notebook("more", metadata={"k": TOKEN}),
        lambda: memory.create_page(book.id, f"/{TOKEN}.md", "plain"),
        lambda: memory.create_page(book.id, "/a.md", f"it is {TOKEN}"),
        lambda: memory.put_documents("shelf", [Document(key=TOKEN, text="plain")]),
    ]
    for call in calls:
        with pytest.raises(InvalidInputError) as caught:
            call()
        assert TOKEN[:12] not in str(caught.value) + str(caught.value.details)


@pytest.mark.spec("P-14")
def test_no_file_brings_a_credential_as_a_name(opening: Opening, tmp_path: Path) -> None:
    """An import with such a name is refused before anything is written."""
    memory = opening()
    memory.remember("I prefer Go", user="ann")
    file = tmp_path / "out.jsonl"
    memory.export(file, user="ann")
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    spoiled = json.dumps(lines[0]) + "\n"
    for line in lines[1:]:
        spoiled += json.dumps(line).replace('"ann"', json.dumps(TOKEN)) + "\n"
    file.write_text(spoiled)
    other = opening("other")
    with pytest.raises(ImportFormatError, match=r"(?s)scope.user.*credential") as told:
        other.import_(file)
    assert TOKEN not in str(told.value)
    assert other.list() == []
