"""Where a database is told: what is wrong is said at once, and no password with it."""

import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import httpx2
import pytest
from click.testing import CliRunner
from tests.hooks import payloads
from tests.hooks.conftest import Hooks
from tests.postgres.server import QUICK, Server, running
from tests.serving.server import CLEAR, Served

from engraphy import Memory
from engraphy.cli import main
from engraphy.errors import EngraphyError, InvalidInputError
from engraphy.hooks.glancing import CARD

PASSWORD = "s3cret"


@pytest.mark.parametrize(
    "place",
    [
        f"mysql://app:{PASSWORD}@host/memory",
        f"postgresql:/app:{PASSWORD}@host/memory",
        f"Postgres:app:{PASSWORD}@host/memory",
        f"postgresql://app:{PASSWORD} or so@host/memory",
        f"postgresql://app:{PASSWORD}@[host/memory",
    ],
)
def test_a_place_that_cannot_be_read_is_refused(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another scheme, or a slash too few, makes no file of that name, and a slip shows nothing of
    what was told."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInputError) as caught:
        Memory(place, embedder="none")
    assert PASSWORD not in str(caught.value)
    assert caught.value.__cause__ is None
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_is_not_there_is_told_at_once() -> None:
    """The error says in the server's own words what hinders it, without the password."""
    with pytest.raises(EngraphyError, match="does not answer") as caught:
        Memory(f"postgresql://app:{PASSWORD}@/memory?host=/nowhere", embedder="none")
    assert PASSWORD not in str(caught.value)


def test_commands_that_only_read_take_a_database(server: Server) -> None:
    """`--db` with a database is asked, not looked for as a file; its scheme in any case."""
    url = server.fresh_url()
    with Memory(url, embedder="none") as memory:
        memory.remember("The tea is in the left cupboard.")
    place = url.replace("postgresql://", "PostgreSQL://")
    told = CliRunner().invoke(main, ["list", "--db", place, "--no-embed"])
    assert told.exit_code == 0, told.output
    assert "The tea is in the left cupboard." in told.output


def test_a_key_is_never_taken_for_one_of_a_database(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who gives a key for a database is told that nothing is encrypted by it, before a word is
    written; where the environment holds one for files, `doctor` says so."""
    url = server.fresh_url()
    with pytest.raises(InvalidInputError, match="encrypted by its server"):
        Memory(url, embedder="none", key="correct horse battery staple")
    asked = ["list", "--db", url, "--no-embed", "--ask-key"]
    told = CliRunner().invoke(main, asked, input="correct horse battery staple\n")
    assert told.exit_code != 0
    assert "correct horse" not in told.output
    monkeypatch.setenv("ENGRAPHY_KEY", "correct horse battery staple")
    with Memory(url, embedder="none") as memory:
        [said] = [one.detail for one in memory.doctor() if one.name == "encryption"]
    assert "files only" in said


@pytest.mark.long
def test_a_key_beside_a_database_is_told_to_encrypt_nothing(server: Server, own_home: Path) -> None:
    """Who has a key in the environment and opens a database is told once that it is for files only;
    an agent's hooks print nothing, and what waits for them is encrypted by it all the same."""
    secret = "correct horse battery staple"
    told = {"ENGRAPHY_KEY": secret, "ENGRAPHY_DATABASE": server.fresh_url()}
    told |= {"ENGRAPHY_EMBEDDER": "none", "ENGRAPHY_HOME": str(own_home)}

    def run(*words: str, said: bytes = b"") -> str:
        command = [sys.executable, "-m", "engraphy.cli", *words]
        env = os.environ | told
        done = subprocess.run(command, input=said, env=env, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stderr.decode()

    warned = run("remember", "The tea is in the left cupboard.")
    assert warned.count("the key encrypts files only") == 1
    assert secret not in warned
    prompt = "We always deploy with Ansible, never by hand."
    payload = payloads.codex("UserPromptSubmit", own_home, "s1", prompt=prompt)
    assert run("hook", "codex", "UserPromptSubmit", said=json.dumps(payload).encode()) == ""
    kept = [one for one in own_home.rglob("*") if one.is_file()]
    assert [one.name for one in kept if b"Ansible" in one.read_bytes()] == []


@pytest.mark.long
def test_hooks_of_an_agent_take_a_database(
    server: Server, own_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a prompt told is remembered in the database, and nothing is left for a glance, which
    looks into files."""
    monkeypatch.setenv("ENGRAPHY_DATABASE", server.fresh_url())
    monkeypatch.setenv("ENGRAPHY_EMBEDDER", "none")
    hooks = Hooks(own_home)
    for prompt in ("We always deploy with Ansible, never by hand.", "How do we deploy?"):
        payload = payloads.codex("UserPromptSubmit", tmp_path, "s1", prompt=prompt)
        told = hooks.tell("codex", "UserPromptSubmit", payload)
    hooks.tell("codex", "SessionStart", payloads.codex("SessionStart", tmp_path, "s2"))
    payload = payloads.codex("UserPromptSubmit", tmp_path, "s2", prompt="How do we deploy?")
    told = hooks.tell("codex", "UserPromptSubmit", payload)
    hooks.opened.close()
    assert "Ansible" in told
    assert not (own_home / "hooks" / CARD).exists()
    assert not (own_home / "memory.db").exists()


@pytest.mark.slow
def test_a_server_whose_database_is_gone_is_not_ready(tmp_path: Path) -> None:
    """While the database is down the server says that it cannot answer, tells nobody where the
    database is, and goes on by itself once that is back."""
    with running(**QUICK) as other:
        opening = {"path": other.fresh_url(), "embedder": "none"}
        with Served(path=tmp_path / "x.db", opening=opening) as served:
            ready = partial(httpx2.get, f"{served.url}/readyz", verify=CLEAR, timeout=60)
            with served.client() as client:
                assert ready().status_code == 200
                other.stop()
                assert ready().status_code == 503
                answer = client.get("/v1/stats")
                assert answer.status_code == 503
                assert str(other.folder) not in answer.text
                assert other.user not in answer.text
                other.start()
                assert ready().status_code == 200
                assert client.get("/v1/stats").status_code == 200
