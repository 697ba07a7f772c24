"""`engraphy cluster`: a plan is printed, nothing is run."""

import json
from typing import Any

import pytest
from click.testing import CliRunner, Result

from engraphy.cli import main

pytest.importorskip("sqlglot", reason="the extra `postgres`")
NOWHERE = "postgresql://someone:secret@nowhere.invalid/a-b"


def run(*words: str, code: int = 0) -> Result:
    result = CliRunner().invoke(main, ["cluster", *words], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result


def test_a_plan_needs_no_database() -> None:
    """The plan is that of the schema, whether a database is named or not, and nobody is asked; its
    name is in it, quoted, and its password is not."""
    shown = run("plan", "--db", NOWHERE).stdout
    assert 'ALTER DATABASE "a-b" SET citus.propagate_set_commands' in shown
    assert "secret" not in shown
    plain = run("plan").stdout
    assert plain == shown.replace("a-b", "memory")


def test_what_is_printed_is_sql() -> None:
    """Every line is a comment, a statement or the rest of one, and at most 80 columns wide; that
    nobody has run it stands at the top."""
    shown = run("plan").stdout.splitlines()
    assert max(map(len, shown)) <= 80
    assert "Not run here" in shown[1]
    rest = "\n".join(line for line in shown if not line.startswith("--"))
    statements = [one.strip() for one in rest.split(";") if one.strip()]
    assert all(one.startswith(("ALTER ", "SET ", "SELECT ")) for one in statements)
    made: dict[str, Any] = json.loads(run("plan", "--json").stdout)
    assert len(statements) == len(made["statements"])
    assert made["run_here"] is False


def test_a_cluster_that_spreads_by_keys_needs_no_statement() -> None:
    """YugabyteDB hashes the first column of a key: what there is to say is comments."""
    shown = run("plan", "--for", "yugabyte").stdout.splitlines()
    assert all(line.startswith("--") for line in shown)
    assert "ysql_sequence_cache_minval=0" in "\n".join(shown)


@pytest.mark.parametrize(
    "words",
    [
        ("plan", "--for", "oracle"),
        ("plan", "--db", "a file.db"),
        ("plan", "--db", "postgresql://u@h/n?x="),
        ("init", "a file.db"),
    ],
)
def test_what_is_no_database_is_refused(words: tuple[str, ...]) -> None:
    """A kind that is not known, a file and an address that is none are told as such."""
    assert run(*words, code=2).stderr


def test_the_environment_names_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where none is named, the variable that servers have says which."""
    monkeypatch.setenv("ENGRAPHY_DATABASE", NOWHERE)
    assert '"a-b"' in run("plan").stdout
