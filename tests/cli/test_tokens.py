"""`engraphy token`: printed once, listed without their texts, ended by id or text."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.engine.making import opened

from engraphy.cli import main
from engraphy.errors import NotAllowedError

Run = Callable[..., Result]
FORM = re.compile(r"egr_[0-9A-Z]{26}_[0-9A-Z]{52}")


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run `engraphy token ...` on the test's store; `code`: the expected exit code."""
    runner = CliRunner(env={"NO_COLOR": "1", "COLUMNS": "100", "ENGRAPHY_HOME": str(tmp_path)})
    store = ("--db", str(tmp_path / "store.db"), "--no-embed")

    def call(*words: str, code: int = 0) -> Result:
        result = runner.invoke(main, ["token", *words, *store], catch_exceptions=False)
        assert result.exit_code == code, result.output
        return result

    return call


def test_a_token_is_printed_once(run: Run, tmp_path: Path) -> None:
    """Alone on stdout, so that a pipe takes nothing else; what is said about it stands on stderr
    and does not repeat it."""
    made = run("create", "laptop", "--user", "ada", "--origin", "agent", "--days", "30")
    token = made.stdout.strip()
    assert FORM.fullmatch(token)
    assert "this once" in made.stderr
    assert token not in made.stderr
    with opened(tmp_path / "store.db") as memory:
        grant = memory.identify(token)
    assert (grant.name, grant.user, grant.origin) == ("laptop", "ada", "agent")
    assert grant.expires_at == grant.created_at + 30 * 86_400_000_000
    shown = run("list").output
    assert grant.id in shown
    assert "laptop" in shown
    assert {"user", "ada,", "as", "agent"} <= set(shown.split())
    assert not FORM.search(shown)


def test_as_json(run: Run) -> None:
    """The token and what it allows in one object; the list holds no token, and times are told as
    everywhere."""
    made = json.loads(run("create", "boss", "--role", "admin", "--json").stdout)
    assert FORM.fullmatch(made["token"])
    assert (made["grant"]["role"], made["grant"]["clearance"]) == ("admin", "secret")
    assert made["grant"]["created_at"].startswith("20")
    told = run("list", "--json").stdout
    assert json.loads(told)["grants"] == [made["grant"]]
    assert not FORM.search(told)


@pytest.mark.parametrize("by", ["id", "token"])
def test_revoked(run: Run, tmp_path: Path, by: str) -> None:
    """By its id, or by the token itself, which is then no error's text either."""
    made = json.loads(run("create", "laptop", "--json").stdout)
    known = made["grant"]["id"] if by == "id" else made["token"]
    assert "revoked laptop" in run("revoke", known).output
    with opened(tmp_path / "store.db") as memory, pytest.raises(NotAllowedError):
        memory.identify(made["token"])
    assert "revoked 20" in " ".join(run("list").output.split())
    other = made["token"].replace("egr_0", "egr_7")
    refused = run("revoke", other, code=3)
    assert "UnknownGrantError" in refused.output
    assert other.rpartition("_")[2] not in refused.output


def test_what_is_wrong_is_told(run: Run) -> None:
    """A wish that is not allowed is wrong usage, and makes no token."""
    run("create", "x", "--role", "owner", code=2)
    run("create", "x", "--days", "0", code=2)
    run("create", "x", "--role", "admin", "--user", "ada", code=2)
    run("create", "", code=2)
    run("create", code=2)
    run("revoke", "nobody", code=3)
    assert "no token was made" in run("list").output
